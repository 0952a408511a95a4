//! The evaluation as one search thread uses it. Start at [`Evaluator`].

use std::sync::Arc;

use crate::board::Board;
use crate::eval::classical::pawn_cache::PawnCache;
use crate::eval::network::accumulator::Accumulators;
use crate::eval::network::parameters::Network;
use crate::eval::wdl_model::WdlModel;
use crate::eval::{classical, endgame};
use crate::types::{Color, Move, Score};

/// The choice between the two static evaluations.
#[derive(Clone, Debug)]
pub enum EvalKind {
    /// A network.
    Network(Arc<Network>),
    /// Weighted features, which explain themselves.
    Classical,
}

impl Default for EvalKind {
    fn default() -> Self {
        Self::Network(Network::embedded())
    }
}

impl PartialEq for EvalKind {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Network(one), Self::Network(other)) => one.checksum() == other.checksum(),
            (Self::Classical, Self::Classical) => true,
            _ => false,
        }
    }
}

impl EvalKind {
    /// Returns the curve from its scores to the chances of a win and a loss.
    #[must_use]
    pub fn wdl_model(&self) -> WdlModel {
        match self {
            Self::Network(network) => network.wdl_model(),
            Self::Classical => WdlModel::CLASSICAL,
        }
    }
}

/// The static evaluation of one search thread, with its caches.
///
/// It is told of the root and of every move of the current line, by ply, so that an evaluation can
/// be computed from that of an earlier ply. Nothing is taken back: a ply that is reached again by
/// another move overwrites what was there.
pub struct Evaluator {
    evaluation: EvalKind,
    /// `None` for the classical evaluation.
    network: Option<(Arc<Network>, Accumulators)>,
    pawn_cache: PawnCache,
}

impl Evaluator {
    /// Creates an evaluator.
    #[must_use]
    pub fn new(evaluation: &EvalKind) -> Self {
        let network = match evaluation {
            EvalKind::Network(network) => Some((Arc::clone(network), Accumulators::new(network))),
            EvalKind::Classical => None,
        };
        Self { evaluation: evaluation.clone(), network, pawn_cache: PawnCache::default() }
    }

    /// Returns the evaluation in use.
    #[must_use]
    pub fn evaluation(&self) -> &EvalKind {
        &self.evaluation
    }

    /// Starts a line at `board`, which becomes ply 0.
    pub fn reset(&mut self, board: &Board) {
        if let Some((network, accumulators)) = &mut self.network {
            accumulators.reset(network, board);
        }
    }

    /// Takes note that `mv`, or a null move for `None`, leads from ply `ply` to `child`.
    #[inline]
    pub fn play(&mut self, ply: usize, mv: Option<Move>, child: &Board) {
        if let Some((_, accumulators)) = &mut self.network {
            accumulators.play(ply, mv, child);
        }
    }

    /// Returns the static evaluation of `board`, at ply `ply` of the current line, for the side to
    /// move.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, ply: usize, board: &Board) -> Score {
        endgame::with_knowledge(board, || match &mut self.network {
            Some((network, accumulators)) => {
                let score = accumulators.evaluate(network, ply, board);
                if board.side_to_move() == Color::White { score } else { -score }
            }
            None => classical::score_cached(board, &mut self.pawn_cache),
        })
    }
}
