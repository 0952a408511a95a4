//! Layer 3: Syzygy endgame tablebases (Ronald de Man's format). Start at [`Tables`].
//!
//! This is Damero's own reader because the existing crates do not fit. `pyrrhic-rs` 0.2.0 is
//! translated C: its state is in mutable statics, so there is one set of tables per process; it
//! uses offsets from the file unchecked, so a damaged table reads or writes out of bounds; a wrong
//! comparison makes it treat every table as present; it prints to standard output; and it probes
//! DTZ only while no second thread has a handle. `shakmaty-syzygy` is under the GPL. This reader
//! has no unsafe code and no global state: [`Tables`] is immutable and shared between threads,
//! every file access is bounds-checked, and a failed read yields `None`.
//!
//! The module knows nothing about the search, which decides how to use a result. WDL tables
//! (`.rtbw`) are probed in the tree, DTZ tables (`.rtbz`) at the root.

mod error;
mod format;
mod material;
mod probe;
mod root;
mod table_set;
mod wdl;

pub use error::{TableError, TablebaseError};
pub use root::{RankedMove, Ranking};
pub use wdl::Wdl;

use table_set::TableSet;

/// The tables of one or more folders, shareable between threads.
///
/// ```no_run
/// use damero::board::Board;
/// use damero::tablebase::{Tables, Wdl};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tables = Tables::open("/home/me/syzygy")?;
/// let board = Board::from_fen("8/8/8/8/8/4k3/8/KQ6 w - - 0 1")?;
/// assert_eq!(tables.probe_wdl(&board), Some(Wdl::Win));
/// # Ok(())
/// # }
/// ```
pub struct Tables {
    wdl: TableSet,
    dtz: TableSet,
    most_men: usize,
    problems: Vec<TablebaseError>,
}

impl Tables {
    /// Opens the tables in `path`: one or more folders, separated by `:` (`;` on Windows). Unusable
    /// files are skipped; [`Self::problems`] lists them.
    ///
    /// # Errors
    /// Returns an error if no WDL table can be opened.
    pub fn open(path: &str) -> Result<Self, TablebaseError> {
        let (wdl, dtz, problems) = table_set::search_folders(path);
        if wdl.len() == 0 {
            return Err(TablebaseError::Nothing { path: path.to_owned(), problems });
        }
        Ok(Self { most_men: wdl.most_men(), wdl, dtz, problems })
    }

    /// Returns the number of men, kings included, in the largest WDL table.
    #[must_use]
    pub fn max_men(&self) -> usize {
        self.most_men
    }

    /// Returns the number of WDL and of DTZ tables.
    #[must_use]
    pub fn count(&self) -> [usize; 2] {
        [self.wdl.len(), self.dtz.len()]
    }

    /// Returns a human-readable summary: the number of tables and the first few problems.
    #[must_use]
    pub fn report(&self) -> Vec<String> {
        const SHOWN: usize = 5;
        let ([results, distances], men) = (self.count(), self.max_men());
        let mut lines = vec![format!("{results} WDL and {distances} DTZ tables, up to {men} men")];
        lines.extend(self.problems.iter().take(SHOWN).map(ToString::to_string));
        if let Some(more) = self.problems.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            lines.push(format!("and {more} more"));
        }
        lines
    }

    /// Returns the folders and files that could not be used.
    #[must_use]
    pub fn problems(&self) -> &[TablebaseError] {
        &self.problems
    }
}

/// Probe settings: when to probe, and whether the fifty-move rule counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeRules {
    /// Maximum number of men, kings included; 0 disables probing.
    pub limit: usize,
    /// Minimum remaining depth, in plies, for positions with the maximum number of men. Smaller
    /// ones are probed at any depth.
    pub depth: i32,
    /// Whether the fifty-move rule applies: cursed wins and blessed losses then count as draws.
    pub fifty_move_rule: bool,
}

impl Default for ProbeRules {
    fn default() -> Self {
        Self { limit: material::MOST_MEN, depth: 1, fifty_move_rule: true }
    }
}
