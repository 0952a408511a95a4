//! Layer 5: self-play data and evaluation tuning. Like every layer below the top, it prints
//! nothing. Start at [`SelfPlay`] and [`Tuner`].
//!
//! `damero datagen` plays games and stores them whole; `damero tune` fits the evaluation weights to
//! them. The files can train anything else that learns from scored games.

mod dataset;
mod file;
mod format;
mod import;
pub mod network;
mod openings;
mod outcomes;
mod selfplay;
mod tuner;

pub use dataset::{Dataset, Filter, Sample};
pub use file::{Contents, FileError, GameReader, GameWriter, Header};
pub use format::{FormatError, GameResult, ScoredGame, decode, encode};
pub use import::{LineError, Skipped, from_line, from_pgn};
pub use openings::{OpeningsError, RandomOpenings};
pub use outcomes::OutcomeCounts;
pub use selfplay::{SelfPlay, SelfPlayLimits};
pub use tuner::{TuneSettings, Tuner, weights_source};
