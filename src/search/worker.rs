//! One search thread: its histories, search stack, key history and root moves, and the operations
//! that nodes are built from. Start at [`Worker`].

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::correction::CorrectionHistory;
use super::cycles::can_repeat;
use super::history::{Circumstances, Histories, PieceTo, Structure};
use super::level::{Level, Sight};
use super::limits::Limits;
use super::prober::Prober;
use super::pruning::{self, Reductions};
use super::report::Reporter;
use super::shared::{Control, Counters};
use super::time::{Budget, natural_time};
use super::tt::Table;
use crate::board::{Board, Game};
use crate::eval::{PawnCache, evaluate_cached};
use crate::tablebase::{RankedMove, Ranking};
use crate::types::{MAX_PLY, Move, Score};

/// The search was stopped; the score being computed is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

pub(super) type Searched = Result<Score, Stopped>;

/// State that all threads of one search share.
pub(super) struct Task<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) counters: &'a Counters,
    pub(super) limits: &'a Limits,
    pub(super) budget: Option<Budget>,
    pub(super) game: &'a Game,
    pub(super) multi_pv: usize,
    pub(super) level: Level,
    /// Seed of a level's mistakes.
    pub(super) seed: u64,
    /// Tablebase prober for positions below the root.
    pub(super) prober: Option<Prober<'a>>,
    /// Tablebase ranking of the root moves.
    pub(super) ranking: Option<Ranking>,
    /// Whether tablebases are loaded, so that `tbhits` is reported.
    pub(super) has_tables: bool,
    /// Used by the main thread only.
    pub(super) reporter: Mutex<&'a mut dyn Reporter>,
}

impl Task<'_> {
    /// Calls `message` with the reporter.
    pub(super) fn tell(&self, message: impl FnOnce(&mut dyn Reporter)) {
        let mut reporter = self.reporter.lock().unwrap_or_else(PoisonError::into_inner);
        message(&mut **reporter);
    }

    /// Returns the tablebase hits of all threads, or `None` without tablebases.
    pub(super) fn tb_hits(&self) -> Option<u64> {
        self.has_tables.then(|| self.counters.tb_hits())
    }
}

/// Search stack entry: the state of one ply of the current line.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) static_eval: Option<Score>,
    pub(super) killers: [Option<Move>; 2],
    /// Move played at this ply; `None` for a null move.
    pub(super) played: Option<Move>,
    /// Beta cutoffs at this ply since the node two plies up was entered; many raise LMR.
    pub(super) cutoffs: i32,
    /// Move excluded by a singular search (SE) at this ply.
    pub(super) excluded: Option<Move>,
    pub(super) double_extensions: i32,
    /// Context of the quiet-move histories at this ply.
    pub(super) circumstances: Circumstances,
}

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) score: Score,
    pub(super) previous_score: Score,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    pub(super) pv: Vec<Move>,
    /// Tablebase rank, higher is better; it outweighs the score.
    pub(super) rank: i32,
    /// Tablebase score.
    verdict: Option<Score>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            seldepth: 0,
            nodes: 0,
            pv: vec![mv],
            rank: 0,
            verdict: None,
        }
    }

    /// Adds the tablebase rank and score of this move, if it is in `ranking`.
    fn ranked(self, ranking: &[RankedMove]) -> Self {
        match ranking.iter().find(|ranked| ranked.mv == self.mv) {
            Some(ranked) => Self { rank: ranked.rank, verdict: Some(ranked.score), ..self },
            None => self,
        }
    }

    /// Moves `score` to `previous_score` for a new iteration. A move that did not raise alpha in
    /// the last one keeps no older score, which could sort it ahead of the best move.
    pub(super) fn begin_iteration(&mut self) {
        self.previous_score = std::mem::replace(&mut self.score, -Score::INFINITE);
    }

    /// Returns the score, or the previous iteration's if this one has none.
    pub(super) fn known_score(&self) -> Score {
        if self.score == -Score::INFINITE { self.previous_score } else { self.score }
    }

    /// Returns the score to report: the tablebase score if there is one, unless a mate was found.
    pub(super) fn shown_score(&self) -> Score {
        let known = self.known_score();
        self.verdict.filter(|_| !known.is_mate()).unwrap_or(known)
    }

    /// Returns the sort key that puts the best root move first.
    pub(super) fn place(&self) -> impl Ord + use<> {
        std::cmp::Reverse((self.rank, self.score, self.previous_score))
    }
}

