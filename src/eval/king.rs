//! The king's safety: pawns in front of it, open files, attacks around it, safe checks.

use super::Tally;
use super::context::{Context, with_neighbours};
use super::layout::{
    KING_DANGER, KING_HALF_OPEN_FILE, KING_OPEN_FILE, SAFE_CHECK, SHIELD_FAR, SHIELD_NEAR,
};
use crate::attacks::{bishop_attacks, knight_attacks, rook_attacks};
use crate::types::{Bitboard, File, PieceType, Side};

/// Attacks beyond this number count no more.
const MOST_ATTACKS: i32 = 19;

/// Counts the safety of a side's king.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    shield::<S>(context, tally);
    let attacks = context.zone_attacks[S::THEM.index()].min(MOST_ATTACKS);
    tally.add(S::US, KING_DANGER + attacks as usize, 1);
    safe_checks::<S>(context, tally);
}

#[inline]
fn shield<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let king = context.kings[S::US.index()];
    let (own, enemy) = (context.pawns[S::US.index()], context.pawns[S::THEM.index()]);
    let here = Bitboard::from(king);
    let near = (here | here.left() | here.right()).forward(S::US);
    tally.add(S::US, SHIELD_NEAR, (near & own).len() as i32);
    tally.add(S::US, SHIELD_FAR, (near.forward(S::US) & own).len() as i32);
    for file in File::ALL {
        let squares = Bitboard::from(file);
        if squares.meets(with_neighbours(king.file())) && !squares.meets(own) {
            let open = !squares.meets(enemy);
            tally.add(S::US, if open { KING_OPEN_FILE } else { KING_HALF_OPEN_FILE }, 1);
        }
    }
}

/// Squares from which an enemy piece could give check without being taken at once.
#[inline]
fn safe_checks<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let king = context.kings[us];
    let weak = !context.attacked[us]
        | (context.attacked_twice[them] - context.attacked_twice[us])
            & context.attacked_by[us][PieceType::King.index()];
    let safe = weak - context.board.color(S::THEM);
    let diagonal = bishop_attacks(king, context.occupied);
    let orthogonal = rook_attacks(king, context.occupied);
    for (index, kind, checks) in [
        (0, PieceType::Knight, knight_attacks(king)),
        (1, PieceType::Bishop, diagonal),
        (2, PieceType::Rook, orthogonal),
        (3, PieceType::Queen, diagonal | orthogonal),
    ] {
        if checks.meets(context.attacked_by[them][kind.index()] & safe) {
            tally.add(S::US, SAFE_CHECK + index, 1);
        }
    }
}
