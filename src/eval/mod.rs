//! Floor 3: a number for a position.
//!
//! Every idea is a sum of counted features, each with a weight for the middle game and one for the
//! endgame (`weights.rs`). The ideas report their features to a [`Tally`]; one tally adds up the
//! weights for the search, another records the features themselves.

mod context;
mod endgame;
mod king;
pub mod layout;
mod pawns;
mod pieces;
mod tapered;
mod threats;
pub mod weights;

pub use endgame::FULL_SCALE;
pub use tapered::Tapered;

use crate::board::Board;
use crate::types::{Black, Color, PieceType, Score, White};
use context::Context;
use weights::WEIGHTS;

/// Takes what the ideas find: a feature (an index into the weights), for a colour, so many times.
pub trait Tally {
    /// Counts a feature in favour of a colour.
    fn add(&mut self, color: Color, feature: usize, count: i32);
}

/// Adds up the weights, White's less Black's.
struct Sum(Tapered);

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        let value = WEIGHTS[feature] * count;
        match color {
            Color::White => self.0 += value,
            Color::Black => self.0 -= value,
        }
    }
}

/// The whole range from the opening (24) to the last pawns (0): a minor piece counts 1, a rook 2, a
/// queen 4.
pub const FULL_PHASE: i32 = 24;

/// How much of the middle game is left, 0 to 24.
#[must_use]
pub fn phase(board: &Board) -> i32 {
    let minors = board.kind(PieceType::Knight) | board.kind(PieceType::Bishop);
    let weight = minors.len()
        + 2 * board.kind(PieceType::Rook).len()
        + 4 * board.kind(PieceType::Queen).len();
    (weight as i32).min(FULL_PHASE)
}

/// The value of a position without looking ahead, from the point of view of the side to move.
#[must_use]
pub fn evaluate(board: &Board) -> Score {
    if let Some(white) = endgame::lone_king(board) {
        return Score::cp(if board.side_to_move() == Color::White { white } else { -white });
    }
    let mut sum = Sum(Tapered::ZERO);
    count_features(board, &mut sum);
    let white = interpolate(board, sum.0) + endgame::mop_up(board);
    Score::cp(if board.side_to_move() == Color::White { white } else { -white })
}

/// Is the evaluation of this position a sum of features, and nothing else?
#[must_use]
pub fn is_linear(board: &Board) -> bool {
    endgame::lone_king(board).is_none() && endgame::mop_up(board) == 0
}

/// How much of the endgame's part counts in this position, out of [`FULL_SCALE`].
#[must_use]
pub fn endgame_scale(board: &Board) -> i32 {
    let mut sum = Sum(Tapered::ZERO);
    count_features(board, &mut sum);
    endgame::scale(board, sum.0.endgame())
}

/// Mixes middle game and endgame by phase; the endgame's part is scaled down where a lead is hard
/// to win with.
fn interpolate(board: &Board, value: Tapered) -> i32 {
    let phase = phase(board);
    let endgame = value.endgame() * endgame::scale(board, value.endgame()) / FULL_SCALE;
    (value.middle_game() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Reports every feature of the position.
pub fn count_features(board: &Board, tally: &mut impl Tally) {
    tally.add(board.side_to_move(), layout::TEMPO, 1);
    let mut context = Context::new(board);
    pieces::count::<White>(&mut context, tally);
    pieces::count::<Black>(&mut context, tally);
    pawns::count::<White>(&context, tally);
    pawns::count::<Black>(&context, tally);
    king::count::<White>(&context, tally);
    king::count::<Black>(&context, tally);
    threats::count::<White>(&context, tally);
    threats::count::<Black>(&context, tally);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starting_position_is_worth_the_tempo() {
        let tempo = WEIGHTS[layout::TEMPO].middle_game();
        assert_eq!(evaluate(&Board::starting_position()), Score::cp(tempo));
    }
}
