//! End-to-end tests of opening books: the UCI options and `damero book`.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::program::{output, run as damero};

/// Returns the output of a UCI session.
fn uci(input: &str) -> String {
    output(&[], input)
}

/// Runs a UCI session that plays the best book moves, so the answers are known.
fn best(input: &str) -> String {
    uci(&format!(
        "setoption name OwnBook value true\nsetoption name BestBookMove value true\n{input}\n"
    ))
}

fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A temporary folder with spaces in its name, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("damero {name} {}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn book_options_are_listed_and_off_by_default() {
    let output = uci("uci\ngo depth 1\n");
    for line in [
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
        "option name BookDepth type spin default 255 min 1 max 255",
        "option name BestBookMove type check default false",
        "option name BookSeed type spin default 0 min 0 max 2147483647",
    ] {
        assert!(output.lines().any(|found| found == line), "{line}: {output}");
    }
    assert!(!output.contains("book move") && output.contains(" score "), "{output}");
}

#[test]
fn own_book_answers_at_once_with_a_name() {
    let output = best("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5\ngo movetime 60000");
    assert_eq!(
        output, "info string book move: a7a6 (C60 Ruy Lopez)\nbestmove a7a6 ponder b5a4\n",
        "the answer needs no search"
    );
}

#[test]
fn book_castling_follows_uci_chess960() {
    let position = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6\ngo depth 1";
    assert!(best(position).contains("\nbestmove e1g1 ponder "));
    let chess960 = format!("setoption name UCI_Chess960 value true\n{position}");
    assert!(best(&chess960).contains("\nbestmove e1h1 ponder "));
}

#[test]
fn book_choices_follow_the_seed() {
    let answer = |seed: u32| {
        let options =
            format!("setoption name OwnBook value true\nsetoption name BookSeed value {seed}\n");
        let twice = uci(&format!("{options}go depth 1\nucinewgame\ngo depth 1\n"));
        let (first, second) = twice.split_at(twice.len() / 2);
        assert_eq!(first, second, "a seed holds for all games");
        first.to_owned()
    };
    let mut answers: Vec<String> = (1..=12).map(answer).collect();
    assert_eq!(answers[4], answer(5));
    answers.sort();
    answers.dedup();
    assert!(answers.len() >= 3, "{answers:?}");
    let output = uci("setoption name OwnBook value true\ndebug on\ngo depth 1\n");
    assert!(output.starts_with("info string book seed: "), "{output}");
}

#[test]
fn book_leaves_analysis_to_the_search() {
    for go in [
        "go infinite\nstop",
        "go ponder depth 2\nponderhit",
        "go mate 1",
        "go depth 2 searchmoves a2a3",
        "go\nstop",
        "setoption name UCI_AnalyseMode value true\ngo depth 2",
        "setoption name BookDepth value 3\nposition fen \
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4\ngo depth 2",
        "position startpos moves g1f3 g8f6 f3g1 f6g8\ngo depth 2",
    ] {
        let output = best(go);
        assert!(!output.contains("book move") && output.contains("bestmove "), "{go}: {output}");
    }
}

#[test]
fn book_file_is_used() {
    let folder = Folder::new("book file");
    let path = folder.file("a book.bin");
    fs::copy(data("book_polyglot.bin"), &path).unwrap();
    // GUIs may put quotation marks around a path.
    let options = format!("setoption name BookFile value \"{path}\"\n");
    let line = "position startpos moves e2e4 d7d5 e4d5 e7e5 d1e2 e5e4 d2d4";
    let output = best(&format!("{options}{line}\ngo depth 1"));
    assert!(output.contains("bestmove g8f6 ponder ") && output.contains("book move"), "{output}");
    // The embedded openings do not contain this line.
    let output = best(&format!("{options}setoption name BookFile value\n{line}\ngo depth 1"));
    assert!(!output.contains("book move"), "{output}");
}

