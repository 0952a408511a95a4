//! Layer 6: the UCI front end. Start at [`run()`].

mod command;
mod console;
mod format;
mod genfens;
mod integer;
mod limits;
mod options;
mod own_book;
mod session;

pub use command::{BenchArguments, Command, CommandError, GenFensArguments, GoArguments};
#[cfg(feature = "cli")]
pub(crate) use format::eval_text;
pub use format::write_perft;
pub use options::{OptionError, Settings};
pub use session::{InputMode, RunError, run};
