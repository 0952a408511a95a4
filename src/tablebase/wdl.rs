//! What a table says about a position: the result with best play.

use std::ops::Neg;

use crate::types::Score;

/// The result for the side to move. A cursed win would be won if it were not for the fifty-move
/// rule, a blessed loss is the same seen from the other side.
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

    /// From the value that tables store: 0 for a loss to 4 for a win.
    pub(super) fn from_stored(value: u16) -> Option<Self> {
        Self::ALL.get(usize::from(value)).copied()
    }

    /// -2 for a loss to 2 for a win.
    #[must_use]
    pub const fn value(self) -> i32 {
        self as i32 - 2
    }

    /// Plies to a capture or pawn move that is played at once and keeps this result. By convention
    /// 100 are added where the fifty-move rule stands in the way.
    pub(super) const fn zeroing_now(self) -> i32 {
        match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        }
    }

    /// What remains if nobody claims a draw by the fifty-move rule.
    #[must_use]
    pub const fn without_fifty_move_rule(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }

    /// The score of a position `ply` plies from the root. What the fifty-move rule saves is a draw,
    /// but the better side may still hope for a mistake.
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

/// The same for the other side.
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
    fn both_sides_see_the_same() {
        for (stored, wdl) in (0..).zip(Wdl::ALL) {
            assert_eq!(Wdl::from_stored(stored), Some(wdl));
            assert_eq!((-wdl).value(), -wdl.value());
            assert_eq!((-wdl).zeroing_now(), -wdl.zeroing_now());
            assert_eq!(-wdl.without_fifty_move_rule(), (-wdl).without_fifty_move_rule());
        }
        assert_eq!(Wdl::from_stored(5), None);
    }
}
