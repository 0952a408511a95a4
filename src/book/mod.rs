//! Floor 5: openings. Books in the Polyglot format, read and made, and the openings that are known
//! by heart, with their names. Silent, as all floors below the top.

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
