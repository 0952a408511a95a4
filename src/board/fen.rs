//! Forsyth-Edwards Notation (FEN): reads and writes orthodox FEN, X-FEN and Shredder-FEN. Start at
//! [`Board::from_fen`].

use std::str::FromStr;

use thiserror::Error;

use super::Board;
use super::setup::Setup;
use super::validate::InvalidPosition;
use crate::types::zobrist;
use crate::types::{
    Black, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square, White,
};

/// Why a text is not the FEN of a playable position. The message names the field.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error(
        "FEN: expected 4 to 6 fields (pieces, side to move, castling, en passant, \
         halfmove clock, move number), found {0}"
    )]
    FieldCount(usize),
    /// Other than eight ranks.
    #[error("FEN pieces: expected 8 ranks separated by '/', found {0}")]
    RankCount(usize),
    /// A rank that does not have eight squares.
    #[error("FEN pieces: rank {rank} has {found} squares instead of 8 ({text:?})")]
    RankLength {
        /// The rank.
        rank: Rank,
        /// Number of squares in its text.
        found: usize,
        /// The text of the rank, shortened if long.
        text: String,
    },
    /// A character that is neither a piece letter nor a digit from 1 to 8.
    #[error("FEN pieces: {letter:?} in rank {rank} is neither a piece (PNBRQK, pnbrqk) nor 1 to 8")]
    PieceLetter {
        /// The rank.
        rank: Rank,
        /// The character.
        letter: char,
    },
    /// A side to move other than `w` or `b`.
    #[error("FEN side to move: expected 'w' or 'b', found {0:?}")]
    SideToMove(String),
    /// A malformed castling field.
    #[error(
        "FEN castling: expected '-' or letters of KQkq (or files A-H, a-h in Chess960), found {0:?}"
    )]
    Castling(String),
    /// An en passant field that is neither `-` nor a square.
    #[error("FEN en passant: expected '-' or a square such as e3, found {0:?}")]
    EnPassant(String),
    /// A counter that is not a number, or is too large.
    #[error("FEN {field}: expected a number from 0 to {}, found {text:?}", u16::MAX)]
    Counter {
        /// Name of the counter.
        field: &'static str,
        /// The text of the field, shortened if long.
        text: String,
    },
    /// The fields are well-formed, but the position is not playable.
    #[error("FEN {field}: {0}", field = field_of(.0))]
    Invalid(#[from] InvalidPosition),
}

fn field_of(error: &InvalidPosition) -> &'static str {
    match error {
        InvalidPosition::OpponentInCheck(_) => "side to move",
        InvalidPosition::CastlingRight { .. } => "castling",
        InvalidPosition::EnPassant { .. } => "en passant",
        _ => "pieces",
    }
}

impl Setup {
    /// Parses `fen`. Castling letters are resolved to rooks; [`Setup::build`] checks the rest of
    /// the position.
    ///
    /// # Errors
    /// Returns a [`FenError`] that names the malformed field and what was expected.
    pub fn parse(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let (&[pieces, side, castling, en_passant], counters) =
            fields.split_first_chunk().ok_or(FenError::FieldCount(fields.len()))?;
        if counters.len() > 2 {
            return Err(FenError::FieldCount(fields.len()));
        }
        let squares = parse_pieces(pieces)?;
        Ok(Self {
            squares,
            side_to_move: match side {
                "w" => Color::White,
                "b" => Color::Black,
                _ => return Err(FenError::SideToMove(excerpt(side))),
            },
            castling: parse_castling(castling, &squares)?,
            en_passant: match en_passant {
                "-" => None,
                _ => Some(
                    Square::parse(en_passant)
                        .ok_or_else(|| FenError::EnPassant(excerpt(en_passant)))?,
                ),
            },
            halfmove_clock: parse_counter("halfmove clock", counters.first(), 0)?,
            fullmove_number: parse_counter("move number", counters.get(1), 1)?.max(1),
        })
    }

    /// Builds the board if the position is playable.
    ///
    /// # Errors
    /// Returns the first fault found.
    pub fn build(&self) -> Result<Board, InvalidPosition> {
        let mut board = Board::empty();
        for square in Square::all() {
            if let Some(piece) = self.squares[square.index()] {
                board.put(piece, square);
            }
        }
        board.side_to_move = self.side_to_move;
        board.halfmove_clock = self.halfmove_clock;
        board.fullmove_number = self.fullmove_number;
        board.castling = self.castling;
        board.validate_pieces()?;
        board.validate_castling()?;
        board.key ^= zobrist::castling(self.castling.rooks());
        if board.side_to_move == Color::Black {
            board.key ^= zobrist::black_to_move();
        }
        if let Some(square) = self.en_passant {
            board.validate_en_passant(square)?;
            match board.side_to_move {
                Color::White => board.allow_en_passant::<White>(square),
                Color::Black => board.allow_en_passant::<Black>(square),
            }
        }
        match board.side_to_move {
            Color::White => board.refresh_checks_and_pins::<White>(),
            Color::Black => board.refresh_checks_and_pins::<Black>(),
        }
        Ok(board)
    }
}

