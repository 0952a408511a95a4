//! Pawn hash table: caches the terms that depend only on the pawns and the kings' squares. Entry
//! point: `PawnCache::get`.

use crate::board::Board;
use crate::eval::classical::WeightedSum;
use crate::types::{Bitboard, Color};

/// Cached terms of one arrangement of pawns and kings.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    sum: WeightedSum,
    passed: Bitboard,
}

/// Number of entries: the table (256 KiB) fits into a processor's second-level cache.
const ENTRIES: usize = 1 << 13;

/// Pawn hash table, one per search thread.
pub(crate) struct PawnCache(Vec<Entry>);

impl Default for PawnCache {
    fn default() -> Self {
        Self(vec![Entry::default(); ENTRIES])
    }
}

impl PawnCache {
    /// Returns the cached sum and passed pawns for the pawns and kings of `board`. Calls `find` on
    /// a miss.
    #[inline]
    pub(crate) fn get(
        &mut self,
        board: &Board,
        find: impl FnOnce() -> (WeightedSum, Bitboard),
    ) -> (WeightedSum, Bitboard) {
        let key = key(board);
        let entry = &mut self.0[(key >> 32) as usize % ENTRIES];
        if entry.key != key {
            let (sum, passed) = find();
            *entry = Entry { key, sum, passed };
        }
        (entry.sum, entry.passed)
    }
}

/// Returns the pawn key with the kings' squares mixed in. The low bit is set, so no key equals the
/// 0 of empty entries.
fn key(board: &Board) -> u64 {
    let [white, black] = Color::ALL.map(|color| board.king(color).index() as u64);
    (board.pawn_key() ^ (white * 64 + black + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::board;
    use crate::eval::classical::{score, score_cached};

    /// Looks up `fen` and returns whether it was a miss.
    fn found(cache: &mut PawnCache, fen: &str) -> bool {
        let mut found = false;
        cache.get(&board(fen), || {
            found = true;
            (WeightedSum::default(), Bitboard::EMPTY)
        });
        found
    }

    #[test]
    fn key_depends_only_on_pawns_and_kings() {
        let mut cache = PawnCache::default();
        assert!(found(&mut cache, "4k3/4p3/8/8/8/8/4P3/4K3"));
        for same in [
            "4k3/4p3/8/8/8/8/4P3/4K3 w - -",
            "4k3/4p3/8/8/8/8/4P3/4K3 b - -",
            "q3k3/4p3/8/8/8/8/4P3/RN2K2R w KQ - 5 20",
        ] {
            assert!(!found(&mut cache, same), "{same}");
        }
        for other in [
            "4k3/4p3/8/8/8/8/4P3/6K1",
            "6k1/4p3/8/8/8/8/4P3/4K3",
            "4k3/4p3/8/8/4P3/8/8/4K3",
            "4k3/8/8/8/8/8/4P3/4K3",
        ] {
            assert!(found(&mut cache, other), "{other}");
        }
    }

    #[test]
    fn first_pawnless_board_is_a_miss() {
        assert!(found(&mut PawnCache::default(), "4k3/8/8/8/8/8/8/4K3"));
    }

    #[test]
    fn cached_evaluation_equals_uncached() {
        let mut cache = PawnCache::default();
        // Pawns (with passed ones) and kings stay the same, so every lookup after the first is a
        // hit.
        for pieces in ["4R3", "4r3", "8", "2N1q3"] {
            for side in ["w", "b"] {
                let board = board(&format!("6k1/2p3p1/8/P3P3/{pieces}/8/2P5/6K1 {side} - -"));
                for _ in 0..2 {
                    assert_eq!(score_cached(&board, &mut cache), score(&board), "{pieces}");
                }
            }
        }
    }
}
