//! Tablebase ranking of root moves. Start at [`Tables::rank_moves`].
//!
//! A win must make progress before the fifty-move rule makes it a draw, so winning moves are ranked
//! by DTZ. This may look odd to a human, but it never fails, however shallow the search is. The
//! search chooses among drawing moves, and among losing moves that are far from the fifty-move
//! limit.

use super::probe::is_checkmate;
use super::wdl::Wdl;
use super::{ProbeRules, Tables};
use crate::board::{Board, Game};
use crate::types::{Move, Score};

/// A legal move with its tablebase rank and score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Rank, higher is better. Only moves of the highest rank should be played; the search chooses
    /// among them.
    pub rank: i32,
    /// Tablebase score of the move.
    pub score: Score,
}

/// All legal moves of a position, ranked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The moves, in generation order.
    pub moves: Vec<RankedMove>,
    /// Whether the ranks come from DTZ. If not, a DTZ table is missing, and it is up to the search
    /// to make progress in a win.
    pub by_distance: bool,
}

/// Certain wins and losses have ranks of greater magnitude; those that the fifty-move rule may turn
/// into draws have smaller ones. Exceeds any sum of distance and clock.
const CERTAIN: i32 = 10_000;

impl Tables {
    /// Ranks the legal moves of the current position by DTZ, or by WDL if a DTZ table is missing.
    /// `None` if the position is not covered.
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
                    // WDL only: use the shortest distance with this result.
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

    /// Returns the signed distance to zeroing in plies, from before the move that led to `child`.
    fn by_distance(&self, game: &Game, child: &Board, rules: ProbeRules) -> Option<i32> {
        if is_checkmate(child) {
            return Some(1);
        }
        if child.halfmove_clock() == 0 {
            return self.probe_wdl(child).map(|wdl| (-wdl).zeroing_now());
        }
        // The opponent can claim a draw, whatever the tables say.
        let fifty_moves = rules.fifty_move_rule && child.halfmove_clock() >= 100;
        if fifty_moves || is_third_time(game, child) {
            return Some(0);
        }
        let plies = -self.probe_dtz(child)?;
        Some(plies + plies.signum())
    }
}

/// Returns whether `child` would be the third occurrence of its position.
fn is_third_time(game: &Game, child: &Board) -> bool {
    let reversible = usize::from(child.halfmove_clock());
    let earlier = game.positions().iter().rev().take(reversible);
    earlier.filter(|board| board.key() == child.key()).count() >= 2
}

/// Returns the rank and score of a move, from the distance `plies` (negative for a loss) and the
/// halfmove clock before the move.
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
    // DTZ may be one too small, so a sum of 100 is uncertain: still a win, but ranked last.
    if wins && distance + clock <= 99 {
        (2 * CERTAIN - distance, WIN)
    } else if wins {
        let score = if distance + clock == 100 { WIN } else { Wdl::CursedWin.score(true, 1) };
        (CERTAIN - distance - clock, score)
    } else if loses && 2 * distance + clock < 100 {
        // Lost well within the fifty-move limit: the search chooses the toughest defence.
        (-2 * CERTAIN, LOSS)
    } else if loses {
        let lost = distance + clock <= 100;
        let score = if lost { LOSS } else { Wdl::BlessedLoss.score(true, 1) };
        (-CERTAIN + distance + clock, score)
    } else {
        (0, Score::DRAW)
    }
}

/// Score of a win, and of a loss, one ply from the root.
const WIN: Score = Score::tablebase_win(1);
const LOSS: Score = Score::tablebase_loss(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_order_moves_by_result_and_distance() {
        let rank = |plies, clock| rank_and_score(plies, clock, true).0;
        // Fast win, slow win, uncertain win, two cursed wins, draw, blessed loss, slow loss, fast
        // loss.
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
    fn scores_respect_fifty_move_rule() {
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
