//! Evaluation trace: the features that the search adds up, split by term and side. Start at
//! [`trace`].

use crate::board::Board;
use crate::eval::classical::features::{
    BISHOP_PAIR, BLOCKED_CENTER_PAWN, COUNT, DANGER, DOUBLED_PAWN, KING_SHELTER, KNIGHT_MOBILITY,
    KNIGHT_OUTPOST, MATERIAL, PASSED_PAWN, PAWN_ATTACKS_PIECE, PIECE_SQUARE, ROOK_OPEN_FILE, SPACE,
    TEMPO,
};
use crate::eval::classical::tapered::Tapered;
use crate::eval::classical::terms::king_safety::cost;
use crate::eval::classical::weights::WEIGHTS;
use crate::eval::classical::{FeatureSink, count_features, interpolate, phase};
use crate::eval::endgame::{self, scale};
use crate::types::Color;

/// Terms in the order of the weights, each with the index of its first weight.
const TERMS: &[(&str, usize)] = &[
    ("Material", MATERIAL),
    ("Piece-square", PIECE_SQUARE),
    ("Mobility", KNIGHT_MOBILITY),
    ("Imbalance", BISHOP_PAIR),
    ("Pawn structure", DOUBLED_PAWN),
    ("Passed pawns", PASSED_PAWN),
    ("Development", BLOCKED_CENTER_PAWN),
    ("Rooks", ROOK_OPEN_FILE),
    ("Minor pieces", KNIGHT_OUTPOST),
    ("King shelter", KING_SHELTER),
    ("Space", SPACE),
    ("Threats", PAWN_ATTACKS_PIECE),
    ("Tempo", TEMPO),
    ("King safety", DANGER),
];

/// One evaluation term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Name of the term.
    pub name: &'static str,
    /// Scores for White and for Black, each from its own point of view, in centipawns.
    pub sides: [Tapered; 2],
}

/// Evaluation of a position, split into its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalTrace {
    /// Evaluation terms. They do not count towards `total` if `known_endgame` is set.
    pub terms: Vec<Term>,
    /// Game phase, from [`FULL_PHASE`](super::FULL_PHASE) in the opening down to 0.
    pub phase: i32,
    /// Scale factor of the endgame score, out of [`FULL_SCALE`](scale::FULL_SCALE).
    pub scale: i32,
    /// Bonus for driving a king to the edge, in centipawns for White.
    pub mop_up: i32,
    /// Score of a known endgame, in centipawns for White. It replaces the terms.
    pub known_endgame: Option<i32>,
    /// Evaluation that the search uses, in centipawns for White.
    pub total: i32,
}

impl EvalTrace {
    /// Returns the sum of all terms, White minus Black.
    #[must_use]
    pub fn sum(&self) -> Tapered {
        self.terms.iter().fold(Tapered::ZERO, |sum, term| sum + term.sides[0] - term.sides[1])
    }
}

/// Weighted features, by feature and side.
struct Parts([Vec<Tapered>; 2]);

impl FeatureSink for Parts {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.0[color.index()][feature] += WEIGHTS[feature] * count;
    }

    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        self.add(color, feature, count);
    }
}

/// Evaluates `board` and returns every part of the evaluation.
#[must_use]
pub fn trace(board: &Board) -> EvalTrace {
    let nothing = || vec![Tapered::ZERO; COUNT];
    let mut parts = Parts([nothing(), nothing()]);
    count_features(board, &mut parts);
    let ends = TERMS.iter().skip(1).map(|&(_, start)| start).chain([COUNT]);
    let terms = TERMS.iter().zip(ends).map(|(&(name, start), end)| {
        let sides = Color::ALL.map(|color| {
            let weights = &parts.0[color.index()][start..end];
            let sum = weights.iter().fold(Tapered::ZERO, |sum, &weight| sum + weight);
            if start == DANGER { -cost(sum) } else { sum }
        });
        Term { name, sides }
    });
    let mut trace = EvalTrace {
        terms: terms.collect(),
        phase: phase(board),
        scale: 0,
        mop_up: endgame::mop_up(board),
        known_endgame: endgame::known(board),
        total: 0,
    };
    let sum = trace.sum();
    trace.scale = scale::scale(board, sum.endgame());
    trace.total = trace.known_endgame.unwrap_or_else(|| interpolate(board, sum) + trace.mop_up);
    trace
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::features::GROUPS;
    use crate::eval::classical::testing::{board, flipped};
    use crate::eval::evaluate;

    const FENS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "2kr3r/2p2pp1/5q1p/1pnPp3/2p1P2P/P3K1P1/1B2QP2/R6R b - -",
        "8/8/8/3k4/8/8/R3K3/8 w - -",
        "3k4/8/3K4/3P4/8/8/8/8 w - -",
    ];

    #[test]
    fn terms_cover_all_weights_in_order() {
        assert_eq!(TERMS[0].1, 0);
        assert!(TERMS.is_sorted_by(|a, b| a.1 < b.1));
        for (name, start) in TERMS {
            assert!(GROUPS.iter().any(|group| group.start == *start), "{name}");
        }
    }

    #[test]
    fn total_equals_search_evaluation() {
        for fen in FENS {
            let board = board(fen);
            let value = evaluate(&board).value();
            let white = if board.side_to_move() == Color::White { value } else { -value };
            assert_eq!(trace(&board).total, white, "{fen}");
        }
        let [middle_game, _, lone_king, solved] = FENS.map(|fen| trace(&board(fen)));
        assert_eq!((middle_game.mop_up, middle_game.known_endgame), (0, None));
        assert!(lone_king.known_endgame.is_some() || lone_king.mop_up > 0);
        assert_eq!(solved.known_endgame, Some(solved.total));
    }

    #[test]
    fn flipped_colours_swap_sides() {
        for fen in FENS {
            let [this, other] = [board(fen), flipped(&board(fen))].map(|board| trace(&board));
            assert_eq!(this.total, -other.total, "{fen}");
            assert_eq!((this.phase, this.scale), (other.phase, other.scale), "{fen}");
            for (term, mirrored) in this.terms.iter().zip(&other.terms) {
                let [white, black] = mirrored.sides;
                assert_eq!(term.sides, [black, white], "{} of {fen}", term.name);
            }
        }
    }

    #[test]
    fn terms_contain_their_own_features() {
        let term = |fen, name| {
            let trace = trace(&board(fen));
            trace.terms.into_iter().find(|term| term.name == name).unwrap().sides
        };
        // A lone rook: no pawn or minor-piece terms, and the tempo belongs to the side to move.
        let rook = "7k/8/8/8/8/8/8/R6K w - -";
        for name in ["Pawn structure", "Passed pawns", "Minor pieces"] {
            assert_eq!(term(rook, name), [Tapered::ZERO; 2], "{name}");
        }
        assert_eq!(term(rook, "Rooks"), [WEIGHTS[ROOK_OPEN_FILE], Tapered::ZERO]);
        assert_eq!(term(rook, "Tempo"), [WEIGHTS[TEMPO], Tapered::ZERO]);
    }
}
