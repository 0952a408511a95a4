//! Reads the beginning of a file, number by number.

use std::fs::File;
use std::io::{BufReader, Read};

use super::flaw::Flaw;

/// The file, and how far it has been read.
pub(super) struct Header<'a> {
    input: BufReader<&'a mut File>,
    /// The place of the next byte.
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

    /// To the next even place.
    pub(super) fn align(&mut self) -> Result<(), Flaw> {
        if self.at % 2 == 1 {
            self.byte()?;
        }
        Ok(())
    }
}
