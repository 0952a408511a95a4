//! The engine as a player: its level, limits and last score. Start at [`Opponent`].

use std::time::Duration;

use crate::board::Game;
use crate::book::BookPlayer;
use crate::cli::play::clock::Pace;
use crate::engine::Engine;
use crate::search::{Clock, Level, Limits};
use crate::types::Score;

/// An engine that plays one side, or that gives hints to both.
pub(crate) struct Opponent {
    pub(crate) engine: Engine,
    /// Rating; `None` is full strength.
    pub(crate) elo: Option<u32>,
    /// Score of the last searched move.
    pub(crate) last_score: Option<Score>,
}

impl Opponent {
    pub(crate) fn new(engine: Engine, elo: Option<u32>) -> Self {
        let mut opponent = Self { engine, elo, last_score: None };
        opponent.set_elo(elo);
        opponent
    }

    pub(crate) fn set_elo(&mut self, elo: Option<u32>) {
        self.elo = elo;
        self.engine.set_level(self.level());
    }

    pub(crate) fn level(&self) -> Level {
        self.elo.map_or_else(Level::full, Level::elo)
    }

    pub(crate) fn level_text(&self) -> String {
        self.elo.map_or_else(|| "at full strength".to_owned(), |elo| format!("at Elo {elo}"))
    }

    /// Returns how many moves of the opening book this opponent knows: 1 at Elo 800, 8 at 2200.
    pub(crate) fn book_depth(&self) -> u16 {
        self.elo.map_or(BookPlayer::MAX_DEPTH, |elo| (elo.saturating_sub(600) / 200) as u16)
    }

    /// Returns whether to think on the human's time. At a fixed depth or below full strength the
    /// answer would come no sooner and be no better.
    pub(crate) fn ponders(&self, pace: Pace) -> bool {
        self.elo.is_none() && !matches!(pace, Pace::Depth(_))
    }
}

/// Returns the limits of a search for the side to move, which has `left` on its clock.
pub(crate) fn limits(pace: Pace, left: Option<Duration>) -> Limits {
    match pace {
        Pace::Depth(depth) => Limits::depth(depth),
        Pace::Time(time) => Limits::move_time(time),
        Pace::Clock(control) => Limits {
            clock: Some(Clock {
                left: left.unwrap_or_default(),
                increment: control.increment,
                moves_to_go: None,
            }),
            ..Limits::default()
        },
    }
}

/// Returns whether the engine would take a draw at `score`.
pub(crate) fn is_no_better(score: Score) -> bool {
    score.value() <= AGREEABLE
}

/// Returns whether the engine agrees to a draw in `game` at `score`.
pub(crate) fn agrees_to_draw(game: &Game, score: Score) -> bool {
    let is_opening = game.start().to_fen() == crate::board::Board::START_FEN
        && game.moves().len() < AGREEABLE_FROM_PLY
        && score.value() > CLEARLY_WORSE;
    is_no_better(score) && !is_opening
}

/// Highest score at which the engine agrees to a draw, in internal units.
const AGREEABLE: i32 = 15;
/// Before this ply of a game from the starting position, it agrees only at or below
/// [`CLEARLY_WORSE`].
const AGREEABLE_FROM_PLY: usize = 30;
const CLEARLY_WORSE: i32 = -100;
