//! Damero, a UCI chess engine as a library: board, rules, evaluation, search and tools.
//!
//! The modules form layers. A module uses only lower layers, and within its layer only modules that
//! `tests/layering.rs`, which checks this, lists before it:
//!
//! | layer | module | contents |
//! |---|---|---|
//! | 0 | [`types`] | plain values: squares, bitboards, pieces, moves, scores |
//! | 1 | `attacks` | constant tables: attacks and rays |
//! | 2 | [`board`] | positions and the rules of chess |
//! | 2 | [`notation`] | moves and games as text: UCI, SAN, PGN |
//! | 3 | [`eval`] | static evaluation |
//! | 3 | [`tablebase`] | Syzygy endgame tablebases |
//! | 4 | [`search`] | alpha-beta search |
//! | 5 | [`engine`], [`mod@bench`] | the engine as a library; the bench |
//! | 5 | [`book`] | Polyglot opening books and opening names |
//! | 5 | [`analysis`] | analysis of played games |
//! | 5 | [`training`] | self-play games and the tuner |
//! | 6 | [`uci`], [`cli`] | user interfaces: UCI and the command line |
//!
//! # Embedding the engine
//!
//! Nothing below layer 6 reads standard input or prints, so a program can use the engine without a
//! pipe. Set up a position, list its legal moves and read a move in coordinates or SAN:
//!
//! ```
//! use damero::board::Board;
//! use damero::notation::{San, UciMove};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let board = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
//! let moves: Vec<String> =
//!     board.legal_moves().iter().map(|&mv| San::new(&board, mv).to_string()).collect();
//! assert_eq!(moves.len(), 6);
//! assert!(moves.contains(&"e4".to_owned()));
//!
//! let mv = "e2e4".parse::<UciMove>()?.to_move(&board)?;
//! assert_eq!("e4".parse::<San>()?.to_move(&board)?, mv);
//! assert_eq!(board.after(mv).to_fen(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
//!
//! // What cannot be played is an error, never a panic.
//! assert!("Nf3".parse::<San>()?.to_move(&board).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! Play with a weakened engine (here 20 plies against itself) and see how the game stands:
//!
//! ```
//! use damero::board::{Game, Outcome};
//! use damero::engine::Engine;
//! use damero::search::{Level, Limits};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut engine = Engine::new(1)?; // a hash table of 1 MiB
//! engine.set_level(Level::elo(1000));
//! let mut game = Game::default();
//! for _ in 0..20 {
//!     let found = engine.search(game.clone(), Limits::nodes(500))?;
//!     let Some(mv) = found.best else { break };
//!     game.play(mv)?;
//! }
//! match game.outcome() {
//!     None => assert!(game.board().has_legal_move()),
//!     Some(Outcome::Checkmate(winner)) => println!("{winner:?} has won"),
//!     Some(Outcome::Draw(reason)) => println!("draw by {reason}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Search on another thread. A callback receives each report and the result, and the search can be
//! stopped at any time:
//!
//! ```
//! use std::sync::mpsc::{Sender, channel};
//!
//! use damero::board::Game;
//! use damero::engine::Engine;
//! use damero::search::{Info, Limits, Reporter, SearchResult};
//!
//! struct Callback(Sender<SearchResult>);
//!
//! impl Reporter for Callback {
//!     fn info(&mut self, info: &Info<'_>) {
//!         println!("depth {}: {} ({} nodes)", info.depth, info.score, info.nodes);
//!     }
//!     fn finished(&mut self, result: &SearchResult) {
//!         let _ = self.0.send(result.clone());
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (sender, receiver) = channel();
//! let mut engine = Engine::new(1)?;
//! let limits = Limits { infinite: true, ..Limits::default() };
//! engine.go(Game::default(), limits, Box::new(Callback(sender)))?;
//! // ... the game draws its next frames here ...
//! engine.stop(); // the best move so far comes at once
//! let result = receiver.recv()?;
//! assert!(result.best.is_some());
//! # Ok(())
//! # }
//! ```

#![deny(unsafe_op_in_unsafe_fn, rust_2018_idioms, unreachable_pub)]
#![deny(missing_docs)]
#![warn(clippy::pedantic, clippy::undocumented_unsafe_blocks)]
#![warn(clippy::dbg_macro, clippy::todo, clippy::unimplemented, clippy::unwrap_used)]
// Small numbers change width everywhere; every value that is cast is known to fit.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]
#![allow(clippy::cast_precision_loss, clippy::cast_lossless)]
// Set algebra and Zobrist keys read better without parentheses around each `&`.
#![allow(clippy::precedence)]
// Digit separators do not make magic numbers and keys more readable.
#![allow(clippy::unreadable_literal)]
// The large arrays are built at compile time, where the stack cannot overflow.
#![allow(clippy::large_stack_arrays)]
// Measured: the move generator is specialised for each kind of caller only if inlining is forced.
#![allow(clippy::inline_always)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod analysis;
mod attacks;
pub mod bench;
pub mod board;
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod eval;
pub mod guide;
pub mod notation;
pub mod search;
pub mod tablebase;
pub mod training;
pub mod types;
pub mod uci;

/// The inside of the engine, for this crate's own tests and benchmarks. Not part of the API: it
/// changes without notice.
#[doc(hidden)]
pub mod internals {
    pub use crate::board::see_value;
    pub use crate::eval::classical::{FeatureSink, count_features, features, weights};
    pub use crate::eval::evaluator::Evaluator;
    pub use crate::search::internals::*;
}
