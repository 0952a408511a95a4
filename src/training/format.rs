//! Binary encoding of a game: the start position, a move and a score per ply, the result. Start at
//! [`encode`] and [`decode`].
//!
//! All integers are little-endian. A *varint* holds seven bits per byte, lowest first, with the top
//! bit set in all but the last byte. A *signed varint* is zigzag-coded: `2n` for `n >= 0`,
//! `-2n - 1` below.
//!
//! ```text
//! start position
//!   u64       occupied squares, bit 0 = a1
//!   u4 each   their pieces, lowest square first: colour * 8 + kind (pawn 0 ... king 5),
//!             two per byte, low nibble first; a zero nibble pads an odd count
//!   u8        bit 0: Black is to move; bits 4-7: file of the en passant square + 1, or 0
//!   u16       castling rooks: bits 0-7 files of rank 1, bits 8-15 files of rank 8
//!   u16 u16   halfmove clock, fullmove number
//! varint      number of plies
//! for each ply
//!   u8        the move: its index among the legal moves sorted by from, to, promotion
//!             (squares a1 = 0 ... h8 = 63; castling goes to the rook's square; none, N, B, R, Q)
//!   signed    White's score from the search that chose the move, in centipawns (mate scores as
//!   varint    in the engine), minus that of the previous ply (0 before the first)
//! u8          result: 0 Black won, 1 drawn, 2 White won
//! ```
//!
//! Move indices use sorted order, not generation order, so files outlive changes of the generator.
//! A score difference takes at most three bytes, so a ply takes at most four.

use thiserror::Error;

use crate::board::{Board, InvalidPosition, Setup};
use crate::types::{Bitboard, CastlingRights, Color, File, Move, Piece, PieceType, Rank, Square};

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// Black won.
    BlackWon,
    /// Drawn.
    Drawn,
    /// White won.
    WhiteWon,
}

impl GameResult {
    /// Returns White's points: 0, 0.5 or 1.
    #[must_use]
    pub fn white_points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }
}

/// A game with a score for every ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredGame {
    /// Start position.
    pub start: Board,
    /// Moves, each with White's score from the search that chose it, in centipawns.
    pub plies: Vec<(Move, i16)>,
    /// Result.
    pub result: GameResult,
}

/// Why bytes do not decode to a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// The bytes end too early.
    #[error("the game is truncated")]
    TooShort,
    /// The start position is invalid.
    #[error("invalid start position: {0}")]
    Start(#[from] InvalidPosition),
    /// Unknown piece code.
    #[error("unknown piece code {0}")]
    Piece(u8),
    /// The move index exceeds the legal moves.
    #[error("ply {ply}: no legal move has index {index}")]
    Move {
        /// Ply, from 0.
        ply: usize,
        /// Move index.
        index: u8,
    },
    /// A number is out of range.
    #[error("a number is out of range")]
    Number,
    /// Unknown result code.
    #[error("unknown result code {0}")]
    Result(u8),
}

/// Returns the legal moves in the order in which the format numbers them.
fn sorted_moves(board: &Board) -> Vec<Move> {
    let mut moves = board.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.promotion_to()));
    moves
}

/// Appends the encoding of `game` to `bytes`.
pub fn encode(game: &ScoredGame, bytes: &mut Vec<u8>) {
    encode_start(&game.start, bytes);
    put_varint(game.plies.len() as u64, bytes);
    let (mut board, mut last) = (game.start, 0);
    for &(mv, score) in &game.plies {
        let index = sorted_moves(&board).iter().position(|&legal| legal == mv);
        // Every stored move is legal: a `ScoredGame` is built by playing its moves.
        debug_assert!(index.is_some());
        bytes.push(index.unwrap_or_default() as u8);
        put_signed(i64::from(score) - last, bytes);
        last = i64::from(score);
        board.play_unchecked(mv);
    }
    bytes.push(game.result as u8);
}

