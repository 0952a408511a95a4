//! Material, piece-square tables and mobility of the pieces; the attack maps on the way.

use super::Tally;
use super::context::Context;
use super::layout::{
    BISHOP_MOBILITY, BISHOP_PAIR, KNIGHT_BY_PAWNS, KNIGHT_MOBILITY, MATERIAL, PIECE_SQUARE,
    QUEEN_MOBILITY, ROOK_BY_PAWNS, ROOK_MOBILITY,
};
use crate::attacks::{bishop_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::types::{Bitboard, PieceType, Side, Square};

/// Counts a side's pieces, and fills in the attack maps on the way.
#[inline]
pub(super) fn count<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    let board = context.board;
    let area = mobility_area::<S>(context);
    for square in board.pieces(S::US, PieceType::Knight) {
        let attacks = knight_attacks(square);
        piece::<S>(context, PieceType::Knight, square, attacks, tally);
        tally.add(S::US, KNIGHT_MOBILITY + (attacks & area).len() as usize, 1);
    }
    // Queens in front of a bishop do not hide it, nor do queens and rooks before a rook.
    let occupied = context.occupied ^ board.pieces(S::US, PieceType::Queen);
    for square in board.pieces(S::US, PieceType::Bishop) {
        let attacks = bishop_attacks(square, occupied);
        piece::<S>(context, PieceType::Bishop, square, attacks, tally);
        tally.add(S::US, BISHOP_MOBILITY + (attacks & area).len() as usize, 1);
    }
    let occupied = occupied ^ board.pieces(S::US, PieceType::Rook);
    for square in board.pieces(S::US, PieceType::Rook) {
        let attacks = rook_attacks(square, occupied);
        piece::<S>(context, PieceType::Rook, square, attacks, tally);
        tally.add(S::US, ROOK_MOBILITY + (attacks & area).len() as usize, 1);
    }
    for square in board.pieces(S::US, PieceType::Queen) {
        let attacks = queen_attacks(square, context.occupied);
        piece::<S>(context, PieceType::Queen, square, attacks, tally);
        tally.add(S::US, QUEEN_MOBILITY + (attacks & area).len() as usize, 1);
    }
    combinations::<S>(context, tally);
}

/// Squares that count for mobility: not taken by own pawns or the king, not attacked by pawns.
#[inline]
fn mobility_area<S: Side>(context: &Context<'_>) -> Bitboard {
    let us = S::US.index();
    !(context.pawns[us] | Bitboard::from(context.kings[us]) | context.by(S::THEM, PieceType::Pawn))
}

/// What every piece has: a value, a square, and attacks.
#[inline]
fn piece<S: Side>(
    context: &mut Context<'_>,
    kind: PieceType,
    square: Square,
    attacks: Bitboard,
    tally: &mut impl Tally,
) {
    tally.add(S::US, MATERIAL + kind.index(), 1);
    tally.add(S::US, PIECE_SQUARE + kind.index() * 64 + square.relative_to(S::US).index(), 1);
    let in_zone = (attacks & context.king_zone[S::THEM.index()]).len() as i32;
    context.zone_attacks[S::US.index()] += in_zone;
    context.zone_attackers[S::US.index()][kind.index()] += i32::from(in_zone > 0);
    context.note_attacks(S::US, kind, attacks);
}

/// Pieces that are worth more or less together with others.
#[inline]
fn combinations<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let count = |kind| context.board.pieces(S::US, kind).len() as i32;
    if count(PieceType::Bishop) > 1 {
        tally.add(S::US, BISHOP_PAIR, 1);
    }
    // Knights like closed positions, rooks open ones (Kaufman, "The evaluation of material
    // imbalances", 1999).
    let pawns = count(PieceType::Pawn) - 5;
    tally.add(S::US, KNIGHT_BY_PAWNS, pawns * count(PieceType::Knight));
    tally.add(S::US, ROOK_BY_PAWNS, pawns * count(PieceType::Rook));
}
