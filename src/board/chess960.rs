//! The 960 starting positions of Chess960 by Scharnagl number. Start at [`Board::chess960`].

use super::Board;

impl Board {
    /// Number of starting positions.
    pub const CHESS960_COUNT: u16 = 960;

    /// Returns the Chess960 starting position with this Scharnagl number, or `None` if it is not
    /// below [`Self::CHESS960_COUNT`]. Number 518 is orthodox chess.
    ///
    /// ```
    /// use damero::board::Board;
    ///
    /// assert_eq!(Board::chess960(518), Some(Board::starting_position()));
    /// assert_eq!(Board::chess960(960), None);
    /// ```
    #[must_use]
    pub fn chess960(number: u16) -> Option<Self> {
        if number >= Self::CHESS960_COUNT {
            return None;
        }
        let white = back_rank(usize::from(number));
        let black = white.to_ascii_lowercase();
        Self::from_fen(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")).ok()
    }
}

/// The two knights' places among the five files left free by the bishops and the queen.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// Returns White's back rank from a to h. Each piece takes one of the free files; the king ends up
/// between the rooks.
fn back_rank(number: usize) -> String {
    let mut files = ['-'; 8];
    files[number % 4 * 2 + 1] = 'B';
    files[number / 4 % 4 * 2] = 'B';
    let mut place = |nth: usize, piece: char| {
        if let Some(file) = files.iter_mut().filter(|file| **file == '-').nth(nth) {
            *file = piece;
        }
    };
    place(number / 16 % 6, 'Q');
    let [first, second] = KNIGHTS[number / 96];
    // The later knight first: it does not shift the place of the earlier one.
    place(second, 'N');
    place(first, 'N');
    for piece in ['R', 'K', 'R'] {
        place(0, piece);
    }
    files.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Reference: python-chess 1.11, `chess.Board.from_chess960_pos(number).fen()`.
    #[test]
    fn numbers_match_python_chess() {
        for (number, rank) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (17, "BNQBNRKR"),
            (95, "NNRKRQBB"),
            (96, "BBQNRNKR"),
            (255, "NRKQNRBB"),
            (342, "NRBKQBRN"),
            (480, "BBQRNKNR"),
            (518, "RNBQKBNR"),
            (533, "RNBBKQNR"),
            (688, "BBRQKNNR"),
            (777, "QRKBBNRN"),
            (863, "RKNRNQBB"),
            (864, "BBQRKRNN"),
            (958, "RKRNNBBQ"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(back_rank(number), rank, "{number}");
        }
    }

    #[test]
    fn positions_are_legal_and_distinct() {
        let ranks: HashSet<String> = (0..Board::CHESS960_COUNT)
            .map(|number| {
                let board = Board::chess960(number).unwrap();
                assert_eq!(board.castling().rooks().len(), 4, "{number}");
                board.to_fen()
            })
            .collect();
        assert_eq!(ranks.len(), 960);
    }
}
