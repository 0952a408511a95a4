//! SAN and PGN against a slow implementation, python-chess and damaged files.

mod common;

use std::collections::HashMap;
use std::fmt::Write;
use std::io::Read;

use common::{STARTS, random_game, random_move};
use damero::board::{Board, Game};
use damero::notation::{
    CastlingStyle, Line, PgnGame, PgnReader, PgnResult, Ply, San, UciMove, long_algebraic,
};
use damero::types::{Color, Move, PieceType};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A failing case is printed with its seed; nothing is written to the source tree.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// SAN by the rule of the standard, without bitboards: the piece letter, then nothing, the file,
/// the rank or both of the origin square, whichever is unambiguous first.
fn slow_san(board: &Board, mv: Move) -> String {
    let moves = board.legal_moves();
    let mark = {
        let after = board.after(mv);
        match (after.in_check(), after.legal_moves().is_empty()) {
            (true, true) => "#",
            (true, false) => "+",
            _ => "",
        }
    };
    if mv.is_castling() {
        let wing = if mv.destination().file().letter() == 'g' { "O-O" } else { "O-O-O" };
        return format!("{wing}{mark}");
    }
    let kind = mv.piece().kind();
    let from = mv.from().to_string();
    let takes = if mv.is_capture() { "x" } else { "" };
    if kind == PieceType::Pawn {
        let file = if mv.is_capture() { &from[..1] } else { "" };
        let becomes = mv
            .promotion_to()
            .map_or(String::new(), |kind| format!("={}", kind.letter().to_ascii_uppercase()));
        return format!("{file}{takes}{}{becomes}{mark}", mv.to());
    }
    let rivals: Vec<String> = moves
        .iter()
        .filter(|other| {
            other.piece() == mv.piece()
                && other.to() == mv.to()
                && other.from() != mv.from()
                && !other.is_castling()
        })
        .map(|other| other.from().to_string())
        .collect();
    let origin = if rivals.is_empty() {
        ""
    } else if rivals.iter().all(|other| other[..1] != from[..1]) {
        &from[..1]
    } else if rivals.iter().all(|other| other[1..] != from[1..]) {
        &from[1..]
    } else {
        &from
    };
    format!("{}{origin}{takes}{}{mark}", kind.letter().to_ascii_uppercase(), mv.to())
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_legal_move_round_trips_through_san(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 80, |board| {
            let mut seen = HashMap::new();
            for &mv in board.legal_moves().iter() {
                let text = San::new(board, mv).to_string();
                assert_eq!(text, slow_san(board, mv), "{}", board.to_fen());
                assert_eq!(seen.insert(text.clone(), mv), None, "{text} in {}", board.to_fen());
                assert_eq!(text.parse::<San>().unwrap().to_move(board), Ok(mv));
                let bare = text.trim_end_matches(['+', '#']).replace('x', "");
                assert_eq!(bare.parse::<San>().unwrap().to_move(board), Ok(mv), "{bare}");
                let long = long_algebraic(board, mv);
                assert_eq!(long.parse::<San>().unwrap().to_move(board), Ok(mv), "{long}");
                let coordinates = UciMove::new(mv, CastlingStyle::KingTakesRook).to_string();
                if !mv.is_castling() && mv.piece().kind() == PieceType::Pawn {
                    assert_eq!(coordinates.parse::<San>().unwrap().to_move(board), Ok(mv));
                }
            }
        });
    }
}

/// Returns a word for a comment or tag, often with characters that are special in PGN.
fn word(rng: &mut ChaCha8Rng) -> &'static str {
    const WORDS: &[&str] = &[
        "good",
        "(why?)",
        "[%eval",
        "0.31]",
        "Réti",
        "\"quoted\"",
        "back\\slash",
        "{",
        "$5",
        ";",
        "1-0",
        "[Event",
        "[%",
        "e4",
        "%",
        "国际象棋",
        "--",
        "aVeryLongWordThatWillNotFitIntoTheRestOfAnyLineAtAllAndThenSome",
    ];
    WORDS[rng.random_range(0..WORDS.len())]
}

