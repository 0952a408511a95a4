//! Layer 4: search. Negamax alpha-beta with a shared transposition table, on one thread or many
//! (Lazy SMP). Start at [`Pool::run`].

mod correction;
mod cutoffs;
mod cycles;
mod deepen;
mod history;
mod kinds;
mod level;
mod limits;
mod moves;
mod node;
pub mod params;
mod picker;
mod pool;
mod prober;
mod pruning;
mod quiescence;
mod report;
mod shared;
mod time;
mod tt;
mod worker;

pub use correction::CorrectionHistory;
pub use history::{Circumstances, Histories, PieceTo, Structure};
pub use level::{Level, Weakness};
pub use limits::{Clock, Limits};
pub use picker::Picker;
pub(crate) use pool::STACK;
pub use pool::{Pool, Request};
pub use report::{Bound, Info, Reporter, SearchResult, Silent};
pub use shared::Control;
pub use time::{Budget, budget};
pub use tt::{Entry, Table, TableTooLarge};
