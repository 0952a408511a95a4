//! Move loop of a node: pruning, extensions, LMR and PVS. Start at [`Worker::search_moves`].

use crate::board::Board;
use crate::search::ordering::history::HistoryContext;
use crate::search::ordering::move_picker::MovePicker;
use crate::search::params as p;
use crate::search::smp::shared::SearchShared;
use crate::search::smp::worker::{Searched, Stopped, Worker};
use crate::search::tree::margins::{self, when};
use crate::search::tree::node::{Node, NodeType, NonPv, Pv};
use crate::search::tt::Bound;
use crate::types::{Move, MoveList, Score};

/// A move being searched, with the state of the move loop.
#[derive(Clone, Copy)]
struct MoveAttempt {
    mv: Move,
    /// Move number in this node, from 1.
    count: usize,
    extension: i32,
    alpha: Score,
    /// Best score so far.
    best: Score,
}

impl Worker {
    pub(crate) fn search_moves<K: NodeType>(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        mut alpha: Score,
        excluded: Option<Move>,
    ) -> Searched {
        let &Node { board, ply, beta, .. } = node;
        let context = self.context(board, ply);
        self.frame_mut(ply).context = context;
        let counter = self.histories.counter(context.earlier[0]);
        let killers = self.frame(ply).killers;
        let mut picker = MovePicker::new(node.tt_move, killers, counter, context);
        let (mut quiets, mut captures) = (MoveList::new(), MoveList::new());
        let (old_alpha, mut best, mut best_move) = (alpha, -Score::INFINITE, None);
        let (mut count, mut overlooked) = (0, false);

        while let Some(mv) = picker.next(board, &self.histories) {
            if Some(mv) == excluded || K::ROOT && !self.is_open_at_root(mv) {
                continue;
            }
            if !K::ROOT && self.overlooks(board, mv, ply) {
                overlooked = true;
                continue;
            }
            count += 1;
            if K::ROOT {
                self.report_current_move(shared, mv, count);
            }
            if !K::ROOT
                && shared.limits.mate.is_none()
                && !best.is_loss()
                && !alpha.is_win()
                && best > -Score::INFINITE
                && self.prune_move(node, mv, count, alpha, &context, &mut picker)
            {
                continue;
            }
            let extension = match self.singular_extension::<K>(shared, node, mv, excluded)? {
                Singular::Extend(plies) => plies,
                Singular::Cut(score) => return Ok(score),
            };
            if mv.is_noisy() {
                captures.push(mv);
            } else {
                quiets.push(mv);
            }

            let nodes_before = self.nodes;
            let attempt = MoveAttempt { mv, count, extension, alpha, best };
            let score = self.search_child::<K>(shared, node, attempt, &context)?;
            if K::ROOT {
                self.record_root_result(mv, score, count, alpha, self.nodes - nodes_before);
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                best_move = Some(mv);
                if K::PV {
                    self.update_pv(ply, mv);
                }
                if score >= beta {
                    self.frame_mut(ply).cutoffs += 1;
                    self.update_histories(node, mv, &context, &quiets, &captures);
                    break;
                }
                alpha = score;
            }
        }
        if count == 0 {
            return Ok(match excluded {
                Some(_) => alpha,
                None if board.in_check() => Score::mated_in(ply),
                // There are legal moves, but the level overlooks all of them.
                None if overlooked => node.static_eval.unwrap_or(Score::DRAW),
                None => Score::DRAW,
            });
        }
        if best <= old_alpha
            && excluded.is_none()
            && let Some((mv, context)) = self.quiet_move_before(ply)
        {
            self.histories.reward_prior_countermove(mv, &context, node.depth);
        }
        if K::PV {
            best = best.max(node.floor).min(node.ceiling);
        }
        if excluded.is_none() && !(K::ROOT && self.pv_index > 0) {
            let bound = Bound::of(best, old_alpha, beta);
            self.store_result::<K>(shared, node, best, best_move, bound);
        }
        Ok(best)
    }

