//! A list of moves on the stack.

use std::mem::MaybeUninit;
use std::ops::Deref;

use super::moves::Move;

/// Room for the moves of one position. No legal position has more than 218 moves.
pub struct MoveList {
    len: usize,
    // Left uninitialised: clearing a kilobyte for each node costs more than filling in the moves.
    moves: [MaybeUninit<Move>; Self::CAPACITY],
}

impl MoveList {
    /// More than any position needs, promoted pieces included.
    pub const CAPACITY: usize = 256;

    /// An empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { len: 0, moves: [const { MaybeUninit::uninit() }; Self::CAPACITY] }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// When the list is full, which no validated position can bring about.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }

    /// The moves, in the order in which they were added.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Move] {
        debug_assert!(self.len <= Self::CAPACITY);
        // SAFETY: `push` is the only writer; it has initialised the first `len` elements, and its
        // bounds check keeps `len` within the array.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast::<Move>(), self.len) }
    }
}

impl MoveList {
    /// The moves, to be put in another order.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        debug_assert!(self.len <= Self::CAPACITY);
        // SAFETY: as in `as_slice`; the list is borrowed mutably for as long as the slice lives.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast::<Move>(), self.len) }
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
