//! Minor pieces: outposts, shielding pawns, bad bishops, long diagonals, distance to the own king.
//! Entry point: `count`.

use crate::attacks::bishop_attacks;
use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::Context;
use crate::eval::classical::features::{
    BAD_BISHOP, BISHOP_OUTPOST, BLOCKED_BAD_BISHOP, KNIGHT_OUTPOST, LONG_DIAGONAL,
    MINOR_BEHIND_PAWN, MINOR_KING_DISTANCE, REACHABLE_OUTPOST,
};
use crate::eval::spans::attack_span;
use crate::types::{Bitboard, PieceType, Rank, Side, Square};

/// Counts the terms of a side's minor pieces.
#[inline]
pub(crate) fn count<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let knights = context.board.pieces(S::US, PieceType::Knight);
    let bishops = context.board.pieces(S::US, PieceType::Bishop);
    let outposts = outposts::<S>(context);
    sink.add(S::US, KNIGHT_OUTPOST, (knights & outposts).len() as i32);
    sink.add(S::US, BISHOP_OUTPOST, (bishops & outposts).len() as i32);
    let reachable = context.by(S::US, PieceType::Knight) & outposts - context.board.color(S::US);
    sink.add(S::US, REACHABLE_OUTPOST, i32::from(reachable.any()));
    behind_pawns::<S>(context, knights | bishops, sink);
    bad_bishops::<S>(context, bishops, sink);
    long_diagonals::<S>(context, bishops, sink);
    for (index, pieces) in [knights, bishops].into_iter().enumerate() {
        let from_king = |square: Square| square.distance(context.kings[S::US.index()]) as i32;
        sink.add(S::US, MINOR_KING_DISTANCE + index, pieces.into_iter().map(from_king).sum());
    }
}

/// Returns the outposts: squares on ranks 4 to 6, protected by a pawn, that no enemy pawn can ever
/// attack.
#[inline]
fn outposts<S: Side>(context: &Context<'_>) -> Bitboard {
    let ranks = [Rank::Fourth, Rank::Fifth, Rank::Sixth]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, rank| set | rank.relative_to(S::US).into());
    let protected = context.by(S::US, PieceType::Pawn);
    (ranks & protected) - attack_span(context.pawns[S::THEM.index()], S::THEM)
}

/// Counts minor pieces directly behind a pawn of either colour, which shields them.
#[inline]
fn behind_pawns<S: Side>(context: &Context<'_>, minors: Bitboard, sink: &mut impl FeatureSink) {
    let pawns = context.pawns[0] | context.pawns[1];
    sink.add(S::US, MINOR_BEHIND_PAWN, (minors & pawns.forward(S::THEM)).len() as i32);
}

/// Bad bishop: counts the own pawns on squares of its colour, which obstruct it, and the blocked
/// ones among them, which obstruct it most.
#[inline]
fn bad_bishops<S: Side>(context: &Context<'_>, bishops: Bitboard, sink: &mut impl FeatureSink) {
    let pawns = context.pawns[S::US.index()];
    let blocked = pawns & context.occupied.forward(S::THEM);
    for bishop in bishops {
        let same_color =
            if Bitboard::DARK.contains(bishop) { Bitboard::DARK } else { !Bitboard::DARK };
        sink.add(S::US, BAD_BISHOP, (pawns & same_color).len() as i32);
        sink.add(S::US, BLOCKED_BAD_BISHOP, (blocked & same_color).len() as i32);
    }
}

/// d4, e4, d5 and e5.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The long diagonals, a1 to h8 and h1 to a8.
const DIAGONALS: Bitboard = Bitboard(0x8040_2010_0804_0201 | 0x0102_0408_1020_4080);

