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
    let weak = board.color(S::THEM) - context.well_protected(S::THEM);
    // A well protected pawn is no target; a piece always is, but not for a rook.
    let targets = board.color(S::THEM) - (context.pawns[them] & context.well_protected(S::THEM));
    for (index, kind) in victims.into_iter().enumerate() {
        let pieces = board.pieces(S::THEM, kind) & targets;
        if kind != PieceType::Pawn {
            let attacked = (pieces & by(PieceType::Pawn)).len() as i32;
            tally.add(S::US, PAWN_ATTACKS_PIECE + index - 1, attacked);
        }
        tally.add(S::US, MINOR_ATTACKS + index, (pieces & by_minors).len() as i32);
        tally.add(S::US, ROOK_ATTACKS + index, (pieces & weak & by(PieceType::Rook)).len() as i32);
    }
    let loose = board.color(S::THEM) & context.attacked[us] - context.attacked[them];
    tally.add(S::US, HANGING, loose.len() as i32);
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

#[cfg(test)]
mod tests {
    use super::super::testing::{expect, features};
    use super::*;
    use crate::types::Color;

    /// Checks which of some victims a piece of White's attacks, with each of them on the square X.
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
    fn pawns_attack_pieces() {
        attacks("4k3/8/8/3X4/4P3/8/8/4K3", PAWN_ATTACKS_PIECE, "nbrq", true);
        // Protection does not help against a pawn; distance does.
        attacks("4k3/8/2p5/3X4/4P3/8/8/4K3", PAWN_ATTACKS_PIECE, "nbrq", true);
        attacks("4k3/8/8/2X5/4P3/8/8/4K3", PAWN_ATTACKS_PIECE, "nbrq", false);
        let pawns = features("4k3/8/8/3p4/4P3/8/8/4K3");
        assert_eq!(pawns.sum(PAWN_ATTACKS_PIECE..PAWN_ATTACKS_PIECE + 4), [0, 0]);
    }

    #[test]
    fn minor_pieces_attack() {
        attacks("4k3/8/3X4/8/4N3/8/8/4K3", MINOR_ATTACKS, "pnbrq", true);
        attacks("4k3/8/3X4/8/5B2/8/8/4K3", MINOR_ATTACKS, "pnbrq", true);
        attacks("4k3/8/3X4/8/3N4/8/8/4K3", MINOR_ATTACKS, "pnbrq", false);
        // A protected piece is a target, a protected pawn is none.
        expect("4k3/4p3/3n4/8/4N3/8/8/4K3", &[(MINOR_ATTACKS + 1, [1, 1])]);
        expect("4k3/4p3/3p4/8/4N3/8/8/4K3", &[(MINOR_ATTACKS, [0, 0])]);
    }

    #[test]
    fn rooks_attack() {
        attacks("4k3/8/3X4/8/8/8/8/3RK3", ROOK_ATTACKS, "pnbrq", true);
        attacks("4k3/8/3X4/8/8/8/8/2R1K3", ROOK_ATTACKS, "pnbrq", false);
        // What is well protected is no target for a rook.
        expect("4k3/4p3/3n4/8/8/8/8/3RK3", &[(ROOK_ATTACKS + 1, [0, 0])]);
        // Two protect the pawn against one; then against two.
        expect("3r4/4k3/3p4/8/8/8/8/3RK3", &[(ROOK_ATTACKS, [0, 0])]);
        expect("3r4/4k3/3p4/8/4N3/8/8/3RK3", &[(ROOK_ATTACKS, [1, 0])]);
    }

    #[test]
    fn undefended_pieces_hang() {
        expect("4k3/8/3n4/8/8/8/8/3RK3", &[(HANGING, [1, 0])]);
        expect("4k3/8/3p4/8/8/8/8/3RK3", &[(HANGING, [1, 0])]);
        expect("8/3k4/3n4/8/8/8/8/3RK3", &[(HANGING, [0, 0])]);
        expect("4k3/8/3n4/8/8/8/8/2R1K3", &[(HANGING, [0, 0])]);
    }

    #[test]
    fn the_king_attacks_what_is_not_well_protected() {
        let attacks = |fen, both| expect(fen, &[(KING_ATTACKS, both)]);
        attacks("8/7k/8/3n4/4K3/8/8/8", [1, 0]);
        // Two at once count as one.
        attacks("8/7k/8/3n1r2/4K3/8/8/8", [1, 0]);
        // One piece is little protection; a pawn is enough, and so are two pieces.
        attacks("8/8/2k5/3n4/4K3/8/8/8", [1, 0]);
        attacks("8/7k/2p5/3n4/4K3/8/8/8", [0, 0]);
        attacks("8/4n3/2k5/3n4/4K3/8/8/8", [0, 0]);
        // Out of reach.
        attacks("8/7k/3n4/8/5K2/8/8/8", [0, 0]);
    }

    #[test]
    fn squares_are_contested() {
        let restricted = |fen, both| expect(fen, &[(RESTRICTED, both)]);
        restricted("4k3/8/8/8/8/8/8/4K3", [0, 0]);
        // d2, e2 and f2; then a pawn makes d2 Black's.
        restricted("8/8/8/8/8/4k3/8/4K3", [3, 3]);
        restricted("8/8/8/8/8/2p1k3/8/4K3", [2, 3]);
    }

    #[test]
    fn pawns_can_come_to_attack() {
        let pushes = |fen, both| expect(fen, &[(PAWN_PUSH_THREAT, both)]);
        pushes("4k3/8/8/3n4/8/4P3/8/4K3", [1, 0]);
        pushes("4k3/8/8/3n4/8/8/4P3/4K3", [1, 0]);
        pushes("4k3/8/8/3n1n2/8/4P3/8/4K3", [2, 0]);
        // The way is blocked; a pawn takes it; a rook takes it, which the king can prevent.
        pushes("4k3/8/8/3n4/4N3/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/8/3n1p2/8/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/8/3n4/r7/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/8/3n4/r7/4PK2/8/8", [1, 0]);
        // A check is a threat too, if the king cannot take the pawn.
        pushes("8/8/8/3k4/8/4PK2/8/8", [1, 0]);
        pushes("8/8/8/3k4/8/4P3/8/6K1", [0, 0]);
        // Pawns are no pieces, and only the first move may be a double step.
        pushes("4k3/8/8/3p4/8/4P3/8/4K3", [0, 0]);
        pushes("4k3/8/2n5/8/8/3P4/8/4K3", [0, 0]);
    }

    #[test]
    fn pieces_can_come_to_attack_the_queen() {
        let attacks = |fen, both| expect(fen, &[(ATTACK_ON_QUEEN, both)]);
        // Knight to c4 or f5; g6 guards f5.
        attacks("4k3/8/3q4/8/8/4N3/8/4K3", [2, 0]);
        attacks("4k3/8/3q2p1/8/8/4N3/8/4K3", [1, 0]);
        // Rook to d1, if the king protects it there; not to a6.
        attacks("4k3/8/3q4/8/8/8/8/R3K3", [1, 0]);
        attacks("4k3/8/3q4/8/8/8/8/R6K", [0, 0]);
        // One piece is no good protection: the bishop could take the knight on c4 or f5.
        attacks("4k3/8/3qb3/8/8/4N3/8/4K3", [2, 0]);
        // With two queens the other one strikes back.
        attacks("4k3/8/3qq3/8/8/4N3/8/4K3", [0, 0]);
    }
}
