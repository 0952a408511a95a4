//! Room for the own pieces, while there are many of them.

use super::Tally;
use super::context::{Context, in_front};
use super::layout::SPACE;
use crate::types::{Bitboard, PieceType, Side};

/// Files c to f.
const CENTER_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// Ranks 2 to 4, as White sees it, and as Black does.
const CAMPS: [Bitboard; 2] = [Bitboard(0x0000_0000_ffff_ff00), Bitboard(0x00ff_ffff_0000_0000)];

/// Counts the squares in the centre of the own camp that no enemy pawn attacks; those behind own
/// pawns that nobody attacks count twice.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let pawns = context.pawns[S::US.index()];
    let safe = (CENTER_FILES & CAMPS[S::US.index()]) - pawns - context.by(S::THEM, PieceType::Pawn);
    let behind = in_front(pawns, S::THEM) - context.attacked[S::THEM.index()];
    tally.add(S::US, SPACE, (safe.len() + (safe & behind).len()) as i32);
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::*;

    #[test]
    fn space_is_safe_and_better_behind_pawns() {
        let space = |fen, both| expect(fen, &[(SPACE, both)]);
        // c to f, on ranks 2 to 4 and on ranks 7 to 5.
        space("4k3/8/8/8/8/8/8/4K3", [12, 12]);
        // White lacks e4 itself, and has e2 and e3 twice; Black lacks d5 and f5.
        space("4k3/8/8/8/4P3/8/8/4K3", [13, 10]);
        // A pawn on the wing is on no square that counts, and attacks none.
        space("4k3/8/8/8/8/7P/8/4K3", [12, 12]);
        // The rook takes e2 away.
        space("4k3/8/8/8/4P3/8/r7/6K1", [12, 10]);
    }
}
