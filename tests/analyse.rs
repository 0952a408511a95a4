//! End-to-end tests of `damero analyse`.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::program::run_in;
use damero::notation::{PgnGame, PgnReader};

/// Three short games: one with clocks and comments, one from a position, one without moves.
const GAMES: &str = r#"[Event "First"]
[White "Anna & Bob"]
[Black "<Carla>"]
[Result "0-1"]

1. f3 {[%eval 0.5] [%clk 0:10:00] hm} e5 $1 2. g4 (2. e4 {solid} Nf6) Qh4# {[%clk 0:09:58]} 0-1

[Event "Second"]
[White "Carla"]
[Black "Anna"]
[Result "1-0"]
[SetUp "1"]
[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]

1. h3 h6 2. Ra8+ Kh7 1-0

[Event "Third"]
[Result "*"]

*
"#;

/// Returns an empty folder for the test `name`.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("analyse-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    run_in(folder, &[&["analyse"], arguments].concat(), input)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn succeed(folder: &Path, arguments: &[&str], input: &str) -> (String, String) {
    let output = run(folder, arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn fail(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input);
    assert!(!output.status.success(), "{arguments:?}");
    text(&output.stderr)
}

fn games(text: &str) -> Vec<PgnGame> {
    PgnReader::new(text.as_bytes()).map(Result::unwrap).collect()
}

/// Asserts that `svg` is XML as far as a chart needs it: elements nest, attributes are quoted, and
/// every `&` begins an entity.
fn assert_well_formed(svg: &str) {
    let mut rest = svg.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").unwrap();
    let mut open = Vec::new();
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = tag.split(' ').next().unwrap();
        let mut attributes = tag[name.len()..].trim();
        while !attributes.is_empty() {
            let (key, value) = attributes.split_once("=\"").unwrap();
            assert!(key.chars().all(|c| c.is_ascii_lowercase() || "-AB0123456789x".contains(c)));
            let (value, after) = value.split_once('"').unwrap();
            check_text(value);
            attributes = after.trim_start();
        }
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?}");
}

fn check_text(text: &str) {
    for part in text.split('&').skip(1) {
        let name = part.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot", "apos"].contains(&name), "{text}");
    }
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}

const BAD: [u8; 3] = [2, 4, 6];

#[test]
fn planted_blunders_are_marked_and_neighbours_are_not() {
    let folder = folder("planted");
    fs::write(folder.join("games.pgn"), include_str!("data/blunders.pgn")).unwrap();
    let arguments = ["games.pgn", "--nodes", "20000", "--chart", "chart.svg"];
    let (table, _) = succeed(&folder, &arguments, "");
    let studied = games(&fs::read_to_string(folder.join("games-analysed.pgn")).unwrap());
    assert!(studied.len() >= 6);
    let mut found = 0;
    for (number, game) in studied.iter().enumerate() {
        let planted: Vec<usize> = game
            .tags
            .get("PlantedPlies")
            .unwrap()
            .split(' ')
            .map(|ply| ply.parse().unwrap())
            .collect();
        for (ply, played) in (1..).zip(&game.line.plies) {
            assert!(played.comment.starts_with("[%eval "), "{}", played.comment);
            if planted.contains(&ply) {
                assert!(played.nags.contains(&4) || played.nags.contains(&2), "{number} {ply}");
                assert_eq!(played.variations.len(), 1);
                assert_ne!(played.variations[0].plies[0].mv, played.mv);
                found += 1;
            } else if planted.iter().any(|&planted| planted.abs_diff(ply) <= 3) {
                assert!(!played.nags.iter().any(|nag| BAD.contains(nag)), "{number} {ply}");
            }
        }
        let svg = fs::read_to_string(folder.join(format!("chart-{}.svg", number + 1))).unwrap();
        assert_well_formed(&svg);
        assert!(svg.matches("?? (").count() + svg.matches("? (").count() >= planted.len());
    }
    assert!(found > studied.len(), "some games have two");
    // The second one is a Caro-Kann Defence.
    assert!(studied[1].tags.get("Opening").unwrap().starts_with("Caro-Kann"));
    assert!(studied[1].tags.get("ECO").unwrap().starts_with("B1"));
    assert!(table.contains("accuracy") && table.contains("games-analysed.pgn:"), "{table}");
}

#[test]
fn pipes_and_thread_counts_give_the_same_output() {
    let folder = folder("pipe");
    let input = include_str!("data/blunders.pgn");
    let arguments = |threads| ["-", "--nodes", "500", "--hash", "1", "--threads", threads];
    let (one, table) = succeed(&folder, &arguments("1"), input);
    assert_eq!(games(&one).len(), games(input).len());
    assert!(table.contains("accuracy") && table.contains("standard output: "), "{table}");
    for threads in ["2", "5"] {
        assert_eq!(succeed(&folder, &arguments(threads), input).0, one, "{threads} threads");
    }
    // To a file; from a file to standard output.
    fs::write(folder.join("in.pgn"), input).unwrap();
    let limit = ["--nodes", "500", "--hash", "1"];
    succeed(&folder, &[&["-", "-o", "out.pgn"][..], &limit].concat(), input);
    assert_eq!(fs::read_to_string(folder.join("out.pgn")).unwrap(), one);
    assert_eq!(succeed(&folder, &[&["in.pgn", "-o", "-"][..], &limit].concat(), "").0, one);
}

