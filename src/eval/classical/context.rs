//! Attack maps and king zones shared by the evaluation terms.

use crate::attacks::{king_attacks, pawn_attacks_of_all};
use crate::board::Board;
use crate::types::{Bitboard, Color, PieceType, Square};

/// Pawns, attack maps and king zones of one position. Arrays are indexed by colour.
pub(crate) struct Context<'a> {
    pub(crate) board: &'a Board,
    pub(crate) occupied: Bitboard,
    pub(crate) pawns: [Bitboard; 2],
    pub(crate) kings: [Square; 2],
    /// Passed pawns of both colours, set by `pawns` or from the pawn cache.
    pub(crate) passed: Bitboard,
    /// King zone: the king's square, the adjacent squares and one more rank in front of them.
    pub(crate) king_zone: [Bitboard; 2],
    /// Attacked squares by colour and piece type. `pieces` fills in knights to queens.
    pub(crate) attacked_by: [[Bitboard; 6]; 2],
    pub(crate) attacked: [Bitboard; 2],
    pub(crate) attacked_twice: [Bitboard; 2],
    /// Attacks by knights to queens on the enemy king zone, one per piece and square; by attacking
    /// colour.
    pub(crate) zone_attacks: [i32; 2],
    /// Pieces that attack the enemy king zone, by attacking colour and piece type.
    pub(crate) zone_attackers: [[i32; 6]; 2],
}

impl<'a> Context<'a> {
    pub(crate) fn new(board: &'a Board) -> Self {
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
    pub(crate) fn note_attacks(&mut self, color: Color, kind: PieceType, attacks: Bitboard) {
        let index = color.index();
        self.attacked_twice[index] |= self.attacked[index] & attacks;
        self.attacked[index] |= attacks;
        self.attacked_by[index][kind.index()] |= attacks;
    }

    /// Returns the squares attacked by `color`'s pieces of type `kind`.
    #[inline]
    pub(crate) fn by(&self, color: Color, kind: PieceType) -> Bitboard {
        self.attacked_by[color.index()][kind.index()]
    }

    /// Returns the squares that `color` defends with a pawn, or at least twice while the enemy
    /// attacks them at most once.
    #[inline]
    pub(crate) fn well_protected(&self, color: Color) -> Bitboard {
        let twice = |color: Color| self.attacked_twice[color.index()];
        self.by(color, PieceType::Pawn) | twice(color) - twice(!color)
    }
}

/// Returns the king's flank: files a to d, c to f (king on d or e), or e to h.
#[inline]
pub(crate) fn flank(king: Square) -> Bitboard {
    const FIRST_FOUR: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    Bitboard(match king.file().index() {
        0..=2 => FIRST_FOUR,
        3 | 4 => FIRST_FOUR << 2,
        _ => FIRST_FOUR << 4,
    })
}