impl Board {
    /// Parses a FEN of four to six fields. Castling rights may be orthodox (`KQkq`), X-FEN (`KQkq`
    /// for the outermost rooks, file letters for others) or Shredder-FEN (file letters).
    ///
    /// # Errors
    /// Returns a [`FenError`] that names the wrong field and what was expected.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Setup::parse(fen)?.build()?)
    }

    /// Returns the position as FEN, or as X-FEN if the castling rooks need it. The en passant
    /// square is given only if a capture there is legal.
    #[must_use]
    pub fn to_fen(&self) -> String {
        self.fen_with_castling(&self.castling_text(|rook, side| {
            let outermost = self.outermost_rook(rook, side) == Some(rook);
            match side {
                CastlingSide::King if outermost => 'K',
                CastlingSide::Queen if outermost => 'Q',
                _ => rook.file().letter().to_ascii_uppercase(),
            }
        }))
    }

    /// Returns the position as Shredder-FEN: castling rights are always file letters.
    #[must_use]
    pub fn to_shredder_fen(&self) -> String {
        let letters = self.castling_text(|rook, _| rook.file().letter().to_ascii_uppercase());
        self.fen_with_castling(&letters)
    }

    fn fen_with_castling(&self, castling: &str) -> String {
        let en_passant = self.en_passant.map_or("-".to_owned(), |square| square.to_string());
        format!(
            "{} {} {castling} {en_passant} {} {}",
            self.pieces_text(),
            self.side_to_move.letter(),
            self.halfmove_clock,
            self.fullmove_number
        )
    }

    fn pieces_text(&self) -> String {
        let ranks = Rank::ALL.into_iter().rev().map(|rank| {
            let mut text = String::new();
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(piece.letter());
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text
        });
        ranks.collect::<Vec<_>>().join("/")
    }

    /// Returns the castling field; `letter` gives the upper-case letter of each right.
    fn castling_text(&self, letter: impl Fn(Square, CastlingSide) -> char) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling.rook(color, self.king(color), side) {
                    text.push(match color {
                        Color::White => letter(rook, side),
                        Color::Black => letter(rook, side).to_ascii_lowercase(),
                    });
                }
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// Returns the outermost rook on `side` among the home-rank rooks of `rook`'s colour.
    fn outermost_rook(&self, rook: Square, side: CastlingSide) -> Option<Square> {
        let color = self.piece_on(rook)?.color();
        outermost_rook(&self.squares, color, self.king(color), side)
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

fn parse_pieces(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    let mut squares = [None; 64];
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(digit @ 1..=8) = letter.to_digit(10) {
                file += digit as usize;
            } else {
                let piece =
                    Piece::from_letter(letter).ok_or(FenError::PieceLetter { rank, letter })?;
                if let Some(&file) = File::ALL.get(file) {
                    squares[Square::new(file, rank).index()] = Some(piece);
                }
                file += 1;
            }
        }
        if file != 8 {
            return Err(FenError::RankLength { rank, found: file, text: excerpt(text) });
        }
    }
    Ok(squares)
}

fn parse_castling(text: &str, squares: &[Option<Piece>; 64]) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = Some(Piece::new(color, PieceType::King));
        let Some(king) = Square::all().find(|square| squares[square.index()] == king) else {
            // The king is missing; `Setup::build` reports that.
            continue;
        };
        let letter = letter.to_ascii_lowercase();
        let (rook, file) = match (letter, File::from_letter(letter)) {
            ('k', _) => (outermost_rook(squares, color, king, CastlingSide::King), File::H),
            ('q', _) => (outermost_rook(squares, color, king, CastlingSide::Queen), File::A),
            (_, Some(file)) => (Some(Square::new(file, Rank::First.relative_to(color))), file),
            _ => return Err(FenError::Castling(excerpt(text))),
        };
        let reason = if king.rank() == Rank::First.relative_to(color) {
            "it has no rook on that side of the king"
        } else {
            "the king is not on its home rank"
        };
        rights.grant(rook.ok_or(InvalidPosition::CastlingRight { color, file, reason })?);
    }
    Ok(rights)
}

/// Finds `color`'s outermost home-rank rook on one wing, with its king on `king`.
fn outermost_rook(
    squares: &[Option<Piece>; 64],
    color: Color,
    king: Square,
    side: CastlingSide,
) -> Option<Square> {
    let home = Rank::First.relative_to(color);
    if king.rank() != home {
        return None;
    }
    let is_rook = |square: &Square| {
        squares[square.index()] == Some(Piece::new(color, PieceType::Rook))
            && CastlingSide::of(king, *square) == side
    };
    let mut rank = File::ALL.into_iter().map(|file| Square::new(file, home));
    match side {
        CastlingSide::Queen => rank.find(is_rook),
        CastlingSide::King => rank.rfind(is_rook),
    }
}

