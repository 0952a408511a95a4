//! The UCI session. One thread reads input, one searches and one runs the event loop, so `isready`
//! and `stop` are answered at once during a search. Start at [`run()`].

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::bench::bench;
use crate::board::{Game, Setup};
use crate::engine::Engine;
use crate::eval::{EvalKind, Network, NetworkError};
use crate::notation::UciMove;
use crate::search::{Info, Limits, Reporter, SearchResult, TableTooLarge};
use crate::tablebase::Tables;
use crate::types::Move;
use crate::uci::command::{BenchArguments, Command, GoArguments};
use crate::uci::console::Console;
use crate::uci::format::{
    HELP, best_move_line, board_text, castling_style, compiler_text, eval_text, info_line,
    progress_line, tables_text, write_perft,
};
use crate::uci::genfens::{GenFensError, gen_fens};
use crate::uci::limits::limits;
use crate::uci::options::{CLASSICAL, Change, DEFAULT_HASH, Setting, Settings, Strength, listing};
use crate::uci::own_book::OwnBook;

/// Where a session gets its commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputMode {
    /// Standard input.
    Interactive,
    /// A single line, followed by end of input.
    OneLine(String),
}

/// Why a session ended before its input did.
#[derive(Debug, Error)]
pub enum RunError {
    /// The transposition table could not be allocated.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// Standard output is closed or cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// An event handled by the loop.
enum Event {
    Line(Vec<u8>),
    EndOfInput,
    SearchFinished,
    /// The search thread could not write its output.
    OutputFailed(io::Error),
    /// The input has ended and all its commands are done.
    AllDone,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Continue,
    Quit,
}

/// Executes commands until `quit` or the end of the input. Returns whether every command was
/// accepted.
///
/// # Errors
/// If the first transposition table cannot be allocated, or as soon as output cannot be written: no
/// search may outlive a crashed GUI.
pub fn run(opening: InputMode) -> Result<bool, RunError> {
    let (sender, events) = mpsc::channel();
    let mut session = Session {
        console: Console::default(),
        engine: Engine::new(SMALLEST_HASH)?,
        has_default_hash: false,
        game: Game::default(),
        settings: Settings::default(),
        strength: Strength::default(),
        network: Network::embedded(),
        is_classical: false,
        own_book: OwnBook::default(),
        deferred: VecDeque::new(),
        events: sender.clone(),
        stopped: false,
        bounded: true,
        bounded_when_hit: true,
        input_ended: false,
        quitting: false,
        all_understood: true,
    };
    match opening {
        InputMode::Interactive => {
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                session.console.say(concat!(
                    "Damero ",
                    env!("CARGO_PKG_VERSION"),
                    ", a UCI chess engine; type help for commands"
                ))?;
            }
            thread::spawn(move || read_lines(&sender));
        }
        InputMode::OneLine(line) => {
            // Sending cannot fail: the receiver is still in scope.
            let _ = sender.send(Event::Line(line.into_bytes()));
            let _ = sender.send(Event::EndOfInput);
        }
    }
    session.converse(&events)?;
    Ok(session.all_understood)
}

fn read_lines(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        let event = match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => Event::EndOfInput,
            Ok(_) => Event::Line(bytes),
        };
        let ended = matches!(event, Event::EndOfInput);
        if events.send(event).is_err() || ended {
            return;
        }
    }
}

/// Initial size of the transposition table in MiB. Clearing one of the default size takes longer
/// than everything else up to `uciok`, so it is allocated when the first command needs it.
const SMALLEST_HASH: usize = 1;

/// The state of a session.
#[allow(clippy::struct_excessive_bools)] // independent flags
struct Session {
    console: Console,
    engine: Engine,
    has_default_hash: bool,
    game: Game,
    settings: Settings,
    strength: Strength,
    network: Arc<Network>,
    /// Whether the classical evaluation is used in its place.
    is_classical: bool,
    own_book: OwnBook,
    /// Commands deferred until the search ends.
    deferred: VecDeque<Command>,
    events: Sender<Event>,
    /// Whether the running search was told to stop.
    stopped: bool,
    /// Whether the running search ends by itself.
    bounded: bool,
    /// Whether it will do so after `ponderhit`.
    bounded_when_hit: bool,
    input_ended: bool,
    /// Whether `quit` waits for searches; further input is ignored.
    quitting: bool,
    all_understood: bool,
}

impl Session {
    /// Handles events until the session ends or output fails.
    fn converse(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        for event in events {
            match event {
                Event::Line(_) if self.quitting => {}
                Event::Line(bytes) => match self.answer(&String::from_utf8_lossy(&bytes))? {
                    Flow::Continue => {}
                    Flow::Quit => break,
                },
                Event::EndOfInput => self.end_input()?,
                Event::SearchFinished => self.search_finished()?,
                Event::OutputFailed(error) => return Err(error),
                Event::AllDone => break,
            }
        }
        // A search that is running at `quit` still reports its move.
        self.engine.stop();
        self.engine.wait();
        Ok(())
    }

