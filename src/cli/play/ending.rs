//! How a game ended. Start at [`Ending`].

use std::fmt;

use crate::board::{DrawReason, Outcome};
use crate::notation::PgnResult;
use crate::types::Color;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// By the rules, without a claim.
    Rule(Outcome),
    /// Draw claimed by a player.
    Claimed(DrawReason),
    /// Draw by agreement.
    Agreed,
    /// This colour resigned.
    Resigned(Color),
    /// This colour ran out of time.
    OutOfTime(Color),
    /// This colour ran out of time against a bare king: a draw, since the opponent cannot mate
    /// (FIDE 6.9).
    OutOfTimeDrawn(Color),
    /// Already over in the file it was loaded from.
    Recorded(PgnResult),
}

impl Ending {
    pub(crate) fn result(self) -> PgnResult {
        match self {
            Self::Rule(outcome) => outcome.into(),
            Self::Claimed(_) | Self::Agreed | Self::OutOfTimeDrawn(_) => PgnResult::Drawn,
            Self::Resigned(loser) | Self::OutOfTime(loser) => PgnResult::Won(!loser),
            Self::Recorded(result) => result,
        }
    }

    /// Returns the PGN standard's value for the tag `Termination`.
    pub(crate) const fn termination(self) -> &'static str {
        match self {
            Self::OutOfTime(_) | Self::OutOfTimeDrawn(_) => "time forfeit",
            _ => "normal",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rule(Outcome::Checkmate(winner)) => {
                write!(f, "checkmate, {} wins", name(winner))
            }
            Self::Rule(Outcome::Draw(reason)) => write!(f, "draw by {reason}"),
            Self::Claimed(reason) => write!(f, "draw by {reason} (claimed)"),
            Self::Agreed => f.write_str("draw by agreement"),
            Self::Resigned(loser) => write!(f, "{} resigns, {} wins", name(loser), name(!loser)),
            Self::OutOfTime(loser) => {
                write!(f, "{} is out of time, {} wins", name(loser), name(!loser))
            }
            Self::OutOfTimeDrawn(loser) => write!(
                f,
                "{} is out of time, but {} has only a king and cannot mate: draw",
                name(loser),
                name(!loser)
            ),
            Self::Recorded(_) => f.write_str("the loaded game had already ended"),
        }
    }
}

pub(crate) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