#[test]
fn damaged_book_file_is_refused_and_play_continues() {
    let folder = Folder::new("damaged");
    let good = fs::read(data("book_polyglot.bin")).unwrap();
    let mut unsorted = good.clone();
    unsorted.swap(0, 160);
    for (name, bytes, message) in [
        ("empty.bin", &[][..], "the file is empty"),
        ("cut.bin", &good[..good.len() - 5], "is not a multiple of 16"),
        ("unsorted.bin", &unsorted, "out of order"),
    ] {
        let path = folder.file(name);
        fs::write(&path, bytes).unwrap();
        let output = best(&format!("setoption name BookFile value {path}\ngo depth 1"));
        let error = output.lines().next().unwrap();
        assert!(error.starts_with("info string error: cannot open BookFile "), "{output}");
        assert!(error.contains(name) && error.contains(message), "{output}");
        assert!(output.contains("book move: ") && output.contains("\nbestmove "), "{output}");
        let output = uci(&format!("setoption name BookFile value {path}\ngo depth 1\n"));
        assert!(output.contains(" score ") && output.contains("\nbestmove "), "{output}");
        let output = damero(&["book", "show", "--book", &path], "");
        assert!(!output.status.success());
        assert!(String::from_utf8(output.stderr).unwrap().contains(message));
    }
    let output = best("setoption name BookFile value /no/such/book.bin\ngo depth 1");
    let error = "info string error: cannot open BookFile \"/no/such/book.bin\"";
    assert!(output.starts_with(error), "{output}");
}

fn succeeds(arguments: &[&str]) -> String {
    let output = damero(arguments, "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn book_commands_make_show_and_export() {
    let folder = Folder::new("make");
    let (out, pgn) = (folder.file("made.bin"), data("book_games.pgn"));
    let text = succeeds(&["book", "make", "--pgn", &pgn, "--out", &out, "--plies", "20"]);
    assert!(text.starts_with("44 games; 444 moves in "), "{text}");
    assert_eq!(fs::read(&out).unwrap().len(), fs::read(data("book_polyglot.bin")).unwrap().len());
    let text = succeeds(&["book", "show", "--book", &out]);
    assert!(text.contains("\ne4      e2e4 "), "{text}");
    assert!(text.contains(" %  B00 King's Pawn Opening\n"), "{text}");

    let out = folder.file("own.bin");
    assert!(succeeds(&["book", "export", "--out", &out]).contains(" lines; "));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(succeeds(&["book", "show", "--book", &out, fen]), succeeds(&["book", "show", fen]));
    let names: Vec<_> = fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(names.len(), 2, "no other file is left behind: {names:?}");
}

#[test]
fn damaged_games_are_named_and_skipped() {
    let folder = Folder::new("broken");
    let (pgn, out) = (folder.file("games.pgn"), folder.file("made.bin"));
    let good = "[Event \"A\"]\n\n1. e4 e5 1/2-1/2\n\n";
    fs::write(&pgn, format!("[Event \"B\"]\n\n1. e5 *\n\n{good}")).unwrap();
    let output = damero(&["book", "make", "--pgn", &pgn, "--out", &out], "");
    assert!(!output.status.success() && fs::exists(&out).unwrap());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("error: damaged games: 1"), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("1 games, skipped 1 damaged (first error: "), "{text}");
    assert!(text.contains("e5 is not a legal move"), "{text}");
    fs::remove_file(&out).unwrap();
    fs::write(&pgn, "[Event \"B\"]\n\n1. e5 *\n").unwrap();
    let output = damero(&["book", "make", "--pgn", &pgn, "--out", &out], "");
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("nothing was written"), "{error}");
    assert!(!fs::exists(&out).unwrap());
}

#[test]
fn invalid_arguments_are_explained() {
    for (arguments, message) in [
        (&["book"][..], "Usage: damero book <COMMAND>"),
        (&["book", "make", "--out", "x.bin"][..], "--pgn"),
        (&["book", "make", "--pgn", "/no/such.pgn", "--out", "x.bin"][..], "/no/such.pgn: "),
        (&["book", "make", "--pgn", "x", "--out", "y", "--plies", "0"][..], "0 is not in 1.."),
        (&["book", "show", "8/8 w - - 0 1"][..], "FEN pieces: expected 8 ranks"),
        (&["book", "show", "--book", "/no/such.bin"][..], "/no/such.bin: "),
        (&["book", "export", "--out", "/no/such/folder/x.bin"][..], "/no/such/folder/x.bin: "),
    ] {
        let output = damero(arguments, "");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(text.contains(message), "{arguments:?}: {text}");
    }
    for command in ["make", "show", "export"] {
        assert!(succeeds(&["book", command, "--help"]).contains("Example: damero book"));
    }
}
