//! Polyglot book format: 16-byte entries sorted by key, all numbers big-endian. Start at [`Book`].
//!
//! ```text
//! bytes 0-7    key of the position
//! bytes 8-9    move: to 0-5, from 6-11, promotion 12-14 (1 knight, 2 bishop, 3 rook, 4 queen);
//!              castling is encoded as king takes rook, such as e1h1
//! bytes 10-11  weight relative to the other moves of the position; 0 for never
//! bytes 12-15  learning data, not used here
//! ```
//!
//! Some programs store a text header in leading entries with key 0.

pub(crate) mod builder;
pub(crate) mod key;
mod random;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use rand::{Rng, RngExt};
use thiserror::Error;

use crate::board::Game;
use crate::book::polyglot::key::PolyglotKey;
use crate::notation::UciMove;
use crate::types::{Move, PieceType, Square};

const ENTRY: usize = 16;
/// Maximum book size, in bytes: keeps a wrong file from exhausting memory.
const LARGEST: u64 = 1 << 30;

/// An error while reading a book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path is not a regular file.
    #[error("not a regular file")]
    NotAFile,
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is too large.
    #[error("the file is larger than {} MiB", LARGEST >> 20)]
    TooLarge,
    /// The length in bytes is not a multiple of the entry size: truncated or not a book.
    #[error("truncated or not a Polyglot book: {0} bytes is not a multiple of {ENTRY}")]
    Length(usize),
    /// The entry (counted from 1) has a smaller key than the one before: damaged or not a book.
    #[error("damaged or not a Polyglot book: the key of entry {0} is out of order")]
    Unsorted(usize),
    /// The move of the entry (counted from 1) has an invalid promotion or an unused bit set.
    #[error("entry {0} has an invalid move")]
    BadMove(usize),
}

/// A move in the 16-bit encoding of the format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedMove(u16);

/// Promotion pieces by their code, from 1.
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

    /// Returns the move's coordinates; `None` if bits 12-15 are invalid.
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
    /// The key of the position.
    pub key: PolyglotKey,
    /// The move.
    pub mv: PackedMove,
    /// The weight relative to the other moves of the position; 0 for never.
    pub weight: u16,
    /// Learning data of other programs.
    learn: u32,
}

impl Entry {
    /// Creates an entry without learning data.
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

    /// Returns whether the entry belongs to a text header.
    fn is_header(&self) -> bool {
        self.key == PolyglotKey(0)
    }
}

/// A legal book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The weight relative to the other moves; 0 for never.
    pub weight: u16,
}

/// How to choose among the book moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// At random, with probability proportional to the weight.
    #[default]
    Weighted,
    /// The move with the greatest weight; ties go to the first in the book.
    Best,
}

impl Choice {
    /// Chooses one of `moves`, never one of weight 0.
    #[must_use]
    pub fn among(self, moves: &[BookMove], rng: &mut impl Rng) -> Option<Move> {
        let total: u64 = moves.iter().map(|candidate| u64::from(candidate.weight)).sum();
        if total == 0 {
            return None;
        }
        let chosen = match self {
            // `max_by_key` returns the last of equal elements.
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
    /// The entries, sorted by key.
    entries: Vec<Entry>,
}

impl Book {
    /// Creates a book from entries in any order. Within a position, they are sorted by descending
    /// weight.
    #[must_use]
    pub fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, entry.mv));
        Self { entries }
    }

    /// Reads the book at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        // Check before opening: opening a FIFO would block until it has a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(BookError::NotAFile);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Parses the contents of a book file.
    ///
    /// # Errors
    /// If `bytes` is not a valid book.
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

    /// Returns the contents of a book file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// Returns the number of entries, header entries included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the book has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the number of distinct keys; a text header counts as one.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, next| one.key == next.key).count()
    }

    /// Returns the legal book moves of the game's current position, in file order.
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

    /// Creates a book with these moves and weights for one position.
    fn book(game: &Game, moves: &[(&str, u16)]) -> Book {
        let entry = |&(text, weight): &(&str, u16)| {
            let mv = play(&mut game.clone(), text);
            Entry::new(PolyglotKey::of_game(game), PackedMove::new(mv), weight)
        };
        Book::new(moves.iter().map(entry).collect())
    }

    #[test]
    fn packed_moves_follow_the_format() {
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
    fn invalid_book_is_rejected_with_the_reason() {
        let good = book(&Game::default(), &[("d2d4", 7), ("e2e4", 9)]).to_bytes();
        let refused = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(refused(&[]), "the file is empty");
        assert_eq!(
            refused(&good[..31]),
            "truncated or not a Polyglot book: 31 bytes is not a multiple of 16"
        );
        let mut unsorted = good.clone();
        unsorted[16] = 0;
        assert!(refused(&unsorted).contains("the key of entry 2 is out of order"));
        let mut bad = good.clone();
        bad[8] |= 0x80;
        assert_eq!(refused(&bad), "entry 1 has an invalid move");
        // Entries with key 0 may be text.
        let mut header = [0; 16].to_vec();
        header[8..].copy_from_slice(b"@PG@\n1.0");
        header.extend(&good);
        assert_eq!(Book::from_bytes(&header).unwrap().len(), 3);
    }

    #[test]
    fn illegal_moves_are_skipped() {
        let start = Game::default();
        let mut book = book(&start, &[("e2e4", 1)]);
        book.entries[0].mv = PackedMove(0o1444);
        assert!(book.moves(&start).is_empty());
    }

    #[test]
    fn castling_is_read_in_both_encodings() {
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
    fn best_choice_is_the_first_of_equal_weights() {
        let game = Game::default();
        let moves = book(&game, &[("d2d4", 5), ("e2e4", 5)]).moves(&game);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(Choice::Best.among(&moves, &mut rng), Some(moves[0].mv));
    }
}