#[test]
fn comments_clocks_and_variations_are_kept() {
    let folder = folder("kept");
    let (output, _) = succeed(&folder, &["-", "--depth", "4", "--chart", "c.svg"], GAMES);
    let studied = games(&output);
    let [first, second, third] = &studied[..] else { panic!("{output}") };
    let plies = &first.line.plies;
    let comment = &plies[0].comment;
    assert!(comment.starts_with("[%eval -") || comment.starts_with("[%eval 0."), "{comment}");
    assert!(comment.ends_with("[%clk 0:10:00] hm") && comment.matches("eval").count() == 1);
    assert!(plies[1].nags.contains(&1));
    assert_eq!(plies[2].nags, [4]);
    assert_eq!(plies[2].comment, "[%eval #-1] Allows mate in 1.");
    assert_eq!(plies[2].variations[0].plies[0].comment, "solid");
    // Mate is on the board: there is nothing to evaluate.
    assert_eq!(plies[3].comment, "[%clk 0:09:58]");
    assert!(first.tags.get("Annotator").unwrap().starts_with("Damero "));
    // White misses a mate but is winning anyway.
    let plies = &second.line.plies;
    assert!(plies[0].comment.contains("Mate in 1 missed."), "{output}");
    assert_eq!(plies[0].variations[0].plies.len(), 1);
    assert_eq!(third.line.plies.len(), 0);
    for number in 1..=3 {
        let svg = fs::read_to_string(folder.join(format!("c-{number}.svg"))).unwrap();
        assert_well_formed(&svg);
        assert_eq!(svg.contains("Anna &amp; Bob \u{2013} &lt;Carla&gt;, 0-1"), number == 1);
    }
    // Analysing again changes nothing.
    let (again, _) = succeed(&folder, &["-", "--depth", "4"], &output);
    assert_eq!(again, output);
}

