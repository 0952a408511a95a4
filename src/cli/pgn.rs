//! `damero pgn`: validates PGN files and rewrites them in export format.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::files::{AtomicFile, refuse_existing, refuse_input};
use super::progress::Progress;
use crate::notation::{PgnError, PgnGame, PgnProblem, PgnReader, PgnResult};

/// Arguments of `damero pgn`
#[derive(Args)]
pub(super) struct PgnArguments {
    /// PGN files; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the undamaged games to this file in export format; - for standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing output file
    #[arg(long)]
    force: bool,
}

/// Interval between progress updates, in KiB read: an update may take longer than a short game.
const PROGRESS_STEP: u64 = 64;

/// Totals over all files.
#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    damaged: u64,
}

pub(super) fn run(arguments: &PgnArguments) -> Result<String, Failure> {
    let mut count = Count::default();
    match &arguments.out {
        None => read_all(&arguments.files, &mut count, None)?,
        Some(path) if path.as_os_str() == "-" => {
            read_all(&arguments.files, &mut count, Some(&mut io::stdout().lock()))?;
            // Standard output carries the games and nothing else.
            return count.damage().map_or(Ok(String::new()), Err);
        }
        Some(path) => {
            refuse_input(path, &arguments.files)?;
            refuse_existing(path, arguments.force)?;
            let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
            let mut output = AtomicFile::create(path).map_err(failed)?;
            read_all(&arguments.files, &mut count, Some(&mut output))?;
            output.finish().map_err(failed)?;
        }
    }
    let text = format!("{} games, {} plies", count.games, count.plies);
    match count.damage() {
        None => Ok(text),
        Some(failure) => {
            writeln!(io::stdout(), "{text}")?;
            Err(failure)
        }
    }
}

impl Count {
    /// Returns the failure to report if any game was damaged.
    fn damage(&self) -> Option<Failure> {
        let text = || format!("damaged games: {}", self.damaged);
        (self.damaged > 0).then(|| Failure::Input(text()))
    }
}

fn read_all(
    files: &[PathBuf],
    count: &mut Count,
    mut output: Option<&mut dyn Write>,
) -> Result<(), Failure> {
    for path in files {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        if path.as_os_str() == "-" {
            read(path, io::stdin().lock(), 0, count, &mut output)?;
        } else {
            let file = File::open(path).map_err(failed)?;
            let size = file.metadata().map_err(failed)?.len();
            read(path, file, size, count, &mut output)?;
        }
    }
    Ok(())
}

/// Reads the games of one input. Damaged games are reported and left out.
fn read(
    path: &Path,
    input: impl Read,
    size: u64,
    count: &mut Count,
    output: &mut Option<&mut dyn Write>,
) -> Result<(), Failure> {
    let progress = Progress::new(size >> 10, "KiB");
    let mut reader = PgnReader::new(input);
    let mut number = 0_u64;
    while let Some(game) = reader.next() {
        number += 1;
        match game {
            Ok(game) => {
                if let Some(warning) = disagreement(&game) {
                    progress.say(&format!("{}: game {number}: warning: {warning}", path.display()));
                }
                count.games += 1;
                count.plies += game.line.plies.len() as u64;
                if let Some(output) = output {
                    writeln!(output, "{game}")?;
                }
            }
            // Abort on a read error, so that a partial file never replaces the output.
            Err(PgnError { problem: PgnProblem::Io(error), .. }) => {
                return Err(Failure::Input(format!("{}: {error}", path.display())));
            }
            Err(error) => {
                count.damaged += 1;
                writeln!(io::stderr(), "{}: {error}", path.display())?;
            }
        }
        let more = (reader.bytes_read() >> 10).saturating_sub(progress.done());
        if more >= PROGRESS_STEP {
            progress.advance(more, &format!("{} games", count.games));
        }
    }
    progress.finish();
    Ok(())
}

/// Returns a warning if the tag `Result` contradicts the result after the moves. The latter counts.
fn disagreement(game: &PgnGame) -> Option<String> {
    let tag = game.tags.get("Result").and_then(PgnResult::parse)?;
    let result = game.result;
    (tag != result).then(|| format!("Result tag {tag} contradicts the movetext; using {result}"))
}
