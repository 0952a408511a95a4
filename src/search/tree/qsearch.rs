//! Quiescence search (qsearch): captures, promotions and check evasions, until the position is
//! quiet enough to evaluate. Start at [`Worker::quiescence`].

use crate::board::{Board, see_value};
use crate::search::ordering::move_picker::MovePicker;
use crate::search::params as p;
use crate::search::smp::shared::SearchShared;
use crate::search::smp::worker::{Searched, Worker};
use crate::search::tree::node::NodeType;
use crate::search::tt::{Bound, Entry};
use crate::types::{Move, PieceType, Score};

impl Worker {
    pub(crate) fn quiescence<K: NodeType>(
        &mut self,
        shared: &SearchShared<'_>,
        board: &Board,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Searched {
        self.enter_node(shared, ply)?;
        if let Some(score) = self.score_without_search(board, &mut alpha, beta, ply) {
            return Ok(score);
        }
        let entry = shared.tt.probe(board.key());
        if !K::PV
            && let Some(score) = entry.and_then(|entry| entry.cutoff(0, alpha, beta, ply))
        {
            return Ok(score);
        }
        let in_check = board.in_check();
        let evals = self.static_eval(board, entry.as_ref(), ply);
        let stand_pat = evals.map(|it| it.corrected);
        let old_alpha = alpha;
        let mut best = Score::mated_in(ply);
        if let Some(eval) = stand_pat {
            // Stand pat: no capture is forced, so the evaluation is a lower bound.
            best = entry.map_or(eval, |entry| entry.refine(eval, ply));
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let tt_move = entry.and_then(|entry| entry.mv).filter(|&mv| board.is_legal(mv));
        let mut picker = if in_check {
            MovePicker::new(tt_move, [None; 2], None, self.context(board, ply))
        } else {
            MovePicker::noisy(tt_move)
        };
        let mut best_move = None;
        while let Some(mv) = picker.next(board, &self.histories) {
            if self.overlooks(board, mv, ply) {
                continue;
            }
            if !best.is_loss() {
                if in_check && !mv.is_noisy() {
                    // One evasion does not lose at once, so skip the remaining quiet ones.
                    picker.skip_quiets();
                    continue;
                }
                if stand_pat.is_some_and(|eval| is_futile(mv, eval, alpha)) {
                    continue;
                }
            }
            // SEE pruning: the capture wins too little material in the exchange.
            if !in_check
                && !best.is_loss()
                && !picker.see_passes(board, mv, p::quiescence_exchange())
            {
                continue;
            }
            let child = self.child(shared, board, mv, ply);
            let score = -self.quiescence::<K>(shared, &child, -beta, -alpha, ply + 1)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if K::PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        let bound = Bound::of(best, old_alpha, beta);
        // Qsearch omits quiet moves, so its score is never exact.
        let bound = if bound == Bound::Exact { Bound::Upper } else { bound };
        let entry = Entry::new(best_move, best, ply, evals.map(|it| it.raw), 0, bound, K::PV);
        shared.tt.store(board.key(), entry);
        Ok(best)
    }
}

/// Delta pruning: returns whether `eval` plus the material that `mv` gains and a margin stays at or
/// below `alpha`. Underpromotions are always futile.
fn is_futile(mv: Move, eval: Score, alpha: Score) -> bool {
    let gain = mv.captured().map_or(0, see_value)
        + mv.promotion_to().map_or(0, see_value)
        + p::delta_margin();
    eval + gain <= alpha || mv.promotion_to().is_some_and(|kind| kind != PieceType::Queen)
}
