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
//! # In a game of your own
//!
//! Nothing below floor 6 reads input or prints: a program that wants an opponent needs no pipe.
//! A position, its legal moves, and what a person types:
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
//! A whole game against a weak opponent, up to its end:
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
//! The engine thinks on another thread while the game goes on; a callback hears each line of thought
//! and the result, and a thought that takes too long is cut off:
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
