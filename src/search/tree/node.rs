//! Alpha-beta search of one node: draws, TT and tablebase cutoffs, pruning, then the move loop.
//! Start at [`Worker::search`].

use std::cell::OnceCell;

use crate::board::{Board, CheckInfo};
use crate::search::params as p;
use crate::search::prober::Prober;
use crate::search::smp::shared::SearchShared;
use crate::search::smp::worker::{Searched, Worker};
use crate::search::tt::{Bound, Entry};
use crate::types::{MAX_PLY, Move, Score};

/// The type of a node, known at compile time.
pub(crate) trait NodeType {
    /// Whether it is a PV node, searched with an open window.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// State of a node before its move loop.
#[allow(clippy::struct_field_names)] // "cut node" is the term
pub(crate) struct Node<'a> {
    pub(crate) board: &'a Board,
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) beta: Score,
    /// Tablebase bounds on the score; used in PV nodes only.
    pub(crate) floor: Score,
    pub(crate) ceiling: Score,
    pub(crate) cut_node: bool,
    pub(crate) entry: Option<Entry>,
    pub(crate) tt_move: Option<Move>,
    /// Static evaluation: raw, corrected, and replaced by the TT score where that is a better
    /// estimate. All `None` in check.
    pub(crate) raw_eval: Option<Score>,
    pub(crate) static_eval: Option<Score>,
    pub(crate) eval: Option<Score>,
    pub(crate) improving: bool,
    /// Squares and pieces that give check, computed on first use.
    pub(crate) checks: OnceCell<CheckInfo>,
    /// Whether this is a PV node, or its TT entry came from one.
    pub(crate) was_pv: bool,
}

impl Node<'_> {
    /// Creates the TT entry for a result of this node.
    pub(crate) fn tt_entry(
        &self,
        mv: Option<Move>,
        score: Score,
        depth: i32,
        bound: Bound,
    ) -> Entry {
        Entry::new(mv, score, self.ply, self.raw_eval, depth, bound, self.was_pv)
    }
}

