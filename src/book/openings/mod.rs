//! Embedded openings: names of positions and a small book, both read from `lines.txt`, which
//! documents its format. Start at [`Openings::embedded`].

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use thiserror::Error;

use crate::board::{Board, Game};
use crate::book::polyglot::key::PolyglotKey;
use crate::book::polyglot::{Book, Entry, PackedMove};
use crate::notation::{San, SanError, SanSyntax};

static LINES: &str = include_str!("lines.txt");

/// An opening: the name of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening<'a> {
    /// The ECO code (Encyclopaedia of Chess Openings), A00 to E99.
    pub eco: &'a str,
    /// The name.
    pub name: &'a str,
}

impl std::fmt::Display for Opening<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// An invalid line in a list of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {mistake}")]
pub struct LineError {
    /// The line number, from 1.
    pub line: usize,
    /// The cause.
    pub mistake: LineMistake,
}

/// The cause of a [`LineError`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LineMistake {
    /// The line does not have four columns. Holds the number of columns.
    #[error("expected four columns separated by '|', found {0}")]
    Columns(usize),
    /// Not an ECO code.
    #[error("expected an ECO code from A00 to E99, found {0:?}")]
    Eco(String),
    /// The name or its moves are missing.
    #[error("missing name or moves")]
    Nothing,
    /// The position already has a name.
    #[error("the position is already named {0:?}")]
    NamedTwice(String),
    /// A word that is not a move.
    #[error(transparent)]
    Syntax(#[from] SanSyntax),
    /// A move that is illegal, ambiguous or lacks its promotion piece.
    #[error(transparent)]
    Illegal(#[from] SanError),
}

/// Named openings, and the book built from their moves.
#[derive(Debug)]
pub struct Openings<'a> {
    names: HashMap<u64, Opening<'a>>,
    book: Book,
    lines: usize,
}

/// A move in a book position.
type Step = (PolyglotKey, PackedMove);

/// The state of the parser.
#[derive(Default)]
struct Gathered<'a> {
    names: HashMap<u64, Opening<'a>>,
    /// Number of lines that play each move.
    weights: HashMap<Step, u16>,
    /// Moves marked `?!`, which are left out of the book.
    dubious: HashSet<Step>,
}

impl Openings<'static> {
    /// Returns the openings built into Damero.
    ///
    /// # Panics
    /// Never: the text is a constant covered by a test.
    #[must_use]
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Openings<'static>> =
            LazyLock::new(|| Openings::parse(LINES).expect("lines.txt is valid"));
        &EMBEDDED
    }
}

impl<'a> Openings<'a> {
    /// Parses lines in the format of `lines.txt`.
    ///
    /// # Errors
    /// Returns the first invalid line and the cause.
    pub fn parse(text: &'a str) -> Result<Self, LineError> {
        let mut gathered = Gathered::default();
        let mut lines = 0;
        for (number, line) in (1..).zip(text.lines()) {
            if !line.trim().is_empty() && !line.starts_with('#') {
                gathered.add(line).map_err(|mistake| LineError { line: number, mistake })?;
                lines += 1;
            }
        }
        let Gathered { names, weights, dubious } = gathered;
        let entries = weights
            .into_iter()
            .filter(|(step, _)| !dubious.contains(step))
            .map(|((key, mv), weight)| Entry::new(key, mv, weight));
        Ok(Self { names, book: Book::new(entries.collect()), lines })
    }

    /// Returns the book built from all lines, without the dubious moves.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Returns all openings, sorted by ECO code and name.
    #[must_use]
    pub fn names(&self) -> Vec<Opening<'a>> {
        let mut names: Vec<_> = self.names.values().copied().collect();
        names.sort_unstable_by_key(|opening| (opening.eco, opening.name));
        names
    }

    /// Returns the opening named for this exact position.
    #[must_use]
    pub fn name_of_position(&self, board: &Board) -> Option<Opening<'a>> {
        self.names.get(&board.key()).copied()
    }

    /// Returns the opening of the game's last named position, whatever the move order.
    #[must_use]
    pub fn name(&self, game: &Game) -> Option<Opening<'a>> {
        game.positions().iter().rev().find_map(|board| self.name_of_position(board))
    }
}

