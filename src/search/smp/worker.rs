//! One search thread: its histories, search stack, key history and root moves, and the operations
//! that nodes are built from. Start at [`Worker`].

use std::time::{Duration, Instant};

use crate::board::Board;
use crate::eval::{EvalKind, Evaluator};
use crate::search::level::Handicap;
use crate::search::ordering::correction::CorrectionHistory;
use crate::search::ordering::history::{Histories, HistoryContext, PawnHistoryIndex, PieceTo};
use crate::search::smp::key_history::KeyHistory;
use crate::search::smp::root_move::RootMove;
use crate::search::smp::shared::SearchShared;
use crate::search::smp::stack::{FRAMES_BEFORE, Frame, PvTable};
use crate::search::time::natural_time;
use crate::search::tree::margins::{self, Reductions};
use crate::search::tt::Entry;
use crate::search::upcoming_repetition::can_repeat;
use crate::tablebase::Ranking;
use crate::types::{MAX_PLY, Move, Score};

/// The search was stopped; the score being computed is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

pub(crate) type Searched = Result<Score, Stopped>;

/// The static evaluation of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticEval {
    /// As the evaluation gives it; the TT stores this.
    pub(crate) raw: Score,
    /// With correction history and fifty-move damping.
    pub(crate) corrected: Score,
}

/// State of one search thread.
pub(crate) struct Worker {
    pub(crate) id: usize,
    pub(crate) histories: Histories,
    pub(crate) correction: CorrectionHistory,
    pub(crate) evaluator: Evaluator,
    pub(crate) reductions: Reductions,
    pub(crate) frames: Vec<Frame>,
    pub(crate) pv: PvTable,
    keys: KeyHistory,
    pub(crate) nodes: u64,
    pub(crate) tb_hits: u64,
    pub(crate) seldepth: usize,
    pub(crate) root_moves: Vec<RootMove>,
    /// Index of the line being searched; root moves before it already have one.
    pub(crate) pv_index: usize,
    pub(crate) completed_depth: u32,
    pub(crate) root_depth: i32,
    /// The best line as it was last reported.
    pub(crate) reported_line: Vec<Move>,
    /// Time of the last progress report, or the start of the search.
    pub(crate) last_progress: Instant,
    /// First ply that allows NMP while a null move is being verified, otherwise 0.
    pub(crate) null_move_from: usize,
    /// State of the handicap; `None` at full strength.
    handicap: Option<Box<Handicap>>,
}

/// Nodes between checks of the clock and the stop flag.
const CHECK_INTERVAL: u64 = 1024;
/// Nodes after which even the first iteration may be stopped.
const FIRST_ITERATION_NODES: u64 = 8 * CHECK_INTERVAL;
impl Worker {
    pub(crate) fn new(id: usize, evaluation: &EvalKind) -> Self {
        Self {
            id,
            histories: Histories::default(),
            correction: CorrectionHistory::default(),
            evaluator: Evaluator::new(evaluation),
            reductions: Reductions::new(),
            frames: vec![Frame::default(); MAX_PLY + FRAMES_BEFORE + 4],
            pv: PvTable(vec![Vec::new(); MAX_PLY + 2]),
            keys: KeyHistory::default(),
            nodes: 0,
            tb_hits: 0,
            seldepth: 0,
            root_moves: Vec::new(),
            pv_index: 0,
            completed_depth: 0,
            root_depth: 0,
            reported_line: Vec::new(),
            last_progress: Instant::now(),
            null_move_from: 0,
            handicap: None,
        }
    }

    /// Changes the static evaluation, if it is not `evaluation` already.
    pub(crate) fn use_evaluation(&mut self, evaluation: &EvalKind) {
        if self.evaluator.evaluation() != evaluation {
            self.evaluator = Evaluator::new(evaluation);
        }
    }

    /// Prepares for a search of the game's current position.
    pub(crate) fn prepare(&mut self, shared: &SearchShared<'_>) {
        let board = shared.game.board();
        self.nodes = 0;
        self.tb_hits = 0;
        self.completed_depth = 0;
        self.reported_line.clear();
        self.last_progress = Instant::now();
        let weakness = shared.level.weakness();
        self.handicap = weakness.map(|weakness| Box::new(Handicap::new(weakness, shared.seed)));
        if cfg!(feature = "tuning") {
            // The LMR parameters may have changed.
            self.reductions = Reductions::new();
        }
        self.frames.fill(Frame::default());
        self.keys.reset(shared.game);
        self.evaluator.reset(board);
        self.root_moves = board
            .legal_moves()
            .iter()
            .filter(|mv| {
                shared.limits.search_moves.is_empty() || shared.limits.search_moves.contains(mv)
            })
            .map(|&mv| RootMove::new(mv))
            .collect();
        if let Some(Ranking { moves, .. }) = &shared.ranking {
            self.root_moves = self.root_moves.drain(..).map(|root| root.ranked(moves)).collect();
            self.root_moves.sort_by_key(RootMove::place);
            // The root was probed once for all threads.
            self.tb_hits = if self.id == 0 { moves.len() as u64 } else { 0 };
        }
    }

