//! Files that people keep: written whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Writes a file beside the old one and then puts it in its place: it is never half written.
pub(super) fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = part_file(path);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // What could not be put in its place is of no use; if it stays, that does no harm.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Where a file is written until it is whole: beside its place.
pub(super) fn part_file(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    beside.into()
}
