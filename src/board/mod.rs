//! Layer 2: a position and the rules of chess. Start at [`Board`].
//!
//! Copy-make: a [`Board`] is a small value, a move is played on a copy, and nothing is undone.

mod attackers;
mod checks;
mod chess960;
mod display;
mod fen;
mod game;
mod legality;
mod make;
mod movegen;
pub mod perft;
mod see;
mod setup;
mod validate;

pub use checks::CheckInfo;
pub use fen::FenError;
pub(crate) use fen::excerpt;
pub use game::{DrawReason, Game, IllegalMove, Outcome};
pub use movegen::GenType;
pub use see::see_value;
pub use setup::Setup;
pub use validate::InvalidPosition;

use crate::types::{
    Bitboard, CastlingRights, Color, File, Piece, PieceType, Rank, Square, zobrist,
};

/// A position: the pieces and all other state that decides which moves are legal.
///
/// A board is built only through validation ([`Board::from_fen`], [`Setup`]) or by playing a move
/// on another board. It therefore guarantees that each side has one king, that the side not to move
/// is not in check, and that the key matches the position.
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
    /// Zobrist key of the pawns alone.
    pawn_key: u64,
    /// Enemy pieces that give check.
    checkers: Bitboard,
    /// Pin lines along files and ranks, from the king of the side to move to an enemy slider with
    /// at most one piece between: the squares between and the slider's own. A piece of the side to
    /// move on such a line is pinned and may move only along it.
    orthogonal_pins: Bitboard,
    /// The same along diagonals. No square is on lines of both kinds. A slider or pawn that leaves
    /// its line by a move of the same kind (orthogonal or diagonal) never lands on another line of
    /// that kind, so the generator needs only one set per kind.
    diagonal_pins: Bitboard,
    castling: CastlingRights,
    halfmove_clock: u16,
    fullmove_number: u16,
    side_to_move: Color,
    /// En passant square, set only if a capture there is legal.
    en_passant: Option<Square>,
}

// Copy-make copies the board for every move.
const _: () = assert!(std::mem::size_of::<Board>() <= 200);

impl Board {
    /// The FEN of the starting position.
    pub const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Returns the starting position of orthodox chess.
    ///
    /// # Panics
    /// Never: the FEN is a constant that a test reads.
    #[must_use]
    pub fn starting_position() -> Self {
        Self::from_fen(Self::START_FEN).expect("the constant is a valid FEN")
    }

    /// Returns a board without pieces, for [`Setup`] to fill.
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

    /// Adds or removes a piece in the bitboards and the keys. Pieces change only here, so the two
    /// cannot drift apart. [`Self::put`] and [`Self::remove`] also set the square's entry in
    /// `squares`.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= square.into();
        self.colors[piece.color().index()] ^= square.into();
        let key = zobrist::piece(piece, square);
        self.key ^= key;
        self.pawn_key ^= if piece.kind() == PieceType::Pawn { key } else { 0 };
    }

    /// Puts `piece` on `square`, which must be empty.
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.squares[square.index()].is_none());
        self.toggle(piece, square);
        self.squares[square.index()] = Some(piece);
    }

    /// Removes `piece` from `square`.
    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.squares[square.index()], Some(piece));
        self.toggle(piece, square);
        self.squares[square.index()] = None;
    }

    /// Returns the piece on `square`.
    #[inline]
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Returns the squares of all pieces of `color`.
    #[inline]
    #[must_use]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Returns the squares of all pieces of `kind`, both colours.
    #[inline]
    #[must_use]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Returns the squares of `color`'s pieces of `kind`.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// Returns the rooks and queens of both colours.
    #[inline]
    #[must_use]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.kind(PieceType::Rook) | self.kind(PieceType::Queen)
    }

    /// Returns the bishops and queens of both colours.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)
    }

    /// Returns all occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Returns the square of `color`'s king.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).first_or_a1()
    }

    /// Returns the side to move.
    #[inline]
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the enemy pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the pieces of the side to move that are pinned to their king.
    #[inline]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        (self.orthogonal_pins | self.diagonal_pins) & self.color(self.side_to_move)
    }

    /// Returns the castling rights of both colours.
    #[inline]
    #[must_use]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Returns the en passant square, if at least one capture there is legal.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the number of plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Returns the full-move number, which starts at 1 and increases after Black's move.
    #[inline]
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Returns the Zobrist key. It covers the pieces, the side to move, the castling rights and the
    /// file of a legal en passant capture, but not the move counters.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the Zobrist key of the pawns alone.
    #[inline]
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Returns whether `color` has a piece other than king and pawns.
    #[inline]
    #[must_use]
    pub fn has_pieces(&self, color: Color) -> bool {
        let bare = self.kind(PieceType::Pawn) | self.kind(PieceType::King);
        (self.color(color) - bare).any()
    }

    /// Computes the key from scratch: the slow twin of [`Self::key`].
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

    /// Returns whether the material rules out mate by any sequence of legal moves: bare kings, a
    /// lone minor piece, or only bishops, all on squares of one colour.
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
            && (bishops.is_subset(Bitboard::DARK) || !bishops.intersects(Bitboard::DARK));
        single_minor || bishops_of_one_color
    }

    /// Returns whether all castling rights belong to a king on the e-file and rooks in the corners,
    /// as in orthodox chess. Every FEN dialect then reads `KQkq` alike.
    #[must_use]
    pub fn has_orthodox_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rooks = self.castling.rooks_of(color);
            let home = Rank::First.relative_to(color);
            let corners =
                Bitboard::from(Square::new(File::A, home)) | Square::new(File::H, home).into();
            rooks.is_empty()
                || rooks.is_subset(corners) && self.king(color) == Square::new(File::E, home)
        })
    }
}
