//! King safety: danger units against a king, added up and then squared, because two attackers are
//! more than twice as dangerous as one (the idea of the "attack units" of Glaurung and Toga).
//! Entry point: `count`.

use crate::attacks::{
    between, bishop_attacks, bishop_rays, knight_attacks, rook_attacks, rook_rays,
};
use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::{Context, flank};
use crate::eval::classical::features::{
    DANGER_ATTACK, DANGER_ATTACKER, DANGER_BASE, DANGER_DEFENDER, DANGER_FLANK, DANGER_NO_QUEEN,
    DANGER_PINNED, DANGER_SAFE_CHECK, DANGER_UNSAFE_CHECK, DANGER_WEAK,
};
use crate::eval::classical::tapered::Tapered;
use crate::eval::spans::in_front;
use crate::types::{Bitboard, PieceType, Rank, Side};

/// Divisor of the squared danger units in the middle game.
pub(crate) const SQUARE_DIVISOR: i32 = 512;
/// Divisor of the danger units in the endgame, where they count linearly.
pub(crate) const ENDGAME_DIVISOR: i32 = 16;
/// Cap on danger units, which bounds the square; anything above is mate anyway.
const MOST: i32 = 1_500;

/// Returns the penalty for `danger`: quadratic in the middle game, linear in the endgame.
#[inline]
pub(crate) fn cost(danger: Tapered) -> Tapered {
    let units = danger.middle_game().clamp(0, MOST);
    let endgame = danger.endgame().clamp(0, MOST);
    Tapered::new(units * units / SQUARE_DIVISOR, endgame / ENDGAME_DIVISOR)
}

/// Counts the danger to the king of `S::US`.
#[inline]
pub(crate) fn count<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let board = context.board;
    sink.danger(S::US, DANGER_BASE, 1);
    let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    for (index, kind) in kinds.into_iter().enumerate() {
        let attackers = context.zone_attackers[them][kind.index()];
        sink.danger(S::US, DANGER_ATTACKER + index, attackers);
    }
    sink.danger(S::US, DANGER_ATTACK, context.zone_attacks[them]);
    if board.pieces(S::THEM, PieceType::Queen).is_empty() {
        sink.danger(S::US, DANGER_NO_QUEEN, 1);
    }
    let minors = board.pieces(S::US, PieceType::Knight) | board.pieces(S::US, PieceType::Bishop);
    sink.danger(S::US, DANGER_DEFENDER, (minors & context.king_zone[us]).len() as i32);

    // Weak squares: attacked by them, and undefended or defended once, by king or queen.
    let alone = context.by(S::US, PieceType::King) | context.by(S::US, PieceType::Queen);
    let weak =
        context.attacked[them] & (alone | !context.attacked[us]) - context.attacked_twice[us];
    sink.danger(S::US, DANGER_WEAK, (weak & context.king_zone[us]).len() as i32);
    checks::<S>(context, weak, sink);
    flank_attacks::<S>(context, sink);
    pinned::<S>(context, sink);
}

/// Counts the squares from which an enemy piece can give check. A check is safe on a square that
/// is undefended, or weak and attacked twice by the enemy.
#[inline]
fn checks<S: Side>(context: &Context<'_>, weak: Bitboard, sink: &mut impl FeatureSink) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let king = context.kings[us];
    let safe = !context.attacked[us] | weak & context.attacked_twice[them];
    let free = !context.board.color(S::THEM);
    // X-ray through our queen: using it to block a check would expose it.
    let occupied = context.occupied ^ context.board.pieces(S::US, PieceType::Queen);
    let diagonal = bishop_attacks(king, occupied);
    let orthogonal = rook_attacks(king, occupied);
    let mut unsafe_checks = Bitboard::EMPTY;
    for (index, kind, lines) in [
        (0, PieceType::Knight, knight_attacks(king)),
        (1, PieceType::Bishop, diagonal),
        (2, PieceType::Rook, orthogonal),
        (3, PieceType::Queen, diagonal | orthogonal),
    ] {
        let checks = lines & context.attacked_by[them][kind.index()] & free;
        let number = (checks & safe).len() as i32;
        // Two safe squares are as good as more.
        sink.danger(S::US, DANGER_SAFE_CHECK + index, number.min(2));
        if kind != PieceType::Queen {
            unsafe_checks |= checks - safe;
        }
    }
    sink.danger(S::US, DANGER_UNSAFE_CHECK, unsafe_checks.len() as i32);
}

