//! Opening books against other programs: keys and moves by python-chess, book files by Polyglot.

use std::collections::BTreeSet;
use std::fs;

use damero::board::{Board, Game, Setup};
use damero::book::{Book, BookBuilder, BookLimits, Openings, PolyglotKey};
use damero::notation::{CastlingStyle, PgnReader, PgnResult, UciMove};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const KEYS: &str = include_str!("data/polyglot_keys.txt");
const GAMES: &str = include_str!("data/book_games.pgn");
const BOOK: &[u8] = include_bytes!("data/book_polyglot.bin");
const CONTENTS: &str = include_str!("data/book_polyglot.txt");

fn data_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn play(moves: &str) -> Game {
    let mut game = Game::default();
    for word in moves.split_whitespace() {
        let mv = word.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
        game.play(mv).unwrap();
    }
    game
}

#[test]
fn keys_match_python_chess() {
    let (mut positions, mut lost) = (0, 0);
    for line in data_lines(KEYS) {
        let (fen, key) = line.split_once(';').unwrap();
        let key = PolyglotKey(u64::from_str_radix(key, 16).unwrap());
        let setup = Setup::parse(fen).unwrap();
        assert_eq!(PolyglotKey::of_setup(&setup), key, "{fen}");
        // A `Board` drops the en passant square if only pinned pawns could capture there.
        let board = Board::from_fen(fen).unwrap();
        if PolyglotKey::after(&board, None) != key {
            assert!(setup.en_passant.is_some() && board.en_passant().is_none(), "{fen}");
            lost += 1;
        }
        positions += 1;
    }
    assert_eq!(positions, 1_000);
    assert!((20..40).contains(&lost), "{lost}");
}

#[test]
fn book_moves_match_python_chess() {
    let book = Book::from_bytes(BOOK).unwrap();
    let mut positions = 0;
    for line in data_lines(CONTENTS) {
        let (moves, expected) = line.split_once('|').unwrap();
        let game = play(moves);
        let found: Vec<String> = book
            .moves(&game)
            .iter()
            .map(|found| {
                format!("{}:{}", UciMove::new(found.mv, CastlingStyle::KingMoves), found.weight)
            })
            .collect();
        assert_eq!(found.join(" "), expected.trim(), "{moves}");
        positions += 1;
    }
    assert!(positions > 300, "{positions}");
    assert_eq!(book.to_bytes(), BOOK);
}

/// Returns the entries of a file as a set: their order within a position is free.
fn entries(bytes: &[u8]) -> BTreeSet<&[u8]> {
    bytes.chunks(16).collect()
}

#[test]
fn built_book_matches_polyglot() {
    let mut builder = BookBuilder::new(BookLimits { plies: 20, games: 1 });
    for game in PgnReader::new(GAMES.as_bytes()) {
        let game = game.unwrap();
        let winner = match game.result {
            PgnResult::Won(color) => Some(color),
            PgnResult::Drawn | PgnResult::Unknown => None,
        };
        builder.add(&game.start, game.line.moves(), winner);
    }
    let bytes = builder.finish().to_bytes();
    assert_eq!(bytes.len(), BOOK.len());
    assert_eq!(entries(&bytes), entries(BOOK));
    assert!(Book::from_bytes(&bytes).is_ok(), "it is sorted");
}

/// Any bytes are read as a book or refused, and a book holds legal moves only.
#[test]
fn arbitrary_bytes_give_a_book_or_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let start = PolyglotKey::of_game(&Game::default()).0.to_be_bytes();
    let mut books = 0;
    for _ in 0..2_000 {
        let length = if rng.random() { rng.random_range(0..100) } else { 16 };
        let mut bytes: Vec<u8> = (0..length).map(|_| rng.random()).collect();
        if length == 16 {
            bytes[..8].copy_from_slice(&start);
        }
        if let Ok(book) = Book::from_bytes(&bytes) {
            books += 1;
            let game = Game::default();
            assert!(book.moves(&game).iter().all(|found| game.board().is_legal(found.mv)));
        }
    }
    assert!(books > 100, "{books}");
}

#[test]
fn embedded_book_round_trips() {
    let book = Openings::embedded().book();
    let path = std::env::temp_dir().join(format!("damero-book-{}.bin", std::process::id()));
    fs::write(&path, book.to_bytes()).unwrap();
    let read = Book::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(read, *book);
    assert!(read.moves(&Game::default()).len() >= 4);
}
