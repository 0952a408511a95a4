//! Where knights and bishops stand well or badly among the pawns.

use super::Tally;
use super::context::{Context, attack_span, distance};
use super::layout::{
    BAD_BISHOP, BISHOP_OUTPOST, BLOCKED_BAD_BISHOP, KNIGHT_OUTPOST, LONG_DIAGONAL,
    MINOR_BEHIND_PAWN, MINOR_KING_DISTANCE, REACHABLE_OUTPOST,
};
use crate::attacks::bishop_attacks;
use crate::types::{Bitboard, PieceType, Rank, Side};

/// Counts the minor pieces of a side.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let knights = context.board.pieces(S::US, PieceType::Knight);
    let bishops = context.board.pieces(S::US, PieceType::Bishop);
    let outposts = outposts::<S>(context);
    tally.add(S::US, KNIGHT_OUTPOST, (knights & outposts).len() as i32);
    tally.add(S::US, BISHOP_OUTPOST, (bishops & outposts).len() as i32);
    let reachable = context.by(S::US, PieceType::Knight) & outposts - context.board.color(S::US);
    tally.add(S::US, REACHABLE_OUTPOST, i32::from(reachable.any()));
    behind_pawns::<S>(context, knights | bishops, tally);
    bad_bishops::<S>(context, bishops, tally);
    long_diagonals::<S>(context, bishops, tally);
    for (index, pieces) in [knights, bishops].into_iter().enumerate() {
        let from_king = |square| distance(square, context.kings[S::US.index()]) as i32;
        tally.add(S::US, MINOR_KING_DISTANCE + index, pieces.into_iter().map(from_king).sum());
    }
}

/// Protected by a pawn on ranks 4 to 6, where no enemy pawn can ever attack it.
#[inline]
fn outposts<S: Side>(context: &Context<'_>) -> Bitboard {
    let ranks = [Rank::Fourth, Rank::Fifth, Rank::Sixth]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, rank| set | rank.relative_to(S::US).into());
    let protected = context.by(S::US, PieceType::Pawn);
    (ranks & protected) - attack_span(context.pawns[S::THEM.index()], S::THEM)
}

/// A pawn of either colour right in front is a shield.
#[inline]
fn behind_pawns<S: Side>(context: &Context<'_>, minors: Bitboard, tally: &mut impl Tally) {
    let pawns = context.pawns[0] | context.pawns[1];
    tally.add(S::US, MINOR_BEHIND_PAWN, (minors & pawns.forward(S::THEM)).len() as i32);
}

/// Own pawns on the bishop's colour are in its way, most of all those that cannot move.
#[inline]
fn bad_bishops<S: Side>(context: &Context<'_>, bishops: Bitboard, tally: &mut impl Tally) {
    let pawns = context.pawns[S::US.index()];
    let blocked = pawns & context.occupied.forward(S::THEM);
    for bishop in bishops {
        let same_color = if Bitboard::DARK.has(bishop) { Bitboard::DARK } else { !Bitboard::DARK };
        tally.add(S::US, BAD_BISHOP, (pawns & same_color).len() as i32);
        tally.add(S::US, BLOCKED_BAD_BISHOP, (blocked & same_color).len() as i32);
    }
}

/// d4, e4, d5, e5.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// a1 to h8, and h1 to a8.
const DIAGONALS: Bitboard = Bitboard(0x8040_2010_0804_0201 | 0x0102_0408_1020_4080);