/// Counts enemy attacks on the king's flank, up to our fifth rank. Squares attacked twice count
/// twice.
#[inline]
fn flank_attacks<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let camp = in_front(Bitboard::from(Rank::Sixth.relative_to(S::US)), S::THEM);
    let wing = flank(context.kings[us]) & camp;
    let attacks =
        (context.attacked[them] & wing).len() + (context.attacked_twice[them] & wing).len();
    sink.danger(S::US, DANGER_FLANK, attacks as i32);
}

/// Counts our men pinned to the king: each stands alone between it and an enemy slider.
#[inline]
fn pinned<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let (board, king) = (context.board, context.kings[S::US.index()]);
    let queens = board.pieces(S::THEM, PieceType::Queen);
    let snipers = rook_rays(king) & (board.pieces(S::THEM, PieceType::Rook) | queens)
        | bishop_rays(king) & (board.pieces(S::THEM, PieceType::Bishop) | queens);
    let mut number = 0;
    for sniper in snipers {
        let shields = between(king, sniper) & context.occupied;
        number += i32::from(!shields.has_many() && shields.intersects(board.color(S::US)));
    }
    sink.danger(S::US, DANGER_PINNED, number);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::expect;

    #[test]
    fn cost_is_quadratic_in_middle_game_and_linear_in_endgame() {
        let cost = |units| cost(Tapered::new(units, units));
        assert_eq!(cost(0), Tapered::ZERO);
        assert_eq!(cost(-100), Tapered::ZERO);
        let (one, two) = (cost(SQUARE_DIVISOR), cost(2 * SQUARE_DIVISOR));
        assert_eq!(two.middle_game(), 4 * one.middle_game());
        assert_eq!(two.endgame(), 2 * one.endgame());
        assert_eq!(cost(MOST + 1), cost(MOST));
    }

    #[test]
    fn base_danger_and_missing_queen_are_counted() {
        expect("4k3/8/8/8/8/8/8/4K3", &[(DANGER_BASE, [1, 1]), (DANGER_NO_QUEEN, [1, 1])]);
        expect("4k3/8/8/8/8/8/8/3QK3", &[(DANGER_BASE, [1, 1]), (DANGER_NO_QUEEN, [1, 0])]);
    }

    #[test]
    fn king_zone_attacks_are_counted_by_piece_type() {
        // The zone of g1 is f1 to h3.
        let attackers = |fen, kind: usize, attacks| {
            for index in 0..4 {
                let number = i32::from(index == kind && attacks > 0);
                expect(fen, &[(DANGER_ATTACKER + index, [number, 0])]);
            }
            expect(fen, &[(DANGER_ATTACK, [attacks, 0])]);
        };
        attackers("4k3/8/8/8/4n3/8/8/6K1", 0, 2); // f2, g3
        attackers("n3k3/8/8/8/8/8/8/6K1", 0, 0);
        attackers("4k3/1b6/8/8/8/8/8/6K1", 1, 3); // f3, g2, h1
        attackers("b3k3/8/8/8/4P3/8/8/6K1", 1, 0);
        attackers("4k3/8/8/8/8/8/r7/6K1", 2, 3); // f2, g2, h2
        attackers("4k3/8/8/8/r7/8/8/6K1", 2, 0);
        attackers("4kq2/8/8/8/8/8/8/6K1", 3, 3); // f3, f2, f1
        attackers("3qk3/8/8/8/8/8/8/6K1", 3, 0);
        // Two rooks.
        expect("4k3/8/8/8/8/r7/r7/6K1", &[(DANGER_ATTACKER + 2, [2, 0]), (DANGER_ATTACK, [6, 0])]);
    }

    #[test]
    fn weak_squares_are_defended_by_king_or_queen_at_most() {
        expect("4k3/8/8/8/8/8/8/6K1", &[(DANGER_WEAK, [0, 0])]);
        expect("4k3/8/8/8/8/8/r7/6K1", &[(DANGER_WEAK, [3, 0])]); // f2, g2, h2
        // The knight defends f2, and attacks d6 and f6.
        expect("4k3/8/8/8/4N3/8/r7/6K1", &[(DANGER_WEAK, [2, 2])]);
        // The pawn defends f3 and h3. The queen's defence of g3 does not help.
        expect("4k3/8/8/8/8/r7/6P1/6K1", &[(DANGER_WEAK, [1, 0])]);
        expect("4k3/6Q1/8/8/8/r7/8/6K1", &[(DANGER_WEAK, [3, 5])]);
        // Defence by a rook is enough.
        expect("4k3/6R1/8/8/8/r7/8/6K1", &[(DANGER_WEAK, [2, 3])]);
    }

    #[test]
    fn checks_are_safe_or_unsafe() {
        let checks = |fen, kind, safe, taken| {
            expect(fen, &[(DANGER_SAFE_CHECK + kind, safe), (DANGER_UNSAFE_CHECK, taken)]);
        };
        // Knight to f3 or h3; a pawn on g2 guards both.
        checks("4k3/8/8/6n1/8/8/8/6K1", 0, [2, 0], [0, 0]);
        checks("4k3/8/8/6n1/8/8/6P1/6K1", 0, [0, 0], [2, 0]);
        // Bishop safely to b6, or to h2 where the king takes it; with the rook's support, safely
        // to c5 or h2.
        checks("4k3/2b5/8/8/8/8/8/6K1", 1, [1, 0], [1, 0]);
        checks("4k2r/8/3b4/8/8/8/8/6K1", 1, [2, 0], [1, 0]);
        // Rook to g8; on h1 the king takes it.
        checks("4k2r/8/3b4/8/8/8/8/6K1", 2, [1, 0], [1, 0]);
        // Rook to a1 or g5. A queen on g3 guards g5 but does not block the check along the g-file; a knight does.
        checks("4k3/8/8/r7/8/8/8/6K1", 2, [2, 0], [0, 0]);
        checks("4k3/8/8/r7/8/6Q1/8/6K1", 2, [1, 0], [1, 0]);
        checks("4k3/8/8/r7/8/6N1/8/6K1", 2, [1, 0], [0, 0]);
        // A queen has many safe checks, of which two count. Its unsafe check on h2 does not.
        checks("4k3/2q5/8/8/8/8/8/6K1", 3, [2, 0], [0, 0]);
        checks("4k3/8/8/8/8/8/8/6K1", 3, [0, 0], [0, 0]);
    }

    #[test]
    fn defenders_are_minor_pieces_in_the_king_zone() {
        expect("4k3/8/8/8/8/8/8/5NK1", &[(DANGER_DEFENDER, [1, 0])]);
        expect("4k3/8/8/8/8/6N1/6B1/6K1", &[(DANGER_DEFENDER, [2, 0])]);
        expect("4k3/8/8/8/8/8/8/N4RK1", &[(DANGER_DEFENDER, [0, 0])]);
    }

    #[test]
    fn flank_attacks_count_up_to_the_fifth_rank() {
        // e2 to h2, attacked once and twice.
        expect("4k3/8/8/8/8/8/r7/6K1", &[(DANGER_FLANK, [4, 0])]);
        expect("4k3/8/8/8/8/8/rr6/6K1", &[(DANGER_FLANK, [8, 0])]);
        expect("4k3/8/8/r7/8/8/8/6K1", &[(DANGER_FLANK, [4, 0])]);
        // Sixth rank; other flank.
        expect("4k3/8/r7/8/8/8/8/6K1", &[(DANGER_FLANK, [0, 0])]);
        expect("4k3/8/8/8/n7/8/8/6K1", &[(DANGER_FLANK, [0, 0])]);
    }

    #[test]
    fn pinned_pieces_are_counted() {
        let pinned = |fen, both| expect(fen, &[(DANGER_PINNED, both)]);
        pinned("6k1/4r3/8/8/8/8/4N3/4K3", [1, 0]);
        pinned("6k1/8/8/b7/8/2N5/8/4K3", [1, 0]);
        pinned("6k1/4q3/8/8/8/8/4N3/4K3", [1, 0]);
        // Two men in between; an enemy man; a bishop on a file.
        pinned("6k1/4r3/8/8/8/4P3/4N3/4K3", [0, 0]);
        pinned("6k1/4r3/8/8/8/4n3/8/4K3", [0, 0]);
        pinned("6k1/4b3/8/8/8/8/4N3/4K3", [0, 0]);
    }
}
