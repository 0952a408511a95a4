//! Compressed values of a table: recursive pairing (Re-Pair), then a canonical Huffman code. Start
//! at [`Values::get`].
//!
//! Re-Pair repeatedly replaces the most frequent pair of adjacent symbols by a new symbol, so a
//! symbol stands for 1 to 256 values. The symbols are Huffman-coded into blocks of fixed size. A
//! lookup finds a nearby block in a sparse index, steps to the right block by the value counts of
//! the blocks, and decodes that block from its start.

use crate::tablebase::error::TableError;
use crate::tablebase::format::reader::Header;
use crate::tablebase::format::source::Source;

/// Right part of a symbol that is a single value, which is then the left part.
const SINGLE: u16 = 0xfff;

/// The values of a sub-table.
pub(crate) enum Values {
    /// The same value for every position.
    Constant(u16),
    Packed(Box<Pairs>),
}

impl Values {
    /// Returns the value at `index`.
    pub(crate) fn get(&self, source: &Source, index: u64) -> Option<u16> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Packed(pairs) => pairs.get(source, index),
        }
    }
}

pub(crate) struct Pairs {
    /// Base-2 logarithms of the block size in bytes and of the number of values per index entry.
    block_bits: u32,
    span_bits: u32,
    spans: u64,
    blocks: u32,
    /// Block count including padding.
    counted_blocks: u64,
    /// File offsets of the sparse index, the value counts and the blocks.
    index_at: u64,
    counts_at: u64,
    blocks_at: u64,
    /// Shortest code length. For each length from there on: the first code, left-aligned in a word,
    /// and its symbol.
    shortest: u32,
    first_codes: Vec<u64>,
    first_symbols: Vec<u16>,
    /// The two parts of each symbol, and the number of values it stands for, minus one.
    parts: Vec<[u16; 2]>,
    extents: Vec<u8>,
}

impl Pairs {
    /// Reads the header of the compressed values. `size` is their number.
    pub(crate) fn read(header: &mut Header<'_>, size: u64) -> Result<Self, TableError> {
        let block_bits = u32::from(header.byte()?);
        let span_bits = u32::from(header.byte()?);
        let padding = u64::from(header.byte()?);
        let blocks = header.long()?;
        let (longest, shortest) = (u32::from(header.byte()?), u32::from(header.byte()?));
        // `Bits` guarantees 32 valid bits only, so codes cannot be longer.
        if !(1..=32).contains(&shortest) || !(shortest..=32).contains(&longest) {
            return Err(TableError::Codes);
        }
        if block_bits > 20 || !(1..=32).contains(&span_bits) || blocks == 0 {
            return Err(TableError::Blocks);
        }
        let lengths = (longest - shortest + 1) as usize;
        let first_symbols =
            (0..lengths).map(|_| header.short()).collect::<Result<Vec<_>, TableError>>()?;
        let symbols = usize::from(header.short()?);
        if symbols > usize::from(SINGLE) {
            return Err(TableError::Symbols);
        }
        let parts = (0..symbols)
            .map(|_| {
                let [a, b, c] = [header.byte()?, header.byte()?, header.byte()?].map(u16::from);
                Ok([a | (b & 15) << 8, b >> 4 | c << 4])
            })
            .collect::<Result<Vec<_>, TableError>>()?;
        if symbols % 2 == 1 {
            header.byte()?;
        }
        Ok(Self {
            block_bits,
            span_bits,
            spans: size.div_ceil(1 << span_bits),
            blocks,
            counted_blocks: u64::from(blocks) + padding,
            index_at: 0,
            counts_at: 0,
            blocks_at: 0,
            shortest,
            first_codes: first_codes(&first_symbols, shortest),
            first_symbols,
            extents: extents(&parts)?,
            parts,
        })
    }

    /// Places the sparse index at offset `at` and advances `at` past it. A file holds the sparse
    /// indices of all sub-tables, then all value counts, then all blocks.
    pub(crate) fn place_index(&mut self, at: &mut u64) {
        self.index_at = *at;
        *at += 6 * self.spans;
    }

    pub(crate) fn place_counts(&mut self, at: &mut u64) {
        self.counts_at = *at;
        *at += 2 * self.counted_blocks;
    }

    pub(crate) fn place_blocks(&mut self, at: &mut u64) {
        *at = at.next_multiple_of(64);
        self.blocks_at = *at;
        *at += u64::from(self.blocks) << self.block_bits;
    }

    /// Returns the number of values in `block`, minus one.
    fn count(&self, source: &Source, block: u64) -> Option<i64> {
        if block >= self.counted_blocks {
            return None;
        }
        source.array(self.counts_at + 2 * block).map(u16::from_le_bytes).map(i64::from)
    }

