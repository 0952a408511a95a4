//! PGN data model: tags, moves, comments, variations and result. [`crate::board::Game`] holds only
//! positions and moves. Start at [`PgnGame`].

pub(crate) mod error;
pub(crate) mod reader;
pub(crate) mod source;
mod writer;

use std::fmt;

use crate::board::{Board, Game, Outcome};
use crate::types::{Color, Move};

/// One game of a PGN file.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The tag pairs.
    pub tags: Tags,
    /// The starting position.
    pub start: Board,
    /// The moves played, with annotations and variations.
    pub line: Line,
    /// The result.
    pub result: PgnResult,
}

/// A sequence of moves: the main line or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The comment before the first move, or an empty string.
    pub comment: String,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs (NAGs): 1 for `!`, 2 for `?` and so on.
    pub nags: Vec<u8>,
    /// The comment after the move, or an empty string.
    pub comment: String,
    /// Alternatives to this move.
    pub variations: Vec<Line>,
}

/// The result of a game, without its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PgnResult {
    /// `1-0` or `0-1`.
    Won(Color),
    /// `1/2-1/2`
    Drawn,
    /// `*`: in progress or unknown.
    #[default]
    Unknown,
}

/// The tag pairs of a game, in file order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

/// The Seven Tag Roster: the mandatory tags in their order, each with its value if unknown.
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
    /// Returns the value of the first tag called `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag. An existing tag keeps its position; a new one goes to the end.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Appends a tag, even if `name` exists already; [`Self::get`] returns the first.
    pub(crate) fn push(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }

    /// Removes every tag called `name`.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// Returns all tags as (name, value), in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns whether there are no tags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Ply {
    /// Creates a ply without annotations.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        Self { mv, nags: Vec::new(), comment: String::new(), variations: Vec::new() }
    }
}

impl Line {
    /// Creates a line without annotations.
    pub fn new(moves: impl IntoIterator<Item = Move>) -> Self {
        Self { comment: String::new(), plies: moves.into_iter().map(Ply::new).collect() }
    }

    /// Returns the moves, without annotations and variations.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }
}

impl PgnGame {
    /// Converts `game`, without tags. The result is known only if the rules have ended the game.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let result = game.outcome().map_or(PgnResult::Unknown, PgnResult::from);
        let line = Line::new(game.moves().iter().copied());
        Self { tags: Tags::default(), start: *game.start(), line, result }
    }

    /// Replays the main line from the starting position.
    #[must_use]
    pub fn to_game(&self) -> Game {
        let mut game = Game::new(self.start);
        for mv in self.line.moves() {
            game.play_unchecked(mv);
        }
        game
    }
}

impl From<Outcome> for PgnResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Checkmate(winner) => Self::Won(winner),
            Outcome::Draw(_) => Self::Drawn,
        }
    }
}

impl PgnResult {
    /// Parses a result such as `1-0`.
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

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}
