//! Floor 3: a number for a position.
//!
//! Every idea is a sum of counted features, each with a weight for the middle game and one for the
//! endgame (`weights.rs`). The ideas report their features to a [`Tally`]; one tally adds up the
//! weights for the search, another records the features themselves.

mod cache;
mod context;
mod danger;
mod endgame;
mod explain;
mod king;
mod kpk;
pub mod layout;
mod minors;
mod outcome;
mod passed;
mod pawns;
mod pieces;
mod rooks;
mod space;
mod tapered;
mod threats;
pub mod weights;

pub use cache::PawnCache;
pub use danger::{ENDGAME_DIVISOR, SQUARE_DIVISOR};
pub use endgame::FULL_SCALE;
pub use explain::{Explanation, Term, explain};
pub use outcome::{OUTCOME, Outcome};
pub use tapered::Tapered;

use crate::board::Board;
use crate::types::{Black, Color, PieceType, Score, Side, White};
use context::Context;
use weights::WEIGHTS;

/// Takes what the ideas find: a feature (an index into the weights), for a colour, so many times.
pub trait Tally {
    /// Counts a feature in favour of a colour.
    fn add(&mut self, color: Color, feature: usize, count: i32);
    /// Counts a piece, pawn to queen: its kind, and its square as its colour sees it.
    #[inline(always)]
    fn piece(&mut self, color: Color, kind: PieceType, square: usize) {
        self.add(color, layout::MATERIAL + kind.index(), 1);
        self.add(color, layout::PIECE_SQUARE + kind.index() * 64 + square, 1);
    }
    /// Counts a feature (one of those from [`layout::DANGER`] on) as danger to a colour's king.
    fn danger(&mut self, color: Color, feature: usize, count: i32);
}

/// Adds up the weights: White's less Black's, and the danger to each king.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: Tapered,
    danger: [Tapered; 2],
}

impl Sum {
    #[inline(always)]
    fn credit(&mut self, color: Color, value: Tapered) {
        match color {
            Color::White => self.value += value,
            Color::Black => self.value -= value,
        }
    }

    /// The sum, with the danger as what it costs.
    fn total(&self) -> Tapered {
        let [white, black] = self.danger.map(danger::cost);
        self.value - white + black
    }
}

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.credit(color, WEIGHTS[feature] * count);
    }

    #[inline(always)]
    fn piece(&mut self, color: Color, kind: PieceType, square: usize) {
        self.credit(color, PIECE_ON_SQUARE[kind.index() * 64 + square]);
    }

    #[inline(always)]
    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        self.danger[color.index()] += WEIGHTS[feature] * count;
    }
}

/// What a piece is worth on a square, pawns to queens: two weights in one.
static PIECE_ON_SQUARE: [Tapered; 5 * 64] = {
    let mut values = [Tapered::ZERO; 5 * 64];
    let mut index = 0;
    while index < values.len() {
        let material = WEIGHTS[layout::MATERIAL + index / 64];
        values[index] = material.plus(WEIGHTS[layout::PIECE_SQUARE + index]);
        index += 1;
    }
    values
};

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
    evaluate_by(board, sum)
}

/// The same, with a memory for pawn structures.
#[must_use]
pub fn evaluate_cached(board: &Board, cache: &mut PawnCache) -> Score {
    evaluate_by(board, |board| {
        let mut context = Context::new(board);
        let (mut sum, passed) = cache.get(board, || {
            let mut sum = Sum::default();
            count_pawns_and_kings(&mut context, &mut sum);
            (sum, context.passed)
        });
        context.passed = passed;
        count_pieces(&mut context, &mut sum);
        sum.total()
    })
}

#[inline]
fn evaluate_by(board: &Board, sum: impl FnOnce(&Board) -> Tapered) -> Score {
    let white = endgame::known(board)
        .unwrap_or_else(|| interpolate(board, sum(board)) + endgame::mop_up(board));
    Score::cp(if board.side_to_move() == Color::White { white } else { -white })
}

/// All features, added up.
fn sum(board: &Board) -> Tapered {
    let mut sum = Sum::default();
    count_features(board, &mut sum);
    sum.total()
}

/// Is the evaluation of this position made of features, and nothing else?
#[must_use]
pub fn is_made_of_features(board: &Board) -> bool {
    endgame::known(board).is_none() && endgame::mop_up(board) == 0
}