fn comment(rng: &mut ChaCha8Rng) -> String {
    if rng.random_range(0..5) > 0 {
        return String::new();
    }
    (0..rng.random_range(1..12)).map(|_| word(rng)).collect::<Vec<_>>().join(" ")
}

fn random_line(board: &Board, plies: usize, nesting: usize, rng: &mut ChaCha8Rng) -> Line {
    let mut line = Line { comment: comment(rng), plies: Vec::new() };
    let mut board = *board;
    for _ in 0..plies {
        let Some(mv) = random_move(&board, rng) else { break };
        let mut ply = Ply::new(mv);
        ply.comment = comment(rng);
        for _ in 0..rng.random_range(0..12_usize).saturating_sub(9) {
            ply.nags.push(rng.random_range(0..=255));
        }
        if nesting > 0 && rng.random_range(0..8) == 0 {
            for _ in 0..rng.random_range(1..3) {
                let variation = random_line(&board, rng.random_range(1..8), nesting - 1, rng);
                ply.variations.push(variation);
            }
        }
        line.plies.push(ply);
        board = board.after(mv);
    }
    line
}

fn random_pgn(seed: u64) -> PgnGame {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = Board::from_fen(STARTS[rng.random_range(0..STARTS.len())]).unwrap();
    let mut pgn = PgnGame::new(&Game::new(start));
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "ECO", "Annotator"] {
        if rng.random_range(0..3) > 0 {
            let value: Vec<&str> = (0..rng.random_range(0..4)).map(|_| word(&mut rng)).collect();
            pgn.tags.set(name, &value.join(" "));
        }
    }
    let plies = rng.random_range(0..120);
    pgn.line = random_line(&start, plies, 3, &mut rng);
    pgn.result = [
        PgnResult::Won(Color::White),
        PgnResult::Won(Color::Black),
        PgnResult::Drawn,
        PgnResult::Unknown,
    ][rng.random_range(0..4)];
    pgn
}

