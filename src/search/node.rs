//! A node of the main search, as a list of named decisions.

use std::cell::OnceCell;

use super::kinds::NodeKind;
use super::params as p;
use super::prober::Prober;
use super::quiescence::{better_known, cutoff, settles};
use super::report::Bound;
use super::tt::Entry;
use super::worker::{Searched, Task, Worker};
use crate::board::{Board, Checks};
use crate::types::{MAX_PLY, Move, Score};

/// A node, as far as it is known before its moves are looked at.
#[allow(clippy::struct_field_names)] // "cut node" is the term
pub(super) struct Node<'a> {
    pub(super) board: &'a Board,
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) beta: Score,
    /// Bounds that endgame tables give; of use on a principal variation only.
    pub(super) floor: Score,
    pub(super) ceiling: Score,
    pub(super) cut_node: bool,
    pub(super) entry: Option<Entry>,
    pub(super) table_move: Option<Move>,
    /// The evaluation as it came, as it was corrected, and as far as the table knows better; none
    /// of them in check.
    pub(super) raw_eval: Option<Score>,
    pub(super) static_eval: Option<Score>,
    pub(super) eval: Option<Score>,
    pub(super) improving: bool,
    /// From where check can be given; found out when it is first asked.
    pub(super) checks: OnceCell<Checks>,
    /// Is it on a principal variation, or was it?
    pub(super) was_pv: bool,
}

