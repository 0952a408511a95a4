//! State that all threads of one search share. Start at [`SearchShared`].

use std::sync::{Mutex, PoisonError};

use crate::board::Game;
use crate::search::level::Level;
use crate::search::limits::Limits;
use crate::search::prober::Prober;
use crate::search::report::Reporter;
use crate::search::smp::control::{Control, Counters};
use crate::search::time::Budget;
use crate::search::tt::TranspositionTable;
use crate::tablebase::Ranking;

/// State that all threads of one search share.
pub(crate) struct SearchShared<'a> {
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) control: &'a Control,
    pub(crate) counters: &'a Counters,
    pub(crate) limits: &'a Limits,
    pub(crate) budget: Option<Budget>,
    pub(crate) game: &'a Game,
    pub(crate) multi_pv: usize,
    pub(crate) level: Level,
    /// Seed of a level's mistakes.
    pub(crate) seed: u64,
    /// Tablebase prober for positions below the root.
    pub(crate) prober: Option<Prober<'a>>,
    /// Tablebase ranking of the root moves.
    pub(crate) ranking: Option<Ranking>,
    /// Whether tablebases are loaded, so that `tbhits` is reported.
    pub(crate) has_tables: bool,
    /// Used by the main thread only.
    pub(crate) reporter: Mutex<&'a mut dyn Reporter>,
}

impl SearchShared<'_> {
    /// Calls `message` with the reporter.
    pub(crate) fn tell(&self, message: impl FnOnce(&mut dyn Reporter)) {
        let mut reporter = self.reporter.lock().unwrap_or_else(PoisonError::into_inner);
        message(&mut **reporter);
    }

    /// Returns the tablebase hits of all threads, or `None` without tablebases.
    pub(crate) fn tb_hits(&self) -> Option<u64> {
        self.has_tables.then(|| self.counters.tb_hits())
    }
}
