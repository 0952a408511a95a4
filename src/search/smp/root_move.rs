//! A root move with its score and principal variation. Start at [`RootMove`].

use crate::tablebase::RankedMove;
use crate::types::{Move, Score};

/// A root move and its results.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    pub(crate) previous_score: Score,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Move>,
    /// Tablebase rank, higher is better; it outweighs the score.
    pub(crate) rank: i32,
    /// Tablebase score.
    verdict: Option<Score>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            seldepth: 0,
            nodes: 0,
            pv: vec![mv],
            rank: 0,
            verdict: None,
        }
    }

    /// Adds the tablebase rank and score of this move, if it is in `ranking`.
    pub(crate) fn ranked(self, ranking: &[RankedMove]) -> Self {
        match ranking.iter().find(|ranked| ranked.mv == self.mv) {
            Some(ranked) => Self { rank: ranked.rank, verdict: Some(ranked.score), ..self },
            None => self,
        }
    }

    /// Moves `score` to `previous_score` for a new iteration. A move that did not raise alpha in
    /// the last one keeps no older score, which could sort it ahead of the best move.
    pub(crate) fn begin_iteration(&mut self) {
        self.previous_score = std::mem::replace(&mut self.score, -Score::INFINITE);
    }

    /// Returns the score, or the previous iteration's if this one has none.
    pub(crate) fn known_score(&self) -> Score {
        if self.score == -Score::INFINITE { self.previous_score } else { self.score }
    }

    /// Returns the score to report: the tablebase score if there is one, unless a mate was found.
    pub(crate) fn shown_score(&self) -> Score {
        let known = self.known_score();
        self.verdict.filter(|_| !known.is_mate()).unwrap_or(known)
    }

    /// Returns the sort key that puts the best root move first.
    pub(crate) fn place(&self) -> impl Ord + use<> {
        std::cmp::Reverse((self.rank, self.score, self.previous_score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Piece, Square};

    /// A move that was best two iterations ago, with a high score, must not come first again when
    /// the current iteration is aborted before it has a result.
    #[test]
    fn aborted_iteration_keeps_previous_best_move() {
        let [a, b] = [Square::F3, Square::H3]
            .map(|to| RootMove::new(Move::quiet(Piece::WhiteKnight, Square::G1, to)));
        let (first, second) = (a.mv, b.mv);
        let mut moves = [a, b];
        for (of_first, of_second) in [(Some(50), None), (None, Some(30)), (None, None)] {
            moves.iter_mut().for_each(RootMove::begin_iteration);
            for root in &mut moves {
                let found = if root.mv == first { of_first } else { of_second };
                root.score = found.map_or(-Score::INFINITE, Score::cp);
            }
            moves.sort_by_key(RootMove::place);
        }
        assert_eq!(moves[0].mv, second);
        assert_eq!(moves[0].known_score(), Score::cp(30));
    }
}
