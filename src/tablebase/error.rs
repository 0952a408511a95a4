//! Errors of tablebases: folders and files that cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a table file is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TableError {
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

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutOff,
            kind => Self::Unreadable(kind),
        }
    }
}

/// Why tables are missing or skipped.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder could not be listed.
    #[error("cannot read folder {}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The I/O error.
        error: io::Error,
    },
    /// A file was skipped.
    #[error("skipping {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: TableError,
    },
    /// No WDL table could be opened.
    #[error("no Syzygy tables in {path:?}{}", first(problems))]
    Nothing {
        /// The folders searched.
        path: String,
        /// Folders and files that could not be used.
        problems: Vec<TablebaseError>,
    },
}

/// Formats the first of several problems as the end of a message.
fn first(problems: &[TablebaseError]) -> String {
    match problems {
        [] => String::new(),
        [only] => format!(": {only}"),
        [first, rest @ ..] => format!(": {first}; and {} more", rest.len()),
    }
}
