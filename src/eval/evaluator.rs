//! The evaluation as one search thread uses it. Start at [`Evaluator`].

use crate::board::Board;
use crate::eval::classical::pawn_cache::PawnCache;
use crate::eval::wdl_model::WdlModel;
use crate::eval::{classical, endgame};
use crate::types::{Move, Score};

/// The static evaluation of one search thread, with its caches.
///
/// It is told of the root and of every move of the current line, by ply, so that an evaluation can
/// be computed from that of an earlier ply. Nothing is taken back: a ply that is reached again by
/// another move overwrites what was there.
#[derive(Default)]
pub struct Evaluator {
    pawn_cache: PawnCache,
}

impl Evaluator {
    /// Returns the curve from this evaluation's scores to the chances of a win and a loss.
    #[must_use]
    pub fn wdl_model(&self) -> WdlModel {
        WdlModel::CLASSICAL
    }

    /// Starts a line at `board`, which becomes ply 0.
    pub fn reset(&mut self, _board: &Board) {}

    /// Takes note that `mv`, or a null move for `None`, leads from ply `ply` to `child`.
    #[inline]
    pub fn play(&mut self, _ply: usize, _mv: Option<Move>, _child: &Board) {}

    /// Returns the static evaluation of `board`, at ply `ply` of the current line, for the side to
    /// move.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, _ply: usize, board: &Board) -> Score {
        endgame::with_knowledge(board, || classical::score_cached(board, &mut self.pawn_cache))
    }
}
