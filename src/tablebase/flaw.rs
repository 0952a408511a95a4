//! What can be wrong with a table's file.

use std::io;

use thiserror::Error;

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// It does not begin as a table does.
    #[error("this is no Syzygy table of the kind that its name says")]
    Mark,
    /// It ends too early.
    #[error("the file is cut off")]
    CutOff,
    /// It cannot be read.
    #[error("the file cannot be read ({0})")]
    Unreadable(io::ErrorKind),
    /// Flags do not fit.
    #[error("damaged: the flags do not fit the name")]
    Flags,
    /// Other pieces.
    #[error("damaged: the pieces are not those of the name")]
    Pieces,
    /// An order that cannot be.
    #[error("damaged: the order of the pieces makes no sense")]
    Order,
    /// Code lengths that cannot be.
    #[error("damaged: the lengths of the codes make no sense")]
    Codes,
    /// Block sizes that cannot be.
    #[error("damaged: the sizes of the blocks make no sense")]
    Blocks,
    /// Symbols that cannot be.
    #[error("damaged: the symbols make no sense")]
    Symbols,
    /// Not as long as its parts together.
    #[error("damaged or cut off: it has {found} bytes instead of {expected}")]
    Length {
        /// What its parts add up to.
        expected: u64,
        /// What it has.
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
