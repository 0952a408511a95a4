//! Output files: atomic writes, and checks against overwriting other files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a regular file atomically: to a temporary file beside it, which is then renamed.
pub(super) fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Returns an error if `path` is an existing regular file, unless `force` is set.
pub(super) fn refuse_existing(path: &Path, force: bool) -> Result<(), super::Failure> {
    if path.exists() && !force && is_plain(path) {
        let text = format!("{} exists; use --force to overwrite it", path.display());
        return Err(super::Failure::Input(text));
    }
    Ok(())
}

/// Returns an error if `output` is one of `inputs`, even with `--force`: the input would be
/// truncated while being read, or replaced by what was made from it.
pub(super) fn refuse_input<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), super::Failure> {
    match inputs.into_iter().find(|input| is_same_file(output, input)) {
        None => Ok(()),
        Some(input) => Err(super::Failure::Input(format!(
            "{} is an input file; choose another output with --out",
            input.display()
        ))),
    }
}

/// Returns whether both paths name the same file, even if it does not exist yet.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    match (whole_name(one), whole_name(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Returns the canonical path; for a missing file, its name in the canonical folder.
fn whole_name(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    })
}

fn is_plain(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file())
}

/// A file that appears at its path only when finished; until then any old file stays.
pub(super) struct AtomicFile {
    output: BufWriter<File>,
    /// Temporary and final path; `None` for a device or pipe, and once finished.
    parts: Option<(PathBuf, PathBuf)>,
}

impl AtomicFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path.exists() && !is_plain(path) {
            // A device or a pipe cannot be replaced, only written to.
            let file = File::options().write(true).open(path)?;
            return Ok(Self { output: BufWriter::new(file), parts: None });
        }
        // Replace the target of a symbolic link, not the link.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut part_name = std::ffi::OsString::from(".");
        part_name.push(name);
        part_name.push(format!(".{}.part", std::process::id()));
        let part = place.with_file_name(part_name);
        let output = BufWriter::new(File::create(&part)?);
        Ok(Self { output, parts: Some((part, place)) })
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.output.flush()?;
        if let Some((part, place)) = &self.parts {
            fs::rename(part, place)?;
            self.parts = None;
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.parts {
            // An unfinished file is useless, but leaving it behind does no harm.
            let _ = fs::remove_file(part);
        }
    }
}
