//! Every evaluation feature occurs in some position, or is listed as impossible with the reason: a
//! feature that is never counted would never be tuned.

use damero::bench::POSITIONS;
use damero::board::{Board, Setup};
use damero::internals::features::{
    CANDIDATE_PAWN, COUNT, DANGER_SHELTER, GROUPS, KING_SHELTER, KING_STORM, PASSED_BLOCKED,
    PASSED_FREE_PATH, PASSED_PAWN, PASSED_SAFE, PHALANX, PIECE_SQUARE, PROTECTED_PAWN,
};
use damero::internals::{FeatureSink, count_features};
use damero::types::{CastlingRights, Color, Piece, PieceType, Square};

/// Features that were counted, for White and for Black.
struct Seen([Vec<bool>; 2]);

impl FeatureSink for Seen {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.0[color.index()][feature] |= count != 0;
    }

    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        self.add(color, feature, count);
    }
}

/// Positions with what the bench positions and their variants lack: a queen in an empty centre.
const MORE: &[&str] = &["4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1"];

/// Returns the features that no position can have, each with the reason.
fn impossible() -> Vec<(usize, &'static str)> {
    let mut list = Vec::new();
    for file in 0..8 {
        for rank in [0, 7] {
            list.push((PIECE_SQUARE + 8 * rank + file, "no pawn stands on the first or last rank"));
        }
    }
    for group in [
        PHALANX,
        PROTECTED_PAWN,
        CANDIDATE_PAWN,
        PASSED_PAWN,
        PASSED_BLOCKED,
        PASSED_BLOCKED + 8,
        PASSED_SAFE,
        PASSED_FREE_PATH,
    ] {
        for rank in [0, 7] {
            list.push((group + rank, "no pawn stands on the first or last rank"));
        }
    }
    list.push((PROTECTED_PAWN + 1, "a pawn that protects the second rank is on the first"));
    list.push((CANDIDATE_PAWN + 6, "on the seventh rank nothing stops a pawn but its own file"));
    for table in 0..8 {
        list.push((KING_SHELTER + 8 * table + 7, "no own pawn stands on the last rank"));
    }
    list.push((DANGER_SHELTER + 7, "no own pawn stands on the last rank"));
    list.push((KING_STORM + 7, "no enemy pawn stands on his first rank"));
    list.push((KING_STORM + 8 + 7, "no enemy pawn stands on his first rank"));
    list.push((KING_STORM + 8, "a pawn that is stopped exists"));
    list.push((KING_STORM + 8 + 1, "a pawn that stops the second rank is on the first"));
    list
}

/// Visits a position and its variants with a piece added, replaced or removed, or a king moved.
fn family(setup: &Setup, visit: &mut impl FnMut(&Board)) {
    let mut try_it = |setup: &Setup| {
        if let Ok(board) = setup.build() {
            visit(&board);
        }
    };
    try_it(setup);
    // Castling and en passant would make many variants invalid.
    let mut plain = setup.clone();
    plain.castling = CastlingRights::NONE;
    plain.en_passant = None;
    for square in Square::all() {
        let here = plain.squares[square.index()];
        if here.is_some_and(|piece| piece.kind() == PieceType::King) {
            continue;
        }
        let mut other = plain.clone();
        other.squares[square.index()] = None;
        try_it(&other);
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let mut other = plain.clone();
                let piece = Piece::new(color, kind);
                if kind == PieceType::King {
                    for place in &mut other.squares {
                        place.take_if(|old| *old == piece);
                    }
                }
                other.squares[square.index()] = Some(piece);
                try_it(&other);
            }
        }
    }
}

#[test]
fn every_possible_feature_occurs() {
    let mut seen = Seen([vec![false; COUNT], vec![false; COUNT]]);
    for fen in POSITIONS.iter().chain(MORE) {
        let setup = Setup::parse(fen).unwrap();
        for setup in [setup.flipped(), setup] {
            family(&setup, &mut |board| count_features(board, &mut seen));
        }
    }
    let impossible = impossible();
    let mut missing = Vec::new();
    for group in GROUPS {
        for feature in group.start..group.start + group.len {
            let name = format!("{} + {}", group.name, feature - group.start);
            let both = Color::ALL.map(|color| seen.0[color.index()][feature]);
            match impossible.iter().find(|(index, _)| *index == feature) {
                Some((_, reason)) => assert_eq!(both, [false; 2], "{name} occurs, though {reason}"),
                None if both != [true; 2] => missing.push(name),
                None => (),
            }
        }
    }
    assert!(missing.is_empty(), "nothing counts {missing:?}");
}
