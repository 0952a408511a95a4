//! `damero play`: a game in the terminal, between humans, engines, or one of each. Start at
//! [`run`].
//!
//! As in UCI mode, one thread reads lines, one searches and this one runs the event loop, so clocks
//! and Ctrl-C work at any time.

mod board_view;
mod clock;
mod commands;
mod ending;
mod game;
mod opponent;
mod pgn;
mod players;
mod saving;
mod session;
mod settings;
mod text;
mod turns;

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
use crate::cli::play::clock::{Pace, TimeControl};
use crate::cli::play::game::PlayGame;
use crate::cli::play::opponent::Opponent;
use crate::cli::play::players::{Player, Players};
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
    /// Side you play against the engine [default: white, or as in the loaded game]
    #[arg(long, value_enum, conflicts_with_all = ["white", "black"])]
    side: Option<Side>,
    /// Who plays White [default: human, or the engine if --black is human]
    #[arg(long, value_enum, value_name = "WHO")]
    white: Option<Player>,
    /// Who plays Black [default: the engine, or human if --white is engine]
    #[arg(long, value_enum, value_name = "WHO")]
    black: Option<Player>,
    /// Elo rating of the engine [default: full strength]
    #[arg(long, value_name = "ELO", value_parser = elo())]
    level: Option<u32>,
    /// Elo rating of the engine that plays White
    #[arg(long, value_name = "ELO", value_parser = elo(), conflicts_with = "level")]
    white_level: Option<u32>,
    /// Elo rating of the engine that plays Black
    #[arg(long, value_name = "ELO", value_parser = elo(), conflicts_with = "level")]
    black_level: Option<u32>,
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
    /// Do not think on the human's time
    #[arg(long)]
    no_ponder: bool,
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

impl PlayArguments {
    /// Returns the players, unless the options leave them open.
    fn players(&self) -> Option<Players> {
        let other = |player| match player {
            Player::Human => Player::Engine,
            Player::Engine => Player::Human,
        };
        match (self.side, self.white, self.black) {
            (Some(side), ..) => Some(Players::human_with(side.into())),
            (_, Some(white), Some(black)) => Some(Players::new(white, black)),
            (_, Some(white), None) => Some(Players::new(white, other(white))),
            (_, None, Some(black)) => Some(Players::new(other(black), black)),
            _ => None,
        }
    }

    /// Creates the engines: one for each side that the engine plays, or one for hints. Each has its
    /// own hash table and level.
    fn opponents(&self, players: Players) -> Result<Vec<Opponent>, Failure> {
        let tables = self.endgames.open()?;
        let levels = [self.white_level, self.black_level];
        let only = players.lone_human().map(|human| !human);
        let colors = match (players.engines(), only) {
            (2, _) => &Color::ALL[..],
            (_, Some(Color::Black)) => &[Color::Black][..],
            _ => &[Color::White][..],
        };
        let new = |color: &Color| {
            let mut engine = Engine::new(self.hash as usize).map_err(Failure::input)?;
            engine.set_threads(self.threads.into());
            engine.set_tables(tables.clone());
            Ok(Opponent::new(engine, levels[color.index()].or(self.level)))
        };
        colors.iter().map(new).collect()
    }
}

/// Parses the rating of a level.
fn elo() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(Level::LOWEST)..=i64::from(Level::HIGHEST))
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
    let asked_players = arguments.players();
    let players = asked_players.unwrap_or(Players::human_with(Color::White));
    let start = match &arguments.fen {
        Some(fen) => Board::from_fen(fen).map_err(Failure::input)?,
        None => Board::starting_position(),
    };
    let (events, received) = mpsc::channel();
    let opponents = arguments.opponents(players)?;
    let terminal = io::stdout().is_terminal();
    let plain = !terminal
        || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let style = BoardStyle {
        unicode: arguments.unicode || !plain && !arguments.ascii,
        color: !plain && !arguments.no_color,
    };
    let game = PlayGame::new(start, players, pace);
    let mut session = Session::new(opponents, events.clone(), game, style);
    session.interactive = terminal && io::stdin().is_terminal();
    session.book = (!arguments.no_book).then(BookPlayer::default);
    session.ponders = !arguments.no_ponder;
    if let Some(path) = &arguments.load {
        session.load(path, 1).map_err(Failure::Input)?;
        session.override_loaded(asked_players.and_then(Players::lone_human), asked_pace);
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
            Ok(Event::Found(number, result)) => session.found(number, &result)?,
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
