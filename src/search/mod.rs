//! Layer 4: search. Negamax alpha-beta with a shared transposition table, on one thread or many
//! (Lazy SMP). Start at `ThreadPool::run`.
//!
//! | folder | contents |
//! |---|---|
//! | `tree/` | one node: whole-node pruning, the move loop, quiescence search |
//! | `ordering/` | the move picker and the histories that order and correct |
//! | `smp/` | threads: iterative deepening, the state of one worker, control from outside |

mod level;
mod limits;
mod ordering;
pub mod params;
mod prober;
mod report;
mod smp;
mod time;
mod tree;
pub(crate) mod tt;
mod upcoming_repetition;

pub use level::{Level, Weakness};
pub use limits::{Clock, Limits};
pub use report::{Info, NullReporter, Reporter, SearchResult};
pub use tt::{Bound, TableTooLarge};

pub(crate) use smp::control::Control;
pub(crate) use smp::thread_pool::{Request, STACK, ThreadPool};
pub(crate) use tt::TranspositionTable;

/// What the tests and benchmarks need from the inside of the search.
pub(crate) mod internals {
    pub use super::ordering::history::{Histories, HistoryContext, PawnHistoryIndex, PieceTo};
    pub use super::ordering::move_picker::MovePicker;
    pub use super::smp::control::Control;
    pub use super::smp::thread_pool::{Request, ThreadPool};
    pub use super::tt::TranspositionTable;
}
