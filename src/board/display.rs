//! Draws a board as text.

use std::fmt;

use super::Board;
use crate::types::{File, Piece, Rank, Square};

/// Draws the board with White at the bottom, and the FEN below it.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = "  +---+---+---+---+---+---+---+---+";
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f, "{LINE}")?;
            write!(f, "{rank} |")?;
            for file in File::ALL {
                let letter = self.piece_on(Square::new(file, rank)).map_or(' ', Piece::letter);
                write!(f, " {letter} |")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{LINE}\n    a   b   c   d   e   f   g   h\n")?;
        write!(f, "{}", self.to_fen())
    }
}
