//! Training of the network: data in memory, the model in floating point, and the loop that fits it.
//! Start at [`train()`].

mod checkpoint;
mod data;
mod model;
mod optimizer;
mod plot;
mod position;
mod train;

pub use checkpoint::{CheckpointError, EpochReport};
pub use data::{DataError, PositionFilter, SourceStats, TrainingData};
pub use plot::plot;
pub use train::{TrainError, TrainEvent, TrainSettings, Trained, UNITS, train};
