//! Perft: counts the leaves of the move tree, the standard check of a move generator. Start at
//! [`perft`] or [`divide`].

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use thiserror::Error;

use super::Board;
use crate::types::Move;

/// Maximum depth: no deeper tree can be counted in a lifetime, and the recursion stays shallow.
pub const MAX_DEPTH: u32 = 64;

/// Counts the leaves at `depth` on this thread, without a cache. Bulk counting: moves of the last
/// ply are not played.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(board.count_legal_moves()),
        _ => {
            let mut leaves = 0;
            for &mv in &board.legal_moves() {
                let mut child = *board;
                child.play_unchecked(mv);
                leaves += perft(&child, depth - 1);
            }
            leaves
        }
    }
}

/// Counts the leaves below each root move on `threads` threads, with `cache` if given. `depth` is
/// clamped to 1 to [`MAX_DEPTH`].
///
/// Above depth 2 the threads take pairs of a root move and a reply from a shared list, so they
/// finish at nearly the same time whatever their number.
#[must_use]
pub fn divide(
    board: &Board,
    depth: u32,
    threads: usize,
    cache: Option<&PerftCache>,
) -> Vec<(Move, u64)> {
    let depth = depth.clamp(1, MAX_DEPTH);
    let roots = board.legal_moves();
    let totals: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let mut work: Vec<(usize, Board, u32)> = Vec::new();
    for (index, &mv) in roots.iter().enumerate() {
        let child = board.after(mv);
        if depth > 2 {
            let replies = child.legal_moves();
            work.extend(replies.iter().map(|&mv| (index, child.after(mv), depth - 2)));
        } else {
            work.push((index, child, depth - 1));
        }
    }
    let next = AtomicUsize::new(0);
    let run = || {
        while let Some((index, board, depth)) = work.get(next.fetch_add(1, Relaxed)) {
            let leaves = match cache {
                Some(cache) => cache.perft(board, *depth),
                None => perft(board, *depth),
            };
            totals[*index].fetch_add(leaves, Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot be started, the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    roots.iter().copied().zip(totals.into_iter().map(AtomicU64::into_inner)).collect()
}

/// A perft cache of this size in MiB cannot be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a perft cache of {0} MiB")]
pub struct PerftCacheTooLarge(pub usize);

/// A lock-free table of leaf counts, shared between threads.
///
/// An entry is two words: the count with its depth, and the key XOR that word. A torn or foreign
/// entry does not give back the key and is ignored (Hyatt and Mann 2002).
pub struct PerftCache {
    entries: Vec<[AtomicU64; 2]>,
}

impl PerftCache {
    const DEPTH_BITS: u32 = 8;

    /// Creates a cache of `mebibytes` MiB.
    ///
    /// # Errors
    /// Returns [`PerftCacheTooLarge`] if the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, PerftCacheTooLarge> {
        let too_large = PerftCacheTooLarge(mebibytes);
        let count = mebibytes.checked_mul(1 << 20).ok_or(too_large)? / 16;
        let mut entries = Vec::new();
        entries.try_reserve_exact(count.max(1)).map_err(|_| too_large)?;
        entries.resize_with(count.max(1), || [AtomicU64::new(0), AtomicU64::new(0)]);
        Ok(Self { entries })
    }

    /// Counts the leaves at `depth` with the cache.
    #[must_use]
    pub fn perft(&self, board: &Board, depth: u32) -> u64 {
        if depth <= 1 {
            return perft(board, depth);
        }
        // The depth is part of the key, so each depth of a position is stored separately.
        let key = board.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = ((u128::from(key) * self.entries.len() as u128) >> 64) as usize;
        let [check, data] = &self.entries[index];
        let known = data.load(Relaxed);
        if check.load(Relaxed) ^ known == key && known & 0xff == u64::from(depth) {
            return known >> Self::DEPTH_BITS;
        }
        let mut leaves = 0;
        for &mv in &board.legal_moves() {
            let mut child = *board;
            child.play_unchecked(mv);
            leaves += self.perft(&child, depth - 1);
        }
        if leaves < 1 << (64 - Self::DEPTH_BITS) {
            let word = leaves << Self::DEPTH_BITS | u64::from(depth);
            data.store(word, Relaxed);
            check.store(key ^ word, Relaxed);
        }
        leaves
    }
}
