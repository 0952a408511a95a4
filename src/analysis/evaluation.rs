//! The evaluation of a position, as winning chances and as PGN text.

use crate::types::{Color, Move, Score};

/// The evaluation of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The side to move.
    pub us: Color,
    /// The score from the side to move's point of view, as displayed: 100 centipawns mean an even
    /// chance to win.
    pub score: Score,
    /// The principal variation; empty where the rules decide the score.
    pub line: Vec<Move>,
    /// Number of legal moves.
    pub choices: usize,
}

/// Cap on evaluations in displayed centipawns: beyond it a lead makes no difference. Lichess uses
/// the same cap ("ceiling") and counts a mate as much.
const CEILING: i32 = 1_000;

/// Steepness of the winning-chances curve, which Lichess fitted to games between humans
/// (<https://lichess.org/page/accuracy>). The engine's own curve, fitted to engine games, is much
/// steeper. But most analysed games are by humans, and `?` should mean the same as elsewhere.
const STEEPNESS: f64 = 0.003_682_08;

impl Evaluation {
    /// Returns the best move.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }

    /// Returns the length of a forced mate in moves: positive if `side` mates, negative if it is
    /// mated.
    #[must_use]
    pub fn mate_for(&self, side: Color) -> Option<i32> {
        // Negate the distance, not the score: the rounding of plies to moves depends on who moves
        // first.
        let moves = self.score.mate_distance()?;
        Some(if side == self.us { moves } else { -moves })
    }

    /// Returns the displayed score from `side`'s point of view.
    fn score_for(&self, side: Color) -> Score {
        if side == self.us { self.score } else { -self.score }
    }

    /// Returns displayed centipawns from `side`'s point of view, clamped to the cap; a mate counts
    /// as the cap.
    #[must_use]
    pub fn centipawns_for(&self, side: Color) -> i32 {
        let score = self.score_for(side);
        if score.is_mate() {
            return if score.is_win() { CEILING } else { -CEILING };
        }
        score.value().clamp(-CEILING, CEILING)
    }

    /// Returns whether `side` can force mate or has given it.
    pub(super) fn is_mate_by(&self, side: Color) -> bool {
        self.score.is_mate() && self.score_for(side).is_win()
    }

    /// Returns `side`'s winning chances, from -1 (lost) to 1 (won).
    #[must_use]
    pub fn chances_for(&self, side: Color) -> f64 {
        chances(self.centipawns_for(side).into())
    }

    /// Returns the argument of the PGN command `%eval`, from White's point of view: pawns with two
    /// decimals, or `#` and the moves to mate. Returns `None` if mate is on the board.
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

/// Converts centipawns to winning chances from -1 to 1.
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
    fn pgn_text_is_from_whites_point_of_view() {
        for (us, score, text) in [
            (Color::White, Score::cp(100), "1.00"),
            (Color::Black, Score::cp(100), "-1.00"),
            (Color::Black, Score::cp(-5), "0.05"),
            (Color::White, Score::cp(-5), "-0.05"),
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
    fn chances_match_lichess() {
        for (centipawns, expected) in [(0.0, 0.0), (100.0, 0.1821), (300.0, 0.5023)] {
            assert!((chances(centipawns) - expected).abs() < 1e-4, "{centipawns}");
            assert!((chances(-centipawns) + expected).abs() < 1e-4, "{centipawns}");
        }
        // A mate counts the same as any evaluation beyond the cap.
        let won = testing(Color::White, Score::cp(5_000));
        let mate = testing(Color::Black, Score::mated_in(2));
        for side in Color::ALL {
            assert_eq!(won.centipawns_for(side), mate.centipawns_for(side));
            assert!((won.chances_for(side) - mate.chances_for(side)).abs() < 1e-9);
        }
    }
}
