//! Tablebase arguments, shared by the commands that search.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;

use crate::cli::Failure;
use crate::tablebase::Tables;

/// Location of the tablebases
#[derive(Args)]
pub(crate) struct EndgameArguments {
    /// Folders of Syzygy tablebases, separated by : (; on Windows)
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

impl EndgameArguments {
    /// Opens the tablebases, if any, and reports on standard error what was found and what is
    /// unusable.
    pub(crate) fn open(&self) -> Result<Option<Arc<Tables>>, Failure> {
        let Some(folders) = &self.syzygy else { return Ok(None) };
        let tables =
            Tables::open(folders).map_err(|error| Failure::Input(format!("--syzygy: {error}")))?;
        for line in tables.report() {
            // A report that cannot be written is not an error.
            let _ = writeln!(io::stderr(), "Syzygy: {line}");
        }
        Ok(Some(Arc::new(tables)))
    }
}
