//! Damero, a chess engine: the rules of chess on bitboards, and the program around them.
//!
//! The modules are floors of a house; each uses only those below it (`tests/layering.rs` checks):
//!
//! | floor | module | owns |
//! |---|---|---|
//! | 0 | [`types`] | plain values: squares, sets of squares, pieces, moves |
//! | 1 | [`attacks`] | tables that never change |
//! | 2 | [`board`] | one position and its rules |
//! | 2 | [`notation`] | text to moves and back |
//! | 3 | [`eval`] | a number for a position |
//! | 3 | [`tablebase`] | endgame tables |
//! | 4 | [`search`] | the tree |
//! | 5 | [`engine`], [`mod@bench`] | a facade without text |
//! | 5 | [`book`] | openings: Polyglot books, and names |
//! | 5 | [`analysis`] | what the engine says about games that were played |
//! | 5 | [`training`] | games for training, and what is learnt from them |
//! | 6 | [`uci`], [`cli`] | everything that a person or a GUI sees |
//!
//! ```
//! use damero::board::Board;
//! use damero::notation::UciMove;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let board = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
//! let mv = "e2e4".parse::<UciMove>()?.to_move(&board)?;
//! assert_eq!(board.after(mv).to_fen(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
//! # Ok(())
//! # }
//! ```

#![deny(unsafe_op_in_unsafe_fn, rust_2018_idioms, unreachable_pub)]
#![warn(missing_docs, clippy::pedantic, clippy::undocumented_unsafe_blocks)]
#![warn(clippy::dbg_macro, clippy::todo, clippy::unimplemented, clippy::unwrap_used)]
// Chess code lives on small numbers that change their width; every cast is of a value known to fit.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]
#![allow(clippy::cast_precision_loss, clippy::cast_lossless)]
// Set algebra and Zobrist keys read better without a parenthesis around each `&`.
#![allow(clippy::precedence)]
// Magic numbers and keys have no digits that a person would count.
#![allow(clippy::unreadable_literal)]
// The tables are built at compile time, where no stack overflows.
#![allow(clippy::large_stack_arrays)]
// Measured: the generator is one function for each kind of caller only if it is inlined by force.
#![allow(clippy::inline_always)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod analysis;
pub mod attacks;
pub mod bench;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod search;
pub mod tablebase;
pub mod training;
pub mod types;
pub mod uci;
