//! Draws the board with colours and Unicode pieces, or in plain letters. Start at [`draw`].

use std::fmt::Write;

use crate::board::Board;
use crate::types::{Bitboard, Color, File, Move, Piece, PieceType, Rank, Square};

/// Style of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardStyle {
    /// Unicode pieces instead of letters.
    pub(crate) unicode: bool,
    /// Colours by ANSI escape sequences.
    pub(crate) color: bool,
}

/// Square colours in the 256-colour xterm palette: light and dark.
const PLAIN: [u8; 2] = [180, 137];
const LAST_MOVE: [u8; 2] = [186, 143];
const CHECK: u8 = 167;
/// Piece colours.
const WHITE: u8 = 231;
const BLACK: u8 = 16;

/// Highlighting of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    None,
    LastMove,
    Check,
}

/// Draws `board` as seen by `from`, marking the squares of the `last` move and a king in check.
pub(crate) fn draw(board: &Board, last: Option<Move>, from: Color, style: BoardStyle) -> String {
    let moved =
        last.map_or(Bitboard::EMPTY, |mv| Bitboard::of(mv.from()) | Bitboard::of(mv.destination()));
    let mark = |square| {
        if board.in_check() && square == board.king(board.side_to_move()) {
            Mark::Check
        } else if moved.contains(square) {
            Mark::LastMove
        } else {
            Mark::None
        }
    };
    let (mut files, mut ranks) = (File::ALL, Rank::ALL);
    match from {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let letters = files.map(|file| file.letter().to_string()).join("  ");
    let mut text = String::new();
    for rank in ranks {
        let _ = write!(text, " {} ", rank.digit());
        for file in files {
            let square = Square::new(file, rank);
            text += &cell(board.piece_on(square), square, mark(square), style);
        }
        text += "\n";
    }
    let _ = writeln!(text, "    {letters}");
    text
}

fn cell(piece: Option<Piece>, square: Square, mark: Mark, style: BoardStyle) -> String {
    let symbol = symbol(piece, style);
    if !style.color {
        // Without colours, brackets and exclamation marks highlight squares.
        return match mark {
            Mark::None => format!(" {symbol} "),
            Mark::LastMove => format!("[{symbol}]"),
            Mark::Check => format!("!{symbol}!"),
        };
    }
    let dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
    let background = match mark {
        Mark::None => PLAIN[usize::from(dark)],
        Mark::LastMove => LAST_MOVE[usize::from(dark)],
        Mark::Check => CHECK,
    };
    let foreground = match piece.map(Piece::color) {
        Some(Color::White) => WHITE,
        _ => BLACK,
    };
    format!("\x1b[48;5;{background};38;5;{foreground}m {symbol} \x1b[0m")
}

fn symbol(piece: Option<Piece>, style: BoardStyle) -> char {
    let Some(piece) = piece else {
        return match style {
            BoardStyle { color: true, .. } => ' ',
            BoardStyle { unicode: true, .. } => '·',
            _ => '.',
        };
    };
    if !style.unicode {
        return piece.letter();
    }
    // With colours, both sides use the filled symbols; without, White's are hollow.
    let filled = style.color || piece.color() == Color::Black;
    let (full, hollow) = match piece.kind() {
        PieceType::King => ('♚', '♔'),
        PieceType::Queen => ('♛', '♕'),
        PieceType::Rook => ('♜', '♖'),
        PieceType::Bishop => ('♝', '♗'),
        PieceType::Knight => ('♞', '♘'),
        PieceType::Pawn => ('♟', '♙'),
    };
    if filled { full } else { hollow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::San;

    const ASCII: BoardStyle = BoardStyle { unicode: false, color: false };

    #[test]
    fn ascii_board_from_either_side() {
        let board = Board::starting_position();
        let mv = "e4".parse::<San>().unwrap().to_move(&board).unwrap();
        let text = draw(&board.after(mv), Some(mv), Color::White, ASCII);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4  .  .  .  . [P] .  .  . ");
        assert_eq!(lines[6], " 2  P  P  P  P [.] P  P  P ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h");
        let flipped = draw(&board, None, Color::Black, ASCII);
        assert!(flipped.starts_with(" 1  R  N  B  K  Q  B  N  R "), "{flipped}");
        assert!(flipped.ends_with("    h  g  f  e  d  c  b  a\n"), "{flipped}");
    }

    #[test]
    fn check_and_castling_are_marked() {
        let board = Board::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        assert!(draw(&board, None, Color::White, ASCII).contains("!K!"));
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castling = "O-O".parse::<San>().unwrap().to_move(&board).unwrap();
        let text = draw(&board.after(castling), Some(castling), Color::White, ASCII);
        assert!(text.contains("[.] R [K] . "), "{text}");
    }

    #[test]
    fn unicode_and_colours() {
        let board = Board::starting_position();
        let plain = draw(&board, None, Color::White, BoardStyle { unicode: true, color: false });
        assert!(plain.starts_with(" 8  ♜  ♞ ") && plain.contains(" ♙ ") && plain.contains('·'));
        assert!(!plain.contains('\x1b'));
        let coloured = draw(&board, None, Color::White, BoardStyle { unicode: true, color: true });
        assert!(coloured.contains("\x1b[48;5;180;38;5;16m ♜ \x1b[0m"), "{coloured}");
        assert!(coloured.contains("38;5;231m ♜ "), "{coloured}");
    }
}
