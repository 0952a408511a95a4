//! Attack maps and king zones shared by the evaluation terms.

use crate::attacks::{king_attacks, pawn_attacks_of_all};
use crate::board::Board;
use crate::types::{Bitboard, Color, File, PieceType, Square};

/// Pawns, attack maps and king zones of one position. Arrays are indexed by colour.
pub(super) struct Context<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    pub(super) pawns: [Bitboard; 2],
    pub(super) kings: [Square; 2],
    /// Passed pawns of both colours, set by `pawns` or from the pawn cache.
    pub(super) passed: Bitboard,
    /// King zone: the king's square, the adjacent squares and one more rank in front of them.
    pub(super) king_zone: [Bitboard; 2],
    /// Attacked squares by colour and piece type. `pieces` fills in knights to queens.
    pub(super) attacked_by: [[Bitboard; 6]; 2],
    pub(super) attacked: [Bitboard; 2],
    pub(super) attacked_twice: [Bitboard; 2],
    /// Attacks by knights to queens on the enemy king zone, one per piece and square; by attacking
    /// colour.
    pub(super) zone_attacks: [i32; 2],
    /// Pieces that attack the enemy king zone, by attacking colour and piece type.
    pub(super) zone_attackers: [[i32; 6]; 2],
}

impl<'a> Context<'a> {
    pub(super) fn new(board: &'a Board) -> Self {
        let mut context = Self {
            board,
            occupied: board.occupied(),
            pawns: Color::ALL.map(|color| board.pieces(color, PieceType::Pawn)),
            kings: Color::ALL.map(|color| board.king(color)),
            passed: Bitboard::EMPTY,
            king_zone: [Bitboard::EMPTY; 2],
            attacked_by: [[Bitboard::EMPTY; 6]; 2],
            attacked: [Bitboard::EMPTY; 2],
            attacked_twice: [Bitboard::EMPTY; 2],
            zone_attacks: [0; 2],
            zone_attackers: [[0; 6]; 2],
        };
        for color in Color::ALL {
            let king = context.kings[color.index()];
            let around = king_attacks(king);
            context.king_zone[color.index()] =
                around | around.forward(color) | Bitboard::from(king);
            context.note_attacks(color, PieceType::King, around);
            let pawns = pawn_attacks_of_all(color, context.pawns[color.index()]);
            context.note_attacks(color, PieceType::Pawn, pawns);
        }
        context
    }

    /// Adds `attacks` to the maps. A colour's pawn attacks are added as one set, so two pawns
    /// attacking the same square do not make it attacked twice.
    #[inline]
    pub(super) fn note_attacks(&mut self, color: Color, kind: PieceType, attacks: Bitboard) {
        let index = color.index();
        self.attacked_twice[index] |= self.attacked[index] & attacks;
        self.attacked[index] |= attacks;
        self.attacked_by[index][kind.index()] |= attacks;
    }

    /// Returns the squares attacked by `color`'s pieces of type `kind`.
    #[inline]
    pub(super) fn by(&self, color: Color, kind: PieceType) -> Bitboard {
        self.attacked_by[color.index()][kind.index()]
    }

    /// Returns the squares that `color` defends with a pawn, or at least twice while the enemy
    /// attacks them at most once.
    #[inline]
    pub(super) fn well_protected(&self, color: Color) -> Bitboard {
        let twice = |color: Color| self.attacked_twice[color.index()];
        self.by(color, PieceType::Pawn) | twice(color) - twice(!color)
    }
}

/// Returns `file` and the adjacent files.
#[inline]
pub(super) fn with_neighbours(file: File) -> Bitboard {
    let file = Bitboard::from(file);
    file | file.left() | file.right()
}

/// Returns the king's flank: files a to d, c to f (king on d or e), or e to h.
#[inline]
pub(super) fn flank(king: Square) -> Bitboard {
    const FIRST_FOUR: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    Bitboard(match king.file().index() {
        0..=2 => FIRST_FOUR,
        3 | 4 => FIRST_FOUR << 2,
        _ => FIRST_FOUR << 4,
    })
}

/// Returns the front spans of `squares`: all squares ahead on the same files, as `color` sees it.
#[inline]
pub(super) fn in_front(squares: Bitboard, color: Color) -> Bitboard {
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
pub(super) fn attack_span(pawns: Bitboard, color: Color) -> Bitboard {
    let front = in_front(pawns, color);
    front.left() | front.right()
}

/// Returns the distance between two squares in king moves.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}