    fn get(&self, source: &Source, index: u64) -> Option<u16> {
        let span = index >> self.span_bits;
        if span >= self.spans {
            return None;
        }
        // An entry gives the block and offset of the middle of its span.
        let at = self.index_at + 6 * span;
        let mut block = u64::from(u32::from_le_bytes(source.array(at)?));
        let mut offset = (index & (1 << self.span_bits) - 1) as i64 - (1 << (self.span_bits - 1))
            + i64::from(u16::from_le_bytes(source.array(at + 4)?));
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += self.count(source, block)? + 1;
        }
        loop {
            let count = self.count(source, block)?;
            if offset <= count {
                break;
            }
            offset -= count + 1;
            block += 1;
        }
        if block >= u64::from(self.blocks) {
            return None;
        }
        let bytes =
            source.bytes(self.blocks_at + (block << self.block_bits), 1 << self.block_bits)?;
        self.decode(&bytes, offset as usize)
    }

    /// Returns the value at `offset` in `block`.
    fn decode(&self, block: &[u8], mut offset: usize) -> Option<u16> {
        let mut bits = Bits::new(block);
        let mut symbol = loop {
            let (length, symbol) = self.next_symbol(bits.word)?;
            let extent = usize::from(*self.extents.get(symbol)?);
            if offset <= extent {
                break symbol;
            }
            offset -= extent + 1;
            bits.skip(length);
        };
        // Expand to a single value; `extents` guarantees termination.
        while self.extents[symbol] != 0 {
            let [left, right] = self.parts[symbol].map(usize::from);
            let extent = usize::from(self.extents[left]);
            if offset <= extent {
                symbol = left;
            } else {
                offset -= extent + 1;
                symbol = right;
            }
        }
        Some(self.parts[symbol][0])
    }

    /// Returns the code length and symbol at the start of `word`.
    fn next_symbol(&self, word: u64) -> Option<(u32, usize)> {
        let at = self.first_codes.iter().position(|&first| word >= first)?;
        let length = self.shortest + at as u32;
        let number = (word - self.first_codes[at]) >> (64 - length);
        Some((length, usize::from(self.first_symbols[at]) + number as usize))
    }
}

/// Returns the first code of each length, left-aligned in a word. Longer codes are numerically
/// smaller, so the first code of a length follows from the number of symbols with longer codes.
fn first_codes(first_symbols: &[u16], shortest: u32) -> Vec<u64> {
    let mut codes = vec![0_u64; first_symbols.len()];
    for at in (0..first_symbols.len() - 1).rev() {
        let longer = codes[at + 1]
            .wrapping_add(first_symbols[at].into())
            .wrapping_sub(first_symbols[at + 1].into());
        codes[at] = longer / 2;
    }
    for (length, code) in (shortest..).zip(&mut codes) {
        *code <<= 64 - length;
    }
    codes
}

/// Returns the number of values of each symbol, minus one. Fails unless every symbol expands to at
/// most 256 single values, so that decoding terminates.
fn extents(parts: &[[u16; 2]]) -> Result<Vec<u8>, TableError> {
    let mut known: Vec<Option<u8>> =
        parts.iter().map(|&[_, right]| (right == SINGLE).then_some(0)).collect();
    // A symbol stands for more values than either of its parts, so 256 rounds are enough.
    for _ in 0..256 {
        let mut waits = false;
        for symbol in 0..parts.len() {
            if known[symbol].is_some() {
                continue;
            }
            let [left, right] = parts[symbol].map(|part| known.get(usize::from(part)).copied());
            match (left, right) {
                (Some(Some(left)), Some(Some(right))) => {
                    let extent = left.checked_add(right).and_then(|sum| sum.checked_add(1));
                    known[symbol] = Some(extent.ok_or(TableError::Symbols)?);
                }
                (None, _) | (_, None) => return Err(TableError::Symbols),
                _ => waits = true,
            }
        }
        if !waits {
            return Ok(known.into_iter().flatten().collect());
        }
    }
    Err(TableError::Symbols)
}

/// Bit reader for a block, most significant bit first; yields zeros after the end.
struct Bits<'a> {
    /// The next bits; at least 32 are valid.
    word: u64,
    /// Number of low bits consumed but not yet refilled, below 32.
    gone: u32,
    rest: &'a [u8],
}

impl<'a> Bits<'a> {
    fn new(block: &'a [u8]) -> Self {
        let mut bits = Self { word: 0, gone: 0, rest: block };
        bits.word = u64::from(bits.next_half()) << 32 | u64::from(bits.next_half());
        bits
    }

    fn next_half(&mut self) -> u32 {
        match self.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.rest = rest;
                u32::from_be_bytes(*bytes)
            }
            None => 0,
        }
    }

    /// Skips `length` bits, at most 32.
    fn skip(&mut self, length: u32) {
        self.word <<= length;
        self.gone += length;
        if self.gone >= 32 {
            self.gone -= 32;
            self.word |= u64::from(self.next_half()) << self.gone;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_reject_invalid_symbols() {
        assert_eq!(extents(&[[7, SINGLE], [0, 0], [1, 0]]).unwrap(), [0, 1, 2]);
        assert_eq!(extents(&[[2, 1], [7, SINGLE], [1, 1]]).unwrap(), [2, 0, 1]);
        assert!(extents(&[[0, 0]]).is_err(), "contains itself");
        assert!(extents(&[[1, 1], [0, 0]]).is_err(), "a cycle");
        assert!(extents(&[[7, SINGLE], [0, 5]]).is_err(), "a missing part");
        let tower: Vec<[u16; 2]> =
            (0..10).map(|n| if n == 0 { [0, SINGLE] } else { [n - 1; 2] }).collect();
        assert!(extents(&tower[..9]).is_ok(), "256 values");
        assert!(extents(&tower).is_err(), "512 values");
    }

    #[test]
    fn bits_are_msb_first_and_zero_padded() {
        let block: Vec<u8> = (1..=12).collect();
        let all = block.iter().fold(0_u128, |sum, &byte| sum << 8 | u128::from(byte)) << 32;
        let mut bits = Bits::new(&block);
        let mut at = 0;
        for length in [1, 7, 32, 13, 32, 5, 3] {
            assert_eq!(u128::from(bits.word >> 32), (all << at) >> 96, "after {at} bits");
            bits.skip(length);
            at += length;
        }
        for _ in 0..100 {
            bits.skip(32);
        }
        assert_eq!(bits.word, 0);
    }

    #[test]
    fn codes_are_canonical() {
        // Code lengths 1, 2 and 3: symbols 3; 2; 0 and 1 have the codes 1; 01; 000 and 001.
        let codes = first_codes(&[3, 2, 0], 1);
        assert_eq!(codes, [1 << 63, 1 << 62, 0]);
    }
}
