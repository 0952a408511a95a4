//! Layer 5: opening books. Reads and builds Polyglot books, picks book moves, and embeds a set of
//! named openings. Prints nothing, like every layer below the top.

mod builder;
mod openings;
mod player;
mod polyglot;
mod polyglot_key;
mod polyglot_random;

pub use builder::{BookBuilder, BookLimits};
pub use openings::{LineError, LineMistake, Opening, Openings};
pub use player::BookPlayer;
pub use polyglot::{Book, BookError, BookMove, Choice, Entry, PackedMove};
pub use polyglot_key::PolyglotKey;
