//! `damero datagen import`: games and positions with scores, written as a data file.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Failure;
use crate::cli::files::refuse_input;
use crate::notation::PgnReader;
use crate::training::{GameWriter, Header, ScoredGame, Skipped, from_line, from_pgn};

/// Arguments of `damero datagen import`
#[derive(Args)]
pub(crate) struct ImportArguments {
    /// PGN files with scores in the comments, or text files (.epd, .txt) with a position per line
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Name of the program that made the scores
    #[arg(long, value_name = "NAME", default_value = "imported")]
    engine: String,
    /// Nodes per move behind the scores, for the statistics
    #[arg(long, value_name = "K", default_value_t = 0)]
    nodes: u64,
}

/// Most mistakes that are shown.
const SHOWN: u64 = 5;

#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    no_result: u64,
    no_score: u64,
    no_move: u64,
    damaged: u64,
}

pub(crate) fn run(arguments: &ImportArguments) -> Result<String, Failure> {
    let out = &arguments.out;
    refuse_input(out, &arguments.files)?;
    let failed = |error| Failure::Input(format!("{}: {error}", out.display()));
    let header = Header { seed: 0, nodes: arguments.nodes, engine: arguments.engine.clone() };
    let mut writer = GameWriter::create(out, &header).map_err(failed)?;
    let mut count = Count::default();
    for path in &arguments.files {
        let unreadable = |error| Failure::Input(format!("{}: {error}", path.display()));
        let mut take = |found: Found| -> Result<(), Failure> {
            match found {
                Found::Game(game) => {
                    count.games += 1;
                    count.plies += game.plies.len() as u64;
                    writer.write(&game).map_err(failed)?;
                }
                Found::Skipped(Skipped::NoResult) => count.no_result += 1,
                Found::Skipped(Skipped::NoScore) => count.no_score += 1,
                Found::Skipped(Skipped::NoMove) => count.no_move += 1,
                Found::Damaged(error) => {
                    count.damaged += 1;
                    if count.damaged <= SHOWN {
                        crate::cli::say_error(&format!("{}: {error}", path.display()));
                    }
                }
            }
            Ok(())
        };
        if is_lines(path) {
            let file = File::open(path).map_err(unreadable)?;
            for (index, line) in BufReader::new(file).lines().enumerate() {
                let line = line.map_err(unreadable)?;
                if line.trim().is_empty() {
                    continue;
                }
                take(match from_line(&line) {
                    Ok(Ok(game)) => Found::Game(game),
                    Ok(Err(reason)) => Found::Skipped(reason),
                    Err(error) => Found::Damaged(format!("line {}: {error}", index + 1)),
                })?;
            }
        } else {
            for game in PgnReader::new(File::open(path).map_err(unreadable)?) {
                take(match game.map(|game| from_pgn(&game)) {
                    Ok(Ok(game)) => Found::Game(game),
                    Ok(Err(reason)) => Found::Skipped(reason),
                    Err(error) => Found::Damaged(error.to_string()),
                })?;
            }
        }
    }
    writer.flush().map_err(failed)?;
    Ok(format!(
        "{}: {} games, {} positions; left out: {} without result, {} without scores, {} without \
         legal moves, {} damaged",
        out.display(),
        count.games,
        count.plies,
        count.no_result,
        count.no_score,
        count.no_move,
        count.damaged
    ))
}

/// What was found at one place of a file.
enum Found {
    Game(ScoredGame),
    Skipped(Skipped),
    Damaged(String),
}

/// Returns whether a file holds a position per line, rather than PGN.
fn is_lines(path: &Path) -> bool {
    path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("pgn"))
}
