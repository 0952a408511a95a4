//! The loop. One thread reads lines, one searches, and this one decides; so it answers `isready`
//! and `stop` at once whatever the search is doing.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::command::{BenchArguments, Command, GoArguments};
use super::format::{
    HELP, best_move_line, board_text, castling_style, eval_text, info_line, progress_line,
    tables_text, write_perft,
};
use super::options::{Change, DEFAULT_HASH, Setting, Settings, Strength, listing};
use super::own_book::OwnBook;
use crate::bench::bench;
use crate::board::{Board, Game, Setup};
use crate::engine::Engine;
use crate::notation::{IllegalUciMove, UciMove};
use crate::search::{Clock, Info, Limits, Reporter, SearchResult, TableTooLarge};
use crate::tablebase::Tables;
use crate::types::Move;

/// How a session begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opening {
    /// Lines come from standard input.
    Interactive,
    /// There is one line, and then the input ends.
    OneLine(String),
}

/// Why a session ended before its input did.
#[derive(Debug, Error)]
pub enum RunError {
    /// There is not enough memory for the first hash table.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// Nobody reads the output any more, or it cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// What the loop waits for.
enum Event {
    Line(Vec<u8>),
    EndOfInput,
    SearchFinished,
    /// The search could not write.
    OutputFailed(io::Error),
    /// The input has ended, and all that it asked for is done.
    AllDone,
}

/// Whether the loop goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Continue,
    Quit,
}

/// Writes a line at once.
fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    output.flush()
}

