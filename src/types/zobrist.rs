//! Zobrist hashing: one random number per feature of a position, combined by XOR. Start at
//! [`piece`].

use crate::types::random::{GOLDEN_GAMMA, split_mix_64};
use crate::types::{Bitboard, File, Piece, Square};

struct Keys {
    pieces: [[u64; 64]; 12],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = Keys::new();

/// Returns the next number of the `SplitMix64` sequence.
const fn next_random(state: &mut u64) -> u64 {
    let random = split_mix_64(*state);
    *state = state.wrapping_add(GOLDEN_GAMMA);
    random
}

const fn fill<const N: usize>(state: &mut u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut index = 0;
    while index < N {
        keys[index] = next_random(state);
        index += 1;
    }
    keys
}

impl Keys {
    const fn new() -> Self {
        let mut state = 2026;
        let mut pieces = [[0; 64]; 12];
        let mut piece = 0;
        while piece < 12 {
            pieces[piece] = fill(&mut state);
            piece += 1;
        }
        Self {
            pieces,
            castling: fill(&mut state),
            en_passant: fill(&mut state),
            black_to_move: next_random(&mut state),
        }
    }
}

/// Returns the key of `piece` on `square`.
#[inline]
#[must_use]
pub fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// Returns the key of the castling rights of `rooks`.
#[inline]
#[must_use]
pub fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ KEYS.castling[rook.index()])
}

/// Returns the key of a legal en passant capture on `file`.
#[inline]
#[must_use]
pub fn en_passant(file: File) -> u64 {
    KEYS.en_passant[file.index()]
}

/// Returns the key of Black to move.
#[inline]
#[must_use]
pub fn black_to_move() -> u64 {
    KEYS.black_to_move
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_nonzero() {
        let mut keys: Vec<u64> = KEYS.pieces.concat();
        keys.extend(KEYS.castling);
        keys.extend(KEYS.en_passant);
        keys.push(KEYS.black_to_move);
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        assert!(!keys.contains(&0));
    }
}
