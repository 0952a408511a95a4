//! A node of the main search, as a list of named decisions.

use super::history::Circumstances;
use super::kinds::{NodeKind, NonPv, Pv};
use super::params as p;
use super::picker::Picker;
use super::prober::Prober;
use super::pruning;
use super::quiescence::{better_known, bound_of, cutoff, settles};
use super::report::Bound;
use super::tt::Entry;
use super::worker::{Searched, Stopped, Task, Worker};
use crate::board::Board;
use crate::types::{MAX_PLY, Move, MoveList, Score};

/// A node, as far as it is known before its moves are looked at.
#[allow(clippy::struct_field_names)] // "cut node" is the term
struct Node<'a> {
    board: &'a Board,
    ply: usize,
    depth: i32,
    beta: Score,
    /// Bounds that endgame tables give; of use on a principal variation only.
    floor: Score,
    ceiling: Score,
    cut_node: bool,
    entry: Option<Entry>,
    table_move: Option<Move>,
    /// The evaluation as it came, as it was corrected, and as far as the table knows better; none
    /// of them in check.
    raw_eval: Option<Score>,
    static_eval: Option<Score>,
    eval: Option<Score>,
    improving: bool,
    /// Is it on a principal variation, or was it?
    was_pv: bool,
}

/// A move that is being tried, with what the loop over the moves knows.
#[derive(Clone, Copy)]
struct Try {
    mv: Move,
    /// The how manieth it is.
    count: usize,
    extension: i32,
    alpha: Score,
    /// The best score so far.
    best: Score,
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
        let mut node = self.examine::<K>(task, board, depth, ply, beta, cut_node);
        let excluded = self.frame(ply).excluded;
        if !K::PV
            && excluded.is_none()
            && i32::from(board.halfmove_clock()) < p::table_cutoff_clock()
            && let Some(score) = node.entry.and_then(|e| cutoff(&e, depth, alpha, beta, ply))
        {
            return Ok(score);
        }
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

