//! Books in the Polyglot format: files of entries of 16 bytes, all numbers big-endian, sorted by
//! key.
//!
//! ```text
//! bytes 0-7    key of the position
//! bytes 8-9    move: to 0-5, from 6-11, promotion 12-14 (1 knight, 2 bishop, 3 rook, 4 queen);
//!              castling is the king's move to its rook, such as e1h1
//! bytes 10-11  weight: how often it is to be played among the moves of its position; 0 for never
//! bytes 12-15  for programs that learn; not used here
//! ```
//!
//! Some programs put a text at the beginning, in entries with the key 0.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use rand::{Rng, RngExt};
use thiserror::Error;

use super::polyglot_key::PolyglotKey;
use crate::board::Game;
use crate::notation::UciMove;
use crate::types::{Move, PieceType, Square};

const ENTRY: usize = 16;
/// No book is larger, in bytes: a device or a film does not fill memory.
const LARGEST: u64 = 1 << 30;

/// Why a file is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The system refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A folder or a device.
    #[error("it is not a file")]
    NotAFile,
    /// It has no entries.
    #[error("it is empty")]
    Empty,
    /// It is beyond measure.
    #[error("it has more than {} MiB", LARGEST >> 20)]
    TooLarge,
    /// It was cut off, or is something else.
    #[error("its length of {0} bytes is no multiple of {ENTRY}, as that of a Polyglot book is")]
    Length(usize),
    /// A book is sorted, so this is damaged or is something else.
    #[error("it is not sorted: the key of entry {0} is less than the one before")]
    Unsorted(usize),
    /// No program writes such a move.
    #[error("the move of entry {0} has invalid bits")]
    BadMove(usize),
}

/// A move in the 16 bits of a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedMove(u16);

/// What the number of a promotion means, from 1.
const PROMOTIONS: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

impl PackedMove {
    /// Packs a move.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        let promotion = mv
            .promotion_to()
            .and_then(|kind| PROMOTIONS.iter().position(|&promotion| promotion == kind))
            .map_or(0, |index| index + 1);
        Self((mv.to().index() | mv.from().index() << 6 | promotion << 12) as u16)
    }

    /// The move's coordinates; `None` if the bits mean none.
    fn unpack(self) -> Option<UciMove> {
        let square = |shift: u32| Square::from_low_bits(u32::from(self.0 >> shift));
        let promotion = match usize::from(self.0 >> 12) {
            0 => None,
            number => Some(*PROMOTIONS.get(number - 1)?),
        };
        Some(UciMove { from: square(6), to: square(0), promotion })
    }
}

/// One entry of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position.
    pub key: PolyglotKey,
    /// The move.
    pub mv: PackedMove,
    /// How often it is to be played.
    pub weight: u16,
    /// What learning programs keep.
    learn: u32,
}

impl Entry {
    /// An entry that nothing was learnt about.
    #[must_use]
    pub fn new(key: PolyglotKey, mv: PackedMove, weight: u16) -> Self {
        Self { key, mv, weight, learn: 0 }
    }

    fn from_bytes(bytes: [u8; ENTRY]) -> Self {
        let word = u128::from_be_bytes(bytes);
        Self {
            key: PolyglotKey((word >> 64) as u64),
            mv: PackedMove((word >> 48) as u16),
            weight: (word >> 32) as u16,
            learn: word as u32,
        }
    }

    fn to_bytes(self) -> [u8; ENTRY] {
        let word = u128::from(self.key.0) << 64
            | u128::from(self.mv.0) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        word.to_be_bytes()
    }

    /// Is it a piece of the text that some programs put at the beginning?
    fn is_header(&self) -> bool {
        self.key == PolyglotKey(0)
    }
}

/// A legal move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often it is to be played; 0 for never.
    pub weight: u16,
}

/// How a move is chosen among those of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// By chance, each as often as its weight says.
    #[default]
    Weighted,
    /// The one with the greatest weight; of several the first in the book.
    Best,
}

impl Choice {
    /// Chooses. Moves of weight 0 are never played.
    #[must_use]
    pub fn among(self, moves: &[BookMove], rng: &mut impl Rng) -> Option<Move> {
        let total: u64 = moves.iter().map(|candidate| u64::from(candidate.weight)).sum();
        if total == 0 {
            return None;
        }
        let chosen = match self {
            // Of equal ones `max_by_key` takes the last.
            Self::Best => moves.iter().rev().max_by_key(|candidate| candidate.weight),
            Self::Weighted => {
                let mut left = rng.random_range(0..total);
                moves.iter().find(|candidate| {
                    let found = left < u64::from(candidate.weight);
                    left = left.saturating_sub(u64::from(candidate.weight));
                    found
                })
            }
        };
        chosen.map(|candidate| candidate.mv)
    }
}

/// A book in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<Entry>,
}

