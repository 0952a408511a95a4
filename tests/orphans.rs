//! The engine must not outlive its GUI, whatever it is doing.

#![cfg(feature = "cli")]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// Generous for a loaded machine; reached only if something is broken.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time after which a process that should have ended counts as an orphan.
const DEADLINE: Duration = Duration::from_secs(10);

/// The engine process and its standard error. The GUI holds the other ends of its input and output.
struct Engine {
    child: Child,
    errors: PipeReader,
}

impl Engine {
    fn start(arguments: &[&str], input: impl Into<Stdio>, output: impl Into<Stdio>) -> Self {
        let (errors, errors_writer) = pipe().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_damero"))
            .args(arguments)
            .stdin(input)
            .stdout(output)
            .stderr(errors_writer)
            .spawn()
            .unwrap();
        Self { child, errors }
    }

    /// Waits for the process to end. Returns its exit status and standard error.
    fn wait(&mut self) -> (ExitStatus, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < DEADLINE, "the engine is still running");
            thread::sleep(Duration::from_millis(50));
        };
        let mut errors = String::new();
        self.errors.read_to_string(&mut errors).unwrap();
        (status, errors)
    }

    fn ends_quietly(&mut self) {
        let (status, errors) = self.wait();
        assert!(status.success() && errors.is_empty(), "{status}: {errors}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads up to a line that starts with `beginning`. Returns the line and the reader.
fn read_until(
    beginning: &'static str,
    mut reader: BufReader<PipeReader>,
) -> (String, BufReader<PipeReader>) {
    let (sender, found) = channel();
    thread::spawn(move || {
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
            if line.starts_with(beginning) {
                let _ = sender.send((line, reader));
                return;
            }
            line.clear();
        }
    });
    found.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no line begins with {beginning:?}"))
}

/// Starts a search and waits for a line that starts with `beginning`. Returns the engine with its
/// input and output.
fn start_search(
    position: &str,
    go: &str,
    beginning: &'static str,
) -> (Engine, PipeWriter, BufReader<PipeReader>) {
    let (engine_input, mut input) = pipe().unwrap();
    let (output, engine_output) = pipe().unwrap();
    let engine = Engine::start(&[], engine_input, engine_output);
    writeln!(input, "position {position}\ngo {go}").unwrap();
    let (_, output) = read_until(beginning, BufReader::new(output));
    (engine, input, output)
}

#[cfg(unix)]
#[test]
fn killed_gui_leaves_no_search_behind() {
    let (engine_input, gui_output) = pipe().unwrap();
    let (gui_input, engine_output) = pipe().unwrap();
    let (gui_errors, gui_errors_writer) = pipe().unwrap();
    let mut engine = Engine::start(&[], engine_input, engine_output);
    // The script uses built-ins only, so no other process holds the engine's pipes.
    let script = "echo position startpos; echo go depth 60; \
        while read -r line; do echo \"$line\" >&2; done";
    let mut gui = Command::new("sh")
        .args(["-c", script])
        .stdin(gui_input)
        .stdout(gui_output)
        .stderr(gui_errors_writer)
        .spawn()
        .unwrap();
    read_until("info depth 6 ", BufReader::new(gui_errors));
    // On Unix this is SIGKILL.
    gui.kill().unwrap();
    gui.wait().unwrap();
    engine.ends_quietly();
}

#[test]
fn closed_pipes_end_a_long_search() {
    let (mut engine, input, output) = start_search("startpos", "movetime 600000", "info depth 6 ");
    drop((input, output));
    engine.ends_quietly();
}

#[test]
fn closed_output_ends_an_infinite_search() {
    let (mut engine, _input, output) = start_search("startpos", "infinite", "info depth 6 ");
    drop(output);
    engine.ends_quietly();
}

/// In a stalemate there is nothing to search: the engine sleeps until `stop`.
#[test]
fn closed_output_ends_a_search_that_waits_for_stop() {
    let stalemate = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let (mut engine, _input, output) = start_search(stalemate, "infinite", "info depth 0 ");
    drop(output);
    engine.ends_quietly();
}

/// Asserts that progress lines keep coming and are well formed.
fn assert_progress(mut output: BufReader<PipeReader>) -> BufReader<PipeReader> {
    for _ in 0..2 {
        let (line, rest) = read_until("info nodes ", output);
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["info", "nodes", nodes, "nps", per_second, "time", time] = words[..] else {
            panic!("{line}")
        };
        for number in [nodes, per_second, time] {
            assert!(number.parse::<u64>().is_ok_and(|number| number > 0), "{line}");
        }
        output = rest;
    }
    output
}

#[test]
fn long_search_reports_progress() {
    let (mut engine, mut input, output) = start_search("startpos", "infinite", "info depth 6 ");
    let output = assert_progress(output);
    writeln!(input, "stop\nquit").unwrap();
    read_until("bestmove ", output);
    engine.ends_quietly();
}

#[test]
fn progress_is_reported_after_end_of_input() {
    let (mut engine, input, output) = start_search("startpos", "movetime 600000", "info depth 6 ");
    drop(input);
    drop(assert_progress(output));
    engine.ends_quietly();
}

#[test]
fn closed_output_ends_every_command_quietly() {
    for line in [
        "--help",
        "--version",
        "help",
        "eval",
        "bench 2",
        "perft 3",
        "go perft 3",
        "go depth 6",
        "go depth 60",
        "magics",
        "book show",
        "nonsense",
    ] {
        let (_, output) = pipe().unwrap();
        let arguments: Vec<&str> = line.split(' ').collect();
        let mut engine = Engine::start(&arguments, Stdio::null(), output);
        let (status, errors) = engine.wait();
        assert!(status.success() && errors.is_empty(), "{line}: {status}: {errors}");
    }
    for line in ["uci", "isready", "d", "nonsense", "setoption name Hash value 0", "go depth 60"] {
        let (engine_input, mut input) = pipe().unwrap();
        let (_, output) = pipe().unwrap();
        let mut engine = Engine::start(&[], engine_input, output);
        writeln!(input, "{line}").unwrap();
        // The input is still open.
        engine.ends_quietly();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    for line in ["eval", "bench 2", "perft 3", "go depth 6"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let arguments: Vec<&str> = line.split(' ').collect();
        let (status, errors) = Engine::start(&arguments, Stdio::null(), full).wait();
        assert_eq!(status.code(), Some(1), "{line}: {errors}");
        assert!(errors.starts_with("error: ") && errors.lines().count() == 1, "{line}: {errors}");
    }
}
