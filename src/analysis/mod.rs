//! Floor 5: what the engine has to say about games that were played. Silent, as all floors below
//! the top: `damero analyse` reads the files and writes them.
//!
//! An [`Analyst`] gives every position of a game an [`Evaluation`]; from these a [`Study`] judges the
//! moves. The rest puts a study into words, numbers and a picture: [`annotate`], [`Tally`], [`chart`].

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
