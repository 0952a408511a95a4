//! Space for the own pieces, which matters while there are many. Entry point: `count`.

use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::Context;
use crate::eval::classical::features::SPACE;
use crate::eval::spans::in_front;
use crate::types::{Bitboard, PieceType, Side};

/// Files c to f.
const CENTER_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// Ranks 2 to 4, relative to White and to Black.
const CAMPS: [Bitboard; 2] = [Bitboard(0x0000_0000_ffff_ff00), Bitboard(0x00ff_ffff_0000_0000)];

/// Number of men that need no space: only those above it count.
const FEW: i32 = 8;

/// Counts the central squares of the own camp that are free of own pawns and not attacked by enemy
/// pawns. Squares behind own pawns that the enemy does not attack at all count twice. The more
/// men, the more each square counts.
#[inline]
pub(crate) fn count<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let pawns = context.pawns[S::US.index()];
    let safe = (CENTER_FILES & CAMPS[S::US.index()]) - pawns - context.by(S::THEM, PieceType::Pawn);
    let behind = in_front(pawns, S::THEM) - context.attacked[S::THEM.index()];
    let men = context.board.color(S::US).len() as i32;
    let room = (safe.len() + (safe & behind).len()) as i32;
    sink.add(S::US, SPACE, room * (men - FEW).max(0) / 4);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::expect;

    #[test]
    fn space_is_safe_and_doubled_behind_pawns() {
        let space = |fen: &str, both| expect(fen, &[(SPACE, both)]);
        // Few men need no space.
        space("4k3/8/8/8/8/8/8/4K3", [0, 0]);
        space("4k3/8/8/8/4P3/8/8/4K3", [0, 0]);
        // Twelve men each, so the factor is 1: files c to f, on ranks 2 to 4 and on ranks 7 to 5.
        // The flank pawns neither occupy nor attack any square that counts.
        let men = |white: &str, black: &str| format!("rnbqkbnr/{black}/8/8/8/8/{white}/RNBQKBNR");
        space(&men("PP4PP", "pp4pp"), [12, 12]);
        // Sixteen men double the factor; pawns occupy four of the twelve squares.
        space(&men("PPPPPPPP", "pp4pp"), [2 * 8, 12]);
        // White loses e4 and counts e2 and e3 twice; Black loses d5 and f5.
        space("rnbqkbnr/pp4pp/8/8/4P3/8/PP5P/RNBQKBNR", [13, 10]);
        // The rook attacks e3, so only e2 counts twice.
        space("1nbqkbnr/pp4pp/8/8/4P3/r7/PP5P/RNBQKBNR", [12, 10]);
    }
}
