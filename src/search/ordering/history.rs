//! Move histories, which order, prune and reduce moves by how they fared in earlier nodes:
//! butterfly history with threats, capture, continuation and pawn history, and countermoves. Start
//! at [`Histories`].

use crate::board::Board;
use crate::search::params as p;
use crate::types::{Bitboard, Color, Move, MoveList, Piece, PieceType, Square};

/// Adds `bonus` with gravity: the nearer `value` is to the limit, the less it moves, so it never
/// exceeds the limit.
fn apply_gravity(value: &mut i16, bonus: i32) {
    let limit = p::history_limit();
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// A move's index in the tables: piece and target square, 0 to 767.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 12 * 64;

    /// Returns the index of `mv`.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        Self((mv.piece().index() * 64 + mv.to().index()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The context that indexes the histories of a quiet move, besides the move itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct HistoryContext {
    /// The moves played one, two, four and six plies earlier.
    pub earlier: [Option<PieceTo>; 4],
    /// The squares that the opponent attacks, which a piece may want to leave or avoid.
    pub attacked: Bitboard,
    /// The index of the pawn structure.
    pub pawns: PawnHistoryIndex,
}

/// The index of a pawn structure in the pawn history: the low bits of the pawn key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PawnHistoryIndex(u16);

impl PawnHistoryIndex {
    const COUNT: usize = 1 << 9;

    /// Returns the index of the pawn structure of `board`.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self((board.pawn_key() as usize % Self::COUNT) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Returns the bonus for a move that failed high at `depth`.
fn bonus(depth: i32) -> i32 {
    (p::history_bonus_depth() * depth - p::history_bonus_offset()).min(p::history_bonus_limit())
}

/// Returns the malus, a negative number, for a move tried before one that failed high at `depth`.
fn malus(depth: i32) -> i32 {
    -(p::history_malus_depth() * depth - p::history_malus_offset()).min(p::history_malus_limit())
}

/// Quiet move histories by piece and target, for one earlier move or one pawn structure.
type Row = [i16; PieceTo::COUNT];

/// The continuation row used where there is no earlier move: after a null move or before the root.
static EMPTY_ROW: Row = [0; PieceTo::COUNT];

/// The quiet histories of one node. Rows shared by all its moves are looked up once.
struct QuietView<'a> {
    butterfly: &'a [i16],
    attacked: Bitboard,
    rows: [&'a Row; 4],
    pawns: &'a Row,
}

impl QuietView<'_> {
    #[inline]
    fn value(&self, mv: Move) -> i32 {
        let butterfly = self.butterfly[Histories::quiet_index(mv, self.attacked)];
        let later = PieceTo::new(mv).index();
        let [one, two, four, six] = self.rows.map(|row| i32::from(row[later]));
        let pawns = i32::from(self.pawns[later]);
        i32::from(butterfly) + one + two + i32::midpoint(four, six) + pawns
    }
}

/// The history tables of one thread.
pub struct Histories {
    /// Butterfly history with threats: quiet moves by colour, whether the origin and target are
    /// attacked, origin and target.
    quiet: Vec<i16>,
    /// Captures and promotions by piece, target and captured type; the king's slot means no
    /// capture.
    capture: Vec<i16>,
    /// Continuation history: quiet moves by the earlier and the later move's piece and target.
    continuation: Vec<Row>,
    /// Pawn history: quiet moves by pawn structure, piece and target.
    pawns: Vec<Row>,
    /// Countermoves: the quiet move that last refuted a move, by its piece and target.
    counter: Vec<Option<Move>>,
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: vec![0; 2 * 4 * 64 * 64],
            capture: vec![0; 12 * 64 * 6],
            continuation: vec![EMPTY_ROW; PieceTo::COUNT],
            pawns: vec![EMPTY_ROW; PawnHistoryIndex::COUNT],
            counter: vec![None; PieceTo::COUNT],
        }
    }
}

