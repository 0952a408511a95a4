//! Search output: [`Info`], [`SearchResult`] and the [`Reporter`] that receives them.

use std::time::Duration;

use crate::eval::WdlModel;
use crate::search::tt::Bound;
use crate::types::{Move, Score};

/// A principal variation with its statistics: one UCI `info` line.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The iteration depth, in plies.
    pub depth: u32,
    /// The selective depth: the deepest ply reached, with the root as ply 1.
    pub seldepth: usize,
    /// The rank of this line among the best ones, from 1.
    pub multi_pv: usize,
    /// The score of the line, for the side to move at the root.
    pub score: Score,
    /// How the score bounds the true score.
    pub bound: Bound,
    /// Nodes searched by all threads so far.
    pub nodes: u64,
    /// The time since the search's clock started.
    pub time: Duration,
    /// The occupancy of the transposition table, in per mille.
    pub per_mille_full: usize,
    /// Tablebase hits of all threads so far; `None` without tablebases.
    pub tb_hits: Option<u64>,
    /// The moves of the line.
    pub pv: &'a [Move],
    /// What scores mean: the curve of the evaluation in use.
    pub wdl_model: WdlModel,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// The depth of the last completed iteration, in plies.
    pub depth: u32,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// What scores mean: the curve of the evaluation in use.
    pub wdl_model: WdlModel,
}

/// Receives the output of a search. By default every method does nothing.
pub trait Reporter: Send {
    /// Returns whether anything but the result is wanted.
    fn wants_reports(&self) -> bool {
        true
    }
    /// Called with each principal variation.
    fn info(&mut self, _info: &Info<'_>) {}
    /// Called when the search of root move `mv` starts, after the first few seconds of a search.
    /// `number` counts root moves from 1.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}
    /// Called once a second after the first few seconds of a search, even without other output.
    /// `nodes` is the total of all threads.
    fn progress(&mut self, _nodes: u64, _time: Duration) {}
    /// Called with the result when the search is over.
    fn finished(&mut self, _result: &SearchResult) {}
}

/// A reporter that ignores all output.
pub struct NullReporter;

impl Reporter for NullReporter {
    fn wants_reports(&self) -> bool {
        false
    }
}
