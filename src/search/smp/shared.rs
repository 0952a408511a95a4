//! State that all threads of one search share. Start at [`SearchShared`].

use std::sync::{Mutex, PoisonError};

use crate::board::Game;
use crate::eval::WdlModel;
use crate::search::level::Level;
use crate::search::limits::Limits;
use crate::search::prober::Prober;
use crate::search::report::{Info, Reporter};
use crate::search::smp::control::{Control, Counters};
use crate::search::smp::root_move::RootMove;
use crate::search::time::Budget;
use crate::search::tt::{Bound, TranspositionTable};
use crate::tablebase::Ranking;
use crate::types::{MAX_PLY, Score};

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
    /// What the scores of the evaluation in use mean.
    pub(crate) wdl_model: WdlModel,
    /// Whether the reporter wants more than the result.
    pub(crate) wants_reports: bool,
    /// Used by the main thread only.
    pub(crate) reporter: Mutex<&'a mut dyn Reporter>,
}

impl SearchShared<'_> {
    /// Calls `message` with the reporter.
    pub(crate) fn tell(&self, message: impl FnOnce(&mut dyn Reporter)) {
        let mut reporter = self.reporter.lock().unwrap_or_else(PoisonError::into_inner);
        message(&mut **reporter);
    }

    /// Returns a report of `score` at `depth` without a line.
    pub(crate) fn info(&self, depth: u32, score: Score) -> Info<'static> {
        Info {
            depth,
            seldepth: 0,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes: self.counters.total(),
            time: self.control.elapsed(),
            per_mille_full: self.tt.per_mille_full(),
            tb_hits: self.tb_hits(),
            pv: &[],
            wdl_model: self.wdl_model,
        }
    }

    /// Reports the line of `root`, which is the `multi_pv`th best.
    pub(crate) fn report_line(&self, depth: u32, multi_pv: usize, root: &RootMove, bound: Bound) {
        let info = Info {
            seldepth: root.seldepth.min(MAX_PLY),
            multi_pv,
            bound,
            pv: &root.pv,
            ..self.info(depth, root.shown_score())
        };
        self.tell(|reporter| reporter.info(&info));
    }

    /// Returns the tablebase hits of all threads, or `None` without tablebases.
    pub(crate) fn tb_hits(&self) -> Option<u64> {
        self.has_tables.then(|| self.counters.tb_hits())
    }
}
