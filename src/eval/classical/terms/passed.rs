//! Passed pawn terms that depend on kings and pieces: king distance, blockade, free path, rule of
//! the square, rooks behind. Entry point: `count`.

use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::Context;
use crate::eval::classical::features::{
    PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FREE_PATH, PASSED_OWN_KING, PASSED_SAFE,
    PASSED_UNSTOPPABLE, ROOK_BEHIND_PASSED,
};
use crate::eval::spans::in_front;
use crate::types::{Bitboard, PieceType, Rank, Side, Square};

/// Counts what helps and hinders a side's passed pawns.
#[inline]
pub(crate) fn count<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    for pawn in context.passed & context.pawns[S::US.index()] {
        let rank = pawn.relative_to(S::US).rank().index();
        let path = in_front(pawn.into(), S::US);
        kings::<S>(context, pawn, rank, sink);
        blockade::<S>(context, pawn, rank, sink);
        way_ahead::<S>(context, path, rank, sink);
        unstoppable::<S>(context, pawn, path, sink);
        rooks_behind::<S>(context, pawn, sink);
    }
}

/// Counts the distances from both kings to the stop square.
#[inline]
fn kings<S: Side>(context: &Context<'_>, pawn: Square, rank: usize, sink: &mut impl FeatureSink) {
    let ahead = pawn.forward(S::US);
    let late = if rank > Rank::Fourth.index() { 8 } else { 0 };
    let [own, enemy] = [S::US, S::THEM].map(|color| context.kings[color.index()].distance(ahead));
    sink.add(S::US, PASSED_OWN_KING + late + own, 1);
    sink.add(S::US, PASSED_ENEMY_KING + late + enemy, 1);
}

#[inline]
fn blockade<S: Side>(
    context: &Context<'_>,
    pawn: Square,
    rank: usize,
    sink: &mut impl FeatureSink,
) {
    let ahead = pawn.forward(S::US);
    if context.occupied.contains(ahead) {
        let by_enemy = context.board.color(S::THEM).contains(ahead);
        sink.add(S::US, PASSED_BLOCKED + 8 * usize::from(by_enemy) + rank, 1);
    }
    if !context.attacked[S::THEM.index()].contains(ahead) {
        sink.add(S::US, PASSED_SAFE + rank, 1);
    }
}

#[inline]
fn way_ahead<S: Side>(
    context: &Context<'_>,
    path: Bitboard,
    rank: usize,
    sink: &mut impl FeatureSink,
) {
    if !path.intersects(context.occupied | context.attacked[S::THEM.index()]) {
        sink.add(S::US, PASSED_FREE_PATH + rank, 1);
    }
}

/// Rule of the square: the path is empty, the enemy has only king and pawns, and the king comes
/// too late to catch the pawn.
#[inline]
fn unstoppable<S: Side>(
    context: &Context<'_>,
    pawn: Square,
    path: Bitboard,
    sink: &mut impl FeatureSink,
) {
    if context.board.has_pieces(S::THEM) || path.intersects(context.occupied) {
        return;
    }
    let promotion = Square::new(pawn.file(), Rank::Eighth.relative_to(S::US));
    // A double step saves a move.
    let steps = (path.len() as usize).min(5);
    let to_move = usize::from(context.board.side_to_move() == S::THEM);
    if context.kings[S::THEM.index()].distance(promotion) > steps + to_move {
        sink.add(S::US, PASSED_UNSTOPPABLE, 1);
    }
}

