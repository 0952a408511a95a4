//! A game as PGN knows it: tags, moves, comments, variations, result. What is on paper, that is,
//! while [`crate::board::Game`] is what is on the board.

use std::fmt;

use crate::board::{Board, Game, Outcome};
use crate::types::{Color, Move};

/// One game of a PGN file.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// What is said about the game.
    pub tags: Tags,
    /// The position it begins with.
    pub start: Board,
    /// The moves that were played, with all that hangs on them.
    pub line: Line,
    /// How it ended.
    pub result: GameResult,
}

/// Moves one after the other: those of the game, or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// A comment before the first move; empty if there is none.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move, and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?` and so on.
    pub nags: Vec<u8>,
    /// A comment after it; empty if there is none.
    pub comment: String,
    /// What could have been played instead.
    pub variations: Vec<Line>,
}

/// How a game ended, as far as the score table is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameResult {
    /// `1-0` or `0-1`.
    Won(Color),
    /// `1/2-1/2`
    Drawn,
    /// `*`: the game goes on, or nobody knows.
    #[default]
    Unknown,
}

/// The pairs of name and value at the head of a game, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

/// The tags that every game must have, in this order, and what they say when nothing is known.
pub const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

impl Tags {
    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its old place if it was there.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Adds a tag at the end; of two of the same name the first one counts.
    pub(super) fn push(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }

    /// Takes a tag away.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// All tags in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Ply {
    /// A move about which nothing is said.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        Self { mv, nags: Vec::new(), comment: String::new(), variations: Vec::new() }
    }
}

impl Line {
    /// Moves about which nothing is said.
    pub fn new(moves: impl IntoIterator<Item = Move>) -> Self {
        Self { comment: String::new(), plies: moves.into_iter().map(Ply::new).collect() }
    }

    /// The moves alone.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }
}

impl PgnGame {
    /// A game's moves and start, with the result if the rules have decided it; no tags yet.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let result = game.outcome().map_or(GameResult::Unknown, GameResult::from);
        let line = Line::new(game.moves().iter().copied());
        Self { tags: Tags::default(), start: *game.start(), line, result }
    }

    /// The game on the board: the start and the moves that were played.
    #[must_use]
    pub fn to_game(&self) -> Game {
        let mut game = Game::new(self.start);
        for mv in self.line.moves() {
            game.play_unchecked(mv);
        }
        game
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Checkmate(winner) => Self::Won(winner),
            Outcome::Draw(_) => Self::Drawn,
        }
    }
}

impl GameResult {
    /// The result that a text such as `1-0` stands for.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Won(Color::White)),
            "0-1" => Some(Self::Won(Color::Black)),
            "1/2-1/2" | "1/2" => Some(Self::Drawn),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}
