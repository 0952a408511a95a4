//! Material, piece-square tables, mobility, and where knights, bishops and rooks stand well.

use super::Tally;
use super::context::{Context, attack_span};
use super::layout::{
    BAD_BISHOP, BISHOP_MOBILITY, BISHOP_OUTPOST, BISHOP_PAIR, KNIGHT_MOBILITY, KNIGHT_OUTPOST,
    MATERIAL, PIECE_SQUARE, QUEEN_MOBILITY, ROOK_HALF_OPEN_FILE, ROOK_MOBILITY, ROOK_OPEN_FILE,
};
use crate::attacks::{bishop_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::types::{Bitboard, PieceType, Rank, Side, Square};

/// Counts a side's pieces, and fills in the attack maps on the way.
#[inline]
pub(super) fn count<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    let (us, board) = (S::US, context.board);
    for kind in PieceType::ALL {
        for square in board.pieces(us, kind) {
            tally.add(us, PIECE_SQUARE + kind.index() * 64 + square.relative_to(us).index(), 1);
            if kind != PieceType::King {
                tally.add(us, MATERIAL + kind.index(), 1);
            }
        }
    }
    if board.pieces(us, PieceType::Bishop).has_many() {
        tally.add(us, BISHOP_PAIR, 1);
    }
    knights::<S>(context, tally);
    bishops::<S>(context, tally);
    rooks::<S>(context, tally);
    queens::<S>(context, tally);
}

/// Squares that count for mobility: not taken by own pawns or the king, not attacked by pawns.
#[inline]
fn mobility_area<S: Side>(context: &Context<'_>) -> Bitboard {
    let (us, them) = (S::US.index(), S::THEM.index());
    !(context.pawns[us]
        | Bitboard::from(context.kings[us])
        | context.attacked_by[them][PieceType::Pawn.index()])
}

/// Notes a piece's attacks and returns the number of squares it can use.
#[inline]
fn mobility<S: Side>(context: &mut Context<'_>, kind: PieceType, attacks: Bitboard) -> usize {
    let zone = context.king_zone[S::THEM.index()];
    context.zone_attacks[S::US.index()] += (attacks & zone).len() as i32;
    context.note_attacks(S::US, kind, attacks);
    (attacks & mobility_area::<S>(context)).len() as usize
}

/// Protected by a pawn on ranks 4 to 6, where no enemy pawn can ever attack it.
#[inline]
fn outposts<S: Side>(context: &Context<'_>) -> Bitboard {
    let ranks = [Rank::Fourth, Rank::Fifth, Rank::Sixth]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, rank| set | rank.relative_to(S::US).into());
    let protected = context.attacked_by[S::US.index()][PieceType::Pawn.index()];
    (ranks & protected) - attack_span(context.pawns[S::THEM.index()], S::THEM)
}

#[inline]
fn knights<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    let knights = context.board.pieces(S::US, PieceType::Knight);
    for square in knights {
        let squares = mobility::<S>(context, PieceType::Knight, knight_attacks(square));
        tally.add(S::US, KNIGHT_MOBILITY + squares, 1);
    }
    tally.add(S::US, KNIGHT_OUTPOST, (knights & outposts::<S>(context)).len() as i32);
}

#[inline]
fn bishops<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    let bishops = context.board.pieces(S::US, PieceType::Bishop);
    // Queens in front of a bishop do not hide it.
    let occupied = context.occupied ^ context.board.pieces(S::US, PieceType::Queen);
    for square in bishops {
        let squares = mobility::<S>(context, PieceType::Bishop, bishop_attacks(square, occupied));
        tally.add(S::US, BISHOP_MOBILITY + squares, 1);
        let same_color = if Bitboard::DARK.has(square) { Bitboard::DARK } else { !Bitboard::DARK };
        tally.add(S::US, BAD_BISHOP, (context.pawns[S::US.index()] & same_color).len() as i32);
    }
    tally.add(S::US, BISHOP_OUTPOST, (bishops & outposts::<S>(context)).len() as i32);
}

#[inline]
fn rooks<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    // Rooks and queens on one file work together.
    let occupied = context.occupied
        ^ context.board.pieces(S::US, PieceType::Queen)
        ^ context.board.pieces(S::US, PieceType::Rook);
    for square in context.board.pieces(S::US, PieceType::Rook) {
        let squares = mobility::<S>(context, PieceType::Rook, rook_attacks(square, occupied));
        tally.add(S::US, ROOK_MOBILITY + squares, 1);
        rook_file::<S>(context, square, tally);
    }
}

#[inline]
fn rook_file<S: Side>(context: &Context<'_>, square: Square, tally: &mut impl Tally) {
    let file = Bitboard::from(square.file());
    if !file.meets(context.pawns[S::US.index()]) {
        let open = !file.meets(context.pawns[S::THEM.index()]);
        tally.add(S::US, if open { ROOK_OPEN_FILE } else { ROOK_HALF_OPEN_FILE }, 1);
    }
}

#[inline]
fn queens<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    for square in context.board.pieces(S::US, PieceType::Queen) {
        let attacks = queen_attacks(square, context.occupied);
        let squares = mobility::<S>(context, PieceType::Queen, attacks);
        tally.add(S::US, QUEEN_MOBILITY + squares.min(27), 1);
    }
}
