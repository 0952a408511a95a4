//! The classical evaluation: a sum of counted features, each with one weight for the middle game
//! and one for the endgame (`weights.rs`). Terms report their features to a [`FeatureSink`]: one
//! implementation adds up the weights for the search, others record the features themselves. Start
//! at [`score`].

pub(crate) mod context;
pub mod features;
pub(crate) mod pawn_cache;
pub(crate) mod tapered;
pub(crate) mod terms;
pub(crate) mod trace;
pub mod weights;

use crate::board::Board;
use crate::eval::endgame::scale::{self, FULL_SCALE};
use crate::types::{Black, Color, PieceType, Side, White};
use context::Context;
use pawn_cache::PawnCache;
use tapered::Tapered;
use terms::{king_safety, minors, mobility, passed, pawns, rooks, shelter, space, threats};
use weights::WEIGHTS;

/// Receives the features that the terms count. A feature is an index into the weights.
pub trait FeatureSink {
    /// Counts `feature` in favour of `color`, `count` times.
    fn add(&mut self, color: Color, feature: usize, count: i32);
    /// Counts a piece, pawn to queen, of type `kind` on `square`, which is relative to `color`.
    #[inline(always)]
    fn piece(&mut self, color: Color, kind: PieceType, square: usize) {
        self.add(color, features::MATERIAL + kind.index(), 1);
        self.add(color, features::PIECE_SQUARE + kind.index() * 64 + square, 1);
    }
    /// Counts `feature` (one of those from [`features::DANGER`] on), `count` times, as danger to
    /// `color`'s king.
    fn danger(&mut self, color: Color, feature: usize, count: i32);
}

/// Weighted sum of features: White minus Black, with the danger to each king kept apart.
#[derive(Clone, Copy, Default)]
pub(crate) struct WeightedSum {
    value: Tapered,
    danger: [Tapered; 2],
}

impl WeightedSum {
    #[inline(always)]
    fn credit(&mut self, color: Color, value: Tapered) {
        match color {
            Color::White => self.value += value,
            Color::Black => self.value -= value,
        }
    }

    /// Returns the sum, minus what the danger to each king costs.
    fn total(&self) -> Tapered {
        let [white, black] = self.danger.map(king_safety::cost);
        self.value - white + black
    }
}

impl FeatureSink for WeightedSum {
    #[inline(always)]
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        self.credit(color, WEIGHTS[feature] * count);
    }

    #[inline(always)]
    fn piece(&mut self, color: Color, kind: PieceType, square: usize) {
        self.credit(color, PSQT[kind.index() * 64 + square]);
    }

    #[inline(always)]
    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        self.danger[color.index()] += WEIGHTS[feature] * count;
    }
}

/// Piece-square tables with material included, pawns to queens.
static PSQT: [Tapered; 5 * 64] = {
    let mut values = [Tapered::ZERO; 5 * 64];
    let mut index = 0;
    while index < values.len() {
        let material = WEIGHTS[features::MATERIAL + index / 64];
        values[index] = material.plus(WEIGHTS[features::PIECE_SQUARE + index]);
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

/// Returns the score of `board` in centipawns for White, before endgame knowledge.
#[must_use]
pub(crate) fn score(board: &Board) -> i32 {
    interpolate(board, sum(board))
}

/// Returns the same as [`score`], with `cache` as pawn hash table.
#[inline]
pub(crate) fn score_cached(board: &Board, cache: &mut PawnCache) -> i32 {
    let mut context = Context::new(board);
    let (mut sum, passed) = cache.get(board, || {
        let mut sum = WeightedSum::default();
        count_pawns_and_kings(&mut context, &mut sum);
        (sum, context.passed)
    });
    context.passed = passed;
    count_pieces(&mut context, &mut sum);
    interpolate(board, sum.total())
}

/// Returns the weighted sum of all features.
fn sum(board: &Board) -> Tapered {
    let mut sum = WeightedSum::default();
    count_features(board, &mut sum);
    sum.total()
}

/// Returns the scale factor of the endgame score, out of [`FULL_SCALE`].
#[must_use]
pub(crate) fn endgame_scale(board: &Board) -> i32 {
    scale::scale(board, sum(board).endgame())
}

/// Tapered evaluation: interpolates between middle game and endgame by phase. The endgame score is
/// scaled down where a lead is hard to convert, and both scores where it hardly ever wins.
fn interpolate(board: &Board, value: Tapered) -> i32 {
    let phase = phase(board);
    let scale = scale::scale(board, value.endgame());
    let endgame = value.endgame() * scale / FULL_SCALE;
    let middle_game = value.middle_game() * middle_game_scale(scale) / FULL_SCALE;
    (middle_game * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Returns the scale factor of the middle-game score that goes with this [`endgame_scale`], out of
/// [`FULL_SCALE`].
#[must_use]
pub(crate) fn middle_game_scale(endgame_scale: i32) -> i32 {
    if endgame_scale <= scale::NEARLY_DRAWN { endgame_scale } else { FULL_SCALE }
}

/// Reports every feature of `board` to `sink`.
pub fn count_features(board: &Board, sink: &mut impl FeatureSink) {
    let mut context = Context::new(board);
    count_pawns_and_kings(&mut context, sink);
    count_pieces(&mut context, sink);
}

/// Counts the terms that depend only on the pawns and the kings' squares, and so can be cached.
fn count_pawns_and_kings(context: &mut Context<'_>, sink: &mut impl FeatureSink) {
    let (pawns, kings) = (context.pawns, context.kings);
    context.passed = pawns::count::<White>(pawns, sink) | pawns::count::<Black>(pawns, sink);
    shelter::count::<White>(pawns, kings[Color::White.index()], sink);
    shelter::count::<Black>(pawns, kings[Color::Black.index()], sink);
}

/// Counts all other terms. `mobility` comes first, for both sides, because it fills in the attack
/// maps.
#[inline]
fn count_pieces(context: &mut Context<'_>, sink: &mut impl FeatureSink) {
    sink.add(context.board.side_to_move(), features::TEMPO, 1);
    mobility::count::<White>(context, sink);
    mobility::count::<Black>(context, sink);
    count_relations::<White>(context, sink);
    count_relations::<Black>(context, sink);
}

#[inline]
fn count_relations<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    minors::count::<S>(context, sink);
    rooks::count::<S>(context, sink);
    passed::count::<S>(context, sink);
    shelter::castling::<S>(context, sink);
    king_safety::count::<S>(context, sink);
    threats::count::<S>(context, sink);
    space::count::<S>(context, sink);
}

#[cfg(test)]
pub(crate) mod testing;

#[cfg(test)]
mod tests {
    use super::testing::expect;
    use super::*;

    #[test]
    fn tempo_belongs_to_side_to_move() {
        expect("4k3/8/8/8/8/8/8/4K3 w - -", &[(features::TEMPO, [1, 0])]);
        expect("4k3/8/8/8/8/8/8/4K3 b - -", &[(features::TEMPO, [0, 1])]);
    }
}