impl Book {
    /// A book of these entries, in whatever order they come. Of each position's, the heavier come
    /// first.
    #[must_use]
    pub fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, entry.mv));
        Self { entries }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged or something else.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        // Asked before it is opened: opening a pipe would wait for somebody to write.
        if !fs::metadata(path)?.is_file() {
            return Err(BookError::NotAFile);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are no book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        if bytes.len() as u64 > LARGEST {
            return Err(BookError::TooLarge);
        }
        let (chunks, []) = bytes.as_chunks() else {
            return Err(BookError::Length(bytes.len()));
        };
        let entries: Vec<Entry> = chunks.iter().copied().map(Entry::from_bytes).collect();
        if let Some(index) = entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            return Err(BookError::Unsorted(index + 2));
        }
        let is_bad = |entry: &Entry| !entry.is_header() && entry.mv.unpack().is_none();
        match entries.iter().position(is_bad) {
            Some(index) => Err(BookError::BadMove(index + 1)),
            None => Ok(Self { entries }),
        }
    }

    /// The bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Does it know nothing?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, next| one.key == next.key).count()
    }

    /// What it knows about a game's present position: the legal moves in the order of the file.
    #[must_use]
    pub fn moves(&self, game: &Game) -> Vec<BookMove> {
        let key = PolyglotKey::of_game(game);
        let first = self.entries.partition_point(|entry| entry.key < key);
        self.entries[first..]
            .iter()
            .take_while(|entry| entry.key == key)
            .filter_map(|entry| {
                let mv = entry.mv.unpack()?.to_move(game.board()).ok()?;
                Some(BookMove { mv, weight: entry.weight })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::board::Board;

    fn play(game: &mut Game, text: &str) -> Move {
        let mv = text.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
        game.play(mv).unwrap();
        mv
    }

    /// A book with the moves and weights for one position.
    fn book(game: &Game, moves: &[(&str, u16)]) -> Book {
        let entry = |&(text, weight): &(&str, u16)| {
            let mv = play(&mut game.clone(), text);
            Entry::new(PolyglotKey::of_game(game), PackedMove::new(mv), weight)
        };
        Book::new(moves.iter().map(entry).collect())
    }

    #[test]
    fn moves_are_packed_as_the_format_says() {
        let mut game = Game::default();
        assert_eq!(PackedMove::new(play(&mut game, "e2e4")), PackedMove(0o1434));
        let fen = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, packed) in
            [("e1g1", 0o0407), ("e1c1", 0o0400), ("b7a8n", 0o16170), ("b7b8q", 0o46171)]
        {
            let mut game = Game::new(Board::from_fen(fen).unwrap());
            let mv = play(&mut game, text);
            assert_eq!(PackedMove::new(mv), PackedMove(packed), "{text}");
            let unpacked = PackedMove(packed).unpack().unwrap();
            assert_eq!(unpacked.to_move(&Board::from_fen(fen).unwrap()), Ok(mv));
        }
        for bits in [5 << 12, 1 << 15] {
            assert_eq!(PackedMove(bits).unpack(), None);
        }
    }

    #[test]
    fn bytes_round_trip() {
        let book = book(&Game::default(), &[("d2d4", 7), ("e2e4", 9), ("g1f3", 0)]);
        assert_eq!(book.to_bytes().len(), 48);
        assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap(), book);
        let weights: Vec<u16> =
            book.moves(&Game::default()).iter().map(|candidate| candidate.weight).collect();
        assert_eq!(weights, [9, 7, 0]);
        assert_eq!((book.len(), book.positions()), (3, 1));
    }

    #[test]
    fn what_is_no_book_is_refused_with_the_reason() {
        let good = book(&Game::default(), &[("d2d4", 7), ("e2e4", 9)]).to_bytes();
        let refused = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(refused(&[]), "it is empty");
        assert!(refused(&good[..31]).starts_with("its length of 31 bytes is no multiple of 16"));
        let mut unsorted = good.clone();
        unsorted[16] = 0;
        assert!(refused(&unsorted).contains("the key of entry 2 is less"));
        let mut bad = good.clone();
        bad[8] |= 0x80;
        assert_eq!(refused(&bad), "the move of entry 1 has invalid bits");
        // Entries with the key 0 may be text.
        let mut header = [0; 16].to_vec();
        header[8..].copy_from_slice(b"@PG@\n1.0");
        header.extend(&good);
        assert_eq!(Book::from_bytes(&header).unwrap().len(), 3);
    }

    #[test]
    fn moves_that_are_not_legal_are_passed_over() {
        let start = Game::default();
        let mut book = book(&start, &[("e2e4", 1)]);
        book.entries[0].mv = PackedMove(0o1444);
        assert!(book.moves(&start).is_empty());
    }

    #[test]
    fn both_ways_to_write_castling_are_read() {
        let game = Game::new(Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap());
        let key = PolyglotKey::of_game(&game);
        for bits in [0o0406, 0o0407] {
            let book = Book::new(vec![Entry::new(key, PackedMove(bits), 1)]);
            assert!(book.moves(&game)[0].mv.is_castling());
        }
    }

    #[test]
    fn choices_follow_the_weights() {
        let game = Game::default();
        let moves = book(&game, &[("a2a3", 0), ("d2d4", 100), ("e2e4", 300)]).moves(&game);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0; 3];
        for _ in 0..4_000 {
            let mv = Choice::Weighted.among(&moves, &mut rng).unwrap();
            counts[moves.iter().position(|candidate| candidate.mv == mv).unwrap()] += 1;
        }
        assert!((2_900..3_100).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
        assert_eq!(Choice::Best.among(&moves, &mut rng), Some(moves[0].mv));
        assert_eq!(Choice::Best.among(&moves[2..], &mut rng), None);
        assert_eq!(Choice::Weighted.among(&moves[2..], &mut rng), None);
    }

    #[test]
    fn of_equal_moves_the_first_is_the_best() {
        let game = Game::default();
        let moves = book(&game, &[("d2d4", 5), ("e2e4", 5)]).moves(&game);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(Choice::Best.among(&moves, &mut rng), Some(moves[0].mv));
    }
}