    /// Returns whether to prune `mv`. Captures, promotions and checks are pruned only by SEE, other
    /// moves by LMP, FP, history and SEE. Nothing is pruned for a side with only king and pawns.
    fn prune_move(
        &self,
        node: &Node<'_>,
        mv: Move,
        count: usize,
        alpha: Score,
        context: &HistoryContext,
        picker: &mut MovePicker,
    ) -> bool {
        let board = node.board;
        if !board.has_pieces(board.side_to_move()) {
            return false;
        }
        let gives_check = || node.checks.get_or_init(|| board.checks()).given_by(board, mv);
        if mv.is_noisy() || gives_check() {
            // SEE pruning: the exchange loses too much material.
            return margins::see_noisy_threshold(node.depth)
                .is_some_and(|threshold| !picker.see_passes(board, mv, threshold));
        }
        let reduced = (node.depth - self.reductions.get(node.depth, count) / 100).max(0);
        // Late move pruning (LMP): this late in a shallow node, quiet moves are unlikely to help.
        if margins::late_move_count(node.depth, node.improving).is_some_and(|most| count > most) {
            picker.skip_quiets();
            return true;
        }
        // Futility pruning (FP): the evaluation is so far below alpha that a quiet move will not
        // reach it. Heinz, "Extended Futility Pruning".
        if let (Some(eval), Some(margin)) = (node.static_eval, margins::futility_margin(reduced))
            && eval + margin <= alpha
        {
            picker.skip_quiets();
            return true;
        }
        // History pruning: the move has failed too often. SEE pruning: it loses too much material.
        margins::history_threshold(reduced)
            .is_some_and(|threshold| self.histories.quiet(mv, context) < threshold)
            || margins::see_quiet_threshold(reduced)
                .is_some_and(|threshold| !board.see_at_least(mv, threshold))
    }

    /// Singular extensions (SE): searches all moves but the TT move to about half the depth. If all
    /// fail low against a bound below the TT score, the TT move is singular and is extended. If
    /// not, the node may be cut (multi-cut) or the TT move reduced (negative extension).
    fn singular_extension<K: NodeType>(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        mv: Move,
        excluded: Option<Move>,
    ) -> Result<Singular, Stopped> {
        let &Node { board, ply, depth, beta, .. } = node;
        let asks = !K::ROOT
            && Some(mv) == node.tt_move
            && excluded.is_none()
            && depth >= p::singular_depth()
            && self.may_extend(ply);
        let Some(entry) = node.entry.filter(|entry| {
            asks && entry.depth >= depth - p::singular_entry_depth()
                && entry.bound != Bound::Upper
                && !entry.score_at(ply).is_decisive()
        }) else {
            return Ok(Singular::Extend(0));
        };
        let target = entry.score_at(ply) - p::singular_margin() * depth / 100;
        self.frame_mut(ply).excluded = Some(mv);
        let others = self.search::<NonPv>(
            shared,
            board,
            target - 1,
            target,
            (depth - 1) * p::singular_search_share() / 100,
            ply,
            node.cut_node,
        )?;
        self.frame_mut(ply).excluded = None;
        // The singular search ran at this ply: discard any PV that it left.
        self.clear_pv(ply);
        if others < target {
            // Double extension, limited in each line.
            let twice = !K::PV
                && others < target - p::double_extension_margin()
                && self.frame(ply).double_extensions <= p::double_extension_limit();
            if twice {
                self.frame_mut(ply).double_extensions += 1;
            }
            return Ok(Singular::Extend(if twice { 2 } else { 1 }));
        }
        if target >= beta {
            // Multi-cut: the search without the TT move reached `target`, so several moves hold
            // beta.
            return Ok(Singular::Cut(target));
        }
        // Negative extension: the TT move is not singular; reduce it where a cutoff is likely.
        Ok(Singular::Extend(if entry.score_at(ply) >= beta {
            -p::singular_negative()
        } else {
            -when(node.cut_node, p::singular_negative_cut())
        }))
    }

