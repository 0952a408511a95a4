//! Layer 5: [`Engine`], a facade over the search that does no text I/O. Results go to a
//! [`Reporter`], which is called on another thread.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use thiserror::Error;

use crate::board::Game;
use crate::eval::EvalKind;
use crate::search::{
    Control, Level, Limits, Reporter, Request, STACK, SearchResult, TableTooLarge, ThreadPool,
    TranspositionTable,
};
use crate::tablebase::{ProbeRules, Tables};

/// Why a search was not started.
#[derive(Debug, Error)]
pub enum GoError {
    /// Another search is running.
    #[error("a search is already running; stop it first")]
    Busy,
    /// [`Engine::search`] was given limits that would never end the search.
    #[error("a blocking search needs a limit")]
    Endless,
    /// The search thread could not be started.
    #[error("cannot start the search thread: {0}")]
    NoThread(#[from] std::io::Error),
}

/// A chess engine. Its transposition table and threads are kept from move to move.
///
/// ```
/// use damero::board::Game;
/// use damero::engine::Engine;
/// use damero::search::{Limits, Reporter, SearchResult};
///
/// struct Print;
/// impl Reporter for Print {
///     fn finished(&mut self, result: &SearchResult) {
///         assert!(result.best.is_some());
///     }
/// }
///
/// let mut engine = Engine::new(1).unwrap();
/// engine.go(Game::default(), Limits::depth(4), Box::new(Print)).unwrap();
/// engine.wait();
/// ```
pub struct Engine {
    control: Arc<Control>,
    table: Arc<TranspositionTable>,
    pool: Arc<Mutex<ThreadPool>>,
    /// Set from `go` until just before the result is reported.
    busy: Arc<AtomicBool>,
    running: Option<JoinHandle<()>>,
    level: Level,
    /// Level at which the tables were filled.
    tables_of: Level,
    evaluation: EvalKind,
    /// Number of games begun; seeds the mistakes of a weakened level.
    games: u64,
    endgame_tables: Option<Arc<Tables>>,
    /// When and how tablebases are probed.
    pub probe_rules: ProbeRules,
    /// Number of principal variations to report.
    pub multi_pv: usize,
    /// Time reserved per move for communication with the GUI.
    pub overhead: Duration,
}

impl Engine {
    /// Default overhead.
    pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

    /// Creates an engine with one thread and a transposition table of `hash` MiB.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(hash: usize) -> Result<Self, TableTooLarge> {
        let evaluation = EvalKind::default();
        Ok(Self {
            control: Arc::new(Control::default()),
            table: Arc::new(TranspositionTable::new(hash)?),
            pool: Arc::new(Mutex::new(ThreadPool::new(1, evaluation.clone()))),
            busy: Arc::new(AtomicBool::new(false)),
            running: None,
            level: Level::full(),
            tables_of: Level::full(),
            evaluation,
            games: 0,
            endgame_tables: None,
            probe_rules: ProbeRules::default(),
            multi_pv: 1,
            overhead: Self::DEFAULT_OVERHEAD,
        })
    }

    /// Starts to search the last position of `game` on other threads and returns at once.
    ///
    /// # Errors
    /// If a search is running, or no thread can be started.
    pub fn go(
        &mut self,
        game: Game,
        limits: Limits,
        mut reporter: Box<dyn Reporter>,
    ) -> Result<(), GoError> {
        if self.is_searching() {
            return Err(GoError::Busy);
        }
        self.wait();
        // `go mate`: full strength at every level.
        let level = if limits.mate.is_some() { Level::full() } else { self.level };
        self.keep_tables_for(level);
        let seed = self.games;
        self.busy.store(true, SeqCst);
        self.control.start(limits.ponder);
        let (control, table) = (Arc::clone(&self.control), Arc::clone(&self.table));
        let (pool, busy) = (Arc::clone(&self.pool), Arc::clone(&self.busy));
        let (multi_pv, overhead) = (self.multi_pv, self.overhead);
        let (tables, probe_rules) = (self.endgame_tables.clone(), self.probe_rules);
        let search = move || {
            let request = Request {
                game: &game,
                limits: &limits,
                multi_pv,
                overhead,
                level,
                seed,
                tables: tables.as_deref(),
                probe_rules,
            };
            // Cleared before the result is reported, so the next search can be requested at once.
            // The guard clears it even if the reporter panics.
            let busy = Busy(busy);
            let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
            let result = pool.run(&request, &table, &control, reporter.as_mut());
            drop((pool, busy));
            reporter.finished(&result);
        };
        match thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(search) {
            Ok(handle) => {
                self.running = Some(handle);
                Ok(())
            }
            Err(error) => {
                self.busy.store(false, SeqCst);
                Err(error.into())
            }
        }
    }

