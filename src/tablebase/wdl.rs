//! Win/draw/loss (WDL) results with best play.

use std::ops::Neg;

use crate::types::Score;

/// Result for the side to move. A cursed win is a win that the fifty-move rule turns into a
/// draw; a blessed loss is the same from the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// Converts a stored value, from 0 (loss) to 4 (win).
    pub(super) fn from_stored(value: u16) -> Option<Self> {
        Self::ALL.get(usize::from(value)).copied()
    }

    /// Returns -2 for a loss to 2 for a win.
    #[must_use]
    pub const fn value(self) -> i32 {
        self as i32 - 2
    }

    /// Returns the DTZ of a position where a capture or pawn move keeps this result at once. By
    /// convention, cursed wins and blessed losses are 100 further from zero.
    pub(super) const fn zeroing_now(self) -> i32 {
        match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        }
    }

    /// Returns the result if no one claims a draw by the fifty-move rule.
    #[must_use]
    pub const fn without_fifty_move_rule(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }

    /// Returns the score of a position `ply` plies from the root. With `fifty_move_rule`, cursed
    /// wins and blessed losses are draws but score 2 cp and -2 cp, as the better side may hope for
    /// a mistake.
    #[must_use]
    pub const fn score(self, fifty_move_rule: bool, ply: usize) -> Score {
        let wdl = if fifty_move_rule { self } else { self.without_fifty_move_rule() };
        match wdl {
            Self::Loss => Score::tablebase_loss(ply),
            Self::BlessedLoss => Score::cp(-2),
            Self::Draw => Score::DRAW,
            Self::CursedWin => Score::cp(2),
            Self::Win => Score::tablebase_win(ply),
        }
    }
}

/// Returns the result for the other side.
impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::ALL[4 - self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_swaps_sides() {
        for (stored, wdl) in (0..).zip(Wdl::ALL) {
            assert_eq!(Wdl::from_stored(stored), Some(wdl));
            assert_eq!((-wdl).value(), -wdl.value());
            assert_eq!((-wdl).zeroing_now(), -wdl.zeroing_now());
            assert_eq!(-wdl.without_fifty_move_rule(), (-wdl).without_fifty_move_rule());
        }
        assert_eq!(Wdl::from_stored(5), None);
    }
}
