//! Whole-node pruning: RFP, razoring, NMP and ProbCut can end a node before its move loop. Start
//! at [`Worker::prune_whole_node`].

use crate::search::ordering::move_picker::MovePicker;
use crate::search::params as p;
use crate::search::smp::shared::SearchShared;
use crate::search::smp::worker::{Stopped, Worker};
use crate::search::tree::margins::{self, when};
use crate::search::tree::node::{Node, NonPv};
use crate::search::tt::Bound;
use crate::types::Score;

impl Worker {
    /// Returns a score if the node can be pruned. Nothing is pruned in check.
    pub(crate) fn prune_whole_node(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let (Some(eval), depth, beta) = (node.eval, node.depth, node.beta) else {
            return Ok(None);
        };
        // Reverse futility pruning (RFP): eval is so far above beta that a quiet move will hold it.
        // Return a score between beta and eval. CPW "Reverse Futility Pruning".
        if let Some(margin) = margins::reverse_futility_margin(depth, node.improving)
            && eval - margin >= beta
            && !beta.is_loss()
            && !eval.is_decisive()
        {
            let lead = eval.value() - beta.value();
            return Ok(Some(beta + lead * p::reverse_futility_share() / 100));
        }
        // Razoring: eval is so far below alpha that only tactics can help; trust qsearch if it
        // fails low. CPW "Razoring".
        if let Some(margin) = margins::razoring_margin(depth)
            && eval + margin < alpha
            && !alpha.is_win()
        {
            let score = self.quiescence::<NonPv>(shared, node.board, alpha, alpha + 1, node.ply)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        match self.null_move(shared, node, eval)? {
            None => self.probcut(shared, node),
            cut => Ok(cut),
        }
    }

    /// Null move pruning (NMP): if eval is at least beta and passing holds beta in a reduced
    /// search, a move will hold it too. Not with only king and pawns (zugzwang), not twice in a
    /// row, and verified at high depth. Donninger, "Null Move and Deep Search".
    fn null_move(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
        eval: Score,
    ) -> Result<Option<Score>, Stopped> {
        let &Node { board, ply, depth, beta, .. } = node;
        let allowed = depth >= p::null_move_depth()
            && eval >= beta
            && node.static_eval.is_some_and(|eval| {
                eval + p::null_move_margin_depth() * depth >= beta + p::null_move_margin()
            })
            && ply >= self.null_move_from
            && self.move_before(ply).is_some()
            && board.has_pieces(board.side_to_move())
            && !beta.is_loss();
        if !allowed {
            return Ok(None);
        }
        let reduced = depth - margins::null_move_reduction(depth, eval, beta);
        let child = self.null_child(shared, board, ply);
        let score = -self.search::<NonPv>(
            shared,
            &child,
            -beta,
            -beta + 1,
            reduced,
            ply + 1,
            !node.cut_node,
        )?;
        if score < beta {
            return Ok(None);
        }
        // A win found after passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < p::null_move_verify_depth() || self.null_move_from > 0 {
            return Ok(Some(score));
        }
        // Verification against zugzwang: repeat the reduced search without passing, and without NMP
        // in its first plies. Tabibi & Netanyahu, "Verified Null-Move Pruning".
        self.null_move_from = ply + (reduced.max(1) * p::null_move_verify_share() / 100) as usize;
        let verified = self.search::<NonPv>(shared, board, beta - 1, beta, reduced, ply, false)?;
        self.null_move_from = 0;
        Ok((verified >= beta).then_some(score))
    }

    /// ProbCut (Buro 1995): a capture or promotion that holds a raised beta in a shallow search
    /// will hold beta in a deep one. The move must pass SEE and qsearch first.
    fn probcut(
        &mut self,
        shared: &SearchShared<'_>,
        node: &Node<'_>,
    ) -> Result<Option<Score>, Stopped> {
        let &Node { board, ply, depth, .. } = node;
        let raised = node.beta + p::probcut_margin() - when(node.improving, p::probcut_improving());
        let reduced = depth - p::probcut_reduction();
        let known_to_fail =
            node.entry.is_some_and(|entry| entry.depth > reduced && entry.score_at(ply) < raised);
        let Some(eval) = node.static_eval else { return Ok(None) };
        if depth < p::probcut_depth() || known_to_fail || node.beta.is_decisive() {
            return Ok(None);
        }
        let mut picker = MovePicker::noisy(node.tt_move);
        while let Some(mv) = picker.next(board, &self.histories) {
            if !picker.see_passes(board, mv, raised.value() - eval.value())
                || self.overlooks(board, mv, ply)
            {
                continue;
            }
            let child = self.child(shared, board, mv, ply);
            let window = (-raised, -raised + 1);
            let mut score =
                -self.quiescence::<NonPv>(shared, &child, window.0, window.1, ply + 1)?;
            if score >= raised {
                let cut = !node.cut_node;
                score = -self.search::<NonPv>(
                    shared,
                    &child,
                    window.0,
                    window.1,
                    reduced,
                    ply + 1,
                    cut,
                )?;
            }
            if score >= raised {
                let entry = node.tt_entry(Some(mv), score, reduced + 1, Bound::Lower);
                shared.tt.store(board.key(), entry);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }
}
