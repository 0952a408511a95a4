//! Iterative deepening with aspiration windows, and the reports of root moves. Start at
//! [`Worker::iterative_deepening`].

use std::time::{Duration, Instant};

use crate::search::params as p;
use crate::search::smp::root_move::RootMove;
use crate::search::smp::shared::SearchShared;
use crate::search::smp::worker::{Stopped, Worker};
use crate::search::time::TimeManager;
use crate::search::tree::node::Root;
use crate::search::tt::Bound;
use crate::types::{Move, Score};

/// Time before `currmove`, bounds and progress are reported.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// Time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// Deepest iteration, in plies; beyond it nothing more is found.
const MAX_DEPTH: u32 = 127;

impl Worker {
    /// Iterative deepening: searches to depth 1, 2 and so on until a limit is reached. Leaves the
    /// best move first in `root_moves`.
    pub(crate) fn iterative_deepening(&mut self, shared: &SearchShared<'_>) {
        let mut time_manager = TimeManager::default();
        let deepest = shared.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            if self.skips_iteration(depth) {
                continue;
            }
            self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
            let finished = self.search_iteration(shared, depth);
            self.return_to_root();
            self.count(shared);
            if finished.is_err() {
                if self.completed_depth > 0
                    && self.best().is_some_and(|root| root.pv != self.reported_line)
                {
                    // The last PV reported must be that of the move played, as `ponder` comes from
                    // it. Its score is a lower bound, because the root moves not yet searched can
                    // only raise it.
                    self.report_line(shared, depth, 0, Bound::Lower);
                    // The other lines have moved down by one; their scores are still those of the
                    // last completed iteration.
                    for index in 1..shared.multi_pv.min(self.root_moves.len()) {
                        self.report_line(shared, depth - 1, index, Bound::Exact);
                    }
                }
                break;
            }
            self.completed_depth = depth;
            if self.id == 0 && self.may_stop_after_iteration(shared, &mut time_manager) {
                break;
            }
        }
        if self.id == 0 && self.completed_depth == 0 {
            self.report_fallback(shared);
        }
    }

    /// Returns whether this thread skips iteration `depth`. Each helper has its own pattern, so
    /// helpers run ahead of the main thread and of each other and fill the TT with entries that
    /// will be needed next.
    fn skips_iteration(&self, depth: u32) -> bool {
        if self.id == 0 || depth == 1 {
            return false;
        }
        // Each helper alternates between searching and skipping `length` iterations. The lengths
        // are 1, 1, 2, 2, 2, 2, 3 and so on.
        let (mut length, mut helper) = (1, self.id as u32 - 1);
        while helper >= 2 * length {
            helper -= 2 * length;
            length += 1;
        }
        (depth + helper) / length % 2 == 1
    }

    fn search_iteration(&mut self, shared: &SearchShared<'_>, depth: u32) -> Result<(), Stopped> {
        self.root_depth = depth as i32;
        let lines = shared.multi_pv.min(self.root_moves.len());
        for index in 0..lines {
            self.pv_index = index;
            self.seldepth = 0;
            let searched = self.aspiration_search(shared, depth);
            // Root moves finished before a stop have valid scores, so sort before returning.
            self.root_moves[index..].sort_by_key(RootMove::place);
            searched?;
            self.root_moves[..=index].sort_by_key(RootMove::place);
        }
        self.report_lines(shared, depth, lines);
        Ok(())
    }

    /// Aspiration windows: searches the root with a window around the previous score, and widens it
    /// until the score falls inside.
    fn aspiration_search(&mut self, shared: &SearchShared<'_>, depth: u32) -> Result<(), Stopped> {
        let previous = self.root_moves[self.pv_index].previous_score;
        let mut window = p::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth as i32 >= p::aspiration_depth() && !previous.is_decisive() {
            (alpha, beta) = (previous - window, previous + window);
        }
        let mut failed_high = 0;
        loop {
            let board = shared.game.board();
            let reduced = (depth as i32 - failed_high).max(1);
            let score = self.search::<Root>(shared, board, alpha, beta, reduced, 0, false)?;
            self.root_moves[self.pv_index..].sort_by_key(RootMove::place);
            let bound = if score <= alpha {
                beta = alpha + (beta.value() - alpha.value()) * p::aspiration_beta_share() / 100;
                alpha = score - window;
                failed_high = 0;
                Bound::Upper
            } else if score >= beta {
                beta = score + window;
                failed_high = (failed_high + 1).min(p::aspiration_reduction());
                Bound::Lower
            } else {
                return Ok(());
            };
            if shared.multi_pv == 1 && shared.control.elapsed() >= QUIET_TIME {
                self.report_line(shared, depth, 0, bound);
            }
            window += window * p::aspiration_growth() / 100;
            if window > p::aspiration_limit() {
                (alpha, beta) = (
                    if bound == Bound::Upper { -Score::INFINITE } else { alpha },
                    if bound == Bound::Lower { Score::INFINITE } else { beta },
                );
            }
        }
    }

    /// Returns whether the search may end after this iteration.
    fn may_stop_after_iteration(
        &self,
        shared: &SearchShared<'_>,
        time_manager: &mut TimeManager,
    ) -> bool {
        let Some(best) = self.root_moves.first() else { return true };
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let factor = time_manager.factor(best.mv, best.score, share);
        if self.reached_level_limit() {
            return true;
        }
        if shared.limits.infinite || shared.control.is_pondering() {
            return false;
        }
        if let (Some(moves), Some(distance)) = (shared.limits.mate, best.score.mate_distance())
            && distance.unsigned_abs() <= moves
        {
            return true;
        }
        if shared.limits.soft_nodes.is_some_and(|limit| self.nodes >= limit) {
            return true;
        }
        let Some(budget) = shared.budget else { return false };
        let choices = self.root_moves.iter().filter(|root| root.rank == best.rank).count();
        let only_move = choices == 1 && shared.limits.search_moves.is_empty();
        if budget.flexible && only_move {
            return true;
        }
        let soft = if budget.flexible { budget.soft.mul_f64(factor) } else { budget.soft };
        shared.control.elapsed() >= soft.min(budget.hard)
    }

    /// Returns whether the current line may choose root move `mv`: no earlier line has it, and no
    /// remaining move has a higher tablebase rank.
    pub(crate) fn is_open_at_root(&self, mv: Move) -> bool {
        let open = &self.root_moves[self.pv_index..];
        open.iter().any(|root| root.mv == mv && root.rank == open[0].rank)
    }

    /// Reports `currmove` on the main thread, once [`QUIET_TIME`] has passed.
    pub(crate) fn report_current_move(&self, shared: &SearchShared<'_>, mv: Move, count: usize) {
        if self.id == 0 && shared.wants_reports && shared.control.elapsed() >= QUIET_TIME {
            let (depth, number) = (self.root_depth as u32, count + self.pv_index);
            shared.tell(|reporter| reporter.current_move(depth, mv, number));
        }
    }

    /// Reports progress once a second after [`QUIET_TIME`]. A deep iteration can last for hours
    /// without any other report, and a closed output is noticed only when it is written to.
    pub(crate) fn report_progress(&mut self, shared: &SearchShared<'_>) {
        if self.id != 0 || self.last_progress.elapsed() < PROGRESS_INTERVAL {
            return;
        }
        let (nodes, time) = (shared.counters.total(), shared.control.elapsed());
        if time >= QUIET_TIME {
            self.last_progress = Instant::now();
            shared.tell(|reporter| reporter.progress(nodes, time));
        }
    }

    /// Waits until `bestmove` may be sent, and reports progress meanwhile.
    pub(crate) fn wait_for_permission(&mut self, shared: &SearchShared<'_>) {
        while !shared.control.wait_for_permission(shared.limits.infinite, PROGRESS_INTERVAL) {
            self.report_progress(shared);
        }
    }

    /// Records the result of root move `mv`, the `count`th of its line. Only the first move and
    /// those that raise alpha get a score and a PV.
    pub(crate) fn record_root_result(
        &mut self,
        mv: Move,
        score: Score,
        count: usize,
        alpha: Score,
        nodes: u64,
    ) {
        let line = &self.pv.0[1];
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if count == 1 || score > alpha {
            root.score = score;
            root.seldepth = self.seldepth;
            root.pv.truncate(1);
            root.pv.extend_from_slice(line);
        } else {
            root.score = -Score::INFINITE;
        }
    }

    fn report_lines(&mut self, shared: &SearchShared<'_>, depth: u32, lines: usize) {
        for index in 0..lines {
            self.report_line(shared, depth, index, Bound::Exact);
        }
    }

    fn report_line(&mut self, shared: &SearchShared<'_>, depth: u32, index: usize, bound: Bound) {
        let reports = self.id == 0 && shared.wants_reports;
        let Some(root) = self.root_moves.get(index).filter(|_| reports) else { return };
        self.count(shared);
        if index == 0 {
            self.reported_line.clone_from(&root.pv);
        }
        shared.report_line(depth, index + 1, root, bound);
    }

    /// Reports the first root move after a stop during the first iteration. Its score is the static
    /// evaluation if it was not searched.
    fn report_fallback(&mut self, shared: &SearchShared<'_>) {
        let eval = self.evaluate(shared.game.board(), 0);
        if let Some(root) = self.root_moves.first_mut() {
            if root.known_score() == -Score::INFINITE {
                root.score = eval;
            }
            self.report_line(shared, 1, 0, Bound::Exact);
        }
    }

    /// Returns the best root move so far.
    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.root_moves.first()
    }
}
