//! What the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a running search is told what to do. Lives as long as the engine.
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the clock began to run, in microseconds after `origin`.
    started: AtomicU64,
    origin: Instant,
    signal: Condvar,
    lock: Mutex<()>,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            started: AtomicU64::new(0),
            origin: Instant::now(),
            signal: Condvar::new(),
            lock: Mutex::new(()),
        }
    }
}

impl Control {
    /// Prepares for a new search; its clock begins to run.
    pub fn start(&self, ponder: bool) {
        self.stop.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
        self.restart_clock();
    }

    fn restart_clock(&self) {
        self.started.store(self.origin.elapsed().as_micros() as u64, Relaxed);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.notify();
    }

    /// The expected move was played: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.restart_clock();
        self.pondering.store(false, Relaxed);
        self.notify();
    }

    fn notify(&self) {
        // The lock makes sure that nobody falls asleep between looking and waiting.
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.signal.notify_all();
    }

    /// Has the search been told to end?
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Is the opponent's time being used?
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Time since the clock began to run.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let started = Duration::from_micros(self.started.load(Relaxed));
        self.origin.elapsed().saturating_sub(started)
    }

    /// Waits until an answer may be given, for `stop` or only for the end of pondering, but at most
    /// for `time`. Returns whether it may be given.
    #[must_use]
    pub fn wait_for_permission(&self, infinite: bool, time: Duration) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let must_wait = |(): &mut ()| !self.is_stopped() && (infinite || self.is_pondering());
        let (_guard, wait) = self
            .signal
            .wait_timeout_while(guard, time, must_wait)
            .unwrap_or_else(PoisonError::into_inner);
        !wait.timed_out()
    }

    /// Waits until the clock has run for so long, or for `stop`.
    pub(super) fn wait_until(&self, time: Duration) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() {
            let left = time.saturating_sub(self.elapsed());
            if left.is_zero() {
                break;
            }
            guard = self.signal.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// What all threads count, each in a cache line of its own.
pub(super) struct Counters(Vec<Counter>);

#[derive(Default)]
#[repr(align(64))]
struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl Counters {
    pub(super) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| Counter::default()).collect())
    }

    pub(super) fn set(&self, thread: usize, nodes: u64, tb_hits: u64) {
        self.0[thread].nodes.store(nodes, Relaxed);
        self.0[thread].tb_hits.store(tb_hits, Relaxed);
    }

    /// Nodes of all threads.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// Positions that all threads found in endgame tables.
    pub(super) fn tb_hits(&self) -> u64 {
        self.0.iter().map(|counter| counter.tb_hits.load(Relaxed)).sum()
    }
}
