//! EPD: a position with operations, one per line. Start at [`Epd::parse`].
//!
//! The four position fields may be followed by the two FEN counters, as many files have them.

use thiserror::Error;

use crate::board::{Board, FenError};

/// A position with operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub board: Board,
    /// The operations, in order: an opcode and its operands, without quotation marks.
    pub operations: Vec<(String, Vec<String>)>,
}

/// Why a line is not EPD.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EpdError {
    /// The position is malformed.
    #[error("{0}")]
    Position(#[from] FenError),
    /// An operation does not end with a semicolon.
    #[error("column {column}: expected ';' at the end of the operation {opcode:?}")]
    Semicolon {
        /// Column of the opcode, from 1.
        column: usize,
        /// The opcode.
        opcode: String,
    },
    /// An operand begins with a quotation mark and does not end with one.
    #[error("column {0}: the quotation mark is not closed")]
    Quote(usize),
}

/// A word of an operation, with its column from 0.
struct Word {
    column: usize,
    text: String,
}

impl Epd {
    /// Parses a line.
    ///
    /// # Errors
    /// Returns an [`EpdError`] with the column of the mistake.
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        let (mut rest, mut fields) = (line.trim_start(), Vec::new());
        let mut take = |count: usize, accepts: fn(&str) -> bool| {
            for _ in 0..count {
                let end = rest.find(|it: char| it.is_ascii_whitespace()).unwrap_or(rest.len());
                if end == 0 || !accepts(&rest[..end]) {
                    return;
                }
                fields.push(&rest[..end]);
                rest = rest[end..].trim_start();
            }
        };
        take(4, |_| true);
        take(2, |field| field.parse::<u16>().is_ok());
        let board = Board::from_fen(&fields.join(" "))?;
        let operations = operations(rest, line.len() - rest.len())?;
        Ok(Self { board, operations })
    }

    /// Returns the operands of the first operation `opcode`.
    #[must_use]
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|(code, _)| code == opcode);
        operation.map(|(_, operands)| operands.as_slice())
    }

    /// Returns the first operand of the operation `opcode`.
    #[must_use]
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }
}

/// Parses the operations in `text`, which begins at column `offset` of its line.
fn operations(text: &str, offset: usize) -> Result<Vec<(String, Vec<String>)>, EpdError> {
    let (mut operations, mut words) = (Vec::new(), Vec::<Word>::new());
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            ';' => {
                let mut texts = words.drain(..).map(|word| word.text);
                if let Some(opcode) = texts.next() {
                    operations.push((opcode, texts.collect()));
                }
            }
            '"' => {
                let end = text[at + 1..].find('"').ok_or(EpdError::Quote(offset + at + 1))?;
                let quoted = &text[at + 1..at + 1 + end];
                words.push(Word { column: offset + at, text: quoted.to_owned() });
                while chars.next_if(|&(next, _)| next <= at + 1 + end).is_some() {}
            }
            _ if char.is_whitespace() => {}
            _ => {
                let is_end = |char: char| char.is_whitespace() || char == ';';
                let end = text[at..].find(is_end).map_or(text.len(), |length| at + length);
                words.push(Word { column: offset + at, text: text[at..end].to_owned() });
                while chars.next_if(|&(next, _)| next < end).is_some() {}
            }
        }
    }
    match words.into_iter().next() {
        None => Ok(operations),
        Some(word) => Err(EpdError::Semicolon { column: word.column + 1, opcode: word.text }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn operations_are_read() {
        let line = format!("{START} bm e4 d4; id \"a; b\";ce -12 ;noop; ");
        let epd = Epd::parse(&line).unwrap();
        assert_eq!(epd.board, Board::starting_position());
        assert_eq!(epd.operands("bm").unwrap(), ["e4", "d4"]);
        assert_eq!((epd.operand("id"), epd.operand("ce")), (Some("a; b"), Some("-12")));
        assert_eq!(epd.operands("noop").unwrap(), <[String; 0]>::default());
        assert_eq!(epd.operands("am"), None);
    }

    #[test]
    fn counters_of_fen_are_accepted() {
        let epd = Epd::parse("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40 acd 7;").unwrap();
        assert_eq!(epd.board.to_fen(), "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40");
        assert_eq!(epd.operand("acd"), Some("7"));
        assert!(Epd::parse("4k3/8/8/8/8/8/4P3/4K3 b - -").unwrap().operations.is_empty());
    }

    #[test]
    fn mistakes_are_located() {
        let mistake = |tail: &str| Epd::parse(&format!("{START} {tail}")).unwrap_err().to_string();
        assert_eq!(mistake("bm e4"), "column 54: expected ';' at the end of the operation \"bm\"");
        assert_eq!(mistake("c0 \"abc;"), "column 57: the quotation mark is not closed");
        assert!(Epd::parse("nonsense").unwrap_err().to_string().contains("expected 4 to 6 fields"));
        assert!(Epd::parse("").is_err());
    }
}
