//! Where knights and bishops stand well or badly among the pawns.

use super::Tally;
use super::context::{Context, attack_span};
use super::layout::{
    BAD_BISHOP, BISHOP_OUTPOST, BLOCKED_BAD_BISHOP, KNIGHT_OUTPOST, LONG_DIAGONAL,
    MINOR_BEHIND_PAWN, REACHABLE_OUTPOST,
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
