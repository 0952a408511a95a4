//! Rooks on open files and on the seventh rank. Entry point: `count`.

use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::Context;
use crate::eval::classical::features::{ROOK_HALF_OPEN_FILE, ROOK_OPEN_FILE, ROOK_SEVENTH};
use crate::types::{Bitboard, PieceType, Rank, Side, Square};

/// Counts the terms of a side's rooks.
#[inline]
pub(crate) fn count<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    for rook in context.board.pieces(S::US, PieceType::Rook) {
        file::<S>(context, rook, sink);
        seventh::<S>(context, rook, sink);
    }
}

#[inline]
fn file<S: Side>(context: &Context<'_>, rook: Square, sink: &mut impl FeatureSink) {
    let file = Bitboard::from(rook.file());
    if !file.intersects(context.pawns[S::US.index()]) {
        let open = !file.intersects(context.pawns[S::THEM.index()]);
        sink.add(S::US, if open { ROOK_OPEN_FILE } else { ROOK_HALF_OPEN_FILE }, 1);
    }
}

/// Counts a rook on the seventh rank if there are enemy pawns on it or the enemy king is behind
/// it.
#[inline]
fn seventh<S: Side>(context: &Context<'_>, rook: Square, sink: &mut impl FeatureSink) {
    if rook.relative_to(S::US).rank() != Rank::Seventh {
        return;
    }
    let targets = Bitboard::from(rook.rank()).intersects(context.pawns[S::THEM.index()]);
    let king = context.kings[S::THEM.index()].relative_to(S::US).rank();
    if targets || king == Rank::Eighth {
        sink.add(S::US, ROOK_SEVENTH, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::expect;

    #[test]
    fn rook_files_are_open_half_open_or_closed() {
        let rook = |fen, open, half_open| {
            expect(fen, &[(ROOK_OPEN_FILE, open), (ROOK_HALF_OPEN_FILE, half_open)]);
        };
        rook("4k3/8/8/8/8/8/8/R3K3", [1, 0], [0, 0]);
        rook("4k3/p7/8/8/8/8/8/R3K3", [0, 0], [1, 0]);
        rook("4k3/8/8/8/8/8/P7/R3K3", [0, 0], [0, 0]);
        // A pawn behind the rook closes the file too.
        rook("4k3/8/8/8/R7/8/P7/4K3", [0, 0], [0, 0]);
        rook("r3k3/8/8/8/8/8/8/R3K2R", [2, 1], [0, 0]);
    }

    #[test]
    fn seventh_rank_needs_a_target() {
        let seventh = |fen, both| expect(fen, &[(ROOK_SEVENTH, both)]);
        seventh("4k3/R7/8/8/8/8/8/4K3", [1, 0]);
        seventh("8/R5p1/4k3/8/8/8/8/4K3", [1, 0]);
        seventh("8/R7/4k3/8/8/8/8/4K3", [0, 0]);
        // An own pawn is not a target.
        seventh("8/R5P1/4k3/8/8/8/8/4K3", [0, 0]);
        seventh("4k3/6p1/R7/8/8/8/8/4K3", [0, 0]);
    }
}
