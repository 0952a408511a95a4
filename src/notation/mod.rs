//! Layer 2: conversion between moves and text (SAN, long algebraic, UCI, PGN, EPD). Text is first parsed
//! into an unchecked value (syntax), then resolved to a legal move on a board (rules); each step
//! has its own error types.

mod epd;
mod pgn;
mod san;
mod uci_move;

pub use epd::{Epd, EpdError};
pub use pgn::error::{PgnError, PgnProblem};
pub use pgn::reader::PgnReader;
pub use pgn::source::LineColumn;
pub use pgn::{Line, PgnGame, PgnResult, Ply, SEVEN_TAG_ROSTER, Tags};
pub use san::{Mark, San, SanError, SanMove, SanSyntax, long_algebraic};
pub use uci_move::{CastlingStyle, IllegalUciMove, UciMove, UciMoveSyntax};
