//! Leaper attacks by table lookup: knights, kings and pawns, whose attacks do not depend on other
//! pieces. Start at [`knight_attacks`].

use crate::types::{Bitboard, Color, Square};

const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [Bitboard; 64] = table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [table(&[(-1, 1), (1, 1)]), table(&[(-1, -1), (1, -1)])];

const fn table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(target) = Square::from_low_bits(index as u32).step(files, ranks) {
                table[index].0 |= Bitboard::of(target).0;
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// Returns the squares that a knight on `square` attacks.
#[inline]
#[must_use]
pub(crate) fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Returns the squares that a king on `square` attacks.
#[inline]
#[must_use]
pub(crate) fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Returns the squares that a pawn of `color` on `square` attacks.
#[inline]
#[must_use]
pub(crate) fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Returns the squares that at least one of `color`'s `pawns` attacks.
#[inline]
#[must_use]
pub(crate) fn pawn_attacks_of_all(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.left() | ahead.right()
}

/// Returns the squares that at least one of `knights` attacks.
#[inline]
#[must_use]
pub(crate) fn knight_attacks_of_all(knights: Bitboard) -> Bitboard {
    let near = knights.left() | knights.right();
    let far = knights.left().left() | knights.right().right();
    near.up().up() | near.down().down() | far.up() | far.down()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_match_known_sets() {
        let knight: Bitboard = [Square::B3, Square::C2].into_iter().collect();
        assert_eq!(knight_attacks(Square::A1), knight);
        assert_eq!(knight_attacks(Square::E4).len(), 8);
        assert_eq!(king_attacks(Square::H8).len(), 3);
        assert_eq!(pawn_attacks(Color::White, Square::A2), Square::B3.into());
        assert_eq!(pawn_attacks(Color::Black, Square::H7), Square::G6.into());
        assert_eq!(pawn_attacks(Color::White, Square::D8), Bitboard::EMPTY);
    }

    #[test]
    fn set_attacks_are_unions_of_single_attacks() {
        let mut union_of_knights = Bitboard::EMPTY;
        let mut squares = Bitboard::EMPTY;
        for square in Square::all().step_by(5) {
            squares |= square.into();
            union_of_knights |= knight_attacks(square);
            assert_eq!(knight_attacks_of_all(squares), union_of_knights);
            for color in Color::ALL {
                assert_eq!(pawn_attacks_of_all(color, square.into()), pawn_attacks(color, square));
            }
        }
    }
}
