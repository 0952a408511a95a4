//! Changes the engine's strength and the clocks during a game.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::cli::play::clock::{Pace, TimeControl, clock_text};
use crate::cli::play::session::{CommandResult, Session, say};
use crate::search::Level;
use crate::types::Color;

impl Session {
    /// Sets the level of every engine.
    pub(crate) fn set_elo(&mut self, elo: Option<u32>) {
        for opponent in &mut self.opponents {
            opponent.set_elo(elo);
        }
    }

    /// Returns the engines' ratings by colour.
    pub(crate) fn elos(&self) -> [Option<u32>; 2] {
        Color::ALL.map(|color| self.opponents[self.engine_of(color)].elo)
    }

    /// Shows or changes the level of all engines, or of one: `level`, `level 1500`, `level white
    /// 1500`.
    pub(crate) fn change_level(&mut self, text: &str) -> CommandResult {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (colors, level) = match words[..] {
            ["white", level] => (&[Color::White][..], level),
            ["black", level] => (&[Color::Black][..], level),
            _ => (&Color::ALL[..], text),
        };
        if !level.is_empty() {
            let elo = parse_level(level)?;
            for &color in colors {
                let index = self.engine_of(color);
                self.opponents[index].set_elo(elo);
            }
        }
        say(&format!("Damero plays {}.", self.level_text()))?;
        Ok(())
    }

    /// Describes the level of the engine, or of both.
    pub(crate) fn level_text(&self) -> String {
        match &self.opponents[..] {
            [white, black] if white.elo != black.elo => {
                format!("White {}, Black {}", white.level_text(), black.level_text())
            }
            opponents => opponents[0].level_text(),
        }
    }

    pub(crate) fn change_pace(&mut self, text: &str) -> CommandResult {
        let pace = match text.split_once(char::is_whitespace).map(|(a, b)| (a, b.trim())) {
            None if text.is_empty() => return Ok(say(&self.clock_text())?),
            None => TimeControl::parse(text).map(Pace::Clock),
            Some(("depth", depth)) => {
                depth.parse().ok().filter(|depth| (1..=127).contains(depth)).map(Pace::Depth)
            }
            Some(("time", time)) => parse_seconds(time).ok().map(Pace::Time),
            Some(_) => None,
        };
        let Some(pace) = pace else {
            let text = "Try clock 5+3 (minutes+increment), clock depth 8, or clock time 2.";
            return Err(text.to_owned().into());
        };
        self.game.set_pace(pace);
        self.turn_began = Instant::now();
        say(&self.clock_text())?;
        Ok(())
    }

    pub(crate) fn clock_text(&self) -> String {
        let mut text = format!("{}", self.game.pace());
        if let (Some(white), Some(black)) =
            (self.game.left(Color::White), self.game.left(Color::Black))
        {
            let mut left = [white, black];
            if self.game.ending.is_none() {
                let us = self.game.board().side_to_move().index();
                left[us] = left[us].saturating_sub(self.thought());
            }
            let [white, black] = left.map(clock_text);
            // Writing to a string does not fail.
            let _ = write!(text, "; White {white}, Black {black}");
        }
        text
    }
}

/// Parses a level: a rating, or `full`.
fn parse_level(text: &str) -> Result<Option<u32>, String> {
    if text == "full" {
        return Ok(None);
    }
    let (low, high) = (Level::LOWEST, Level::HIGHEST);
    let elo = text.parse::<u32>().ok().filter(|elo| (low..=high).contains(elo));
    elo.map(Some).ok_or_else(|| format!("level must be from {low} to {high}, or full"))
}

/// Parses a time per move in seconds, up to a day.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| (0.01..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected 0.01 to 86400 seconds".to_owned())
}
