//! The moves of a position that is in the tables, from best to worst: what keeps the result, and
//! what makes progress.
//!
//! A won position must get on, or the fifty-move rule makes a draw of it: the moves of a won
//! position are ranked by the distance to the next capture or pawn move. It may look odd to a human
//! being, but it never fails, however shallow the search is. Draws are left to the search, and so are
//! losses, as long as the fifty-move rule does not come into sight.

use super::probe::is_checkmate;
use super::wdl::Wdl;
use super::{ProbeRules, Tables};
use crate::board::{Board, Game};
use crate::types::{Move, Score};

/// A move of the position, and what the tables say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The higher the better. Only moves of the highest rank should be played; which of them, the
    /// tables do not say.
    pub rank: i32,
    /// What the move is worth.
    pub score: Score,
}

/// All legal moves of a position, ranked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The moves, in the generator's order.
    pub moves: Vec<RankedMove>,
    /// Are they ranked by distance? Otherwise tables of distances are missing, and whether a win
    /// makes progress is up to the search.
    pub by_distance: bool,
}

/// Ranks of wins and losses are further from 0 than this; within are those that the fifty-move rule
/// may turn into draws. More than any distance and clock together.
const CERTAIN: i32 = 10_000;

impl Tables {
    /// Ranks the moves of a game's present position. `None` if it is not in the tables.
    #[must_use]
    pub fn rank_moves(&self, game: &Game, rules: ProbeRules) -> Option<Ranking> {
        let board = game.board();
        if !self.covers(board) || board.occupied().len() as usize > rules.limit {
            return None;
        }
        let rank = |by_distance: bool| -> Option<Vec<RankedMove>> {
            let moves = board.legal_moves();
            let ranked = moves.iter().map(|&mv| {
                let child = board.after(mv);
                if by_distance {
                    self.by_distance(game, &child, rules).map(|plies| (mv, plies))
                } else {
                    // As if the result were near: only whether it is a win counts.
                    self.probe_wdl(&child).map(|wdl| (mv, (-wdl).zeroing_now()))
                }
            });
            let clock = if by_distance { i32::from(board.halfmove_clock()) } else { 0 };
            let ranked = ranked.map(|found| {
                found.map(|(mv, plies)| {
                    let (rank, score) = rank_and_score(plies, clock, rules.fifty_move_rule);
                    RankedMove { mv, rank, score }
                })
            });
            ranked.collect()
        };
        let ranked = |by_distance| rank(by_distance).map(|moves| Ranking { moves, by_distance });
        ranked(true).or_else(|| ranked(false))
    }

    /// Plies to the next capture or pawn move, from before the move that led to `child`.
    fn by_distance(&self, game: &Game, child: &Board, rules: ProbeRules) -> Option<i32> {
        if is_checkmate(child) {
            return Some(1);
        }
        if child.halfmove_clock() == 0 {
            return self.probe_wdl(child).map(|wdl| (-wdl).zeroing_now());
        }
        // Whatever could come of it: the opponent claims the draw.
        let fifty_moves = rules.fifty_move_rule && child.halfmove_clock() >= 100;
        if fifty_moves || is_third_time(game, child) {
            return Some(0);
        }
        let plies = -self.probe_dtz(child)?;
        Some(plies + plies.signum())
    }
}

/// Has the position come up twice in the game already?
fn is_third_time(game: &Game, child: &Board) -> bool {
    let reversible = usize::from(child.halfmove_clock());
    let earlier = game.positions().iter().rev().take(reversible);
    earlier.filter(|board| board.key() == child.key()).count() >= 2
}

/// From the distance, negative for a loss, and the clock of the fifty-move rule before the move.
fn rank_and_score(plies: i32, clock: i32, fifty_move_rule: bool) -> (i32, Score) {
    let distance = plies.abs();
    let (wins, loses) = (plies > 0, plies < 0);
    if !fifty_move_rule {
        return match (wins, loses) {
            (true, _) => (2 * CERTAIN - distance, WIN),
            (_, true) => (-2 * CERTAIN, LOSS),
            _ => (0, Score::DRAW),
        };
    }
    // Distances may be one too small, so 100 is in doubt: still a win, but behind all others.
    if wins && distance + clock <= 99 {
        (2 * CERTAIN - distance, WIN)
    } else if wins {
        let score = if distance + clock == 100 { WIN } else { Wdl::CursedWin.score(true, 1) };
        (CERTAIN - distance - clock, score)
    } else if loses && 2 * distance + clock < 100 {
        // Lost in good time: which move makes it hardest is for the search to say.
        (-2 * CERTAIN, LOSS)
    } else if loses {
        let lost = distance + clock <= 100;
        let score = if lost { LOSS } else { Wdl::BlessedLoss.score(true, 1) };
        (-CERTAIN + distance + clock, score)
    } else {
        (0, Score::DRAW)
    }
}

/// A win, or a loss, after the move.
const WIN: Score = Score::tablebase_win(1);
const LOSS: Score = Score::tablebase_loss(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order() {
        let rank = |plies, clock| rank_and_score(plies, clock, true).0;
        // A fast win, a slow one, one in doubt, one that is cursed, draw, blessed loss, loss.
        let from_best = [
            rank(1, 0),
            rank(40, 10),
            rank(90, 10),
            rank(91, 10),
            rank(110, 0),
            rank(0, 50),
            rank(-101, 0),
            rank(-60, 10),
            rank(-10, 10),
        ];
        assert!(from_best.is_sorted_by(|a, b| a > b), "{from_best:?}");
        assert_eq!(rank(-1, 0), rank(-20, 0), "the search decides");
    }

    #[test]
    fn the_fifty_move_rule_decides_what_is_won() {
        assert_eq!(rank_and_score(101, 0, false).1, WIN);
        assert_eq!(rank_and_score(-101, 0, false).1, LOSS);
        assert!(!rank_and_score(101, 0, true).1.is_decisive());
        assert!(!rank_and_score(-101, 0, true).1.is_decisive());
        assert!(rank_and_score(101, 0, true).1 > Score::DRAW);
        assert_eq!(rank_and_score(60, 40, true).1, WIN);
        assert!(!rank_and_score(60, 41, true).1.is_decisive());
        assert_eq!(rank_and_score(-60, 40, true).1, LOSS);
        assert!(!rank_and_score(-60, 41, true).1.is_decisive());
    }
}