/// Reads commands until `quit` or the end of the input. Returns whether all were understood.
///
/// # Errors
/// If there is not enough memory for the first hash table, or as soon as the output cannot be
/// written: a GUI that has crashed must not leave a search behind.
pub fn run(opening: Opening) -> Result<bool, RunError> {
    let (sender, events) = mpsc::channel();
    let mut session = Session {
        engine: Engine::new(SMALLEST_HASH)?,
        has_default_hash: false,
        game: Game::default(),
        settings: Settings::default(),
        strength: Strength::default(),
        own_book: OwnBook::default(),
        deferred: VecDeque::new(),
        events: sender.clone(),
        stopped: false,
        bounded: true,
        bounded_when_hit: true,
        input_ended: false,
        all_understood: true,
    };
    match opening {
        Opening::Interactive => {
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                say(concat!(
                    "Damero ",
                    env!("CARGO_PKG_VERSION"),
                    ", a UCI chess engine; try help"
                ))?;
            }
            thread::spawn(move || read_lines(&sender));
        }
        Opening::OneLine(line) => {
            // The receiver is right here.
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

/// The hash table that a session begins with, in MiB. Clearing one of the default size takes longer
/// than everything else until `uciok`, so that waits until somebody needs more than an introduction.
const SMALLEST_HASH: usize = 1;

/// What lasts from one command to the next.
#[allow(clippy::struct_excessive_bools)] // four facts that have nothing to do with each other
struct Session {
    engine: Engine,
    has_default_hash: bool,
    game: Game,
    settings: Settings,
    strength: Strength,
    own_book: OwnBook,
    /// Commands that wait for the end of the search.
    deferred: VecDeque<Command>,
    events: Sender<Event>,
    /// Was the running search told to end?
    stopped: bool,
    /// Does the running search end by itself?
    bounded: bool,
    /// And would it, once the move that is pondered on was played?
    bounded_when_hit: bool,
    input_ended: bool,
    all_understood: bool,
}

impl Session {
    /// Goes from event to event until there is nothing left to do, or nobody to tell.
    fn converse(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        for event in events {
            match event {
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
        // A search that is running when `quit` comes still has an answer.
        self.engine.stop();
        self.engine.wait();
        Ok(())
    }

    fn answer(&mut self, line: &str) -> io::Result<Flow> {
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Ok(Flow::Quit),
            Ok(Some(command)) => self.dispatch(command)?,
            Err(error) => self.refuse(&error)?,
        }
        Ok(Flow::Continue)
    }

    fn refuse(&mut self, error: &dyn std::fmt::Display) -> io::Result<()> {
        self.all_understood = false;
        say(&format!("info string error: {error}"))
    }

    /// Carries a command out now, or keeps it until the search has ended.
    fn dispatch(&mut self, command: Command) -> io::Result<()> {
        if self.engine.is_searching() && self.must_wait(&command) {
            self.deferred.push_back(command);
            return Ok(());
        }
        self.execute(command)
    }

    /// Must a command wait for the end of the search? A `go` waits for a search that is about to
    /// end, so that commands can be piped in; whatever follows it then waits behind it.
    fn must_wait(&mut self, command: &Command) -> bool {
        let go_waits = self.deferred.iter().any(|waiting| matches!(waiting, Command::Go(_)));
        match command {
            Command::SetOption(_) | Command::NewGame | Command::Bench(_) | Command::Perft(_) => {
                true
            }
            Command::Go(_) => self.bounded || self.stopped,
            Command::Stop if go_waits => {
                // It ends the search that runs, and the one that waits.
                self.engine.stop();
                true
            }
            Command::Uci | Command::IsReady | Command::Debug(_) => false,
            _ => go_waits,
        }
    }

    /// Carries out what has waited, as far as it need not wait any longer.
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
            // This comes after whatever the search has sent. The receiver is in the loop.
            let _ = self.events.send(Event::AllDone);
        }
        Ok(())
    }

    /// A search that ends by itself is waited for, any other is stopped and answered.
    fn end_input(&mut self) -> io::Result<()> {
        self.input_ended = true;
        self.search_finished()
    }

    /// Gives the engine its hash table, before the first command that may need one.
    fn provide_hash(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_default_hash, true)
            && let Err(error) = self.engine.set_hash(DEFAULT_HASH)
        {
            self.refuse(&format!("{error}; a smaller one is used"))?;
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
            Command::Uci => say(&format!(
                "id name Damero {}\nid author the Damero authors\n{}uciok",
                env!("CARGO_PKG_VERSION"),
                listing()
            ))?,
            Command::IsReady => say("readyok")?,
            Command::Debug(on) => self.settings.debug = on,
            Command::SetOption(change) => self.set_option(change)?,
            Command::Register | Command::Quit => {}
            Command::NewGame => {
                self.engine.new_game();
                self.own_book.player.new_game();
            }
            Command::Position(game) => self.game = *game,
            Command::Go(arguments) => self.go(&arguments)?,
            Command::Perft(depth) => {
                let mut output = io::stdout().lock();
                write_perft(self.game.board(), depth, 1, None, &mut output)?;
                output.flush()?;
            }
            Command::Stop => {
                self.stopped = true;
                self.engine.stop();
            }
            Command::PonderHit => {
                // Once the expected move is played, the search ends by itself if a clock runs.
                self.bounded = self.bounded_when_hit;
                self.engine.ponder_hit();
            }
            Command::Display => say(&board_text(self.game.board()))?,
            Command::Eval(board) => {
                say(&eval_text(board.as_deref().unwrap_or_else(|| self.game.board())))?;
            }
            Command::Flip => self.flip()?,
            Command::Bench(arguments) => match run_bench(arguments) {
                Ok(()) => {}
                Err(RunError::Table(error)) => self.refuse(&error)?,
                Err(RunError::Output(error)) => return Err(error),
            },
            #[cfg(feature = "tuning")]
            Command::Params => say(&super::format::params_text())?,
            Command::Help => say(HELP)?,
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
            say(&format!("info string {remark}"))?;
        }
        let number = change.number;
        match change.setting {
            Setting::Hash => {
                if let Err(error) = self.engine.set_hash(number as usize) {
                    self.refuse(&format!("{error}; the old one is kept"))?;
                }
            }
            Setting::Threads => self.engine.set_threads(number as usize),
            // The game goes on: its book and a level's mistakes stay what they are.
            Setting::ClearHash => self.engine.forget(),
            Setting::MultiPv => self.engine.multi_pv = number as usize,
            Setting::MoveOverhead => {
                self.engine.overhead = Duration::from_millis(number as u64);
            }
            Setting::Chess960 => self.settings.chess960 = number != 0,
            Setting::ShowWdl => self.settings.show_wdl = number != 0,
            Setting::LimitStrength => self.strength.limited = number != 0,
            Setting::Elo => self.strength.elo = number as u32,
            Setting::Skill => self.strength.skill = number as u32,
            Setting::SyzygyPath => self.set_tables(&change.text)?,
            Setting::SyzygyProbeDepth => self.engine.probe_rules.depth = number as i32,
            Setting::Syzygy50MoveRule => self.engine.probe_rules.fifty_move_rule = number != 0,
            Setting::SyzygyProbeLimit => self.engine.probe_rules.limit = number as usize,
            #[cfg(feature = "tuning")]
            Setting::Parameter(name) => {
                // The list of options has it, and its value is in range.
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
            // The GUI decides whether to ponder.
            Setting::Ponder => {}
        }
        self.engine.set_level(self.strength.level());
        Ok(())
    }

    /// Opens the endgame tables of a path; without one there are none any more.
    fn set_tables(&mut self, path: &str) -> io::Result<()> {
        self.engine.set_tables(None);
        if path.is_empty() {
            return Ok(());
        }
        match Tables::open(path) {
            Ok(tables) => {
                say(&tables_text(&tables))?;
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
            say(&format!("info string {remark}"))?;
        }
        for error in illegal {
            say(&format!("info string go: {error}; it is left out"))?;
        }
        if let Some(answer) = self.own_book.answer(&self.game, &limits, self.settings) {
            // The answer before is said first.
            self.engine.wait();
            return say(&answer);
        }
        let bounded = limits.is_bounded();
        let bounded_when_hit = Limits { ponder: false, ..limits.clone() }.is_bounded();
        let pondering_since = limits.ponder.then(Instant::now);
        let (settings, events) = (self.settings, self.events.clone());
        let listener = Listener { settings, events, pondering_since };
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

/// From words to limits, for the side that is to move, and what was wrong with moves among others.
/// It is an error if no move is left.
fn limits(
    arguments: &GoArguments,
    board: &Board,
) -> Result<(Limits, Vec<IllegalUciMove>), IllegalUciMove> {
    let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
    for mv in &arguments.search_moves {
        match mv.to_move(board) {
            Ok(mv) => search_moves.push(mv),
            Err(error) => illegal.push(error),
        }
    }
    if search_moves.is_empty() && !illegal.is_empty() {
        return Err(illegal.swap_remove(0));
    }
    let (us, them) = (board.side_to_move().index(), (!board.side_to_move()).index());
    // One clock given alone counts for both sides; an increment alone is a clock that is empty.
    let left = arguments.time[us].or(arguments.time[them]);
    let increment = arguments.increment[us].unwrap_or_default();
    let clock = (left.is_some() || arguments.increment[us].is_some()).then(|| Clock {
        left: left.unwrap_or(increment),
        increment: if left.is_some() { increment } else { Duration::ZERO },
        moves_to_go: arguments.moves_to_go,
    });
    // A mate that is not there is looked for some plies further, and not for ever.
    let mate_depth = arguments.mate.map(|moves| (2 * moves + 6).min(127));
    let alone = arguments.depth.is_none() && clock.is_none() && arguments.move_time.is_none();
    let limits = Limits {
        depth: arguments.depth.or(mate_depth.filter(|_| alone && arguments.nodes.is_none())),
        nodes: arguments.nodes,
        soft_nodes: None,
        mate: arguments.mate,
        move_time: arguments.move_time,
        clock,
        infinite: arguments.infinite || is_unlimited(arguments, clock.is_some()),
        ponder: arguments.ponder,
        search_moves,
    };
    Ok((limits, illegal))
}

fn is_unlimited(arguments: &GoArguments, clock: bool) -> bool {
    !clock
        && !arguments.ponder
        && arguments.depth.is_none()
        && arguments.nodes.is_none()
        && arguments.mate.is_none()
        && arguments.move_time.is_none()
}

/// Hears what the search has to say, and says it.
struct Listener {
    settings: Settings,
    events: Sender<Event>,
    /// When the search began, if that was on the opponent's time: the nodes count from there, while
    /// the search counts time from `ponderhit` on.
    pondering_since: Option<Instant>,
}

impl Listener {
    /// Writes a line. If that fails, the loop ends the search; if the loop has ended, nobody needs
    /// to know.
    fn say(&self, text: &str) {
        if let Err(error) = say(text) {
            let _ = self.events.send(Event::OutputFailed(error));
        }
    }

    fn time(&self, time: Duration) -> Duration {
        self.pondering_since.map_or(time, |since| since.elapsed())
    }
}

impl Reporter for Listener {
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
        // First the event: what the GUI sends when it has read the answer must come after it, so
        // that what was kept for the end of the search is done by then. If the loop has ended,
        // nobody needs to know.
        let _ = self.events.send(Event::SearchFinished);
        self.say(&best_move_line(result, self.settings));
    }
}

fn run_bench(arguments: BenchArguments) -> Result<(), RunError> {
    let BenchArguments { depth, threads, hash } = arguments;
    let result = bench(depth, threads, hash, |index, fen, nodes| {
        say(&format!("position {:2}: {nodes:9} nodes  {fen}", index + 1)).map_err(RunError::Output)
    })?;
    let seconds = result.time.as_secs_f64().max(1e-9);
    say(&format!("{} nodes {:.0} nps", result.nodes, result.nodes as f64 / seconds))?;
    Ok(())
}
