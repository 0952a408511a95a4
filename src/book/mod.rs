//! Layer 5: opening books. Reads and builds Polyglot books, picks book moves, and embeds a set of
//! named openings. Prints nothing, like every layer below the top.

mod openings;
mod player;
mod polyglot;

pub use openings::{LineError, LineMistake, Opening, Openings};
pub use player::BookPlayer;
pub use polyglot::builder::{BookBuilder, BookLimits};
pub use polyglot::key::PolyglotKey;
pub use polyglot::{Book, BookError, BookMove, Choice, Entry, PackedMove};