#[test]
fn resume_completes_a_truncated_output() {
    let folder = folder("resume");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let arguments = ["games.pgn", "--depth", "2", "--hash", "1"];
    succeed(&folder, &arguments, "");
    let path = folder.join("games-analysed.pgn");
    let whole = fs::read_to_string(&path).unwrap();
    let resume = [&arguments[..], &["--resume"]].concat();
    for length in [0, 1, whole.find("[Event \"Second").unwrap(), whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let (table, _) = succeed(&folder, &resume, "");
        assert_eq!(fs::read_to_string(&path).unwrap(), whole, "cut to {length}");
        assert!(table.contains(" analysed"), "{table}");
        // The table says what it leaves out.
        let left_out = table.contains("The table covers this run only, without ");
        assert_eq!(left_out, table.contains(" in earlier runs\n"), "cut to {length}: {table}");
    }
    // A complete output and a missing one can be resumed too.
    let (table, _) = succeed(&folder, &resume, "");
    assert!(table.contains("0 games analysed, 3 games in earlier runs"), "{table}");
    fs::remove_file(&path).unwrap();
    succeed(&folder, &resume, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    // Other settings or games are refused.
    let other = fail(&folder, &["games.pgn", "--depth", "3", "--resume"], "");
    assert!(other.contains("(depth 2), not by") && other.contains("same limit"), "{other}");
    fs::write(folder.join("games.pgn"), GAMES.replace("1. h3", "1. h4")).unwrap();
    let other = fail(&folder, &resume, "");
    assert!(other.contains("games-analysed.pgn: game 2 differs from the input"), "{other}");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn damaged_games_are_named_and_skipped() {
    let folder = folder("damaged");
    fs::write(folder.join("games.pgn"), GAMES.replace("1. h3 h6", "1. h3 h7")).unwrap();
    let output = run(&folder, &["games.pgn", "--depth", "1"], "");
    assert!(!output.status.success());
    let (table, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(
        errors.contains("error: game 2, line 15, column 7: h7 is not a legal move"),
        "{errors}"
    );
    assert!(table.contains("2 games analysed\nskipped 1 game with errors"), "{table}");
    let path = folder.join("games-analysed.pgn");
    let whole = fs::read_to_string(&path).unwrap();
    assert_eq!(games(&whole).len(), 2);
    fs::write(&path, &whole[..whole.len() - 2]).unwrap();
    fail(&folder, &["games.pgn", "--depth", "1", "--resume"], "");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn invalid_arguments_are_explained() {
    let folder = folder("mistakes");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    fs::write(folder.join("empty.pgn"), "\n").unwrap();
    fs::write(folder.join("old.pgn"), "old").unwrap();
    fs::write(folder.join("chart-2.svg"), "old").unwrap();
    fs::write(folder.join("nonsense.pgn"), "this is no chess").unwrap();
    for (arguments, message) in [
        (&[][..], "<FILE.pgn>"),
        (&["missing.pgn"][..], "cannot read missing.pgn: No such file"),
        (&["missing.pgn"][..], "expected a PGN file, or - for standard input"),
        (&["."][..], "read error"),
        (&["empty.pgn"][..], "no games in empty.pgn; expected PGN"),
        (
            &["nonsense.pgn"][..],
            "no readable games in nonsense.pgn; first error: game 1, line 1, column 1",
        ),
        (&["games.pgn", "--out", "old.pgn"][..], "old.pgn exists; use --resume to continue"),
        (&["games.pgn", "--out", "games.pgn"][..], "games.pgn is the input file"),
        (&["games.pgn", "--out", "no/out.pgn"][..], "cannot write no/out.pgn: "),
        (&["games.pgn", "--chart", "chart.svg"][..], "chart-2.svg exists; use --force"),
        (&["games.pgn", "--out", "old.pgn", "--resume"][..], "old.pgn: it has text not written"),
        (&["games.pgn", "--out", "-", "--resume"][..], "--resume needs an output file"),
        (&["games.pgn", "--resume", "--force"][..], "cannot be used with"),
        (&["games.pgn", "--depth", "3", "--nodes", "5"][..], "cannot be used with"),
        (&["games.pgn", "--depth", "0"][..], "0 is not in 1..=127"),
        (&["games.pgn", "--time", "soon"][..], "invalid value 'soon'"),
        (&["games.pgn", "--threads", "0"][..], "0 is not in 1..=256"),
        (&["games.pgn", "--hash", "0"][..], "0 is not in 1.."),
        (&["games.pgn", "--chart", "-"][..], "--chart cannot be standard output"),
        (&["games.pgn", "--hash", "99999999999"][..], "lower --hash or --threads"),
        (&["games.pgn", "--sideways"][..], "unexpected argument '--sideways'"),
    ] {
        let errors = fail(&folder, arguments, "");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
        assert!(errors.starts_with("error: "), "{arguments:?}: {errors}");
    }
    assert!(!folder.join("games-analysed.pgn").exists(), "nothing was written");
    assert_eq!(fs::read_to_string(folder.join("old.pgn")).unwrap(), "old");
    let force = ["games.pgn", "-o", "old.pgn", "--depth", "1", "--chart", "chart.svg", "--force"];
    succeed(&folder, &force, "");
    assert_eq!(games(&fs::read_to_string(folder.join("old.pgn")).unwrap()).len(), 3);
    let (help, _) = succeed(&folder, &["--help"], "");
    assert!(help.contains("Example: damero analyse"), "{help}");
}

#[test]
fn charts_never_overwrite_games() {
    let folder = folder("chart-place");
    let one = GAMES.split("[Event \"Second").next().unwrap();
    fs::write(folder.join("one.pgn"), one).unwrap();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    fs::write(folder.join("c-2.pgn"), GAMES).unwrap();
    for (arguments, message) in [
        (&["one.pgn", "--chart", "one.pgn"][..], "one.pgn is a game file"),
        (&["one.pgn", "--chart", "./one.pgn", "--out", "o.pgn"][..], "one.pgn is a game file"),
        (&["one.pgn", "--chart", "o.pgn", "--out", "o.pgn"][..], "o.pgn is a game file"),
        (&["one.pgn", "--chart", "one-analysed.pgn"][..], "one-analysed.pgn is a game file"),
        (&["c-2.pgn", "--chart", "c.pgn"][..], "c-2.pgn is a game file"),
        (&["games.pgn", "--chart", "o.pgn", "--out", "o-3.pgn"][..], "o-3.pgn is a game file"),
        (&["one.pgn", "--chart", "no/c.svg"][..], "cannot write no/c.svg: "),
    ] {
        let arguments = [arguments, &["--force", "--depth", "1"]].concat();
        let errors = fail(&folder, &arguments, "");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_to_string(folder.join("one.pgn")).unwrap(), one);
    assert_eq!(fs::read_to_string(folder.join("c-2.pgn")).unwrap(), GAMES);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing was written");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_a_summary() {
    let folder = folder("interrupt");
    fs::write(folder.join("games.pgn"), include_str!("data/blunders.pgn")).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_damero"))
        .args(["analyse", "games.pgn", "--nodes", "1000000000"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    // The handler is installed before the file is created.
    while !folder.join("games-analysed.pgn").exists() {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let table = text(&output.stdout);
    assert!(
        table.contains("0 games analysed\ninterrupted: ") && table.contains("--resume"),
        "{table}"
    );
}

/// Folders without tablebases are refused before anything is written.
#[test]
fn missing_tablebases_are_an_error() {
    let folder = folder("no-tables");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let error = fail(&folder, &["games.pgn", "--syzygy", "nowhere"], "");
    assert!(error.contains("--syzygy") && error.contains("nowhere"), "{error}");
    assert!(!folder.join("games-analysed.pgn").exists());
}
