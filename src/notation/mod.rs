//! Floor 2: human text and GUI text to moves and back. A text becomes an unchecked value first
//! (syntax) and a legal move only with a board (rules); each step has its own errors.

mod uci_move;

pub use uci_move::{CastlingStyle, IllegalUciMove, UciMove, UciMoveSyntax};
