//! A game between human and engine: undo and redo, clocks, ending, PGN. Start at [`PlayGame`].

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::board::{Board, DrawReason, Game, Outcome};
use crate::notation::{Line, PgnGame, PgnResult, Tags};
use crate::types::{Color, Move};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// By the rules, without a claim.
    Rule(Outcome),
    /// Draw claimed by a player.
    Claimed(DrawReason),
    /// Draw by agreement.
    Agreed,
    /// This colour resigned.
    Resigned(Color),
    /// This colour ran out of time.
    OutOfTime(Color),
    /// This colour ran out of time against a bare king: a draw, since the opponent cannot mate
    /// (FIDE 6.9).
    OutOfTimeDrawn(Color),
    /// Already over in the file it was loaded from.
    Recorded(PgnResult),
}

impl Ending {
    pub(crate) fn result(self) -> PgnResult {
        match self {
            Self::Rule(outcome) => outcome.into(),
            Self::Claimed(_) | Self::Agreed | Self::OutOfTimeDrawn(_) => PgnResult::Drawn,
            Self::Resigned(loser) | Self::OutOfTime(loser) => PgnResult::Won(!loser),
            Self::Recorded(result) => result,
        }
    }

    /// Returns the PGN standard's value for the tag `Termination`.
    const fn termination(self) -> &'static str {
        match self {
            Self::OutOfTime(_) | Self::OutOfTimeDrawn(_) => "time forfeit",
            _ => "normal",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rule(Outcome::Checkmate(winner)) => {
                write!(f, "checkmate, {} wins", name(winner))
            }
            Self::Rule(Outcome::Draw(reason)) => write!(f, "draw by {reason}"),
            Self::Claimed(reason) => write!(f, "draw by {reason} (claimed)"),
            Self::Agreed => f.write_str("draw by agreement"),
            Self::Resigned(loser) => write!(f, "{} resigns, {} wins", name(loser), name(!loser)),
            Self::OutOfTime(loser) => {
                write!(f, "{} is out of time, {} wins", name(loser), name(!loser))
            }
            Self::OutOfTimeDrawn(loser) => write!(
                f,
                "{} is out of time, but {} has only a king and cannot mate: draw",
                name(loser),
                name(!loser)
            ),
            Self::Recorded(_) => f.write_str("the loaded game had already ended"),
        }
    }
}

pub(crate) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Base time and increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeControl {
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

impl TimeControl {
    /// Parses `5+3`: minutes, and increment in seconds. Either may have a fraction.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        Self::new(60.0 * number(minutes)?, number(seconds)?)
    }

    fn new(base: f64, increment: f64) -> Option<Self> {
        let (base, increment) = (seconds(base)?, seconds(increment)?);
        (!(base + increment).is_zero()).then_some(Self { base, increment })
    }

    /// Parses the tag `TimeControl`, in seconds: `300+3`.
    fn from_tag(text: &str) -> Option<Self> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Self::new(number(base)?, number(increment)?)
    }
}

/// Parses a number without sign or exponent.
fn number(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse::<f64>().ok().filter(|_| plain)
}

/// Returns a time of `seconds` if it is between zero and a week.
fn seconds(seconds: f64) -> Option<Duration> {
    (0.0..=7.0 * 86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded to hundredths of a minute, without trailing zeros.
        let minutes = (self.base.as_secs_f64() / 60.0 * 100.0).round() / 100.0;
        write!(f, "{minutes} min + {} s", self.increment.as_secs_f64())
    }
}

/// Time limits of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// Clocks for both sides.
    Clock(TimeControl),
    /// The engine searches to this depth; the human's time is unlimited.
    Depth(u32),
    /// The engine takes this time per move; the human's time is unlimited.
    Time(Duration),
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(control) => write!(f, "clocks with {control}"),
            Self::Depth(depth) => write!(f, "no clocks, Damero searches to depth {depth}"),
            Self::Time(time) => {
                write!(f, "no clocks, Damero takes {} s per move", time.as_secs_f64())
            }
        }
    }
}

