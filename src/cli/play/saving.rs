//! Saves, loads and prints the game as PGN.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::book::Openings;
use crate::cli::files::write_atomic;
use crate::cli::play::game::PlayGame;
use crate::cli::play::session::{CommandResult, ENGINE, Session, say};
use crate::notation::PgnReader;
use crate::search::Level;

impl Session {
    pub(crate) fn pgn(&self) -> String {
        let mut pgn = self.game.to_pgn(ENGINE, self.elos());
        if let Some(opening) = Openings::embedded().name(self.game.game()) {
            pgn.tags.set("ECO", opening.eco);
            pgn.tags.set("Opening", opening.name);
        }
        pgn.to_string()
    }

    pub(crate) fn save(&mut self, file: &str, replace: bool) -> CommandResult {
        let path = match (file, &self.file) {
            ("", None) => return Err("no file name: type save FILE".to_owned().into()),
            ("", Some(path)) => path.clone(),
            (file, _) => PathBuf::from(file),
        };
        if path.is_dir() {
            let text = format!("{} is a folder; give the name of a file in it", path.display());
            return Err(text.into());
        }
        if path.exists() && !replace && self.file.as_ref() != Some(&path) {
            return Err(format!("{} exists; type save! {0} to replace it", path.display()).into());
        }
        if let Err(error) = write_atomic(&path, self.pgn().as_bytes()) {
            return Err(format!("cannot write {}: {error}", path.display()).into());
        }
        let text = format!("Saved to {}.", path.display());
        (self.file, self.is_saved) = (Some(path), true);
        say(&text)?;
        Ok(())
    }

    /// Loads game `number` (from 1) of a PGN file to continue it. Returns the message to print.
    pub(crate) fn load(&mut self, path: &Path, number: usize) -> Result<String, String> {
        let shown = path.display();
        if path.is_dir() {
            return Err(format!("{shown} is a folder; give the name of a PGN file in it"));
        }
        let file = File::open(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let mut games = PgnReader::new(file).skip(number - 1);
        let pgn = match games.next() {
            None => return Err(format!("{shown} has no game {number}")),
            Some(Err(error)) => return Err(format!("{shown}: {error}")),
            Some(Ok(pgn)) => pgn,
        };
        let is_alone = number == 1 && games.next().is_none();
        let game = PlayGame::from_pgn(&pgn, self.game.players, self.game.pace());
        let elo = game.recorded_elo();
        self.replace_game(game);
        // `save` without a name may overwrite only a file that holds one game of ours.
        self.file = (is_alone && PlayGame::is_recorded_ours(&pgn)).then(|| path.to_owned());
        let which = if is_alone { String::new() } else { format!(", game {number}") };
        let players = match self.game.players.text() {
            text if text.starts_with("You") => text.replacen('Y', "y", 1),
            text => text,
        };
        let mut text = format!("Loaded {shown}{which}; {players}");
        let elo = elo.filter(|elo| (Level::LOWEST..=Level::HIGHEST).contains(elo));
        if elo.is_some() && self.elos() != [elo; 2] {
            self.set_elo(elo);
            // Writing to a string does not fail.
            let _ = write!(text, " Damero now plays {}, as in the file.", self.level_text());
        }
        Ok(text)
    }
}
