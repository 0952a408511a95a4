//! Closing tables of `damero analyse`: each player in each game, then each player over all games.

use std::collections::BTreeMap;
use std::fmt;

use crate::analysis::{GameReview, Judgement, PlayerStats};
use crate::notation::PgnGame;
use crate::types::Color;

/// Rows and totals of the tables.
#[derive(Default)]
pub(crate) struct Summary {
    rows: Vec<Row>,
    players: BTreeMap<String, Total>,
    games: u64,
}

struct Row {
    game: String,
    side: Color,
    player: String,
    result: String,
    stats: PlayerStats,
}

#[derive(Default)]
struct Total {
    games: u64,
    stats: PlayerStats,
}

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 32;

impl Summary {
    pub(crate) fn add(&mut self, number: u64, game: &PgnGame, review: &GameReview) {
        self.games += 1;
        let name = |side| {
            let tag = if side == Color::White { "White" } else { "Black" };
            game.tags.get(tag).unwrap_or("?").chars().take(LONGEST_NAME).collect::<String>()
        };
        for side in Color::ALL {
            let (player, stats) = (name(side), review.player_stats(side));
            let total = self.players.entry(player.clone()).or_default();
            // A player with both colours has played one game.
            total.games += u64::from(side == Color::White || name(!side) != player);
            total.stats += stats;
            let (game, result) = (number.to_string(), game.result.to_string());
            self.rows.push(Row { game, side, player, result, stats });
        }
    }

    /// Returns the number of games so far.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }
}

/// Headings of the columns that [`cells`] fills.
const COLUMNS: [&str; 7] = ["moves", "accuracy", "loss", "?!", "?", "??", "mates missed"];

fn cells(stats: &PlayerStats) -> impl Iterator<Item = String> {
    let number = |value: Option<f64>, decimals: usize, unit: &str| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}{unit}"))
    };
    let judged = Judgement::ALL.map(|judgement| stats.count(judgement).to_string());
    [
        stats.moves.to_string(),
        number(stats.accuracy(), 1, " %"),
        number(stats.average_loss(), 0, ""),
    ]
    .into_iter()
    .chain(judged)
    .chain([stats.missed_mates.to_string()])
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let head = |names: &[&str]| names.iter().chain(&COLUMNS).map(ToString::to_string).collect();
        let mut table: Vec<Vec<String>> = vec![head(&["game", "player", "colour", "result"])];
        for row in &self.rows {
            let Row { game, side, player, result, stats } = row;
            let names = [game.clone(), player.clone(), side.to_string(), result.clone()];
            table.push(names.into_iter().chain(cells(stats)).collect());
        }
        write_table(f, &table, &[1, 2, 3])?;
        if self.games > 1 {
            let mut table: Vec<Vec<String>> = vec![head(&["player", "games"])];
            for (player, total) in &self.players {
                let names = [player.clone(), total.games.to_string()];
                table.push(names.into_iter().chain(cells(&total.stats)).collect());
            }
            writeln!(f)?;
            write_table(f, &table, &[0])?;
        }
        writeln!(f)
    }
}

/// Writes `rows` as a table. Columns in `words` are aligned left, the others right.
fn write_table(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>], words: &[usize]) -> fmt::Result {
    let width = |column: usize| {
        let lengths =
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        lengths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if words.contains(&column) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}
