//! Layer 5: analysis of played games. Like every layer below the top one it prints nothing;
//! `damero analyse` reads and writes the files.
//!
//! An [`Analyst`] gives each position of a game an [`Evaluation`], from which a [`GameReview`]
//! judges the moves. [`annotate()`], [`PlayerStats`] and [`chart()`] turn a review into PGN
//! annotations, statistics and a picture.

mod analyst;
mod annotate;
mod chart;
mod evaluation;
mod judge;
mod player_stats;
mod review;

pub use analyst::{Analyst, stretches};
pub use annotate::{OpeningName, annotate};
pub use chart::chart;
pub use evaluation::Evaluation;
pub use judge::{Judgement, MateNote, Verdict, judge};
pub use player_stats::PlayerStats;
pub use review::GameReview;
