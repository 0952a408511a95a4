//! A memory for what pawns and kings are worth: they change seldom, and take long to look at.

use super::Sum;
use crate::board::Board;
use crate::types::{Bitboard, Color};

/// What was found for one arrangement of pawns and kings.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    sum: Sum,
    passed: Bitboard,
}

/// Number of entries: few enough to stay in the second-level cache of a processor.
const ENTRIES: usize = 1 << 13;

/// The memory of one thread.
pub struct PawnCache(Vec<Entry>);

impl Default for PawnCache {
    fn default() -> Self {
        Self(vec![Entry::default(); ENTRIES])
    }
}

impl PawnCache {
    /// What is known about the pawns and kings of a board; found out if nothing is.
    #[inline]
    pub(super) fn get(
        &mut self,
        board: &Board,
        find: impl FnOnce() -> (Sum, Bitboard),
    ) -> (Sum, Bitboard) {
        let key = key(board);
        let entry = &mut self.0[(key >> 32) as usize % ENTRIES];
        if entry.key != key {
            let (sum, passed) = find();
            *entry = Entry { key, sum, passed };
        }
        (entry.sum, entry.passed)
    }
}

/// The key of the pawns, with the squares of the kings mixed in. No key is 0, as empty entries are.
fn key(board: &Board) -> u64 {
    let [white, black] = Color::ALL.map(|color| board.king(color).index() as u64);
    (board.pawn_key() ^ (white * 64 + black + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
}

#[cfg(test)]
mod tests {
    use super::super::testing::board;
    use super::super::{evaluate, evaluate_cached};
    use super::*;

    /// Asks for what is known about a position, and tells whether it had to be found out.
    fn found(cache: &mut PawnCache, fen: &str) -> bool {
        let mut found = false;
        cache.get(&board(fen), || {
            found = true;
            (Sum::default(), Bitboard::EMPTY)
        });
        found
    }

    #[test]
    fn only_pawns_and_kings_matter() {
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
    fn the_first_board_without_pawns_is_not_known_beforehand() {
        assert!(found(&mut PawnCache::default(), "4k3/8/8/8/8/8/8/4K3"));
    }

    #[test]
    fn what_is_remembered_is_worth_the_same() {
        let mut cache = PawnCache::default();
        // The same pawns and kings again and again, passed pawns among them, with other pieces.
        for pieces in ["4R3", "4r3", "8", "2N1q3"] {
            for side in ["w", "b"] {
                let board = board(&format!("6k1/2p3p1/8/P3P3/{pieces}/8/2P5/6K1 {side} - -"));
                for _ in 0..2 {
                    assert_eq!(evaluate_cached(&board, &mut cache), evaluate(&board), "{pieces}");
                }
            }
        }
    }
}
