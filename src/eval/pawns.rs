//! Pawn structure and passed pawns.

use super::Tally;
use super::context::{Context, attack_span, in_front, with_neighbours};
use super::layout::{
    BACKWARD_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_OWN_KING,
    PASSED_PAWN, PASSED_SAFE, PHALANX, PROTECTED_PAWN,
};
use crate::types::{Bitboard, PieceType, Side, Square};

/// Counts a side's pawns.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let (own, enemy) = (context.pawns[us], context.pawns[them]);
    let protected = context.attacked_by[us][PieceType::Pawn.index()];

    let behind_own = in_front(own, S::THEM);
    tally.add(S::US, DOUBLED_PAWN, (own & behind_own).len() as i32);

    let neighbours = (own.left() | own.right()).0;
    let phalanx = own & Bitboard(neighbours);
    for pawn in phalanx {
        tally.add(S::US, PHALANX + pawn.relative_to(S::US).rank().index(), 1);
    }
    for pawn in own & protected {
        tally.add(S::US, PROTECTED_PAWN + pawn.relative_to(S::US).rank().index(), 1);
    }
    // Backward: no own pawn can ever protect it, and an enemy pawn guards the square in front.
    let supported = attack_span(own, S::US) | own.left() | own.right();
    let guarded = context.attacked_by[them][PieceType::Pawn.index()];
    let stopped = guarded.forward(S::THEM);
    tally.add(S::US, BACKWARD_PAWN, ((own & stopped) - supported).len() as i32);
    for pawn in own {
        if !(own - Bitboard::from(pawn.file())).meets(with_neighbours(pawn.file())) {
            tally.add(S::US, ISOLATED_PAWN, 1);
        }
    }

    // Passed: no enemy pawn in front on its file or the files beside it, and it is the first.
    let stoppers = in_front(enemy, S::THEM);
    let held = stoppers | stoppers.left() | stoppers.right();
    for pawn in own - held - behind_own {
        passed::<S>(context, pawn, tally);
    }
}

#[inline]
fn passed<S: Side>(context: &Context<'_>, pawn: Square, tally: &mut impl Tally) {
    let rank = pawn.relative_to(S::US).rank().index();
    let ahead = pawn.forward(S::US);
    tally.add(S::US, PASSED_PAWN + rank, 1);
    let own_king = context.kings[S::US.index()];
    let enemy_king = context.kings[S::THEM.index()];
    tally.add(S::US, PASSED_OWN_KING + distance(own_king, ahead), 1);
    tally.add(S::US, PASSED_ENEMY_KING + distance(enemy_king, ahead), 1);
    if context.occupied.has(ahead) {
        tally.add(S::US, PASSED_BLOCKED + rank, 1);
    }
    if !context.attacked[S::THEM.index()].has(ahead) {
        tally.add(S::US, PASSED_SAFE + rank, 1);
    }
}

/// Number of king's moves from one square to another.
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}
