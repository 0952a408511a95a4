//! Where the king stands among the pawns: shelter, storm, open files, castling.

use super::Tally;
use super::context::{Context, flank, in_front, with_neighbours};
use super::layout::{
    BLOCKED_CENTER_PAWN, CASTLING_RIGHTS, DANGER_SHELTER, KING_HALF_OPEN_FILE, KING_OPEN_FILE,
    KING_SHELTER, KING_STORM, PAWNLESS_FLANK, PIECE_SQUARE, UNCASTLED_KING,
};
use crate::types::{Bitboard, Color, File, PieceType, Rank, Side, Square, Wing};

/// Counts what depends on a side's king and the pawns alone.
#[inline]
pub(super) fn count<S: Side>(pawns: [Bitboard; 2], king: Square, tally: &mut impl Tally) {
    let square = king.relative_to(S::US).index();
    tally.add(S::US, PIECE_SQUARE + PieceType::King.index() * 64 + square, 1);
    let all = pawns[0] | pawns[1];
    if !all.meets(flank(king)) {
        tally.add(S::US, PAWNLESS_FLANK, 1);
    }
    let near = with_neighbours(king.file());
    for file in File::ALL {
        let squares = Bitboard::from(file);
        if squares.meets(near) {
            shelter::<S>(pawns, king, file, tally);
            open_file::<S>(pawns, squares, tally);
        }
    }
}

/// The rank, as a colour sees it, of the first of these pawns; 0 for none.
#[inline]
fn lowest_rank(pawns: Bitboard, color: Color) -> usize {
    let relative = if color == Color::White { pawns } else { pawns.flipped() };
    relative.first().map_or(0, |pawn| pawn.rank().index())
}

/// The own pawn that covers the king on a file, and the enemy pawn that comes near on it.
#[inline]
fn shelter<S: Side>(pawns: [Bitboard; 2], king: Square, file: File, tally: &mut impl Tally) {
    // From the king's own rank on.
    let rank = Bitboard::from(king.rank());
    let squares = (rank | in_front(rank, S::US)) & Bitboard::from(file);
    let own = lowest_rank(pawns[S::US.index()] & squares, S::US);
    let enemy = lowest_rank(pawns[S::THEM.index()] & squares, S::US);
    let beside = usize::from(file != king.file());
    let edge = file.index().min(7 - file.index());
    tally.add(S::US, KING_SHELTER + (beside * 4 + edge) * 8 + own, 1);
    tally.danger(S::US, DANGER_SHELTER + own, 1);
    let stopped = usize::from(own > 0 && own + 1 == enemy);
    tally.add(S::US, KING_STORM + stopped * 8 + enemy, 1);
}

#[inline]
fn open_file<S: Side>(pawns: [Bitboard; 2], squares: Bitboard, tally: &mut impl Tally) {
    if !squares.meets(pawns[S::US.index()]) {
        let open = !squares.meets(pawns[S::THEM.index()]);
        tally.add(S::US, if open { KING_OPEN_FILE } else { KING_HALF_OPEN_FILE }, 1);
    }
}

/// Counts castling, and what stands in the way of development.
#[inline]
pub(super) fn castling<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let king = context.kings[S::US.index()];
    let rights = context.board.castling();
    for (index, wing) in [Wing::King, Wing::Queen].into_iter().enumerate() {
        if rights.rook(S::US, king, wing).is_some() {
            tally.add(S::US, CASTLING_RIGHTS + index, 1);
        }
    }
    let in_the_middle = (2..=5).contains(&king.file().index())
        && king.relative_to(S::US).rank().index() <= Rank::Second.index();
    if in_the_middle && rights.rooks_of(S::US).is_empty() {
        tally.add(S::US, UNCASTLED_KING, 1);
    }
    let center = (Bitboard::from(File::D) | Bitboard::from(File::E))
        & Bitboard::from(Rank::Second.relative_to(S::US));
    let blocked = context.pawns[S::US.index()] & center & context.occupied.forward(S::THEM);
    tally.add(S::US, BLOCKED_CENTER_PAWN, blocked.len() as i32);
}