/// Counts bishops on a long diagonal, outside the centre, that see both its centre squares through
/// pieces. Only pawns block the view.
#[inline]
fn long_diagonals<S: Side>(context: &Context<'_>, bishops: Bitboard, sink: &mut impl FeatureSink) {
    let pawns = context.pawns[0] | context.pawns[1];
    for bishop in bishops & DIAGONALS - CENTER {
        if (bishop_attacks(bishop, pawns) & CENTER).has_many() {
            sink.add(S::US, LONG_DIAGONAL, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::expect;

    #[test]
    fn outpost_is_protected_and_safe_from_pawns() {
        for (piece, feature, other) in
            [("N", KNIGHT_OUTPOST, BISHOP_OUTPOST), ("B", BISHOP_OUTPOST, KNIGHT_OUTPOST)]
        {
            let outpost = |fen: &str, both| {
                expect(&fen.replace('X', piece), &[(feature, both), (other, [0, 0])]);
            };
            outpost("7k/8/8/3X4/4P3/8/8/4K3", [1, 0]);
            // The c-pawn can still attack d5; on c5 it has passed.
            outpost("7k/2p5/8/3X4/4P3/8/8/4K3", [0, 0]);
            outpost("7k/8/8/2pX4/4P3/8/8/4K3", [1, 0]);
            // Unprotected; rank too low; rank too high.
            outpost("7k/8/8/3X4/8/8/8/4K3", [0, 0]);
            outpost("7k/8/8/8/8/3X4/4P3/4K3", [0, 0]);
            outpost("7k/3X4/4P3/8/8/8/8/4K3", [0, 0]);
        }
    }

    #[test]
    fn reachable_outpost_counts_once() {
        expect("4k3/8/8/8/4P3/2N5/8/4K3", &[(REACHABLE_OUTPOST, [1, 0])]);
        // Two such squares count as one.
        expect("4k3/8/8/8/4P3/4N3/8/4K3", &[(REACHABLE_OUTPOST, [1, 0])]);
        // Occupied by an own piece; attackable by a pawn; reachable only by a bishop.
        expect("4k3/8/8/3B4/4P3/2N5/8/4K3", &[(REACHABLE_OUTPOST, [0, 0])]);
        expect("4k3/2p5/8/8/4P3/2N5/8/4K3", &[(REACHABLE_OUTPOST, [0, 0])]);
        expect("4k3/8/8/8/4P3/1B6/8/4K3", &[(REACHABLE_OUTPOST, [0, 0])]);
    }

    #[test]
    fn pawn_of_either_colour_shields_minor_piece() {
        expect("4k3/8/8/8/8/4P3/4N3/4K3", &[(MINOR_BEHIND_PAWN, [1, 0])]);
        expect("4k3/8/8/8/8/4p3/4B3/4K3", &[(MINOR_BEHIND_PAWN, [1, 0])]);
        // Pawn behind; pawn two squares ahead; rook instead of a minor piece.
        expect("4k3/8/8/8/8/4N3/4P3/4K3", &[(MINOR_BEHIND_PAWN, [0, 0])]);
        expect("4k3/8/8/8/4P3/8/4N3/4K3", &[(MINOR_BEHIND_PAWN, [0, 0])]);
        expect("4k3/8/8/8/8/4P3/4R3/4K3", &[(MINOR_BEHIND_PAWN, [0, 0])]);
    }

    #[test]
    fn bad_bishop_counts_pawns_on_its_colour() {
        let bad =
            |fen, all, blocked| expect(fen, &[(BAD_BISHOP, all), (BLOCKED_BAD_BISHOP, blocked)]);
        // c1 and d4 are dark, e4 is light.
        bad("4k3/8/8/8/3PP3/8/8/2B1K3", [1, 0], [0, 0]);
        bad("4k3/8/8/8/3PP3/8/8/2B1KB2", [2, 0], [0, 0]);
        bad("4k3/8/8/3p4/3PP3/8/8/2B1K3", [1, 0], [1, 0]);
        // The blocked pawn is on the other colour.
        bad("4k3/8/8/4p3/3PP3/8/8/2B1K3", [1, 0], [0, 0]);
        bad("4k3/8/8/8/4P3/8/8/2B1K3", [0, 0], [0, 0]);
    }

    #[test]
    fn king_distance_of_minor_pieces_is_summed() {
        let far = |fen, knights, bishops| {
            expect(fen, &[(MINOR_KING_DISTANCE, knights), (MINOR_KING_DISTANCE + 1, bishops)]);
        };
        far("4k3/8/8/8/8/8/8/4K3", [0, 0], [0, 0]);
        far("4k3/8/8/8/8/8/4N3/4K3", [1, 0], [0, 0]);
        // Two knights: a5 and h4 are four and three moves from e1.
        far("4k3/8/8/N7/7N/8/8/4K3", [7, 0], [0, 0]);
        far("4k2b/8/8/8/8/8/8/4K3", [0, 0], [0, 3]);
    }

    #[test]
    fn long_diagonal_sees_both_centre_squares() {
        let diagonal = |fen, both| expect(fen, &[(LONG_DIAGONAL, both)]);
        diagonal("4k3/8/8/8/8/8/1B6/4K3", [1, 0]);
        diagonal("4k3/8/8/8/8/8/6B1/4K3", [1, 0]);
        // Neither a piece nor a pawn on the far centre square blocks the view.
        diagonal("4k3/8/8/8/8/2N5/1B6/4K3", [1, 0]);
        diagonal("4k3/8/8/4p3/8/8/1B6/4K3", [1, 0]);
        // Pawns of either colour do, on a nearer square.
        diagonal("4k3/8/8/8/8/2P5/1B6/4K3", [0, 0]);
        diagonal("4k3/8/8/8/3p4/8/1B6/4K3", [0, 0]);
        // Bishop in the centre itself; on another diagonal.
        diagonal("4k3/8/8/8/3B4/8/8/4K3", [0, 0]);
        diagonal("4k3/8/8/8/8/8/8/2B1K3", [0, 0]);
    }
}
