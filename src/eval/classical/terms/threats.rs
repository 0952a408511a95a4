//! Threats: attacks on enemy men by cheaper attackers or on poorly defended men, pawn push
//! threats, contested squares. Entry point: `count`.

use crate::attacks::{bishop_attacks, knight_attacks, pawn_attacks_of_all, rook_attacks};
use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::Context;
use crate::eval::classical::features::{
    ATTACK_ON_QUEEN, HANGING, KING_ATTACKS, MINOR_ATTACKS, PAWN_ATTACKS_PIECE, PAWN_PUSH_THREAT,
    RESTRICTED, ROOK_ATTACKS,
};
use crate::types::{Bitboard, PieceType, Rank, Side};

/// Counts the threats that a side makes.
#[inline]
pub(crate) fn count<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let board = context.board;
    let by = |kind: PieceType| context.by(S::US, kind);
    let by_minors = by(PieceType::Knight) | by(PieceType::Bishop);
    let victims =
        [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let weak = board.color(S::THEM) - context.well_protected(S::THEM);
    // Well protected pawns are not targets. Well protected pieces are, except for rooks.
    let targets = board.color(S::THEM) - (context.pawns[them] & context.well_protected(S::THEM));
    for (index, kind) in victims.into_iter().enumerate() {
        let pieces = board.pieces(S::THEM, kind) & targets;
        if kind != PieceType::Pawn {
            let attacked = (pieces & by(PieceType::Pawn)).len() as i32;
            sink.add(S::US, PAWN_ATTACKS_PIECE + index - 1, attacked);
        }
        sink.add(S::US, MINOR_ATTACKS + index, (pieces & by_minors).len() as i32);
        sink.add(S::US, ROOK_ATTACKS + index, (pieces & weak & by(PieceType::Rook)).len() as i32);
    }
    let loose = board.color(S::THEM) & context.attacked[us] - context.attacked[them];
    sink.add(S::US, HANGING, loose.len() as i32);
    sink.add(S::US, KING_ATTACKS, i32::from(weak.intersects(by(PieceType::King))));
    let contested = context.attacked[them] & context.attacked[us] - context.well_protected(S::THEM);
    sink.add(S::US, RESTRICTED, contested.len() as i32);
    pawn_pushes::<S>(context, sink);
    attacks_on_queen::<S>(context, sink);
}

/// Counts the enemy pieces, the king included, that a pawn push to a safe square would attack.
#[inline]
fn pawn_pushes<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let empty = !context.occupied;
    let once = context.pawns[us].forward(S::US) & empty;
    let third = Bitboard::from(Rank::Third.relative_to(S::US));
    let pushed = once | (once & third).forward(S::US) & empty;
    let safe = pushed - context.by(S::THEM, PieceType::Pawn)
        & (context.attacked[us] | !context.attacked[them]);
    let pieces = context.board.color(S::THEM) - context.pawns[them];
    let attacks = pawn_attacks_of_all(S::US, safe) & pieces;
    sink.add(S::US, PAWN_PUSH_THREAT, attacks.len() as i32);
}

