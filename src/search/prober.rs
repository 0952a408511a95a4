//! What the search does with endgame tables.

use super::report::Bound;
use crate::board::{Board, Game};
use crate::tablebase::{ProbeRules, Ranking, Tables};
use crate::types::Score;

/// Endgame tables and the rules by which they are asked, for one search.
#[derive(Clone, Copy)]
pub(super) struct Prober<'a> {
    tables: &'a Tables,
    rules: ProbeRules,
}

impl<'a> Prober<'a> {
    /// `None` if nothing would ever be asked.
    pub(super) fn new(tables: Option<&'a Tables>, rules: ProbeRules) -> Option<Self> {
        let tables = tables.filter(|_| rules.limit > 0)?;
        let most = tables.max_men();
        // The depth is there to spare the largest tables that are allowed. If all that there are
        // are smaller than that, none needs to be spared.
        let depth = if rules.limit > most { 0 } else { rules.depth };
        Some(Self { tables, rules: ProbeRules { limit: rules.limit.min(most), depth, ..rules } })
    }

    /// The moves at the root, if the position is in the tables.
    pub(super) fn rank(&self, game: &Game) -> Option<Ranking> {
        self.tables.rank_moves(game, self.rules)
    }

    /// What is known about a position of the tree, if it should be asked for: a score, and what the
    /// score means. Only with the clock of the fifty-move rule at zero do tables tell the truth.
    pub(super) fn probe(&self, board: &Board, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        let men = board.occupied().len() as usize;
        let wanted = men <= self.rules.limit
            && (men < self.rules.limit || depth >= self.rules.depth)
            && board.halfmove_clock() == 0;
        if !wanted {
            return None;
        }
        let wdl = self.tables.probe_wdl(board)?;
        let score = wdl.score(self.rules.fifty_move_rule, ply);
        // There may be a mate, which is more than a win.
        let bound = if score.is_win() {
            Bound::Lower
        } else if score.is_loss() {
            Bound::Upper
        } else {
            Bound::Exact
        };
        Some((score, bound))
    }
}

/// Is there anything left to ask in the tree, when the root is in the tables? Not if its moves are
/// ranked by distance: then the search should find mates, and not stop at wins that are known. And
/// not if there is nothing to win.
pub(super) fn is_useful_below(ranking: &Ranking) -> bool {
    let best = ranking.moves.iter().max_by_key(|ranked| ranked.rank);
    !ranking.by_distance && best.is_some_and(|best| best.score > Score::DRAW)
}
