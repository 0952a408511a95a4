//! Files that people keep: written whole or not at all.

use std::path::Path;
use std::{fs, io};

/// Writes a file beside the old one and then puts it in its place: it is never half written.
pub(super) fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}