#[inline]
fn rooks_behind<S: Side>(context: &Context<'_>, pawn: Square, sink: &mut impl FeatureSink) {
    let behind = in_front(pawn.into(), S::THEM);
    for (index, color) in [S::US, S::THEM].into_iter().enumerate() {
        if behind.intersects(context.board.pieces(color, PieceType::Rook)) {
            sink.add(S::US, ROOK_BEHIND_PASSED + index, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::{expect, features};

    #[test]
    fn king_distance_is_to_stop_square() {
        // Ranks 2 to 4, then 5 to 7.
        for (fen, own, enemy) in [
            ("4k3/8/8/8/8/4P3/8/4K3", 3, 4),
            ("4k3/8/8/8/4P3/8/8/4K3", 4, 3),
            ("4k3/8/8/4P3/8/8/8/4K3", 8 + 5, 8 + 2),
            ("8/4k3/7K/4P3/8/8/8/8", 8 + 3, 8 + 1),
        ] {
            expect(fen, &[(PASSED_OWN_KING + own, [1, 0]), (PASSED_ENEMY_KING + enemy, [1, 0])]);
            assert_eq!(features(fen).sum(PASSED_OWN_KING..PASSED_OWN_KING + 16), [1, 0]);
            assert_eq!(features(fen).sum(PASSED_ENEMY_KING..PASSED_ENEMY_KING + 16), [1, 0]);
        }
        let stopped = features("4k3/4p3/8/4P3/8/8/8/4K3");
        assert_eq!(stopped.sum(PASSED_OWN_KING..PASSED_OWN_KING + 16), [0, 0]);
        assert_eq!(stopped.sum(PASSED_ENEMY_KING..PASSED_ENEMY_KING + 16), [0, 0]);
    }

    #[test]
    fn passed_pawn_is_blocked_by_either_side() {
        let (own, enemy) = (PASSED_BLOCKED + 4, PASSED_BLOCKED + 8 + 4);
        expect("4k3/8/4N3/4P3/8/8/8/4K3", &[(own, [1, 0]), (enemy, [0, 0])]);
        expect("4k3/8/4n3/4P3/8/8/8/4K3", &[(own, [0, 0]), (enemy, [1, 0])]);
        expect("4k3/4n3/8/4P3/8/8/8/4K3", &[(own, [0, 0]), (enemy, [0, 0])]);
    }

    #[test]
    fn stop_square_and_whole_path_can_be_safe() {
        let (step, way) = (PASSED_SAFE + 4, PASSED_FREE_PATH + 4);
        expect("k7/8/8/4P3/8/8/8/4K3", &[(step, [1, 0]), (way, [1, 0])]);
        // The king attacks e6.
        expect("8/4k3/8/4P3/8/8/8/4K3", &[(step, [0, 0]), (way, [0, 0])]);
        // A rook attacks e7; a knight blocks it.
        expect("k7/r7/8/4P3/8/8/8/4K3", &[(step, [1, 0]), (way, [0, 0])]);
        expect("k7/4N3/8/4P3/8/8/8/4K3", &[(step, [1, 0]), (way, [0, 0])]);
    }

    #[test]
    fn unstoppable_pawn_follows_rule_of_the_square() {
        let unstoppable = |fen, both| expect(fen, &[(PASSED_UNSTOPPABLE, both)]);
        unstoppable("k7/8/8/4P3/8/8/8/K7 w - -", [1, 0]);
        unstoppable("k7/8/8/4P3/8/8/8/K7 b - -", [0, 0]);
        unstoppable("1k6/8/8/4P3/8/8/8/K7 w - -", [0, 0]);
        // Double step.
        unstoppable("8/8/8/8/8/8/k3P3/6K1 w - -", [1, 0]);
        unstoppable("8/8/8/8/8/k7/4P3/6K1 w - -", [0, 0]);
        // Enemy pawns do not matter; an enemy knight may stop it, and the own king is in its way.
        unstoppable("k7/p7/8/4P3/8/8/8/6K1 w - -", [1, 0]);
        unstoppable("k6n/8/8/4P3/8/8/8/K7 w - -", [0, 0]);
        unstoppable("k3K3/8/8/4P3/8/8/8/8 w - -", [0, 0]);
    }

    #[test]
    fn rooks_behind_passed_pawns_are_counted() {
        let (own, enemy) = (ROOK_BEHIND_PASSED, ROOK_BEHIND_PASSED + 1);
        expect("4k3/8/8/4P3/8/8/4R3/4K3", &[(own, [1, 0]), (enemy, [0, 0])]);
        expect("4k3/8/8/4P3/8/8/4r3/6K1", &[(own, [0, 0]), (enemy, [1, 0])]);
        // Rook in front; pawn not passed.
        expect("6k1/8/4R3/4P3/8/8/8/4K3", &[(own, [0, 0]), (enemy, [0, 0])]);
        expect("6k1/4p3/8/4P3/8/8/4R3/4K3", &[(own, [0, 0]), (enemy, [0, 0])]);
    }
}
