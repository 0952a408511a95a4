//! What several ideas need to know about a position, found once.

use crate::attacks::{king_attacks, pawn_attacks_of_all};
use crate::board::Board;
use crate::types::{Bitboard, Color, File, PieceType, Square};

/// Attack maps and the squares around the kings; arrays are indexed by colour.
pub(super) struct Context<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    pub(super) pawns: [Bitboard; 2],
    pub(super) kings: [Square; 2],
    /// Passed pawns of both colours; filled in by `pawns`, or from its cache.
    pub(super) passed: Bitboard,
    /// The king's square and those around it, with one more row in front.
    pub(super) king_zone: [Bitboard; 2],
    /// By colour and kind; knights to queens are filled in by `pieces`.
    pub(super) attacked_by: [[Bitboard; 6]; 2],
    pub(super) attacked: [Bitboard; 2],
    pub(super) attacked_twice: [Bitboard; 2],
    /// Attacks of knights to queens on squares around the enemy king, counted one by one.
    pub(super) zone_attacks: [i32; 2],
    /// By colour and kind: pieces that make such attacks.
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

    /// Enters what a piece attacks into the maps.
    #[inline]
    pub(super) fn note_attacks(&mut self, color: Color, kind: PieceType, attacks: Bitboard) {
        let index = color.index();
        self.attacked_twice[index] |= self.attacked[index] & attacks;
        self.attacked[index] |= attacks;
        self.attacked_by[index][kind.index()] |= attacks;
    }

    /// What a colour's pieces of a kind attack.
    #[inline]
    pub(super) fn by(&self, color: Color, kind: PieceType) -> Bitboard {
        self.attacked_by[color.index()][kind.index()]
    }

    /// Squares that a colour protects with a pawn, or twice where the enemy attacks but once.
    #[inline]
    pub(super) fn well_protected(&self, color: Color) -> Bitboard {
        let twice = |color: Color| self.attacked_twice[color.index()];
        self.by(color, PieceType::Pawn) | twice(color) - twice(!color)
    }
}

/// A file with the files beside it.
#[inline]
pub(super) fn with_neighbours(file: File) -> Bitboard {
    let file = Bitboard::from(file);
    file | file.left() | file.right()
}

/// The four files of a king's wing; in the middle, those from c to f.
#[inline]
pub(super) fn flank(king: Square) -> Bitboard {
    const FIRST_FOUR: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    Bitboard(match king.file().index() {
        0..=2 => FIRST_FOUR,
        3 | 4 => FIRST_FOUR << 2,
        _ => FIRST_FOUR << 4,
    })
}

/// The squares in front of these, as a colour sees it, as far as the board goes.
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

/// Every square that pawns of a colour on these squares attack now or after advancing.
#[inline]
pub(super) fn attack_span(pawns: Bitboard, color: Color) -> Bitboard {
    let front = in_front(pawns, color);
    front.left() | front.right()
}

/// Number of king's moves from one square to another.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}
