//! Answers from an opening book instead of a search.

use std::path::Path;

use super::format::castling_style;
use super::options::Settings;
use crate::board::Game;
use crate::book::{BookPlayer, Choice, Openings};
use crate::notation::UciMove;
use crate::search::Limits;

/// The book and whether it is asked.
#[derive(Default)]
pub(super) struct OwnBook {
    pub(super) is_on: bool,
    /// A person is analysing: the book has nothing to say.
    pub(super) is_analysing: bool,
    pub(super) player: BookPlayer,
}

impl OwnBook {
    /// Plays from a file from now on; an empty name means the embedded openings.
    ///
    /// # Errors
    /// Says why the file is no book, and that the old one is kept.
    pub(super) fn open(&mut self, name: &str) -> Result<(), String> {
        let path = (!name.is_empty()).then_some(Path::new(name));
        self.player.open(path).map_err(|error| {
            format!("BookFile {name:?} cannot be used: {error}; the book is what it was before")
        })
    }

    pub(super) fn set_best(&mut self, best: bool) {
        self.player.choice = if best { Choice::Best } else { Choice::Weighted };
    }

    /// The lines that answer `go`, if the book has a move and somebody is playing: not when they
    /// ponder, look for a mate, or want to know about certain moves or all they can.
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
        Some(format!("{seed}info string book move: {text}{name}\nbestmove {text}"))
    }
}
