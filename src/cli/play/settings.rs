//! Changes the engine's strength and the clocks during a game.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::book::BookPlayer;
use crate::cli::play::game::{Pace, TimeControl, clock_text};
use crate::cli::play::session::{CommandResult, Session, say};
use crate::search::Level;
use crate::types::Color;

impl Session {
    pub(crate) fn set_elo(&mut self, elo: Option<u32>) {
        self.elo = elo;
        self.restore_level();
    }

    pub(crate) fn restore_level(&mut self) {
        if let Some(book) = &mut self.book {
            book.depth = self.elo.map_or(BookPlayer::MAX_DEPTH, book_depth);
        }
        self.engine.set_level(self.elo.map_or_else(Level::full, Level::elo));
    }

    pub(crate) fn change_level(&mut self, text: &str) -> CommandResult {
        let range = Level::LOWEST..=Level::HIGHEST;
        match text {
            "" => {}
            "full" => self.set_elo(None),
            text => {
                let elo = text.parse::<u32>().ok().filter(|elo| range.contains(elo));
                if elo.is_none() {
                    let (low, high) = range.into_inner();
                    return Err(format!("level must be from {low} to {high}, or full").into());
                }
                self.set_elo(elo);
            }
        }
        say(&format!("Damero plays {}.", self.level_text()))?;
        Ok(())
    }

    pub(crate) fn level_text(&self) -> String {
        self.elo.map_or_else(|| "at full strength".to_owned(), |elo| format!("at Elo {elo}"))
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

/// Returns how many book moves a level knows: 1 at Elo 800, 8 at 2200.
fn book_depth(elo: u32) -> u16 {
    (elo.saturating_sub(600) / 200) as u16
}

/// Parses a time per move in seconds, up to a day.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| (0.01..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected 0.01 to 86400 seconds".to_owned())
}
