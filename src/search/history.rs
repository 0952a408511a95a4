//! Move histories: what earlier nodes teach about quiet moves and captures.

use super::params as p;
use crate::board::Board;
use crate::types::{Bitboard, Color, Move, MoveList, Piece, PieceType, Square};

/// Values stay within a limit, by gravity: the nearer to it, the less a bonus moves them.
fn nudge(value: &mut i16, bonus: i32) {
    let limit = p::history_limit();
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// A move as the continuation tables know it: piece and target, 0 to 767.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 12 * 64;

    /// The piece and target of a move.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        Self((mv.piece().index() * 64 + mv.to().index()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the history of a quiet move depends on besides the move itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Circumstances {
    /// The moves one, two, four and six plies before.
    pub earlier: [Option<PieceTo>; 4],
    /// The squares that the opponent attacks: a piece may want to leave them, or to avoid them.
    pub attacked: Bitboard,
    /// The pawn structure.
    pub structure: Structure,
}

/// A pawn structure as the tables know it: so many are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Structure(u16);

impl Structure {
    const COUNT: usize = 1 << 9;

    /// The pawn structure of a board.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self((board.pawn_key() as usize % Self::COUNT) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The bonus for a move that was good at a depth.
fn bonus(depth: i32) -> i32 {
    (p::history_bonus_depth() * depth - p::history_bonus_offset()).min(p::history_bonus_limit())
}

/// The opposite for one that was tried in vain.
fn malus(depth: i32) -> i32 {
    -(p::history_malus_depth() * depth - p::history_malus_offset()).min(p::history_malus_limit())
}

/// What is known about quiet moves, by piece and target, after one earlier move or with one pawn
/// structure.
type Row = [i16; PieceTo::COUNT];

/// After no move, or a null move, nothing is known.
static NOTHING: Row = [0; PieceTo::COUNT];

/// The history of quiet moves in some circumstances: what is the same for all moves of a node is
/// looked up once.
struct QuietView<'a> {
    butterfly: &'a [i16],
    attacked: Bitboard,
    rows: [&'a Row; 4],
    structure: &'a Row,
}

impl QuietView<'_> {
    #[inline]
    fn value(&self, mv: Move) -> i32 {
        let butterfly = self.butterfly[Histories::quiet_index(mv, self.attacked)];
        let later = PieceTo::new(mv).index();
        let [one, two, four, six] = self.rows.map(|row| i32::from(row[later]));
        let structure = i32::from(self.structure[later]);
        i32::from(butterfly) + one + two + i32::midpoint(four, six) + structure
    }
}

