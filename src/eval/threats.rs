//! Pieces that are attacked by something cheaper, or not defended; squares taken from the enemy.

use super::Tally;
use super::context::Context;
use super::layout::{
    ATTACK_ON_QUEEN, HANGING, KING_ATTACKS, MINOR_ATTACKS, PAWN_ATTACKS_PIECE, PAWN_PUSH_THREAT,
    RESTRICTED, ROOK_ATTACKS,
};
use crate::attacks::{bishop_attacks, knight_attacks, pawn_attacks_of_all, rook_attacks};
use crate::types::{Bitboard, PieceType, Rank, Side};

/// Counts the threats that a side makes.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let board = context.board;
    let by = |kind: PieceType| context.by(S::US, kind);
    let by_minors = by(PieceType::Knight) | by(PieceType::Bishop);
    let victims =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    // A well protected pawn is no target; a piece always is.
    let targets = board.color(S::THEM) - (context.pawns[them] & context.well_protected(S::THEM));
    for (index, kind) in victims.into_iter().enumerate() {
        let pieces = board.pieces(S::THEM, kind) & targets;
        if kind != PieceType::Pawn {
            let attacked = (pieces & by(PieceType::Pawn)).len() as i32;
            tally.add(S::US, PAWN_ATTACKS_PIECE + index - 1, attacked);
        }
        tally.add(S::US, MINOR_ATTACKS + index, (pieces & by_minors).len() as i32);
        tally.add(S::US, ROOK_ATTACKS + index, (pieces & by(PieceType::Rook)).len() as i32);
    }
    let loose = board.color(S::THEM) & context.attacked[us] - context.attacked[them];
    tally.add(S::US, HANGING, loose.len() as i32);
    let weak = board.color(S::THEM) - context.well_protected(S::THEM);
    tally.add(S::US, KING_ATTACKS, i32::from(weak.meets(by(PieceType::King))));
    let contested = context.attacked[them] & context.attacked[us] - context.well_protected(S::THEM);
    tally.add(S::US, RESTRICTED, contested.len() as i32);
    pawn_pushes::<S>(context, tally);
    attacks_on_queen::<S>(context, tally);
}

/// Pawn moves to safe squares that would attack a piece.
#[inline]
fn pawn_pushes<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let empty = !context.occupied;
    let once = context.pawns[us].forward(S::US) & empty;
    let third = Bitboard::from(Rank::Third.relative_to(S::US));
    let pushed = once | (once & third).forward(S::US) & empty;
    let safe = pushed - context.by(S::THEM, PieceType::Pawn)
        & (context.attacked[us] | !context.attacked[them]);
    let pieces = context.board.color(S::THEM) - context.pawns[them];
    let attacks = pawn_attacks_of_all(S::US, safe) & pieces;
    tally.add(S::US, PAWN_PUSH_THREAT, attacks.len() as i32);
}

/// Squares that the enemy does not protect well, from which a minor piece or a rook would attack
/// his queen. A bishop or rook needs support there; a knight may yet be lost to a single piece.
#[inline]
fn attacks_on_queen<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let queens = context.board.pieces(S::THEM, PieceType::Queen);
    let Some(queen) = queens.first().filter(|_| !queens.has_many()) else { return };
    let safe = !context.pawns[S::US.index()] - context.well_protected(S::THEM);
    let lines = bishop_attacks(queen, context.occupied) & context.by(S::US, PieceType::Bishop)
        | rook_attacks(queen, context.occupied) & context.by(S::US, PieceType::Rook);
    let squares = knight_attacks(queen) & context.by(S::US, PieceType::Knight)
        | lines & context.attacked_twice[S::US.index()];
    tally.add(S::US, ATTACK_ON_QUEEN, (squares & safe).len() as i32);
}
