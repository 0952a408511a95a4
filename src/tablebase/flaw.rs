//! Errors in table files.

use std::io;

use thiserror::Error;

/// Why a table file is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// Wrong magic number.
    #[error("not a Syzygy table of the type its name implies")]
    Mark,
    /// The file is truncated.
    #[error("the file is truncated")]
    CutOff,
    /// I/O error.
    #[error("cannot read the file: {0}")]
    Unreadable(io::ErrorKind),
    /// The flags contradict the file name.
    #[error("damaged: flags do not match the file name")]
    Flags,
    /// The piece list is invalid or contradicts the file name.
    #[error("damaged: pieces do not match the file name")]
    Pieces,
    /// Invalid group order.
    #[error("damaged: invalid group order")]
    Order,
    /// Invalid code lengths.
    #[error("damaged: invalid code lengths")]
    Codes,
    /// Invalid block size, index span or block count.
    #[error("damaged: invalid block layout")]
    Blocks,
    /// Invalid symbol table or constant value.
    #[error("damaged: invalid symbols")]
    Symbols,
    /// The file size differs from the sum of its sections.
    #[error("damaged or truncated: {found} bytes, expected {expected}")]
    Length {
        /// Size implied by the headers, in bytes.
        expected: u64,
        /// Actual size, in bytes.
        found: u64,
    },
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutOff,
            kind => Self::Unreadable(kind),
        }
    }
}
