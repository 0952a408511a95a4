//! Passed pawns among the pieces: kings, blockade, the way ahead, rooks behind them.

use super::Tally;
use super::context::{Context, distance, in_front};
use super::layout::{
    PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FREE_PATH, PASSED_OWN_KING, PASSED_SAFE,
    PASSED_UNSTOPPABLE, ROOK_BEHIND_PASSED,
};
use crate::types::{Bitboard, PieceType, Rank, Side, Square};

/// Counts what helps and hinders a side's passed pawns.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    for pawn in context.passed & context.pawns[S::US.index()] {
        let rank = pawn.relative_to(S::US).rank().index();
        let path = in_front(pawn.into(), S::US);
        kings::<S>(context, pawn, rank, tally);
        blockade::<S>(context, pawn, rank, tally);
        way_ahead::<S>(context, path, rank, tally);
        unstoppable::<S>(context, pawn, path, tally);
        rooks_behind::<S>(context, pawn, tally);
    }
}

/// How near the kings are to the square in front.
#[inline]
fn kings<S: Side>(context: &Context<'_>, pawn: Square, rank: usize, tally: &mut impl Tally) {
    let ahead = pawn.forward(S::US);
    let late = if rank > Rank::Fourth.index() { 8 } else { 0 };
    let [own, enemy] = [S::US, S::THEM].map(|color| distance(context.kings[color.index()], ahead));
    tally.add(S::US, PASSED_OWN_KING + late + own, 1);
    tally.add(S::US, PASSED_ENEMY_KING + late + enemy, 1);
}

#[inline]
fn blockade<S: Side>(context: &Context<'_>, pawn: Square, rank: usize, tally: &mut impl Tally) {
    let ahead = pawn.forward(S::US);
    if context.occupied.has(ahead) {
        let by_enemy = context.board.color(S::THEM).has(ahead);
        tally.add(S::US, PASSED_BLOCKED + 8 * usize::from(by_enemy) + rank, 1);
    }
    if !context.attacked[S::THEM.index()].has(ahead) {
        tally.add(S::US, PASSED_SAFE + rank, 1);
    }
}

#[inline]
fn way_ahead<S: Side>(context: &Context<'_>, path: Bitboard, rank: usize, tally: &mut impl Tally) {
    if !path.meets(context.occupied | context.attacked[S::THEM.index()]) {
        tally.add(S::US, PASSED_FREE_PATH + rank, 1);
    }
}

/// The rule of the square: the enemy has only king and pawns, and his king comes too late.
#[inline]
fn unstoppable<S: Side>(
    context: &Context<'_>,
    pawn: Square,
    path: Bitboard,
    tally: &mut impl Tally,
) {
    if context.board.has_pieces(S::THEM) || path.meets(context.occupied) {
        return;
    }
    let promotion = Square::new(pawn.file(), Rank::Eighth.relative_to(S::US));
    // The double step saves a move.
    let steps = (path.len() as usize).min(5);
    let to_move = usize::from(context.board.side_to_move() == S::THEM);
    if distance(context.kings[S::THEM.index()], promotion) > steps + to_move {
        tally.add(S::US, PASSED_UNSTOPPABLE, 1);
    }
}

#[inline]
fn rooks_behind<S: Side>(context: &Context<'_>, pawn: Square, tally: &mut impl Tally) {
    let behind = in_front(pawn.into(), S::THEM);
    for (index, color) in [S::US, S::THEM].into_iter().enumerate() {
        if behind.meets(context.board.pieces(color, PieceType::Rook)) {
            tally.add(S::US, ROOK_BEHIND_PASSED + index, 1);
        }
    }
}
