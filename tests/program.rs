//! End-to-end tests of the program: UCI and the command line.

#![cfg(feature = "cli")]

mod common;

use common::program::{Scratch, output, run as damero};

/// Returns the output of a UCI session.
fn uci(input: &str) -> String {
    output(&[], input)
}

#[test]
fn handshake_is_answered() {
    let output = uci("uci\nisready\nquit\n");
    assert!(output.starts_with("id name Damero"), "{output}");
    assert!(output.contains("\nuciok\n") && output.ends_with("readyok\n"), "{output}");
    // In a pipe there is no greeting.
    assert_eq!(uci(""), "");
}

#[test]
fn perft_prints_the_same_in_uci_and_on_the_command_line() {
    let output = uci("position startpos moves e2e4\ngo perft 3\nquit\n");
    assert!(output.contains("e7e5: 835\n"), "{output}");
    assert!(output.contains("\nNodes searched: 13160\n"), "{output}");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let counts = |text: &str| text.split("Time").next().unwrap().to_owned();
    for arguments in [
        &["perft", "3", fen][..],
        &["perft", "3", "--threads", "2", "--hash", "1", fen][..],
        &[
            "perft",
            "3",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "b",
            "KQkq",
            "-",
            "0",
            "1",
        ][..],
    ] {
        let result = damero(arguments, b"");
        assert!(result.status.success());
        assert_eq!(counts(&String::from_utf8(result.stdout).unwrap()), counts(&output));
    }
}

#[test]
fn chess960_castling_is_printed_as_king_takes_rook() {
    let output = uci("position fen 4k3/8/8/8/8/8/8/4KR2 w F - 0 1\nd\n");
    assert!(output.contains(" e1f1"), "{output}");
    let output = uci("position startpos\nposition fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nd\n");
    assert!(output.contains(" e1g1") && !output.contains(" e1h1"), "{output}");
}

#[test]
fn invalid_commands_are_answered_and_change_nothing() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (line, message) in [
        ("position", "position: expected 'startpos' or 'fen ...', found nothing"),
        ("position nowhere", "found \"nowhere\""),
        ("position startpos e2e4", "expected 'moves' or nothing"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "FEN pieces: White has no king"),
        ("position startpos moves e2e4 e2e4", "move 2: e2e4 is not a legal move in"),
        ("position startpos moves e2", "move 1: \"e2\" is not a move"),
        ("go perft", "go: perft takes a number, found nothing"),
        ("go perft x", "go: perft takes a number, found \"x\""),
        ("go depth x", "go: depth takes a number"),
        ("go wtime", "go: wtime takes a number, found nothing"),
        ("go sideways", "go: unknown word \"sideways\""),
        ("go searchmoves", "expected moves after 'searchmoves'"),
        ("go searchmoves e2e5", "e2e5 is not a legal move"),
        ("setoption", "setoption: expected 'name NAME'"),
        ("setoption name Hash value abc", "Hash takes a number, found \"abc\""),
        ("setoption name Nonsense value 1", "unknown option \"Nonsense\""),
        ("setoption name Ponder value maybe", "Ponder takes true or false"),
        (
            "setoption name Hash value 1048576",
            "cannot allocate a hash table of 1048576 MiB; keeping the current one",
        ),
        ("eval foo", "eval: FEN: expected 4 to 6 fields"),
        ("eval 8/8/8/8/8/8/8/8 w - - 0 1", "eval: FEN pieces: White has no king"),
        ("debug", "debug: expected 'on' or 'off'"),
        ("bench x", "bench: depth (1 to 127) takes a number"),
        ("hello", "unknown command \"hello\""),
    ] {
        let output = uci(&format!("position fen {fen}\n{line}\nd\nisready\nquit\n"));
        let error = output.lines().next().unwrap();
        assert!(error.starts_with("info string error: "), "{line}: {error}");
        assert!(error.contains(message), "{line}: {error}");
        assert!(output.contains(fen) && output.ends_with("readyok\n"), "{line}: {output}");
    }
}

#[test]
fn eval_accepts_another_position() {
    let fen = "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1";
    let set_up = uci(&format!("position fen {fen}\neval\n"));
    assert_ne!(set_up, uci("eval\n"));
    assert_eq!(uci("eval startpos\n"), uci("eval\n"));
    // The current position stays.
    let output = uci(&format!("eval {fen}\nd\n"));
    assert!(output.starts_with(&set_up) && output.contains("PPPPPPPP/RNBQKBNR w"), "{output}");
    let output = damero(&["eval", fen], b"");
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), set_up);
    assert!(!damero(&["eval", "foo"], b"").status.success());
}

