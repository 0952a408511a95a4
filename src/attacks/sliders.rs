//! Magic bitboards and PEXT: attacks of bishops, rooks and queens by table lookup, indexed by the
//! occupancy of the relevant squares. Start at [`queen_attacks`].
//!
//! The target decides at compile time how the index is computed: with the PEXT instruction if it
//! has BMI2, otherwise by multiplication with a magic number. Both map the 2^n arrangements of a
//! square's n relevant squares to indices below 2^n, so one shared table of 107,648 sets serves
//! every square of both pieces ("fancy" magic bitboards; the idea is Pradyumna Kannan's).

use super::magic_numbers::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{DIAGONAL, ORTHOGONAL, Rays};
use crate::types::{Bitboard, Square};

/// How the occupancy of the relevant squares becomes an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scheme {
    /// Magic multiplication; the highest bits are the index.
    Magic,
    /// The PEXT instruction, which collects the relevant bits.
    Pext,
}

/// The scheme of this build.
pub(super) const SCHEME: Scheme =
    if cfg!(target_feature = "bmi2") { Scheme::Pext } else { Scheme::Magic };

/// Size of the table: 102,400 entries for rooks and 5,248 for bishops.
const ENTRIES: usize = 107_648;

/// Indexing data of one square.
#[derive(Clone, Copy)]
struct Entry {
    /// Squares whose occupancy matters: the rays without their last squares.
    relevant: u64,
    magic: u64,
    /// Index of the square's first entry.
    offset: u32,
    /// 64 minus the number of relevant squares.
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

/// Returns the squares where a piece can block the slider. The last square of a ray ends it anyway.
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
    /// Returns the index by magic multiplication.
    #[inline]
    const fn magic_index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.relevant).wrapping_mul(self.magic);
        self.offset as usize + (hash >> self.shift) as usize
    }

    /// Returns the index by PEXT.
    #[cfg(target_feature = "bmi2")]
    #[inline]
    fn pext_index(&self, occupied: u64) -> usize {
        // SAFETY: this function exists only in builds for BMI2, so the instruction is available.
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
    /// Computes all entries, indexed by `scheme`.
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
        // SAFETY: offset plus 2^bits is at most `ENTRIES` for every square (the offsets are the
        // running sum of those powers), and both schemes give an index below 2^bits: PEXT collects
        // `bits` bits, and the shift by 64 - bits leaves as many.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

/// Fills the entries of one square.
const fn fill(attacks: &mut [Bitboard; ENTRIES], entry: &Entry, rays: &Rays, scheme: Scheme) {
    let mut occupied = 0_u64;
    let mut count = 0;
    loop {
        let index = match scheme {
            Scheme::Magic => entry.magic_index(occupied),
            // The subsets come in PEXT order.
            Scheme::Pext => entry.offset as usize + count,
        };
        attacks[index] = rays.attacks(occupied);
        count += 1;
        // Carry-Rippler: the next subset of the relevant squares.
        occupied = occupied.wrapping_sub(entry.relevant) & entry.relevant;
        if occupied == 0 {
            break;
        }
    }
}

/// Returns the squares that a bishop on `square` attacks, given the occupancy `occupied`.
#[inline]
#[must_use]
pub(crate) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE.bishop_attacks(square, occupied)
}

/// Returns the squares that a rook on `square` attacks, given the occupancy `occupied`.
#[inline]
#[must_use]
pub(crate) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE.rook_attacks(square, occupied)
}

/// Returns the squares that a queen on `square` attacks, given the occupancy `occupied`.
#[inline]
#[must_use]
pub(crate) fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::attacks::rays::walk;

    /// Compares an attack lookup with the ray walk on every square, for all arrangements of the
    /// relevant squares and for 1,000 random occupancies.
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

    /// Builds the table at run time, on a thread with a stack large enough for it.
    fn with_table(scheme: Scheme, test: impl FnOnce(&SliderTable) + Send) {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(16 << 20);
            builder.spawn_scoped(scope, move || test(&SliderTable::new(scheme))).unwrap();
        });
    }

    #[test]
    fn magic_attacks_match_ray_walk() {
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
    fn pext_attacks_match_ray_walk() {
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
    fn built_in_attacks_match_ray_walk() {
        compare_with_walk(&DIAGONAL, bishop_attacks);
        compare_with_walk(&ORTHOGONAL, rook_attacks);
    }
}
