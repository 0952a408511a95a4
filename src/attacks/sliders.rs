//! Attacks of bishops, rooks and queens by table: the occupied squares that matter become an index.
//!
//! There are two ways to get the index, and the target decides at compile time: the PEXT
//! instruction where it has BMI2, a multiplication by a magic number elsewhere. Both number the
//! 2^n arrangements of a square's n relevant squares without gaps, so one shared table of 107,648
//! sets serves every square of both pieces ("fancy" magics; the idea is Pradyumna Kannan's).

use super::magic_numbers::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{DIAGONAL, ORTHOGONAL, Rays};
use crate::types::{Bitboard, Square};

/// How a slider's relevant squares become an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// Multiply by a magic number and keep the highest bits.
    Magic,
    /// Let the processor collect the bits.
    Pext,
}

/// The scheme that this build uses.
pub const SCHEME: Scheme = if cfg!(target_feature = "bmi2") { Scheme::Pext } else { Scheme::Magic };

/// Entries of the table: 102,400 for rooks and 5,248 for bishops.
const ENTRIES: usize = 107_648;

/// What is known about one square.
#[derive(Clone, Copy)]
struct Entry {
    /// The squares whose occupation matters: the rays without their last square.
    relevant: u64,
    magic: u64,
    /// Where this square's part of the table begins.
    offset: u32,
    /// 64 less the number of relevant squares.
    shift: u32,
}

/// Attack sets for every square and every arrangement of its relevant squares.
struct SliderTable {
    bishop: [Entry; 64],
    rook: [Entry; 64],
    attacks: [Bitboard; ENTRIES],
}

#[allow(long_running_const_eval)] // a second or two of compile time
static TABLE: SliderTable = SliderTable::new(SCHEME);

/// The squares on which a piece may block the slider; the edge ends the ray in any case.
pub(super) const fn relevant_squares(square: Square, directions: &[(i8, i8)]) -> Bitboard {
    let mut relevant = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < directions.len() {
        let (files, ranks) = directions[direction];
        let mut at = square.step(files, ranks);
        while let Some(target) = at {
            at = target.step(files, ranks);
            if at.is_some() {
                relevant.0 |= Bitboard::of(target).0;
            }
        }
        direction += 1;
    }
    relevant
}

const fn entries(directions: &[(i8, i8)], magics: &[u64; 64], mut offset: u32) -> [Entry; 64] {
    let mut entries = [Entry { relevant: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut index = 0;
    while index < 64 {
        let relevant = relevant_squares(Square::from_low_bits(index as u32), directions).0;
        let bits = relevant.count_ones();
        entries[index] = Entry { relevant, magic: magics[index], offset, shift: 64 - bits };
        offset += 1 << bits;
        index += 1;
    }
    entries
}

impl Entry {
    /// The index by magic multiplication.
    #[inline]
    const fn magic_index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.relevant).wrapping_mul(self.magic);
        self.offset as usize + (hash >> self.shift) as usize
    }

    /// The index by PEXT.
    #[cfg(target_feature = "bmi2")]
    #[inline]
    fn pext_index(&self, occupied: u64) -> usize {
        // SAFETY: the instruction is there: this function exists only in builds for BMI2.
        let collected = unsafe { std::arch::x86_64::_pext_u64(occupied, self.relevant) };
        self.offset as usize + collected as usize
    }

    #[inline]
    fn index(&self, occupied: u64) -> usize {
        #[cfg(target_feature = "bmi2")]
        {
            self.pext_index(occupied)
        }
        #[cfg(not(target_feature = "bmi2"))]
        {
            self.magic_index(occupied)
        }
    }
}

impl SliderTable {
    /// Computes all entries.
    const fn new(scheme: Scheme) -> Self {
        let mut table = Self {
            bishop: entries(&DIAGONAL, &BISHOP_MAGICS, 102_400),
            rook: entries(&ORTHOGONAL, &ROOK_MAGICS, 0),
            attacks: [Bitboard::EMPTY; ENTRIES],
        };
        let mut index = 0;
        while index < 64 {
            let square = Square::from_low_bits(index as u32);
            let (diagonal, orthogonal) =
                (Rays::new(square, DIAGONAL), Rays::new(square, ORTHOGONAL));
            fill(&mut table.attacks, &table.bishop[index], &diagonal, scheme);
            fill(&mut table.attacks, &table.rook[index], &orthogonal, scheme);
            index += 1;
        }
        table
    }