/// Principal variation from each ply.
struct PvTable(Vec<Vec<Move>>);

/// State of one search thread.
pub(super) struct Worker {
    pub(super) id: usize,
    pub(super) histories: Histories,
    pub(super) correction: CorrectionHistory,
    pawn_cache: PawnCache,
    pub(super) reductions: Reductions,
    pub(super) frames: Vec<Frame>,
    pv: PvTable,
    /// Zobrist keys of the game and of the current line, the current position last.
    keys: Vec<u64>,
    /// Index of the root in `keys`.
    root_key: usize,
    /// First index in `keys` that can be a repetition; a null move makes earlier positions
    /// unreachable.
    barrier: usize,
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
    pub(super) seldepth: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// Index of the line being searched; root moves before it already have one.
    pub(super) pv_index: usize,
    pub(super) completed_depth: u32,
    pub(super) root_depth: i32,
    /// Time of the last progress report, or the start of the search.
    pub(super) last_progress: Instant,
    /// First ply that allows NMP while a null move is being verified, otherwise 0.
    pub(super) null_move_from: usize,
    /// Handicap state below full strength.
    sight: Option<Box<Sight>>,
}

/// Nodes between checks of the clock and the stop flag.
const CHECK_INTERVAL: u64 = 1024;
/// Nodes after which even the first iteration may be stopped.
const FIRST_ITERATION_NODES: u64 = 8 * CHECK_INTERVAL;
/// Frames before the root, so looking six plies back needs no special case.
pub(super) const FRAMES_BEFORE: usize = 6;

impl Worker {
    pub(super) fn new(id: usize) -> Self {
        Self {
            id,
            histories: Histories::default(),
            correction: CorrectionHistory::default(),
            pawn_cache: PawnCache::default(),
            reductions: Reductions::new(),
            frames: vec![Frame::default(); MAX_PLY + FRAMES_BEFORE + 4],
            pv: PvTable(vec![Vec::new(); MAX_PLY + 2]),
            keys: Vec::new(),
            root_key: 0,
            barrier: 0,
            nodes: 0,
            tb_hits: 0,
            seldepth: 0,
            root_moves: Vec::new(),
            pv_index: 0,
            completed_depth: 0,
            root_depth: 0,
            last_progress: Instant::now(),
            null_move_from: 0,
            sight: None,
        }
    }

    /// Prepares for a search of the game's current position.
    pub(super) fn prepare(&mut self, task: &Task<'_>) {
        let board = task.game.board();
        self.nodes = 0;
        self.tb_hits = 0;
        self.completed_depth = 0;
        self.last_progress = Instant::now();
        let weakness = task.level.weakness();
        self.sight = weakness.map(|weakness| Box::new(Sight::new(weakness, task.seed)));
        if cfg!(feature = "tuning") {
            // The LMR parameters may have changed.
            self.reductions = Reductions::new();
        }
        self.frames.fill(Frame::default());
        self.keys.clear();
        self.keys.extend(task.game.positions().iter().map(Board::key));
        self.root_key = self.keys.len() - 1;
        self.root_moves = board
            .legal_moves()
            .iter()
            .filter(|mv| {
                task.limits.search_moves.is_empty() || task.limits.search_moves.contains(mv)
            })
            .map(|&mv| RootMove::new(mv))
            .collect();
        if let Some(Ranking { moves, .. }) = &task.ranking {
            self.root_moves = self.root_moves.drain(..).map(|root| root.ranked(moves)).collect();
            self.root_moves.sort_by_key(RootMove::place);
            // The root was probed once for all threads.
            self.tb_hits = if self.id == 0 { moves.len() as u64 } else { 0 };
        }
    }

    /// Publishes the node and tablebase-hit counts of this thread.
    pub(super) fn count(&self, task: &Task<'_>) {
        task.counters.set(self.id, self.nodes, self.tb_hits);
    }

    /// Restores the state at the root after a search that may have stopped anywhere.
    pub(super) fn return_to_root(&mut self) {
        self.keys.truncate(self.root_key + 1);
        self.barrier = 0;
        self.null_move_from = 0;
        for frame in &mut self.frames {
            frame.excluded = None;
        }
    }

