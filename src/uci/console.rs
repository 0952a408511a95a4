//! Output of a session, and the log of all lines in and out. Start at [`Console::say`].

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Standard output, shared by the session and the search, with an optional log.
#[derive(Clone, Default)]
pub(super) struct Console {
    log: Arc<Mutex<Option<Log>>>,
}

/// An open log file.
struct Log {
    file: File,
    opened: Instant,
}

impl Log {
    fn write(&mut self, direction: &str, text: &str) -> io::Result<()> {
        let seconds = self.opened.elapsed().as_secs_f64();
        let lines = text.lines().map(|line| format!("{seconds:10.3} {direction} {line}\n"));
        self.file.write_all(lines.collect::<String>().as_bytes())
    }
}

impl Console {
    /// Writes `text` and a line break, and flushes them.
    pub(super) fn say(&self, text: &str) -> io::Result<()> {
        self.note("<<", text);
        let mut output = io::stdout().lock();
        writeln!(output, "{text}")?;
        output.flush()
    }

    /// Notes a line of input.
    pub(super) fn heard(&self, line: &str) {
        self.note(">>", line);
    }

    /// Appends all further lines to the file at `path`; an empty path ends the log.
    ///
    /// # Errors
    /// If the file cannot be opened. An open log is closed.
    pub(super) fn open_log(&self, path: &str) -> io::Result<()> {
        *self.log() = None;
        if !path.is_empty() {
            let file = OpenOptions::new().append(true).create(true).open(path)?;
            *self.log() = Some(Log { file, opened: Instant::now() });
        }
        Ok(())
    }

    /// Notes a line. A log that cannot be written ends; the session goes on.
    fn note(&self, direction: &str, text: &str) {
        let mut log = self.log();
        if log.as_mut().is_some_and(|log| log.write(direction, text).is_err()) {
            *log = None;
        }
    }

    fn log(&self) -> MutexGuard<'_, Option<Log>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