/// A game between a human and the engine.
#[derive(Clone, Debug)]
pub(crate) struct PlayGame {
    game: Game,
    /// Moves taken back, each with the clocks after it; the next to redo is last.
    undone: Vec<(Move, [Duration; 2])>,
    /// Clocks before each move, restored by undo.
    clocks_before: Vec<[Duration; 2]>,
    /// Time left, by colour; used only with [`Pace::Clock`].
    left: [Duration; 2],
    pace: Pace,
    pub(crate) human: Color,
    pub(crate) ending: Option<Ending>,
    tags: Tags,
    /// Main line of the loaded game, with its annotations.
    record: Line,
}

impl PlayGame {
    pub(crate) fn new(start: Board, human: Color, pace: Pace) -> Self {
        let mut new = Self {
            game: Game::new(start),
            undone: Vec::new(),
            clocks_before: Vec::new(),
            left: [Duration::ZERO; 2],
            pace,
            human,
            ending: None,
            tags: Tags::default(),
            record: Line::default(),
        };
        new.set_pace(pace);
        new.judge();
        new
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn board(&self) -> &Board {
        self.game.board()
    }

    pub(crate) fn pace(&self) -> Pace {
        self.pace
    }

    /// Sets the time limits from now on. Clocks start again from the base time.
    pub(crate) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        if let Pace::Clock(control) = pace {
            self.left = [control.base.max(control.increment); 2];
            self.clocks_before.fill(self.left);
            for (_, clocks) in &mut self.undone {
                *clocks = self.left;
            }
        }
    }

    /// Returns the time left on the clock of `color`, if there is one.
    pub(crate) fn left(&self, color: Color) -> Option<Duration> {
        matches!(self.pace, Pace::Clock(_)).then(|| self.left[color.index()])
    }

