//! Starting positions for self-play: random moves from the initial position, or from positions of a
//! book. Start at [`RandomOpenings`].

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::Path;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use thiserror::Error;

use crate::board::Board;
use crate::notation::{Epd, EpdError};

/// Random plies from the initial position. Few keep the position natural, many make it unusual.
/// With both odd and even numbers, either colour may have the first searched move.
const RANDOM_PLIES: RangeInclusive<usize> = 4..=11;
/// Random plies from a position of a book.
const BOOK_PLIES: RangeInclusive<usize> = 0..=3;
/// Of self-play games, one in this many starts from a random Chess960 position.
const CHESS960_ONE_IN: u32 = 10;

/// Why a book of positions cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read {file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// The I/O error.
        error: io::Error,
    },
    /// A line is not a position.
    #[error("{file}, line {line}: {error}")]
    Epd {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: EpdError,
    },
    /// The file has no lines.
    #[error("{0} has no positions")]
    Empty(String),
}

/// Draws starting positions.
#[derive(Clone, Debug)]
pub struct RandomOpenings {
    /// Positions to start from; empty for the initial position.
    book: Vec<Board>,
    /// One start in this many is a random Chess960 position; 0 for none.
    chess960_one_in: u32,
}

impl RandomOpenings {
    /// Openings as for self-play games: one in ten from a Chess960 position.
    #[must_use]
    pub fn self_play() -> Self {
        Self { book: Vec::new(), chess960_one_in: CHESS960_ONE_IN }
    }

    /// Openings from the initial position, or all from random Chess960 positions.
    #[must_use]
    pub fn of_variant(chess960: bool) -> Self {
        Self { book: Vec::new(), chess960_one_in: u32::from(chess960) }
    }

    /// Openings from the positions of an EPD or FEN file.
    ///
    /// # Errors
    /// If the file cannot be read, has a line that is not a position, or is empty.
    pub fn from_file(path: &Path) -> Result<Self, OpeningsError> {
        let file = path.display().to_string();
        let failed = |error| OpeningsError::Io { file: file.clone(), error };
        let mut book = Vec::new();
        let reader = BufReader::new(File::open(path).map_err(failed)?);
        for (index, line) in reader.lines().enumerate() {
            let line = line.map_err(failed)?;
            if !line.trim().is_empty() {
                let epd = Epd::parse(&line).map_err(|error| OpeningsError::Epd {
                    file: file.clone(),
                    line: index + 1,
                    error,
                })?;
                book.push(epd.board);
            }
        }
        if book.is_empty() {
            return Err(OpeningsError::Empty(file));
        }
        Ok(Self { book, chess960_one_in: 0 })
    }

    /// Draws a position, or `None` if the random moves ended the game.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> Option<Board> {
        let is_chess960 = self.chess960_one_in > 0 && rng.random_ratio(1, self.chess960_one_in);
        let mut board = if is_chess960 {
            Board::chess960(rng.random_range(0..Board::CHESS960_COUNT))?
        } else if self.book.is_empty() {
            Board::starting_position()
        } else {
            self.book[rng.random_range(0..self.book.len())]
        };
        let plies = if self.book.is_empty() { RANDOM_PLIES } else { BOOK_PLIES };
        for _ in 0..rng.random_range(plies) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                return None;
            }
            board.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        board.has_legal_move().then_some(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    use crate::types::{Color, File, Rank};

    #[test]
    fn openings_vary_in_length_and_start() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let openings = RandomOpenings::self_play();
        let openings: Vec<Board> =
            std::iter::repeat_with(|| openings.draw(&mut rng)).flatten().take(2_000).collect();
        let plies = |board: &Board| {
            usize::from(board.fullmove_number() - 1) * 2 + board.side_to_move().index()
        };
        for length in RANDOM_PLIES {
            let count = openings.iter().filter(|board| plies(board) == length).count();
            assert!((200..=300).contains(&count), "{count} of length {length}");
        }
        assert!(openings.iter().all(|board| RANDOM_PLIES.contains(&plies(board))));
        // A king away from the e-file has castling rights only in Chess960.
        let is_960 = |board: &&Board| {
            let rooks = board.castling().rooks();
            let may_castle = rooks.into_iter().any(|rook| rook.rank() == Rank::First);
            may_castle && board.king(Color::White).file() != File::E
        };
        let count = openings.iter().filter(is_960).count();
        assert!((100..=300).contains(&count), "{count} from Chess960");
    }

    #[test]
    fn book_lines_are_read_and_mistakes_located() {
        let path = std::env::temp_dir().join(format!("damero-openings-{}", std::process::id()));
        let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a\";\n\n\
                   4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\n";
        std::fs::write(&path, epd).unwrap();
        let openings = RandomOpenings::from_file(&path).unwrap();
        assert_eq!(openings.book.len(), 2);
        assert_eq!(openings.book[1].to_fen(), "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40");
        std::fs::write(&path, format!("{epd}nonsense\n")).unwrap();
        let error = RandomOpenings::from_file(&path).unwrap_err().to_string();
        assert!(error.contains(", line 4: FEN: expected 4 to 6 fields"), "{error}");
        std::fs::write(&path, "\n").unwrap();
        assert!(RandomOpenings::from_file(&path).unwrap_err().to_string().contains("no positions"));
        std::fs::remove_file(&path).unwrap();
        assert!(RandomOpenings::from_file(&path).unwrap_err().to_string().contains("cannot read"));
    }

    #[test]
    fn variants_are_kept_apart() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut orthodox = |openings: &RandomOpenings| {
            let boards = std::iter::repeat_with(|| openings.draw(&mut rng)).flatten().take(100);
            boards.filter(Board::has_orthodox_castling).count()
        };
        assert_eq!(orthodox(&RandomOpenings::of_variant(false)), 100);
        assert!(orthodox(&RandomOpenings::of_variant(true)) < 60);
        assert!((80..100).contains(&orthodox(&RandomOpenings::self_play())));
    }
}
