//! Endgame tables, for the commands that search.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;

use super::Failure;
use crate::tablebase::Tables;

/// Where the tables are.
#[derive(Args)]
pub(super) struct EndgameArguments {
    /// Folders of Syzygy endgame tables, separated by : (by ; on Windows)
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

impl EndgameArguments {
    /// Opens the tables, and tells on standard error what is found, and what cannot be used.
    pub(super) fn open(&self) -> Result<Option<Arc<Tables>>, Failure> {
        let Some(folders) = &self.syzygy else { return Ok(None) };
        let tables =
            Tables::open(folders).map_err(|error| Failure::Input(format!("--syzygy: {error}")))?;
        for line in tables.report() {
            // A remark that cannot be written is no reason to stop.
            let _ = writeln!(io::stderr(), "Syzygy: {line}");
        }
        Ok(Some(Arc::new(tables)))
    }
}