/// How much of the endgame's part counts in this position, out of [`FULL_SCALE`].
#[must_use]
pub fn endgame_scale(board: &Board) -> i32 {
    endgame::scale(board, sum(board).endgame())
}

/// Mixes middle game and endgame by phase; the endgame's part is scaled down where a lead is hard
/// to win with, and both where it hardly ever wins.
fn interpolate(board: &Board, value: Tapered) -> i32 {
    let phase = phase(board);
    let scale = endgame::scale(board, value.endgame());
    let endgame = value.endgame() * scale / FULL_SCALE;
    let middle_game = value.middle_game() * middle_game_scale(scale) / FULL_SCALE;
    (middle_game * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Returns how much of the middle game's part counts with this [`endgame_scale`].
#[must_use]
pub fn middle_game_scale(endgame_scale: i32) -> i32 {
    if endgame_scale <= endgame::NEARLY_DRAWN { endgame_scale } else { FULL_SCALE }
}

/// Reports every feature of the position.
pub fn count_features(board: &Board, tally: &mut impl Tally) {
    let mut context = Context::new(board);
    count_pawns_and_kings(&mut context, tally);
    count_pieces(&mut context, tally);
}

/// What depends on the pawns and the squares of the kings alone, and so can be remembered.
fn count_pawns_and_kings(context: &mut Context<'_>, tally: &mut impl Tally) {
    let (pawns, kings) = (context.pawns, context.kings);
    context.passed = pawns::count::<White>(pawns, tally) | pawns::count::<Black>(pawns, tally);
    king::count::<White>(pawns, kings[Color::White.index()], tally);
    king::count::<Black>(pawns, kings[Color::Black.index()], tally);
}

/// Everything else. The attack maps come first.
#[inline]
fn count_pieces(context: &mut Context<'_>, tally: &mut impl Tally) {
    tally.add(context.board.side_to_move(), layout::TEMPO, 1);
    pieces::count::<White>(context, tally);
    pieces::count::<Black>(context, tally);
    count_relations::<White>(context, tally);
    count_relations::<Black>(context, tally);
}

#[inline]
fn count_relations<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    minors::count::<S>(context, tally);
    rooks::count::<S>(context, tally);
    passed::count::<S>(context, tally);
    king::castling::<S>(context, tally);
    danger::count::<S>(context, tally);
    threats::count::<S>(context, tally);
    space::count::<S>(context, tally);
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::testing::expect;
    use super::*;

    #[test]
    fn the_right_to_move_is_the_movers() {
        expect("4k3/8/8/8/8/8/8/4K3 w - -", &[(layout::TEMPO, [1, 0])]);
        expect("4k3/8/8/8/8/8/8/4K3 b - -", &[(layout::TEMPO, [0, 1])]);
    }

    #[test]
    fn starting_position_is_worth_the_tempo() {
        let tempo = WEIGHTS[layout::TEMPO].middle_game();
        assert_eq!(evaluate(&Board::starting_position()), Score::cp(tempo));
    }

    /// Rook and bishop against rook, rook against bishop, and bishop and pawn against the other
    /// bishop: attack or no attack, hardly ever won.
    #[test]
    fn drawn_material_is_worth_little_however_the_pieces_stand() {
        for fen in [
            "3k4/R7/3B4/3K4/7r/8/8/8 b - - 0 1",
            "k7/8/1K6/8/8/8/7b/6R1 w - - 0 1",
            "8/8/2K5/3B4/8/p5b1/1k6/8 w - - 0 1",
        ] {
            let value = evaluate(&Board::from_fen(fen).unwrap()).value();
            assert!(value.abs() < 100, "{fen}: {value}");
        }
    }

    #[test]
    fn a_solved_endgame_is_no_sum_of_features() {
        for (fen, linear) in [
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", false),
            ("8/4p3/4k3/8/4K3/4P3/8/8 w - - 0 1", true),
        ] {
            assert_eq!(is_made_of_features(&Board::from_fen(fen).unwrap()), linear, "{fen}");
        }
        let drawn = Board::from_fen("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1").unwrap();
        assert_eq!(evaluate(&drawn), Score::DRAW);
    }
}
