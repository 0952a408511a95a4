//! Pawn structure, and the material and piece-square tables of pawns: what depends on the pawns
//! alone. Entry point: `count`.

use crate::attacks::pawn_attacks_of_all;
use crate::eval::classical::FeatureSink;
use crate::eval::classical::features::{
    BACKWARD_PAWN, CANDIDATE_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, PASSED_PAWN, PHALANX,
    PROTECTED_PAWN,
};
use crate::eval::spans::{attack_span, in_front, passed_pawns, with_neighbours};
use crate::types::{Bitboard, PieceType, Side, Square};

/// Pawns of both sides, from the point of view of one.
struct Pawns {
    own: Bitboard,
    enemy: Bitboard,
    /// Squares that own pawns attack.
    protected: Bitboard,
    /// Squares that enemy pawns attack.
    guarded: Bitboard,
}

/// Counts a side's pawn terms and returns its passed pawns.
#[inline]
pub(crate) fn count<S: Side>(pawns: [Bitboard; 2], sink: &mut impl FeatureSink) -> Bitboard {
    let (own, enemy) = (pawns[S::US.index()], pawns[S::THEM.index()]);
    let protected = pawn_attacks_of_all(S::US, own);
    let guarded = pawn_attacks_of_all(S::THEM, enemy);
    let pawns = Pawns { own, enemy, protected, guarded };
    for pawn in own {
        sink.piece(S::US, PieceType::Pawn, pawn.relative_to(S::US).index());
    }
    doubled::<S>(&pawns, sink);
    connected::<S>(&pawns, sink);
    isolated::<S>(&pawns, sink);
    backward::<S>(&pawns, sink);
    let passed = passed_pawns(S::US, own, enemy);
    for pawn in passed {
        sink.add(S::US, PASSED_PAWN + rank::<S>(pawn), 1);
    }
    candidates::<S>(&pawns, passed, sink);
    passed
}

#[inline]
fn rank<S: Side>(pawn: Square) -> usize {
    pawn.relative_to(S::US).rank().index()
}

/// Returns the own pawns with another own pawn ahead on the file.
fn behind_own<S: Side>(pawns: &Pawns) -> Bitboard {
    pawns.own & in_front(pawns.own, S::THEM)
}

/// Returns the own pawns with no enemy pawn ahead on the file.
fn half_open<S: Side>(pawns: &Pawns) -> Bitboard {
    pawns.own - in_front(pawns.enemy, S::THEM)
}

#[inline]
fn doubled<S: Side>(pawns: &Pawns, sink: &mut impl FeatureSink) {
    sink.add(S::US, DOUBLED_PAWN, behind_own::<S>(pawns).len() as i32);
}

/// Counts pawns in a phalanx (side by side) and pawns protected by a pawn.
#[inline]
fn connected<S: Side>(pawns: &Pawns, sink: &mut impl FeatureSink) {
    for pawn in pawns.own & (pawns.own.left() | pawns.own.right()) {
        sink.add(S::US, PHALANX + rank::<S>(pawn), 1);
    }
    for pawn in pawns.own & pawns.protected {
        sink.add(S::US, PROTECTED_PAWN + rank::<S>(pawn), 1);
    }
}

#[inline]
fn isolated<S: Side>(pawns: &Pawns, sink: &mut impl FeatureSink) {
    let files = in_front(pawns.own, S::US) | in_front(pawns.own, S::THEM) | pawns.own;
    let isolated = pawns.own - files.left() - files.right();
    let exposed = half_open::<S>(pawns);
    sink.add(S::US, ISOLATED_PAWN, (isolated - exposed).len() as i32);
    sink.add(S::US, ISOLATED_PAWN + 1, (isolated & exposed).len() as i32);
}

