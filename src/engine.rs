//! Floor 5: a facade without text. Set it up, let it go, stop it, wait for it; what it finds comes
//! to a [`Reporter`] on another thread.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use thiserror::Error;

use crate::board::Game;
use crate::search::{
    Control, Level, Limits, Pool, Reporter, Request, STACK, SearchResult, Table, TableTooLarge,
};
use crate::tablebase::{ProbeRules, Tables};

/// Why a search was not begun.
#[derive(Debug, Error)]
pub enum GoError {
    /// Another one is running.
    #[error("a search is running already; stop it first")]
    Busy,
    /// It would be waited for, and nothing would end it.
    #[error("a search that is waited for needs a limit")]
    Endless,
    /// The system gave no thread.
    #[error("no thread could be started: {0}")]
    NoThread(#[from] std::io::Error),
}

/// An engine: tables and threads that live from move to move.
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
    table: Arc<Table>,
    pool: Arc<Mutex<Pool>>,
    /// True from `go` until just before the result is reported.
    busy: Arc<AtomicBool>,
    running: Option<JoinHandle<()>>,
    level: Level,
    /// The level whose findings are in the tables.
    tables_of: Level,
    /// How many games were begun: what the mistakes of a level follow from.
    games: u64,
    endgame_tables: Option<Arc<Tables>>,
    /// When endgame tables are asked, if there are any.
    pub probe_rules: ProbeRules,
    /// How many of the best lines are wanted.
    pub multi_pv: usize,
    /// What the way to and from the GUI may cost.
    pub overhead: Duration,
}

impl Engine {
    /// The overhead that is assumed unless somebody says otherwise.
    pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

    /// An engine with one thread and a hash table of this size in MiB.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(hash: usize) -> Result<Self, TableTooLarge> {
        Ok(Self {
            control: Arc::new(Control::default()),
            table: Arc::new(Table::new(hash)?),
            pool: Arc::new(Mutex::new(Pool::new(1))),
            busy: Arc::new(AtomicBool::new(false)),
            running: None,
            level: Level::full(),
            tables_of: Level::full(),
            games: 0,
            endgame_tables: None,
            probe_rules: ProbeRules::default(),
            multi_pv: 1,
            overhead: Self::DEFAULT_OVERHEAD,
        })
    }

    /// Begins to search the game's last position on other threads and returns at once.
    ///
    /// # Errors
    /// If a search is running, or no thread can be had.
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
        // Who asks for a mate wants the truth.
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
            // Whoever hears the result may ask for the next search at once; and so may somebody
            // whose reporter panicked.
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

    /// Searches the game's last position and waits for the result. For a game that must not stand
    /// still meanwhile, there is [`Self::go`].
    ///
    /// # Errors
    /// If the limits would let it search for ever, a search is running, or no thread can be had.
    pub fn search(&mut self, game: Game, limits: Limits) -> Result<SearchResult, GoError> {
        if !limits.is_bounded() {
            return Err(GoError::Endless);
        }
        let (sender, receiver) = mpsc::channel();
        self.go(game, limits, Box::new(Messenger(sender)))?;
        self.wait();
        // A search that panicked has found nothing.
        Ok(receiver.try_recv().unwrap_or_default())
    }

    /// Is a search running?
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.busy.load(SeqCst)
    }

    /// Ends the search as soon as possible; its result is reported as usual.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent has played the move that was pondered on: the clock runs from now.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits until the search has ended and its result was reported.
    pub fn wait(&mut self) {
        if let Some(handle) = self.running.take() {
            // A search that panicked has nothing more to report.
            let _ = handle.join();
        }
    }

    /// Changes the size of the hash table, in MiB. The old one is kept if that fails. Waits for the
    /// end of a running search, as all changes do.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TableTooLarge> {
        self.wait();
        if self.table.mebibytes() != mebibytes {
            self.table = Arc::new(Table::new(mebibytes)?);
        }
        Ok(())
    }

    /// Changes the number of threads. What they have learnt is forgotten.
    pub fn set_threads(&mut self, threads: usize) {
        self.wait();
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.threads() != threads {
            *pool = Pool::new(threads);
        }
    }

    /// Gives the engine endgame tables, or takes them away.
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.wait();
        self.endgame_tables = tables;
    }

    /// Forgets everything that searches have learnt, in the hash table and in the threads' own
    /// tables. On one thread, the next search finds what the first search of a new engine finds.
    pub fn forget(&mut self) {
        self.wait();
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        self.table.clear(pool.threads());
        pool.forget();
    }

    /// Begins another game: forgets everything, and lets a level make other mistakes.
    pub fn new_game(&mut self) {
        self.games = self.games.wrapping_add(1);
        self.forget();
    }

    /// Chooses how strong an opponent is wanted. Its mistakes follow from the level and from how
    /// many games were begun with [`Self::new_game`]: the same calls lead to the same moves, as
    /// long as no clock interferes, and the next game is another one.
    pub fn set_level(&mut self, level: Level) {
        self.level = level;
        self.keep_tables_for(level);
    }

    /// What one level has found must not be known to another.
    fn keep_tables_for(&mut self, level: Level) {
        if std::mem::replace(&mut self.tables_of, level) != level {
            self.forget();
        }
    }
}

/// As long as it lives, a search is running.
struct Busy(Arc<AtomicBool>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, SeqCst);
    }
}

/// Sends a result to whoever waits for it.
struct Messenger(Sender<SearchResult>);

impl Reporter for Messenger {
    fn finished(&mut self, result: &SearchResult) {
        // Somebody waits until this has been done.
        let _ = self.0.send(result.clone());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}
