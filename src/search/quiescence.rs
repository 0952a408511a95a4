//! Quiescence search (qsearch): captures, promotions and check evasions, until the position is
//! quiet enough to evaluate. Start at [`Worker::quiescence`].

use super::kinds::NodeKind;
use super::params as p;
use super::picker::Picker;
use super::report::Bound;
use super::tt::Entry;
use super::worker::{Searched, Task, Worker};
use crate::board::{Board, see_value};
use crate::types::{MAX_PLY, Move, PieceType, Score};

impl Worker {
    pub(super) fn quiescence<K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        board: &Board,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Searched {
        self.enter_node(task, ply)?;
        if self.is_draw(board) {
            return Ok(Score::DRAW);
        }
        if ply >= MAX_PLY - 1 {
            return Ok(self.evaluate(board));
        }
        if alpha < Score::DRAW && self.can_repeat(board) {
            alpha = Score::DRAW;
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let entry = task.table.probe(board.key());
        if !K::PV
            && let Some(score) = entry.and_then(|entry| cutoff(&entry, 0, alpha, beta, ply))
        {
            return Ok(score);
        }
        let in_check = board.in_check();
        let raw_eval = (!in_check).then(|| match entry.and_then(|entry| entry.eval) {
            Some(eval) => Score::cp(eval.into()),
            None => self.raw_eval(board),
        });
        let stand_pat = raw_eval.map(|raw| self.corrected(board, raw));
        let old_alpha = alpha;
        let mut best = Score::mated_in(ply);
        if let Some(eval) = stand_pat {
            // Stand pat: no capture is forced, so the evaluation is a lower bound.
            best = better_known(eval, entry.as_ref(), ply);
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| board.is_legal(mv));
        let mut picker = if in_check {
            Picker::new(table_move, [None; 2], None, self.circumstances(board, ply))
        } else {
            Picker::noisy(table_move)
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
            // Prefetch while SEE runs.
            task.table.prefetch(board.prefetch_key(mv));
            // SEE pruning: the capture wins too little material in the exchange.
            if !in_check
                && !best.is_loss()
                && !picker.see_passes(board, mv, p::quiescence_exchange())
            {
                continue;
            }
            let mut child = *board;
            child.play_unchecked(mv);
            self.descend(ply, &child, Some(mv));
            let score = -self.quiescence::<K>(task, &child, -beta, -alpha, ply + 1)?;
            self.ascend();
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
        let bound = bound_of(best, old_alpha, beta);
        task.table.store(
            board.key(),
            Entry {
                mv: best_move,
                score: best.to_table(ply),
                eval: raw_eval.map(|eval| eval.value() as i16),
                depth: 0,
                // Qsearch omits quiet moves, so its score is never exact.
                bound: if bound == Bound::Exact { Bound::Upper } else { bound },
                pv: K::PV,
            },
        );
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

/// Returns the score of `entry` if it is deep enough and its bound decides the node (TT cutoff).
pub(super) fn cutoff(
    entry: &Entry,
    depth: i32,
    alpha: Score,
    beta: Score,
    ply: usize,
) -> Option<Score> {
    let score = entry.score_at(ply);
    (entry.depth >= depth && settles(score, entry.bound, alpha, beta)).then_some(score)
}

/// Returns whether a `score` with this `bound` decides a search with the window `alpha` to `beta`.
pub(super) fn settles(score: Score, bound: Bound, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

/// Returns the TT score where its bound makes it a better estimate than `eval`, otherwise `eval`.
pub(super) fn better_known(eval: Score, entry: Option<&Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return eval };
    let score = entry.score_at(ply);
    let nearer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if nearer && !score.is_decisive() { score } else { eval }
}

/// Returns the bound type of `best` after a search with the window `alpha` to `beta`.
pub(super) fn bound_of(best: Score, alpha: Score, beta: Score) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
