//! Buffered byte source for PGN that tracks line and column. Start at [`Source`].

use std::io::{self, Read};

const BUFFER: usize = 1 << 16;

/// A place in a file; both numbers start at 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// The line number.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

/// Buffered input. Columns are computed on demand from the start of the line.
pub(crate) struct Source<R> {
    input: R,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// Number of bytes before the buffer.
    before_buffer: u64,
    line: u64,
    /// Offset of the start of the line, in bytes.
    line_start: u64,
    /// UTF-8 continuation bytes in the line so far; they do not count as columns.
    continuations: u64,
    /// The read error, if any. Until taken it looks like the end of the input.
    error: Option<io::Error>,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(input: R) -> Self {
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
    pub(crate) fn place(&self) -> LineColumn {
        let column = self.taken() - self.line_start - self.continuations + 1;
        LineColumn { line: self.line, column }
    }

    /// Returns the number of bytes consumed.
    #[inline]
    pub(crate) fn taken(&self) -> u64 {
        self.before_buffer + self.at as u64
    }

    #[inline]
    pub(crate) fn is_at_start_of_line(&self) -> bool {
        self.taken() == self.line_start
    }

    /// Takes the read error that ended the input, if there was one.
    pub(crate) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Returns the next byte without consuming it; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
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

    /// Consumes the byte that [`Self::peek`] returned.
    #[inline]
    pub(crate) fn advance(&mut self) {
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

    /// Moves the leading bytes that satisfy `belongs` to `run`, up to the end of the buffer.
    /// Returns whether the run may continue in the next buffer.
    #[inline]
    pub(crate) fn take_run(&mut self, run: &mut Vec<u8>, belongs: impl Fn(u8) -> bool) -> bool {
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

    /// Consumes a word of bytes in `belongs`, all of which must be ASCII and not line breaks.
    /// Usually returns a slice of the buffer. A word that reaches the end of the buffer is copied
    /// to `spill`, and cut off once it is longer than `most` bytes.
    #[inline]
    pub(crate) fn take_word<'a>(
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

    /// Skips the rest of the line, including the line break.
    pub(crate) fn skip_line(&mut self) {
        while let Some(byte) = self.peek() {
            self.advance();
            if byte == b'\n' {
                break;
            }
        }
    }
}

/// Decodes UTF-8 or, if that fails, ISO 8859-1, the standard's character set.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
