//! Progress of long tasks: a bar on a terminal, plain lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Minimum time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Progress of a task, on standard error so that results stay clean.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    unit: &'static str,
    /// Time of the last plain line; `None` on a terminal.
    plain: Option<Mutex<Instant>>,
}

impl Progress {
    pub(super) fn new(total: u64, unit: &'static str) -> Self {
        let terminal = io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(total) } else { ProgressBar::hidden() };
        bar.set_length(total);
        let template = "{bar:30} {pos}/{len} {prefix} [{elapsed} < {eta}] {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(unit);
        let plain = (!terminal).then(|| Mutex::new(Instant::now()));
        Self { bar, started: Instant::now(), unit, plain }
    }

    pub(super) fn advance(&self, by: u64, message: &str) {
        self.bar.inc(by);
        match &self.plain {
            None => self.bar.set_message(message.to_owned()),
            Some(last) => {
                let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if last.elapsed() >= INTERVAL {
                    *last = Instant::now();
                    self.write_line(message);
                }
            }
        }
    }

    fn write_line(&self, message: &str) {
        let (done, total) = (self.done(), self.bar.length().unwrap_or_default());
        let left = self.seconds() / done.max(1) as f64 * total.saturating_sub(done) as f64;
        // A progress line that cannot be written is not an error.
        let _ = writeln!(
            io::stderr(),
            "{done}/{total} {} in {:.0} s, {left:.0} s left, {message}",
            self.unit,
            self.seconds()
        );
    }

    /// Prints a line without disturbing the bar.
    pub(super) fn say(&self, line: &str) {
        // A line that cannot be written is not an error.
        self.bar.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }

    pub(super) fn done(&self) -> u64 {
        self.bar.position()
    }

    pub(super) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