#[test]
fn malformed_bytes_and_long_lines_are_survived() {
    let mut input = b"\xff\xfe\x00 uci\nposition fen \xc3\x28\n".to_vec();
    input.extend(std::iter::repeat_n(b'x', 1 << 20));
    input.extend(b"\nposition fen ");
    input.extend(std::iter::repeat_n(b'/', 1 << 20));
    input.extend(b"\r\n\r\n   \nisready\r\nquit\n");
    let output = damero(&[], &input);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("readyok\n"));
    assert_eq!(text.matches("info string error: ").count(), 4, "{text}");
    assert!(text.lines().all(|line| line.len() < 300), "an error repeats the long line");
}

#[test]
fn invalid_arguments_are_explained() {
    for (arguments, message) in [
        (&["perft"][..], "required"),
        (&["perft", "x"][..], "invalid value 'x'"),
        (&["perft", "0"][..], "0 is not in 1..=64"),
        (&["perft", "2", "8/8 w - - 0 1"][..], "FEN pieces: expected 8 ranks"),
        (&["perft", "2", "--threads", "0"][..], "0 is not in 1..=1024"),
        (&["datagen", "--games", "1", "--out", "-"][..], "--out cannot be standard output"),
        (&["datagen", "--games", "1", "--out", file!()][..], "exists; use --resume to continue"),
        (&["perft", "2", "--hash", "99999999999999"][..], "cannot allocate a perft cache"),
    ] {
        let output = damero(arguments, b"");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(text.contains(message), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    // An unknown subcommand is taken as a UCI command.
    let output = damero(&["nonsense"], b"");
    assert!(!output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("info string error: unknown command \"nonsense\""), "{text}");
    for arguments in [&["--help"][..], &["perft", "--help"][..], &["magics", "--help"][..]] {
        assert!(damero(arguments, b"").status.success());
    }
    let help = String::from_utf8(damero(&["--help"], b"").stdout).unwrap();
    for command in ["damero go depth 7", "damero bench", "damero eval [FEN]", "\n  analyse"] {
        assert!(help.contains(command), "{command}: {help}");
    }
}

#[test]
fn magics_match_the_source() {
    let output = damero(&["magics"], b"");
    let source = include_str!("../src/attacks/magic_numbers.rs");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), source);
}

#[test]
fn pgn_is_validated_and_rewritten() {
    let text = b"[Event \"a\"]\n1.e4 e5 *\n\n[Event \"b\"]\n1.e4 e4 *\n\n[Event \"c\"]\n1.d4 *\n";
    let output = damero(&["pgn", "-"], text);
    assert!(!output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "2 games, 3 plies\n");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("-: game 2, line 5, column 6: e4 is not a legal move in "), "{error}");
    assert!(error.contains("error: damaged games: 1"), "{error}");
    let path = std::env::temp_dir().join(format!("damero-pgn-{}.pgn", std::process::id()));
    let output = damero(&["pgn", "-", "--out", path.to_str().unwrap()], b"e4 {x} (d4) *");
    assert!(output.status.success());
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(written.ends_with("[Result \"*\"]\n\n1. e4 {x} (1. d4) *\n\n"), "{written}");
    let output = damero(&["pgn", "-", "--out", "-"], b"e4 *");
    assert!(output.stdout.ends_with(b"1. e4 *\n\n"));
    // Nothing is overwritten by accident, and nothing is left behind.
    std::fs::write(&path, "mine").unwrap();
    let refused = damero(&["pgn", "-", "--out", path.to_str().unwrap()], b"e4 *");
    assert!(String::from_utf8(refused.stderr).unwrap().contains("exists; use --force"));
    let folder = std::env::temp_dir();
    let unreadable = ["pgn", folder.to_str().unwrap(), "--force", "--out", path.to_str().unwrap()];
    assert!(!damero(&unreadable, b"").status.success());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    assert!(
        damero(&["pgn", "-", "--force", "--out", path.to_str().unwrap()], b"e4 *").status.success()
    );
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. e4"));
    std::fs::remove_file(&path).unwrap();
    let missing = damero(&["pgn", "/no/such/file"], b"");
    assert!(String::from_utf8(missing.stderr).unwrap().contains("/no/such/file: "));
}

