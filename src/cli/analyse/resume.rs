//! Output of `damero analyse`, and how an interrupted run is resumed. Start at [`ResumeState`].

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::notation::{PgnReader, PgnResult};

/// PGN reader of any input.
pub(crate) type Games<'a> = PgnReader<Box<dyn Read + Send + 'a>>;

/// Output of an earlier run.
#[derive(Default)]
pub(crate) struct ResumeState {
    pub(super) path: Option<PathBuf>,
    /// Complete games.
    pub(crate) games: u64,
    /// End of the last complete game, as a byte offset.
    bytes: u64,
}

impl ResumeState {
    /// Reads the earlier output at `path` and checks that it is by `annotator`. A missing file
    /// counts as empty.
    pub(crate) fn find(path: &Path, annotator: &str) -> Result<Self, Failure> {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(error)),
        };
        let (games, bytes) = whole_games(BufReader::new(file)).map_err(failed)?;
        let written = Self { path: Some(path.to_owned()), games, bytes };
        let mut torn = Vec::new();
        let mut file = File::open(path).map_err(failed)?;
        file.seek(SeekFrom::Start(bytes)).map_err(failed)?;
        file.read_to_end(&mut torn).map_err(failed)?;
        if !is_beginning_of_ours(&torn, annotator) {
            return Err(Failure::Input(format!(
                "cannot resume {}: it has text not written by {annotator}; choose another --out",
                path.display()
            )));
        }
        if let Some(Ok(first)) = written.reader()?.and_then(|mut games| games.next()) {
            let made_by = first.tags.get("Annotator").unwrap_or("an unknown program");
            if !made_by.ends_with(annotator) {
                return Err(Failure::Input(format!(
                    "cannot resume {}: annotated by {made_by}, not by {annotator}; use the same \
                     limit and tablebases, or --force to start over",
                    path.display()
                )));
            }
        }
        Ok(written)
    }

    /// Returns a reader of the complete games; `None` without any.
    pub(super) fn reader(&self) -> Result<Option<Games<'static>>, Failure> {
        let Some(path) = self.path.as_ref().filter(|_| self.games > 0) else { return Ok(None) };
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(failed)?;
        Ok(Some(PgnReader::new(Box::new(file.take(self.bytes)))))
    }

    pub(super) fn is_of_other_games(&self, number: u64) -> Failure {
        let path = self.path.as_deref().unwrap_or(Path::new("the output"));
        Failure::Input(format!(
            "cannot resume {}: game {number} differs from the input; choose another --out, or use \
             --force to start over",
            path.display()
        ))
    }
}

/// Returns the number of complete games in our output and the byte offset where the last one ends.
/// A game ends with its result and an empty line; anything after the last such line was cut off.
fn whole_games(mut input: impl BufRead) -> io::Result<(u64, u64)> {
    let (mut games, mut end, mut read) = (0, 0, 0);
    let mut line = Vec::new();
    let mut after_result = false;
    loop {
        line.clear();
        let length = input.read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok((games, end));
        }
        read += length as u64;
        if after_result && line == b"\n" {
            games += 1;
            end = read;
        }
        let text = String::from_utf8_lossy(&line);
        let last_word = text.split_ascii_whitespace().next_back();
        after_result = line.ends_with(b"\n") && last_word.and_then(PgnResult::parse).is_some();
    }
}

/// Returns whether `torn` may be the start of a game by `annotator`. Only such a tail is truncated.
fn is_beginning_of_ours(torn: &[u8], annotator: &str) -> bool {
    const BEGINS: &str = "[Event ";
    let text = String::from_utf8_lossy(torn);
    let is_game = text.starts_with(BEGINS) || BEGINS.starts_with(text.as_ref());
    let tags_are_whole = text.contains("\n\n") || text.contains('\r');
    let only_tags = || text.lines().all(|line| line.starts_with('['));
    is_game && if tags_are_whole { text.contains(annotator) } else { only_tags() }
}

/// Output of annotated games: a file or standard output.
pub(crate) struct Output {
    name: Option<String>,
    sink: Box<dyn Write + Send>,
}

impl Output {
    /// Opens the file, positioned after the games already written, or standard output.
    pub(crate) fn open(
        path: Option<&Path>,
        force: bool,
        written: &ResumeState,
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self { name: None, sink: Box::new(io::stdout()) });
        };
        let name = path.display().to_string();
        let mut options = OpenOptions::new();
        options.write(true);
        match (&written.path, force) {
            (Some(_), _) => options.create(false),
            (None, true) => options.create(true).truncate(true),
            (None, false) => options.create_new(true),
        };
        let failed = |error: io::Error| {
            Failure::Input(match error.kind() {
                io::ErrorKind::AlreadyExists => format!(
                    "{name} exists; use --resume to continue it, --force to overwrite it, or \
                     --out for another file"
                ),
                _ => format!("cannot write {name}: {error}"),
            })
        };
        let mut file = options.open(path).map_err(failed)?;
        if written.path.is_some() {
            file.set_len(written.bytes).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok(Self { name: Some(name), sink: Box::new(file) })
    }

    /// Writes a game in one piece and flushes it, so that an interruption rarely tears it.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let result = self.sink.write_all(text.as_bytes()).and_then(|()| self.sink.flush());
        result.map_err(|error| match &self.name {
            Some(name) => Failure::Input(format!("cannot write {name}: {error}")),
            None => Failure::Io(error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torn_games_are_not_counted() {
        let game = "[Event \"1-0\"]\n[Result \"1-0\"]\n\n1. e4 {[%eval 0.1]\n[%clk 1]} 1-0\n\n";
        let text = game.repeat(2);
        for length in 0..=text.len() {
            let (games, end) = whole_games(&text.as_bytes()[..length]).unwrap();
            assert_eq!(games as usize, length / game.len(), "{length}");
            assert_eq!(end as usize, length / game.len() * game.len());
        }
    }

    #[test]
    fn only_our_own_tail_is_truncated() {
        let ours = "[Event \"A\"]\n[Annotator \"Damero 1\"]\n\n1. e4 {[%ev";
        for length in 0..ours.len() {
            assert!(is_beginning_of_ours(&ours.as_bytes()[..length], "Damero 1"), "{length}");
        }
        for other in ["notes", "[Event \"A\"]\n\n1. e4", "[Event \"A\"]\r\n\r\n1. e4 *\r\n"] {
            assert!(!is_beginning_of_ours(other.as_bytes(), "Damero 1"), "{other}");
        }
    }
}