fn parse_counter(field: &'static str, text: Option<&&str>, default: u16) -> Result<u16, FenError> {
    let Some(text) = text else { return Ok(default) };
    // `parse` alone would accept "+5".
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| FenError::Counter { field, text: excerpt(text) })
}

/// Returns the start of untrusted text, short enough for an error message.
pub(crate) fn excerpt(text: &str) -> String {
    const LIMIT: usize = 40;
    match text.char_indices().nth(LIMIT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error message for a FEN that must be rejected.
    fn refusal(fen: &str) -> String {
        match Board::from_fen(fen) {
            Ok(board) => panic!("{fen} was accepted as {}", board.to_fen()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn error_messages_are_specific() {
        for (fen, message) in [
            ("", "FEN: expected 4 to 6 fields"),
            ("8/8/8/8/8/8/8/8 w -", "found 3"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "found 7"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "expected 8 ranks separated by '/', found 7"),
            ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "found 9"),
            ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "rank 5 has 7 squares instead of 8 (\"7\")"),
            ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1 has 9 squares"),
            ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "'9' in rank 5 is neither"),
            ("4k3/8/8/8/8/8/8/4K2x w - - 0 1", "'x' in rank 1 is neither"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "FEN pieces: White has no king"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN pieces: Black has no king"),
            ("4k3/8/8/8/8/8/8/4K2K w - - 0 1", "White has 2 kings"),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn on h8"),
            ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn on a1"),
            ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns"),
            ("4k3/8/8/8/N7/NNNNNNNN/PPPPPPPP/4K3 w - - 0 1", "White has 18 pieces"),
            (
                "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
                "side to move: Black is in check, but it is White's",
            ),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: expected 'w' or 'b', found \"x\""),
            ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "FEN castling: expected '-' or letters"),
            (
                "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
                "castling: White cannot castle with a rook on the h-file",
            ),
            ("4k2r/8/8/8/4K3/8/8/7R w K - 0 1", "the king is not on its home rank"),
            ("4k3/8/8/8/8/8/8/4K2R w A - 0 1", "it has no rook there"),
            ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "two rooks on that side of the king"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant: expected '-' or a square"),
            ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "FEN en passant: e4 is not a possible"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn in front of it"),
            ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "the double push was blocked"),
            ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "the double push was blocked"),
            ("4k3/8/8/3Pp3/8/8/8/r3K3 w - e6 0 1", "would have been in check before the"),
            ("4k3/8/3K4/4p3/8/8/8/8 w - e6 0 1", "would have been in check before the"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock: expected a number from 0 to 65535"),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock: expected"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "move number: expected"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 65536", "move number: expected"),
        ] {
            let found = refusal(fen);
            assert!(found.contains(message), "{fen}\n  expected: {message}\n  found: {found}");
        }
    }

    #[test]
    fn counters_are_optional() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - -").unwrap();
        assert_eq!((board.halfmove_clock(), board.fullmove_number()), (0, 1));
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 7").unwrap();
        assert_eq!((board.halfmove_clock(), board.fullmove_number()), (7, 1));
    }

    #[test]
    fn castling_formats_round_trip() {
        // The castling rook is not the outermost one, so only its file letter identifies it.
        let inner = "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11";
        let board = Board::from_fen(inner).unwrap();
        assert!(board.castling().rooks().contains(Square::G1));
        assert_eq!(board.to_fen(), inner);
        assert_eq!(
            board.to_shredder_fen(),
            "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gga - 4 11"
        );
        assert_eq!(Board::from_fen(&board.to_shredder_fen()).unwrap(), board);
        let start = Board::starting_position();
        assert_eq!(start.to_shredder_fen().split(' ').nth(2), Some("HAha"));
    }

    #[test]
    fn en_passant_is_kept_only_if_a_capture_is_legal() {
        for (fen, kept) in [
            ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2", "e6"),
            ("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 2", "-"),
            // The capture removes both pawns from the rank and exposes the king to the rook.
            ("4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 2", "-"),
            // The capturing pawn is pinned on a diagonal that the capture leaves.
            ("4k3/1b6/8/3Pp3/4K3/8/8/8 w - e6 0 2", "-"),
            // The double-pushed pawn gives check and is captured.
            ("4k3/8/8/3Pp3/5K2/8/8/8 w - e6 0 2", "e6"),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(board.to_fen().split(' ').nth(3), Some(kept), "{fen}");
            assert_eq!(board.key(), board.key_from_scratch());
        }
    }
}