/// Counts backward pawns: no own pawn is beside them or can ever protect them, and an enemy pawn
/// guards the stop square.
#[inline]
fn backward<S: Side>(pawns: &Pawns, sink: &mut impl FeatureSink) {
    let supported = attack_span(pawns.own, S::US) | pawns.own.left() | pawns.own.right();
    let stopped = pawns.guarded.forward(S::THEM);
    let backward = (pawns.own & stopped) - supported;
    let exposed = half_open::<S>(pawns);
    sink.add(S::US, BACKWARD_PAWN, (backward - exposed).len() as i32);
    sink.add(S::US, BACKWARD_PAWN + 1, (backward & exposed).len() as i32);
}

/// Counts candidate passed pawns: no enemy pawn is ahead on the file, and the own pawns beside or
/// behind on adjacent files (helpers) are at least as many as the enemy pawns ahead there
/// (stoppers), so exchanges may produce a passed pawn.
#[inline]
fn candidates<S: Side>(pawns: &Pawns, passed: Bitboard, sink: &mut impl FeatureSink) {
    for pawn in half_open::<S>(pawns) - passed - behind_own::<S>(pawns) {
        let here = Bitboard::from(pawn);
        let beside = with_neighbours(pawn.file()) - Bitboard::from(pawn.file());
        let front = in_front(here | here.left() | here.right(), S::US);
        let helpers = pawns.own & beside - front;
        let stoppers = pawns.enemy & beside & front;
        if helpers.len() >= stoppers.len() {
            sink.add(S::US, CANDIDATE_PAWN + rank::<S>(pawn), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::features::{MATERIAL, PIECE_SQUARE};
    use crate::eval::classical::testing::{expect, features, square};

    #[test]
    fn pawn_counts_material_and_square() {
        let (material, e2) = (MATERIAL, PIECE_SQUARE + square("e2"));
        expect("4k3/8/8/8/8/8/4P3/4K3", &[(material, [1, 0]), (e2, [1, 0])]);
        // Black's e7 corresponds to White's e2.
        expect("4k3/4p3/8/8/8/8/8/4K3", &[(material, [0, 1]), (e2, [0, 1])]);
        expect("4k3/8/8/8/8/8/8/4K3", &[(material, [0, 0]), (e2, [0, 0])]);
    }

    #[test]
    fn doubled_pawn_is_behind_another() {
        expect("4k3/8/8/8/4P3/8/4P3/4K3", &[(DOUBLED_PAWN, [1, 0])]);
        expect("4k3/8/4P3/8/4P3/8/4P3/4K3", &[(DOUBLED_PAWN, [2, 0])]);
        expect("4k3/8/8/8/4P3/4p3/4P3/4K3", &[(DOUBLED_PAWN, [1, 0])]);
        expect("4k3/4p3/8/8/8/8/3PP3/4K3", &[(DOUBLED_PAWN, [0, 0])]);
    }

    #[test]
    fn isolated_pawn_has_no_neighbours() {
        let isolated = |fen, closed, half_open| {
            expect(fen, &[(ISOLATED_PAWN, closed), (ISOLATED_PAWN + 1, half_open)]);
        };
        isolated("4k3/8/8/8/8/8/4P3/4K3", [0, 0], [1, 0]);
        isolated("4k3/4p3/8/8/8/8/4P3/4K3", [1, 1], [0, 0]);
        // The pawns have passed each other: both are on half-open files.
        isolated("4k3/8/8/4P3/4p3/8/8/4K3", [0, 0], [1, 1]);
        // Files do not wrap around: the a-file is not adjacent to the h-file.
        isolated("4k3/8/8/8/8/8/P6P/4K3", [0, 0], [2, 0]);
        // A neighbour may be anywhere on its file.
        isolated("4k3/8/8/8/4P3/8/3P4/4K3", [0, 0], [0, 0]);
        isolated("4k3/8/8/3P4/8/8/4P3/4K3", [0, 0], [0, 0]);
    }

    #[test]
    fn backward_pawn_has_no_support_and_no_safe_advance() {
        let backward = |fen, closed, half_open| {
            expect(fen, &[(BACKWARD_PAWN, closed), (BACKWARD_PAWN + 1, half_open)]);
        };
        // d4 has left e3 behind, and f5 guards e4.
        backward("4k3/8/6p1/5p2/3P4/4P3/8/4K3", [0, 0], [1, 0]);
        backward("4k3/4p3/6p1/5p2/3P4/4P3/8/4K3", [1, 0], [0, 0]);
        // No pawn guards e4.
        backward("4k3/8/6p1/8/3P4/4P3/8/4K3", [0, 0], [0, 0]);
        // A pawn on d2 can still support e3; on d3 it is beside it.
        backward("4k3/8/6p1/5p2/8/4P3/3P4/4K3", [0, 0], [0, 0]);
        backward("4k3/8/6p1/5p2/8/3PP3/8/4K3", [0, 0], [0, 0]);
    }

    #[test]
    fn phalanx_counts_every_pawn() {
        expect("4k3/8/8/8/3PP3/8/8/4K3", &[(PHALANX + 3, [2, 0])]);
        expect("4k3/8/8/3ppp2/8/8/8/4K3", &[(PHALANX + 3, [0, 3])]);
        // Diagonally adjacent; two files apart; across the edge of the board.
        for fen in ["4k3/8/8/8/3P4/4P3/8/4K3", "4k3/8/8/8/3P1P2/8/8/4K3", "4k3/8/8/P7/7P/8/8/4K3"] {
            assert_eq!(features(fen).sum(PHALANX..PHALANX + 8), [0, 0], "{fen}");
        }
    }

    #[test]
    fn chain_protects_all_but_its_base() {
        expect(
            "4k3/8/8/5P2/4P3/3P4/8/4K3",
            &[
                (PROTECTED_PAWN + 2, [0, 0]),
                (PROTECTED_PAWN + 3, [1, 0]),
                (PROTECTED_PAWN + 4, [1, 0]),
            ],
        );
        let beside = features("4k3/8/8/8/3PP3/8/8/4K3");
        assert_eq!(beside.sum(PROTECTED_PAWN..PROTECTED_PAWN + 8), [0, 0]);
    }

    #[test]
    fn passed_pawn_has_no_enemy_pawn_ahead() {
        expect("4k3/8/8/4P3/8/8/8/4K3", &[(PASSED_PAWN + 4, [1, 0])]);
        // Side by side, neither stops the other.
        expect("4k3/8/8/3pP3/8/8/8/4K3", &[(PASSED_PAWN + 4, [1, 0]), (PASSED_PAWN + 3, [0, 1])]);
        // Of doubled pawns, only the front one.
        expect("4k3/8/8/4P3/8/4P3/8/4K3", &[(PASSED_PAWN + 4, [1, 0]), (PASSED_PAWN + 2, [0, 0])]);
        for fen in ["4k3/4p3/8/4P3/8/8/8/4K3", "4k3/8/3p4/4P3/8/8/8/4K3"] {
            assert_eq!(features(fen).sum(PASSED_PAWN..PASSED_PAWN + 8), [0, 0], "{fen}");
        }
    }

    #[test]
    fn candidate_has_as_many_helpers_as_stoppers() {
        // d3-d4-d5 exchanges the pawn that stops e4.
        expect("4k3/8/3p4/8/4P3/3P4/8/4K3", &[(CANDIDATE_PAWN + 3, [1, 0])]);
        // Of doubled pawns, only the front one.
        expect(
            "4k3/8/3p4/8/4P3/3PP3/8/4K3",
            &[(CANDIDATE_PAWN + 3, [1, 0]), (CANDIDATE_PAWN + 2, [0, 0])],
        );
        for (fen, reason) in [
            ("4k3/8/3p1p2/8/4P3/3P4/8/4K3", "two stoppers, one helper"),
            ("4k3/8/3pp3/8/4P3/3P4/8/4K3", "the file is closed"),
            ("4k3/8/3p4/3P4/4P3/8/8/4K3", "the helper is too far ahead"),
            ("4k3/8/8/4P3/8/8/8/4K3", "it is already passed"),
        ] {
            let counts = features(fen);
            assert_eq!(counts.sum(CANDIDATE_PAWN..CANDIDATE_PAWN + 8), [0, 0], "{reason}: {fen}");
        }
    }
}
