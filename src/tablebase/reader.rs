//! Sequential reader for the headers of a table file.

use std::fs::File;
use std::io::{BufReader, Read};

use super::flaw::Flaw;

/// A file and its read position.
pub(super) struct Header<'a> {
    input: BufReader<&'a mut File>,
    /// Offset of the next byte.
    pub(super) at: u64,
}

impl<'a> Header<'a> {
    pub(super) fn new(file: &'a mut File) -> Self {
        Self { input: BufReader::new(file), at: 0 }
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Flaw> {
        self.bytes().map(|[byte]| byte)
    }

    pub(super) fn short(&mut self) -> Result<u16, Flaw> {
        self.bytes().map(u16::from_le_bytes)
    }

    pub(super) fn long(&mut self) -> Result<u32, Flaw> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// Skips to an even offset.
    pub(super) fn align(&mut self) -> Result<(), Flaw> {
        if self.at % 2 == 1 {
            self.byte()?;
        }
        Ok(())
    }
}
