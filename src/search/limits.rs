//! What a search may use: depth, nodes, time.

use std::time::Duration;

use crate::types::Move;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added, if that is agreed.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. Without any limit it ends when it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Nodes; on one thread never exceeded.
    pub nodes: Option<u64>,
    /// No new iteration after so many nodes of the first thread.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock, from which time for this move is taken.
    pub clock: Option<Clock>,
    /// Answer only when stopped, even if everything is searched.
    pub infinite: bool,
    /// Think on the opponent's time: as if infinite until the expected move is played.
    pub ponder: bool,
    /// Consider only these moves, if there are any.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Just a depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Just a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Just a time.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Does the search end by itself?
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.clock.is_some();
        limited && !self.infinite && !self.ponder
    }
}
