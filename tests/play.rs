//! End-to-end tests of `damero play`, through a pipe.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::process::Output;

use common::program::{Scratch, run};

fn play(arguments: &[&str], lines: &[&str]) -> Output {
    run(&[&["play"], arguments].concat(), lines.join("\n") + "\n")
}

/// Plays at a small depth and returns the output.
fn say(arguments: &[&str], lines: &[&str]) -> String {
    let arguments: Vec<&str> =
        ["--hash", "1", "--depth", "4"].iter().chain(arguments).copied().collect();
    let output = play(&arguments, lines);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn session_handles_save_load_undo_and_illegal_moves() {
    let file = Scratch::new("session.pgn");
    let save = format!("save {}", file.path());
    let first = say(&[], &["e4", "Nf4", "undo", "d4", "history", &save, "fen", "quit"]);
    assert!(first.starts_with("Damero "), "{first}");
    assert!(first.contains("You play White. Type a move, or help.\n"), "{first}");
    assert!(first.contains("Damero played 1... "), "{first}");
    assert!(first.contains("Nf4: not a legal move here. Did you mean Nf3"), "{first}");
    assert!(first.contains("  1. d4 "), "{first}");
    assert!(first.contains(&format!("Saved to {}.", file.path())), "{first}");
    // ASCII and no colours in a pipe.
    assert!(first.is_ascii(), "{first}");
    let fen = first.lines().last().unwrap();
    assert!(fen.ends_with(" 2"), "{fen}");

    let load = format!("load {}", file.path());
    let second = say(&[], &[&load, "fen", "c4", "history", "quit"]);
    assert!(second.contains("you play White."), "{second}");
    assert!(second.contains(fen), "{second}");
    assert!(second.contains("  2. c4 "), "{second}");
    // The file is PGN, and `--load` reads it.
    let text = fs::read_to_string(file.path()).unwrap();
    assert!(text.contains("[White \"You\"]") && text.contains("[Black \"Damero "), "{text}");
    assert!(say(&["--load", file.path()], &["fen"]).contains(fen));
    // A folder is refused.
    let folder = format!("save! {}", env!("CARGO_MANIFEST_DIR"));
    let output = say(&[], &["e4", &folder, &folder.replace("save!", "load")]);
    assert!(output.contains("is a folder; give the name of a file in it"), "{output}");
    assert!(output.contains("is a folder; give the name of a PGN file in it"), "{output}");
    // Nothing is overwritten by accident.
    let other = say(&[], &["e4", &save, &save.replace("save", "save!")]);
    assert!(other.contains("exists; type save! ") && other.contains("Saved to "), "{other}");
}

#[test]
fn unsaved_game_is_printed_at_the_end() {
    for lines in [&["e4"][..], &["e4", "quit"], &["e4", "resign"]] {
        let output = say(&[], lines);
        assert!(output.contains("\n\n[Event \"Game in the terminal\"]\n"), "{lines:?}: {output}");
        assert!(output.contains("\n1. e4 "), "{lines:?}: {output}");
    }
    let file = Scratch::new("printed.pgn");
    let save = format!("save {}", file.path());
    for lines in
        [&[][..], &["quit"], &["e4", "undo", "quit"], &["e4", &save], &["e4", &save, "quit"]]
    {
        let _ = fs::remove_file(&file.0);
        let output = say(&[], lines);
        assert!(!output.contains("[Event "), "{lines:?}: {output}");
    }
}

#[test]
fn undo_and_redo_restore_the_position() {
    let output = say(&[], &["e4", "fen", "undo", "fen", "redo", "fen", "redo", "undo", "undo"]);
    let fens: Vec<&str> = output.lines().filter(|line| line.contains(" KQkq ")).collect();
    assert_eq!(fens.len(), 3, "{output}");
    assert_eq!(
        (fens[0], fens[1]),
        (fens[2], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    );
    assert!(output.contains("nothing to redo"), "{output}");
    assert!(output.ends_with("nothing to undo\n"), "{output}");
}

#[test]
fn undo_takes_back_a_resignation_or_draw_claim() {
    let output = say(&[], &["e4", "fen", "resign", "undo", "fen", "resign", "undo", "undo", "fen"]);
    let fens: Vec<&str> = output.lines().filter(|line| line.contains(" KQkq ")).collect();
    assert_eq!(fens.len(), 3, "{output}");
    assert_eq!(fens[0], fens[1], "the moves stay: {output}");
    assert!(fens[2].ends_with(" w KQkq - 0 1"), "{output}");
    assert_eq!(output.matches("Game over: White resigns, Black wins. 0-1").count(), 2, "{output}");
    assert_eq!(output.matches("The game continues.").count(), 2, "{output}");
    // Also before the first move, and for a claimed draw.
    let fen = "7k/8/8/8/8/8/8/KR6 w - - 100 100";
    let output = say(&["--fen", fen], &["draw", "undo", "resign", "undo", "Rb2", "history"]);
    assert!(output.contains("100. Rb2"), "{output}");
}

#[test]
fn every_ending_is_named() {
    for (fen, mv, ending) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "Ra8", "checkmate, White wins. 1-0"),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", "draw by stalemate. 1/2-1/2"),
        ("7k/8/8/8/8/8/1n6/K7 w - - 0 1", "Kxb2", "draw by insufficient material. 1/2-1/2"),
        ("7k/8/8/8/8/8/8/KR6 w - - 149 100", "Rb2", "draw by seventy-five-move rule. 1/2-1/2"),
        ("7k/8/8/8/8/8/8/KR6 w - - 100 100", "draw", "draw by fifty-move rule (claimed). 1/2-1/2"),
        ("7k/8/8/8/8/8/8/KR6 w - - 0 1", "resign", "White resigns, Black wins. 0-1"),
    ] {
        let output = say(&["--fen", fen], &[mv, "pgn"]);
        assert!(output.contains(&format!("Game over: {ending}\n")), "{fen} {mv}: {output}");
        let result = ending.rsplit(' ').next().unwrap();
        assert!(output.contains(&format!("[Result \"{result}\"]")), "{output}");
    }
    // After the end a move is refused, but `undo` and `new` are accepted.
    let fen = "7k/8/8/8/8/8/8/KR6 w - - 0 1";
    let over = say(&["--fen", fen], &["resign", "Rb2", "undo", "new", "fen"]);
    assert!(over.contains("The game is over. Type undo to take back moves"), "{over}");
    assert!(over.ends_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"), "{over}");
}

#[test]
fn threefold_repetition_can_be_claimed() {
    let file = Scratch::new("repetition.pgn");
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *";
    fs::write(&file.0, format!("[Black \"Damero\"]\n\n{moves}")).unwrap();
    let output = say(&["--load", file.path()], &["draw"]);
    assert!(
        output.contains("You may claim a draw by threefold repetition: type draw."),
        "{output}"
    );
    assert!(
        output.contains("Game over: draw by threefold repetition (claimed). 1/2-1/2"),
        "{output}"
    );
    // A draw offer in the opening is declined.
    assert!(say(&[], &["draw"]).ends_with("Damero declines the draw.\n"));
}

#[test]
fn draw_offer_is_accepted_unless_engine_is_better() {
    let agreed = "Game over: draw by agreement. 1/2-1/2";
    for (fen, moves, welcome) in [
        // A level ending, at once and after a reply.
        ("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", &[][..], true),
        ("8/5pk1/6p1/8/8/6P1/r4PK1/1R6 w - - 0 1", &["Rb7"], true),
        // The human is a queen up, or a queen down.
        ("4k3/8/8/8/8/8/3QP3/4K3 w - - 0 1", &[], true),
        ("4k3/4p3/8/8/8/8/3QP3/4K3 w - - 0 1", &["Qd3"], true),
        ("4k3/3qp3/8/8/8/8/4P3/4K3 w - - 0 1", &[], false),
        ("4k3/3qp3/8/8/8/8/4P3/4K3 w - - 0 1", &["e3"], false),
    ] {
        let lines = [moves, &["draw"]].concat();
        let output = say(&["--fen", fen], &lines);
        assert_eq!(output.contains(agreed), welcome, "{fen} {moves:?}: {output}");
        assert_eq!(
            output.contains("Damero declines the draw."),
            !welcome,
            "{fen} {moves:?}: {output}"
        );
    }
    // Offers in the opening are declined unless the engine is losing: Black has hung its queen.
    let file = Scratch::new("draw.pgn");
    for (moves, welcome) in
        [("1. e4 e5 2. Nf3 Nc6 *", false), ("1. e4 e5 2. Nf3 Qg5 3. Nxg5 Nc6 *", true)]
    {
        fs::write(&file.0, format!("[Black \"Damero\"]\n\n{moves}")).unwrap();
        let output = say(&["--load", file.path()], &["draw"]);
        assert_eq!(output.contains(agreed), welcome, "{moves}: {output}");
    }
}

#[test]
fn two_humans_share_a_board() {
    let lines = ["e4", "e5", "now", "Nf3", "draw", "Nc6", "draw", "draw", "undo", "resign", "pgn"];
    let output = say(&["--white", "human", "--black", "human"], &lines);
    assert!(output.starts_with("Damero 0.1.0; no clocks. Two players at one board."), "{output}");
    assert!(output.contains("Black played 1... e5"), "{output}");
    assert!(output.contains("It is your turn."), "{output}");
    // A move in between withdraws the offer.
    assert_eq!(output.matches(" offers a draw. Repeat draw to accept it.").count(), 2, "{output}");
    assert!(output.contains("Game over: draw by agreement. 1/2-1/2"), "{output}");
    assert!(output.contains("Game over: White resigns, Black wins. 0-1"), "{output}");
    assert!(output.contains("[White \"White\"]\n[Black \"Black\"]"), "{output}");
    assert!(output.contains("1. e4 e5 2. Nf3 Nc6 0-1"), "{output}");
    let hint = say(&["--white", "human", "--black", "human"], &["e4", "hint"]);
    assert!(hint.contains("Hint: "), "{hint}");
}

#[test]
fn engine_plays_itself_with_two_levels() {
    let fen = "8/8/8/8/8/4k3/8/R3K2R w KQ - 0 1";
    let arguments = ["--white", "engine", "--black", "engine", "--white-level", "2600"];
    let arguments = [&arguments[..], &["--black-level", "800", "--fen", fen]].concat();
    let output = say(&arguments, &[]);
    assert!(output.contains("White at Elo 2600, Black at Elo 800"), "{output}");
    assert!(output.contains("Damero plays itself."), "{output}");
    assert!(output.contains("Game over: checkmate, White wins. 1-0"), "{output}");
    assert!(output.contains("[WhiteElo \"2600\"]\n[BlackElo \"800\"]"), "{output}");
    // Commands are executed between two moves.
    let output = say(&arguments, &["Kf1", "undo", "resign", "level black full", "quit"]);
    for answer in
        ["It is not your turn.", "undo is for a human player", "no human player to resign"]
    {
        assert!(output.contains(answer), "{answer}: {output}");
    }
    assert!(output.contains("White at Elo 2600, Black at full strength"), "{output}");
    assert!(!output.contains("Game over"), "{output}");
}

#[test]
fn engine_plays_white_and_board_is_turned() {
    let output = say(&["--side", "black"], &["history"]);
    assert!(output.contains("You play Black"), "{output}");
    assert!(output.contains(" 1  R  N  B  K  Q  B  N  R "), "{output}");
    assert!(output.contains("Damero played 1. "), "{output}");
    let again = say(&[], &["new black", "flip"]);
    assert!(again.contains("Damero played 1. ") && again.contains("\n 8  r  n  b  q "), "{again}");
}

#[test]
fn clocks_can_be_set_and_run_out() {
    // A clock of less than a microsecond runs out before any move.
    let output = play(&["--clock", "0.00000001+0", "--hash", "1"], &["clock", "e4", "fen", "pgn"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Game over: White is out of time, Black wins. 0-1"), "{text}");
    assert!(text.contains("[Termination \"time forfeit\"]"), "{text}");
    let output =
        say(&[], &["clock 5+3", "clock", "clock depth 3", "clock time 0.1", "clock 7 apples"]);
    assert!(output.contains("clocks with 5 min + 3 s; White 0:0"), "{output}");
    assert!(output.contains("Damero searches to depth 3"), "{output}");
    assert!(output.contains("Damero takes 0.1 s per move"), "{output}");
    assert!(
        output.ends_with("Try clock 5+3 (minutes+increment), clock depth 8, or clock time 2.\n")
    );
}

#[test]
fn every_command_answers() {
    let output = say(
        &["--level", "1500"],
        &[
            "now",
            "help",
            "moves",
            "moves g1",
            "hint",
            "eval",
            "pgn",
            "level",
            "level 900",
            "level 9",
            "level full",
            "board",
            "save",
            "load",
            "load /no/such/file",
            "fen nonsense",
            "",
            "xyzzy",
            "0000",
            "é",
        ],
    );
    for expected in [
        "take back your last move",
        "Na3 Nc3 Nf3 Nh3 a3 a4",
        "\nNf3 Nh3\n",
        "Hint: ",
        ", depth ",
        "from White's point of view",
        "[Event \"Game in the terminal\"]",
        "[BlackElo \"1500\"]",
        "Damero plays at Elo 1500.",
        "Damero plays at Elo 900.",
        "level must be from 800 to",
        "Damero plays at full strength.",
        "It is your turn.",
        "no file name: type save FILE",
        "no file name: type load FILE",
        "cannot read /no/such/file: ",
        "xyzzy: neither a move nor a command",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
}

#[test]
fn invalid_arguments_are_explained() {
    for (arguments, message) in [
        (&["--fen", "nonsense"][..], "error: "),
        (&["--load", "/no/such/file.pgn"], "cannot read /no/such/file.pgn: "),
        (&["--load", env!("CARGO_MANIFEST_DIR")], "is a folder; give the name of a PGN file"),
        (&["--level", "12"], "12 is not in 800"),
        (&["--clock", "fast"], "expected minutes+seconds, such as 5+3"),
        (&["--depth", "3", "--time", "1"], "cannot be used with"),
        (&["--time", "-1"], "unexpected argument"),
        (&["--side", "white", "--black", "engine"], "cannot be used with"),
        (&["--level", "900", "--white-level", "1000"], "cannot be used with"),
        (&["--white", "nobody"], "possible values: human, engine"),
    ] {
        let output = play(arguments, &[]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(message), "{arguments:?}: {error}");
    }
}

#[test]
fn malformed_input_does_not_end_the_game() {
    let mut input = b"\xff\xfe\n\0\0\n".to_vec();
    input.extend([b'e'; 100_000]);
    input.extend(b"\nmoves \xc3\nmoves a9\nfen\nlevel 99999999999999\ne4\nhistory\n");
    let output = run(&["play", "--hash", "1", "--depth", "1"], input);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("  1. e4 "));
}

#[test]
fn foreign_files_are_not_overwritten() {
    let file = Scratch::new("foreign.pgn");
    let text =
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {best by test} e5 (1... c5) *\n\n1. d4 d5 2. c4 *\n";
    fs::write(&file.0, text).unwrap();
    let (load, save) = (format!("load {} 2", file.path()), format!("save {}", file.path()));
    let output = say(&[], &[&load, "history", &save, "save"]);
    assert!(output.contains(", game 2; you play Black."), "{output}");
    assert!(
        output.contains("exists; type save! ") && output.contains("no file name: type save"),
        "{output}"
    );
    assert_eq!(fs::read_to_string(&file.0).unwrap(), text);
    assert!(say(&[], &[&format!("load {} 3", file.path())]).contains("has no game 3"));
    // Comments and variations are kept.
    let pgn = say(&["--load", file.path()], &["pgn"]);
    assert!(pgn.contains("1. e4 {best by test} 1... e5 (1... c5) *"), "{pgn}");
}

#[test]
fn options_override_a_loaded_game() {
    let file = Scratch::new("overruled.pgn");
    let text =
        "[White \"Damero\"]\n[WhiteElo \"900\"]\n[TimeControl \"60+1\"]\n\n1. e4 e5 2. Nf3 *\n";
    fs::write(&file.0, text).unwrap();
    let load = ["--hash", "1", "--load", file.path()];
    let loaded = String::from_utf8(play(&load, &["level"]).stdout).unwrap();
    assert!(loaded.contains("clocks with 1 min + 1 s. You play Black"), "{loaded}");
    assert!(loaded.ends_with("Damero plays at Elo 900.\n"), "{loaded}");
    let asked = [&load[..], &["--side", "white", "--level", "2000", "--depth", "2"]].concat();
    let asked = String::from_utf8(play(&asked, &["level"]).stdout).unwrap();
    assert!(asked.contains("Damero searches to depth 2. You play White"), "{asked}");
    assert!(asked.contains("Damero plays at Elo 2000."), "{asked}");
}

#[test]
fn player_names_stay_until_the_player_changes() {
    let file = Scratch::new("names.pgn");
    let text = "[White \"Ann\"]\n[Black \"Bob\"]\n[BlackElo \"1900\"]\n\n1. e4 e5 *\n";
    fs::write(&file.0, text).unwrap();
    let load = format!("load {}", file.path());
    let output = say(&[], &[&load, "pgn"]);
    assert!(output.contains("you play White. Damero now plays at Elo 1900, as"), "{output}");
    assert!(!output.contains("[Black \"Damero") && output.contains("[BlackElo \"1900\"]"));
    assert!(output.contains("[White \"Ann\"]\n[Black \"Bob\"]"), "{output}");
    let same = say(&["--level", "1900"], &[&load]);
    assert!(same.contains("you play White.\n"), "{same}");
    let output = say(&[], &[&load, "level full", "Nf3", "pgn", "undo", "pgn"]);
    let games: Vec<&str> = output.split("[Event ").collect();
    let (moved, undone) = (games[1], games[2]);
    assert!(moved.contains("[White \"Ann\"]\n[Black \"Damero "), "{output}");
    assert!(!moved.contains("[BlackElo"), "{output}");
    assert!(undone.contains("[White \"Ann\"]\n[Black \"Bob\"]"), "{output}");
    // With the sides exchanged, both names change at the next move.
    fs::write(&file.0, "[White \"Damero 0\"]\n[Black \"You\"]\n\n1. e4 e5 *\n").unwrap();
    let output = say(&["--load", file.path(), "--side", "white"], &["pgn", "Nf3", "pgn", &load]);
    let games: Vec<&str> = output.split("[Event ").collect();
    let (before, after) = (games[1], games[2]);
    assert!(before.contains("[White \"Damero 0\"]\n[Black \"You\"]"), "{output}");
    assert!(after.contains("[White \"You\"]\n[Black \"Damero "), "{output}");
}

#[test]
fn malformed_times_in_a_file_are_harmless() {
    let file = Scratch::new("times.pgn");
    for control in ["1.8e19+1.8e19", "0+1e19", "-5", "40/9000:3600", "?"] {
        let text =
            format!("[TimeControl \"{control}\"]\n\n1. e4 {{[%clk 99999999999999:0:0]}} e5 *\n");
        fs::write(&file.0, text).unwrap();
        let output = say(&["--load", file.path()], &["Nf3", "history"]);
        assert!(output.contains("2. Nf3"), "{control}: {output}");
    }
    // Clocks set after an undo apply to redone moves too.
    let output = say(&[], &["e4", "undo", "clock 5+3", "redo", "clock", "clock depth 1"]);
    assert!(!output.contains("out of time"), "{output}");
}

#[test]
fn missing_tablebases_are_an_error() {
    let output = play(&["--syzygy", "nowhere"], &["quit"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(error.contains("--syzygy") && error.contains("nowhere"), "{error}");
}
