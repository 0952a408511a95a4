//! Pieces that are attacked by something cheaper, or not defended.

use super::Tally;
use super::context::Context;
use super::layout::{HANGING, MINOR_ATTACKS, PAWN_ATTACKS_PIECE, PAWN_PUSH_THREAT, ROOK_ATTACKS};
use crate::attacks::pawn_attacks_of_all;
use crate::types::{Bitboard, PieceType, Rank, Side};

/// Counts the threats that a side makes.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let board = context.board;
    let by = |kind: PieceType| context.attacked_by[us][kind.index()];
    let by_minors = by(PieceType::Knight) | by(PieceType::Bishop);
    let victims =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    for (index, kind) in victims.into_iter().enumerate() {
        let pieces = board.pieces(S::THEM, kind);
        if kind != PieceType::Pawn {
            let attacked = (pieces & by(PieceType::Pawn)).len() as i32;
            tally.add(S::US, PAWN_ATTACKS_PIECE + index - 1, attacked);
        }
        tally.add(S::US, MINOR_ATTACKS + index, (pieces & by_minors).len() as i32);
        tally.add(S::US, ROOK_ATTACKS + index, (pieces & by(PieceType::Rook)).len() as i32);
    }
    let loose = board.color(S::THEM) & context.attacked[us] - context.attacked[them];
    tally.add(S::US, HANGING, loose.len() as i32);
    pawn_pushes::<S>(context, tally);
}

/// Pawn moves to safe squares that would attack a piece.
#[inline]
fn pawn_pushes<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let empty = !context.occupied;
    let once = context.pawns[us].forward(S::US) & empty;
    let third = Bitboard::from(Rank::Third.relative_to(S::US));
    let pushed = once | (once & third).forward(S::US) & empty;
    let safe = pushed - context.attacked_by[them][PieceType::Pawn.index()]
        & (context.attacked[us] | !context.attacked[them]);
    let pieces = context.board.color(S::THEM) - context.pawns[them];
    let attacks = pawn_attacks_of_all(S::US, safe) & pieces;
    tally.add(S::US, PAWN_PUSH_THREAT, attacks.len() as i32);
}
