//! Games of the engine against itself, for training.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::format::{GameResult, ScoredGame};
use crate::board::{Board, Game, Outcome};
use crate::search::{Control, Limits, Pool, Request, Silent, Table, TableTooLarge};
use crate::types::{Color, Score};

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayLimits {
    /// A search ends with the iteration in which it passes this many nodes.
    pub nodes: u64,
}

/// No search goes beyond this many times the soft limit.
const HARD_FACTOR: u64 = 8;
/// Random moves at the beginning, so that no two games are alike; one more in half of them, so
/// that both colours get their share of first thoughts.
const RANDOM_PLIES: usize = 8;
/// A game that is decided after the random moves teaches nothing.
const LARGEST_EXIT_SCORE: i32 = 1_000;
/// Both sides agree that it is won when the score has been beyond this for so many plies.
const WON: (i32, u32) = (2_000, 8);
/// Both sides agree that it is drawn when, late in the game, the score has been within this.
const DRAWN: (i32, u32) = (8, 12);
const DRAWN_FROM_PLY: usize = 80;
/// No game is longer.
const LONGEST_GAME: usize = 400;

/// One thread that plays games.
pub struct SelfPlay {
    pool: Pool,
    table: Table,
    control: Control,
    limits: Limits,
}

impl SelfPlay {
    /// A player with a table of this size in MiB.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(limits: SelfPlayLimits, hash: usize) -> Result<Self, TableTooLarge> {
        Ok(Self {
            pool: Pool::new(1),
            table: Table::new(hash)?,
            control: Control::default(),
            limits: Limits {
                soft_nodes: Some(limits.nodes),
                nodes: Some(limits.nodes.saturating_mul(HARD_FACTOR)),
                ..Limits::default()
            },
        })
    }

    /// Plays the game of a seed: the same seed gives the same game. `None` if told to stop.
    pub fn play(&mut self, seed: u64, stop: &AtomicBool) -> Option<ScoredGame> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        loop {
            // With nothing left of earlier games, a game depends on its seed alone.
            self.table.clear(1);
            self.pool.forget();
            let Some(start) = random_opening(&mut rng) else { continue };
            let mut game = Game::new(start);
            if let Some((_, score)) = self.think(&game)
                && score.value().abs() <= LARGEST_EXIT_SCORE
            {
                return self.play_out(&mut game, stop);
            }
            if stop.load(Relaxed) {
                return None;
            }
        }
    }

    fn play_out(&mut self, game: &mut Game, stop: &AtomicBool) -> Option<ScoredGame> {
        let start = *game.board();
        let mut plies = Vec::new();
        let mut agreement = Agreement::default();
        let result = loop {
            if stop.load(Relaxed) {
                return None;
            }
            if let Some(result) = result_on_board(game) {
                break result;
            }
            let (mv, score) = self.think(game)?;
            let white = match game.board().side_to_move() {
                Color::White => score.value(),
                Color::Black => -score.value(),
            };
            plies.push((mv, white as i16));
            game.play_unchecked(mv);
            if let Some(result) = agreement.after(white, plies.len()) {
                break result;
            }
        };
        Some(ScoredGame { start, plies, result })
    }

    fn think(&mut self, game: &Game) -> Option<(crate::types::Move, Score)> {
        let request = Request::new(game, &self.limits);
        self.control.start(false);
        let result = self.pool.run(&request, &self.table, &self.control, &mut Silent);
        Some((result.best?, result.score))
    }
}

fn random_opening(rng: &mut ChaCha8Rng) -> Option<Board> {
    let mut board = Board::starting_position();
    let plies = RANDOM_PLIES + rng.random_range(0..2);
    for _ in 0..plies {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    board.has_legal_move().then_some(board)
}

fn result_on_board(game: &Game) -> Option<GameResult> {
    match game.outcome() {
        Some(Outcome::Checkmate(Color::White)) => Some(GameResult::WhiteWon),
        Some(Outcome::Checkmate(Color::Black)) => Some(GameResult::BlackWon),
        Some(Outcome::Draw(_)) => Some(GameResult::Drawn),
        None => {
            let over = game.claimable_draw().is_some() || game.moves().len() >= LONGEST_GAME;
            over.then_some(GameResult::Drawn)
        }
    }
}

/// Counts for how long both sides have seen the game alike.
#[derive(Default)]
struct Agreement {
    white_wins: u32,
    black_wins: u32,
    drawn: u32,
}

impl Agreement {
    fn after(&mut self, white_score: i32, plies: usize) -> Option<GameResult> {
        let count = |counter: &mut u32, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
            *counter
        };
        let drawish = white_score.abs() <= DRAWN.0 && plies >= DRAWN_FROM_PLY;
        if count(&mut self.white_wins, white_score >= WON.0) >= WON.1 {
            Some(GameResult::WhiteWon)
        } else if count(&mut self.black_wins, white_score <= -WON.0) >= WON.1 {
            Some(GameResult::BlackWon)
        } else if count(&mut self.drawn, drawish) >= DRAWN.1 {
            Some(GameResult::Drawn)
        } else {
            None
        }
    }
}
