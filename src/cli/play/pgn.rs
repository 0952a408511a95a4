//! Converts a game to PGN and back. Start at [`PlayGame::to_pgn`].

use std::time::{SystemTime, UNIX_EPOCH};

use crate::cli::play::clock::{Pace, TimeControl, clock_in, clock_text};
use crate::cli::play::ending::Ending;
use crate::cli::play::game::PlayGame;
use crate::cli::play::players::{Player, Players};
use crate::notation::{PgnGame, PgnResult, Tags};
use crate::types::Color;

impl PlayGame {
    /// Returns the game as PGN, with the clock after each move.
    pub(crate) fn to_pgn(&self, engine: &str, elos: [Option<u32>; 2]) -> PgnGame {
        let mut pgn = PgnGame::new(&self.game);
        pgn.tags = self.tags.clone();
        pgn.line.comment.clone_from(&self.record.comment);
        for (ply, old) in pgn.line.plies.iter_mut().zip(&self.record.plies) {
            if ply.mv != old.mv {
                break;
            }
            ply.clone_from(old);
        }
        let mut fill = |name: &str, value: &str| {
            if pgn.tags.get(name).is_none() {
                pgn.tags.set(name, value);
            }
        };
        fill("Event", "Game in the terminal");
        fill("Date", &today());
        fill("Round", "-");
        self.write_players(&mut pgn.tags, engine, elos);
        match self.pace {
            Pace::Clock(control) => {
                let (base, more) = (control.base, control.increment);
                let text = format!("{}+{}", base.as_secs_f64(), more.as_secs_f64());
                pgn.tags.set("TimeControl", &text);
                self.write_clocks(&mut pgn);
            }
            _ => pgn.tags.set("TimeControl", "-"),
        }
        pgn.result = self.ending.map_or(PgnResult::Unknown, Ending::result);
        let termination = self.ending.map_or("unterminated", Ending::termination);
        pgn.tags.set("Termination", termination);
        pgn
    }

