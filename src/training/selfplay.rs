//! Self-play games for training. Start at [`SelfPlay::play`].

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::format::{GameResult, ScoredGame};
use crate::board::{Board, Game, Outcome};
use crate::search::{
    Control, Limits, NullReporter, Request, TableTooLarge, ThreadPool, TranspositionTable,
};
use crate::types::{Color, Score};

/// Search limits for self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayLimits {
    /// Soft node limit per search, checked between iterations.
    pub nodes: u64,
}

/// Hard node limit, as a multiple of the soft limit.
const HARD_FACTOR: u64 = 8;
/// Random plies before the engine plays. Few keep the position natural, many make it unusual. With
/// both odd and even numbers, either colour may have the first searched move.
const RANDOM_PLIES: RangeInclusive<usize> = 4..=11;
/// One game in this many starts from a random Chess960 position.
const CHESS960_ONE_IN: u32 = 10;
/// Largest score after the random moves, in centipawns. A decided game teaches nothing.
const LARGEST_EXIT_SCORE: i32 = 1_000;
/// Win adjudication: minimum score in centipawns, and consecutive plies for which it must hold.
const WON: (i32, u32) = (2_000, 8);
/// Draw adjudication from `DRAWN_FROM_PLY` on: maximum score of either sign in centipawns, and
/// consecutive plies for which it must hold.
const DRAWN: (i32, u32) = (8, 12);
const DRAWN_FROM_PLY: usize = 120;
/// Maximum number of searched plies; a longer game is a draw.
const LONGEST_GAME: usize = 400;

/// Plays games on one thread.
pub struct SelfPlay {
    pool: ThreadPool,
    table: TranspositionTable,
    control: Control,
    limits: Limits,
}

impl SelfPlay {
    /// Creates a player with a transposition table of `hash` MiB.
    ///
    /// # Errors
    /// Returns an error if the transposition table cannot be allocated.
    pub fn new(limits: SelfPlayLimits, hash: usize) -> Result<Self, TableTooLarge> {
        Ok(Self {
            pool: ThreadPool::new(1),
            table: TranspositionTable::new(hash)?,
            control: Control::default(),
            limits: Limits {
                soft_nodes: Some(limits.nodes),
                nodes: Some(limits.nodes.saturating_mul(HARD_FACTOR)),
                ..Limits::default()
            },
        })
    }

    /// Plays one game, determined by `seed`. Returns `None` if `stop` is set.
    pub fn play(&mut self, seed: u64, stop: &AtomicBool) -> Option<ScoredGame> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        loop {
            // Clear all state left by earlier games, so that a game depends on its seed alone.
            self.table.clear(1);
            self.pool.clear_histories();
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
        let mut adjudicator = Adjudicator::default();
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
            if let Some(result) = adjudicator.after(white, plies.len()) {
                break result;
            }
        };
        Some(ScoredGame { start, plies, result })
    }

    fn think(&mut self, game: &Game) -> Option<(crate::types::Move, Score)> {
        let request = Request::new(game, &self.limits);
        self.control.start(false);
        let result = self.pool.run(&request, &self.table, &self.control, &mut NullReporter);
        Some((result.best?, result.score))
    }
}

fn random_opening(rng: &mut ChaCha8Rng) -> Option<Board> {
    let mut board = if rng.random_ratio(1, CHESS960_ONE_IN) {
        Board::chess960(rng.random_range(0..Board::CHESS960_COUNT))?
    } else {
        Board::starting_position()
    };
    for _ in 0..rng.random_range(RANDOM_PLIES) {
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
    use crate::types::{File, Rank};

    #[test]
    fn openings_vary_in_length_and_start() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let openings: Vec<Board> =
            std::iter::repeat_with(|| random_opening(&mut rng)).flatten().take(2_000).collect();
        let plies = |board: &Board| {
            usize::from(board.fullmove_number() - 1) * 2 + board.side_to_move().index()
        };
        for length in RANDOM_PLIES {
            let count = openings.iter().filter(|board| plies(board) == length).count();
            assert!((200..=300).contains(&count), "{count} of length {length}");
        }
        assert!(openings.iter().all(|board| RANDOM_PLIES.contains(&plies(board))));
        // A king away from the e-file has castling rights only in Chess960.
        let is_960 = |board: &&Board| {
            let rooks = board.castling().rooks();
            let may_castle = rooks.into_iter().any(|rook| rook.rank() == Rank::First);
            may_castle && board.king(Color::White).file() != File::E
        };
        let count = openings.iter().filter(is_960).count();
        assert!((100..=300).contains(&count), "{count} from Chess960");
    }

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
