//! Tablebase probing during a search (Syzygy bases). Start at [`Prober::probe`].

use crate::board::{Board, Game};
use crate::search::tt::Bound;
use crate::tablebase::{ProbeRules, Ranking, Tables};
use crate::types::Score;

/// Tablebases and probing rules for one search.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a> {
    tables: &'a Tables,
    rules: ProbeRules,
}

impl<'a> Prober<'a> {
    /// Creates a prober, or `None` if no position would ever be probed.
    pub(crate) fn new(tables: Option<&'a Tables>, rules: ProbeRules) -> Option<Self> {
        let tables = tables.filter(|_| rules.limit > 0)?;
        let most = tables.max_men();
        // The probe depth only limits probes with exactly `limit` men. If no table is that large,
        // there is nothing to limit.
        let depth = if rules.limit > most { 0 } else { rules.depth };
        Some(Self { tables, rules: ProbeRules { limit: rules.limit.min(most), depth, ..rules } })
    }

    /// Ranks the root moves, if the root position is in the tablebases.
    pub(crate) fn rank(&self, game: &Game) -> Option<Ranking> {
        self.tables.rank_moves(game, self.rules)
    }

    /// Probes the WDL tables for `board`, if the rules allow it at this `depth`, and returns a
    /// score and its bound type. WDL values hold only when the fifty-move clock is zero.
    pub(crate) fn probe(&self, board: &Board, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        let men = board.occupied().len() as usize;
        let wanted = men <= self.rules.limit
            && (men < self.rules.limit || depth >= self.rules.depth)
            && board.halfmove_clock() == 0;
        if !wanted {
            return None;
        }
        let wdl = self.tables.probe_wdl(board)?;
        let score = wdl.score(self.rules.fifty_move_rule, ply);
        // A mate scores higher than a tablebase win, so a win is only a lower bound.
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

/// Returns whether to probe below a root that is in the tablebases. Not if its moves are ranked by
/// distance, because the search should then find mates rather than stop at known wins. Not if the
/// best of them is at most a draw.
pub(crate) fn is_useful_below(ranking: &Ranking) -> bool {
    let best = ranking.moves.iter().max_by_key(|ranked| ranked.rank);
    !ranking.by_distance && best.is_some_and(|best| best.score > Score::DRAW)
}
