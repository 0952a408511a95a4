//! Room for the own pieces, while there are many of them.

use super::Tally;
use super::context::{Context, in_front};
use super::layout::SPACE;
use crate::types::{Bitboard, PieceType, Side};

/// Files c to f.
const CENTER_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// Ranks 2 to 4, as White sees it, and as Black does.
const CAMPS: [Bitboard; 2] = [Bitboard(0x0000_0000_ffff_ff00), Bitboard(0x00ff_ffff_0000_0000)];

/// Room is of use only to those who want to stand there: beyond so many men.
const FEW: i32 = 8;

/// Counts the squares in the centre of the own camp that no enemy pawn attacks; those behind own
/// pawns that nobody attacks count twice. The more men there are, the more each counts.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let pawns = context.pawns[S::US.index()];
    let safe = (CENTER_FILES & CAMPS[S::US.index()]) - pawns - context.by(S::THEM, PieceType::Pawn);
    let behind = in_front(pawns, S::THEM) - context.attacked[S::THEM.index()];
    let men = context.board.color(S::US).len() as i32;
    let room = (safe.len() + (safe & behind).len()) as i32;
    tally.add(S::US, SPACE, room * (men - FEW).max(0) / 4);
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::*;

    #[test]
    fn space_is_safe_and_better_behind_pawns() {
        let space = |fen: &str, both| expect(fen, &[(SPACE, both)]);
        // With few men nobody needs room.
        space("4k3/8/8/8/8/8/8/4K3", [0, 0]);
        space("4k3/8/8/8/4P3/8/8/4K3", [0, 0]);
        // Twelve men each, for whom the squares count as they are: c to f, on ranks 2 to 4 and on
        // ranks 7 to 5. Pawns on the wing are on no square that counts, and attack none.
        let men = |white: &str, black: &str| format!("rnbqkbnr/{black}/8/8/8/8/{white}/RNBQKBNR");
        space(&men("PP4PP", "pp4pp"), [12, 12]);
        // Sixteen men count twice as much; of the twelve squares four are taken.
        space(&men("PPPPPPPP", "pp4pp"), [2 * 8, 12]);
        // White lacks e4 itself, and has e2 and e3 twice; Black lacks d5 and f5.
        space("rnbqkbnr/pp4pp/8/8/4P3/8/PP5P/RNBQKBNR", [13, 10]);
        // The rook takes e2 and e3 away, as it attacks them through nothing.
        space("1nbqkbnr/pp4pp/8/8/4P3/r7/PP5P/RNBQKBNR", [12, 10]);
    }
}