    fn answer(&mut self, line: &str) -> io::Result<Flow> {
        self.console.heard(line);
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Ok(self.quit()),
            Ok(Some(command)) => self.dispatch(command)?,
            Err(error) => self.refuse(&error)?,
        }
        Ok(Flow::Continue)
    }

    /// Ends the session, after the searches that are waiting. Only the last search is cut short.
    fn quit(&mut self) -> Flow {
        let is_last = !self.deferred.iter().any(|command| {
            matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench(_))
        });
        if !self.engine.is_searching() || is_last {
            return Flow::Quit;
        }
        if !self.bounded {
            self.engine.stop();
        }
        self.quitting = true;
        self.deferred.push_back(Command::Quit);
        Flow::Continue
    }

    fn refuse(&mut self, error: &dyn std::fmt::Display) -> io::Result<()> {
        self.all_understood = false;
        self.console.say(&format!("info string error: {error}"))
    }

    /// Executes a command, or defers it until the search ends.
    fn dispatch(&mut self, command: Command) -> io::Result<()> {
        if self.engine.is_searching() && self.must_wait(&command) {
            self.deferred.push_back(command);
            return Ok(());
        }
        self.execute(command)
    }

    /// Returns whether `command` must wait for the end of the search. Option changes, `ucinewgame`,
    /// `bench` and `go perft` always wait. A `go` waits if the running search is bounded or already
    /// stopped, so commands can be piped in; later commands then wait behind it, except `uci`,
    /// `isready` and `debug`.
    fn must_wait(&mut self, command: &Command) -> bool {
        let go_waits = self.deferred.iter().any(|waiting| matches!(waiting, Command::Go(_)));
        match command {
            Command::SetOption(_)
            | Command::NewGame
            | Command::Bench(_)
            | Command::Perft(_)
            | Command::GenFens(_) => true,
            Command::Go(_) => self.bounded || self.stopped,
            Command::Stop if go_waits => {
                // This `stop` ends the running search and, once executed, the waiting one.
                self.engine.stop();
                true
            }
            Command::Uci | Command::IsReady | Command::Debug(_) => false,
            _ => go_waits,
        }
    }

    /// Executes deferred commands until one must wait again. After the end of input, also stops an
    /// unbounded search and ends the session when all is done.
    fn search_finished(&mut self) -> io::Result<()> {
        while let Some(command) = self.deferred.pop_front() {
            if self.engine.is_searching() && self.must_wait(&command) {
                self.deferred.push_front(command);
                break;
            }
            self.execute(command)?;
        }
        if self.input_ended && !self.bounded {
            self.engine.stop();
        }
        if self.input_ended && !self.engine.is_searching() && self.deferred.is_empty() {
            self.engine.wait();
            // Queued after every event of the search. The loop owns the receiver, so sending cannot
            // fail.
            let _ = self.events.send(Event::AllDone);
        }
        Ok(())
    }

    /// Handles the end of input: a bounded search finishes, any other is stopped.
    fn end_input(&mut self) -> io::Result<()> {
        self.input_ended = true;
        self.search_finished()
    }

    /// Allocates the default transposition table, once, before the first command that may need it.
    fn provide_hash(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_default_hash, true)
            && let Err(error) = self.engine.set_hash(DEFAULT_HASH)
        {
            self.refuse(&format!("{error}; keeping {SMALLEST_HASH} MiB"))?;
        }
        Ok(())
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        if matches!(
            command,
            Command::IsReady | Command::SetOption(_) | Command::NewGame | Command::Go(_)
        ) && !self.engine.is_searching()
        {
            self.provide_hash()?;
        }
        match command {
            Command::Uci => self.console.say(&format!(
                "id name Damero {}\nid author the Damero authors\n{}uciok",
                env!("CARGO_PKG_VERSION"),
                listing()
            ))?,
            Command::IsReady => self.console.say("readyok")?,
            Command::Debug(on) => self.settings.debug = on,
            Command::SetOption(change) => self.set_option(change)?,
            Command::Register => {}
            // Sending cannot fail: the loop owns the receiver.
            Command::Quit => drop(self.events.send(Event::AllDone)),
            Command::NewGame => {
                self.engine.new_game();
                self.own_book.player.new_game();
            }
            Command::Position(game) => self.game = *game,
            Command::Go(arguments) => self.go(&arguments)?,
            Command::Perft(depth) => {
                let mut text = Vec::new();
                write_perft(self.game.board(), depth, 1, None, &mut text)?;
                self.console.say(String::from_utf8_lossy(&text).trim_end())?;
            }
            Command::Stop => {
                self.stopped = true;
                self.engine.stop();
            }
            Command::PonderHit => {
                // After `ponderhit` any limit ends the search.
                self.bounded = self.bounded_when_hit;
                self.engine.ponder_hit();
            }
            Command::Display => self.console.say(&board_text(self.game.board()))?,
            Command::Eval(board) => {
                let board = board.as_deref().unwrap_or_else(|| self.game.board());
                self.console.say(&eval_text(board, &self.evaluation()))?;
            }
            Command::Flip => self.flip()?,
            Command::Bench(arguments) => {
                match run_bench(arguments, self.evaluation(), &self.console) {
                    Ok(()) => {}
                    Err(RunError::Table(error)) => self.refuse(&error)?,
                    Err(RunError::Output(error)) => return Err(error),
                }
            }
            Command::GenFens(arguments) => match gen_fens(&arguments, &self.console) {
                Ok(()) => {}
                Err(GenFensError::Output(error)) => return Err(error),
                Err(error) => self.refuse(&error)?,
            },
            #[cfg(feature = "tuning")]
            Command::Params => self.console.say(&crate::uci::format::params_text())?,
            Command::Compiler => self.console.say(&compiler_text())?,
            Command::Help => self.console.say(HELP)?,
        }
        Ok(())
    }

    fn flip(&mut self) -> io::Result<()> {
        match Setup::from(self.game.board()).flipped().build() {
            Ok(board) => self.game = Game::new(board),
            Err(error) => self.refuse(&error)?,
        }
        Ok(())
    }

    fn set_option(&mut self, change: Change) -> io::Result<()> {
        if let Some(remark) = change.remark {
            self.console.say(&format!("info string {remark}"))?;
        }
        let number = change.number;
        match change.setting {
            Setting::Hash => {
                if let Err(error) = self.engine.set_hash(number as usize) {
                    self.refuse(&format!("{error}; keeping the current one"))?;
                }
            }
            Setting::Threads => self.engine.set_threads(number as usize),
            // Unlike `ucinewgame`, keep the seeds of the book and of a weakened level's mistakes.
            Setting::ClearHash => self.engine.clear(),
            Setting::MultiPv => self.engine.multi_pv = number as usize,
            Setting::MoveOverhead => {
                self.engine.overhead = Duration::from_millis(number as u64);
            }
            Setting::Chess960 => self.settings.chess960 = number != 0,
            Setting::ShowWdl => self.settings.show_wdl = number != 0,
            Setting::LimitStrength => self.strength.limited = number != 0,
            Setting::Elo => self.strength.elo = number as u32,
            Setting::Skill => self.strength.skill = number as u32,
            Setting::DebugLogFile => {
                if let Err(error) = self.console.open_log(&change.text) {
                    let text = format!("Debug Log File: cannot open {}: {error}", change.text);
                    self.refuse(&text)?;
                }
            }
            Setting::Evaluation => {
                self.is_classical = number == CLASSICAL;
                self.apply_evaluation();
            }
            Setting::EvalFile => self.set_network(&change.text)?,
            Setting::SyzygyPath => self.set_tables(&change.text)?,
            Setting::SyzygyProbeDepth => self.engine.probe_rules.depth = number as i32,
            Setting::Syzygy50MoveRule => self.engine.probe_rules.fifty_move_rule = number != 0,
            Setting::SyzygyProbeLimit => self.engine.probe_rules.limit = number as usize,
            #[cfg(feature = "tuning")]
            Setting::Parameter(name) => {
                // Cannot fail: the option list contains the name.
                let _ = crate::search::params::set(name, number as i32);
            }
            Setting::OwnBook => self.own_book.is_on = number != 0,
            Setting::BookFile => {
                if let Err(error) = self.own_book.open(&change.text) {
                    self.refuse(&error)?;
                }
            }
            Setting::BookDepth => self.own_book.player.depth = number as u16,
            Setting::BestBookMove => self.own_book.set_best(number != 0),
            Setting::BookSeed => {
                self.own_book.player.set_seed((number != 0).then_some(number as u64));
            }
            Setting::AnalyseMode => self.own_book.is_analysing = number != 0,
            // The GUI decides whether to ponder. The others are for people to read.
            Setting::Ponder | Setting::EngineAbout | Setting::Opponent => {}
        }
        self.engine.set_level(self.strength.level());
        Ok(())
    }

    /// Loads the network file at `path`; an empty path means the embedded network. If the file is
    /// refused, the network in use stays.
    fn set_network(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            self.network = Network::embedded();
        } else {
            let read = File::open(path).map_err(NetworkError::from).and_then(Network::read);
            match read {
                Ok(network) => {
                    self.console.say(&format!("info string EvalFile: {network}"))?;
                    self.network = Arc::new(network);
                }
                Err(error) => {
                    let text = format!("EvalFile: cannot use {path}: {error}; keeping the network");
                    return self.refuse(&text);
                }
            }
        }
        self.apply_evaluation();
        Ok(())
    }

    fn apply_evaluation(&mut self) {
        self.engine.set_evaluation(self.evaluation());
    }

    /// Returns the static evaluation that the options choose.
    fn evaluation(&self) -> EvalKind {
        if self.is_classical {
            EvalKind::Classical
        } else {
            EvalKind::Network(Arc::clone(&self.network))
        }
    }

    /// Opens the tablebases in `path`; an empty path closes them.
    fn set_tables(&mut self, path: &str) -> io::Result<()> {
        self.engine.set_tables(None);
        if path.is_empty() {
            return Ok(());
        }
        match Tables::open(path) {
            Ok(tables) => {
                self.console.say(&tables_text(&tables))?;
                self.engine.set_tables(Some(Arc::new(tables)));
                Ok(())
            }
            Err(error) => self.refuse(&format!("SyzygyPath: {error}")),
        }
    }

    fn go(&mut self, arguments: &GoArguments) -> io::Result<()> {
        let (limits, illegal) = match limits(arguments, self.game.board()) {
            Ok(limits) => limits,
            Err(error) => return self.refuse(&error),
        };
        if self.engine.is_searching() {
            return self.refuse(&crate::engine::GoError::Busy);
        }
        for remark in &arguments.remarks {
            self.console.say(&format!("info string {remark}"))?;
        }
        for error in illegal {
            self.console.say(&format!("info string go: {error}; ignored"))?;
        }
        if limits.search_moves.is_empty() && !arguments.search_moves.is_empty() {
            self.console.say("info string go: no legal searchmoves; searching all moves")?;
        }
        if let Some(answer) = self.own_book.answer(&self.game, &limits, self.settings) {
            // Let the previous search print its `bestmove` first.
            self.engine.wait();
            return self.console.say(&answer);
        }
        let bounded = limits.is_bounded();
        let bounded_when_hit = Limits { ponder: false, ..limits.clone() }.is_bounded();
        let pondering_since = limits.ponder.then(Instant::now);
        let (settings, events) = (self.settings, self.events.clone());
        let console = self.console.clone();
        let listener = UciReporter { console, settings, events, pondering_since };
        match self.engine.go(self.game.clone(), limits, Box::new(listener)) {
            Ok(()) => {
                (self.bounded, self.bounded_when_hit) = (bounded, bounded_when_hit);
                self.stopped = false;
                Ok(())
            }
            Err(error) => self.refuse(&error),
        }
    }
}