    /// Clears the move and correction histories, for a new game.
    pub(super) fn forget(&mut self) {
        self.histories.clear();
        self.correction.clear();
    }

    #[inline]
    pub(super) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAMES_BEFORE]
    }

    /// Returns the move that led to `ply`; `None` at the root and after a null move.
    #[inline]
    pub(super) fn move_before(&self, ply: usize) -> Option<Move> {
        self.frames[ply + FRAMES_BEFORE - 1].played
    }

    /// Returns the move that led to `ply` and its history context, if it was quiet.
    pub(super) fn quiet_move_before(&self, ply: usize) -> Option<(Move, Circumstances)> {
        let before = self.frame(ply.checked_sub(1)?);
        let mv = before.played.filter(|mv| !mv.is_noisy())?;
        Some((mv, before.circumstances))
    }

    /// Returns the context of the quiet-move histories at `ply`.
    #[inline]
    pub(super) fn circumstances(&self, board: &Board, ply: usize) -> Circumstances {
        let here = ply + FRAMES_BEFORE;
        Circumstances {
            earlier: [1, 2, 4, 6].map(|back| self.frames[here - back].played.map(PieceTo::new)),
            attacked: board.attacked_by(!board.side_to_move()),
            structure: Structure::of(board),
        }
    }

    /// Counts a node and ends the search when a limit is reached. Every node calls this first.
    #[inline]
    pub(super) fn enter_node(&mut self, task: &Task<'_>, ply: usize) -> Result<(), Stopped> {
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.check_limits(task)?;
        }
        if task.limits.nodes.is_some_and(|limit| self.nodes >= limit) && self.may_end() {
            task.control.stop();
            return Err(Stopped);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply + 1);
        self.pv.0[ply].clear();
        Ok(())
    }

    fn check_limits(&mut self, task: &Task<'_>) -> Result<(), Stopped> {
        self.count(task);
        if task.control.is_stopped() && self.may_end() {
            return Err(Stopped);
        }
        self.report_progress(task);
        let exhausted = self.sight.as_ref().is_some_and(|sight| sight.is_exhausted(self.nodes));
        if exhausted && self.completed_depth > 0 {
            // Do not set the stop flag: with `infinite` or `ponder` the answer still has to wait.
            return Err(Stopped);
        }
        if self.id != 0 || task.control.is_pondering() {
            return Ok(());
        }
        let out_of_time = task
            .budget
            .is_some_and(|budget| !task.limits.infinite && task.control.elapsed() >= budget.hard);
        let out_of_nodes = task.limits.nodes.is_some_and(|limit| task.counters.total() >= limit);
        if (out_of_time || out_of_nodes) && self.may_end() {
            task.control.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    /// Returns whether the search may end here. The first thread finishes depth 1 before it obeys a
    /// limit or `stop`, so that every answer has been searched, unless that takes too many nodes.
    fn may_end(&self) -> bool {
        self.id != 0 || self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES
    }

    /// Enters a child: `board` is the position after `played`, which is `None` for a null move.
    #[inline]
    pub(super) fn descend(&mut self, ply: usize, board: &Board, played: Option<Move>) {
        self.frame_mut(ply).played = played;
        self.keys.push(board.key());
    }

    /// Leaves a child.
    #[inline]
    pub(super) fn ascend(&mut self) {
        self.keys.pop();
    }

    /// Enters the child after a null move; returns the barrier for [`Self::ascend_null`].
    pub(super) fn descend_null(&mut self, ply: usize, board: &Board) -> usize {
        let barrier = self.barrier;
        self.descend(ply, board, None);
        self.barrier = self.keys.len() - 1;
        barrier
    }

    pub(super) fn ascend_null(&mut self, barrier: usize) {
        self.ascend();
        self.barrier = barrier;
    }

    /// Returns whether the position is a draw by the fifty-move rule, insufficient material or
    /// repetition. One earlier occurrence since the root is enough; before the root it takes two.
    pub(super) fn is_draw(&self, board: &Board) -> bool {
        if board.halfmove_clock() >= 100 && (!board.in_check() || board.has_legal_move()) {
            return true;
        }
        board.is_material_insufficient() || self.is_repetition(board)
    }

    /// Returns whether the side to move can repeat a position since the root (upcoming repetition).
    #[inline]
    pub(super) fn can_repeat(&self, board: &Board) -> bool {
        let first = self.barrier.max(self.root_key);
        let reach = usize::from(board.halfmove_clock()).min(self.keys.len() - 1 - first);
        reach >= 3 && can_repeat(board, &self.keys[self.keys.len() - 1 - reach..])
    }

    fn is_repetition(&self, board: &Board) -> bool {
        let now = self.keys.len() - 1;
        let reach = usize::from(board.halfmove_clock()).min(now - self.barrier.min(now));
        let mut before_root = 0;
        for back in (4..=reach).step_by(2) {
            let index = now - back;
            if self.keys[index] == self.keys[now] {
                if index >= self.root_key {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Returns `raw` adjusted by the correction history and scaled towards 0 as the fifty-move rule
    /// comes nearer. The TT stores the raw evaluation, because its key does not include the clock.
    pub(super) fn corrected(&self, board: &Board, raw: Score) -> Score {
        let eval = raw.value() + self.correction.get(board);
        Score::cp(pruning::damped_by_clock(eval, board.halfmove_clock()))
    }

    /// Returns the uncorrected evaluation, including the level's error below full strength.
    #[inline]
    pub(super) fn raw_eval(&mut self, board: &Board) -> Score {
        let eval = evaluate_cached(board, &mut self.pawn_cache);
        match &self.sight {
            None => eval,
            Some(sight) => Score::cp(eval.value() + sight.misjudgement(board)),
        }
    }

    /// Returns whether the level overlooks `mv`.
    #[inline]
    pub(super) fn overlooks(&self, board: &Board, mv: Move, ply: usize) -> bool {
        let sight = self.sight.as_ref();
        sight.is_some_and(|sight| sight.overlooks(board, mv, self.move_before(ply)))
    }

    /// Returns whether the level has used up its soft node limit.
    pub(super) fn has_seen_enough(&self) -> bool {
        self.sight.as_ref().is_some_and(|sight| sight.is_satisfied(self.nodes))
    }

    /// Returns the earliest time at which a weakened level answers, so that its moves do not come
    /// at once. `None` at full strength, or if anything but a clock limits the search.
    pub(super) fn natural_time(&self, task: &Task<'_>) -> Option<Duration> {
        let (sight, budget) = (self.sight.as_ref()?, task.budget.filter(|it| it.flexible)?);
        let limits = task.limits;
        if limits.depth.is_some() || limits.nodes.is_some() || limits.soft_nodes.is_some() {
            return None;
        }
        let takes_back = match (self.root_moves.first(), task.game.moves().last()) {
            (Some(root), Some(before)) => {
                root.mv.is_capture() && root.mv.to() == before.destination()
            }
            _ => false,
        };
        let obvious = self.root_moves.len() == 1 || takes_back;
        Some(natural_time(&budget, obvious, sight.mood(task.game.board())))
    }

    pub(super) fn evaluate(&mut self, board: &Board) -> Score {
        let raw = self.raw_eval(board);
        self.corrected(board, raw)
    }

    /// Sets the PV at `ply` to `mv` followed by the PV of the child.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    pub(super) fn clear_pv(&mut self, ply: usize) {
        self.pv.0[ply].clear();
    }

    pub(super) fn line_below(&self, ply: usize) -> &[Move] {
        &self.pv.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Piece, Square};

    /// A move that was best two iterations ago, with a high score, must not come first again when
    /// the current iteration is aborted before it has a result.
    #[test]
    fn aborted_iteration_keeps_previous_best_move() {
        let [a, b] = [Square::F3, Square::H3]
            .map(|to| RootMove::new(Move::quiet(Piece::WhiteKnight, Square::G1, to)));
        let (first, second) = (a.mv, b.mv);
        let mut moves = [a, b];
        for (of_first, of_second) in [(Some(50), None), (None, Some(30)), (None, None)] {
            moves.iter_mut().for_each(RootMove::begin_iteration);
            for root in &mut moves {
                let found = if root.mv == first { of_first } else { of_second };
                root.score = found.map_or(-Score::INFINITE, Score::cp);
            }
            moves.sort_by_key(RootMove::place);
        }
        assert_eq!(moves[0].mv, second);
        assert_eq!(moves[0].known_score(), Score::cp(30));
    }
}
