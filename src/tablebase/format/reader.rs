//! Sequential reader for the headers of a table file.

use std::fs::File;
use std::io::{BufReader, Read};

use crate::tablebase::error::TableError;

/// A file and its read position.
pub(crate) struct Header<'a> {
    input: BufReader<&'a mut File>,
    /// Offset of the next byte.
    pub(crate) at: u64,
}

impl<'a> Header<'a> {
    pub(crate) fn new(file: &'a mut File) -> Self {
        Self { input: BufReader::new(file), at: 0 }
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, TableError> {
        self.bytes().map(|[byte]| byte)
    }

    pub(crate) fn short(&mut self) -> Result<u16, TableError> {
        self.bytes().map(u16::from_le_bytes)
    }

    pub(crate) fn long(&mut self) -> Result<u32, TableError> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// Skips to an even offset.
    pub(crate) fn align(&mut self) -> Result<(), TableError> {
        if self.at % 2 == 1 {
            self.byte()?;
        }
        Ok(())
    }
}
