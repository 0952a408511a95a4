//! State shared by the threads of a search: the [`Control`] of the search and its counters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Controls a running search: `stop`, ponder hits and the clock. Lives as long as the engine.
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// The start of the clock, in microseconds after `origin`.
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
    /// Prepares for a new search and starts its clock.
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

    /// Ends pondering because the expected move was played, and restarts the clock. Does nothing
    /// unless the search is pondering.
    pub fn ponder_hit(&self) {
        if !self.is_pondering() {
            return;
        }
        self.restart_clock();
        self.pondering.store(false, Relaxed);
        self.notify();
    }

    fn notify(&self) {
        // Holding the lock prevents a lost wake-up between a waiter's check and its wait.
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.signal.notify_all();
    }

    /// Returns whether the search has been stopped.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns whether the search is pondering, on the opponent's time.
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Returns the time since the clock started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let started = Duration::from_micros(self.started.load(Relaxed));
        self.origin.elapsed().saturating_sub(started)
    }

    /// Waits until `bestmove` may be sent: for `stop` if `infinite`, otherwise for `stop` or the
    /// end of pondering. Returns whether it may be sent; false if `time` ran out first.
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

    /// Waits until the clock has run for `time`, or until `stop`.
    pub(crate) fn wait_until(&self, time: Duration) {
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

/// Counters of all threads, each aligned to a cache line to avoid false sharing.
pub(crate) struct Counters(Vec<Counter>);

#[derive(Default)]
#[repr(align(64))]
struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl Counters {
    pub(crate) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| Counter::default()).collect())
    }

    pub(crate) fn set(&self, thread: usize, nodes: u64, tb_hits: u64) {
        self.0[thread].nodes.store(nodes, Relaxed);
        self.0[thread].tb_hits.store(tb_hits, Relaxed);
    }

    /// Returns the nodes searched by all threads.
    pub(crate) fn total(&self) -> u64 {
        self.0.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// Returns the tablebase hits of all threads.
    pub(crate) fn tb_hits(&self) -> u64 {
        self.0.iter().map(|counter| counter.tb_hits.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ponder_hit_restarts_the_clock_only_while_pondering() {
        let control = Control::default();
        for (ponders, restarts) in [(true, true), (false, false)] {
            control.start(ponders);
            std::thread::sleep(Duration::from_millis(20));
            control.ponder_hit();
            assert_eq!(control.elapsed() < Duration::from_millis(20), restarts);
            assert!(!control.is_pondering());
        }
    }
}