impl Histories {
    /// Clears all tables.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(EMPTY_ROW);
        self.pawns.fill(EMPTY_ROW);
        self.counter.fill(None);
    }

    fn quiet_index(mv: Move, attacked: Bitboard) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| usize::from(attacked.contains(square)));
        let table = (mv.piece().color().index() * 2 + from) * 2 + to;
        (table * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    fn capture_index(mv: Move) -> usize {
        let captured = mv.captured().map_or(PieceType::King.index(), PieceType::index);
        (mv.piece().index() * 64 + mv.to().index()) * 6 + captured
    }

    fn quiet_view(&self, context: &HistoryContext) -> QuietView<'_> {
        let row = |earlier: PieceTo| &self.continuation[earlier.index()];
        QuietView {
            butterfly: &self.quiet,
            attacked: context.attacked,
            rows: context.earlier.map(|earlier| earlier.map_or(&EMPTY_ROW, row)),
            pawns: &self.pawns[context.pawns.index()],
        }
    }

    /// Returns the history score of the quiet move `mv` in these circumstances.
    #[inline]
    #[must_use]
    pub fn quiet(&self, mv: Move, context: &HistoryContext) -> i32 {
        self.quiet_view(context).value(mv)
    }

    /// Returns a function that does the same as [`Self::quiet`] for all moves of a node.
    #[inline]
    pub(crate) fn quiets(&self, context: &HistoryContext) -> impl Fn(Move) -> i32 {
        let view = self.quiet_view(context);
        move |mv| view.value(mv)
    }

    /// Returns the history score of the capture or promotion `mv`.
    #[inline]
    #[must_use]
    pub fn capture(&self, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_index(mv)])
    }

    /// Returns the countermove to the previous move, `earlier`.
    #[must_use]
    pub fn counter(&self, earlier: Option<PieceTo>) -> Option<Move> {
        self.counter[earlier?.index()]
    }

    /// Adds `bonus`, which is negative for a malus, to all histories of the quiet move `mv`.
    pub fn update_quiet(&mut self, mv: Move, context: &HistoryContext, bonus: i32) {
        let later = PieceTo::new(mv).index();
        apply_gravity(&mut self.quiet[Self::quiet_index(mv, context.attacked)], bonus);
        apply_gravity(&mut self.pawns[context.pawns.index()][later], bonus);
        for move_before in context.earlier.into_iter().flatten() {
            apply_gravity(&mut self.continuation[move_before.index()][later], bonus);
        }
    }

    /// Prior countermove bonus: rewards the quiet move `mv` after every reply to it failed low.
    pub(crate) fn reward_prior_countermove(
        &mut self,
        mv: Move,
        context: &HistoryContext,
        depth: i32,
    ) {
        self.update_quiet(mv, context, bonus(depth) * p::history_unanswered() / 100);
    }

    /// Eval-difference bonus: rewards the quiet move `mv` for changing the static evaluation by
    /// `gain` centipawns in its mover's favour. It updates butterfly history only: an immediate
    /// gain is good whatever came before.
    pub(crate) fn reward_eval_difference(&mut self, mv: Move, context: &HistoryContext, gain: i32) {
        let limit = p::history_gain_limit();
        let bonus = (gain * p::history_gain()).clamp(-limit, limit);
        apply_gravity(&mut self.quiet[Self::quiet_index(mv, context.attacked)], bonus);
    }

    /// Adds `bonus`, which is negative for a malus, to the history of the capture or promotion
    /// `mv`.
    pub fn update_capture(&mut self, mv: Move, bonus: i32) {
        apply_gravity(&mut self.capture[Self::capture_index(mv)], bonus);
    }

    /// Updates the histories after `best` failed high: a bonus for `best`, which becomes the
    /// countermove if it is quiet, and a malus for the captures tried before it, and for the quiet
    /// moves if it is quiet.
    pub(crate) fn reward(
        &mut self,
        best: Move,
        context: &HistoryContext,
        depth: i32,
        quiets: &MoveList,
        captures: &MoveList,
    ) {
        let (bonus, malus) = (bonus(depth), malus(depth));
        if best.is_noisy() {
            self.update_capture(best, bonus);
        } else {
            self.update_quiet(best, context, bonus);
            if let Some(move_before) = context.earlier[0] {
                self.counter[move_before.index()] = Some(best);
            }
            for &mv in quiets.iter().filter(|&&mv| mv != best) {
                self.update_quiet(mv, context, malus);
            }
        }
        for &mv in captures.iter().filter(|&&mv| mv != best) {
            self.update_capture(mv, malus);
        }
    }
}

// The table sizes above assume these counts.
const _: () = assert!(Piece::ALL.len() == 12 && Square::COUNT == 64 && Color::ALL.len() == 2);

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet_move() -> Move {
        Move::quiet(Piece::WhiteKnight, Square::G1, Square::F3)
    }

    #[test]
    fn quiet_history_depends_on_pawn_structure() {
        let [start, other] = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ]
        .map(|fen| HistoryContext {
            pawns: PawnHistoryIndex::of(&Board::from_fen(fen).unwrap()),
            ..HistoryContext::default()
        });
        assert_ne!(start.pawns, other.pawns);
        let mut histories = Histories::default();
        histories.update_quiet(quiet_move(), &start, 500);
        let (here, there) =
            (histories.quiet(quiet_move(), &start), histories.quiet(quiet_move(), &other));
        assert_eq!((here, there), (1000, 500), "half the score ignores pawn structure");
        histories.clear();
        assert_eq!(histories.quiet(quiet_move(), &start), 0);
    }

    #[test]
    fn gain_bonus_is_limited() {
        let context = HistoryContext::default();
        let after = |gain: i32| {
            let mut histories = Histories::default();
            histories.reward_eval_difference(quiet_move(), &context, gain);
            histories.quiet(quiet_move(), &context)
        };
        assert_eq!(after(20), 20 * p::history_gain());
        assert_eq!(after(-20), -20 * p::history_gain());
        assert_eq!(after(20_000), p::history_gain_limit());
        assert_eq!(after(-20_000), -p::history_gain_limit());
    }

    #[test]
    fn unanswered_quiet_move_is_rewarded() {
        let mut histories = Histories::default();
        let context = HistoryContext::default();
        histories.reward_prior_countermove(quiet_move(), &context, 3);
        assert!(histories.quiet(quiet_move(), &context) > 0);
    }
}
