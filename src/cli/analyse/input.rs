//! Files of `damero analyse`: the input, the output of an earlier run, and the output.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::cli::Failure;
use crate::cli::analyse::resume::{Games, ResumeState};
use crate::notation::{PgnError, PgnGame, PgnProblem, PgnReader};

/// Input games. They are read twice, the first time to count them.
pub(crate) enum Input {
    File(PathBuf),
    /// Contents of standard input.
    Text(Vec<u8>),
}

impl Input {
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        if path != Path::new("-") {
            return Ok(Self::File(path.to_owned()));
        }
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text).map_err(Failure::Io)?;
        Ok(Self::Text(text))
    }

    fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Text(_) => "standard input".to_owned(),
        }
    }

    pub(crate) fn reader(&self) -> Result<Games<'_>, Failure> {
        Ok(PgnReader::new(match self {
            Self::File(path) => Box::new(File::open(path).map_err(|error| {
                Failure::Input(format!(
                    "cannot read {}: {error}; expected a PGN file, or - for standard input",
                    self.name()
                ))
            })?),
            Self::Text(text) => Box::new(Cursor::new(text.as_slice())),
        }))
    }
}

/// Counts from the first pass over the input.
#[derive(Default)]
pub(crate) struct InputScan {
    /// Games in the input, including damaged ones.
    pub(crate) read: u64,
    /// Readable games.
    pub(crate) good: u64,
    /// Positions of the games still to be analysed.
    pub(crate) positions: u64,
}

impl InputScan {
    /// Reads all games and checks that the first readable ones are those already written.
    pub(crate) fn new(
        input: &Input,
        written: &ResumeState,
        stop: &AtomicBool,
    ) -> Result<Self, Failure> {
        let mut scan = Self::default();
        let mut errors: Vec<PgnError> = Vec::new();
        let mut earlier = written.reader()?;
        for game in input.reader()? {
            if stop.load(Relaxed) {
                return Err(Failure::Input("interrupted; nothing was written".to_owned()));
            }
            scan.read += 1;
            match game {
                Ok(game) => {
                    scan.good += 1;
                    match earlier.as_mut().and_then(Iterator::next) {
                        None => scan.positions += game.line.plies.len() as u64 + 1,
                        Some(Ok(old)) if is_same(&old, &game) => {}
                        Some(_) => return Err(written.is_of_other_games(scan.good)),
                    }
                }
                Err(error) if matches!(error.problem, PgnProblem::Io(_)) => {
                    return Err(Failure::Input(format!("{}: {}", input.name(), error.problem)));
                }
                Err(error) => errors.push(error),
            }
        }
        if scan.good < written.games {
            return Err(written.is_of_other_games(scan.good + 1));
        }
        match errors.first() {
            Some(error) if scan.good == 0 => Err(Failure::Input(format!(
                "no readable games in {}; first error: {error}",
                input.name()
            ))),
            None if scan.good == 0 => {
                Err(Failure::Input(format!("no games in {}; expected PGN", input.name())))
            }
            _ => Ok(scan),
        }
    }
}

fn is_same(old: &PgnGame, game: &PgnGame) -> bool {
    old.start.to_fen() == game.start.to_fen() && old.line.moves().eq(game.line.moves())
}
