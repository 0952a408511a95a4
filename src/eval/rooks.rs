//! Rooks: open files and the seventh rank.

use super::Tally;
use super::context::Context;
use super::layout::{ROOK_HALF_OPEN_FILE, ROOK_OPEN_FILE, ROOK_SEVENTH};
use crate::types::{Bitboard, PieceType, Rank, Side, Square};

/// Counts the rooks of a side.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    for rook in context.board.pieces(S::US, PieceType::Rook) {
        file::<S>(context, rook, tally);
        seventh::<S>(context, rook, tally);
    }
}

#[inline]
fn file<S: Side>(context: &Context<'_>, rook: Square, tally: &mut impl Tally) {
    let file = Bitboard::from(rook.file());
    if !file.meets(context.pawns[S::US.index()]) {
        let open = !file.meets(context.pawns[S::THEM.index()]);
        tally.add(S::US, if open { ROOK_OPEN_FILE } else { ROOK_HALF_OPEN_FILE }, 1);
    }
}

/// The seventh rank is worth something while there are pawns on it or the king is behind it.
#[inline]
fn seventh<S: Side>(context: &Context<'_>, rook: Square, tally: &mut impl Tally) {
    if rook.relative_to(S::US).rank() != Rank::Seventh {
        return;
    }
    let targets = Bitboard::from(rook.rank()).meets(context.pawns[S::THEM.index()]);
    let king = context.kings[S::THEM.index()].relative_to(S::US).rank();
    if targets || king == Rank::Eighth {
        tally.add(S::US, ROOK_SEVENTH, 1);
    }
}
