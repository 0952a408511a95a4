//! Layer 5: analysis of played games. Like every layer below the top one it prints nothing;
//! `damero analyse` reads and writes the files.
//!
//! An [`Analyst`] gives each position of a game an [`Evaluation`], from which a [`Study`] judges
//! the moves. [`annotate()`], [`Tally`] and [`chart()`] turn a study into PGN annotations,
//! statistics and a picture.

mod analyst;
mod annotate;
mod chart;
mod evaluation;
mod judge;
mod study;
mod tally;

pub use analyst::{Analyst, stretches};
pub use annotate::{OpeningName, annotate};
pub use chart::chart;
pub use evaluation::Evaluation;
pub use judge::{Judgement, MateNote, Verdict, judge};
pub use study::Study;
pub use tally::Tally;
