//! Search threads: the pool, the state of one worker, its iterations, and control from outside.

pub(super) mod control;
pub(super) mod iterative_deepening;
pub(super) mod key_history;
pub(super) mod root_move;
pub(super) mod shared;
pub(super) mod stack;
pub(super) mod thread_pool;
pub(super) mod worker;