#[test]
fn contradictory_result_tag_is_reported_and_replaced() {
    let text =
        b"[Result \"1-0\"]\n1.e4 1-0\n\n[Result \"1-0\"]\n1.e4 0-1\n\n[Result \"1-0\"]\n1.e4";
    let output = damero(&["pgn", "-", "--out", "-"], text);
    assert!(output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "-: game 2: warning: Result tag 1-0 contradicts the movetext; using 0-1\n");
    let written = String::from_utf8(output.stdout).unwrap();
    assert_eq!(written.matches("[Result \"1-0\"]").count(), 2, "{written}");
    assert!(written.contains("[Result \"0-1\"]\n\n1. e4 0-1\n"), "{written}");
}

#[test]
fn input_is_never_the_output() {
    let path = std::env::temp_dir().join(format!("damero-input-{}.pgn", std::process::id()));
    let text = "[Event \"a\"]\n1.e4 e5 *\n";
    std::fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap();
    for arguments in [
        &["pgn", name, "-o", name, "--force"][..],
        &["pgn", "-", name, "-o", name][..],
        &["book", "make", "--pgn", name, "--out", name, "--force"][..],
        &["tune", "--data", "other.dg", name, "--out", name][..],
    ] {
        let output = damero(arguments, b"");
        assert!(!output.status.success(), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("is an input file; choose"), "{arguments:?}: {error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{arguments:?}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn commands_can_be_piped_in() {
    let moves = |output: &str| output.matches("bestmove ").count();
    let two = "position startpos\ngo depth 5\nposition startpos moves e2e4\ngo depth 5\nd\n";
    let output = uci(two);
    assert_eq!(moves(&output), 2, "{output}");
    assert!(!output.contains("error"), "{output}");
    // Commands after the second `go` see its position.
    assert!(output.contains("PPPP1PPP/RNBQKBNR b"), "{output}");
    let stopped = uci("go infinite\nstop\ngo depth 3\nposition startpos\ngo infinite\nstop\n");
    assert_eq!(moves(&stopped), 3, "{stopped}");
    assert!(!stopped.contains("error"), "{stopped}");
    // `quit` still answers a running search.
    assert_eq!(moves(&uci("go depth 30\nquit\n")), 1);
    assert_eq!(moves(&uci("go infinite\nquit\n")), 1);
}

#[test]
fn genfens_prints_openings_for_openbench() {
    let fens = |arguments: &[&str]| -> Vec<String> {
        let text = output(arguments, "");
        let lines = text.lines().map(|line| line.strip_prefix("info string genfens "));
        lines.map(|fen| fen.unwrap_or_else(|| panic!("{text}")).to_owned()).collect()
    };
    // As OpenBench calls it: two arguments, with a space at the end of the first.
    let found = fens(&["genfens 20 seed 77 book None ", "quit"]);
    assert_eq!(found.len(), 20);
    for fen in &found {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let board = damero::board::Board::from_fen(fen).unwrap();
        assert!(board.has_legal_move() && board.has_orthodox_castling(), "{fen}");
    }
    assert_eq!(fens(&["genfens 20 seed 77 book None ", "quit"]), found, "the seed decides");
    assert_ne!(fens(&["genfens 20 seed 78 book None ", "quit"]), found);
    let chess960 = fens(&["genfens 5 seed 1 book None chess960", "quit"]);
    assert!(chess960.iter().any(|fen| !fen.starts_with("rnbqkbnr/")));
    let book = Scratch::new("genfens.epd");
    std::fs::write(&book.0, "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - bm a4;\n").unwrap();
    let found = fens(&[&format!("genfens 3 seed 1 book {}", book.path()), "quit"]);
    assert!(found.len() == 3 && found.iter().all(|fen| fen.contains(" - - ")), "{found:?}");
    for (arguments, answer) in [
        ("genfens 3 seed 1 book no/such/file", "genfens: cannot read no/such/file"),
        ("genfens x seed 1 book None", "genfens: expected 'genfens N seed S book None'"),
        ("genfens 3", "genfens: expected 'genfens N seed S book None'"),
    ] {
        let answered = damero(&[arguments, "quit"], "");
        let text = String::from_utf8(answered.stdout).unwrap();
        assert!(text.contains(answer), "{arguments}: {text}");
    }
}
