//! What a position is worth, and how that is written and compared.

use crate::eval::OUTCOME;
use crate::types::{Color, Move, Score};

/// What the engine found in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The side to move.
    pub us: Color,
    /// The score from its point of view, in the units of the search.
    pub score: Score,
    /// The best line; empty if there is no move.
    pub line: Vec<Move>,
    /// How many moves there are.
    pub choices: usize,
}

/// Nobody cares how much more than this is lost or won, in the centipawns that are shown. Lichess
/// uses the same bound ("ceiling"), and lets mates count as much.
const CEILING: i32 = 1_000;

/// How fast winning chances grow with a lead, as Lichess fitted it to games between people
/// (<https://lichess.org/page/accuracy>). The engine's own curve is that of games between engines,
/// which is much steeper; but what is judged here are mostly games of people, and a `?` should mean
/// what it means elsewhere.
const STEEPNESS: f64 = 0.003_682_08;

impl Evaluation {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }

    /// The length of a forced mate in moves: positive if the side gives it, negative if it suffers it.
    #[must_use]
    pub fn mate_for(&self, side: Color) -> Option<i32> {
        // Counted for the side to move: who moves first decides how plies make moves.
        let moves = self.score.mate_distance()?;
        Some(if side == self.us { moves } else { -moves })
    }

    /// The score as it is shown, from a side's point of view.
    fn score_for(&self, side: Color) -> Score {
        let shown = OUTCOME.shown(self.score);
        if side == self.us { shown } else { -shown }
    }

    /// Centipawns as they are shown, for a side; mates and everything beyond the ceiling are cut.
    #[must_use]
    pub fn centipawns_for(&self, side: Color) -> i32 {
        let score = self.score_for(side);
        if score.is_mate() {
            return if score.is_win() { CEILING } else { -CEILING };
        }
        score.value().clamp(-CEILING, CEILING)
    }

    /// Does this side force mate, or has it given it?
    pub(super) fn is_mate_by(&self, side: Color) -> bool {
        self.score.is_mate() && self.score_for(side).is_win()
    }

    /// A side's winning chances, from -1 (lost) to 1 (won).
    #[must_use]
    pub fn chances_for(&self, side: Color) -> f64 {
        chances(self.centipawns_for(side).into())
    }

    /// The argument of the command `%eval` in a PGN comment: pawns with two decimals or `#` and
    /// moves to mate, always from White's point of view. Nothing for a mate on the board.
    #[must_use]
    pub fn pgn_text(&self) -> Option<String> {
        match self.mate_for(Color::White) {
            None => {
                let cents = self.score_for(Color::White).centipawns();
                let sign = if cents < 0 { "-" } else { "" };
                let size = cents.unsigned_abs();
                Some(format!("{sign}{}.{:02}", size / 100, size % 100))
            }
            Some(_) if self.choices == 0 => None,
            Some(moves) => Some(format!("#{moves}")),
        }
    }
}

/// Winning chances from -1 to 1 for centipawns.
pub(super) fn chances(centipawns: f64) -> f64 {
    2.0 / (1.0 + (-STEEPNESS * centipawns).exp()) - 1.0
}

#[cfg(test)]
pub(super) fn testing(us: Color, score: Score) -> Evaluation {
    Evaluation { us, score, line: Vec::new(), choices: 20 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_from_whites_point_of_view() {
        let even = OUTCOME.even.round() as i32;
        for (us, score, text) in [
            (Color::White, Score::cp(even), "1.00"),
            (Color::Black, Score::cp(even), "-1.00"),
            (Color::Black, Score::cp(-even / 20), "0.05"),
            (Color::White, Score::cp(-even / 20), "-0.05"),
            (Color::White, Score::tablebase_win(6), "199.94"),
            (Color::Black, Score::tablebase_win(6), "-199.94"),
            (Color::White, Score::DRAW, "0.00"),
            (Color::Black, Score::DRAW, "0.00"),
            (Color::White, Score::mate_in(5), "#3"),
            (Color::Black, Score::mate_in(5), "#-3"),
            (Color::White, Score::mated_in(4), "#-2"),
            (Color::Black, Score::mated_in(4), "#2"),
        ] {
            assert_eq!(testing(us, score).pgn_text().unwrap(), text);
        }
        let mate = Evaluation { choices: 0, ..testing(Color::White, Score::mated_in(0)) };
        assert_eq!(mate.pgn_text(), None);
    }

    #[test]
    fn chances_are_those_that_lichess_publishes() {
        for (centipawns, expected) in [(0.0, 0.0), (100.0, 0.1821), (300.0, 0.5023)] {
            assert!((chances(centipawns) - expected).abs() < 1e-4, "{centipawns}");
            assert!((chances(-centipawns) + expected).abs() < 1e-4, "{centipawns}");
        }
        // A mate is not more than a position in which everything is won.
        let won = testing(Color::White, Score::cp(5_000));
        let mate = testing(Color::Black, Score::mated_in(2));
        for side in Color::ALL {
            assert_eq!(won.centipawns_for(side), mate.centipawns_for(side));
            assert!((won.chances_for(side) - mate.chances_for(side)).abs() < 1e-9);
        }
    }
}
