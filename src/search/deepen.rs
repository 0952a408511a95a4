//! Iterative deepening with aspiration windows, and the reports of root moves. Start at
//! [`Worker::deepen`].

use std::time::{Duration, Instant};

use super::kinds::Root;
use super::params as p;
use super::report::{Bound, Info};
use super::time::Patience;
use super::worker::{RootMove, Stopped, Task, Worker};
use crate::types::{MAX_PLY, Move, Score};

/// Time before `currmove`, bounds and progress are reported.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// Time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// Deepest iteration, in plies; beyond it nothing more is found.
const MAX_DEPTH: u32 = 127;

impl Worker {
    /// Iterative deepening: searches to depth 1, 2 and so on until a limit is reached. Leaves the
    /// best move first in `root_moves`.
    pub(super) fn deepen(&mut self, task: &Task<'_>) {
        let mut patience = Patience::default();
        let deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            if self.leaves_out(depth) {
                continue;
            }
            self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
            let told = self.best().map(|root| root.mv);
            let finished = self.iterate(task, depth);
            self.return_to_root();
            self.count(task);
            if finished.is_err() {
                if self.completed_depth > 0 && self.best().map(|root| root.mv) != told {
                    // The last PV reported must begin with the move played. Its score is a lower
                    // bound, because the root moves not yet searched can only raise it.
                    self.report_line(task, depth, 0, Bound::Lower);
                    // The other lines have moved down by one; their scores are still those of the
                    // last completed iteration.
                    for index in 1..task.multi_pv.min(self.root_moves.len()) {
                        self.report_line(task, depth - 1, index, Bound::Exact);
                    }
                }
                break;
            }
            self.completed_depth = depth;
            if self.id == 0 && self.is_enough(task, &mut patience) {
                break;
            }
        }
        if self.id == 0 && self.completed_depth == 0 {
            self.report_fallback(task);
        }
    }

    /// Returns whether this thread skips iteration `depth`. Each helper has its own pattern, so
    /// helpers run ahead of the main thread and of each other and fill the TT with entries that
    /// will be needed next.
    fn leaves_out(&self, depth: u32) -> bool {
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

    fn iterate(&mut self, task: &Task<'_>, depth: u32) -> Result<(), Stopped> {
        self.root_depth = depth as i32;
        let lines = task.multi_pv.min(self.root_moves.len());
        for index in 0..lines {
            self.pv_index = index;
            self.seldepth = 0;
            let searched = self.aspire(task, depth);
            // Root moves finished before a stop have valid scores, so sort before returning.
            self.root_moves[index..].sort_by_key(RootMove::place);
            searched?;
            self.root_moves[..=index].sort_by_key(RootMove::place);
        }
        self.report_lines(task, depth, lines);
        Ok(())
    }

    /// Aspiration windows: searches the root with a window around the previous score, and widens it
    /// until the score falls inside.
    fn aspire(&mut self, task: &Task<'_>, depth: u32) -> Result<(), Stopped> {
        let previous = self.root_moves[self.pv_index].previous_score;
        let mut window = p::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth as i32 >= p::aspiration_depth() && !previous.is_decisive() {
            (alpha, beta) = (previous - window, previous + window);
        }
        let mut failed_high = 0;
        loop {
            let board = task.game.board();
            let reduced = (depth as i32 - failed_high).max(1);
            let score = self.search::<Root>(task, board, alpha, beta, reduced, 0, false)?;
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
            if task.multi_pv == 1 && task.control.elapsed() >= QUIET_TIME {
                self.report_line(task, depth, 0, bound);
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
    fn is_enough(&self, task: &Task<'_>, patience: &mut Patience) -> bool {
        let Some(best) = self.root_moves.first() else { return true };
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let factor = patience.factor(best.mv, best.score, share);
        if self.has_seen_enough() {
            return true;
        }
        if task.limits.infinite || task.control.is_pondering() {
            return false;
        }
        if let (Some(moves), Some(distance)) = (task.limits.mate, best.score.mate_distance())
            && distance.unsigned_abs() <= moves
        {
            return true;
        }
        if task.limits.soft_nodes.is_some_and(|limit| self.nodes >= limit) {
            return true;
        }
        let Some(budget) = task.budget else { return false };
        let choices = self.root_moves.iter().filter(|root| root.rank == best.rank).count();
        let only_move = choices == 1 && task.limits.search_moves.is_empty();
        if budget.flexible && only_move {
            return true;
        }
        let soft = if budget.flexible { budget.soft.mul_f64(factor) } else { budget.soft };
        task.control.elapsed() >= soft.min(budget.hard)
    }

    /// Returns whether the current line may choose root move `mv`: no earlier line has it, and no
    /// remaining move has a higher tablebase rank.
    pub(super) fn is_open_at_root(&self, mv: Move) -> bool {
        let open = &self.root_moves[self.pv_index..];
        open.iter().any(|root| root.mv == mv && root.rank == open[0].rank)
    }

    /// Reports `currmove` on the main thread, once [`QUIET_TIME`] has passed.
    pub(super) fn announce(&self, task: &Task<'_>, mv: Move, count: usize) {
        if self.id == 0 && task.control.elapsed() >= QUIET_TIME {
            let (depth, number) = (self.root_depth as u32, count + self.pv_index);
            task.tell(|reporter| reporter.current_move(depth, mv, number));
        }
    }

    /// Reports progress once a second after [`QUIET_TIME`]. A deep iteration can last for hours
    /// without any other report, and a closed output is noticed only when it is written to.
    pub(super) fn report_progress(&mut self, task: &Task<'_>) {
        if self.id != 0 || self.last_progress.elapsed() < PROGRESS_INTERVAL {
            return;
        }
        let (nodes, time) = (task.counters.total(), task.control.elapsed());
        if time >= QUIET_TIME {
            self.last_progress = Instant::now();
            task.tell(|reporter| reporter.progress(nodes, time));
        }
    }

    /// Waits until `bestmove` may be sent, and reports progress meanwhile.
    pub(super) fn wait_for_permission(&mut self, task: &Task<'_>) {
        while !task.control.wait_for_permission(task.limits.infinite, PROGRESS_INTERVAL) {
            self.report_progress(task);
        }
    }

    /// Records the result of root move `mv`, the `count`th of its line. Only the first move and
    /// those that raise alpha get a score and a PV.
    pub(super) fn note_root_result(
        &mut self,
        mv: Move,
        score: Score,
        count: usize,
        alpha: Score,
        nodes: u64,
    ) {
        let mut line = vec![mv];
        line.extend_from_slice(self.line_below(1));
        let seldepth = self.seldepth;
        if let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) {
            root.nodes += nodes;
            if count == 1 || score > alpha {
                root.score = score;
                root.seldepth = seldepth;
                root.pv = line;
            } else {
                root.score = -Score::INFINITE;
            }
        }
    }

    fn report_lines(&self, task: &Task<'_>, depth: u32, lines: usize) {
        for index in 0..lines {
            self.report_line(task, depth, index, Bound::Exact);
        }
    }

    fn report_line(&self, task: &Task<'_>, depth: u32, index: usize, bound: Bound) {
        let Some(root) = self.root_moves.get(index).filter(|_| self.id == 0) else { return };
        self.count(task);
        let info = Info {
            depth,
            seldepth: root.seldepth.min(MAX_PLY),
            multi_pv: index + 1,
            score: root.shown_score(),
            bound,
            nodes: task.counters.total(),
            time: task.control.elapsed(),
            per_mille_full: task.table.per_mille_full(),
            tb_hits: task.tb_hits(),
            pv: &root.pv,
        };
        task.tell(|reporter| reporter.info(&info));
    }

    /// Reports the first root move after a stop during the first iteration. Its score is the static
    /// evaluation if it was not searched.
    fn report_fallback(&mut self, task: &Task<'_>) {
        let eval = self.evaluate(task.game.board());
        if let Some(root) = self.root_moves.first_mut() {
            if root.known_score() == -Score::INFINITE {
                root.score = eval;
            }
            self.report_line(task, 1, 0, Bound::Exact);
        }
    }

    /// Returns the best root move so far.
    pub(super) fn best(&self) -> Option<&RootMove> {
        self.root_moves.first()
    }
}
