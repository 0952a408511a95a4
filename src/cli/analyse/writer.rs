//! Output of `damero analyse`: annotates, charts, writes and counts finished games. Start at
//! [`ReportWriter::take`].

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::analysis::{GameReview, OpeningName, annotate, chart};
use crate::board::Game;
use crate::cli::Failure;
use crate::cli::analyse::resume::Output;
use crate::cli::analyse::summary::Summary;
use crate::cli::files::{AtomicFile, is_same_file, write_atomic};
use crate::notation::PgnGame;

/// Looks up the opening of a game.
pub(crate) type NameOf<'a> = &'a (dyn Fn(&Game) -> Option<OpeningName> + Sync);

/// Writes finished games in input order.
pub(crate) struct ReportWriter<'a> {
    output: Output,
    charts: Option<Charts>,
    annotator: String,
    name_of: NameOf<'a>,
    pub(crate) summary: Summary,
}

impl<'a> ReportWriter<'a> {
    pub(crate) fn new(
        output: Output,
        charts: Option<Charts>,
        annotator: String,
        name_of: NameOf<'a>,
    ) -> Self {
        Self { output, charts, annotator, name_of, summary: Summary::default() }
    }

    /// Annotates game `number` of the input, then writes its chart and the game.
    pub(crate) fn take(
        &mut self,
        number: u64,
        mut pgn: PgnGame,
        game: &Game,
        review: &GameReview,
    ) -> Result<(), Failure> {
        annotate(&mut pgn, review, &self.annotator, (self.name_of)(game).as_ref());
        // Chart first: `--resume` treats a written game as done.
        if let Some(charts) = &self.charts {
            let path = charts.path(number);
            write_atomic(&path, chart(&pgn, review).as_bytes())
                .map_err(|error| cannot_write(&path, &error))?;
        }
        self.output.write(&format!("{pgn}\n"))?;
        self.summary.add(number, &pgn, review);
        Ok(())
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {error}", path.display()))
}

/// Names of the chart files: a single chart keeps the given name, several are numbered.
pub(crate) struct Charts {
    name: PathBuf,
    /// Width of the zero-padded number, so that names sort in game order; 0 for no number.
    digits: usize,
}

impl Charts {
    pub(crate) fn new(name: &Path, games: u64) -> Self {
        let digits = if games > 1 { games.to_string().len() } else { 0 };
        Self { name: name.to_owned(), digits }
    }

    fn path(&self, number: u64) -> PathBuf {
        if self.digits == 0 {
            return self.name.clone();
        }
        let mut name = self.name.file_stem().map_or_else(OsString::new, OsString::from);
        name.push(format!("-{number:0digits$}", digits = self.digits));
        if let Some(extension) = self.name.extension() {
            name.push(".");
            name.push(extension);
        }
        self.name.with_file_name(name)
    }

    pub(crate) fn refuse_to_overwrite(&self, games: u64) -> Result<(), Failure> {
        match (1..=games).map(|number| self.path(number)).find(|path| path.exists()) {
            Some(path) => Err(Failure::Input(format!(
                "{} exists; use --force to overwrite it, or choose another name with --chart",
                path.display()
            ))),
            None => Ok(()),
        }
    }

    /// Returns an error if a chart would overwrite one of `files`, the input and the output.
    pub(crate) fn refuse_files_of_games<'a>(
        &self,
        games: u64,
        files: impl Iterator<Item = &'a PathBuf>,
    ) -> Result<(), Failure> {
        for file in files {
            let same = |path: &PathBuf| path.file_name() == file.file_name() || path.exists();
            let mut paths = (1..=games).map(|number| self.path(number)).filter(same);
            if paths.any(|path| is_same_file(&path, file)) {
                return Err(Failure::Input(format!(
                    "{} is a game file of this run; choose another name with --chart",
                    file.display()
                )));
            }
        }
        Ok(())
    }

    /// Checks that charts can be written, before any game is analysed.
    pub(crate) fn try_to_write(&self) -> Result<(), Failure> {
        // Dropping an unfinished `AtomicFile` removes its temporary file.
        let path = self.path(1);
        AtomicFile::create(&path).map(drop).map_err(|error| cannot_write(&path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_charts_are_numbered() {
        let path = |name: &str, games, number| {
            Charts::new(Path::new(name), games).path(number).display().to_string()
        };
        assert_eq!(path("a/b.svg", 1, 1), "a/b.svg");
        assert_eq!(path("a/b.svg", 9, 3), "a/b-3.svg");
        assert_eq!(path("b.c.svg", 1000, 17), "b.c-0017.svg");
        assert_eq!(path("b", 10, 7), "b-07");
    }
}
