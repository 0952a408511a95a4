//! The `OwnBook` option: plays from an opening book instead of searching. Start at
//! [`OwnBook::answer`].

use std::path::Path;

use super::format::castling_style;
use super::options::Settings;
use crate::board::Game;
use crate::book::{BookPlayer, Choice, Openings};
use crate::notation::UciMove;
use crate::search::Limits;

/// The opening book and the options that enable it.
#[derive(Default)]
pub(super) struct OwnBook {
    pub(super) is_on: bool,
    /// Whether `UCI_AnalyseMode` is set, which disables the book.
    pub(super) is_analysing: bool,
    pub(super) player: BookPlayer,
}

impl OwnBook {
    /// Opens the book file `name`; an empty name selects the embedded openings.
    ///
    /// # Errors
    /// If the file is not a valid book; the current one is kept.
    pub(super) fn open(&mut self, name: &str) -> Result<(), String> {
        let path = (!name.is_empty()).then_some(Path::new(name));
        self.player.open(path).map_err(|error| {
            format!("cannot open BookFile {name:?}: {error}; keeping the current book")
        })
    }

    pub(super) fn set_best(&mut self, best: bool) {
        self.player.choice = if best { Choice::Best } else { Choice::Weighted };
    }

    /// Returns the lines that answer `go` if the book is enabled and has a move. Returns `None` in
    /// analysis mode and for `go` with `infinite`, `ponder`, `mate` or `searchmoves`.
    pub(super) fn answer(
        &self,
        game: &Game,
        limits: &Limits,
        settings: Settings,
    ) -> Option<String> {
        let is_game = !limits.infinite
            && !limits.ponder
            && limits.mate.is_none()
            && limits.search_moves.is_empty();
        if !self.is_on || self.is_analysing || !is_game {
            return None;
        }
        let mv = self.player.pick(game)?;
        let text = UciMove::new(mv, castling_style(settings));
        let mut after = game.clone();
        after.play_unchecked(mv);
        let name = Openings::embedded()
            .name(&after)
            .map_or(String::new(), |opening| format!(" ({opening})"));
        let seed = if settings.debug {
            format!("info string book seed: {}\n", self.player.seed())
        } else {
            String::new()
        };
        // The reply that the book expects, if it knows one.
        let ponder = self.player.pick(&after).map_or(String::new(), |reply| {
            format!(" ponder {}", UciMove::new(reply, castling_style(settings)))
        });
        Some(format!("{seed}info string book move: {text}{name}\nbestmove {text}{ponder}"))
    }
}
