//! Errors of PGN files. Start at [`PgnError`].

use std::io;

use thiserror::Error;

use crate::board::FenError;
use crate::notation::pgn::source::LineColumn;
use crate::notation::san::{SanError, SanSyntax};

/// Maximum nesting depth of variations.
pub(super) const MAX_NESTING: usize = 64;
/// Maximum length of one game, in bytes: keeps a file that is not PGN from exhausting memory.
pub(super) const MAX_GAME: u64 = 16 << 20;

/// An error in a game, with its place.
#[derive(Debug, Error)]
#[error("game {game}, line {}, column {}: {problem}", place.line, place.column)]
pub struct PgnError {
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The place of the error.
    pub place: LineColumn,
    /// The cause.
    pub problem: PgnProblem,
}

/// The cause of a [`PgnError`].
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// The input could not be read.
    #[error("read error: {0}")]
    Io(#[from] io::Error),
    /// A tag does not have the form `[Name "value"]`.
    #[error("invalid tag: expected [Name \"value\"]")]
    Tag,
    /// The `FEN` tag does not hold a valid position.
    #[error("invalid FEN tag: {0}")]
    Fen(#[from] FenError),
    /// The `Variant` tag names an unsupported variant.
    #[error("unsupported variant {0:?}: expected standard chess or Chess960")]
    Variant(String),
    /// A word that is not a move.
    #[error(transparent)]
    Syntax(#[from] SanSyntax),
    /// A move that is illegal, ambiguous or lacks its promotion piece.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A null move (`--` or `Z0`).
    #[error("null moves are not supported")]
    NullMove,
    /// A `$` without a number from 0 to 255.
    #[error("expected a number from 0 to 255 after $")]
    Nag,
    /// A character that is not allowed here.
    #[error("unexpected {0:?}")]
    Unexpected(char),
    /// A comment without a closing brace.
    #[error("unclosed comment: missing }}")]
    OpenComment,
    /// The game ends inside a variation.
    #[error("the game ends inside a variation: missing )")]
    OpenVariation,
    /// A variation that cannot be played is not closed.
    #[error("unclosed variation: missing )")]
    EndlessVariation,
    /// A variation before the first move of its line.
    #[error("variation before the first move")]
    NothingToVary,
    /// Variations nested too deeply.
    #[error("variations nested more than {MAX_NESTING} deep")]
    TooDeep,
    /// A game whose text is too long.
    #[error("the game is longer than {} MiB", MAX_GAME >> 20)]
    TooLong,
}
