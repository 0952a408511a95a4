//! Pawn structure: what depends on the pawns alone.

use super::Tally;
use super::context::{attack_span, in_front, with_neighbours};
use super::layout::{
    BACKWARD_PAWN, CANDIDATE_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, PASSED_PAWN, PHALANX,
    PROTECTED_PAWN,
};
use crate::attacks::pawn_attacks_of_all;
use crate::types::{Bitboard, Color, PieceType, Side, Square};

/// The pawns of both sides, as one of them sees it.
struct Pawns {
    own: Bitboard,
    enemy: Bitboard,
    /// Squares that own pawns attack, and enemy pawns.
    protected: Bitboard,
    guarded: Bitboard,
}

/// Counts a side's pawns, and returns the passed ones.
#[inline]
pub(super) fn count<S: Side>(pawns: [Bitboard; 2], tally: &mut impl Tally) -> Bitboard {
    let (own, enemy) = (pawns[S::US.index()], pawns[S::THEM.index()]);
    let protected = pawn_attacks_of_all(S::US, own);
    let guarded = pawn_attacks_of_all(S::THEM, enemy);
    let pawns = Pawns { own, enemy, protected, guarded };
    for pawn in own {
        tally.piece(S::US, PieceType::Pawn, pawn.relative_to(S::US).index());
    }
    doubled::<S>(&pawns, tally);
    connected::<S>(&pawns, tally);
    isolated::<S>(&pawns, tally);
    backward::<S>(&pawns, tally);
    let passed = passed_pawns(S::US, own, enemy);
    for pawn in passed {
        tally.add(S::US, PASSED_PAWN + rank::<S>(pawn), 1);
    }
    candidates::<S>(&pawns, passed, tally);
    passed
}

#[inline]
fn rank<S: Side>(pawn: Square) -> usize {
    pawn.relative_to(S::US).rank().index()
}

/// Own pawns with another own pawn in front of them.
fn behind_own<S: Side>(pawns: &Pawns) -> Bitboard {
    pawns.own & in_front(pawns.own, S::THEM)
}

/// Own pawns with no enemy pawn in front of them on their file.
fn half_open<S: Side>(pawns: &Pawns) -> Bitboard {
    pawns.own - in_front(pawns.enemy, S::THEM)
}

#[inline]
fn doubled<S: Side>(pawns: &Pawns, tally: &mut impl Tally) {
    tally.add(S::US, DOUBLED_PAWN, behind_own::<S>(pawns).len() as i32);
}

/// Side by side, or protected by another pawn.
#[inline]
fn connected<S: Side>(pawns: &Pawns, tally: &mut impl Tally) {
    for pawn in pawns.own & (pawns.own.left() | pawns.own.right()) {
        tally.add(S::US, PHALANX + rank::<S>(pawn), 1);
    }
    for pawn in pawns.own & pawns.protected {
        tally.add(S::US, PROTECTED_PAWN + rank::<S>(pawn), 1);
    }
}

#[inline]
fn isolated<S: Side>(pawns: &Pawns, tally: &mut impl Tally) {
    let files = in_front(pawns.own, S::US) | in_front(pawns.own, S::THEM) | pawns.own;
    let isolated = pawns.own - files.left() - files.right();
    let exposed = half_open::<S>(pawns);
    tally.add(S::US, ISOLATED_PAWN, (isolated - exposed).len() as i32);
    tally.add(S::US, ISOLATED_PAWN + 1, (isolated & exposed).len() as i32);
}

/// No own pawn is beside it or can ever protect it, and an enemy pawn guards the square in front.
#[inline]
fn backward<S: Side>(pawns: &Pawns, tally: &mut impl Tally) {
    let supported = attack_span(pawns.own, S::US) | pawns.own.left() | pawns.own.right();
    let stopped = pawns.guarded.forward(S::THEM);
    let backward = (pawns.own & stopped) - supported;
    let exposed = half_open::<S>(pawns);
    tally.add(S::US, BACKWARD_PAWN, (backward - exposed).len() as i32);
    tally.add(S::US, BACKWARD_PAWN + 1, (backward & exposed).len() as i32);
}

/// No enemy pawn in front on its file or the files beside it, and it is the first.
#[inline]
pub(super) fn passed_pawns(color: Color, own: Bitboard, enemy: Bitboard) -> Bitboard {
    let stoppers = in_front(enemy, !color);
    own - stoppers - stoppers.left() - stoppers.right() - in_front(own, !color)
}

