//! `damero book`: builds, shows and exports opening books.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{Args, Subcommand};

use super::files::{refuse_existing, refuse_input, write_atomic};
use super::{Failure, Progress};
use crate::board::{Board, Game};
use crate::book::{Book, BookBuilder, BookLimits, Openings};
use crate::notation::{CastlingStyle, PgnError, PgnProblem, PgnReader, PgnResult, San, UciMove};
use crate::types::Color;

/// Subcommands of `damero book`
#[derive(Subcommand)]
pub(super) enum BookCommand {
    /// Build a Polyglot book from PGN files
    #[command(
        after_help = "Weight of a move: 2 for each game won by its side, 1 for each draw or \
        game without a result; moves that only lost are omitted.\n\n\
        Example: damero book make --pgn games.pgn --out book.bin --plies 24 --min-games 3"
    )]
    Make(MakeArguments),
    /// Show the book moves of a position, with weights and opening names
    #[command(after_help = "Example: damero book show --book book.bin \
        \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"")]
    Show(ShowArguments),
    /// Export the embedded book in Polyglot format
    #[command(after_help = "Example: damero book export --out damero.bin")]
    Export {
        /// Output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
}

/// Arguments of `damero book make`
#[derive(Args)]
pub(super) struct MakeArguments {
    /// PGN files
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of plies to take from each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// Leave out moves played in fewer than N games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    min_games: u64,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Arguments of `damero book show`
#[derive(Args)]
pub(super) struct ShowArguments {
    /// Polyglot book [default: the embedded book]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Position in FEN, X-FEN or Shredder-FEN [default: the starting position]
    #[arg(num_args = 0..=6, value_name = "FEN")]
    fen: Vec<String>,
}

pub(super) fn run(command: &BookCommand, stop: &'static AtomicBool) -> Result<String, Failure> {
    match command {
        BookCommand::Make(arguments) => make(arguments, stop),
        BookCommand::Show(arguments) => show(arguments),
        BookCommand::Export { out, force } => {
            refuse_existing(out, *force)?;
            let openings = Openings::embedded();
            let written = write(out, openings.book())?;
            Ok(format!("{} lines; {written}", openings.lines()))
        }
    }
}

/// Counts of the games read so far.
#[derive(Default)]
struct GameCounts {
    games: u64,
    broken: u64,
    /// Error of the first damaged game.
    first_error: Option<String>,
}

fn make(arguments: &MakeArguments, stop: &AtomicBool) -> Result<String, Failure> {
    refuse_input(&arguments.out, &arguments.pgn)?;
    refuse_existing(&arguments.out, arguments.force)?;
    let limits = BookLimits { plies: arguments.plies.into(), games: arguments.min_games };
    let mut builder = BookBuilder::new(limits);
    let mut counts = GameCounts::default();
    let mut bytes = 0;
    for path in &arguments.pgn {
        bytes += fs::metadata(path).map_err(|error| failed(path, &error))?.len();
    }
    let progress = Progress::new(bytes, "bytes");
    for path in &arguments.pgn {
        add_file(path, &mut builder, &mut counts, &progress, stop)?;
    }
    progress.finish();
    if stop.load(Relaxed) {
        return Err(Failure::Input("interrupted; no book was written".to_owned()));
    }
    let GameCounts { games, broken, first_error } = counts;
    let mut text = format!("{games} games");
    if let Some(error) = first_error {
        let _ = write!(text, ", skipped {broken} damaged (first error: {error})");
    }
    let book = builder.finish();
    if book.is_empty() {
        return Err(Failure::Input(format!("{text}: no book moves; nothing was written")));
    }
    let text = format!("{text}; {}", write(&arguments.out, &book)?);
    if broken == 0 {
        return Ok(text);
    }
    writeln!(io::stdout(), "{text}")?;
    Err(Failure::Input(format!("damaged games: {broken}")))
}

fn add_file(
    path: &Path,
    builder: &mut BookBuilder,
    counts: &mut GameCounts,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| failed(path, &error))?;
    let mut games = PgnReader::new(file);
    let mut done = 0;
    while let Some(game) = games.next() {
        if stop.load(Relaxed) {
            break;
        }
        match game {
            Ok(game) => {
                counts.games += 1;
                let winner: Option<Color> = match game.result {
                    PgnResult::Won(color) => Some(color),
                    PgnResult::Drawn | PgnResult::Unknown => None,
                };
                builder.add(&game.start, game.line.moves(), winner);
            }
            // A read error aborts: no book is built from part of a file.
            Err(PgnError { problem: PgnProblem::Io(error), .. }) => {
                return Err(failed(path, &error));
            }
            Err(error) => {
                counts.broken += 1;
                counts.first_error.get_or_insert_with(|| format!("{}: {error}", path.display()));
            }
        }
        let read = games.bytes_read();
        progress.advance(read - done, &format!("{} games, {} moves", counts.games, builder.len()));
        done = read;
    }
    Ok(())
}

fn show(arguments: &ShowArguments) -> Result<String, Failure> {
    let read = |path: &PathBuf| Book::read(path).map_err(|error| failed(path, &error));
    let file = arguments.book.as_ref().map(read).transpose()?;
    let openings = Openings::embedded();
    let book = file.as_ref().unwrap_or_else(|| openings.book());
    let board = match arguments.fen.join(" ").as_str() {
        "" | "startpos" => Board::starting_position(),
        fen => Board::from_fen(fen).map_err(Failure::input)?,
    };
    let game = Game::new(board);
    let mut text = format!("{} moves in {} positions", book.len(), book.positions());
    if let Some(opening) = openings.name(&game) {
        let _ = write!(text, "; opening: {opening}");
    }
    let moves = book.moves(&game);
    if moves.is_empty() {
        text += "\nno book moves for this position";
    }
    let total: f64 = moves.iter().map(|candidate| f64::from(candidate.weight)).sum();
    for candidate in moves {
        let san = San::new(&board, candidate.mv).to_string();
        let uci = UciMove::new(candidate.mv, CastlingStyle::KingTakesRook).to_string();
        let share = 100.0 * f64::from(candidate.weight) / total.max(1.0);
        let name = openings
            .name_of_position(&board.after(candidate.mv))
            .map_or(String::new(), |opening| format!("  {opening}"));
        let _ = write!(text, "\n{san:<7} {uci:<5} {:>5} {share:>5.1} %{name}", candidate.weight);
    }
    Ok(text)
}

fn write(path: &Path, book: &Book) -> Result<String, Failure> {
    write_atomic(path, &book.to_bytes()).map_err(|error| failed(path, &error))?;
    Ok(format!("{} moves in {} positions -> {}", book.len(), book.positions(), path.display()))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {error}", path.display()))
}
