//! Lazy SMP: all threads search the same position with their own histories and exchange results
//! only through the transposition table. At the end they vote on the move. Start at
//! [`ThreadPool::run`].

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::board::Game;
use crate::eval::EvalKind;
use crate::search::level::Level;
use crate::search::limits::Limits;
use crate::search::prober::{Prober, is_useful_below};
use crate::search::report::{Reporter, SearchResult};
use crate::search::smp::control::{Control, Counters};
use crate::search::smp::shared::SearchShared;
use crate::search::smp::worker::Worker;
use crate::search::time::budget;
use crate::search::tt::{Bound, TranspositionTable};
use crate::tablebase::{ProbeRules, Tables};
use crate::types::Score;

/// Position, limits and settings of one search.
pub struct Request<'a> {
    /// Game whose last position is searched.
    pub game: &'a Game,
    /// Limits that end the search.
    pub limits: &'a Limits,
    /// Number of lines to report (`MultiPV`).
    pub multi_pv: usize,
    /// Time reserved for communication with the GUI (`Move Overhead`).
    pub overhead: Duration,
    /// Playing strength.
    pub level: Level,
    /// Seed of a level's mistakes, the same for a whole game.
    pub seed: u64,
    /// Tablebases to probe.
    pub tables: Option<&'a Tables>,
    /// Rules for probing them.
    pub probe_rules: ProbeRules,
}

impl<'a> Request<'a> {
    /// Creates a request for one line at full strength, without overhead or tablebases.
    #[must_use]
    pub fn new(game: &'a Game, limits: &'a Limits) -> Self {
        let (overhead, level) = (Duration::ZERO, Level::full());
        let (tables, probe_rules) = (None, ProbeRules::default());
        Self { game, limits, multi_pv: 1, overhead, level, seed: 0, tables, probe_rules }
    }
}

/// State of the search threads, kept from move to move.
pub struct ThreadPool {
    workers: Vec<Worker>,
    evaluation: EvalKind,
}

impl ThreadPool {
    /// Creates a pool of `threads` threads, at least one.
    #[must_use]
    pub fn new(threads: usize, evaluation: EvalKind) -> Self {
        let worker = |id| Worker::new(id, &evaluation);
        Self { workers: (0..threads.max(1)).map(worker).collect(), evaluation }
    }

    /// Clears the histories of all threads, for a new game.
    pub fn clear_histories(&mut self) {
        self.workers.iter_mut().for_each(Worker::clear_histories);
    }

    /// Returns the number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Searches and sends results to `reporter`. Returns when the search has ended and `bestmove`
    /// may be sent; the caller calls [`Reporter::finished`].
    pub fn run(
        &mut self,
        request: &Request<'_>,
        tt: &TranspositionTable,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        // The levels are calibrated with the classical evaluation.
        let evaluation = match request.level.weakness() {
            None => &self.evaluation,
            Some(_) => &EvalKind::Classical,
        };
        self.workers.iter_mut().for_each(|worker| worker.use_evaluation(evaluation));
        let counters = Counters::new(self.workers.len());
        tt.new_search();
        // `go mate` must find mates, not tablebase wins, and weakened levels must not use
        // tablebases.
        let plays_fully = request.limits.mate.is_none() && request.level.weakness().is_none();
        let tables = request.tables.filter(|_| plays_fully);
        let prober = Prober::new(tables, request.probe_rules);
        let ranking = prober.and_then(|prober| prober.rank(request.game));
        let shared = SearchShared {
            tt,
            control,
            counters: &counters,
            limits: request.limits,
            budget: budget(request.limits, request.overhead),
            game: request.game,
            multi_pv: request.multi_pv.max(1),
            level: request.level,
            seed: request.seed,
            prober: prober.filter(|_| ranking.as_ref().is_none_or(is_useful_below)),
            ranking,
            has_tables: request.tables.is_some(),
            wdl_model: evaluation.wdl_model(),
            wants_reports: reporter.wants_reports(),
            reporter: Mutex::new(reporter),
        };
        for worker in &mut self.workers {
            worker.prepare(&shared);
        }
        if self.workers[0].root_moves.is_empty() {
            report_end_of_game(&shared);
        } else {
            self.search(&shared);
        }
        self.workers[0].wait_for_permission(&shared);
        let best = self.vote(&shared);
        if best.id != 0
            && let Some(root) = best.best()
        {
            // The last line reported must be the one that is played.
            shared.report_line(best.completed_depth, 1, root, Bound::Exact);
        }
        best.best().map_or_else(SearchResult::default, |root| SearchResult {
            best: Some(root.mv),
            ponder: root.pv.get(1).copied(),
            score: root.shown_score(),
            depth: best.completed_depth,
            nodes: counters.total(),
            wdl_model: shared.wdl_model,
        })
    }

    fn search(&mut self, shared: &SearchShared<'_>) {
        let Some((first, helpers)) = self.workers.split_first_mut() else { return };
        // A weakened level searches too few nodes for helpers to be of use.
        let helpers = if shared.level == Level::full() { helpers } else { &mut [] };
        thread::scope(|scope| {
            for helper in helpers {
                let run = move || helper.iterative_deepening(shared);
                // If a thread cannot be started, the others search without it.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            }
            first.iterative_deepening(shared);
            first.wait_for_permission(shared);
            if let Some(time) = first.natural_time(shared) {
                shared.control.wait_until(time);
            }
            shared.control.stop();
        });
    }

    /// Returns the thread whose move is played: the one with the shortest mate or tablebase win, if
    /// any. Otherwise each thread votes for its move with its completed depth as the weight; ties
    /// go to the deepest thread.
    fn vote(&self, shared: &SearchShared<'_>) -> &Worker {
        let first = &self.workers[0];
        if shared.multi_pv > 1 {
            return first;
        }
        let choice = |worker: &Worker| worker.best().map(|root| root.mv);
        let votes = |worker: &Worker| -> u32 {
            let same = self.workers.iter().filter(|other| choice(other) == choice(worker));
            same.map(|other| other.completed_depth).sum()
        };
        let standing = |worker: &&Worker| {
            let win = worker.best().map_or(0, |root| {
                let score = root.known_score();
                if score.is_win() { score.value() } else { 0 }
            });
            (win, votes(worker), worker.completed_depth, usize::MAX - worker.id)
        };
        let finished = self.workers.iter().filter(|worker| worker.completed_depth > 0);
        finished.max_by_key(standing).unwrap_or(first)
    }
}

/// Stack size of a search thread, in bytes. Lines can be long, and debug builds use more per node.
pub(crate) const STACK: usize = 16 << 20;

/// Reports the score of a position without root moves: mate or stalemate.
fn report_end_of_game(shared: &SearchShared<'_>) {
    let score = if shared.game.board().in_check() { Score::mated_in(0) } else { Score::DRAW };
    let info = shared.info(0, score);
    shared.tell(|reporter| reporter.info(&info));
}