/// On a half-open file, and with at least as many helpers beside or behind it as enemy pawns can
/// stop it: it may become a passed pawn by exchanges.
#[inline]
fn candidates<S: Side>(pawns: &Pawns, passed: Bitboard, tally: &mut impl Tally) {
    for pawn in half_open::<S>(pawns) - passed - behind_own::<S>(pawns) {
        let here = Bitboard::from(pawn);
        let beside = with_neighbours(pawn.file()) - Bitboard::from(pawn.file());
        let front = in_front(here | here.left() | here.right(), S::US);
        let helpers = pawns.own & beside - front;
        let stoppers = pawns.enemy & beside & front;
        if helpers.len() >= stoppers.len() {
            tally.add(S::US, CANDIDATE_PAWN + rank::<S>(pawn), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::{MATERIAL, PIECE_SQUARE};
    use super::super::testing::{expect, features, square};
    use super::*;

    #[test]
    fn every_pawn_has_a_value_and_a_square() {
        let (material, e2) = (MATERIAL, PIECE_SQUARE + square("e2"));
        expect("4k3/8/8/8/8/8/4P3/4K3", &[(material, [1, 0]), (e2, [1, 0])]);
        // Black's pawn on e7 is where White's would be on e2.
        expect("4k3/4p3/8/8/8/8/8/4K3", &[(material, [0, 1]), (e2, [0, 1])]);
        expect("4k3/8/8/8/8/8/8/4K3", &[(material, [0, 0]), (e2, [0, 0])]);
    }

    #[test]
    fn a_pawn_behind_another_is_doubled() {
        expect("4k3/8/8/8/4P3/8/4P3/4K3", &[(DOUBLED_PAWN, [1, 0])]);
        expect("4k3/8/4P3/8/4P3/8/4P3/4K3", &[(DOUBLED_PAWN, [2, 0])]);
        expect("4k3/8/8/8/4P3/4p3/4P3/4K3", &[(DOUBLED_PAWN, [1, 0])]);
        expect("4k3/4p3/8/8/8/8/3PP3/4K3", &[(DOUBLED_PAWN, [0, 0])]);
    }

    #[test]
    fn a_pawn_without_neighbours_is_isolated() {
        let isolated = |fen, closed, half_open| {
            expect(fen, &[(ISOLATED_PAWN, closed), (ISOLATED_PAWN + 1, half_open)]);
        };
        isolated("4k3/8/8/8/8/8/4P3/4K3", [0, 0], [1, 0]);
        isolated("4k3/4p3/8/8/8/8/4P3/4K3", [1, 1], [0, 0]);
        // They have passed by each other: both files are half-open.
        isolated("4k3/8/8/4P3/4p3/8/8/4K3", [0, 0], [1, 1]);
        // The a-file is not beside the h-file.
        isolated("4k3/8/8/8/8/8/P6P/4K3", [0, 0], [2, 0]);
        // A neighbour may be anywhere on its file.
        isolated("4k3/8/8/8/4P3/8/3P4/4K3", [0, 0], [0, 0]);
        isolated("4k3/8/8/3P4/8/8/4P3/4K3", [0, 0], [0, 0]);
    }

    #[test]
    fn a_backward_pawn_has_no_help_and_no_way() {
        let backward = |fen, closed, half_open| {
            expect(fen, &[(BACKWARD_PAWN, closed), (BACKWARD_PAWN + 1, half_open)]);
        };
        // e3 is left behind by d4, and f5 guards e4.
        backward("4k3/8/6p1/5p2/3P4/4P3/8/4K3", [0, 0], [1, 0]);
        backward("4k3/4p3/6p1/5p2/3P4/4P3/8/4K3", [1, 0], [0, 0]);
        // Nobody guards e4.
        backward("4k3/8/6p1/8/3P4/4P3/8/4K3", [0, 0], [0, 0]);
        // d2 can come to its help; on d3 it is beside it.
        backward("4k3/8/6p1/5p2/8/4P3/3P4/4K3", [0, 0], [0, 0]);
        backward("4k3/8/6p1/5p2/8/3PP3/8/4K3", [0, 0], [0, 0]);
    }

    #[test]
    fn pawns_side_by_side_are_a_phalanx() {
        expect("4k3/8/8/8/3PP3/8/8/4K3", &[(PHALANX + 3, [2, 0])]);
        expect("4k3/8/8/3ppp2/8/8/8/4K3", &[(PHALANX + 3, [0, 3])]);
        // One behind the other; on the next file but one; over the edge of the board.
        for fen in ["4k3/8/8/8/3P4/4P3/8/4K3", "4k3/8/8/8/3P1P2/8/8/4K3", "4k3/8/8/P7/7P/8/8/4K3"] {
            assert_eq!(features(fen).sum(PHALANX..PHALANX + 8), [0, 0], "{fen}");
        }
    }

    #[test]
    fn a_chain_protects_all_but_its_foot() {
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
    fn a_passed_pawn_has_no_enemy_pawn_before_it() {
        expect("4k3/8/8/4P3/8/8/8/4K3", &[(PASSED_PAWN + 4, [1, 0])]);
        // Side by side, neither stops the other.
        expect("4k3/8/8/3pP3/8/8/8/4K3", &[(PASSED_PAWN + 4, [1, 0]), (PASSED_PAWN + 3, [0, 1])]);
        // Of two on a file, the first.
        expect("4k3/8/8/4P3/8/4P3/8/4K3", &[(PASSED_PAWN + 4, [1, 0]), (PASSED_PAWN + 2, [0, 0])]);
        for fen in ["4k3/4p3/8/4P3/8/8/8/4K3", "4k3/8/3p4/4P3/8/8/8/4K3"] {
            assert_eq!(features(fen).sum(PASSED_PAWN..PASSED_PAWN + 8), [0, 0], "{fen}");
        }
    }

    #[test]
    fn a_candidate_has_as_many_helpers_as_stoppers() {
        // d3-d4-d5 will exchange the pawn that stops e4.
        expect("4k3/8/3p4/8/4P3/3P4/8/4K3", &[(CANDIDATE_PAWN + 3, [1, 0])]);
        // Of two on a file, the first.
        expect(
            "4k3/8/3p4/8/4P3/3PP3/8/4K3",
            &[(CANDIDATE_PAWN + 3, [1, 0]), (CANDIDATE_PAWN + 2, [0, 0])],
        );
        for (fen, reason) in [
            ("4k3/8/3p1p2/8/4P3/3P4/8/4K3", "two stoppers, one helper"),
            ("4k3/8/3pp3/8/4P3/3P4/8/4K3", "the file is closed"),
            ("4k3/8/3p4/3P4/4P3/8/8/4K3", "the helper is too far ahead"),
            ("4k3/8/8/4P3/8/8/8/4K3", "it is passed already"),
        ] {
            let counts = features(fen);
            assert_eq!(counts.sum(CANDIDATE_PAWN..CANDIDATE_PAWN + 8), [0, 0], "{reason}: {fen}");
        }
    }
}