/// Decodes a game from the front of `bytes`, and advances `bytes` past it.
///
/// # Errors
/// Returns an error if the bytes do not encode a game. What remains in `bytes` is then unspecified.
pub fn decode(bytes: &mut &[u8]) -> Result<ScoredGame, FormatError> {
    let start = decode_start(bytes)?;
    let count = take_varint(bytes)?;
    // A ply takes at least two bytes, so a damaged count cannot reserve more than the input holds.
    if count > bytes.len() as u64 / 2 {
        return Err(FormatError::TooShort);
    }
    let mut plies = Vec::with_capacity(count as usize);
    let (mut board, mut last) = (start, 0_i64);
    for ply in 0..count as usize {
        let [index] = take(bytes)?;
        let mv = *sorted_moves(&board)
            .get(usize::from(index))
            .ok_or(FormatError::Move { ply, index })?;
        last = last.checked_add(take_signed(bytes)?).ok_or(FormatError::Number)?;
        plies.push((mv, i16::try_from(last).map_err(|_| FormatError::Number)?));
        board.play_unchecked(mv);
    }
    let [code] = take(bytes)?;
    let result = match code {
        0 => GameResult::BlackWon,
        1 => GameResult::Drawn,
        2 => GameResult::WhiteWon,
        _ => return Err(FormatError::Result(code)),
    };
    Ok(ScoredGame { start, plies, result })
}

fn encode_start(board: &Board, bytes: &mut Vec<u8>) {
    let occupied = board.occupied();
    bytes.extend(occupied.0.to_le_bytes());
    let codes: Vec<u8> = occupied
        .into_iter()
        .filter_map(|square| board.piece_on(square))
        .map(|piece| (piece.color().index() * 8 + piece.kind().index()) as u8)
        .collect();
    bytes.extend(codes.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
    let side = board.side_to_move().index() as u8;
    let en_passant = board.en_passant().map_or(0, |square| square.file() as u8 + 1);
    bytes.push(side | en_passant << 4);
    let rooks = board.castling().rooks().0;
    bytes.extend([rooks as u8, (rooks >> 56) as u8]);
    bytes.extend(board.halfmove_clock().to_le_bytes());
    bytes.extend(board.fullmove_number().to_le_bytes());
}

fn decode_start(bytes: &mut &[u8]) -> Result<Board, FormatError> {
    let occupied = Bitboard(u64::from_le_bytes(take(bytes)?));
    let mut squares = [None; 64];
    let mut pair = 0;
    for (index, square) in occupied.into_iter().enumerate() {
        if index % 2 == 0 {
            [pair] = take(bytes)?;
        }
        let code = if index % 2 == 0 { pair & 15 } else { pair >> 4 };
        let color = Color::ALL[usize::from(code >> 3)];
        let kind = PieceType::ALL.get(usize::from(code & 7)).ok_or(FormatError::Piece(code))?;
        squares[square.index()] = Some(Piece::new(color, *kind));
    }
    let [flags] = take(bytes)?;
    let side_to_move = Color::ALL[usize::from(flags & 1)];
    let rooks: [u8; 2] = take(bytes)?;
    let mut castling = CastlingRights::NONE;
    for (rank, files) in [(Rank::First, rooks[0]), (Rank::Eighth, rooks[1])] {
        for file in File::ALL.into_iter().filter(|&file| files >> file as u8 & 1 != 0) {
            castling.grant(Square::new(file, rank));
        }
    }
    let en_passant = match flags >> 4 {
        0 => None,
        file => Some(Square::new(
            *File::ALL.get(usize::from(file) - 1).ok_or(FormatError::Number)?,
            Rank::Sixth.relative_to(side_to_move),
        )),
    };
    let setup = Setup {
        squares,
        side_to_move,
        castling,
        en_passant,
        halfmove_clock: u16::from_le_bytes(take(bytes)?),
        fullmove_number: u16::from_le_bytes(take(bytes)?),
    };
    Ok(setup.build()?)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], FormatError> {
    let (front, rest) = bytes.split_first_chunk::<N>().ok_or(FormatError::TooShort)?;
    *bytes = rest;
    Ok(*front)
}

fn put_varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Result<u64, FormatError> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let [byte] = take(bytes)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(FormatError::Number)
}

fn put_signed(number: i64, bytes: &mut Vec<u8>) {
    put_varint((number << 1 ^ number >> 63) as u64, bytes);
}

fn take_signed(bytes: &mut &[u8]) -> Result<i64, FormatError> {
    let number = take_varint(bytes)?;
    Ok((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_varints_round_trip() {
        for number in [0, 1, -1, 63, 64, -64, -65, 8191, -8192, 32_000, -64_000, 1 << 40] {
            let mut bytes = Vec::new();
            put_signed(number, &mut bytes);
            assert_eq!(take_signed(&mut bytes.as_slice()), Ok(number));
        }
        let mut largest = Vec::new();
        put_signed(-64_002, &mut largest);
        assert_eq!(largest.len(), 3, "the largest difference between two scores");
    }
}
