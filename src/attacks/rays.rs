//! Lines on the board: empty-board rays, the squares between two squares, and the slow ray walk
//! against which the slider tables are tested. Start at [`between`] and [`walk`].

use crate::types::{Bitboard, Square};

/// The four directions of a rook, as steps in files and ranks.
pub(super) const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The four directions of a bishop, as steps in files and ranks.
pub(super) const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

static ROOK_RAYS: [Bitboard; 64] = empty_board_attacks(&ORTHOGONAL);
static BISHOP_RAYS: [Bitboard; 64] = empty_board_attacks(&DIAGONAL);
static BETWEEN: [[Bitboard; 64]; 64] = between_table();

/// Returns the squares seen from `square` in `directions`, up to and including the first occupied
/// square in each. One step at a time: the definition of a slider's attacks.
#[must_use]
pub(super) const fn walk(square: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < directions.len() {
        let (files, ranks) = directions[direction];
        let mut at = square.step(files, ranks);
        while let Some(target) = at {
            seen.0 |= Bitboard::of(target).0;
            at = if occupied.contains(target) { None } else { target.step(files, ranks) };
        }
        direction += 1;
    }
    seen
}

/// The four rays of one slider from one square on an empty board.
pub(super) struct Rays {
    /// Rays with rising square numbers: the nearest piece is the lowest bit.
    rising: [u64; 2],
    /// Rays with falling square numbers: the nearest piece is the highest bit.
    falling: [u64; 2],
}

impl Rays {
    pub(super) const fn new(square: Square, directions: [(i8, i8); 4]) -> Self {
        let mut rays = Self { rising: [0; 2], falling: [0; 2] };
        let (mut rising, mut falling) = (0, 0);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = directions[direction];
            let ray = walk(square, Bitboard::EMPTY, &[directions[direction]]).0;
            if ranks * 8 + files > 0 {
                rays.rising[rising] = ray;
                rising += 1;
            } else {
                rays.falling[falling] = ray;
                falling += 1;
            }
            direction += 1;
        }
        rays
    }

    /// Returns the same as [`walk`], in a few operations per direction instead of a few per square.
    /// The compiler evaluates this 107,648 times for the slider table; with `walk` it took 20
    /// seconds.
    pub(super) const fn attacks(&self, occupied: u64) -> Bitboard {
        let [rise_a, rise_b] = self.rising;
        let [fall_a, fall_b] = self.falling;
        Bitboard(
            rise_a & up_to_lowest(occupied & rise_a)
                | rise_b & up_to_lowest(occupied & rise_b)
                | fall_a & down_to_highest(occupied & fall_a)
                | fall_b & down_to_highest(occupied & fall_b),
        )
    }
}

/// Returns all bits up to and including the lowest set bit, or all bits if `bits` is 0.
const fn up_to_lowest(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}

/// Returns all bits down to and including the highest set bit, or all bits if `bits` is 0.
const fn down_to_highest(bits: u64) -> u64 {
    !0 << (bits | 1).ilog2()
}

const fn empty_board_attacks(directions: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = walk(Square::from_low_bits(index as u32), Bitboard::EMPTY, directions);
        index += 1;
    }
    table
}

const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let directions = [
        ORTHOGONAL[0],
        ORTHOGONAL[1],
        ORTHOGONAL[2],
        ORTHOGONAL[3],
        DIAGONAL[0],
        DIAGONAL[1],
        DIAGONAL[2],
        DIAGONAL[3],
    ];
    let mut index = 0;
    while index < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = directions[direction];
            let mut passed = Bitboard::EMPTY;
            let mut at = Square::from_low_bits(index as u32).step(files, ranks);
            while let Some(target) = at {
                table[index][target as usize] = passed;
                passed.0 |= Bitboard::of(target).0;
                at = target.step(files, ranks);
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

/// Returns the squares that a rook on `square` attacks on an empty board.
#[inline]
#[must_use]
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// Returns the squares that a bishop on `square` attacks on an empty board.
#[inline]
#[must_use]
pub(crate) fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// Returns the squares strictly between two aligned squares, or the empty set for unaligned ones.
#[inline]
#[must_use]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_is_symmetric_and_strict() {
        let squares: Bitboard = [Square::B2, Square::C3, Square::D4].into_iter().collect();
        assert_eq!(between(Square::A1, Square::E5), squares);
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert!(!between(a, b).contains(a) && !between(a, b).contains(b));
                let aligned = rook_rays(a).contains(b) || bishop_rays(a).contains(b);
                assert!(aligned || between(a, b).is_empty());
            }
        }
    }
}
