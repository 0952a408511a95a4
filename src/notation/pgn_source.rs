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

/// Bytes that are read from somewhere. A column is worked out only when somebody asks: what is kept
/// is where the line began.
pub(super) struct Source<R> {
    input: R,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// Bytes taken before those in the buffer.
    before_buffer: u64,
    line: u64,
    /// Bytes taken when the line began.
    line_start: u64,
    /// Bytes of the line that continue a character of UTF-8 and so are no columns of their own.
    continuations: u64,
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
            before_buffer: 0,
            line: 1,
            line_start: 0,
            continuations: 0,
            error: None,
        }
    }

    #[inline]
    pub(super) fn place(&self) -> Place {
        let column = self.taken() - self.line_start - self.continuations + 1;
        Place { line: self.line, column }
    }

    /// Bytes taken since the beginning.
    #[inline]
    pub(super) fn taken(&self) -> u64 {
        self.before_buffer + self.at as u64
    }

    #[inline]
    pub(super) fn is_at_start_of_line(&self) -> bool {
        self.taken() == self.line_start
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
        self.before_buffer += self.end as u64;
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
        if byte == b'\n' {
            self.line += 1;
            self.line_start = self.taken();
            self.continuations = 0;
        } else if byte & 0xC0 == 0x80 {
            self.continuations += 1;
        }
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
            self.at += length;
        } else {
            for _ in 0..length {
                self.advance();
            }
        }
        goes_on
    }

    /// Takes the bytes of a word, all of one column each. As a rule they are in the buffer and stay
    /// there; a word that goes on behind it is put together in `spill`, but cut when that is longer
    /// than `most`.
    #[inline]
    pub(super) fn take_word<'a>(
        &'a mut self,
        spill: &'a mut Vec<u8>,
        belongs: &[bool; 256],
        most: usize,
    ) -> &'a [u8] {
        let start = self.at;
        while let Some(&byte) = self.buffer[..self.end].get(self.at) {
            if !belongs[usize::from(byte)] {
                return &self.buffer[start..self.at];
            }
            self.at += 1;
        }
        spill.clear();
        spill.extend_from_slice(&self.buffer[start..self.end]);
        while let Some(byte) = self.peek().filter(|&byte| belongs[usize::from(byte)])
            && spill.len() <= most
        {
            spill.push(byte);
            self.at += 1;
        }
        spill
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
