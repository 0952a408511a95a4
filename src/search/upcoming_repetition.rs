//! Upcoming repetition: detects whether the side to move can return to an earlier position of the
//! line, and so get at least a draw, one ply before it happens. Start at [`can_repeat`].
//!
//! If two positions are one reversible move apart, the XOR of their keys depends on that move only.
//! A cuckoo hash table holds these values for all such moves, each in one of two slots (Marcel van
//! Kervinck, 2013), so one lookup per earlier position is enough.

use std::sync::LazyLock;

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use crate::board::Board;
use crate::types::{Bitboard, Piece, PieceType, Square, zobrist};

const SIZE: usize = 1 << 13;

/// Returns the two slots where the key of a move may be.
fn places(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

/// The keys of all reversible moves, each with the two squares of its move. A free slot has key 0.
struct CuckooTable(Vec<(u64, Square, Square)>);

static TABLE: LazyLock<CuckooTable> = LazyLock::new(CuckooTable::new);

impl CuckooTable {
    fn new() -> Self {
        let mut table = Self(vec![(0, Square::A1, Square::A1); SIZE]);
        for piece in Piece::ALL.into_iter().filter(|piece| piece.kind() != PieceType::Pawn) {
            for a in Square::all() {
                for b in reach(piece.kind(), a).into_iter().filter(|&b| b > a) {
                    let key = zobrist::piece(piece, a) ^ zobrist::piece(piece, b);
                    table.insert((key ^ zobrist::black_to_move(), a, b));
                }
            }
        }
        table
    }

    /// Inserts an entry into its first slot; an entry evicted there moves to its other slot, and so
    /// on.
    fn insert(&mut self, mut entry: (u64, Square, Square)) {
        let mut place = places(entry.0)[0];
        loop {
            std::mem::swap(&mut self.0[place], &mut entry);
            if entry.0 == 0 {
                return;
            }
            let [first, second] = places(entry.0);
            place = if place == first { second } else { first };
        }
    }

    fn find(&self, key: u64) -> Option<(Square, Square)> {
        places(key)
            .into_iter()
            .map(|place| self.0[place])
            .find_map(|(found, a, b)| (found == key).then_some((a, b)))
    }
}

/// Returns the squares that a piece on `from` reaches on an empty board, pawns excepted.
fn reach(kind: PieceType, from: Square) -> Bitboard {
    match kind {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight_attacks(from),
        PieceType::Bishop => bishop_attacks(from, Bitboard::EMPTY),
        PieceType::Rook => rook_attacks(from, Bitboard::EMPTY),
        PieceType::Queen => queen_attacks(from, Bitboard::EMPTY),
        PieceType::King => king_attacks(from),
    }
}

/// Returns whether the side to move can return to an earlier position of `keys` by one move, which
/// is not tested for checks and pins. `keys` are those of the line since the last irreversible
/// move, the present position last.
pub(crate) fn can_repeat(board: &Board, keys: &[u64]) -> bool {
    let Some((now, earlier)) = keys.split_last() else { return false };
    // The nearest position to return to is three plies back.
    earlier.iter().rev().skip(2).step_by(2).any(|then| {
        TABLE.find(now ^ then).is_some_and(|(a, b)| {
            let own = board.color(board.side_to_move());
            (own.contains(a) || own.contains(b)) && !between(a, b).intersects(board.occupied())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn table_holds_all_reversible_moves() {
        // Knights, bishops, rooks, queens and kings of both colours. A move and its reverse are one
        // entry.
        let used = TABLE.0.iter().filter(|entry| entry.0 != 0).count();
        assert_eq!(used, 336 + 560 + 896 + 1456 + 420);
    }

    /// Compares with the slow way: playing every legal move and looking up the key in the line.
    #[test]
    fn can_repeat_agrees_with_playing_every_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut repeats = 0;
        for fen in ["6k1/8/8/3n4/8/8/4B3/R5K1 w - - 0 1", "r2q2k1/5p2/8/8/8/8/5P2/R2Q2K1 w - - 0 1"]
        {
            for _ in 0..200 {
                let mut board = Board::from_fen(fen).unwrap();
                let mut keys = vec![board.key()];
                let mut kings = vec![board.kind(PieceType::King)];
                for _ in 0..30 {
                    let moves = board.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    let after = |index: usize| board.after(moves[index]);
                    let clock = usize::from(board.halfmove_clock()).min(keys.len() - 1);
                    let line = &keys[keys.len() - 1 - clock..];
                    let slow = (0..moves.len()).any(|index| line.contains(&after(index).key()));
                    let fast = can_repeat(&board, line);
                    assert!(fast || !slow, "{}", board.to_fen());
                    // A pinned piece cannot move back, nor a king to an attacked square.
                    let stood = kings.iter().all(|&squares| squares == kings[0]);
                    let free = !board.in_check() && board.pinned().is_empty() && stood;
                    assert!(slow || !fast || !free, "{}", board.to_fen());
                    repeats += usize::from(slow);
                    board = after(rng.random_range(0..moves.len()));
                    keys.push(board.key());
                    kings.push(board.kind(PieceType::King));
                }
            }
        }
        assert!(repeats > 100, "{repeats}");
    }
}
