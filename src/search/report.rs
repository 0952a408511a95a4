//! What a search tells, and to whom.

use std::time::Duration;

use crate::types::{Move, Score};

/// What a score means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

impl Bound {
    pub(super) const fn bits(self) -> u64 {
        match self {
            Self::Exact => 3,
            Self::Lower => 2,
            Self::Upper => 1,
        }
    }

    pub(super) const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            3 => Self::Exact,
            2 => Self::Lower,
            _ => Self::Upper,
        }
    }
}

/// One line of thought.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: usize,
    /// Which of the best lines, from 1.
    pub multi_pv: usize,
    /// Its score.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub per_mille_full: usize,
    /// Positions found in endgame tables, by all threads so far; `None` without tables.
    pub tb_hits: Option<u64>,
    /// The line.
    pub pv: &'a [Move],
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The move to play, if there is a legal one.
    pub best: Option<Move>,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// The last iteration that was finished.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// Listens to a search. Every method may be left as it is.
pub trait Reporter: Send {
    /// A line of thought.
    fn info(&mut self, _info: &Info<'_>) {}
    /// A move at the root is being looked at; `number` counts from 1.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}
    /// Called once a second after the first few seconds of a search, even if nothing is new. `nodes`
    /// is the total of all threads.
    fn progress(&mut self, _nodes: u64, _time: Duration) {}
    /// The search is over.
    fn finished(&mut self, _result: &SearchResult) {}
}

/// Listens to nothing.
pub struct Silent;

impl Reporter for Silent {}