impl<'a> Gathered<'a> {
    fn add(&mut self, line: &'a str) -> Result<(), LineMistake> {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [eco, name, moves, continuation] = columns[..] else {
            return Err(LineMistake::Columns(columns.len()));
        };
        if !matches!(eco.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']) {
            return Err(LineMistake::Eco(eco.chars().take(40).collect()));
        }
        if name.is_empty() || moves.is_empty() {
            return Err(LineMistake::Nothing);
        }
        let mut game = Game::default();
        self.play(&mut game, moves)?;
        let opening = Opening { eco, name };
        if let Some(earlier) = self.names.insert(game.board().key(), opening) {
            return Err(LineMistake::NamedTwice(earlier.name.to_owned()));
        }
        self.play(&mut game, continuation)
    }

    fn play(&mut self, game: &mut Game, moves: &str) -> Result<(), LineMistake> {
        for word in moves.split_whitespace() {
            let (word, dubious) = match word.strip_suffix("?!") {
                Some(word) => (word, true),
                None => (word, false),
            };
            let mv = word.parse::<San>()?.to_move(game.board())?;
            let step = (PolyglotKey::of_game(game), PackedMove::new(mv));
            let weight = self.weights.entry(step).or_default();
            *weight = weight.saturating_add(1);
            if dubious {
                self.dubious.insert(step);
            }
            game.play_unchecked(mv);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for word in moves.split_whitespace() {
            let mv = word.parse::<San>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    fn name(moves: &str) -> String {
        Openings::embedded().name(&game(moves)).map_or("none".to_owned(), |name| name.to_string())
    }

    /// Returns the book moves after `line`, as SAN with weights.
    fn moves(openings: &Openings<'_>, line: &str) -> Vec<(String, u16)> {
        let game = game(line);
        let text = |mv| San::new(game.board(), mv).to_string();
        openings.book().moves(&game).iter().map(|mv| (text(mv.mv), mv.weight)).collect()
    }

    #[test]
    fn embedded_lines_parse() {
        let openings = Openings::parse(LINES).unwrap_or_else(|error| panic!("{error}"));
        assert!(openings.lines() >= 300, "{}", openings.lines());
        assert_eq!(openings.names().len(), openings.lines());
        assert!(openings.book().len() > 2_000, "{}", openings.book().len());
        // Each group of ten ECO codes is represented.
        for volume in 'A'..='E' {
            for tens in '0'..='9' {
                let code = format!("{volume}{tens}");
                let known = openings.names().iter().any(|opening| opening.eco.starts_with(&code));
                assert!(known, "no opening in {code}0 to {code}9");
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let names = Openings::embedded().names();
        let distinct: HashSet<&str> = names.iter().map(|opening| opening.name).collect();
        assert_eq!(distinct.len(), names.len());
    }

    #[test]
    fn game_name_is_that_of_its_last_named_position() {
        assert_eq!(name(""), "none");
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5"), "C60 Ruy Lopez");
        assert_eq!(name("e4 e5 Nf3 Nc6 Bb5 Nf6 h3 h6"), "C65 Ruy Lopez: Berlin Defence");
        assert_eq!(name("Nf3 d5 d4 Nf6 c4 e6 Nc3 c6"), "D43 Semi-Slav Defence");
        assert_eq!(name("d4 d5 c4 c6 Nf3 Nf6 Nc3 e6"), "D43 Semi-Slav Defence");
    }

    #[test]
    fn weights_count_lines_without_dubious_moves() {
        let text = "# comment\n\nC30 | King's Gambit | e4 e5 f4?! | exf4 Nf3\n\
                    C33 | Bishop's Gambit | e4 e5 f4 exf4 Bc4 |\nA40 | Queen's Pawn | d4 |\n";
        let openings = Openings::parse(text).unwrap();
        let own = |list: &[(&str, u16)]| -> Vec<(String, u16)> {
            list.iter().map(|&(mv, weight)| (mv.to_owned(), weight)).collect()
        };
        assert_eq!(moves(&openings, ""), own(&[("e4", 2), ("d4", 1)]));
        assert_eq!(moves(&openings, "e4 e5"), own(&[]));
        assert_eq!(moves(&openings, "e4 e5 f4"), own(&[("exf4", 2)]));
        assert_eq!(moves(&openings, "e4 e5 f4 exf4"), own(&[("Bc4", 1), ("Nf3", 1)]));
    }

    #[test]
    fn parse_errors_name_line_and_cause() {
        for (line, message) in [
            ("C30 | King's Gambit | e4 e5 f4", "line 1: expected four columns"),
            ("F30 | King's Gambit | e4 |", "expected an ECO code"),
            ("C30 | | e4 |", "missing name or moves"),
            ("C30 | King's Gambit | e5 |", "e5 is not a legal move"),
            ("C30 | King's Gambit | x |", "is not a move"),
            ("B00 | One | e4 |\nB00 | Two | e4 |", "line 2: the position is already named \"One\""),
        ] {
            let error = Openings::parse(line).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