fn assert_same(read: &PgnGame, written: &PgnGame) {
    assert_eq!(read.line, written.line);
    assert_eq!(read.result, written.result);
    assert_eq!(read.start.to_shredder_fen(), written.start.to_shredder_fen());
    for (name, value) in written.tags.iter() {
        assert_eq!(read.tags.get(name), Some(value));
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn pgn_round_trips(seed: u64) {
        let games: Vec<PgnGame> = (0..seed % 3 + 1).map(|game| random_pgn(seed ^ game)).collect();
        let text = games.iter().map(|game| format!("{game}\n")).collect::<String>();
        for line in text.lines() {
            let is_one_word = !line.trim().contains(' ');
            prop_assert!(line.chars().count() < 80
                || line.starts_with('[')
                || is_one_word
                || line.contains("[Event"), "{line}");
        }
        let read: Vec<PgnGame> =
            PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().map_err(|error| {
                TestCaseError::fail(format!("{error}\n{text}"))
            })?;
        prop_assert_eq!(read.len(), games.len());
        for (read, written) in read.iter().zip(&games) {
            assert_same(read, written);
            // Writing the game that was read gives the same text.
            prop_assert_eq!(read.to_string(), PgnGame { tags: read.tags.clone(), ..written.clone() }.to_string());
        }
    }

    /// Arbitrary bytes and damaged files give games and errors, never a panic.
    #[test]
    fn pgn_reader_never_panics(seed: u64, place: usize, junk: Vec<u8>, cut: bool) {
        let _ = PgnReader::new(junk.as_slice()).take(1000).count();
        let mut text = format!("{}\n{}", random_pgn(seed), random_pgn(!seed)).into_bytes();
        let place = place % text.len();
        if cut {
            text.truncate(place);
        } else {
            text.splice(place..place, junk);
        }
        let _ = PgnReader::new(text.as_slice()).take(1000).count();
    }
}

/// Returns start, seed and number of plies of the games whose SAN is compared with python-chess.
fn compared_games() -> impl Iterator<Item = (usize, u64, usize)> {
    (0..2000).map(|game: u64| (game as usize % STARTS.len(), game + 1, 40 + game as usize % 90))
}

/// 64-bit FNV-1a, chosen because it is short in Python too.
fn checksum(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf29ce484222325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

/// Returns the moves of a random game, each with the position before it.
fn moves_of(start: usize, seed: u64, plies: usize) -> Vec<(Board, Move)> {
    let mut positions = Vec::new();
    random_game(start, seed, plies, |board| positions.push(*board));
    let mut game = Vec::new();
    for pair in positions.windows(2) {
        let is_next = |mv: &&Move| pair[0].after(**mv).to_fen() == pair[1].to_fen();
        game.push((pair[0], *pair[0].legal_moves().iter().find(is_next).unwrap()));
    }
    game
}

/// Prints the games from which `tests/data/san.py` makes `tests/data/san.txt`.
#[test]
#[ignore = "prints the games for tests/data/san.py"]
fn print_games() {
    for (start, seed, plies) in compared_games() {
        let mut line = STARTS[start].to_owned();
        for (_, mv) in moves_of(start, seed, plies) {
            write!(line, ";{}", UciMove::new(mv, CastlingStyle::KingTakesRook)).unwrap();
        }
        println!("game {line}");
    }
}

#[test]
fn san_of_2000_games_matches_python_chess() {
    let expected = include_str!("data/san.txt");
    let expected: Vec<&str> = expected.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(expected.len(), 2000);
    for ((start, seed, plies), expected) in compared_games().zip(expected) {
        let text: Vec<String> = moves_of(start, seed, plies)
            .iter()
            .map(|(board, mv)| San::new(board, *mv).to_string())
            .collect();
        let found = format!("{} {:016x}", text.len(), checksum(&text.join(" ")));
        assert_eq!(found, expected, "game {seed}: {}", text.join(" "));
    }
}

/// Reads `text` and returns the moves of valid games and the messages of invalid ones.
fn read(text: &str) -> Vec<String> {
    PgnReader::new(text.as_bytes())
        .map(|game| match game {
            Ok(game) => {
                let mut board = game.start;
                let mut words = Vec::new();
                for ply in &game.line.plies {
                    words.push(San::new(&board, ply.mv).to_string());
                    words.extend(ply.nags.iter().map(|nag| format!("${nag}")));
                    board = board.after(ply.mv);
                }
                words.push(game.result.to_string());
                words.join(" ")
            }
            Err(error) => error.to_string(),
        })
        .collect()
}

#[test]
fn import_format_is_read() {
    for (text, expected) in [
        ("1.e4 e5 2.Nf3 *", "e4 e5 Nf3 *"),
        ("1. e4! e5?? 2. Nf3 !? Nc6 $14 $36 1-0", "e4 $1 e5 $4 Nf3 $5 Nc6 $14 $36 1-0"),
        ("e4 e5 Nf3", "e4 e5 Nf3 *"),
        ("1. e4 e5 1/2", "e4 e5 1/2-1/2"),
        ("\u{feff}[Event \"x\"]\r\n\r\n1. e4\r\n1... e5 0-1", "e4 e5 0-1"),
        ("% an escaped line\n1. e4 ; a comment 1. d4\n1... e5 2. 0-1", "e4 e5 0-1"),
        ("1. e4 {a (comment) ; with [marks]} 1... e5 *", "e4 e5 *"),
        ("1. e4 (1. d4 d5 (1... Nf6) 2. c4 {x}) (1. c4) e5 *", "e4 e5 *"),
        ("1. e4 () e5 *", "e4 e5 *"),
        ("1. e2e4 e7-e5 2. g1f3 b8-c6 3. Bb5 Nf6 4. e1g1 *", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O *"),
        // An unplayable move in a variation does not affect the game.
        ("1. e4 (1. d4 -- 2. c4 (2. Nf3 {a) b}) 2... d5) e5 (1... Ke4) *", "e4 e5 *"),
        ("[Result \"1-0\"]\n1. e4", "e4 1-0"),
        ("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8Q *", "a8=Q *"),
        (
            "[Variant \"Chess960\"][FEN \"1r2k1r1/pp4pp/8/8/8/8/PP4PP/1R2K1R1 w GBgb - 0 1\"] 1. O-O 0-0-0 *",
            "O-O O-O-O *",
        ),
    ] {
        assert_eq!(read(text), [expected], "{text}");
    }
    // Two moves without a space are one invalid move.
    assert!(read("1.e4e5 *")[0].starts_with("game 1, line 1, column 3: "));
    let game = PgnReader::new(&b"e4 (d4 -- c4 (Nf3 {a) b}) d5) e5 *"[..]).next().unwrap().unwrap();
    let variation = &game.line.plies[0].variations[0];
    assert_eq!(variation.plies.len(), 1);
    assert_eq!(variation.plies[0].comment, "-- c4 (Nf3 <a) b>) d5");
    assert_eq!(read(""), Vec::<String>::new());
    assert_eq!(read(" \n\n \n"), Vec::<String>::new());
    // A comment after the result does not belong to the next game.
    assert_eq!(read("1. e4 1-0 {so it was} ; and so on\n1. d4 *"), ["e4 1-0", "d4 *"]);
    // An invalid position does not swallow the next game.
    let bad = "[Event \"a\"]\n[FEN \"bad\"]\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n1. c4 *";
    assert_eq!(read(bad)[1..], ["d4 *", "c4 *"]);
    // Games without a result, without moves, without tags.
    let games = "[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n[Event \"c\"]\n\n1. d4 *\n1. c4 *";
    assert_eq!(read(games), ["e4 *", "0-1", "d4 *", "c4 *"]);
}

#[test]
fn latin_1_is_read() {
    let game =
        PgnReader::new(&b"[White \"R\xe9ti\"]\n1. Nf3 {\xfc} *"[..]).next().unwrap().unwrap();
    assert_eq!(game.tags.get("White"), Some("Réti"));
    assert_eq!(game.line.plies[0].comment, "ü");
}

#[test]
fn damaged_games_are_named_and_others_are_kept() {
    let good = "[Event \"good\"]\n\n1. e4 *\n\n";
    for (bad, place, message) in [
        ("1. e4 e4 *", "line 7, column 7", "e4 is not a legal move in"),
        ("1. e4 foo *", "line 7, column 7", "\"foo\" is not a move"),
        ("1. e4 {no end", "line 7, column 7", "unclosed comment"),
        ("1. e4 (1. d4", "line 9, column 1", "missing )"),
        ("1. e4 (1. zz *", "line 7, column 7", "unclosed variation: missing )"),
        ("1. e4 (1. zz {x)", "line 7, column 7", "unclosed variation: missing )"),
        ("1. e4 (1. d4 (1. c4 -- (x) {y}", "line 7, column 14", "missing )"),
        ("1. e4 )", "line 7, column 7", "unexpected ')'"),
        ("(1. e4)", "line 7, column 1", "variation before the first move"),
        ("1. e4 $999", "line 7, column 7", "from 0 to 255"),
        ("1. e4 &", "line 7, column 7", "unexpected '&'"),
        ("1. e4 ½", "line 7, column 7", "unexpected '½'"),
        ("1. e4 -- *", "line 7, column 7", "null moves"),
        ("1. Rd1 *", "line 7, column 4", "Rd1 is not a legal move"),
    ] {
        let text = format!("{good}[Event \"bad\"]\n\n{bad}\n\n{good}");
        let games = read(&text);
        assert_eq!(games.len(), 3, "{bad}: {games:?}");
        assert_eq!((games[0].as_str(), games[2].as_str()), ("e4 *", "e4 *"), "{bad}");
        assert!(games[1].starts_with(&format!("game 2, {place}: ")), "{bad}: {}", games[1]);
        assert!(games[1].contains(message), "{bad}: {}", games[1]);
    }
    for (tags, message) in [
        ("[Event \"bad]\n", "invalid tag: expected"),
        ("[Event bad]\n", "invalid tag: expected"),
        ("[Event \"b\"]\n[FEN \"8/8 w - - 0 1\"]\n", "invalid FEN tag"),
        ("[Event \"b\"]\n[Variant \"Crazyhouse\"]\n", "unsupported variant \"Crazyhouse\""),
    ] {
        let games = read(&format!("{good}{tags}\n1. e4 *\n\n{good}"));
        assert_eq!(games.len(), 3, "{tags}: {games:?}");
        assert!(games[1].contains(message), "{tags}: {}", games[1]);
        assert_eq!(games[2], "e4 *", "{tags}");
    }
    let deep = "1. e4 ".to_owned() + &"(1. d4 ".repeat(70);
    assert!(read(&deep)[0].contains("nested more than 64 deep"));
}

/// An unclosed parenthesis or brace does not swallow the following games.
#[test]
fn unclosed_variation_ends_with_its_game() {
    let good = "[White \"A\"]\n\n1. c4 *\n\n[Event \"y\"]\n\n1. d4 *\n";
    let games = read(&format!("1. e4 e5 (1... zz *\n\n{good}"));
    assert!(games[0].starts_with("game 1, line 1, column 10: unclosed variation"), "{games:?}");
    assert_eq!(games[1..], ["c4 *", "d4 *"]);
    // Inside a brace only `Event`, the usual first tag, counts as a tag.
    let event = good.replacen("[White", "[Event", 1);
    for end in ["(1... zz {x)", "(1... zz\r\n{x)\r\n"] {
        let games = read(&format!("1. e4 e5 {end}\n\n{event}"));
        assert!(games[0].starts_with("game 1, line 1, column 10: unclosed variation"), "{games:?}");
        assert_eq!(games[1..], ["c4 *", "d4 *"], "{end}");
    }
    let clocks = "1. e4 (1. d4 zz {so\n\n[%clk 1]} d5) e5 *";
    assert_eq!(read(clocks), ["e4 e5 *"]);
}

/// The reader's buffer holds 64 KiB. A word that crosses its end stays one word with the right
/// column.
#[test]
fn words_and_columns_continue_across_buffers() {
    const BUFFER: usize = 1 << 16;
    for length in BUFFER - 12..BUFFER + 2 {
        let comment = "é".repeat(length / 2) + &"x".repeat(length % 2);
        let start = format!("{{{comment}}}");
        assert_eq!(start.len(), length + 2);
        assert_eq!(read(&format!("{start} Nf3 Nc6 g3 *")), ["Nf3 Nc6 g3 *"], "{length}");
        let column = start.chars().count() + 2;
        let expected = format!("game 1, line 1, column {column}: \"Nf9x\" is not a move");
        let error = &read(&format!("{start} Nf9x *"))[0];
        assert!(error.starts_with(&expected), "{length}: {error}");
    }
}

/// Endless input that is not a game must not fill the memory.
#[test]
fn endless_game_is_refused() {
    for text in ["{", "[Event \"", "e", "1. e4 {"] {
        let long = text.as_bytes().chain(std::io::repeat(b'a').take(40 << 20));
        let error = PgnReader::new(long).next().unwrap().unwrap_err();
        assert!(error.to_string().contains("longer than 16 MiB"), "{error}");
    }
}
