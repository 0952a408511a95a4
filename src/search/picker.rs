//! Hands out the moves of a node, the most promising first, and generates no more than is needed.

use super::history::{Circumstances, Histories};
use super::params as p;
use crate::board::{Board, Moves, exchange_value};
use crate::types::{List, Move, MoveList, PieceType};

/// The steps, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
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

/// Moves with values, of which the best is taken out again and again.
struct Ranked {
    moves: MoveList,
    values: List<i32>,
    next: usize,
}

impl Ranked {
    fn new() -> Self {
        Self { moves: MoveList::new(), values: List::new(), next: 0 }
    }

    fn fill(&mut self, board: &Board, kind: Moves, value: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.values.clear();
        self.next = 0;
        board.generate(kind, &mut self.moves);
        for &mv in &self.moves {
            self.values.push(value(mv));
        }
    }

    /// The best of those that are left. Few are asked for, so this beats sorting them all.
    fn take_best(&mut self) -> Option<Move> {
        let values = &self.values[self.next..];
        let (mut best, mut highest) = (0, *values.first()?);
        for (index, &value) in values.iter().enumerate() {
            if value > highest {
                (best, highest) = (index, value);
            }
        }
        let best = self.next + best;
        self.moves.as_mut_slice().swap(self.next, best);
        self.values.as_mut_slice().swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// Hands out the moves of one node. Each legal move comes exactly once.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    counter: Option<Move>,
    circumstances: Circumstances,
    ranked: Ranked,
    bad: MoveList,
    next_bad: usize,
    noisy_only: bool,
    skip_quiets: bool,
}

impl Picker {
    /// For a node of the main search, or all evasions of a check. `table_move` is legal here.
    #[must_use]
    pub fn new(
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        counter: Option<Move>,
        circumstances: Circumstances,
    ) -> Self {
        Self {
            stage: Stage::TableMove,
            table_move,
            killers,
            counter,
            circumstances,
            ranked: Ranked::new(),
            bad: MoveList::new(),
            next_bad: 0,
            noisy_only: false,
            skip_quiets: false,
        }
    }

    /// For quiescence: captures and promotions only.
    #[must_use]
    pub fn noisy(table_move: Option<Move>) -> Self {
        let table_move = table_move.filter(|mv| mv.is_noisy());
        Self {
            noisy_only: true,
            ..Self::new(table_move, [None; 2], None, Circumstances::default())
        }
    }

    /// From now on, leave out quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.ranked.fill(board, Moves::Noisy, |mv| noisy_value(mv, histories));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.ranked.take_best() {
                    Some(mv) if Some(mv) == self.table_move => {}
                    Some(mv) if is_good(board, mv) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None if self.noisy_only => self.stage = Stage::BadNoisy,
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
                        let value = histories.quiets(&self.circumstances);
                        self.ranked.fill(board, Moves::Quiet, value);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.ranked.take_best() {
                    _ if self.skip_quiets => self.stage = Stage::BadNoisy,
                    Some(mv) if self.was_handed_out(mv) => {}
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

    /// Does the move that was handed out last win at least so much in exchanges? What its place in
    /// the order tells already is not worked out again.
    pub(super) fn exchange_holds(&self, board: &Board, mv: Move, threshold: i32) -> bool {
        let known = self.stage == Stage::GoodNoisy && threshold <= p::picker_exchange();
        known || board.see_at_least(mv, threshold)
    }

    /// A killer or counter move, if it can be played here and has not been handed out.
    fn usable(&self, board: &Board, mv: Option<Move>) -> Option<Move> {
        mv.filter(|&mv| {
            !self.skip_quiets && Some(mv) != self.table_move && !mv.is_noisy() && board.is_legal(mv)
        })
    }

    fn was_handed_out(&self, mv: Move) -> bool {
        let mv = Some(mv);
        mv == self.table_move || self.killers.contains(&mv) || mv == self.counter
    }
}

/// Most valuable victim first, then what has worked before.
fn noisy_value(mv: Move, histories: &Histories) -> i32 {
    let victim = mv.captured().map_or(0, exchange_value);
    let promotion = match mv.promotion_to() {
        Some(PieceType::Queen) => p::picker_promotion(),
        Some(_) => -p::picker_promotion(),
        None => 0,
    };
    p::picker_victim() * (victim + promotion) + histories.capture(mv)
}

/// Captures that lose material, and promotions to less than a queen, come last.
fn is_good(board: &Board, mv: Move) -> bool {
    mv.promotion_to().is_none_or(|kind| kind == PieceType::Queen)
        && board.see_at_least(mv, p::picker_exchange())
}
