//! Floor 6: the Universal Chess Interface, the text between a GUI and the engine.

mod command;
mod run;

pub use command::{Command, CommandError};
pub use run::{run, write_perft};
