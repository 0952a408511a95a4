//! Lazy SMP: every thread searches the same position with its own tables, and they meet in the
//! transposition table. At the end the threads vote.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use super::level::Level;
use super::limits::Limits;
use super::prober::{Prober, is_useful_below};
use super::report::{Bound, Info, Reporter, SearchResult};
use super::shared::{Control, Counters};
use super::time::budget;
use super::tt::Table;
use super::worker::{Task, Worker};
use crate::board::Game;
use crate::tablebase::{ProbeRules, Tables};
use crate::types::Score;

/// What is to be searched, and how.
pub struct Request<'a> {
    /// The game; its last position is searched.
    pub game: &'a Game,
    /// When to end.
    pub limits: &'a Limits,
    /// How many of the best lines are wanted.
    pub multi_pv: usize,
    /// What the way to and from the GUI may cost.
    pub overhead: Duration,
    /// How strong an opponent is wanted.
    pub level: Level,
    /// What the mistakes of a level follow from; the same for a whole game.
    pub seed: u64,
    /// Endgame tables to use.
    pub tables: Option<&'a Tables>,
    /// When to ask them.
    pub probe_rules: ProbeRules,
}

impl<'a> Request<'a> {
    /// One line, at full strength, with nothing lost on the way.
    #[must_use]
    pub fn new(game: &'a Game, limits: &'a Limits) -> Self {
        let (overhead, level) = (Duration::ZERO, Level::full());
        let (tables, probe_rules) = (None, ProbeRules::default());
        Self { game, limits, multi_pv: 1, overhead, level, seed: 0, tables, probe_rules }
    }
}

/// The threads' memories, kept from move to move.
pub struct Pool {
    workers: Vec<Worker>,
}

impl Pool {
    /// So many threads; at least one.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { workers: (0..threads.max(1)).map(Worker::new).collect() }
    }

    /// Forgets what was learnt, for a new game.
    pub fn forget(&mut self) {
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Searches, and reports what it finds. Returns when the search has ended and an answer may be
    /// given; [`Reporter::finished`] is left to the caller.
    pub fn run(
        &mut self,
        request: &Request<'_>,
        table: &Table,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let counters = Counters::new(self.workers.len());
        table.new_search();
        // Who asks for a mate wants mates, not wins that are known; and a level that knows endgames
        // by heart is none.
        let plays_fully = request.limits.mate.is_none() && request.level.weakness().is_none();
        let tables = request.tables.filter(|_| plays_fully);
        let prober = Prober::new(tables, request.probe_rules);
        let ranking = prober.and_then(|prober| prober.rank(request.game));
        let task = Task {
            table,
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
            reporter: Mutex::new(reporter),
        };
        for worker in &mut self.workers {
            worker.prepare(&task);
        }
        if self.workers[0].root_moves.is_empty() {
            report_end_of_game(&task);
        } else {
            self.search(&task);
        }
        self.workers[0].wait_for_permission(&task);
        let best = self.vote(&task);
        if best.id != 0
            && let Some(root) = best.best()
        {
            // The line that is played is the last one that is told.
            let info = Info {
                depth: best.completed_depth,
                seldepth: root.seldepth,
                multi_pv: 1,
                score: root.shown_score(),
                bound: Bound::Exact,
                nodes: counters.total(),
                time: control.elapsed(),
                per_mille_full: table.per_mille_full(),
                tb_hits: task.tb_hits(),
                pv: &root.pv,
            };
            task.tell(|reporter| reporter.info(&info));
        }
        best.best().map_or_else(SearchResult::default, |root| SearchResult {
            best: Some(root.mv),
            ponder: root.pv.get(1).copied(),
            score: root.shown_score(),
            depth: best.completed_depth,
            nodes: counters.total(),
        })
    }

    fn search(&mut self, task: &Task<'_>) {
        let Some((first, helpers)) = self.workers.split_first_mut() else { return };
        // Below full strength there is not enough to do for helpers.
        let helpers = if task.level == Level::full() { helpers } else { &mut [] };
        thread::scope(|scope| {
            for helper in helpers {
                let run = move || helper.deepen(task);
                // A thread that cannot be started leaves the work to the others.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            }
            first.deepen(task);
            first.wait_for_permission(task);
            if let Some(time) = first.natural_time(task) {
                task.control.wait_until(time);
            }
            task.control.stop();
        });
    }

    /// The thread whose move is played: the one with the shortest proven mate or win
    /// by endgame tables; otherwise each votes
    /// for its move with the depth it has reached, and among equals the deepest speaks.
    fn vote(&self, task: &Task<'_>) -> &Worker {
        let first = &self.workers[0];
        if task.multi_pv > 1 {
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

/// A node's frame is small, but the line may be long; builds for debugging need more.
pub(crate) const STACK: usize = 16 << 20;

/// Mate or stalemate on the board: there is a score, but no move.
fn report_end_of_game(task: &Task<'_>) {
    let score = if task.game.board().in_check() { Score::mated_in(0) } else { Score::DRAW };
    let info = Info {
        depth: 0,
        seldepth: 0,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: task.control.elapsed(),
        per_mille_full: 0,
        tb_hits: task.tb_hits(),
        pv: &[],
    };
    task.tell(|reporter| reporter.info(&info));
}