    #[inline]
    fn bishop_attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(self.bishop[square.index()].index(occupied.0))
    }

    #[inline]
    fn rook_attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(self.rook[square.index()].index(occupied.0))
    }

    #[inline]
    fn look_up(&self, index: usize) -> Bitboard {
        debug_assert!(index < ENTRIES);
        // SAFETY: offset plus 2^bits stays below `ENTRIES` for every square (the offsets are the
        // running sum of those powers), and both schemes give an index below 2^bits: PEXT collects
        // `bits` bits, and the shift by 64 - bits leaves as many.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

/// Fills one square's part of the table.
const fn fill(attacks: &mut [Bitboard; ENTRIES], entry: &Entry, rays: &Rays, scheme: Scheme) {
    let mut occupied = 0_u64;
    let mut count = 0;
    loop {
        let index = match scheme {
            Scheme::Magic => entry.magic_index(occupied),
            // The subsets come in the order in which PEXT numbers them.
            Scheme::Pext => entry.offset as usize + count,
        };
        attacks[index] = rays.attacks(occupied);
        count += 1;
        // Next subset: the carry ripples through the bits outside the mask.
        occupied = occupied.wrapping_sub(entry.relevant) & entry.relevant;
        if occupied == 0 {
            break;
        }
    }
}

/// The squares that a bishop on `square` attacks when `occupied` squares are occupied.
#[inline]
#[must_use]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE.bishop_attacks(square, occupied)
}

/// The squares that a rook on `square` attacks when `occupied` squares are occupied.
#[inline]
#[must_use]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE.rook_attacks(square, occupied)
}

/// The squares that a queen on `square` attacks when `occupied` squares are occupied.
#[inline]
#[must_use]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::super::rays::walk;
    use super::*;

    /// Compares a way to look up attacks with the ray walk, on every square: with all arrangements
    /// of the relevant squares, and with many random boards.
    fn compare_with_walk(directions: &[(i8, i8)], attacks: impl Fn(Square, Bitboard) -> Bitboard) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for square in Square::all() {
            for occupied in relevant_squares(square, directions).subsets() {
                assert_eq!(attacks(square, occupied), walk(square, occupied, directions));
            }
            for density in 0..1000 {
                let mut occupied = rng.next_u64();
                for _ in 0..density % 4 {
                    occupied &= rng.next_u64();
                }
                let occupied = Bitboard(occupied);
                assert_eq!(attacks(square, occupied), walk(square, occupied, directions));
            }
        }
    }

    /// Builds the table at run time; it does not fit on a test's stack.
    fn with_table(scheme: Scheme, test: impl FnOnce(&SliderTable) + Send) {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(16 << 20);
            builder.spawn_scoped(scope, move || test(&SliderTable::new(scheme))).unwrap();
        });
    }

    #[test]
    fn magic_path_equals_the_walk() {
        with_table(Scheme::Magic, |table| {
            compare_with_walk(&DIAGONAL, |square, occupied| {
                table.attacks[table.bishop[square.index()].magic_index(occupied.0)]
            });
            compare_with_walk(&ORTHOGONAL, |square, occupied| {
                table.attacks[table.rook[square.index()].magic_index(occupied.0)]
            });
        });
    }

    #[cfg(target_feature = "bmi2")]
    #[test]
    fn pext_path_equals_the_walk() {
        with_table(Scheme::Pext, |table| {
            compare_with_walk(&DIAGONAL, |square, occupied| {
                table.attacks[table.bishop[square.index()].pext_index(occupied.0)]
            });
            compare_with_walk(&ORTHOGONAL, |square, occupied| {
                table.attacks[table.rook[square.index()].pext_index(occupied.0)]
            });
        });
    }

    #[test]
    fn the_path_of_this_build_equals_the_walk() {
        compare_with_walk(&DIAGONAL, bishop_attacks);
        compare_with_walk(&ORTHOGONAL, rook_attacks);
    }
}
