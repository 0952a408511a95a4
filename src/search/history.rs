//! What earlier nodes teach about moves and evaluations. Every table has a `get` and an `update`.

use super::params as p;
use crate::board::Board;
use crate::types::{Color, Move, MoveList, Piece, PieceType, Square};

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

/// The bonus for a move that was good at a depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (p::history_bonus_depth() * depth - p::history_bonus_offset()).min(p::history_bonus_limit())
}

/// All tables of one thread.
pub struct Histories {
    /// Quiet moves by colour, from and to ("butterfly").
    quiet: Vec<i16>,
    /// Captures by piece, target and what is taken.
    capture: Vec<i16>,
    /// Quiet moves after another move: by the earlier and the later piece and target.
    continuation: Vec<i16>,
    /// The quiet move that refuted a move.
    counter: Vec<Option<Move>>,
    /// How far the static evaluation was off, by pawn structure and side to move.
    pawn_correction: Vec<i16>,
}

const CORRECTION_ENTRIES: usize = 1 << 14;
/// Corrections are kept in fractions of a centipawn.
const CORRECTION_GRAIN: i32 = 256;

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: vec![0; 2 * 64 * 64],
            capture: vec![0; 12 * 64 * 6],
            continuation: vec![0; PieceTo::COUNT * PieceTo::COUNT],
            counter: vec![None; PieceTo::COUNT],
            pawn_correction: vec![0; 2 * CORRECTION_ENTRIES],
        }
    }
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(None);
        self.pawn_correction.fill(0);
    }

    fn quiet_index(mv: Move) -> usize {
        (mv.piece().color().index() * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    fn capture_index(mv: Move) -> usize {
        let captured = mv.captured().map_or(PieceType::King.index(), PieceType::index);
        (mv.piece().index() * 64 + mv.to().index()) * 6 + captured
    }

    fn continuation_index(earlier: PieceTo, mv: Move) -> usize {
        earlier.index() * PieceTo::COUNT + PieceTo::new(mv).index()
    }

    /// What is known about a quiet move after the earlier moves (one and two plies back).
    #[inline]
    #[must_use]
    pub fn quiet(&self, mv: Move, earlier: [Option<PieceTo>; 2]) -> i32 {
        let mut value = i32::from(self.quiet[Self::quiet_index(mv)]);
        for move_before in earlier.into_iter().flatten() {
            value += i32::from(self.continuation[Self::continuation_index(move_before, mv)]);
        }
        value
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
    pub fn update_quiet(&mut self, mv: Move, earlier: [Option<PieceTo>; 2], bonus: i32) {
        nudge(&mut self.quiet[Self::quiet_index(mv)], bonus);
        for move_before in earlier.into_iter().flatten() {
            nudge(&mut self.continuation[Self::continuation_index(move_before, mv)], bonus);
        }
    }

    /// Rewards or punishes a capture.
    pub fn update_capture(&mut self, mv: Move, bonus: i32) {
        nudge(&mut self.capture[Self::capture_index(mv)], bonus);
    }

    /// A move failed high: it is rewarded, and what was tried before it in vain is punished.
    pub(super) fn reward(
        &mut self,
        best: Move,
        earlier: [Option<PieceTo>; 2],
        depth: i32,
        quiets: &MoveList,
        captures: &MoveList,
    ) {
        let bonus = bonus(depth);
        if best.is_noisy() {
            self.update_capture(best, bonus);
        } else {
            self.update_quiet(best, earlier, bonus);
            if let Some(move_before) = earlier[0] {
                self.counter[move_before.index()] = Some(best);
            }
            for &mv in quiets.iter().filter(|&&mv| mv != best) {
                self.update_quiet(mv, earlier, -bonus);
            }
        }
        for &mv in captures.iter().filter(|&&mv| mv != best) {
            self.update_capture(mv, -bonus);
        }
    }

    fn correction_index(board: &Board) -> usize {
        board.side_to_move().index() * CORRECTION_ENTRIES
            + (board.pawn_key() as usize & (CORRECTION_ENTRIES - 1))
    }

    /// What to add to the static evaluation, in centipawns.
    #[must_use]
    pub fn correction(&self, board: &Board) -> i32 {
        i32::from(self.pawn_correction[Self::correction_index(board)]) / p::correction_divisor()
    }

    /// Notes that the search found the evaluation to be off by so many centipawns.
    pub fn update_correction(&mut self, board: &Board, error: i32, depth: i32) {
        let entry = &mut self.pawn_correction[Self::correction_index(board)];
        let limit = p::correction_limit() * CORRECTION_GRAIN;
        let (weight, whole) =
            ((depth + 1).min(p::correction_weight_limit()), p::correction_inertia());
        let target = (error * CORRECTION_GRAIN).clamp(-limit, limit);
        let value = (i32::from(*entry) * (whole - weight) + target * weight) / whole;
        *entry = value.clamp(-limit, limit) as i16;
    }
}

// The index of a piece and the size of the tables belong together.
const _: () = assert!(Piece::ALL.len() == 12 && Square::COUNT == 64 && Color::ALL.len() == 2);
