//! The bytes of a PGN file, one after the other, with their place. Only a buffer's worth of them is
//! in memory.

use std::io::{self, Read};

const BUFFER: usize = 1 << 16;

/// A place in a file; both numbers count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The character in the line.
    pub column: u64,
}

/// Bytes that are read from somewhere.
pub(super) struct Source<R> {
    input: R,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    place: Place,
    /// Bytes taken since the beginning.
    taken: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            at: 0,
            end: 0,
            place: Place { line: 1, column: 1 },
            taken: 0,
        }
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    pub(super) fn is_at_start_of_line(&self) -> bool {
        self.place.column == 1
    }

    /// The next byte, which stays; `None` at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.end {
            self.fill()?;
        }
        Ok(self.buffer[..self.end].get(self.at).copied())
    }

    #[cold]
    fn fill(&mut self) -> io::Result<()> {
        (self.at, self.end) = (0, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(count) => {
                    self.end = count;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Goes past the byte that was peeked at.
    #[inline]
    pub(super) fn advance(&mut self) {
        let byte = self.buffer[self.at];
        self.at += 1;
        self.taken += 1;
        if byte == b'\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else if byte & 0xC0 != 0x80 {
            // The bytes that continue a character of UTF-8 are no columns of their own.
            self.place.column += 1;
        }
    }

    /// Takes the next byte.
    #[inline]
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if byte.is_some() {
            self.advance();
        }
        Ok(byte)
    }

    /// Skips the rest of the line, its end included.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        while let Some(byte) = self.next()? {
            if byte == b'\n' {
                break;
            }
        }
        Ok(())
    }
}

/// Text in UTF-8 or, failing that, in the Latin alphabet that the standard asks for (ISO 8859-1).
pub(super) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
