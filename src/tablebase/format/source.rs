//! On-demand reads from a table file. Start at [`Source::bytes`].
//!
//! Memory mapping would be a little faster, but the process dies if the file is truncated while
//! mapped; here a failed read yields `None`. Small tables that the search probes often are loaded
//! whole at the first probe. For all others each probe reads only the bytes it needs and relies on
//! the system's file cache. No file is kept open before its first probe, because systems limit the
//! number of open files.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Files up to this size may be loaded whole: all four-man and most five-man tables.
const SMALL: u64 = 16 << 20;

pub(crate) struct Source {
    path: PathBuf,
    length: u64,
    /// Whether the file is probed often enough to be kept in memory.
    often: bool,
    content: OnceLock<Option<Content>>,
}

enum Content {
    Memory(Vec<u8>),
    File(File),
}

impl Source {
    pub(crate) fn new(path: PathBuf, length: u64, often: bool) -> Self {
        Self { path, length, often, content: OnceLock::new() }
    }

    fn content(&self) -> Option<&Content> {
        self.content
            .get_or_init(|| {
                let whole = self.often && self.length <= SMALL || cfg!(not(any(unix, windows)));
                let content = if whole {
                    fs::read(&self.path).map(Content::Memory)
                } else {
                    File::open(&self.path).map(Content::File)
                };
                content.ok()
            })
            .as_ref()
    }

    /// Reads `length` bytes at offset `at`.
    pub(crate) fn bytes(&self, at: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        match self.content()? {
            Content::Memory(bytes) => {
                let start = usize::try_from(at).ok()?;
                bytes.get(start..start.checked_add(length)?).map(Cow::Borrowed)
            }
            Content::File(file) => {
                let mut buffer = vec![0; length];
                read_at(file, &mut buffer, at).ok()?;
                Some(Cow::Owned(buffer))
            }
        }
    }

    /// Reads `N` bytes at offset `at`, without allocating.
    pub(crate) fn array<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        match self.content()? {
            Content::Memory(_) => self.bytes(at, N)?.as_ref().try_into().ok(),
            Content::File(file) => {
                let mut buffer = [0; N];
                read_at(file, &mut buffer, at).ok()?;
                Some(buffer)
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        match file.seek_read(buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}

/// Never reached: without positioned reads, files are loaded whole.
#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
