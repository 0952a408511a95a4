//! Layer 3: static evaluation. Start at [`evaluate`], or in the search at `Evaluator`.
//!
//! | module | contents |
//! |---|---|
//! | `evaluator` | the evaluation as the search uses it, told of every move |
//! | `classical/` | weighted features, which explain themselves |
//! | `network/` | the learnt evaluation |
//! | `endgame/` | known results and drawish material, on top of either evaluation |
//! | `wdl_model` | from a score to the chances of a win, a draw and a loss |

pub(crate) mod classical;
mod endgame;
pub(crate) mod evaluator;
pub(crate) mod network;
mod spans;
mod wdl_model;

pub use classical::tapered::Tapered;
pub use classical::trace::{EvalTrace, Term, trace};
pub use classical::{FULL_PHASE, phase};
pub use endgame::scale::FULL_SCALE;
pub use evaluator::EvalKind;
pub(crate) use network::kernels::version as kernel_version;
pub use network::parameters::{Network, NetworkError};
pub use network::self_test::SelfTest;
pub use network::trace::NetworkTrace;
pub use wdl_model::WdlModel;

// For the tuner: the features of the classical evaluation and how they add up.
pub(crate) use classical::terms::king_safety::{ENDGAME_DIVISOR, SQUARE_DIVISOR};
pub(crate) use classical::{
    FeatureSink, count_features, endgame_scale, features, middle_game_scale, weights,
};
pub(crate) use evaluator::Evaluator;

use crate::board::Board;
use crate::types::Score;

/// Returns the static evaluation of `board` for the side to move, computed from scratch.
#[must_use]
pub fn evaluate(board: &Board) -> Score {
    endgame::with_knowledge(board, || classical::score(board))
}

/// Returns the score of an endgame that is known without evaluation, in centipawns for White.
#[must_use]
pub(crate) fn known_endgame(board: &Board) -> Option<i32> {
    endgame::known(board)
}

/// Returns whether the evaluation comes from features alone, without a known endgame or a mop-up
/// bonus.
#[must_use]
pub(crate) fn is_made_of_features(board: &Board) -> bool {
    known_endgame(board).is_none() && endgame::mop_up(board) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use classical::{features, weights::WEIGHTS};

    #[test]
    fn starting_position_is_worth_the_tempo() {
        let tempo = WEIGHTS[features::TEMPO].middle_game();
        assert_eq!(evaluate(&Board::starting_position()), Score::cp(tempo));
    }

    /// Rook and bishop against rook, rook against bishop, and opposite-coloured bishops with one
    /// pawn: hardly ever won, even with an attack.
    #[test]
    fn drawish_material_scores_near_zero() {
        for fen in [
            "3k4/R7/3B4/3K4/7r/8/8/8 b - - 0 1",
            "k7/8/1K6/8/8/8/7b/6R1 w - - 0 1",
            "8/8/2K5/3B4/8/p5b1/1k6/8 w - - 0 1",
        ] {
            let value = evaluate(&Board::from_fen(fen).unwrap()).value();
            assert!(value.abs() < 100, "{fen}: {value}");
        }
    }

    #[test]
    fn known_endgame_is_not_made_of_features() {
        for (fen, linear) in [
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", false),
            ("8/4p3/4k3/8/4K3/4P3/8/8 w - - 0 1", true),
        ] {
            assert_eq!(is_made_of_features(&Board::from_fen(fen).unwrap()), linear, "{fen}");
        }
        let drawn = Board::from_fen("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1").unwrap();
        assert_eq!(evaluate(&drawn), Score::DRAW);
    }
}
