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