/// Counts the squares, not well protected by the enemy, from which a minor piece or rook would
/// attack the enemy queen, if there is only one. A bishop or rook needs support there; a knight
/// does not, although a lone defender may capture it.
#[inline]
fn attacks_on_queen<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let queens = context.board.pieces(S::THEM, PieceType::Queen);
    let Some(queen) = queens.first().filter(|_| !queens.has_many()) else { return };
    let safe = !context.pawns[S::US.index()] - context.well_protected(S::THEM);
    let lines = bishop_attacks(queen, context.occupied) & context.by(S::US, PieceType::Bishop)
        | rook_attacks(queen, context.occupied) & context.by(S::US, PieceType::Rook);
    let squares = knight_attacks(queen) & context.by(S::US, PieceType::Knight)
        | lines & context.attacked_twice[S::US.index()];
    sink.add(S::US, ATTACK_ON_QUEEN, (squares & safe).len() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::{expect, features};
    use crate::types::Color;

    /// Puts each of `victims` on the square X and checks, by the features from `table` on, that
    /// White attacks it if `hits` and not otherwise.
    #[track_caller]
    fn attacks(fen: &str, table: usize, victims: &str, hits: bool) {
        for (index, victim) in victims.chars().enumerate() {
            let fen = fen.replace('X', &victim.to_string());
            let counts = features(&fen);
            for feature in 0..victims.len() {
                let number = i32::from(hits && feature == index);
                assert_eq!(counts.of(Color::White, table + feature), number, "{fen}");
            }
        }
    }

    #[test]
    fn pawn_attacks_count_pieces_even_if_protected() {
        attacks("4k3/8/8/3X4/4P3/8/8/4K3", PAWN_ATTACKS_PIECE, "nbrq", true);
        // Protection makes no difference; on c5 they are out of reach.
        attacks("4k3/8/2p5/3X4/4P3/8/8/4K3", PAWN_ATTACKS_PIECE, "nbrq", true);
        attacks("4k3/8/8/2X5/4P3/8/8/4K3", PAWN_ATTACKS_PIECE, "nbrq", false);
        let pawns = features("4k3/8/8/3p4/4P3/8/8/4K3");
        assert_eq!(pawns.sum(PAWN_ATTACKS_PIECE..PAWN_ATTACKS_PIECE + 4), [0, 0]);
    }

    #[test]
    fn minor_attacks_exclude_protected_pawns() {
        attacks("4k3/8/3X4/8/4N3/8/8/4K3", MINOR_ATTACKS, "pnbrq", true);
        attacks("4k3/8/3X4/8/5B2/8/8/4K3", MINOR_ATTACKS, "pnbrq", true);
        attacks("4k3/8/3X4/8/3N4/8/8/4K3", MINOR_ATTACKS, "pnbrq", false);
        // A protected piece is a target, a protected pawn is not.
        expect("4k3/4p3/3n4/8/4N3/8/8/4K3", &[(MINOR_ATTACKS + 1, [1, 1])]);
        expect("4k3/4p3/3p4/8/4N3/8/8/4K3", &[(MINOR_ATTACKS, [0, 0])]);
    }

    #[test]
    fn rook_attacks_exclude_well_protected_men() {
        attacks("4k3/8/3X4/8/8/8/8/3RK3", ROOK_ATTACKS, "pnbrq", true);
        attacks("4k3/8/3X4/8/8/8/8/2R1K3", ROOK_ATTACKS, "pnbrq", false);
        // Well protected men are not targets for a rook.
        expect("4k3/4p3/3n4/8/8/8/8/3RK3", &[(ROOK_ATTACKS + 1, [0, 0])]);
        // Two defenders against one attacker, then against two.
        expect("3r4/4k3/3p4/8/8/8/8/3RK3", &[(ROOK_ATTACKS, [0, 0])]);
        expect("3r4/4k3/3p4/8/4N3/8/8/3RK3", &[(ROOK_ATTACKS, [1, 0])]);
    }

    #[test]
    fn hanging_men_are_attacked_and_undefended() {
        expect("4k3/8/3n4/8/8/8/8/3RK3", &[(HANGING, [1, 0])]);
        expect("4k3/8/3p4/8/8/8/8/3RK3", &[(HANGING, [1, 0])]);
        expect("8/3k4/3n4/8/8/8/8/3RK3", &[(HANGING, [0, 0])]);
        expect("4k3/8/3n4/8/8/8/8/2R1K3", &[(HANGING, [0, 0])]);
    }

    #[test]
    fn king_attacks_exclude_well_protected_men() {
        let attacks = |fen, both| expect(fen, &[(KING_ATTACKS, both)]);
        attacks("8/7k/8/3n4/4K3/8/8/8", [1, 0]);
        // Two targets count as one.
        attacks("8/7k/8/3n1r2/4K3/8/8/8", [1, 0]);
        // A single piece is not enough of a defence, but a pawn or two pieces are.
        attacks("8/8/2k5/3n4/4K3/8/8/8", [1, 0]);
        attacks("8/7k/2p5/3n4/4K3/8/8/8", [0, 0]);
        attacks("8/4n3/2k5/3n4/4K3/8/8/8", [0, 0]);
        // Out of reach.
        attacks("8/7k/3n4/8/5K2/8/8/8", [0, 0]);
    }

    #[test]
    fn restricted_squares_are_contested() {
        let restricted = |fen, both| expect(fen, &[(RESTRICTED, both)]);
        restricted("4k3/8/8/8/8/8/8/4K3", [0, 0]);
        // d2, e2 and f2; then a pawn defends d2 for Black.
        restricted("8/8/8/8/8/4k3/8/4K3", [3, 3]);
        restricted("8/8/8/8/8/2p1k3/8/4K3", [2, 3]);
    }

    #[test]
    fn pawn_push_threat_needs_safe_square() {
        let pushes = |fen, both| expect(fen, &[(PAWN_PUSH_THREAT, both)]);
        pushes("4k3/8/8/3n4/8/4P3/8/4K3", [1, 0]);
        pushes("4k3/8/8/3n4/8/8/4P3/4K3", [1, 0]);
        pushes("4k3/8/8/3n1n2/8/4P3/8/4K3", [2, 0]);
        // Blocked; guarded by a pawn; guarded by a rook; guarded, but the king defends it.
        pushes("4k3/8/8/3n4/4N3/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/8/3n1p2/8/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/8/3n4/r7/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/8/3n4/r7/4PK2/8/8", [1, 0]);
        // A check is a threat too, if the king cannot capture the pawn.
        pushes("8/8/8/3k4/8/4PK2/8/8", [1, 0]);
        pushes("8/8/8/3k4/8/4P3/8/6K1", [0, 0]);
        // Pawns are not targets, and a double step is only possible from the second rank.
        pushes("4k3/8/8/3p4/8/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/2n5/8/8/3P4/8/4K3", [0, 0]);
    }

    #[test]
    fn attack_on_queen_needs_safe_square() {
        let attacks = |fen, both| expect(fen, &[(ATTACK_ON_QUEEN, both)]);
        // Knight to c4 or f5; a pawn on g6 guards f5.
        attacks("4k3/8/3q4/8/8/4N3/8/4K3", [2, 0]);
        attacks("4k3/8/3q2p1/8/8/4N3/8/4K3", [1, 0]);
        // Rook to d1, if the king defends it there; not to a6.
        attacks("4k3/8/3q4/8/8/8/8/R3K3", [1, 0]);
        attacks("4k3/8/3q4/8/8/8/8/R6K", [0, 0]);
        // A single defender is not enough: the bishop could capture on c4 or f5.
        attacks("4k3/8/3qb3/8/8/4N3/8/4K3", [2, 0]);
        // Nothing counts against two queens: the other one would recapture.
        attacks("4k3/8/3qq3/8/8/4N3/8/4K3", [0, 0]);
    }
}
