//! A game: the positions so far, and how it ends by FIDE's rules.

use std::fmt;

use thiserror::Error;

use super::Board;
use crate::types::{Color, Move};

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub struct Game {
    /// Every position from the first to the present one; never empty.
    positions: Vec<Board>,
    moves: Vec<Move>,
}

/// A move that cannot be played in the present position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the move {0:?} is not legal in this position")]
pub struct IllegalMove(pub Move);

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The colour has given mate.
    Checkmate(Color),
    /// Nobody won.
    Draw(DrawReason),
}

/// Why a game is drawn, or may be claimed as a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can give mate any more.
    InsufficientMaterial,
    /// The position has come up three times; a player may claim the draw.
    ThreefoldRepetition,
    /// The position has come up five times; the game is over without a claim.
    FivefoldRepetition,
    /// Fifty moves by each side without capture or pawn move; a player may claim the draw.
    FiftyMoves,
    /// Seventy-five such moves; the game is over without a claim.
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
    /// A game that begins with this position.
    #[must_use]
    pub fn new(start: Board) -> Self {
        Self { positions: vec![start], moves: Vec::new() }
    }

    /// The first position.
    #[must_use]
    pub fn start(&self) -> &Board {
        &self.positions[0]
    }

    /// The present position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.positions[self.positions.len() - 1]
    }

    /// Every position so far, the present one last.
    #[must_use]
    pub fn positions(&self) -> &[Board] {
        &self.positions
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal; the game stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.board().is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that the caller knows to be legal.
    pub fn play_unchecked(&mut self, mv: Move) {
        let mut next = *self.board();
        next.play_unchecked(mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How often the present position has come up, now included.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let now = self.board();
        // No position from before a capture or pawn move can come up again.
        let reversible = usize::from(now.halfmove_clock()) + 1;
        self.positions
            .iter()
            .rev()
            .take(reversible)
            .step_by(2)
            .filter(|earlier| earlier.key() == now.key())
            .count()
    }

    /// How the game has ended, if it is over without anybody's claim (FIDE 5.1, 5.2 and 9.6).
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

    /// The draw that the side to move may claim in the present position (FIDE 9.2 and 9.3).
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
