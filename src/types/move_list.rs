//! Fixed-capacity lists on the stack: the moves of a position, or a value for each. Start at
//! [`MoveList`].

use std::mem::MaybeUninit;
use std::ops::Deref;

use super::moves::Move;

/// The moves of one position.
pub type MoveList = List<Move>;

/// A list with room for one item per move of a position. No reachable position has more than 218
/// moves.
pub struct List<T> {
    len: usize,
    // Left uninitialised: clearing a kilobyte at each node costs more than writing the moves.
    items: [MaybeUninit<T>; CAPACITY],
}

const CAPACITY: usize = 256;

impl<T: Copy> List<T> {
    /// Maximum number of items, above the 218 moves of the largest reachable position.
    pub const CAPACITY: usize = CAPACITY;

    /// Creates an empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { len: 0, items: [const { MaybeUninit::uninit() }; CAPACITY] }
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends `item`.
    ///
    /// # Panics
    /// If the list is full, which no reachable position can cause.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items[self.len].write(item);
        self.len += 1;
    }

    /// Returns the items as a slice.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        debug_assert!(self.len <= Self::CAPACITY);
        // SAFETY: `len` grows only in `push`, which has initialised the first `len` elements and
        // whose bounds check keeps `len` within the array.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast::<T>(), self.len) }
    }
}

impl<T: Copy> List<T> {
    /// Returns the items as a mutable slice, for reordering.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        debug_assert!(self.len <= Self::CAPACITY);
        // SAFETY: as in `as_slice`; the list is borrowed mutably for as long as the slice lives.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast::<T>(), self.len) }
    }
}

impl<T: Copy> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> Deref for List<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<'a, T: Copy> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<T: Copy + std::fmt::Debug> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