impl Worker {
    #[allow(clippy::too_many_arguments)] // the classic signature of alpha-beta
    pub(super) fn search<K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        board: &Board,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Searched {
        // Check extension: a forced answer does not count as a ply.
        if board.in_check() && self.may_extend(ply) {
            depth = depth.max(0) + p::check_extension();
        }
        if depth <= 0 {
            return self.quiescence::<K>(task, board, alpha, beta, ply);
        }
        self.enter_node(task, ply)?;
        if !K::ROOT {
            if self.is_draw(board) {
                return Ok(Score::DRAW);
            }
            if ply >= MAX_PLY - 1 {
                return Ok(self.evaluate(board));
            }
            // A draw can be had by going back.
            if alpha < Score::DRAW && self.can_repeat(board) {
                alpha = Score::DRAW;
                if alpha >= beta {
                    return Ok(alpha);
                }
            }
            // Mate-distance pruning: a shorter mate is known already.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let entry = task.table.probe(board.key());
        let excluded = self.frame(ply).excluded;
        if !K::PV
            && excluded.is_none()
            && i32::from(board.halfmove_clock()) < p::table_cutoff_clock()
            && let Some(score) = entry.and_then(|entry| cutoff(&entry, depth, alpha, beta, ply))
        {
            return Ok(score);
        }
        let mut node = self.examine::<K>(board, entry, depth, ply, beta, cut_node);
        if !K::ROOT && excluded.is_none() && task.prober.is_some() {
            match self.ask_endgame_tables(task, &node, alpha) {
                Known::Nothing => {}
                Known::Settled(score) => return Ok(score),
                Known::Bounds { floor, ceiling } => {
                    (node.floor, node.ceiling) = (floor, ceiling);
                    // On the principal variation nothing less than a mate is of interest any more.
                    alpha = if K::PV { alpha.max(floor) } else { alpha };
                }
            }
        }
        // Who asks for a mate wants every move looked at.
        let prunes = task.limits.mate.is_none();
        if !K::PV
            && prunes
            && excluded.is_none()
            && let Some(score) = self.prune_whole_node(task, &node, alpha)?
        {
            return Ok(score);
        }
        // Internal iterative reduction: without a move from the table the order is poor.
        if (K::PV || cut_node)
            && node.table_move.is_none()
            && depth >= p::iterative_reduction_depth()
            && !K::ROOT
        {
            node.depth -= 1;
        }
        self.search_moves::<K>(task, &node, alpha, excluded)
    }

    /// What endgame tables know about a node. Not inlined: without tables a node should be as small
    /// as ever.
    #[inline(never)]
    fn ask_endgame_tables(&mut self, task: &Task<'_>, node: &Node<'_>, alpha: Score) -> Known {
        let &Node { board, ply, depth, beta, .. } = node;
        let probe = |prober: &Prober<'_>| prober.probe(board, depth, ply);
        let Some((score, bound)) = task.prober.as_ref().and_then(probe) else {
            return Known::Nothing;
        };
        self.tb_hits += 1;
        if settles(score, bound, alpha, beta) {
            task.table.store(board.key(), tb_entry(node, score, bound));
            return Known::Settled(score);
        }
        match bound {
            Bound::Lower => Known::Bounds { floor: score, ceiling: Score::INFINITE },
            _ => Known::Bounds { floor: -Score::INFINITE, ceiling: score },
        }
    }

    /// Evaluates the position, with what the table knows.
    fn examine<'a, K: NodeKind>(
        &mut self,
        board: &'a Board,
        entry: Option<Entry>,
        depth: i32,
        ply: usize,
        beta: Score,
        cut_node: bool,
    ) -> Node<'a> {
        let table_move = if K::ROOT {
            // The best move of the last iteration.
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| board.is_legal(mv))
        };
        let raw_eval = (!board.in_check()).then(|| match entry.and_then(|entry| entry.eval) {
            Some(eval) => Score::cp(eval.into()),
            None => self.raw_eval(board),
        });
        let static_eval = raw_eval.map(|raw| self.corrected(board, raw));
        self.frame_mut(ply).static_eval = static_eval;
        self.judge_move_before(ply, static_eval);
        let improving = match (static_eval, self.before(ply)) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            _ => false,
        };
        let eval = static_eval.map(|eval| better_known(eval, entry.as_ref(), ply));
        self.frame_mut(ply + 1).killers = [None; 2];
        self.frame_mut(ply + 2).cutoffs = 0;
        self.frame_mut(ply).double_extensions =
            if ply == 0 { 0 } else { self.frame(ply - 1).double_extensions };
        Node {
            board,
            ply,
            depth,
            beta,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
            cut_node,
            entry,
            table_move,
            raw_eval,
            static_eval,
            eval,
            improving,
            checks: OnceCell::new(),
            was_pv: K::PV || entry.is_some_and(|entry| entry.pv),
        }
    }

    /// The evaluation after a quiet move, against the one before it, tells something about the move.
    fn judge_move_before(&mut self, ply: usize, static_eval: Option<Score>) {
        if self.frame(ply).excluded.is_none()
            && let Some((mv, circumstances)) = self.quiet_move_before(ply)
            && let (Some(now), Some(then)) = (static_eval, self.frame(ply - 1).static_eval)
        {
            // Each is seen from the side to move.
            let gain = -now.value() - then.value();
            self.histories.reward_gain(mv, &circumstances, gain);
        }
    }

    /// Extensions end where the line is long enough already.
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < p::extension_limit() * self.root_depth
    }

    /// The evaluation when the same side was to move the last time and was not in check.
    pub(super) fn before(&self, ply: usize) -> Option<Score> {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.frame(ply).static_eval);
        at(2).or_else(|| at(4))
    }

    /// Stores the result, and learns how far the evaluation was off.
    pub(super) fn remember<K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        node: &Node<'_>,
        best: Score,
        best_move: Option<Move>,
        bound: Bound,
    ) {
        task.table.store(
            node.board.key(),
            Entry {
                mv: best_move,
                score: best.to_table(node.ply),
                eval: node.raw_eval.map(|eval| eval.value() as i16),
                depth: node.depth,
                bound,
                pv: node.was_pv,
            },
        );
        let Some(eval) = node.static_eval else { return };
        let quiet = best_move.is_none_or(|mv| !mv.is_noisy());
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if quiet && tells && !best.is_decisive() {
            // Against the raw evaluation: the correction is what is being learnt.
            let raw = node.raw_eval.unwrap_or(eval);
            let error = best.value() - raw.value();
            self.correction.update(node.board, error, node.depth);
        }
    }
}

/// What endgame tables say about a node.
enum Known {
    Nothing,
    /// All that was asked.
    Settled(Score),
    /// The score is within these bounds.
    Bounds {
        floor: Score,
        ceiling: Score,
    },
}

/// So much deeper than the node counts what endgame tables know.
const TB_HIT_DEPTH: i32 = 6;

/// What endgame tables know, for the hash table. It holds at any depth, but a mate is still worth
/// looking for.
fn tb_entry(node: &Node<'_>, score: Score, bound: Bound) -> Entry {
    Entry {
        mv: None,
        score: score.to_table(node.ply),
        eval: node.raw_eval.map(|eval| eval.value() as i16),
        depth: (node.depth + TB_HIT_DEPTH).min(MAX_PLY as i32 - 1),
        bound,
        pv: node.was_pv,
    }
}
