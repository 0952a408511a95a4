//! The search tree: one node from its draws and cutoffs to its move loop. Start at
//! [`Worker::search`](node).

pub(super) mod margins;
pub(super) mod move_loop;
pub(super) mod node;
pub(super) mod node_pruning;
pub(super) mod qsearch;
