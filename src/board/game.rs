//! A game: its positions, its moves, and its end under the FIDE Laws of Chess. Start at [`Game`].

use std::fmt;

use thiserror::Error;

use super::Board;
use crate::types::{Color, Move};

/// The current position and the moves that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    /// Every position from the first to the current one; never empty.
    positions: Vec<Board>,
    moves: Vec<Move>,
}

/// A move that is not legal in the current position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the move {0:?} is not legal in this position")]
pub struct IllegalMove(pub Move);

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The given colour has won by checkmate.
    Checkmate(Color),
    /// A draw.
    Draw(DrawReason),
}

/// Why a game is drawn or a draw may be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The material rules out mate for both sides.
    InsufficientMaterial,
    /// The position has occurred three times. A player may claim the draw.
    ThreefoldRepetition,
    /// The position has occurred five times. The draw is automatic.
    FivefoldRepetition,
    /// Fifty moves by each side without a capture or pawn move. A player may claim the draw.
    FiftyMoves,
    /// Seventy-five such moves by each side. The draw is automatic.
    SeventyFiveMoves,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::SeventyFiveMoves => "seventy-five-move rule",
        })
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Board::starting_position())
    }
}

impl Game {
    /// Creates a game that begins with `start`.
    #[must_use]
    pub fn new(start: Board) -> Self {
        Self { positions: vec![start], moves: Vec::new() }
    }

    /// Returns the first position.
    #[must_use]
    pub fn start(&self) -> &Board {
        &self.positions[0]
    }

    /// Returns the current position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns every position so far, the current one last.
    #[must_use]
    pub fn positions(&self) -> &[Board] {
        &self.positions
    }

    /// Returns the moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays `mv`.
    ///
    /// # Errors
    /// Returns [`IllegalMove`] if `mv` is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.board().is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays `mv`, which the caller knows to be legal.
    pub fn play_unchecked(&mut self, mv: Move) {
        let mut next = *self.board();
        next.play_unchecked(mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes back the last move and returns it, or `None` at the first position.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// Returns how often the current position has occurred, this time included.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let now = self.board();
        // Positions before the last capture or pawn move cannot recur.
        let reversible = usize::from(now.halfmove_clock()) + 1;
        self.positions
            .iter()
            .rev()
            .take(reversible)
            .step_by(2)
            .filter(|earlier| earlier.key() == now.key())
            .count()
    }

    /// Returns the outcome if the game is over without a claim (FIDE 5.1, 5.2 and 9.6).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let board = self.board();
        if !board.has_legal_move() {
            return Some(if board.in_check() {
                Outcome::Checkmate(!board.side_to_move())
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        let reason = if board.is_material_insufficient() {
            DrawReason::InsufficientMaterial
        } else if board.halfmove_clock() >= 150 {
            DrawReason::SeventyFiveMoves
        } else if self.repetitions() >= 5 {
            DrawReason::FivefoldRepetition
        } else {
            return None;
        };
        Some(Outcome::Draw(reason))
    }

    /// Returns the draw that the side to move may claim in the current position (FIDE 9.2 and 9.3).
    #[must_use]
    pub fn claimable_draw(&self) -> Option<DrawReason> {
        if !self.board().has_legal_move() {
            None
        } else if self.repetitions() >= 3 {
            Some(DrawReason::ThreefoldRepetition)
        } else if self.board().halfmove_clock() >= 100 {
            Some(DrawReason::FiftyMoves)
        } else {
            None
        }
    }
}
