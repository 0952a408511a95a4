//! Floor 5: games for training, and what is learnt from them. Silent, as all floors below the top.
//!
//! `damero datagen` plays games and stores them whole; `damero tune` learns the weights of the
//! evaluation from them. The same files can train anything else that learns from scored games.

mod file;
mod format;
mod outcomes;
mod selfplay;
mod tuner;

pub use file::{Contents, FileError, GameReader, GameWriter, Header};
pub use format::{FormatError, GameResult, ScoredGame, decode, encode};
pub use outcomes::OutcomeCounts;
pub use selfplay::{SelfPlay, SelfPlayLimits};
pub use tuner::{Dataset, Filter, Sample, TuneSettings, Tuner, weights_source};
