//! Search for magic numbers by seeded trial and error. Start at [`find_all`]. `damero magics` runs
//! it and prints the source text of `magic_numbers.rs`; a test repeats it and compares.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::rays::{DIAGONAL, ORTHOGONAL, walk};
use super::sliders::relevant_squares;
use crate::types::{Bitboard, Square};

/// The seed of the numbers in `magic_numbers.rs`.
pub const SEED: u64 = 2026;

/// Magic numbers for both sliders on every square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Magics {
    /// Bishop magics, a1 first.
    pub bishop: [u64; 64],
    /// Rook magics, a1 first.
    pub rook: [u64; 64],
}

impl Magics {
    /// Returns the text of `magic_numbers.rs`.
    #[must_use]
    pub fn to_source(&self) -> String {
        let mut text = String::from(
            "//! Magic numbers, found by `magic_search`. Made by `damero magics`; do not edit.\n",
        );
        for (name, numbers) in [("BISHOP_MAGICS", &self.bishop), ("ROOK_MAGICS", &self.rook)] {
            text += &["\n#[rustfmt::skip]\npub(super) const ", name, ": [u64; 64] = [\n"].concat();
            for row in numbers.chunks(4) {
                let row: Vec<String> =
                    row.iter().map(|number| format!("{number:#018x},")).collect();
                text += &["    ", &row.join(" "), "\n"].concat();
            }
            text += "];\n";
        }
        text
    }

    /// Returns the magic numbers compiled into this build.
    #[must_use]
    pub const fn built_in() -> Self {
        Self {
            bishop: super::magic_numbers::BISHOP_MAGICS,
            rook: super::magic_numbers::ROOK_MAGICS,
        }
    }
}

/// Finds a full set of magic numbers. The same seed gives the same numbers.
#[must_use]
pub fn find_all(seed: u64) -> Magics {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut magics = Magics { bishop: [0; 64], rook: [0; 64] };
    for square in Square::all() {
        magics.bishop[square.index()] = find(square, &DIAGONAL, &mut rng);
        magics.rook[square.index()] = find(square, &ORTHOGONAL, &mut rng);
    }
    magics
}

/// Tries random numbers until one maps all arrangements to indices without a destructive collision:
/// only arrangements with equal attacks share an index.
fn find(square: Square, directions: &[(i8, i8)], rng: &mut ChaCha8Rng) -> u64 {
    let relevant = relevant_squares(square, directions);
    let cases: Vec<(u64, Bitboard)> = relevant
        .subsets()
        .map(|occupied| (occupied.0, walk(square, occupied, directions)))
        .collect();
    let shift = 64 - relevant.len();
    // Each slot records the trial that wrote it last, so nothing is cleared between trials.
    let mut slots = vec![(0_u32, Bitboard::EMPTY); cases.len()];
    for trial in 1.. {
        // Numbers with few bits set spread the arrangements best.
        let magic = rng.next_u64() & rng.next_u64() & rng.next_u64();
        let fits = cases.iter().all(|&(occupied, attacks)| {
            let slot = &mut slots[(occupied.wrapping_mul(magic) >> shift) as usize];
            if slot.0 == trial {
                return slot.1 == attacks;
            }
            *slot = (trial, attacks);
            true
        });
        if fits {
            return magic;
        }
    }
    unreachable!("the trials do not end before a number is found")
}
