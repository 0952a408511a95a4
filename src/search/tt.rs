//! Transposition table (TT), shared by all threads without locks. Start at
//! [`TranspositionTable::probe`] and [`TranspositionTable::store`].

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use thiserror::Error;

use crate::search::params as p;
use crate::types::{Move, Score};

/// How a score bounds the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this (fail-high).
    Lower,
    /// The true score is at most this (fail-low).
    Upper,
}

impl Bound {
    /// Returns the bound type of `best` after a search with the window `alpha` to `beta`.
    pub(crate) fn of(best: Score, alpha: Score, beta: Score) -> Self {
        if best >= beta {
            Self::Lower
        } else if best > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Returns whether a `score` with this bound decides a search with the window `alpha` to
    /// `beta`.
    pub(crate) fn decides(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }

    pub(crate) const fn bits(self) -> u64 {
        match self {
            Self::Exact => 3,
            Self::Lower => 2,
            Self::Upper => 1,
        }
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            3 => Self::Exact,
            2 => Self::Lower,
            _ => Self::Upper,
        }
    }
}

/// The stored result of a search of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best or refutation move. It may be illegal after a key collision, so check it first.
    pub mv: Option<Move>,
    /// The score, with wins and losses counted from this position: see [`Score::from_table`].
    pub score: i16,
    /// The raw static evaluation; `None` in check.
    pub eval: Option<i16>,
    /// The search depth, in plies.
    pub depth: i32,
    /// How the score bounds the true score.
    pub bound: Bound,
    /// Whether the position is or was a PV node.
    pub pv: bool,
}

impl Entry {
    /// Creates an entry for a node `ply` plies from the root.
    #[inline]
    pub(crate) fn new(
        mv: Option<Move>,
        score: Score,
        ply: usize,
        raw_eval: Option<Score>,
        depth: i32,
        bound: Bound,
        pv: bool,
    ) -> Self {
        let eval = raw_eval.map(|eval| eval.value() as i16);
        Self { mv, score: score.to_table(ply), eval, depth, bound, pv }
    }

    /// Returns the score of a node `ply` plies from the root.
    #[must_use]
    pub fn score_at(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// Returns the score if the entry is deep enough and its bound decides the node (TT cutoff).
    pub(crate) fn cutoff(
        &self,
        depth: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        let score = self.score_at(ply);
        (self.depth >= depth && self.bound.decides(score, alpha, beta)).then_some(score)
    }

    /// Returns the score where its bound makes it a better estimate than `eval`, otherwise `eval`.
    pub(crate) fn refine(&self, eval: Score, ply: usize) -> Score {
        let score = self.score_at(ply);
        let nearer = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if nearer && !score.is_decisive() { score } else { eval }
    }
}

/// One entry in two words. The first holds 48 bits of the key and the evaluation, XORed with the
/// second, which holds the rest. An entry torn by two concurrent writers thus fails the key check
/// and is ignored (Hyatt and Mann, "A lock-less transposition-table implementation", 2002).
///
/// ```text
/// second word: move 0-27 | score 28-43 | depth 44-51 | bound 52-53 | pv 54 | age 55-60
/// ```
#[derive(Default)]
struct Slot([AtomicU64; 2]);

const NO_EVAL: i16 = i16::MIN;
const AGES: u8 = 63;

impl Slot {
    fn load(&self, key: u64) -> Option<(Entry, u64)> {
        let data = self.0[1].load(Relaxed);
        let check = self.0[0].load(Relaxed) ^ data;
        if check >> 16 != key & KEY_BITS || data == 0 {
            return None;
        }
        let eval = check as u16 as i16;
        let entry = Entry {
            mv: Move::from_bits(data as u32 & 0x0fff_ffff),
            score: (data >> 28) as u16 as i16,
            eval: (eval != NO_EVAL).then_some(eval),
            depth: depth_of(data),
            bound: Bound::from_bits(data >> 52),
            pv: data >> 54 & 1 != 0,
        };
        Some((entry, data))
    }