impl Worker {
    #[allow(clippy::too_many_arguments)] // the classic signature of alpha-beta
    pub(crate) fn search<K: NodeType>(
        &mut self,
        shared: &SearchShared<'_>,
        board: &Board,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Searched {
        // Check extension: an evasion is forced, so it does not count as a ply.
        if board.in_check() && self.may_extend(ply) {
            depth = depth.max(0) + p::check_extension();
        }
        if depth <= 0 {
            return self.quiescence::<K>(shared, board, alpha, beta, ply);
        }
        self.enter_node(shared, ply)?;
        if !K::ROOT {
            if let Some(score) = self.score_without_search(board, &mut alpha, beta, ply) {
                return Ok(score);
            }
            // Mate distance pruning (MDP): a shorter mate has already been found.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let entry = shared.tt.probe(board.key());
        let excluded = self.frame(ply).excluded;
        // TT cutoff. Not close to the fifty-move limit, because the key does not include the clock.
        if !K::PV
            && excluded.is_none()
            && i32::from(board.halfmove_clock()) < p::table_cutoff_clock()
            && let Some(score) = entry.and_then(|entry| entry.cutoff(depth, alpha, beta, ply))
        {
            return Ok(score);
        }
        let mut node = self.prepare_node::<K>(board, entry, depth, ply, beta, cut_node);
        if !K::ROOT && excluded.is_none() && shared.prober.is_some() {
            match self.probe_tablebases(shared, &node, alpha) {
                TbResult::Nothing => {}
                TbResult::Cutoff(score) => return Ok(score),
                TbResult::Bounds { floor, ceiling } => {
                    (node.floor, node.ceiling) = (floor, ceiling);
                    // In a PV node only a mate can beat a tablebase win.
                    alpha = if K::PV { alpha.max(floor) } else { alpha };
                }
            }
        }
        // `go mate`: no whole-node pruning, which could hide a mate.
        let prunes = shared.limits.mate.is_none();
        if !K::PV
            && prunes
            && excluded.is_none()
            && let Some(score) = self.prune_whole_node(shared, &node, alpha)?
        {
            return Ok(score);
        }
        // Internal iterative reductions (IIR): without a TT move the move ordering is poor, so a PV
        // or cut node is searched one ply less deeply.
        if (K::PV || cut_node)
            && node.tt_move.is_none()
            && depth >= p::iterative_reduction_depth()
            && !K::ROOT
        {
            node.depth -= 1;
        }
        self.search_moves::<K>(shared, &node, alpha, excluded)
    }

    /// Probes the WDL tablebases; a score that decides the node is stored in the TT. Not inlined,
    /// to keep nodes small when there are no tablebases.
    #[inline(never)]
    fn probe_tablebases(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        alpha: Score,
    ) -> TbResult {
        let &Node { board, ply, depth, beta, .. } = node;
        let probe = |prober: &Prober<'_>| prober.probe(board, depth, ply);
        let Some((score, bound)) = shared.prober.as_ref().and_then(probe) else {
            return TbResult::Nothing;
        };
        self.tb_hits += 1;
        if bound.decides(score, alpha, beta) {
            // The score holds at any depth, but a deeper search can still find a mate.
            let depth = (depth + TB_HIT_DEPTH).min(MAX_PLY as i32 - 1);
            shared.tt.store(board.key(), node.tt_entry(None, score, depth, bound));
            return TbResult::Cutoff(score);
        }
        match bound {
            Bound::Lower => TbResult::Bounds { floor: score, ceiling: Score::INFINITE },
            _ => TbResult::Bounds { floor: -Score::INFINITE, ceiling: score },
        }
    }

    /// Creates the node: finds the TT move, evaluates the position and resets stack entries.
    fn prepare_node<'a, K: NodeType>(
        &mut self,
        board: &'a Board,
        entry: Option<Entry>,
        depth: i32,
        ply: usize,
        beta: Score,
        cut_node: bool,
    ) -> Node<'a> {
        let tt_move = if K::ROOT {
            // The best move so far for the current line.
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| board.is_legal(mv))
        };
        let evals = self.static_eval(board, entry.as_ref(), ply);
        let (raw_eval, static_eval) = (evals.map(|it| it.raw), evals.map(|it| it.corrected));
        self.frame_mut(ply).static_eval = static_eval;
        self.reward_move_before(ply, static_eval);
        let improving = match (static_eval, self.eval_before(ply)) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            _ => false,
        };
        let eval = static_eval.map(|eval| entry.map_or(eval, |entry| entry.refine(eval, ply)));
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
            tt_move,
            raw_eval,
            static_eval,
            eval,
            improving,
            checks: OnceCell::new(),
            was_pv: K::PV || entry.is_some_and(|entry| entry.pv),
        }
    }

    /// Updates the butterfly history of the previous quiet move by the change in static evaluation
    /// that it caused.
    fn reward_move_before(&mut self, ply: usize, static_eval: Option<Score>) {
        if self.frame(ply).excluded.is_none()
            && let Some((mv, context)) = self.quiet_move_before(ply)
            && let (Some(now), Some(then)) = (static_eval, self.frame(ply - 1).static_eval)
        {
            // Each evaluation is from its own side to move.
            let gain = -now.value() - then.value();
            self.histories.reward_eval_difference(mv, &context, gain);
        }
    }

    /// Returns whether `ply` is within the extension limit, a multiple of the root depth.
    pub(crate) fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < p::extension_limit() * self.root_depth
    }

    /// Returns the static evaluation two plies up, or four if that side was in check there.
    pub(crate) fn eval_before(&self, ply: usize) -> Option<Score> {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.frame(ply).static_eval);
        at(2).or_else(|| at(4))
    }

    /// Stores the result in the TT and updates the correction history.
    pub(crate) fn store_result<K: NodeType>(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        best: Score,
        best_move: Option<Move>,
        bound: Bound,
    ) {
        shared.tt.store(node.board.key(), node.tt_entry(best_move, best, node.depth, bound));
        let Some(eval) = node.static_eval else { return };
        let quiet = best_move.is_none_or(|mv| !mv.is_noisy());
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if quiet && tells && !best.is_decisive() {
            // The error of the raw evaluation, since the history learns the whole correction.
            let raw = node.raw_eval.unwrap_or(eval);
            let error = best.value() - raw.value();
            self.correction.update(node.board, error, node.depth);
        }
    }
}

/// Result of a tablebase probe.
enum TbResult {
    Nothing,
    /// The score decides the node.
    Cutoff(Score),
    /// The score lies within these bounds.
    Bounds {
        floor: Score,
        ceiling: Score,
    },
}

/// Plies added to the depth of a node when its tablebase score is stored in the TT.
const TB_HIT_DEPTH: i32 = 6;
