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

impl Place {
    /// Goes on by a byte.
    #[inline]
    fn pass(&mut self, byte: u8) {
        if byte == b'\n' {
            *self = Self { line: self.line + 1, column: 1 };
        } else if byte & 0xC0 != 0x80 {
            // The bytes that continue a character of UTF-8 are no columns of their own.
            self.column += 1;
        }
    }
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
    /// Why no more could be read; it looks like the end until somebody asks.
    error: Option<io::Error>,
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
            error: None,
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

    /// Why the bytes ended, if it was not the end of the input.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// The next byte, which stays; `None` at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        if self.at == self.end {
            self.fill();
        }
        self.buffer[..self.end].get(self.at).copied()
    }

    #[cold]
    fn fill(&mut self) {
        (self.at, self.end) = (0, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(count) => self.end = count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => self.error = Some(error),
            }
            return;
        }
    }

    /// Goes past the byte that was peeked at.
    #[inline]
    pub(super) fn advance(&mut self) {
        let byte = self.buffer[self.at];
        self.at += 1;
        self.taken += 1;
        self.place.pass(byte);
    }

    /// Takes the bytes that belong to a run, as far as the buffer goes. Returns whether the run may
    /// go on behind it.
    #[inline]
    pub(super) fn take_run(&mut self, run: &mut Vec<u8>, belongs: impl Fn(u8) -> bool) -> bool {
        if self.peek().is_none() {
            return false;
        }
        let bytes = &self.buffer[self.at..self.end];
        let length = bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len());
        let (taken, goes_on) = (&bytes[..length], length == bytes.len());
        run.extend_from_slice(taken);
        if taken.iter().all(|byte| (b' '..0x80).contains(byte)) {
            self.place.column += length as u64;
        } else {
            for &byte in taken {
                self.place.pass(byte);
            }
        }
        self.at += length;
        self.taken += length as u64;
        goes_on
    }

    /// Like [`Self::take_run`], for bytes that are all of one column: a table is faster to ask.
    #[inline]
    pub(super) fn take_word(&mut self, word: &mut Vec<u8>, belongs: &[bool; 256]) -> bool {
        if self.peek().is_none() {
            return false;
        }
        let bytes = &self.buffer[self.at..self.end];
        let mut length = 0;
        for &byte in bytes {
            if !belongs[usize::from(byte)] {
                break;
            }
            word.push(byte);
            length += 1;
        }
        let goes_on = length == bytes.len();
        self.at += length;
        self.taken += length as u64;
        self.place.column += length as u64;
        goes_on
    }

    /// Skips the rest of the line, its end included.
    pub(super) fn skip_line(&mut self) {
        while let Some(byte) = self.peek() {
            self.advance();
            if byte == b'\n' {
                break;
            }
        }
    }
}

/// Text in UTF-8 or, failing that, in the Latin alphabet that the standard asks for (ISO 8859-1).
pub(super) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