    fn store(&self, key: u64, entry: &Entry, age: u8) {
        let data = u64::from(entry.mv.map_or(0, Move::bits))
            | u64::from(entry.score as u16) << 28
            | (entry.depth.clamp(0, 255) as u64) << 44
            | entry.bound.bits() << 52
            | u64::from(entry.pv) << 54
            | u64::from(age) << 55;
        let eval = entry.eval.unwrap_or(NO_EVAL) as u16;
        let check = (key & KEY_BITS) << 16 | u64::from(eval);
        self.0[1].store(data, Relaxed);
        self.0[0].store(check ^ data, Relaxed);
    }
}

/// The low 48 bits of the key, which are stored. The high bits choose the bucket.
const KEY_BITS: u64 = 0xffff_ffff_ffff;

fn depth_of(data: u64) -> i32 {
    (data >> 44 & 0xff) as i32
}

fn age_of(data: u64) -> u8 {
    (data >> 55) as u8 & AGES
}

/// Four slots in one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(std::mem::size_of::<Bucket>() == 64);

/// The TT could not be allocated; holds the size asked for, in MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate a hash table of {0} MiB")]
pub struct TableTooLarge(pub usize);

/// The transposition table.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// Allocates an empty table of `mebibytes` MiB, at least 1.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<Self, TableTooLarge> {
        let too_large = TableTooLarge(mebibytes);
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(too_large)?;
        if available_memory().is_some_and(|available| bytes > available) {
            return Err(too_large);
        }
        let count = bytes / std::mem::size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| too_large)?;
        ask_for_huge_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Ok(Self { buckets, age: AtomicU8::new(0) })
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128 >> 64) as usize;
        &self.buckets[index]
    }

    /// Clears the table with up to `threads` threads.
    pub fn clear(&self, threads: usize) {
        let part = self.buckets.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for buckets in self.buckets.chunks(part) {
                // Plain loops: one iterator chain took ten times the instructions.
                let clear = move || {
                    for bucket in buckets {
                        for slot in &bucket.0 {
                            slot.0[0].store(0, Relaxed);
                            slot.0[1].store(0, Relaxed);
                        }
                    }
                };
                if thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    clear();
                }
            }
        });
        self.age.store(0, Relaxed);
    }

    /// Starts a new generation, which makes all entries one search older.
    pub fn new_search(&self) {
        self.age.store(self.age.load(Relaxed).wrapping_add(1) & AGES, Relaxed);
    }

    /// Looks up `key`.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| slot.load(key)).map(|(entry, _)| entry)
    }

    /// Stores `entry` under `key`. An entry for the same key is replaced unless it is worth more.
    /// Without one, `entry` takes an empty slot of the bucket, or that of the entry with the least
    /// depth after a penalty for age.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        if let Some((slot, (old, data))) =
            bucket.0.iter().find_map(|slot| slot.load(key).map(|found| (slot, found)))
        {
            entry.mv = entry.mv.or(old.mv);
            // A much deeper entry from this search is worth more than a shallow bound.
            let keeps = entry.bound != Bound::Exact
                && entry.depth + p::table_keep_depth() < old.depth
                && age_of(data) == age;
            if !keeps {
                slot.store(key, &entry, age);
            }
            return;
        }
        let worth = |slot: &&Slot| {
            let data = slot.0[1].load(Relaxed);
            if data == 0 {
                return i32::MIN;
            }
            depth_of(data) - p::table_age() * i32::from(age.wrapping_sub(age_of(data)) & AGES)
        };
        if let Some(slot) = bucket.0.iter().min_by_key(worth) {
            slot.store(key, &entry, age);
        }
    }

    /// Prefetches the bucket of `key` into the CPU cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns how many of the first 1000 slots hold entries of this search.
    #[must_use]
    pub fn per_mille_full(&self) -> usize {
        let age = self.age.load(Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = |slot: &&Slot| {
            let data = slot.0[1].load(Relaxed);
            data != 0 && age_of(data) == age
        };
        slots.filter(used).count() * 1000 / (sample.len() * 4)
    }

    /// Returns the size of the table in MiB.
    #[must_use]
    pub fn mebibytes(&self) -> usize {
        std::mem::size_of_val(self.buckets.as_slice()) >> 20
    }
}

/// Returns the available memory in bytes, or `None` where `/proc/meminfo` does not give it.
/// Allocating more risks the OOM killer.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Advises the kernel to back `memory`, which is not yet written to, with huge pages. Probes are
/// random, so small pages cause TLB misses. Only speed depends on whether the kernel follows the
/// advice.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(memory: &mut [MaybeUninit<Bucket>]) {
    const PAGE: usize = 4096;
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    let length = std::mem::size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
    if length > 0 {
        // SAFETY: the range begins on a page boundary and lies within the slice, which is borrowed
        // mutably; the advice neither reads nor changes its contents.
        unsafe { libc::madvise(start.add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: &mut [MaybeUninit<Bucket>]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Piece, Square};

    fn entry(depth: i32, bound: Bound) -> Entry {
        Entry {
            mv: Some(Move::quiet(Piece::BlackKnight, Square::G8, Square::F6)),
            score: -1234,
            eval: Some(-77),
            depth,
            bound,
            pv: true,
        }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1).unwrap();
        for (index, bound) in [Bound::Exact, Bound::Lower, Bound::Upper].into_iter().enumerate() {
            let key = 0x1234_5678_9abc_def0 + index as u64;
            assert_eq!(table.probe(key), None);
            let mut stored = entry(17, bound);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
            // A later entry without a move keeps the old move.
            stored.mv = None;
            stored.depth = 20;
            stored.eval = None;
            table.store(key, stored);
            assert_eq!(table.probe(key).unwrap().mv, entry(1, bound).mv);
            assert_eq!(table.probe(key).unwrap().eval, None);
        }
        table.clear(2);
        assert_eq!(table.probe(0x1234_5678_9abc_def0), None);
    }

    #[test]
    fn shallow_and_old_entries_are_replaced() {
        let table = TranspositionTable::new(1).unwrap();
        // These keys share a bucket, which the high bits choose.
        let keys: Vec<u64> = (0..5).map(|low| 0x7fff_0000_0000_0000 + low).collect();
        for (depth, &key) in (10..).zip(&keys[..4]) {
            table.store(key, entry(depth, Bound::Lower));
        }
        table.store(keys[4], entry(1, Bound::Lower));
        assert_eq!(table.probe(keys[0]), None, "the shallowest entry must be replaced");
        assert!(table.probe(keys[4]).is_some());
        for _ in 0..8 {
            table.new_search();
        }
        table.store(keys[0], entry(1, Bound::Lower));
        assert!(table.probe(keys[0]).is_some());
    }

    #[test]
    fn oversized_table_is_refused() {
        assert!(TranspositionTable::new(usize::MAX >> 21).is_err());
        assert!(TranspositionTable::new(usize::MAX).is_err());
    }
}
