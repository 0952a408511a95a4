//! Repetitions one move ahead: can the side to move go back to a position of the line? Whoever is
//! worse then has a draw in hand, a ply before it happens.
//!
//! Two positions that differ by one move of one piece differ in their keys by a number that stands
//! for that move. All these numbers are in a table with two places for each (a "cuckoo" table, as
//! Marcel van Kervinck proposed in 2013), so that one look tells.

use std::sync::LazyLock;

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks, zobrist,
};
use crate::board::Board;
use crate::types::{Bitboard, Piece, PieceType, Square};

const SIZE: usize = 1 << 13;

/// The two places where the number of a move may be.
fn places(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

/// The numbers, each with the two squares of its move. A free place holds the number 0.
struct Table(Vec<(u64, Square, Square)>);

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

impl Table {
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

    /// Puts a number into its first place; what was there goes to its other one, and so on.
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

/// Where a piece can go on an empty board.
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

/// Can the side to move go back to one of the earlier positions? `keys` are those of the line, the
/// present one last, as far back as moves can be taken back. Checks and pins are not looked at.
pub(super) fn can_repeat(board: &Board, keys: &[u64]) -> bool {
    let Some((now, earlier)) = keys.split_last() else { return false };
    // Three plies back is the first position that can be reached by taking a move back.
    earlier.iter().rev().skip(2).step_by(2).any(|then| {
        TABLE.find(now ^ then).is_some_and(|(a, b)| {
            let own = board.color(board.side_to_move());
            (own.has(a) || own.has(b)) && !between(a, b).meets(board.occupied())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn every_move_of_a_piece_is_in_the_table() {
        // 336 knight moves, 560 of a bishop, 896 of a rook, 1456 of a queen and 420 of a king, each
        // in both directions, for two colours.
        let used = TABLE.0.iter().filter(|entry| entry.0 != 0).count();
        assert_eq!(used, 336 + 560 + 896 + 1456 + 420);
    }

    /// The slow twin: play every legal move and look whether the position has been there.
    #[test]
    fn agrees_with_playing_every_move() {
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
                    // A pinned piece cannot go back, nor a king to an attacked square.
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
