//! `damero pgn`: checks PGN files, and writes them anew to the export standard.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::files::part_file;
use super::progress::Progress;
use crate::notation::PgnReader;

/// What `damero pgn` is told.
#[derive(Args)]
pub(super) struct PgnArguments {
    /// PGN files; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the games that are good here, to the export standard
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What was found.
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
        Some(path) => {
            let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
            let part = part_file(path);
            let mut output = BufWriter::new(File::create(&part).map_err(failed)?);
            read_all(&arguments.files, &mut count, Some(&mut output))?;
            output.flush().map_err(failed)?;
            std::fs::rename(&part, path).map_err(failed)?;
        }
    }
    let text = format!("{} games, {} plies", count.games, count.plies);
    match count.damaged {
        0 => Ok(text),
        damaged => {
            writeln!(io::stdout(), "{text}")?;
            Err(Failure::Input(format!("{damaged} games could not be read")))
        }
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

/// Reads the games of a file; those that are damaged are named and left out.
fn read(
    path: &Path,
    input: impl Read,
    size: u64,
    count: &mut Count,
    output: &mut Option<&mut dyn Write>,
) -> Result<(), Failure> {
    let progress = Progress::new(size >> 10, "KiB");
    let mut reader = PgnReader::new(input);
    while let Some(game) = reader.next() {
        match game {
            Ok(game) => {
                count.games += 1;
                count.plies += game.line.plies.len() as u64;
                if let Some(output) = output {
                    writeln!(output, "{game}")?;
                }
            }
            Err(error) => {
                count.damaged += 1;
                writeln!(io::stderr(), "{}: {error}", path.display())?;
            }
        }
        let done = reader.bytes_read() >> 10;
        progress.advance(done.saturating_sub(progress.done()), &format!("{} games", count.games));
    }
    progress.finish();
    Ok(())
}
