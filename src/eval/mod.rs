//! Layer 3: static evaluation. Start at [`evaluate`].
//!
//! Each term is a sum of counted features, each with one weight for the middle game and one for
//! the endgame (`weights.rs`). Terms report their features to a [`Tally`]: one implementation adds
//! up the weights for the search, others record the features themselves.

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

/// Receives the features that the terms count. A feature is an index into the weights.
pub trait Tally {
    /// Counts `feature` in favour of `color`, `count` times.
    fn add(&mut self, color: Color, feature: usize, count: i32);
    /// Counts a piece, pawn to queen, of type `kind` on `square`, which is relative to `color`.
    #[inline(always)]
    fn piece(&mut self, color: Color, kind: PieceType, square: usize) {
        self.add(color, layout::MATERIAL + kind.index(), 1);
        self.add(color, layout::PIECE_SQUARE + kind.index() * 64 + square, 1);
    }
    /// Counts `feature` (one of those from [`layout::DANGER`] on), `count` times, as danger to
    /// `color`'s king.
    fn danger(&mut self, color: Color, feature: usize, count: i32);
}

/// Weighted sum of features: White minus Black, with the danger to each king kept apart.
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

    /// Returns the sum, minus what the danger to each king costs.
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

/// Piece-square tables with material included, pawns to queens.
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

/// Phase with all pieces on the board; 0 means kings and pawns only. A minor piece counts 1, a
/// rook 2, a queen 4.
pub const FULL_PHASE: i32 = 24;

/// Returns the game phase, from [`FULL_PHASE`] in the opening down to 0.
#[must_use]
pub fn phase(board: &Board) -> i32 {
    let minors = board.kind(PieceType::Knight) | board.kind(PieceType::Bishop);
    let weight = minors.len()
        + 2 * board.kind(PieceType::Rook).len()
        + 4 * board.kind(PieceType::Queen).len();
    (weight as i32).min(FULL_PHASE)
}

/// Returns the static evaluation of `board` for the side to move.
#[must_use]
pub fn evaluate(board: &Board) -> Score {
    evaluate_by(board, sum)
}

/// Returns the same as [`evaluate`], with `cache` as pawn hash table.
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

/// Returns the weighted sum of all features.
fn sum(board: &Board) -> Tapered {
    let mut sum = Sum::default();
    count_features(board, &mut sum);
    sum.total()
}

/// Returns whether the evaluation comes from features alone, without a known endgame or a mop-up
/// bonus.
#[must_use]
pub fn is_made_of_features(board: &Board) -> bool {
    endgame::known(board).is_none() && endgame::mop_up(board) == 0
}

/// Returns the scale factor of the endgame score, out of [`FULL_SCALE`].
#[must_use]
pub fn endgame_scale(board: &Board) -> i32 {
    endgame::scale(board, sum(board).endgame())
}

/// Tapered evaluation: interpolates between middle game and endgame by phase. The endgame score is
/// scaled down where a lead is hard to convert, and both scores where it hardly ever wins.
fn interpolate(board: &Board, value: Tapered) -> i32 {
    let phase = phase(board);
    let scale = endgame::scale(board, value.endgame());
    let endgame = value.endgame() * scale / FULL_SCALE;
    let middle_game = value.middle_game() * middle_game_scale(scale) / FULL_SCALE;
    (middle_game * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Returns the scale factor of the middle-game score that goes with this [`endgame_scale`], out of
/// [`FULL_SCALE`].
#[must_use]
pub fn middle_game_scale(endgame_scale: i32) -> i32 {
    if endgame_scale <= endgame::NEARLY_DRAWN { endgame_scale } else { FULL_SCALE }
}

/// Reports every feature of `board` to `tally`.
pub fn count_features(board: &Board, tally: &mut impl Tally) {
    let mut context = Context::new(board);
    count_pawns_and_kings(&mut context, tally);
    count_pieces(&mut context, tally);
}

/// Counts the terms that depend only on the pawns and the kings' squares, and so can be cached.
fn count_pawns_and_kings(context: &mut Context<'_>, tally: &mut impl Tally) {
    let (pawns, kings) = (context.pawns, context.kings);
    context.passed = pawns::count::<White>(pawns, tally) | pawns::count::<Black>(pawns, tally);
    king::count::<White>(pawns, kings[Color::White.index()], tally);
    king::count::<Black>(pawns, kings[Color::Black.index()], tally);
}

/// Counts all other terms. `pieces` comes first, for both sides, because it fills in the attack
/// maps.
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
    fn tempo_belongs_to_side_to_move() {
        expect("4k3/8/8/8/8/8/8/4K3 w - -", &[(layout::TEMPO, [1, 0])]);
        expect("4k3/8/8/8/8/8/8/4K3 b - -", &[(layout::TEMPO, [0, 1])]);
    }

    #[test]
    fn starting_position_is_worth_the_tempo() {
        let tempo = WEIGHTS[layout::TEMPO].middle_game();
        assert_eq!(evaluate(&Board::starting_position()), Score::cp(tempo));
    }

    /// Rook and bishop against rook, rook against bishop, and opposite-coloured bishops with one
    /// pawn: hardly ever won, even with an attack.
    #[test]
    fn drawish_material_scores_near_zero() {
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
    fn known_endgame_is_not_made_of_features() {
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
