//! Pawn structure: what depends on the pawns alone.

use super::Tally;
use super::context::{attack_span, in_front, with_neighbours};
use super::layout::{
    BACKWARD_PAWN, CANDIDATE_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, MATERIAL, PASSED_PAWN, PHALANX,
    PIECE_SQUARE, PROTECTED_PAWN,
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
        tally.add(S::US, MATERIAL + PieceType::Pawn.index(), 1);
        tally.add(S::US, PIECE_SQUARE + pawn.relative_to(S::US).index(), 1);
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
