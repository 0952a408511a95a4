//! The tables that were found in folders.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::flaw::Flaw;
use super::material::Material;
use super::table::{Kind, Table};

/// Why there are no tables, or fewer than there could be.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder cannot be listed.
    #[error("the folder {} cannot be read: {error}", path.display())]
    Folder {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not used.
    #[error("{} is not used: {flaw}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// There is not a single table of results.
    #[error("no Syzygy tables in {path:?}{}", first(problems))]
    Nothing {
        /// Where they were looked for.
        path: String,
        /// What was found instead.
        problems: Vec<TablebaseError>,
    },
}

/// The first of several problems, as the end of a message.
fn first(problems: &[TablebaseError]) -> String {
    match problems {
        [] => String::new(),
        [only] => format!(": {only}"),
        [first, rest @ ..] => format!(": {first}; and {} more problems", rest.len()),
    }
}

/// Tables of one kind, found by their material.
#[derive(Default)]
pub(super) struct Shelf {
    tables: Vec<Table>,
    places: HashMap<Material, usize>,
}

impl Shelf {
    /// Adds a file. The first one of a material counts.
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

    /// Men in the largest table.
    pub(super) fn most_men(&self) -> usize {
        self.tables.iter().map(|table| table.material.men()).max().unwrap_or(0)
    }
}

/// What the folders of a path hold: tables of results, of distances, and problems.
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

/// The files in a folder that are named like tables, in the order of their names.
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
