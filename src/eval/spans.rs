//! Pawn geometry: front spans, attack spans and passed pawns, as sets of squares.

use crate::types::{Bitboard, Color, File};

/// Returns `file` and the adjacent files.
#[inline]
pub(crate) fn with_neighbours(file: File) -> Bitboard {
    let file = Bitboard::from(file);
    file | file.left() | file.right()
}

/// Returns the front spans of `squares`: all squares ahead on the same files, as `color` sees it.
#[inline]
pub(crate) fn in_front(squares: Bitboard, color: Color) -> Bitboard {
    let mut fill = squares.0;
    match color {
        Color::White => {
            fill <<= 8;
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
        }
        Color::Black => {
            fill >>= 8;
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
        }
    }
    Bitboard(fill)
}

/// Returns every square that `color`'s `pawns` attack now or could attack after advancing.
#[inline]
pub(crate) fn attack_span(pawns: Bitboard, color: Color) -> Bitboard {
    let front = in_front(pawns, color);
    front.left() | front.right()
}

/// Returns the passed pawns: no enemy pawn is ahead on the same file or an adjacent one. Of
/// doubled pawns, only the front one is passed.
#[inline]
pub(crate) fn passed_pawns(color: Color, own: Bitboard, enemy: Bitboard) -> Bitboard {
    let stoppers = in_front(enemy, !color);
    own - stoppers - stoppers.left() - stoppers.right() - in_front(own, !color)
}
