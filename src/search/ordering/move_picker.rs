//! Staged move ordering: TT move, good captures, killers, countermove, quiet moves, bad captures.
//! Moves are generated only when their stage is reached. Start at [`MovePicker::next`].

use crate::board::{Board, GenType, see_value};
use crate::search::ordering::history::{Histories, HistoryContext};
use crate::search::params as p;
use crate::types::{List, Move, MoveList, PieceType};

/// The stages, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    Counter,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Scored moves, taken out best first by selection.
struct Ranked {
    moves: MoveList,
    /// A rank for each move: its score in the high bits, its index in the low 8, so a vectorised
    /// maximum over plain integers finds the best move.
    ranks: List<i32>,
}

/// The rank of a move that has been taken out.
const TAKEN: i32 = i32::MIN;
/// Number of values the low bits of a rank can hold: the list index of the move.
const PLACES: i32 = MoveList::CAPACITY as i32;

impl Ranked {
    fn new() -> Self {
        Self { moves: MoveList::new(), ranks: List::new() }
    }

    fn fill(&mut self, board: &Board, kind: GenType, value: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.ranks.clear();
        board.generate(kind, &mut self.moves);
        // Places count down, so the first of several equal moves wins.
        for (&mv, place) in self.moves.iter().zip((0..PLACES).rev()) {
            self.ranks.push(value(mv) * PLACES + place);
        }
    }

    /// Takes out the best remaining move. Few moves are usually needed, so selection beats sorting.
    fn take_best(&mut self) -> Option<Move> {
        let best = self.ranks.iter().fold(TAKEN, |best, &rank| best.max(rank));
        if best == TAKEN {
            return None;
        }
        let index = (PLACES - 1 - best.rem_euclid(PLACES)) as usize;
        self.ranks.as_mut_slice()[index] = TAKEN;
        Some(self.moves[index])
    }
}

/// The move picker of one node. It returns each legal move exactly once, except those that are
/// skipped.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    counter: Option<Move>,
    context: HistoryContext,
    ranked: Ranked,
    bad: MoveList,
    next_bad: usize,
    noisy_only: bool,
    skip_quiets: bool,
}

impl MovePicker {
    /// Creates a picker of all moves, for a main search node or for check evasions in quiescence
    /// search. `tt_move` must be legal.
    #[must_use]
    pub fn new(
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        counter: Option<Move>,
        context: HistoryContext,
    ) -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move,
            killers,
            counter,
            context,
            ranked: Ranked::new(),
            bad: MoveList::new(),
            next_bad: 0,
            noisy_only: false,
            skip_quiets: false,
        }
    }

    /// Creates a picker of captures and promotions only, losing ones included. Quiescence search
    /// and ProbCut apply their own SEE thresholds, the former after cheaper tests.
    #[must_use]
    pub fn noisy(tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|mv| mv.is_noisy());
        Self { noisy_only: true, ..Self::new(tt_move, [None; 2], None, HistoryContext::default()) }
    }

    /// Skips all remaining quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Returns the next move.
    pub fn next(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.ranked.fill(board, GenType::Noisy, |mv| noisy_value(mv, histories));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.ranked.take_best() {
                    Some(mv) if Some(mv) == self.tt_move => {}
                    Some(mv) if self.noisy_only || is_good(board, mv) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::FirstKiller,
                },
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(mv) = self.usable(board, self.killers[0]) {
                        return Some(mv);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::Counter;
                    let second = self.killers[1].filter(|&mv| Some(mv) != self.killers[0]);
                    if let Some(mv) = self.usable(board, second) {
                        return Some(mv);
                    }
                }
                Stage::Counter => {
                    self.stage = Stage::GenerateQuiet;
                    let counter = self.counter.filter(|&mv| !self.killers.contains(&Some(mv)));
                    if let Some(mv) = self.usable(board, counter) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        let value = histories.quiets(&self.context);
                        self.ranked.fill(board, GenType::Quiet, value);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.ranked.take_best() {
                    _ if self.skip_quiets => self.stage = Stage::BadNoisy,
                    Some(mv) if self.was_returned(mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Returns whether `mv`, which must be the last move returned, wins at least `threshold` by
    /// SEE. A good capture has already passed `picker_exchange`, so lower thresholds need no second
    /// SEE.
    pub(crate) fn see_passes(&self, board: &Board, mv: Move, threshold: i32) -> bool {
        let known =
            self.stage == Stage::GoodNoisy && !self.noisy_only && threshold <= p::picker_exchange();
        known || board.see_at_least(mv, threshold)
    }

    /// Returns the killer or countermove `mv` if it is a legal quiet move other than the TT move
    /// and quiet moves are not skipped.
    fn usable(&self, board: &Board, mv: Option<Move>) -> Option<Move> {
        mv.filter(|&mv| {
            !self.skip_quiets && Some(mv) != self.tt_move && !mv.is_noisy() && board.is_legal(mv)
        })
    }

    fn was_returned(&self, mv: Move) -> bool {
        let mv = Some(mv);
        mv == self.tt_move || self.killers.contains(&mv) || mv == self.counter
    }
}

/// Scores a capture or promotion: most valuable victim (MVV), adjusted by capture history.
fn noisy_value(mv: Move, histories: &Histories) -> i32 {
    let victim = mv.captured().map_or(0, see_value);
    let promotion = match mv.promotion_to() {
        Some(PieceType::Queen) => p::picker_promotion(),
        Some(_) => -p::picker_promotion(),
        None => 0,
    };
    p::picker_victim() * (victim + promotion) + histories.capture(mv)
}

/// Returns whether `mv` is a good capture or promotion. Underpromotions and captures that SEE puts
/// below `picker_exchange` are bad and come last.
fn is_good(board: &Board, mv: Move) -> bool {
    mv.promotion_to().is_none_or(|kind| kind == PieceType::Queen)
        && board.see_at_least(mv, p::picker_exchange())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Taking the best repeatedly must equal a stable sort, for negative scores too.
    #[test]
    fn ranked_moves_come_out_in_stable_order() {
        let board =
            Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
                .unwrap();
        for (spread, shift) in [(1, 0), (7, -3), (1_000, -500), (200_000, -100_000)] {
            let value =
                |mv: Move| (mv.bits().wrapping_mul(0x9e37_79b1) >> 8) as i32 % spread + shift;
            let mut sorted = board.legal_moves().to_vec();
            sorted.sort_by_key(|&mv| std::cmp::Reverse(value(mv)));
            let mut ranked = Ranked::new();
            ranked.fill(&board, GenType::All, value);
            let taken: Vec<Move> = std::iter::from_fn(|| ranked.take_best()).collect();
            assert_eq!(taken, sorted, "{spread} {shift}");
        }
    }
}
