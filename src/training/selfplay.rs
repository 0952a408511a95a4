//! Self-play games for training. Start at [`SelfPlay::play`].

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::format::{GameResult, ScoredGame};
use super::openings::RandomOpenings;
use crate::board::{Board, Game, Outcome};
use crate::eval::EvalKind;
use crate::search::{
    Control, Limits, NullReporter, Request, TableTooLarge, ThreadPool, TranspositionTable,
};
use crate::tablebase::Tables;
use crate::types::{Color, Score};

/// Search limits for self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayLimits {
    /// Soft node limit per search, checked between iterations.
    pub nodes: u64,
}

/// Hard node limit, as a multiple of the soft limit.
const HARD_FACTOR: u64 = 8;
/// Largest score after the random moves, in centipawns. A decided game teaches nothing.
const LARGEST_EXIT_SCORE: i32 = 1_000;
/// Win adjudication: minimum score in centipawns, and consecutive plies for which it must hold.
const WON: (i32, u32) = (1_500, 6);
/// Draw adjudication from `DRAWN_FROM_PLY` on: maximum score of either sign in centipawns, and
/// consecutive plies for which it must hold.
const DRAWN: (i32, u32) = (8, 12);
const DRAWN_FROM_PLY: usize = 120;
/// Maximum number of searched plies; a longer game is a draw.
const LONGEST_GAME: usize = 400;

/// Plays games, or rescores them, on one thread.
pub struct SelfPlay {
    tables: Option<Arc<Tables>>,
    pool: ThreadPool,
    table: TranspositionTable,
    control: Control,
    limits: Limits,
}

impl SelfPlay {
    /// Creates a player with a transposition table of `hash` MiB and the static evaluation
    /// `evaluation`.
    ///
    /// # Errors
    /// Returns an error if the transposition table cannot be allocated.
    pub fn new(
        limits: SelfPlayLimits,
        hash: usize,
        evaluation: EvalKind,
    ) -> Result<Self, TableTooLarge> {
        Ok(Self {
            tables: None,
            pool: ThreadPool::new(1, evaluation),
            table: TranspositionTable::new(hash)?,
            control: Control::default(),
            limits: Limits {
                soft_nodes: Some(limits.nodes),
                nodes: Some(limits.nodes.saturating_mul(HARD_FACTOR)),
                ..Limits::default()
            },
        })
    }

    /// Sets the tablebases that end a game with their result, as soon as it reaches them.
    #[must_use]
    pub fn with_tables(self, tables: Option<Arc<Tables>>) -> Self {
        Self { tables, ..self }
    }

    /// Returns the moves and the result of `game` with new scores. Returns `None` if `stop` is set.
    pub fn rescore(&mut self, game: &ScoredGame, stop: &AtomicBool) -> Option<ScoredGame> {
        self.forget();
        let mut replayed = Game::new(game.start);
        let mut plies = Vec::with_capacity(game.plies.len());
        for &(mv, _) in &game.plies {
            if stop.load(Relaxed) {
                return None;
            }
            let (_, score) = self.think(&replayed)?;
            plies.push((mv, of_white(score, replayed.board()) as i16));
            replayed.play_unchecked(mv);
        }
        Some(ScoredGame { plies, ..game.clone() })
    }

    /// Clears all state left by earlier games, so that a game depends on its seed alone.
    fn forget(&mut self) {
        self.table.clear(1);
        self.pool.clear_histories();
    }

    /// Plays one game, determined by `seed`. Returns `None` if `stop` is set.
    pub fn play(&mut self, seed: u64, stop: &AtomicBool) -> Option<ScoredGame> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let start = self.opening(&mut rng, &RandomOpenings::self_play(), stop)?;
        self.play_out(&mut Game::new(start), stop)
    }

    /// Draws an opening that neither side has won already. Returns `None` if `stop` is set.
    pub fn opening(
        &mut self,
        rng: &mut ChaCha8Rng,
        openings: &RandomOpenings,
        stop: &AtomicBool,
    ) -> Option<Board> {
        while !stop.load(Relaxed) {
            self.forget();
            let Some(start) = openings.draw(rng) else { continue };
            if let Some((_, score)) = self.think(&Game::new(start))
                && score.value().abs() <= LARGEST_EXIT_SCORE
            {
                return Some(start);
            }
        }
        None
    }

    fn play_out(&mut self, game: &mut Game, stop: &AtomicBool) -> Option<ScoredGame> {
        let start = *game.board();
        let mut plies = Vec::new();
        let mut adjudicator = Adjudicator::default();
        let result = loop {
            if stop.load(Relaxed) {
                return None;
            }
            if let Some(result) = result_on_board(game).or_else(|| self.known_result(game.board()))
            {
                break result;
            }
            let (mv, score) = self.think(game)?;
            let white = of_white(score, game.board());
            plies.push((mv, white as i16));
            game.play_unchecked(mv);
            if let Some(result) = adjudicator.after(white, plies.len()) {
                break result;
            }
        };
        Some(ScoredGame { start, plies, result })
    }

    /// Returns the result that the tablebases know. They do so only right after a capture or a pawn
    /// move, because they assume that the fifty-move clock is zero.
    fn known_result(&self, board: &Board) -> Option<GameResult> {
        let tables = self.tables.as_ref()?;
        if board.halfmove_clock() > 0 || board.occupied().len() as usize > tables.max_men() {
            return None;
        }
        let score = tables.probe_wdl(board)?.score(true, 0);
        let white = of_white(score, board);
        Some(match white.cmp(&0) {
            Ordering::Less => GameResult::BlackWon,
            Ordering::Equal => GameResult::Drawn,
            Ordering::Greater => GameResult::WhiteWon,
        })
    }

    fn think(&mut self, game: &Game) -> Option<(crate::types::Move, Score)> {
        let request = Request::new(game, &self.limits);
        self.control.start(false);
        let result = self.pool.run(&request, &self.table, &self.control, &mut NullReporter);
        Some((result.best?, result.score))
    }
}

/// Returns White's value of a `score` for the side to move in `board`.
fn of_white(score: Score, board: &Board) -> i32 {
    match board.side_to_move() {
        Color::White => score.value(),
        Color::Black => -score.value(),
    }
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

/// Adjudicator: counts the consecutive plies for which both sides' scores agree on the result.
#[derive(Default)]
struct Adjudicator {
    white_wins: u32,
    black_wins: u32,
    drawn: u32,
}

impl Adjudicator {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_adjudicated_late() {
        let mut adjudication = Adjudicator::default();
        for ply in 1..DRAWN_FROM_PLY + DRAWN.1 as usize - 1 {
            assert_eq!(adjudication.after(0, ply), None, "{ply}");
        }
        let ply = DRAWN_FROM_PLY + DRAWN.1 as usize - 1;
        assert_eq!(adjudication.after(0, ply), Some(GameResult::Drawn));
    }
}