/// All tables of one thread.
pub struct Histories {
    /// Quiet moves by colour, by whether from and to are attacked, and by from and to ("butterfly").
    quiet: Vec<i16>,
    /// Captures by piece, target and what is taken.
    capture: Vec<i16>,
    /// Quiet moves after another move: by the earlier and the later piece and target.
    continuation: Vec<Row>,
    /// Quiet moves by pawn structure, piece and target.
    structure: Vec<Row>,
    /// The quiet move that refuted a move.
    counter: Vec<Option<Move>>,
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: vec![0; 2 * 4 * 64 * 64],
            capture: vec![0; 12 * 64 * 6],
            continuation: vec![NOTHING; PieceTo::COUNT],
            structure: vec![NOTHING; Structure::COUNT],
            counter: vec![None; PieceTo::COUNT],
        }
    }
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(NOTHING);
        self.structure.fill(NOTHING);
        self.counter.fill(None);
    }

    fn quiet_index(mv: Move, attacked: Bitboard) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| usize::from(attacked.has(square)));
        let table = (mv.piece().color().index() * 2 + from) * 2 + to;
        (table * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    fn capture_index(mv: Move) -> usize {
        let captured = mv.captured().map_or(PieceType::King.index(), PieceType::index);
        (mv.piece().index() * 64 + mv.to().index()) * 6 + captured
    }

    fn quiet_view(&self, circumstances: &Circumstances) -> QuietView<'_> {
        let row = |earlier: PieceTo| &self.continuation[earlier.index()];
        QuietView {
            butterfly: &self.quiet,
            attacked: circumstances.attacked,
            rows: circumstances.earlier.map(|earlier| earlier.map_or(&NOTHING, row)),
            structure: &self.structure[circumstances.structure.index()],
        }
    }

    /// What is known about a quiet move in these circumstances.
    #[inline]
    #[must_use]
    pub fn quiet(&self, mv: Move, circumstances: &Circumstances) -> i32 {
        self.quiet_view(circumstances).value(mv)
    }

    /// The same, for all moves of a node.
    #[inline]
    pub(super) fn quiets(&self, circumstances: &Circumstances) -> impl Fn(Move) -> i32 {
        let view = self.quiet_view(circumstances);
        move |mv| view.value(mv)
    }

    /// What is known about a capture.
    #[inline]
    #[must_use]
    pub fn capture(&self, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_index(mv)])
    }

    /// The quiet move that refuted the last move before.
    #[must_use]
    pub fn counter(&self, earlier: Option<PieceTo>) -> Option<Move> {
        self.counter[earlier?.index()]
    }

    /// Rewards or punishes a quiet move.
    pub fn update_quiet(&mut self, mv: Move, circumstances: &Circumstances, bonus: i32) {
        let later = PieceTo::new(mv).index();
        nudge(&mut self.quiet[Self::quiet_index(mv, circumstances.attacked)], bonus);
        nudge(&mut self.structure[circumstances.structure.index()][later], bonus);
        for move_before in circumstances.earlier.into_iter().flatten() {
            nudge(&mut self.continuation[move_before.index()][later], bonus);
        }
    }

    /// A quiet move to which no answer was good enough.
    pub(super) fn reward_unanswered(
        &mut self,
        mv: Move,
        circumstances: &Circumstances,
        depth: i32,
    ) {
        self.update_quiet(mv, circumstances, bonus(depth) * p::history_unanswered() / 100);
    }

    /// A quiet move changed the evaluation by so many centipawns in favour of who played it. As far
    /// as can be seen at once that is good, whatever came before.
    pub(super) fn reward_gain(&mut self, mv: Move, circumstances: &Circumstances, gain: i32) {
        let limit = p::history_gain_limit();
        let bonus = (gain * p::history_gain()).clamp(-limit, limit);
        nudge(&mut self.quiet[Self::quiet_index(mv, circumstances.attacked)], bonus);
    }

    /// Rewards or punishes a capture.
    pub fn update_capture(&mut self, mv: Move, bonus: i32) {
        nudge(&mut self.capture[Self::capture_index(mv)], bonus);
    }

    /// A move failed high: it is rewarded, and what was tried before it in vain is punished.
    pub(super) fn reward(
        &mut self,
        best: Move,
        circumstances: &Circumstances,
        depth: i32,
        quiets: &MoveList,
        captures: &MoveList,
    ) {
        let (bonus, malus) = (bonus(depth), malus(depth));
        if best.is_noisy() {
            self.update_capture(best, bonus);
        } else {
            self.update_quiet(best, circumstances, bonus);
            if let Some(move_before) = circumstances.earlier[0] {
                self.counter[move_before.index()] = Some(best);
            }
            for &mv in quiets.iter().filter(|&&mv| mv != best) {
                self.update_quiet(mv, circumstances, malus);
            }
        }
        for &mv in captures.iter().filter(|&&mv| mv != best) {
            self.update_capture(mv, malus);
        }
    }
}

// The index of a piece and the size of the tables belong together.
const _: () = assert!(Piece::ALL.len() == 12 && Square::COUNT == 64 && Color::ALL.len() == 2);

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet_move() -> Move {
        Move::quiet(Piece::WhiteKnight, Square::G1, Square::F3)
    }

    #[test]
    fn pawn_structures_are_told_apart() {
        let [start, other] = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        ]
        .map(|fen| Circumstances {
            structure: Structure::of(&Board::from_fen(fen).unwrap()),
            ..Circumstances::default()
        });
        assert_ne!(start.structure, other.structure);
        let mut histories = Histories::default();
        histories.update_quiet(quiet_move(), &start, 500);
        let (here, there) =
            (histories.quiet(quiet_move(), &start), histories.quiet(quiet_move(), &other));
        assert_eq!((here, there), (1000, 500), "half of it holds with any pawns");
        histories.clear();
        assert_eq!(histories.quiet(quiet_move(), &start), 0);
    }

    #[test]
    fn a_gain_counts_within_its_limit() {
        let circumstances = Circumstances::default();
        let after = |gain: i32| {
            let mut histories = Histories::default();
            histories.reward_gain(quiet_move(), &circumstances, gain);
            histories.quiet(quiet_move(), &circumstances)
        };
        assert_eq!(after(20), 20 * p::history_gain());
        assert_eq!(after(-20), -20 * p::history_gain());
        assert_eq!(after(20_000), p::history_gain_limit());
        assert_eq!(after(-20_000), -p::history_gain_limit());
    }

    #[test]
    fn a_move_without_a_good_answer_is_remembered() {
        let mut histories = Histories::default();
        let circumstances = Circumstances::default();
        histories.reward_unanswered(quiet_move(), &circumstances, 3);
        assert!(histories.quiet(quiet_move(), &circumstances) > 0);
    }
}
