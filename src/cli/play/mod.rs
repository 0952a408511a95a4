//! `damero play`: a game against a human in the terminal. Start at [`run`].
//!
//! As in UCI mode, one thread reads lines, one searches and this one runs the event loop, so clocks
//! and Ctrl-C work at any time.

mod board_view;
mod commands;
mod game;
mod saving;
mod session;
mod settings;
mod text;

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::board::Board;
use crate::book::BookPlayer;
use crate::cli::Failure;
use crate::cli::args::EndgameArguments;
use crate::cli::play::board_view::BoardStyle;
use crate::cli::play::game::{Pace, PlayGame, TimeControl};
use crate::cli::play::session::{Event, Flow, Session};
use crate::cli::play::settings::parse_seconds;
use crate::engine::Engine;
use crate::search::Level;
use crate::types::Color;

/// Side of the human.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// Arguments of `damero play`
#[derive(Args)]
#[allow(clippy::struct_excessive_bools)] // each is a flag
pub(crate) struct PlayArguments {
    /// Side you play [default: white, or as in the loaded game]
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// Elo rating of the engine [default: full strength]
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(i64::from(Level::LOWEST)..=i64::from(Level::HIGHEST)))]
    level: Option<u32>,
    /// Clocks for both sides: minutes, and an increment in seconds
    #[arg(long, value_name = "MIN+SEC", value_parser = parse_clock, group = "pace")]
    clock: Option<TimeControl>,
    /// Search to a fixed depth instead of using clocks
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=127), group = "pace")]
    depth: Option<u32>,
    /// Search for a fixed time per move instead of using clocks [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, group = "pace")]
    time: Option<Duration>,
    /// Start from this position
    #[arg(long, value_name = "FEN", conflicts_with = "load")]
    fen: Option<String>,
    /// Continue the game in this PGN file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Disable the opening book
    #[arg(long)]
    no_book: bool,
    /// Draw pieces as letters (default if `NO_COLOR` is set or the output is not a terminal)
    #[arg(long)]
    ascii: bool,
    /// Draw pieces as Unicode symbols, even if the output is not a terminal
    #[arg(long, conflicts_with = "ascii")]
    unicode: bool,
    /// Disable colours (default if `NO_COLOR` is set or the output is not a terminal)
    #[arg(long)]
    no_color: bool,
    /// Number of threads
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the hash table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    #[command(flatten)]
    endgames: EndgameArguments,
}

fn parse_clock(text: &str) -> Result<TimeControl, String> {
    TimeControl::parse(text).ok_or_else(|| "expected minutes+seconds, such as 5+3".to_owned())
}

pub(crate) fn run(arguments: &PlayArguments) -> Result<(), Failure> {
    let asked_pace = match (arguments.clock, arguments.depth, arguments.time) {
        (Some(control), ..) => Some(Pace::Clock(control)),
        (_, Some(depth), _) => Some(Pace::Depth(depth)),
        (.., time) => time.map(Pace::Time),
    };
    let pace = asked_pace.unwrap_or(Pace::Time(Duration::from_secs(1)));
    let side: Option<Color> = arguments.side.map(Color::from);
    let start = match &arguments.fen {
        Some(fen) => Board::from_fen(fen).map_err(Failure::input)?,
        None => Board::starting_position(),
    };
    let (events, received) = mpsc::channel();
    let mut engine = Engine::new(arguments.hash as usize).map_err(Failure::input)?;
    engine.set_threads(arguments.threads.into());
    engine.set_tables(arguments.endgames.open()?);
    let terminal = io::stdout().is_terminal();
    let plain = !terminal
        || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let style = BoardStyle {
        unicode: arguments.unicode || !plain && !arguments.ascii,
        color: !plain && !arguments.no_color,
    };
    let game = PlayGame::new(start, side.unwrap_or(Color::White), pace);
    let mut session = Session::new(engine, events.clone(), game, style);
    session.interactive = terminal && io::stdin().is_terminal();
    session.book = (!arguments.no_book).then(BookPlayer::default);
    session.set_elo(arguments.level);
    if let Some(path) = &arguments.load {
        session.load(path, 1).map_err(Failure::Input)?;
        session.overrule(side, asked_pace);
        if arguments.level.is_some() {
            session.set_elo(arguments.level);
        }
    }
    let interrupted = events.clone();
    // Without a handler Ctrl-C kills the program as usual.
    let _ = ctrlc::set_handler(move || {
        let _ = interrupted.send(Event::Interrupted);
    });
    thread::spawn(move || read_lines(&events));
    converse(&mut session, &received)
}

/// Runs the event loop until the human leaves or the input has been handled.
fn converse(session: &mut Session, events: &Receiver<Event>) -> Result<(), Failure> {
    session.say_welcome()?;
    session.begin_turn()?;
    loop {
        let event = match session.time_left() {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(left) => events.recv_timeout(left),
        };
        let flow = match event {
            Ok(Event::Line(line)) => session.handle_line(&line)?,
            Ok(Event::EndOfInput) => {
                session.end_input();
                Flow::Continue
            }
            Ok(Event::Interrupted) => {
                session.say_goodbye()?;
                return Err(Failure::Reported);
            }
            Ok(Event::Found(result)) => session.found(&result)?,
            Err(RecvTimeoutError::Timeout) => {
                session.check_clock();
                session.begin_turn()?;
                Flow::Continue
            }
            Err(RecvTimeoutError::Disconnected) => Flow::Quit,
        };
        if flow == Flow::Quit && session.interactive {
            // An unsaved game has been asked about already.
            return Ok(());
        }
        if flow == Flow::Quit || session.is_done() {
            return Ok(session.say_what_was_played()?);
        }
    }
}

fn read_lines(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if events.send(Event::Line(line)).is_err() {
            return;
        }
        bytes.clear();
    }
    let _ = events.send(Event::EndOfInput);
}