/// Prints search reports as UCI lines.
struct UciReporter {
    console: Console,
    settings: Settings,
    events: Sender<Event>,
    /// Start of a search that began by pondering. Reported times count from here, as nodes do,
    /// while the search restarts its clock at `ponderhit`.
    pondering_since: Option<Instant>,
}

impl UciReporter {
    /// Writes a line. On failure the loop ends the search; if the loop has already ended, the
    /// failure is ignored.
    fn say(&self, text: &str) {
        if let Err(error) = self.console.say(text) {
            let _ = self.events.send(Event::OutputFailed(error));
        }
    }

    fn time(&self, time: Duration) -> Duration {
        self.pondering_since.map_or(time, |since| since.elapsed())
    }
}

impl Reporter for UciReporter {
    fn info(&mut self, info: &Info<'_>) {
        let time = self.time(info.time);
        self.say(&info_line(&Info { time, ..*info }, self.settings));
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let mv = UciMove::new(mv, castling_style(self.settings));
        self.say(&format!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }

    fn progress(&mut self, nodes: u64, time: Duration) {
        self.say(&progress_line(nodes, self.time(time)));
    }

    fn finished(&mut self, result: &SearchResult) {
        // Send the event first: commands that the GUI sends in reply to `bestmove` must come after
        // it, so that deferred commands are executed by then. Sending fails only if the loop has
        // ended.
        let _ = self.events.send(Event::SearchFinished);
        self.say(&best_move_line(result, self.settings));
    }
}

fn run_bench(
    arguments: BenchArguments,
    evaluation: EvalKind,
    console: &Console,
) -> Result<(), RunError> {
    let BenchArguments { depth, threads, hash } = arguments;
    let result = bench(depth, threads, hash, evaluation, |index, fen, nodes| {
        console
            .say(&format!("position {:2}: {nodes:9} nodes  {fen}", index + 1))
            .map_err(RunError::Output)
    })?;
    let seconds = result.time.as_secs_f64().max(1e-9);
    console.say(&format!("{} nodes {:.0} nps", result.nodes, result.nodes as f64 / seconds))?;
    Ok(())
}