    /// Searches the last position of `game` and waits for the result. To search in the background,
    /// use [`Self::go`].
    ///
    /// # Errors
    /// If `limits` would never end the search, a search is running, or no thread can be started.
    pub fn search(&mut self, game: Game, limits: Limits) -> Result<SearchResult, GoError> {
        if !limits.is_bounded() {
            return Err(GoError::Endless);
        }
        let (sender, receiver) = mpsc::channel();
        self.go(game, limits, Box::new(Messenger(sender)))?;
        self.wait();
        // A search that panicked sends no result.
        Ok(receiver.try_recv().unwrap_or_default())
    }

    /// Returns whether a search is running.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.busy.load(SeqCst)
    }

    /// Stops the search as soon as possible; its result is reported as usual.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Ends pondering: the opponent has played the expected move, and the clock starts now.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits until the search has ended and its result has been reported.
    pub fn wait(&mut self) {
        if let Some(handle) = self.running.take() {
            // A panic in the search leaves nothing to report.
            let _ = handle.join();
        }
    }

    /// Resizes the transposition table to `mebibytes` MiB. A new size clears it; on failure the old
    /// table is kept. Waits for a running search to end, as do the other changes below.
    ///
    /// # Errors
    /// If the new table cannot be allocated.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TableTooLarge> {
        self.wait();
        if self.table.mebibytes() != mebibytes {
            self.table = Arc::new(TranspositionTable::new(mebibytes)?);
        }
        Ok(())
    }

    /// Changes the number of threads. A new number clears the threads' histories.
    pub fn set_threads(&mut self, threads: usize) {
        self.wait();
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.threads() != threads {
            *pool = ThreadPool::new(threads, self.evaluation.clone());
        }
    }

    /// Changes the static evaluation at full strength, and clears everything learnt with another.
    pub fn set_evaluation(&mut self, evaluation: EvalKind) {
        self.wait();
        if self.evaluation == evaluation {
            return;
        }
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        *pool = ThreadPool::new(pool.threads(), evaluation.clone());
        drop(pool);
        self.evaluation = evaluation;
        self.clear();
    }

    /// Sets the tablebases to probe; `None` removes them.
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.wait();
        self.endgame_tables = tables;
    }

    /// Clears the transposition table and the threads' histories. On one thread and at full
    /// strength, the next search then gives the same result as the first search of a new engine.
    pub fn clear(&mut self) {
        self.wait();
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        self.table.clear(pool.threads());
        pool.clear_histories();
    }

    /// Starts a new game: clears all tables and gives a weakened level new mistakes.
    pub fn new_game(&mut self) {
        self.games = self.games.wrapping_add(1);
        self.clear();
    }

    /// Sets the playing strength. The mistakes of a weakened level depend on the level and on the
    /// number of calls of [`Self::new_game`]: the same calls give the same moves, unless a clock
    /// interferes, and every game differs.
    pub fn set_level(&mut self, level: Level) {
        self.level = level;
        self.keep_tables_for(level);
    }

    /// Clears the tables if they were filled at another level, whose results `level` must not use.
    fn keep_tables_for(&mut self, level: Level) {
        if std::mem::replace(&mut self.tables_of, level) != level {
            self.clear();
        }
    }
}

/// Marks a search as running; clears the mark on drop.
struct Busy(Arc<AtomicBool>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, SeqCst);
    }
}

/// Sends the result to [`Engine::search`].
struct Messenger(Sender<SearchResult>);

impl Reporter for Messenger {
    fn finished(&mut self, result: &SearchResult) {
        // Cannot fail: `search` keeps the receiver until the thread has ended.
        let _ = self.0.send(result.clone());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}
