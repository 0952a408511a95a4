//! Layer 2: conversion between moves and text (SAN, long algebraic, UCI, PGN). Text is first parsed
//! into an unchecked value (syntax), then resolved to a legal move on a board (rules); each step
//! has its own error types.

mod pgn;
mod pgn_reader;
mod pgn_source;
mod pgn_writer;
mod san;
mod uci_move;

pub use pgn::{GameResult, Line, PgnGame, Ply, SEVEN_TAG_ROSTER, Tags};
pub use pgn_reader::{PgnError, PgnProblem, PgnReader};
pub use pgn_source::Place;
pub use san::{Mark, San, SanError, SanSyntax, Step, long_algebraic};
pub use uci_move::{CastlingStyle, IllegalUciMove, UciMove, UciMoveSyntax};
