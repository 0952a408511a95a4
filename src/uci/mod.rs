//! Floor 6: the Universal Chess Interface, the text between a GUI and the engine.

mod command;
mod format;
mod options;
mod own_book;
mod run;

pub use command::{BenchArguments, Command, CommandError, GoArguments};
pub(crate) use format::eval_text;
pub use format::write_perft;
pub use options::{OptionError, Settings};
pub use run::{Opening, RunError, run};
