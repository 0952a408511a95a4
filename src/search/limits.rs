//! Limits of a search: depth, nodes, time and root moves. Start at [`Limits`].

use std::time::Duration;

use crate::types::Move;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search. Without any, it runs until it is stopped or reaches the maximum depth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum iteration depth, in plies.
    pub depth: Option<u32>,
    /// Hard node limit for all threads together; a single thread never exceeds it.
    pub nodes: Option<u64>,
    /// Soft limit for the main thread's nodes, checked between iterations.
    pub soft_nodes: Option<u64>,
    /// Stop after an iteration whose score is a mate, for either side, in at most this many moves.
    pub mate: Option<u32>,
    /// Fixed time for this move.
    pub move_time: Option<Duration>,
    /// The clock from which time for this move is allotted.
    pub clock: Option<Clock>,
    /// Answer only when stopped, even if the search is complete.
    pub infinite: bool,
    /// Ponder: search on the opponent's time, as if infinite, until the expected move is played.
    pub ponder: bool,
    /// Root moves to search; empty for all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Returns limits of a maximum depth only, in plies.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns limits of a hard node limit only.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns limits of a fixed time only.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Returns whether the search ends by itself: it has a limit and is neither infinite nor
    /// pondering.
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
