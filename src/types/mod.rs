//! Layer 0: plain values: squares, sets of squares, pieces, moves and scores. The rules of chess
//! are in `board`.

mod bitboard;
mod castling;
mod checksum;
mod color;
mod move_list;
mod moves;
mod piece;
pub(crate) mod random;
mod score;
mod square;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub(crate) use checksum::crc32;
pub use color::{Black, Color, Side, White};
pub use move_list::{List, MoveList};
pub use moves::Move;
pub use piece::{Piece, PieceType};
pub use score::{MAX_PLY, Score};
pub use square::{File, Rank, Square};