    /// Sets the names of the players and the ratings of engines. Loaded names stay until someone
    /// else moves for that side.
    fn write_players(&self, tags: &mut Tags, engine: &str, elos: [Option<u32>; 2]) {
        for (color, tag, elo) in
            [(Color::White, "White", "WhiteElo"), (Color::Black, "Black", "BlackElo")]
        {
            let is_missing = tags.get(tag).is_none();
            match self.players.of(color) {
                Player::Human if is_missing || is_engine(tags, tag) && self.has_moved(color) => {
                    let name = if self.players.lone_human().is_some() { "You" } else { tag };
                    tags.set(tag, name);
                    tags.remove(elo);
                }
                Player::Engine if is_missing || is_engine(tags, tag) || self.has_moved(color) => {
                    tags.set(tag, engine);
                    match elos[color.index()] {
                        Some(rating) => tags.set(elo, &rating.to_string()),
                        None => tags.remove(elo),
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether `side` has made a move that is not in the loaded game.
    fn has_moved(&self, side: Color) -> bool {
        let moves = self.game.moves();
        let known = self.record.moves().zip(moves).take_while(|(old, mv)| old == *mv).count();
        let positions = &self.game.positions()[known..moves.len()];
        positions.iter().any(|board| board.side_to_move() == side)
    }

    fn write_clocks(&self, pgn: &mut PgnGame) {
        let mut color = self.game.start().side_to_move();
        let after = self.clocks_before.iter().skip(1).chain([&self.left]);
        for (ply, left) in pgn.line.plies.iter_mut().zip(after) {
            if clock_in(&ply.comment).is_none() {
                let separator = if ply.comment.is_empty() { "" } else { " " };
                let clock = clock_text(left[color.index()]);
                ply.comment = format!("[%clk {clock}]{separator}{}", ply.comment);
            }
            color = !color;
        }
    }

    /// Loads a game to continue it. Of `players`, a human against the engine changes sides if the
    /// engine's name says so: the human plays against the side that bears it. If neither or both
    /// do, the human plays the side to move.
    pub(crate) fn from_pgn(pgn: &PgnGame, players: Players, pace: Pace) -> Self {
        let game = pgn.to_game();
        let players = match (is_engine(&pgn.tags, "White"), is_engine(&pgn.tags, "Black")) {
            _ if players.lone_human().is_none() => players,
            (true, false) => Players::human_with(Color::Black),
            (false, true) => Players::human_with(Color::White),
            _ => Players::human_with(game.board().side_to_move()),
        };
        let control = pgn.tags.get("TimeControl").and_then(TimeControl::from_tag);
        let mut loaded = Self::new(pgn.start, players, control.map_or(pace, Pace::Clock));
        for ply in &pgn.line.plies {
            let us = loaded.board().side_to_move();
            loaded.clocks_before.push(loaded.left);
            if let Some(left) = clock_in(&ply.comment).filter(|_| control.is_some()) {
                loaded.left[us.index()] = left;
            }
            loaded.game.play_unchecked(ply.mv);
        }
        loaded.tags = pgn.tags.clone();
        loaded.record = pgn.line.clone();
        loaded.judge();
        if loaded.ending.is_none() && pgn.result != PgnResult::Unknown {
            loaded.ending = Some(Ending::Recorded(pgn.result));
        }
        loaded
    }

    /// Returns whether this engine played in the loaded game.
    pub(crate) fn is_recorded_ours(pgn: &PgnGame) -> bool {
        ["White", "Black"].iter().any(|tag| is_engine(&pgn.tags, tag))
    }

    /// Returns the rating of a lone engine according to the loaded game.
    pub(crate) fn recorded_elo(&self) -> Option<u32> {
        let tag = match self.players.lone_human()? {
            Color::White => "BlackElo",
            Color::Black => "WhiteElo",
        };
        self.tags.get(tag)?.parse().ok()
    }
}

/// Returns whether `tag` names this engine.
fn is_engine(tags: &Tags, tag: &str) -> bool {
    tags.get(tag).is_some_and(|name| name.starts_with("Damero"))
}

/// Returns today's date (UTC) in PGN format.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date_of(seconds / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns the Gregorian date (year, month, day) `days` after 1 January 1970.
fn date_of(mut days: u64) -> (u64, usize, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::play::game::tests::{play, with_clock};
    use crate::notation::PgnReader;

    #[test]
    fn saved_game_resumes_where_it_stopped() {
        let mut game = with_clock("5+3");
        game.players = Players::human_with(Color::Black);
        play(&mut game, "e4 c5 Nf3");
        let text = game.to_pgn("Damero 1.0", [Some(1500), None]).to_string();
        let pgn = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let loaded = PlayGame::from_pgn(&pgn, Players::human_with(Color::White), Pace::Depth(3));
        assert_eq!(loaded.players, Players::human_with(Color::Black));
        assert_eq!((loaded.left, loaded.pace), (game.left, game.pace));
        assert_eq!(loaded.recorded_elo(), Some(1500));
        assert_eq!(loaded.to_pgn("Damero 1.0", [Some(1500), None]).to_string(), text);
        assert!(text.contains("{[%clk 0:05:02]}"), "{text}");
    }

    #[test]
    fn two_humans_and_two_engines_have_names() {
        for (player, white, elo) in
            [(Player::Human, "White", None), (Player::Engine, "E", Some(900))]
        {
            let mut game = with_clock("1");
            game.players = Players::new(player, player);
            play(&mut game, "e4 e5");
            let tags = game.to_pgn("E", [Some(900), None]).tags;
            assert_eq!(tags.get("White"), Some(white));
            assert_eq!(tags.get("WhiteElo").map(|text| text.parse().unwrap()), elo);
            assert_eq!(tags.get("BlackElo"), None);
        }
    }

    #[test]
    fn dates_are_gregorian() {
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(11_016), (2000, 2, 29));
        assert_eq!(date_of(20_773), (2026, 11, 16));
    }
}