/// A bishop on a long diagonal that no pawn shuts out of the centre.
#[inline]
fn long_diagonals<S: Side>(context: &Context<'_>, bishops: Bitboard, tally: &mut impl Tally) {
    let pawns = context.pawns[0] | context.pawns[1];
    for bishop in bishops & DIAGONALS - CENTER {
        if (bishop_attacks(bishop, pawns) & CENTER).has_many() {
            tally.add(S::US, LONG_DIAGONAL, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::*;

    #[test]
    fn an_outpost_is_protected_and_out_of_reach() {
        for (piece, feature, other) in
            [("N", KNIGHT_OUTPOST, BISHOP_OUTPOST), ("B", BISHOP_OUTPOST, KNIGHT_OUTPOST)]
        {
            let outpost = |fen: &str, both| {
                expect(&fen.replace('X', piece), &[(feature, both), (other, [0, 0])]);
            };
            outpost("7k/8/8/3X4/4P3/8/8/4K3", [1, 0]);
            // The c-pawn has not come past it yet; now it has.
            outpost("7k/2p5/8/3X4/4P3/8/8/4K3", [0, 0]);
            outpost("7k/8/8/2pX4/4P3/8/8/4K3", [1, 0]);
            // No pawn protects it; too near; too far.
            outpost("7k/8/8/3X4/8/8/8/4K3", [0, 0]);
            outpost("7k/8/8/8/8/3X4/4P3/4K3", [0, 0]);
            outpost("7k/3X4/4P3/8/8/8/8/4K3", [0, 0]);
        }
    }

    #[test]
    fn a_knight_can_reach_an_outpost() {
        expect("4k3/8/8/8/4P3/2N5/8/4K3", &[(REACHABLE_OUTPOST, [1, 0])]);
        // Two such squares count as one.
        expect("4k3/8/8/8/4P3/4N3/8/4K3", &[(REACHABLE_OUTPOST, [1, 0])]);
        // Taken by an own piece; in reach of a pawn; only for a bishop.
        expect("4k3/8/8/3B4/4P3/2N5/8/4K3", &[(REACHABLE_OUTPOST, [0, 0])]);
        expect("4k3/2p5/8/8/4P3/2N5/8/4K3", &[(REACHABLE_OUTPOST, [0, 0])]);
        expect("4k3/8/8/8/4P3/1B6/8/4K3", &[(REACHABLE_OUTPOST, [0, 0])]);
    }

    #[test]
    fn a_pawn_of_either_colour_is_a_shield() {
        expect("4k3/8/8/8/8/4P3/4N3/4K3", &[(MINOR_BEHIND_PAWN, [1, 0])]);
        expect("4k3/8/8/8/8/4p3/4B3/4K3", &[(MINOR_BEHIND_PAWN, [1, 0])]);
        // The pawn is behind it; a step away; the piece is a rook.
        expect("4k3/8/8/8/8/4N3/4P3/4K3", &[(MINOR_BEHIND_PAWN, [0, 0])]);
        expect("4k3/8/8/8/4P3/8/4N3/4K3", &[(MINOR_BEHIND_PAWN, [0, 0])]);
        expect("4k3/8/8/8/8/4P3/4R3/4K3", &[(MINOR_BEHIND_PAWN, [0, 0])]);
    }

    #[test]
    fn a_bishop_is_bad_by_pawns_on_its_colour() {
        let bad =
            |fen, all, blocked| expect(fen, &[(BAD_BISHOP, all), (BLOCKED_BAD_BISHOP, blocked)]);
        // c1 and d4 are dark, e4 is light.
        bad("4k3/8/8/8/3PP3/8/8/2B1K3", [1, 0], [0, 0]);
        bad("4k3/8/8/8/3PP3/8/8/2B1KB2", [2, 0], [0, 0]);
        bad("4k3/8/8/3p4/3PP3/8/8/2B1K3", [1, 0], [1, 0]);
        // The pawn that cannot move is on the other colour.
        bad("4k3/8/8/4p3/3PP3/8/8/2B1K3", [1, 0], [0, 0]);
        bad("4k3/8/8/8/4P3/8/8/2B1K3", [0, 0], [0, 0]);
    }

    #[test]
    fn minor_pieces_are_near_their_king_or_far() {
        let far = |fen, knights, bishops| {
            expect(fen, &[(MINOR_KING_DISTANCE, knights), (MINOR_KING_DISTANCE + 1, bishops)]);
        };
        far("4k3/8/8/8/8/8/8/4K3", [0, 0], [0, 0]);
        far("4k3/8/8/8/8/8/4N3/4K3", [1, 0], [0, 0]);
        // Two of them: a5 and h4 are four and three away.
        far("4k3/8/8/N7/7N/8/8/4K3", [7, 0], [0, 0]);
        far("4k2b/8/8/8/8/8/8/4K3", [0, 0], [0, 3]);
    }

    #[test]
    fn a_bishop_sees_the_centre_from_a_long_diagonal() {
        let diagonal = |fen, both| expect(fen, &[(LONG_DIAGONAL, both)]);
        diagonal("4k3/8/8/8/8/8/1B6/4K3", [1, 0]);
        diagonal("4k3/8/8/8/8/8/6B1/4K3", [1, 0]);
        // A piece does not shut it out, nor does a pawn at the far end of the centre.
        diagonal("4k3/8/8/8/8/2N5/1B6/4K3", [1, 0]);
        diagonal("4k3/8/8/4p3/8/8/1B6/4K3", [1, 0]);
        // Pawns of either colour do.
        diagonal("4k3/8/8/8/8/2P5/1B6/4K3", [0, 0]);
        diagonal("4k3/8/8/8/3p4/8/1B6/4K3", [0, 0]);
        // In the centre itself; on another diagonal.
        diagonal("4k3/8/8/8/3B4/8/8/4K3", [0, 0]);
        diagonal("4k3/8/8/8/8/8/8/2B1K3", [0, 0]);
    }
}
