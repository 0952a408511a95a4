//! Floor 2: one position and its rules.
//!
//! [`Board`] is a small value. A move is played on a copy and nothing is ever undone.

mod attackers;
mod chess960;
mod fen;
mod game;
mod legality;
mod make;
mod movegen;
pub mod perft;
mod see;
mod validate;

pub use fen::{FenError, Setup};
pub use game::{DrawReason, Game, IllegalMove, Outcome};
pub use legality::Checks;
pub use movegen::Moves;
pub use see::exchange_value;
pub use validate::InvalidPosition;

use crate::attacks::zobrist;
use crate::types::{Bitboard, CastlingRights, Color, File, Piece, PieceType, Rank, Square};

/// A position: the pieces and all that decides which moves are legal.
///
/// A board can be built only through validation ([`Board::from_fen`], [`Setup`]) or by playing a
/// move on another one, so that whoever holds one may rely on it: one king each, the side that is
/// not to move is not in check, and the key fits the pieces.
///
/// ```
/// use damero::board::Board;
///
/// let board = Board::starting_position();
/// assert_eq!(board.legal_moves().len(), 20);
/// assert_eq!(board.to_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    squares: [Option<Piece>; 64],
    key: u64,
    /// The part of the key that stands for the pawns.
    pawn_key: u64,
    /// The opponent's pieces that give check.
    checkers: Bitboard,
    /// The lines along files and ranks from the king of the side to move to an enemy slider with
    /// at most one piece between: the squares between and the slider's own. A piece of the side to
    /// move on such a line is pinned, and may move along it only.
    orthogonal_pins: Bitboard,
    /// The same along diagonals. No square is on both kinds of line, and no slider or pushed pawn
    /// that leaves its line lands on another one of the same kind, so the generator needs only one
    /// set for all lines of a kind.
    diagonal_pins: Bitboard,
    castling: CastlingRights,
    halfmove_clock: u16,
    fullmove_number: u16,
    side_to_move: Color,
    /// Where a pawn can be taken in passing, only if such a capture is legal.
    en_passant: Option<Square>,
}

// The board is copied for each move.
const _: () = assert!(std::mem::size_of::<Board>() <= 200);

impl Board {
    /// The FEN of the starting position.
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The starting position of orthodox chess.
    ///
    /// # Panics
    /// Never: the FEN is a constant, and a test reads it.
    #[must_use]
    pub fn starting_position() -> Self {
        Self::from_fen(Self::START_FEN).expect("the constant is a valid FEN")
    }

    /// A board without pieces, for [`Setup`] to fill.
    fn empty() -> Self {
        Self {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            key: 0,
            pawn_key: 0,
            checkers: Bitboard::EMPTY,
            orthogonal_pins: Bitboard::EMPTY,
            diagonal_pins: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            halfmove_clock: 0,
            fullmove_number: 1,
            side_to_move: Color::White,
            en_passant: None,
        }
    }

    /// Adds or takes away a piece: the only place where pieces and key change, so that they cannot
    /// drift apart. The square's entry in `squares` is set by [`Self::put`] and [`Self::remove`].
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= square.into();
        self.colors[piece.color().index()] ^= square.into();
        let key = zobrist::piece(piece, square);
        self.key ^= key;
        self.pawn_key ^= if piece.kind() == PieceType::Pawn { key } else { 0 };
    }

    /// Puts a piece on an empty square.
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.squares[square.index()].is_none());
        self.toggle(piece, square);
        self.squares[square.index()] = Some(piece);
    }

    /// Takes a piece off its square.
    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.squares[square.index()], Some(piece));
        self.toggle(piece, square);
        self.squares[square.index()] = None;
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The squares of all pieces of a colour.
    #[inline]
    #[must_use]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of all pieces of a kind, both colours.
    #[inline]
    #[must_use]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of a colour's pieces of one kind.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The pieces that move along files and ranks, both colours.
    #[inline]
    #[must_use]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.kind(PieceType::Rook) | self.kind(PieceType::Queen)
    }

    /// The pieces that move along diagonals, both colours.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)
    }

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The square of a colour's king.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).first_or_a1()
    }

    /// Who is to move.
    #[inline]
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        (self.orthogonal_pins | self.diagonal_pins) & self.color(self.side_to_move)
    }

    /// Who may still castle.
    #[inline]
    #[must_use]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square on which a pawn can be taken in passing, if at least one such capture is legal.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the move, starting at 1 and raised after Black's move.
    #[inline]
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key. Two positions in which the same moves are legal for the same side have the
    /// same key; the counters have no part in it.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key of the pawns alone.
    #[inline]
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Has a colour anything besides king and pawns?
    #[inline]
    #[must_use]
    pub fn has_pieces(&self, color: Color) -> bool {
        let bare = self.kind(PieceType::Pawn) | self.kind(PieceType::King);
        (self.color(color) - bare).any()
    }

    /// The key computed from nothing but the position: the slow twin of [`Self::key`].
    #[must_use]
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = zobrist::castling(self.castling.rooks());
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square) {
                key ^= zobrist::piece(piece, square);
            }
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        if self.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// Is neither side able to give mate by any sequence of legal moves, because of the material
    /// alone? Bare kings, a lone minor piece, or bishops that all stand on squares of one colour.
    #[must_use]
    pub fn is_material_insufficient(&self) -> bool {
        let bishops = self.kind(PieceType::Bishop);
        let knights = self.kind(PieceType::Knight);
        let kings = self.kind(PieceType::King);
        if self.occupied() != bishops | knights | kings {
            return false;
        }
        let single_minor = !(bishops | knights).has_many();
        let bishops_of_one_color = knights.is_empty()
            && (bishops.is_within(Bitboard::DARK) || !bishops.meets(Bitboard::DARK));
        single_minor || bishops_of_one_color
    }

    /// Is the king on the e-file and are the castling rooks in the corners, as in orthodox chess?
    /// Then castling rights can be written as `KQkq` by any reader's rules.
    #[must_use]
    pub fn has_orthodox_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rooks = self.castling.rooks_of(color);
            let home = Rank::First.relative_to(color);
            let corners =
                Bitboard::from(Square::new(File::A, home)) | Square::new(File::H, home).into();
            rooks.is_empty()
                || rooks.is_within(corners) && self.king(color) == Square::new(File::E, home)
        })
    }
}
