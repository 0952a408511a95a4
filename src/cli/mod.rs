//! Layer 6: the command line. Without a command the program is a UCI engine on standard input.
//! Start at [`run`].

mod analyse;
mod args;
mod book;
mod datagen;
mod files;
mod network;
mod pgn;
mod play;
mod progress;
mod rescore;
mod train;
mod tune;
mod wdl;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{Parser, Subcommand};

use crate::attacks::magic_search;
use crate::board::Board;
use crate::board::perft::{MAX_DEPTH, PerftCache};
use crate::uci::{self, InputMode, RunError};
use progress::Progress;

/// Help text below the list of commands.
const UCI_COMMANDS: &str = "\
A UCI command can be given as arguments; Damero runs it and exits:
  go       search the starting position: damero go depth 7
  bench    search fixed positions and print the node count: damero bench [depth] [threads] [hash]
  eval     print the static evaluation: damero eval [FEN]";

/// A UCI chess engine; without a command it speaks UCI on standard input and output
#[derive(Parser)]
#[command(name = "damero", version, about, max_term_width = 100, after_help = UCI_COMMANDS)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaf nodes of the move tree, for each root move and in total
    #[command(after_help = "Example: damero perft 5 --threads 2 \
        \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"")]
    Perft {
        /// Depth in plies
        #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
        depth: u32,
        /// Position in FEN, X-FEN or Shredder-FEN [default: the starting position]
        #[arg(num_args = 0..=6, value_name = "FEN")]
        fen: Vec<String>,
        /// Number of threads
        #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: u16,
        /// Size of the perft hash table in MiB; 0 disables it
        #[arg(long, value_name = "MB", default_value_t = 0)]
        hash: usize,
    },
    /// Annotate games with evaluations, mistakes and better lines; print a summary; draw charts
    #[command(visible_alias = "analyze")]
    #[command(after_help = "Example: damero analyse games.pgn --nodes 200000 --chart games.svg")]
    Analyse(analyse::AnalyseArguments),
    /// Play a game against Damero in the terminal
    #[command(after_help = "Example: damero play --side black --level 1500 --clock 5+3")]
    Play(play::PlayArguments),
    /// Validate PGN files or rewrite them in export format
    #[command(after_help = "Example: damero pgn games.pgn --out clean.pgn")]
    Pgn(pgn::PgnArguments),
    /// Play self-play games and store them with their scores, for training
    #[command(after_help = "Example: damero datagen --games 10000 --threads 2 --out games.dg")]
    Datagen(datagen::DatagenArguments),
    /// Search the positions of self-play games again and store them with the new scores
    #[command(after_help = "Example: damero rescore old.dg --nodes 500 --threads 2 --out new.dg")]
    Rescore(rescore::RescoreArguments),
    /// Train the network on self-play games
    #[command(after_help = "Example: damero train --data games.dg --out first.nn --units 128")]
    Train(train::TrainArguments),
    /// Show, export and test networks
    #[command(subcommand, after_help = "Example: damero network test first.nn")]
    Network(network::NetworkCommand),
    /// Tune the evaluation weights on self-play games
    #[command(
        after_help = "Example: damero tune --data games.dg --out src/eval/classical/weights.rs"
    )]
    Tune(tune::TuneArguments),
    /// Fit the WDL model to self-play games
    #[command(after_help = "Example: damero wdl --data games.dg")]
    Wdl(wdl::WdlArguments),
    /// Build, show and export opening books
    #[command(subcommand, after_help = "Example: damero book show")]
    Book(book::BookCommand),
    /// Run one UCI command and exit, for instance `go depth 7` or `bench`
    #[command(external_subcommand)]
    Uci(Vec<String>),
    /// Search for magic numbers and print them as the source of `magic_numbers.rs`
    #[command(after_help = "Example: damero magics --seed 2026")]
    Magics {
        /// Random seed; the same seed gives the same numbers
        #[arg(long, default_value_t = magic_search::SEED)]
        seed: u64,
    },
}

