//! Table discovery, and lookup by material. Start at [`search_folders`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::flaw::Flaw;
use super::material::Material;
use super::table::{Kind, Table};

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
    #[error("skipping {}: {flaw}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        flaw: Flaw,
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

/// Tables of one kind, WDL or DTZ, by material.
#[derive(Default)]
pub(super) struct Shelf {
    tables: Vec<Table>,
    places: HashMap<Material, usize>,
}

impl Shelf {
    /// Adds a file, unless there already is a table for `material`.
    fn add(&mut self, path: &Path, material: Material, kind: Kind) -> Result<(), Flaw> {
        if self.places.contains_key(&material) {
            return Ok(());
        }
        let table = Table::open(path, material, kind)?;
        for side in [material, material.flipped()] {
            self.places.insert(side, self.tables.len());
        }
        self.tables.push(table);
        Ok(())
    }

    pub(super) fn get(&self, material: Material) -> Option<&Table> {
        self.tables.get(*self.places.get(&material)?)
    }

    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// Returns the number of men in the largest table.
    pub(super) fn most_men(&self) -> usize {
        self.tables.iter().map(|table| table.material.men()).max().unwrap_or(0)
    }
}

/// Opens the tables in the folders of `path`; returns the WDL tables, the DTZ tables and the
/// problems.
pub(super) fn search_folders(path: &str) -> (Shelf, Shelf, Vec<TablebaseError>) {
    let (mut wdl, mut dtz, mut problems) = (Shelf::default(), Shelf::default(), Vec::new());
    for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
        let files = match list(&folder) {
            Ok(files) => files,
            Err(error) => {
                problems.push(TablebaseError::Folder { path: folder, error });
                continue;
            }
        };
        for (path, material, kind) in files {
            let shelf = match kind {
                Kind::Wdl => &mut wdl,
                Kind::Dtz => &mut dtz,
            };
            if let Err(flaw) = shelf.add(&path, material, kind) {
                problems.push(TablebaseError::File { path, flaw });
            }
        }
    }
    (wdl, dtz, problems)
}

/// Returns the files in `folder` that are named like tables, sorted by path.
fn list(folder: &Path) -> io::Result<Vec<(PathBuf, Material, Kind)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let kind = [Kind::Wdl, Kind::Dtz]
            .into_iter()
            .find(|kind| path.extension().is_some_and(|end| end == kind.extension()));
        let material = path.file_stem().and_then(|stem| Material::parse(stem.to_str()?));
        if let (Some(kind), Some(material)) = (kind, material) {
            files.push((path, material, kind));
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(files)
}