    /// Publishes the node and tablebase-hit counts of this thread.
    pub(crate) fn count(&self, shared: &SearchShared<'_>) {
        shared.counters.set(self.id, self.nodes, self.tb_hits);
    }

    /// Resets what a search that stopped anywhere may have left behind.
    pub(crate) fn return_to_root(&mut self) {
        self.null_move_from = 0;
        for frame in &mut self.frames {
            frame.excluded = None;
        }
    }

    /// Clears the move and correction histories, for a new game.
    pub(crate) fn clear_histories(&mut self) {
        self.histories.clear();
        self.correction.clear();
    }

    #[inline]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAMES_BEFORE]
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAMES_BEFORE]
    }

    /// Returns the move that led to `ply`; `None` at the root and after a null move.
    #[inline]
    pub(crate) fn move_before(&self, ply: usize) -> Option<Move> {
        self.frames[ply + FRAMES_BEFORE - 1].played
    }

    /// Returns the move that led to `ply` and its history context, if it was quiet.
    pub(crate) fn quiet_move_before(&self, ply: usize) -> Option<(Move, HistoryContext)> {
        let before = self.frame(ply.checked_sub(1)?);
        let mv = before.played.filter(|mv| !mv.is_noisy())?;
        Some((mv, before.context))
    }

    /// Returns the context of the quiet-move histories at `ply`.
    #[inline]
    pub(crate) fn context(&self, board: &Board, ply: usize) -> HistoryContext {
        let here = ply + FRAMES_BEFORE;
        HistoryContext {
            earlier: [1, 2, 4, 6].map(|back| self.frames[here - back].played.map(PieceTo::new)),
            attacked: board.attacked_by(!board.side_to_move()),
            pawns: PawnHistoryIndex::of(board),
        }
    }

    /// Counts a node and ends the search when a limit is reached. Every node calls this first.
    #[inline]
    pub(crate) fn enter_node(
        &mut self,
        shared: &SearchShared<'_>,
        ply: usize,
    ) -> Result<(), Stopped> {
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.check_limits(shared)?;
        }
        if shared.limits.nodes.is_some_and(|limit| self.nodes >= limit) && self.may_end() {
            shared.control.stop();
            return Err(Stopped);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply + 1);
        self.pv.0[ply].clear();
        Ok(())
    }

    fn check_limits(&mut self, shared: &SearchShared<'_>) -> Result<(), Stopped> {
        self.count(shared);
        if shared.control.is_stopped() && self.may_end() {
            return Err(Stopped);
        }
        self.report_progress(shared);
        let exhausted =
            self.handicap.as_ref().is_some_and(|handicap| handicap.reached_hard_limit(self.nodes));
        if exhausted && self.completed_depth > 0 {
            // Do not set the stop flag: with `infinite` or `ponder` the answer still has to wait.
            return Err(Stopped);
        }
        if self.id != 0 || shared.control.is_pondering() {
            return Ok(());
        }
        let out_of_time = shared.budget.is_some_and(|budget| {
            !shared.limits.infinite && shared.control.elapsed() >= budget.hard
        });
        let out_of_nodes =
            shared.limits.nodes.is_some_and(|limit| shared.counters.total() >= limit);
        if (out_of_time || out_of_nodes) && self.may_end() {
            shared.control.stop();
            return Err(Stopped);
        }
        Ok(())
    }

    /// Returns whether the search may end here. The first thread finishes depth 1 before it obeys a
    /// limit or `stop`, so that every answer has been searched, unless that takes too many nodes.
    fn may_end(&self) -> bool {
        self.id != 0 || self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES
    }

    /// Plays `mv` at `ply` and returns the new position. Everything that is kept by ply is told of
    /// it; nothing needs to be taken back.
    #[inline]
    pub(crate) fn child(
        &mut self,
        shared: &SearchShared<'_>,
        board: &Board,
        mv: Move,
        ply: usize,
    ) -> Board {
        shared.tt.prefetch(board.prefetch_key(mv));
        let mut child = *board;
        child.play_unchecked(mv);
        self.frame_mut(ply).played = Some(mv);
        self.keys.play(ply, child.key());
        self.evaluator.play(ply, Some(mv), &child);
        child
    }

    /// Passes at `ply` (null move) and returns the new position.
    pub(crate) fn null_child(
        &mut self,
        shared: &SearchShared<'_>,
        board: &Board,
        ply: usize,
    ) -> Board {
        let mut child = *board;
        child.play_null();
        shared.tt.prefetch(child.key());
        self.frame_mut(ply).played = None;
        self.keys.play_null(ply, child.key());
        self.evaluator.play(ply, None, &child);
        child
    }

    /// Returns the score of a node that needs no search: a draw by rule, the evaluation at the
    /// maximum ply, or a draw that exceeds the window because the side to move can force it.
    /// Otherwise that draw may raise `alpha`.
    #[inline]
    pub(crate) fn score_without_search(
        &mut self,
        board: &Board,
        alpha: &mut Score,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        if self.is_draw(board, ply) {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY - 1 {
            return Some(self.evaluate(board, ply));
        }
        // Upcoming repetition (van Kervinck 2013): repeating a position gives at least a draw.
        if *alpha < Score::DRAW
            && can_repeat(board, self.keys.reversible(ply, board.halfmove_clock()))
        {
            *alpha = Score::DRAW;
            if *alpha >= beta {
                return Some(*alpha);
            }
        }
        None
    }

    /// Returns whether the position is a draw by the fifty-move rule, insufficient material or
    /// repetition.
    fn is_draw(&self, board: &Board, ply: usize) -> bool {
        if board.halfmove_clock() >= 100 && (!board.in_check() || board.has_legal_move()) {
            return true;
        }
        board.is_material_insufficient() || self.keys.is_repetition(ply, board.halfmove_clock())
    }

    /// Returns the static evaluation of a node, raw (from the TT if it has it) and corrected, or
    /// `None` in check.
    #[inline]
    pub(crate) fn static_eval(
        &mut self,
        board: &Board,
        entry: Option<&Entry>,
        ply: usize,
    ) -> Option<StaticEval> {
        if board.in_check() {
            return None;
        }
        let raw = match entry.and_then(|entry| entry.eval) {
            Some(eval) => Score::cp(eval.into()),
            None => self.raw_eval(board, ply),
        };
        Some(StaticEval { raw, corrected: self.corrected(board, raw) })
    }

    /// Returns `raw` adjusted by the correction history and scaled towards 0 as the fifty-move rule
    /// comes nearer. The TT stores the raw evaluation, because its key does not include the clock.
    fn corrected(&self, board: &Board, raw: Score) -> Score {
        let eval = raw.value() + self.correction.get(board);
        Score::cp(margins::damped_by_clock(eval, board.halfmove_clock()))
    }

    /// Returns the uncorrected evaluation, including the level's error below full strength.
    #[inline]
    fn raw_eval(&mut self, board: &Board, ply: usize) -> Score {
        let eval = self.evaluator.evaluate(ply, board);
        match &self.handicap {
            None => eval,
            Some(handicap) => Score::cp(eval.value() + handicap.misjudgement(board)),
        }
    }

    /// Returns whether the level overlooks `mv`.
    #[inline]
    pub(crate) fn overlooks(&self, board: &Board, mv: Move, ply: usize) -> bool {
        let handicap = self.handicap.as_ref();
        handicap.is_some_and(|handicap| handicap.overlooks(board, mv, self.move_before(ply)))
    }

    /// Returns whether the level has used up its soft node limit.
    pub(crate) fn reached_level_limit(&self) -> bool {
        self.handicap.as_ref().is_some_and(|handicap| handicap.reached_soft_limit(self.nodes))
    }

    /// Returns the earliest time at which a weakened level answers, so that its moves do not come
    /// at once. `None` at full strength, or if anything but a clock limits the search.
    pub(crate) fn natural_time(&self, shared: &SearchShared<'_>) -> Option<Duration> {
        let (handicap, budget) = (self.handicap.as_ref()?, shared.budget.filter(|it| it.flexible)?);
        let limits = shared.limits;
        if limits.depth.is_some() || limits.nodes.is_some() || limits.soft_nodes.is_some() {
            return None;
        }
        let takes_back = match (self.root_moves.first(), shared.game.moves().last()) {
            (Some(root), Some(before)) => {
                root.mv.is_capture() && root.mv.to() == before.destination()
            }
            _ => false,
        };
        let obvious = self.root_moves.len() == 1 || takes_back;
        Some(natural_time(&budget, obvious, handicap.mood(shared.game.board())))
    }

    /// Returns the corrected evaluation, in check too.
    pub(crate) fn evaluate(&mut self, board: &Board, ply: usize) -> Score {
        let raw = self.raw_eval(board, ply);
        self.corrected(board, raw)
    }

    /// Sets the PV at `ply` to `mv` followed by the PV of the child.
    pub(crate) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    pub(crate) fn clear_pv(&mut self, ply: usize) {
        self.pv.0[ply].clear();
    }
}