/// Parses the command line, runs the command and returns the exit code.
#[must_use]
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        None => speak(InputMode::Interactive),
        Some(Command::Analyse(arguments)) => {
            analyse::run(&arguments, &analyse::name_of, stop_on_interrupt())
        }
        Some(Command::Pgn(arguments)) => report(pgn::run(&arguments)),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Datagen(arguments)) => report(datagen::run(&arguments, stop_on_interrupt())),
        Some(Command::Rescore(arguments)) => report(rescore::run(&arguments, stop_on_interrupt())),
        Some(Command::Train(arguments)) => report(train::run(&arguments, stop_on_interrupt())),
        Some(Command::Network(command)) => report(network::run(&command)),
        Some(Command::Tune(arguments)) => report(tune::run(&arguments, stop_on_interrupt())),
        Some(Command::Wdl(arguments)) => report(wdl::run(&arguments)),
        Some(Command::Book(command)) => report(book::run(&command, stop_on_interrupt())),
        Some(Command::Uci(words)) if words.iter().any(|word| word == "--help" || word == "-h") => {
            speak(InputMode::OneLine("help".to_owned()))
        }
        Some(Command::Uci(words)) => speak(InputMode::OneLine(words.join(" "))),
        Some(Command::Perft { depth, fen, threads, hash }) => {
            perft(depth, &fen.join(" "), threads.into(), hash)
        }
        Some(Command::Magics { seed }) => {
            let source = magic_search::find_all(seed).to_source();
            io::stdout().write_all(source.as_bytes()).map_err(Failure::Io)
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe, as `head` does: not an error.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => fail(&error.to_string()),
        Err(Failure::Input(message)) => fail(&message),
        Err(Failure::Reported) => ExitCode::FAILURE,
    }
}

#[derive(Debug)]
enum Failure {
    Io(io::Error),
    Input(String),
    /// The error has already been reported.
    Reported,
}

impl Failure {
    fn input(error: impl std::fmt::Display) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn fail(message: &str) -> ExitCode {
    say_error(&format!("error: {message}"));
    ExitCode::FAILURE
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {error}", path.display()))
}

/// Prints a line on standard error, where results do not go.
fn say_error(text: &str) {
    // A line that cannot be written is not an error.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints a command's closing message, unless it is empty.
fn report(result: Result<String, Failure>) -> Result<(), Failure> {
    match result?.as_str() {
        "" => Ok(()),
        text => writeln!(io::stdout(), "{text}").map_err(Failure::Io),
    }
}

/// Installs a Ctrl-C handler and returns the flag it sets, so that long tasks can stop cleanly. A
/// second Ctrl-C exits at once.
fn stop_on_interrupt() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    // Without a handler Ctrl-C kills the program as usual; files stay intact even then.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Relaxed) {
            std::process::exit(130);
        }
    });
    &STOP
}

fn speak(mode: InputMode) -> Result<(), Failure> {
    let interactive = mode == InputMode::Interactive;
    let understood = uci::run(mode).map_err(|error| match error {
        RunError::Table(error) => Failure::input(error),
        RunError::Output(error) => Failure::Io(error),
    })?;
    if understood || interactive { Ok(()) } else { Err(Failure::Reported) }
}

fn perft(depth: u32, fen: &str, threads: usize, hash: usize) -> Result<(), Failure> {
    let board = match fen {
        "" | "startpos" => Board::starting_position(),
        fen => Board::from_fen(fen).map_err(|error| Failure::Input(error.to_string()))?,
    };
    let cache = match hash {
        0 => None,
        size => Some(PerftCache::new(size).map_err(|error| Failure::Input(error.to_string()))?),
    };
    let mut output = io::stdout().lock();
    uci::write_perft(&board, depth, threads, cache.as_ref(), &mut output).map_err(Failure::Io)
}