    /// Principal variation search (PVS): searches a move with a zero window, reduced if it is late
    /// (LMR). Only the first move of a PV node, or one that raises alpha, gets the full window.
    fn search_child<K: NodeType>(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        attempt: MoveAttempt,
        context: &HistoryContext,
    ) -> Searched {
        let &Node { board, ply, depth, beta, .. } = node;
        let MoveAttempt { mv, count, extension, alpha, best } = attempt;
        let child = self.child(shared, board, mv, ply);
        let mut full = depth - 1 + extension;
        let mut score = -Score::INFINITE;
        let mut zero_window = !K::PV || count > 1;
        // LMR: search a late move at reduced depth; if it beats alpha, re-search at full depth.
        if depth >= p::reduction_depth()
            && count > p::reduction_count() as usize + usize::from(K::PV)
        {
            let reduction = self.reduction::<K>(node, mv, count, &child, context);
            let reduced = (full - reduction).clamp(1, full.max(1));
            score = -self.search::<NonPv>(
                shared,
                &child,
                -alpha - 1,
                -alpha,
                reduced,
                ply + 1,
                true,
            )?;
            zero_window = score > alpha && reduced < full;
            if zero_window {
                // Deeper after a score well above `best`, shallower after one barely above it.
                full += i32::from(score > best + p::deeper_margin());
                full -= i32::from(score < best + p::shallower_margin());
                zero_window = reduced < full;
            }
        }
        if zero_window {
            let cut = !node.cut_node;
            score =
                -self.search::<NonPv>(shared, &child, -alpha - 1, -alpha, full, ply + 1, cut)?;
        }
        if K::PV && (count == 1 || score > alpha) {
            score = -self.search::<Pv>(shared, &child, -beta, -alpha, full, ply + 1, false)?;
        }
        Ok(score)
    }

    /// Returns the late move reduction (LMR) of `mv` in plies; `parts` is in hundredths of a ply.
    fn reduction<K: NodeType>(
        &self,
        node: &Node<'_>,
        mv: Move,
        count: usize,
        child: &Board,
        context: &HistoryContext,
    ) -> i32 {
        let mut parts = self.reductions.get(node.depth, count);
        if mv.is_noisy() {
            parts = parts * p::reduction_noisy_share() / 100
                - 100 * self.histories.capture(mv) / p::reduction_capture_history();
        } else {
            parts -= 100 * self.histories.quiet(mv, context) / p::reduction_history();
            parts -= when(self.frame(node.ply).killers.contains(&Some(mv)), p::reduction_killer());
            let tt_noisy = node.tt_move.is_some_and(Move::is_noisy);
            parts += when(tt_noisy, p::reduction_table_noisy());
        }
        parts += when(node.cut_node, p::reduction_cut_node());
        parts += when(!node.improving, p::reduction_worsening());
        parts -= when(K::PV, p::reduction_pv());
        parts -= when(node.was_pv, p::reduction_was_pv());
        parts -= when(child.in_check(), p::reduction_check());
        let many_cutoffs = self.frame(node.ply + 1).cutoffs > p::reduction_cutoffs();
        parts += when(many_cutoffs, p::reduction_many_cutoffs());
        parts.max(0) / 100
    }

    /// Updates the histories after `mv` caused a beta cutoff; a quiet move also becomes a killer
    /// (killer heuristic).
    fn update_histories(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        context: &HistoryContext,
        quiets: &MoveList,
        captures: &MoveList,
    ) {
        self.histories.reward(mv, context, node.depth, quiets, captures);
        let killers = &mut self.frame_mut(node.ply).killers;
        if !mv.is_noisy() && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Result of the singular search: an extension in plies, or a multi-cut score.
enum Singular {
    Extend(i32),
    Cut(Score),
}