    /// Returns whether the game goes on and the engine is to move.
    pub(crate) fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && self.board().side_to_move() != self.human
    }

    /// Plays the legal move `mv` and charges `thought` to the clock. A fallen flag ends the game
    /// instead.
    pub(crate) fn play(&mut self, mv: Move, thought: Duration) {
        let us = self.board().side_to_move();
        let before = self.left;
        if !self.take_time(us, thought) {
            return;
        }
        if let Pace::Clock(control) = self.pace {
            self.left[us.index()] += control.increment;
        }
        self.clocks_before.push(before);
        self.undone.clear();
        self.game.play_unchecked(mv);
        self.judge();
    }

    /// Charges `thought` to the clock of `color`. Returns whether the flag is still up.
    pub(crate) fn take_time(&mut self, color: Color, thought: Duration) -> bool {
        if !matches!(self.pace, Pace::Clock(_)) {
            return true;
        }
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(thought);
        if !left.is_zero() {
            return true;
        }
        let board = self.game.board();
        let alone = board.color(!color) == board.king(!color).into();
        self.ending =
            Some(if alone { Ending::OutOfTimeDrawn(color) } else { Ending::OutOfTime(color) });
        false
    }

    fn judge(&mut self) {
        self.ending = self.game.outcome().map(Ending::Rule);
    }

    /// Withdraws a resignation, draw agreement or claim that ended the game; the moves stay.
    /// Returns whether there was one.
    pub(crate) fn take_back_command(&mut self) -> bool {
        let by_word =
            matches!(self.ending, Some(Ending::Resigned(_) | Ending::Agreed | Ending::Claimed(_)));
        if by_word {
            self.ending = None;
        }
        by_word
    }

    /// Takes back moves until the human is to move again. Returns the number of plies.
    pub(crate) fn undo(&mut self) -> usize {
        let mut undone = 0;
        while let Some(mv) = self.game.undo() {
            let now =
                std::mem::replace(&mut self.left, self.clocks_before.pop().unwrap_or_default());
            self.undone.push((mv, now));
            undone += 1;
            if self.board().side_to_move() == self.human {
                break;
            }
        }
        if undone > 0 {
            self.ending = None;
        }
        undone
    }

    /// Replays moves taken back until the human is to move again. Returns the number of plies.
    pub(crate) fn redo(&mut self) -> usize {
        let mut redone = 0;
        while let Some((mv, after)) = self.undone.pop() {
            self.clocks_before.push(std::mem::replace(&mut self.left, after));
            self.game.play_unchecked(mv);
            redone += 1;
            if self.board().side_to_move() == self.human {
                break;
            }
        }
        if redone > 0 {
            self.judge();
        }
        redone
    }

    /// Returns the game as PGN, with the clock after each move.
    pub(crate) fn to_pgn(&self, engine: &str, engine_elo: Option<u32>) -> PgnGame {
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
        self.write_players(&mut pgn.tags, engine, engine_elo);
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

    /// Sets the players' names and the engine's rating. Loaded names stay until the human or the
    /// engine moves for that side.
    fn write_players(&self, tags: &mut Tags, engine: &str, engine_elo: Option<u32>) {
        let [white, black] = [("White", "WhiteElo"), ("Black", "BlackElo")];
        let ((human, human_elo), (opponent, elo)) = match self.human {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        if tags.get(human).is_none() || is_engine(tags, human) && self.has_moved(self.human) {
            tags.set(human, "You");
            tags.remove(human_elo);
        }
        let is_ours = tags.get(opponent).is_none() || is_engine(tags, opponent);
        if is_ours || self.has_moved(!self.human) {
            tags.set(opponent, engine);
            match engine_elo {
                Some(rating) => tags.set(elo, &rating.to_string()),
                None => tags.remove(elo),
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

    /// Loads a game to continue it. The human plays against the side that bears the engine's name;
    /// if neither or both do, the human plays the side to move.
    pub(crate) fn from_pgn(pgn: &PgnGame, pace: Pace) -> Self {
        let game = pgn.to_game();
        let human = match (is_engine(&pgn.tags, "White"), is_engine(&pgn.tags, "Black")) {
            (true, false) => Color::Black,
            (false, true) => Color::White,
            _ => game.board().side_to_move(),
        };
        let control = pgn.tags.get("TimeControl").and_then(TimeControl::from_tag);
        let mut loaded = Self::new(pgn.start, human, control.map_or(pace, Pace::Clock));
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

    /// Returns the engine's rating according to the loaded game.
    pub(crate) fn recorded_elo(&self) -> Option<u32> {
        let tag = if self.human == Color::White { "BlackElo" } else { "WhiteElo" };
        self.tags.get(tag)?.parse().ok()
    }
}

/// Returns whether `tag` names this engine.
fn is_engine(tags: &Tags, tag: &str) -> bool {
    tags.get(tag).is_some_and(|name| name.starts_with("Damero"))
}

/// Formats a clock as in PGN: `0:04:59`.
pub(crate) fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Parses the clock in a comment such as `[%clk 0:04:59]`.
fn clock_in(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once("[%clk ")?;
    let mut total = 0.0;
    for part in rest.split_once(']')?.0.trim().split(':') {
        total = total * 60.0 + number(part)?;
    }
    seconds(total)
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
    use crate::notation::{PgnReader, San};

    const SECOND: Duration = Duration::from_secs(1);

    fn play(game: &mut PlayGame, moves: &str) {
        for san in moves.split_whitespace() {
            let mv = san.parse::<San>().unwrap().to_move(game.board()).unwrap();
            game.play(mv, SECOND);
        }
    }

    fn with_clock(text: &str) -> PlayGame {
        let control = TimeControl::parse(text).unwrap();
        PlayGame::new(Board::starting_position(), Color::White, Pace::Clock(control))
    }

    #[test]
    fn undo_and_redo_restore_clocks() {
        let mut game = with_clock("1+2");
        play(&mut game, "e4 e5 Nf3 Nc6");
        let (left, fen) = (game.left, game.board().to_fen());
        assert_eq!(left, [62 * SECOND; 2]);
        assert_eq!(game.undo(), 2);
        assert_eq!(game.left, [61 * SECOND; 2]);
        assert_eq!(game.undo(), 2);
        assert_eq!((game.undo(), game.left), (0, [60 * SECOND; 2]));
        assert_eq!((game.redo(), game.redo(), game.redo()), (2, 2, 0));
        assert_eq!((game.left, game.board().to_fen()), (left, fen));
        game.undo();
        play(&mut game, "d4");
        assert_eq!(game.redo(), 0);
    }

    #[test]
    fn endings_and_results() {
        let mut game = with_clock("1+0");
        play(&mut game, "f3 e5 g4 Qh4#");
        assert_eq!(game.ending.unwrap().to_string(), "checkmate, Black wins");
        assert_eq!(game.ending.unwrap().result(), PgnResult::Won(Color::Black));
        assert_eq!(game.undo(), 2);
        assert_eq!(game.ending, None);
        assert!(!game.take_time(Color::White, 100 * SECOND));
        assert_eq!(game.ending.unwrap().to_string(), "White is out of time, Black wins");
        let lone = Board::from_fen("8/8/8/8/8/2k5/1q6/K7 w - - 0 1").unwrap();
        assert_eq!(
            PlayGame::new(lone, Color::White, Pace::Depth(1)).ending.unwrap().to_string(),
            "checkmate, Black wins"
        );
        let lone = Board::from_fen("8/8/8/8/8/2k5/8/K6Q b - - 0 1").unwrap();
        let mut game = PlayGame::new(lone, Color::White, with_clock("1").pace());
        game.take_time(Color::White, 61 * SECOND);
        assert_eq!(game.ending.unwrap().result(), PgnResult::Drawn);
    }

    #[test]
    fn saved_game_resumes_where_it_stopped() {
        let mut game = with_clock("5+3");
        game.human = Color::Black;
        play(&mut game, "e4 c5 Nf3");
        let text = game.to_pgn("Damero 1.0", Some(1500)).to_string();
        let pgn = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let loaded = PlayGame::from_pgn(&pgn, Pace::Depth(3));
        assert_eq!(loaded.human, Color::Black);
        assert_eq!((loaded.left, loaded.pace), (game.left, game.pace));
        assert_eq!(loaded.recorded_elo(), Some(1500));
        assert_eq!(loaded.to_pgn("Damero 1.0", Some(1500)).to_string(), text);
        assert!(text.contains("{[%clk 0:05:02]}"), "{text}");
    }

    #[test]
    fn times_and_dates() {
        for (text, base, increment) in [("5+3", 300, 3), ("0.5", 30, 0), ("90+30", 5400, 30)] {
            let control = TimeControl::parse(text).unwrap();
            assert_eq!((control.base, control.increment), (base * SECOND, increment * SECOND));
        }
        for text in
            ["", "+", "a", "5+b", "0+0", "-1", "1e3", "nan", "99999999", "inf", "1.8e19+1.8e19"]
        {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
        assert_eq!(clock_in("so [%eval 0.1] [%clk 1:02:03]"), Some(3723 * SECOND));
        assert_eq!(clock_in("[%clk -1]"), None);
        assert_eq!(clock_in("[%clk 99999999999:00:00]"), None);
        assert_eq!(TimeControl::from_tag("0+1e19"), None);
        assert_eq!(TimeControl::from_tag("30+0.5"), TimeControl::parse("0.5+0.5"));
        assert_eq!(TimeControl::parse("0.03+0").unwrap().to_string(), "0.03 min + 0 s");
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(11_016), (2000, 2, 29));
        assert_eq!(date_of(20_773), (2026, 11, 16));
    }
}
