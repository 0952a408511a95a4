//! Floor 3: endgame tables in Ronald de Man's Syzygy format, as a number for a position.
//!
//! This is our own reader of the format. The crates that were looked at do not serve. `pyrrhic-rs`
//! 0.2.0 is a translation of C: its state is in mutable statics, one set of tables for a process; it
//! follows numbers from the file without looking, so that a damaged table reads or writes anywhere;
//! it takes every table for present because of a mistaken comparison; it prints to standard output;
//! and it probes distances only while no second thread has a handle. `shakmaty-syzygy` is under the
//! GPL. Here there is no unsafe code and no global state: [`Tables`] is an immutable value that
//! threads share, every place in a file is checked before it is read, and whatever cannot be read is
//! `None`.
//!
//! It knows about positions and nothing about the search: what to do with an answer is decided
//! there. Tables of results (`.rtbw`) serve in the tree, tables of distances (`.rtbz`) at the root.

mod flaw;
mod index;
mod material;
mod pairs;
mod probe;
mod reader;
mod root;
mod shelf;
mod source;
mod table;
mod wdl;

pub use flaw::Flaw;
pub use root::{RankedMove, Ranking};
pub use shelf::TablebaseError;
pub use wdl::Wdl;

use shelf::Shelf;

/// The tables of some folders, to be shared between threads.
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
    wdl: Shelf,
    dtz: Shelf,
    most_men: usize,
    problems: Vec<TablebaseError>,
}

impl Tables {
    /// Opens the tables of one or more folders, separated as the system separates paths: by `:`, on
    /// Windows by `;`. Files that cannot be used are left out; [`Self::problems`] tells why.
    ///
    /// # Errors
    /// If there is not a single table of results.
    pub fn open(path: &str) -> Result<Self, TablebaseError> {
        let (wdl, dtz, problems) = shelf::search_folders(path);
        if wdl.len() == 0 {
            return Err(TablebaseError::Nothing { path: path.to_owned(), problems });
        }
        Ok(Self { most_men: wdl.most_men(), wdl, dtz, problems })
    }

    /// How many men the largest table of results has, kings included.
    #[must_use]
    pub fn max_men(&self) -> usize {
        self.most_men
    }

    /// How many tables of results, and of distances, there are.
    #[must_use]
    pub fn count(&self) -> [usize; 2] {
        [self.wdl.len(), self.dtz.len()]
    }

    /// How many tables there are, and what is wrong with the first few of those that are not used:
    /// lines for people.
    #[must_use]
    pub fn report(&self) -> Vec<String> {
        const SHOWN: usize = 5;
        let ([results, distances], men) = (self.count(), self.max_men());
        let mut lines = vec![format!("{results} WDL and {distances} DTZ tables, up to {men} men")];
        lines.extend(self.problems.iter().take(SHOWN).map(ToString::to_string));
        if let Some(more) = self.problems.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            lines.push(format!("and {more} more problems"));
        }
        lines
    }

    /// What could not be used.
    #[must_use]
    pub fn problems(&self) -> &[TablebaseError] {
        &self.problems
    }
}

/// When tables are asked, and how they are understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeRules {
    /// The most men; 0 for never.
    pub limit: usize,
    /// With as many men as are possible, only this many plies above the leaves or more.
    pub depth: i32,
    /// Are positions drawn that are won but for the fifty-move rule?
    pub fifty_move_rule: bool,
}

impl Default for ProbeRules {
    fn default() -> Self {
        Self { limit: material::MOST_MEN, depth: 1, fifty_move_rule: true }
    }
}