    /// Looks the position up and evaluates it.
    fn examine<'a, K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        board: &'a Board,
        depth: i32,
        ply: usize,
        beta: Score,
        cut_node: bool,
    ) -> Node<'a> {
        let entry = task.table.probe(board.key());
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
            was_pv: K::PV || entry.is_some_and(|entry| entry.pv),
        }
    }

    /// Extensions end where the line is long enough already.
    fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < p::extension_limit() * self.root_depth
    }

    /// The evaluation when the same side was to move the last time and was not in check.
    fn before(&self, ply: usize) -> Option<Score> {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.frame(ply).static_eval);
        at(2).or_else(|| at(4))
    }

    /// Decisions that end a node before any move is looked at. Not in check.
    fn prune_whole_node(
        &mut self,
        task: &Task<'_>,
        node: &Node<'_>,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let (Some(eval), depth, beta) = (node.eval, node.depth, node.beta) else {
            return Ok(None);
        };
        if let Some(margin) = pruning::reverse_futility_margin(depth, node.improving)
            && eval - margin >= beta
            && !beta.is_loss()
            && !eval.is_decisive()
        {
            let lead = eval.value() - beta.value();
            return Ok(Some(beta + lead * p::reverse_futility_share() / 100));
        }
        if let Some(margin) = pruning::razoring_margin(depth)
            && eval + margin < alpha
            && !alpha.is_win()
        {
            let score = self.quiescence::<NonPv>(task, node.board, alpha, alpha + 1, node.ply)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        match self.null_move(task, node, eval)? {
            None => self.probcut(task, node),
            cut => Ok(cut),
        }
    }

    /// Null move: if passing is good enough, a move will be. Not without pieces (zugzwang), not
    /// twice in a row, and verified at high depth.
    fn null_move(
        &mut self,
        task: &Task<'_>,
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
        let reduced = depth - pruning::null_move_reduction(depth, eval, beta);
        let mut child = *board;
        child.play_null();
        task.table.prefetch(child.key());
        let barrier = self.descend_null(ply, &child);
        let score = -self.search::<NonPv>(
            task,
            &child,
            -beta,
            -beta + 1,
            reduced,
            ply + 1,
            !node.cut_node,
        )?;
        self.ascend_null(barrier);
        if score < beta {
            return Ok(None);
        }
        // A mate found by passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if depth < p::null_move_verify_depth() || self.null_move_from > 0 {
            return Ok(Some(score));
        }
        self.null_move_from = ply + (reduced.max(1) * p::null_move_verify_share() / 100) as usize;
        let verified = self.search::<NonPv>(task, board, beta - 1, beta, reduced, ply, false)?;
        self.null_move_from = 0;
        Ok((verified >= beta).then_some(score))
    }

    /// Probcut (Buro 1995): a capture that holds a raised beta in a shallow search will hold beta
    /// in a deep one.
    fn probcut(&mut self, task: &Task<'_>, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let &Node { board, ply, depth, .. } = node;
        let raised = node.beta + p::probcut_margin() - when(node.improving, p::probcut_improving());
        let reduced = depth - p::probcut_reduction();
        let known_to_fail =
            node.entry.is_some_and(|entry| entry.depth > reduced && entry.score_at(ply) < raised);
        let Some(eval) = node.static_eval else { return Ok(None) };
        if depth < p::probcut_depth() || known_to_fail || node.beta.is_decisive() {
            return Ok(None);
        }
        let mut picker = Picker::noisy(node.table_move);
        while let Some(mv) = picker.next(board, &self.histories) {
            if !board.see_at_least(mv, raised.value() - eval.value())
                || self.overlooks(board, mv, ply)
            {
                continue;
            }
            let mut child = *board;
            child.play_unchecked(mv);
            task.table.prefetch(child.key());
            self.descend(ply, &child, Some(mv));
            let window = (-raised, -raised + 1);
            let mut score = -self.quiescence::<NonPv>(task, &child, window.0, window.1, ply + 1)?;
            if score >= raised {
                let cut = !node.cut_node;
                score = -self.search::<NonPv>(
                    task,
                    &child,
                    window.0,
                    window.1,
                    reduced,
                    ply + 1,
                    cut,
                )?;
            }
            self.ascend();
            if score >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    score: score.to_table(ply),
                    eval: node.raw_eval.map(|eval| eval.value() as i16),
                    depth: reduced + 1,
                    bound: Bound::Lower,
                    pv: node.was_pv,
                };
                task.table.store(board.key(), entry);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    fn search_moves<K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        node: &Node<'_>,
        mut alpha: Score,
        excluded: Option<Move>,
    ) -> Searched {
        let &Node { board, ply, beta, .. } = node;
        let circumstances = self.circumstances(board, ply);
        let counter = self.histories.counter(circumstances.earlier[0]);
        let killers = self.frame(ply).killers;
        let mut picker = Picker::new(node.table_move, killers, counter, circumstances);
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
                self.announce(task, mv, count);
            }
            if !K::ROOT
                && task.limits.mate.is_none()
                && !best.is_loss()
                && !alpha.is_win()
                && best > -Score::INFINITE
                && self.prune_move(node, mv, count, alpha, &circumstances, &mut picker)
            {
                continue;
            }
            let extension = match self.singular_extension::<K>(task, node, mv, excluded)? {
                Singular::Extend(plies) => plies,
                Singular::Cut(score) => return Ok(score),
            };
            if mv.is_noisy() {
                captures.push(mv);
            } else {
                quiets.push(mv);
            }

            let nodes_before = self.nodes;
            let attempt = Try { mv, count, extension, alpha, best };
            let score = self.search_child::<K>(task, node, attempt, &circumstances)?;
            if K::ROOT {
                self.note_root_result(mv, score, count, alpha, self.nodes - nodes_before);
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
                    self.note_cutoff(node, mv, &circumstances, &quiets, &captures);
                    break;
                }
                alpha = score;
            }
        }
        if count == 0 {
            return Ok(match excluded {
                Some(_) => alpha,
                None if board.in_check() => Score::mated_in(ply),
                // There are moves, but none that this level sees.
                None if overlooked => node.static_eval.unwrap_or(Score::DRAW),
                None => Score::DRAW,
            });
        }
        if K::PV {
            best = best.max(node.floor).min(node.ceiling);
        }
        if excluded.is_none() && !(K::ROOT && self.pv_index > 0) {
            let bound = bound_of(best, old_alpha, beta);
            self.remember::<K>(task, node, best, best_move, bound);
        }
        Ok(best)
    }

    /// Shallow decisions about one move: late, hopeless, bad by history, or losing material.
    fn prune_move(
        &self,
        node: &Node<'_>,
        mv: Move,
        count: usize,
        alpha: Score,
        circumstances: &Circumstances,
        picker: &mut Picker,
    ) -> bool {
        let board = node.board;
        if !board.has_pieces(board.side_to_move()) {
            return false;
        }
        if mv.is_noisy() || board.gives_check(mv) {
            return pruning::noisy_exchange_threshold(node.depth)
                .is_some_and(|threshold| !board.see_at_least(mv, threshold));
        }
        let reduced = (node.depth - self.reductions.get(node.depth, count) / 100).max(0);
        if pruning::late_move_count(node.depth, node.improving).is_some_and(|most| count > most) {
            picker.skip_quiets();
            return true;
        }
        if let (Some(eval), Some(margin)) = (node.static_eval, pruning::futility_margin(reduced))
            && eval + margin <= alpha
        {
            picker.skip_quiets();
            return true;
        }
        pruning::history_threshold(reduced)
            .is_some_and(|threshold| self.histories.quiet(mv, circumstances) < threshold)
            || pruning::quiet_exchange_threshold(reduced)
                .is_some_and(|threshold| !board.see_at_least(mv, threshold))
    }

    /// Singular extension: is the table's move much better than all others? Asked by searching
    /// them, without it, to half the depth.
    fn singular_extension<K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        node: &Node<'_>,
        mv: Move,
        excluded: Option<Move>,
    ) -> Result<Singular, Stopped> {
        let &Node { board, ply, depth, beta, .. } = node;
        let asks = !K::ROOT
            && Some(mv) == node.table_move
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
            task,
            board,
            target - 1,
            target,
            (depth - 1) * p::singular_search_share() / 100,
            ply,
            node.cut_node,
        )?;
        self.frame_mut(ply).excluded = None;
        // The question was asked at this ply: what it left there is not ours.
        self.clear_pv(ply);
        if others < target {
            let twice = !K::PV
                && others < target - p::double_extension_margin()
                && self.frame(ply).double_extensions <= p::double_extension_limit();
            if twice {
                self.frame_mut(ply).double_extensions += 1;
            }
            return Ok(Singular::Extend(if twice { 2 } else { 1 }));
        }
        if target >= beta {
            // Several moves hold beta.
            return Ok(Singular::Cut(target));
        }
        Ok(Singular::Extend(if entry.score_at(ply) >= beta {
            -p::singular_negative()
        } else {
            -when(node.cut_node, p::singular_negative_cut())
        }))
    }

    /// Principal variation search with late move reductions.
    fn search_child<K: NodeKind>(
        &mut self,
        task: &Task<'_>,
        node: &Node<'_>,
        attempt: Try,
        circumstances: &Circumstances,
    ) -> Searched {
        let &Node { board, ply, depth, beta, .. } = node;
        let Try { mv, count, extension, alpha, best } = attempt;
        let mut child = *board;
        child.play_unchecked(mv);
        task.table.prefetch(child.key());
        let reduction = self.reduction::<K>(node, mv, count, &child, circumstances);
        self.descend(ply, &child, Some(mv));
        let mut full = depth - 1 + extension;
        let mut score = -Score::INFINITE;
        let mut zero_window = !K::PV || count > 1;
        if depth >= p::reduction_depth()
            && count > p::reduction_count() as usize + usize::from(K::PV)
        {
            let reduced = (full - reduction).clamp(1, full.max(1));
            score =
                -self.search::<NonPv>(task, &child, -alpha - 1, -alpha, reduced, ply + 1, true)?;
            zero_window = score > alpha && reduced < full;
            if zero_window {
                // Much better than expected deserves more, hardly better less.
                full += i32::from(score > best + p::deeper_margin());
                full -= i32::from(score < best + p::shallower_margin());
                zero_window = reduced < full;
            }
        }
        if zero_window {
            let cut = !node.cut_node;
            score = -self.search::<NonPv>(task, &child, -alpha - 1, -alpha, full, ply + 1, cut)?;
        }
        if K::PV && (count == 1 || score > alpha) {
            score = -self.search::<Pv>(task, &child, -beta, -alpha, full, ply + 1, false)?;
        }
        self.ascend();
        Ok(score)
    }

    /// How much shallower a late move is searched.
    fn reduction<K: NodeKind>(
        &self,
        node: &Node<'_>,
        mv: Move,
        count: usize,
        child: &Board,
        circumstances: &Circumstances,
    ) -> i32 {
        let mut parts = self.reductions.get(node.depth, count);
        if mv.is_noisy() {
            parts = parts * p::reduction_noisy_share() / 100
                - 100 * self.histories.capture(mv) / p::reduction_capture_history();
        } else {
            parts -= 100 * self.histories.quiet(mv, circumstances) / p::reduction_history();
            parts -= when(self.frame(node.ply).killers.contains(&Some(mv)), p::reduction_killer());
            let table_noisy = node.table_move.is_some_and(Move::is_noisy);
            parts += when(table_noisy, p::reduction_table_noisy());
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

    /// A move refuted the one before: remember it.
    fn note_cutoff(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        circumstances: &Circumstances,
        quiets: &MoveList,
        captures: &MoveList,
    ) {
        self.histories.reward(mv, circumstances, node.depth, quiets, captures);
        let killers = &mut self.frame_mut(node.ply).killers;
        if !mv.is_noisy() && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Stores the result, and learns how far the evaluation was off.
    fn remember<K: NodeKind>(
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
            self.histories.update_correction(node.board, error, node.depth);
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

/// A number that counts only under a condition.
fn when(condition: bool, number: i32) -> i32 {
    if condition { number } else { 0 }
}

/// What the question for singularity gave.
enum Singular {
    Extend(i32),
    Cut(Score),
}
