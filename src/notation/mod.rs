//! Floor 2: human text and GUI text to moves and back. A text becomes an unchecked value first
//! (syntax) and a legal move only with a board (rules); each step has its own errors.

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
