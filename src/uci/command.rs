//! A line of text becomes a [`Command`], or an error that says what was expected.

use thiserror::Error;

use crate::board::{Board, FenError, Game};
use crate::notation::{IllegalUciMove, UciMove, UciMoveSyntax};

/// What a GUI, or a person at the terminal, asks for.
#[derive(Debug)]
pub enum Command {
    /// `uci`: say who you are.
    Uci,
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `position ...`: set up a position.
    Position(Box<Game>),
    /// `go perft DEPTH`.
    GoPerft(u32),
    /// `d`: draw the board.
    Display,
    /// `quit`.
    Quit,
}

/// Why a line is not a command. The message is meant for the person who typed it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// The first word is no command.
    #[error("unknown command {0:?}; known are uci, isready, position, go perft, d, quit")]
    Unknown(String),
    /// `position` without `startpos` or `fen`.
    #[error("position: expected 'startpos' or 'fen ...', found {0}")]
    PositionKind(String),
    /// A word after the position that is not `moves`.
    #[error("position: expected 'moves' or nothing after the position, found {0:?}")]
    ExpectedMoves(String),
    /// A FEN that is refused.
    #[error("position: {0}")]
    Fen(#[from] FenError),
    /// A text that is no move.
    #[error("position: move {number}: {error}")]
    MoveSyntax {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong.
        error: UciMoveSyntax,
    },
    /// A move that is not legal.
    #[error("position: move {number}: {error}")]
    IllegalMove {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong.
        error: IllegalUciMove,
    },
    /// `go` with something other than `perft DEPTH`.
    #[error("go: expected 'perft' and a depth from 1 to 64")]
    Go,
}

impl Command {
    /// Reads the arguments of `position`: `startpos` or `fen ...`, then perhaps `moves ...`.
    fn parse_position(words: &[&str]) -> Result<Game, CommandError> {
        let (kind, rest) =
            words.split_first().ok_or_else(|| CommandError::PositionKind("nothing".to_owned()))?;
        let moves_at = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
        let (setup, moves) = rest.split_at(moves_at);
        let start = match *kind {
            "startpos" => match setup.first() {
                None => Board::starting_position(),
                Some(word) => return Err(CommandError::ExpectedMoves(excerpt(word))),
            },
            "fen" => Board::from_fen(&setup.join(" "))?,
            other => return Err(CommandError::PositionKind(format!("{:?}", excerpt(other)))),
        };
        let mut game = Game::new(start);
        for (index, word) in moves.iter().skip(1).enumerate() {
            let number = index + 1;
            let mv: UciMove =
                word.parse().map_err(|error| CommandError::MoveSyntax { number, error })?;
            let mv = mv
                .to_move(game.board())
                .map_err(|error| CommandError::IllegalMove { number, error })?;
            game.play_unchecked(mv);
        }
        Ok(game)
    }

    /// Reads a line. `None` for a line without words.
    ///
    /// # Errors
    /// Says what cannot be understood.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&name, arguments)) = words.split_first() else { return Ok(None) };
        Ok(Some(match name {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "position" => Self::Position(Box::new(Self::parse_position(arguments)?)),
            "go" => match *arguments {
                ["perft", depth] => Self::GoPerft(
                    depth
                        .parse()
                        .ok()
                        .filter(|depth| (1..=64).contains(depth))
                        .ok_or(CommandError::Go)?,
                ),
                _ => return Err(CommandError::Go),
            },
            "d" => Self::Display,
            "quit" => Self::Quit,
            _ => return Err(CommandError::Unknown(excerpt(name))),
        }))
    }
}

/// The beginning of a text from outside, short enough for an error message.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}
