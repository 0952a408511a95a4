//! Table discovery, and lookup by material. Start at [`search_folders`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::tablebase::error::{TableError, TablebaseError};
use crate::tablebase::format::table::{Kind, Table};
use crate::tablebase::material::Material;

/// Tables of one kind, WDL or DTZ, by material.
#[derive(Default)]
pub(crate) struct TableSet {
    tables: Vec<Table>,
    by_material: HashMap<Material, usize>,
}

impl TableSet {
    /// Adds a file, unless there already is a table for `material`.
    fn add(&mut self, path: &Path, material: Material, kind: Kind) -> Result<(), TableError> {
        if self.by_material.contains_key(&material) {
            return Ok(());
        }
        let table = Table::open(path, material, kind)?;
        for side in [material, material.flipped()] {
            self.by_material.insert(side, self.tables.len());
        }
        self.tables.push(table);
        Ok(())
    }

    pub(crate) fn get(&self, material: Material) -> Option<&Table> {
        self.tables.get(*self.by_material.get(&material)?)
    }

    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    /// Returns the number of men in the largest table.
    pub(crate) fn most_men(&self) -> usize {
        self.tables.iter().map(|table| table.material.men()).max().unwrap_or(0)
    }
}

/// Opens the tables in the folders of `path`; returns the WDL tables, the DTZ tables and the
/// problems.
pub(crate) fn search_folders(path: &str) -> (TableSet, TableSet, Vec<TablebaseError>) {
    let (mut wdl, mut dtz, mut problems) = (TableSet::default(), TableSet::default(), Vec::new());
    for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
        let files = match list(&folder) {
            Ok(files) => files,
            Err(error) => {
                problems.push(TablebaseError::Folder { path: folder, error });
                continue;
            }
        };
        for (path, material, kind) in files {
            let set = match kind {
                Kind::Wdl => &mut wdl,
                Kind::Dtz => &mut dtz,
            };
            if let Err(error) = set.add(&path, material, kind) {
                problems.push(TablebaseError::File { path, error });
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
