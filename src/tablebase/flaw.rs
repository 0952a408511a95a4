//! Errors in table files.

use std::io;

use thiserror::Error;

/// Why a table file is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// Wrong magic number.
    #[error("this is no Syzygy table of the kind that its name says")]
    Mark,
    /// The file is truncated.
    #[error("the file is cut off")]
    CutOff,
    /// I/O error.
    #[error("the file cannot be read ({0})")]
    Unreadable(io::ErrorKind),
    /// The flags contradict the file name.
    #[error("damaged: the flags do not fit the name")]
    Flags,
    /// The piece list is invalid or contradicts the file name.
    #[error("damaged: the pieces are not those of the name")]
    Pieces,
    /// Invalid group order.
    #[error("damaged: the order of the pieces makes no sense")]
    Order,
    /// Invalid code lengths.
    #[error("damaged: the lengths of the codes make no sense")]
    Codes,
    /// Invalid block size, index span or block count.
    #[error("damaged: the sizes of the blocks make no sense")]
    Blocks,
    /// Invalid symbol table or constant value.
    #[error("damaged: the symbols make no sense")]
    Symbols,
    /// The file size differs from the sum of its sections.
    #[error("damaged or cut off: it has {found} bytes instead of {expected}")]
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
