//! End-to-end tests of the UCI protocol, with valid and invalid input.

#![cfg(feature = "cli")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use common::program::{Scratch, output};
use damero::board::Board;
use damero::notation::UciMove;

/// Generous for a loaded machine; reached only if something is broken.
const PATIENCE: Duration = Duration::from_secs(30);

struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_damero"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{text}").unwrap();
        input.flush().unwrap();
    }

    /// Returns all lines up to and including the first that starts with `beginning`.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let found = line.starts_with(beginning);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(_) => panic!("no line begins with {beginning:?}: {seen:#?}"),
            }
        }
    }

    fn is_silent_for(&mut self, time: Duration) -> bool {
        self.lines.recv_timeout(time).is_err()
    }

    /// Closes the input and returns the remaining output.
    fn end_input(mut self) -> Vec<String> {
        self.input = None;
        let rest: Vec<String> = self.lines.iter().collect();
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the move of the final `bestmove` line. Asserts that it is legal and follows a score.
fn best_move(lines: &[String], fen: &str) -> String {
    let line = lines.last().unwrap();
    let mv = line.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap();
    let board = Board::from_fen(fen).unwrap();
    mv.parse::<UciMove>().unwrap().to_move(&board).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        lines.iter().any(|line| line.starts_with("info ") && line.contains(" score ")),
        "a score comes before every answer: {lines:#?}"
    );
    mv.to_owned()
}

#[test]
fn options_are_listed() {
    let mut gui = Gui::start();
    gui.send("uci");
    let text = gui.until("uciok").join("\n");
    for name in [
        "Hash type spin",
        "Threads type spin default 1 min 1 max 256",
        "Clear Hash type button",
        "Ponder type check",
        "MultiPV type spin default 1 min 1 max 256",
        "Move Overhead type spin default 10",
        "UCI_Chess960 type check default false",
        "UCI_AnalyseMode type check",
        "UCI_ShowWDL type check",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1500 min 800 max ",
        "Skill Level type spin default 20 min 0 max 20",
        "Evaluation type combo default network var network var classical",
        "EvalFile type string default <empty>",
    ] {
        assert!(text.contains(&format!("option name {name}")), "{name}: {text}");
    }
}

#[test]
fn every_kind_of_go_is_answered() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let mut gui = Gui::start();
    gui.send("uci");
    gui.send("ucinewgame");
    gui.send(&format!("position fen {fen}"));
    for go in [
        "depth 5",
        "depth 0",
        "nodes 500",
        "nodes 0",
        "movetime 30",
        "movetime 0",
        "wtime 100 btime 100",
        "wtime 100 btime 100 winc 10 binc 10 movestogo 5",
        "binc 10 btime 100 winc 10 wtime 100",
        "wtime 50",
        "btime 50",
        "winc 20",
        "wtime 0 btime 0",
        "wtime -100 btime -100",
        "wtime 0",
        "wtime 99999999999999999999 depth 3",
        "mate 1",
        "searchmoves e1e2 a2a3 depth 3",
        "depth 3 searchmoves a2a3",
        "depth 4 nodes 100000 movetime 1000 wtime 1000 btime 1000",
        "infinite depth 2",
    ] {
        gui.send(&format!("go {go}"));
        if go.contains("infinite") {
            gui.send("stop");
        }
        let lines = gui.until("bestmove");
        let mv = best_move(&lines, fen);
        if go.contains("searchmoves") {
            assert!(mv == "e1e2" || mv == "a2a3", "{go}: {mv}");
        }
    }
    gui.send("go depth 0");
    let lines = gui.until("bestmove");
    assert!(lines[0].contains("depth 0 is out of range; using 1"), "{lines:#?}");
}

#[test]
fn go_ignores_invalid_words_with_a_remark() {
    let mut gui = Gui::start();
    gui.send("position startpos");
    for (go, remark) in [
        ("depth 2 foo", "go: unknown word \"foo\"; ignored"),
        ("foo bar depth 2", "go: unknown word \"bar\"; ignored"),
        ("depth 2 wtime 1000.5 btime 1000.5", "btime 1000.5 is not an integer; using 1000"),
        ("wtime 20.9 btime 20.9", "wtime 20.9 is not an integer; using 20"),
        ("wtime x btime 20", "go: wtime takes a number, found \"x\"; ignored"),
        ("wtime btime 20", "go: wtime takes a number, found \"btime\"; ignored"),
        ("movetime 5 depth", "go: depth takes a number, found nothing; ignored"),
        ("depth 2 nodes 1.5.2", "go: nodes takes a number, found \"1.5.2\"; ignored"),
        ("depth 2 searchmoves e2e5 a2a3", "go: e2e5 is not a legal move"),
        ("searchmoves a2a3 zz e2e5 depth 2", "go: unknown word \"zz\"; ignored"),
        ("searchmoves zz a2a3 depth 2", "go: unknown word \"zz\"; ignored"),
    ] {
        gui.send(&format!("go {go}"));
        let lines = gui.until("bestmove");
        let remark = format!("info string {remark}");
        assert!(lines.iter().any(|line| line.starts_with(&remark)), "{go}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("error")), "{go}: {lines:#?}");
        let mv = best_move(&lines, Board::START_FEN);
        assert!(!go.contains("searchmoves") || mv == "a2a3", "{go}: {mv}");
    }
    // An invalid `go` never starts an endless search.
    for go in ["foo", "dpeth 5", "depth x", "ponder wtime x", "searchmoves e2e4 foo", "binc 5 foo"]
    {
        gui.send(&format!("go {go}"));
        gui.send("isready");
        let lines = gui.until("readyok");
        assert!(lines[0].starts_with("info string error: go: "), "{go}: {lines:#?}");
        assert_eq!(lines.len(), 2, "{go}: {lines:#?}");
    }
}

#[test]
fn commands_are_answered_during_a_search() {
    let mut gui = Gui::start();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.until("info depth 6");
    gui.send("isready");
    gui.until("readyok");
    gui.send("go depth 3");
    let refused = gui.until("info string error");
    assert!(refused.last().unwrap().contains("a search is already running"));
    gui.send("hello");
    gui.until("info string error: unknown command");
    gui.send("d");
    gui.until("Legal moves (20)");
    // These wait for the end of the search, which only `stop` brings about.
    gui.send("setoption name Hash value 2");
    gui.send("setoption name MultiPV value 2");
    gui.send("ucinewgame");
    gui.send("isready");
    gui.until("readyok");
    gui.send("stop");
    gui.until("bestmove");
    gui.send("go depth 2");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
    gui.send("stop");
    gui.send("ponderhit");
    gui.send("isready");
    assert_eq!(gui.until("readyok"), ["readyok"], "stop without a search says nothing");
}

#[test]
fn pondering_waits_for_ponderhit() {
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder wtime 100 btime 100");
    gui.until("info depth 4");
    gui.send("isready");
    gui.until("readyok");
    gui.send("ponderhit");
    gui.until("bestmove");
    gui.send("go ponder depth 1");
    gui.until("info depth 1");
    assert!(gui.is_silent_for(Duration::from_millis(100)), "it answers before ponderhit");
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn reported_time_continues_after_ponderhit() {
    let number = |line: &str, name: &str| {
        let found = line.split(' ').skip_while(|&word| word != name).nth(1);
        found.and_then(|text| text.parse::<u64>().ok())
    };
    let mut gui = Gui::start();
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder wtime 6000 btime 6000");
    let mut lines = gui.until("info depth 12");
    gui.send("ponderhit");
    lines.extend(gui.until("bestmove"));
    let times: Vec<u64> = lines.iter().filter_map(|line| number(line, "time")).collect();
    assert!(times.is_sorted(), "the time begins anew: {lines:#?}");
}

#[test]
fn go_infinite_waits_for_stop_in_a_finished_game() {
    let mut gui = Gui::start();
    gui.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    gui.send("go infinite");
    gui.until("info depth 0");
    assert!(gui.is_silent_for(Duration::from_millis(100)));
    gui.send("stop");
    assert_eq!(gui.until("bestmove"), ["bestmove (none)"]);
}

#[test]
fn end_of_input_finishes_bounded_and_stops_other_searches() {
    for (go, bounded) in [
        ("depth 7", true),
        ("nodes 20000", true),
        ("movetime 50", true),
        ("wtime 200", true),
        ("infinite", false),
        ("ponder wtime 100", false),
        ("", false),
    ] {
        let mut gui = Gui::start();
        gui.send("position startpos");
        gui.send(&format!("go {go}"));
        let lines = gui.end_input();
        assert!(lines.last().unwrap().starts_with("bestmove "), "{go}: {lines:#?}");
        if bounded && go == "depth 7" {
            assert!(lines.iter().any(|line| line.starts_with("info depth 7 ")), "{lines:#?}");
        }
    }
}

#[test]
fn quit_ends_a_running_search() {
    let mut gui = Gui::start();
    gui.send("setoption name Threads value 2");
    gui.send("go infinite");
    gui.until("info depth 5");
    gui.send("quit");
    assert!(gui.child.wait().unwrap().success());
}

#[test]
fn quit_waits_for_the_searches_sent_before_it() {
    for input in [
        "position startpos\ngo depth 3\n".repeat(5),
        "go infinite\nstop\ngo depth 4\ngo depth 5\n".to_owned(),
        "go depth 9\nsetoption name Hash value 2\ngo perft 2\ngo depth 50\n".to_owned(),
        "go depth 60\n".to_owned(),
    ] {
        let text = output(&[], format!("{input}quit\n"));
        let answers = text.lines().filter(|line| line.starts_with("bestmove ")).count();
        let searches = input.matches("go ").count() - input.matches("go perft").count();
        assert_eq!(answers, searches, "{input}{text}");
        assert_eq!(text.contains("Nodes searched: 400"), input.contains("perft"), "{text}");
    }
    // Nothing is read after `quit`.
    let text = output(&[], "go depth 3\ngo depth 3\nquit\nisready\ngo depth 3\n");
    assert_eq!(text.matches("bestmove").count(), 2, "{text}");
    assert!(!text.contains("readyok"), "{text}");
}

/// Returns the second move of the last PV in `lines` and the ponder move.
fn expected_reply(lines: &[String]) -> [Option<String>; 2] {
    let after = |line: &str, word: &str, nth: usize| -> Option<String> {
        let mut words = line.split(' ').skip_while(|&it| it != word);
        words.nth(nth).map(ToOwned::to_owned)
    };
    let pv = lines.iter().rfind(|line| line.contains(" pv "));
    [pv.and_then(|line| after(line, "pv", 2)), after(lines.last().unwrap(), "ponder", 1)]
}

#[test]
fn ponder_is_the_second_move_of_the_last_line() {
    let mut gui = Gui::start();
    for (index, fen) in damero::bench::POSITIONS.iter().enumerate() {
        gui.send(&format!("position fen {fen}"));
        for nodes in [500, 2_300 + 100 * index, 9_000 + 700 * index] {
            gui.send(&format!("go nodes {nodes}"));
            let [second, ponder] = expected_reply(&gui.until("bestmove"));
            assert_eq!(second, ponder, "{fen}, {nodes} nodes");
        }
    }
}

#[test]
fn illegal_searchmoves_alone_search_all_moves() {
    let text = output(&[], "go depth 2 searchmoves e2e5 a1a8\n");
    assert!(text.contains("go: no legal searchmoves; searching all moves"), "{text}");
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
}

#[test]
fn finished_games_have_no_best_move() {
    let mut gui = Gui::start();
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "score cp 0"),
        ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "score mate 0"),
    ] {
        gui.send(&format!("position fen {fen}"));
        gui.send("go depth 3");
        let lines = gui.until("bestmove");
        assert_eq!(lines.last().unwrap(), "bestmove (none)");
        assert!(lines[0].contains(score), "{lines:#?}");
    }
}

#[test]
fn castling_follows_uci_chess960() {
    let fen = "4k3/pppppppp/8/8/8/8/8/4K2R w K - 0 1";
    let mut gui = Gui::start();
    gui.send(&format!("position fen {fen}"));
    gui.send("go depth 1 searchmoves e1h1");
    assert!(gui.until("bestmove").last().unwrap().starts_with("bestmove e1g1"));
    gui.send("setoption name UCI_Chess960 value true");
    gui.send("go depth 1 searchmoves e1g1");
    assert!(gui.until("bestmove").last().unwrap().starts_with("bestmove e1h1"));
}

#[test]
fn options_take_effect() {
    let mut gui = Gui::start();
    gui.send("setoption name uci_showwdl value true");
    gui.send("setoption name MULTIPV value 3");
    gui.send("setoption name Threads value 2");
    gui.send("setoption name Hash value 3");
    gui.send("setoption name Clear Hash");
    gui.send("debug on");
    gui.send("register later");
    gui.send("go depth 6");
    let lines = gui.until("bestmove");
    for line in lines.iter().filter(|line| line.contains(" pv ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").unwrap();
        let sum: u32 = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{line}");
        for word in ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time"] {
            assert!(words.contains(&word), "{word}: {line}");
        }
    }
    assert!(lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:#?}");
    gui.send("setoption name Threads value 1000");
    assert!(gui.until("info string").last().unwrap().contains("using 256"));
}

/// Searches a position and returns the lines of all finished iterations and the answer, without
/// times.
fn findings(gui: &mut Gui, go: &str) -> Vec<String> {
    gui.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    gui.send(&format!("go {go}"));
    let mut lines = gui.until("bestmove");
    // Some lines appear only on a slow machine.
    lines.retain(|line| line.contains(" pv ") && !line.contains("bound ") || line.contains("best"));
    let without_times = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for name in ["nps", "time"] {
            if let Some(at) = words.iter().position(|&word| word == name) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    lines.iter().map(without_times).collect()
}

#[test]
fn clear_hash_and_ucinewgame_clear_all_tables() {
    for go in ["depth 9", "nodes 30000"] {
        let fresh = findings(&mut Gui::start(), go);
        assert!(fresh.iter().any(|line| line.contains(" nodes ")), "{fresh:#?}");
        for forget in ["setoption name Clear Hash", "ucinewgame"] {
            let mut gui = Gui::start();
            gui.send("position startpos moves e2e4 c7c5");
            gui.send("go depth 10");
            gui.until("bestmove");
            assert_ne!(findings(&mut gui, go), fresh, "an earlier search makes no difference");
            gui.send(forget);
            assert_eq!(findings(&mut gui, go), fresh, "{forget}, {go}");
        }
    }
}

#[test]
fn evaluations_and_networks_can_be_exchanged() {
    let go = "depth 8";
    let fresh = findings(&mut Gui::start(), go);
    let mut gui = Gui::start();
    gui.send("setoption name Evaluation value classical");
    let classical = findings(&mut gui, go);
    assert_ne!(classical, fresh);
    // What was learnt with one evaluation does not survive the change to the other.
    gui.send("setoption name Evaluation value network");
    assert_eq!(findings(&mut gui, go), fresh);

    // A file with the same weights gives the same search; a bad file changes nothing.
    let [exported, damaged] = ["exported.nn", "damaged.nn"].map(Scratch::new);
    output(&["network", "export", "--out", exported.path()], "");
    let mut bytes = std::fs::read(&exported.0).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged.0, &bytes).unwrap();
    gui.send(&format!("setoption name EvalFile value {}", exported.path()));
    assert!(gui.until("info string EvalFile: network ").last().unwrap().contains(" units, "));
    gui.send("ucinewgame");
    assert_eq!(findings(&mut gui, go), fresh);
    for (value, reason) in [
        (damaged.path(), "damaged: the checksum does not match; keeping the network"),
        ("/no/such/file.nn", "No such file"),
        ("<empty>", ""),
    ] {
        gui.send(&format!("setoption name EvalFile value {value}"));
        if !reason.is_empty() {
            let line = gui.until("info string error: EvalFile: cannot use ").pop().unwrap();
            assert!(cfg!(windows) || line.contains(reason), "{line}");
        }
        gui.send("ucinewgame");
        assert_eq!(findings(&mut gui, go), fresh, "{value}");
    }
    gui.send("setoption name Evaluation value best");
    let line = gui.until("info string error").pop().unwrap();
    assert!(line.ends_with("Evaluation takes network or classical, found \"best\""), "{line}");
}

#[test]
fn weak_levels_play_with_the_classical_evaluation() {
    let search = |evaluation: &str| {
        let mut gui = Gui::start();
        gui.send(&format!("setoption name Evaluation value {evaluation}"));
        gui.send("setoption name UCI_LimitStrength value true");
        gui.send("ucinewgame");
        findings(&mut gui, "nodes 3000")
    };
    assert_eq!(search("network"), search("classical"));
}

#[test]
fn debug_log_has_every_line_in_and_out() {
    let log = Scratch::new("debug log.txt");
    let mut gui = Gui::start();
    gui.send(&format!("setoption name Debug Log File value {}", log.path()));
    gui.send("go depth 3");
    let said = gui.until("bestmove");
    gui.send("setoption name Debug Log File value");
    gui.send("isready");
    gui.until("readyok");
    let text = std::fs::read_to_string(&log.0).unwrap();
    let lines: Vec<(&str, &str)> =
        text.lines().map(|line| line.trim_start().split_once(' ').unwrap()).collect();
    assert!(lines.iter().all(|(seconds, _)| seconds.parse::<f64>().is_ok()), "{text}");
    let sent: Vec<String> = said.iter().map(|line| format!("<< {line}")).collect();
    let logged: Vec<&str> = lines.iter().map(|&(_, line)| line).collect();
    assert_eq!(logged[0], ">> go depth 3", "{text}");
    assert_eq!(&logged[1..=said.len()], sent, "{text}");
    assert_eq!(logged.last(), Some(&">> setoption name Debug Log File value"));
    gui.send("setoption name Debug Log File value /no/such/folder/log");
    assert!(gui.until("info string error").pop().unwrap().contains("Debug Log File: cannot open"));
}

#[test]
fn clear_hash_keeps_level_mistakes() {
    let mut gui = Gui::start();
    gui.send("setoption name UCI_LimitStrength value true");
    gui.send("ucinewgame");
    let first = findings(&mut gui, "nodes 2000");
    gui.send("setoption name Clear Hash");
    assert_eq!(findings(&mut gui, "nodes 2000"), first);
    gui.send("ucinewgame");
    assert_ne!(findings(&mut gui, "nodes 2000"), first, "another game has other mistakes");
}

#[test]
fn weak_levels_answer_every_kind_of_go() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let mut gui = Gui::start();
    gui.send(&format!("position fen {fen}"));
    for setting in ["Skill Level value 3", "UCI_LimitStrength value true", "UCI_Elo value 800"] {
        gui.send(&format!("setoption name {setting}"));
        for go in [
            "depth 5",
            "nodes 500",
            "nodes 1",
            "movetime 30",
            "movetime 0",
            "wtime 100 btime 100 winc 10 binc 10",
            "wtime 20 btime 20",
            "wtime 1 btime 1",
            "wtime 0 btime 0",
            "wtime 3000 btime 3000 movestogo 1",
            "searchmoves a2a3 depth 3",
        ] {
            gui.send(&format!("go {go}"));
            best_move(&gui.until("bestmove"), fen);
        }
    }
}

#[test]
fn weak_levels_wait_for_stop_and_ponderhit() {
    let mut gui = Gui::start();
    gui.send("setoption name UCI_LimitStrength value true");
    gui.send("position startpos");
    for go in ["infinite", "ponder wtime 1000 btime 1000"] {
        gui.send(&format!("go {go}"));
        gui.until("info depth 1");
        gui.send("isready");
        gui.until("readyok");
        while let Ok(line) = gui.lines.recv_timeout(Duration::from_millis(100)) {
            assert!(!line.starts_with("bestmove"), "{go} was answered early");
        }
        gui.send(if go == "infinite" { "stop" } else { "ponderhit" });
        gui.until("bestmove");
    }
    // `stop` ends the delay before an answer; commands are answered during it.
    gui.send("go wtime 99999999 btime 99999999");
    gui.send("isready");
    gui.until("readyok");
    gui.send("stop");
    gui.until("bestmove");
}

#[cfg(not(feature = "tuning"))]
#[test]
fn parameters_are_not_options() {
    let mut gui = Gui::start();
    gui.send("setoption name null_move_depth value 4");
    let error = "info string error: setoption: unknown option \"null_move_depth\"";
    assert_eq!(gui.until("info"), [error]);
}

#[cfg(feature = "tuning")]
#[test]
fn parameters_can_be_set() {
    use damero::search::params::ALL;
    let mut gui = Gui::start();
    gui.send("uci");
    let listing = gui.until("uciok");
    for param in ALL {
        let (name, default, min, max) = (param.name, param.default, param.min, param.max);
        let line = format!("option name {name} type spin default {default} min {min} max {max}");
        assert!(listing.contains(&line), "{line}");
    }
    // The reduction table is computed from this parameter and must follow it.
    let usual = nodes_of_search(&mut gui);
    gui.send("setoption name reduction_base value 9999");
    let remark = "info string reduction_base 9999 is out of range (0 to 150); using 150";
    assert_eq!(gui.until("info string"), [remark]);
    assert_ne!(nodes_of_search(&mut gui), usual);
    gui.send("params");
    assert!(
        gui.until("reduction_base")
            .ends_with(&["reduction_base, int, 150, 0, 150, 7.5, 0.002".to_owned()])
    );
    gui.send("setoption name Reduction_Base value 75");
    assert_eq!(nodes_of_search(&mut gui), usual);
}

#[cfg(feature = "tuning")]
#[test]
fn parameters_at_range_limits_are_harmless() {
    use damero::search::params::{ALL, Param};
    for end in [|param: &Param| param.min, |param: &Param| param.max] {
        let mut gui = Gui::start();
        for param in ALL {
            gui.send(&format!("setoption name {} value {}", param.name, end(param)));
        }
        gui.send("go wtime 500 btime 500 winc 10 binc 10");
        best_move(&gui.until("bestmove"), Board::START_FEN);
        gui.send("bench 6");
        gui.until("position 44");
    }
}

/// Returns the nodes of a search with cleared tables.
#[cfg(feature = "tuning")]
fn nodes_of_search(gui: &mut Gui) -> String {
    gui.send("ucinewgame");
    gui.send("go depth 9");
    let lines = gui.until("bestmove");
    let info = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
    info.split(' ').skip_while(|&word| word != "nodes").nth(1).unwrap().to_owned()
}

#[test]
fn game_of_five_thousand_plies_is_accepted() {
    let dance = "g1f3 g8f6 f3g1 f6g8 ";
    let mut gui = Gui::start();
    gui.send(&format!("position startpos moves {}", dance.repeat(1250)));
    gui.send("go depth 4");
    best_move(&gui.until("bestmove"), Board::START_FEN);
}

#[test]
fn terminal_commands_are_answered() {
    let mut gui = Gui::start();
    gui.send("help");
    gui.until("and damero --help.");
    gui.send("compiler");
    let text = gui.until("network: ").join("\n");
    assert!(text.contains(std::env::consts::ARCH) && text.contains("instruction sets"), "{text}");
    gui.send("eval");
    let text = gui.until("As a score").join("\n");
    for word in ["worth of each piece", "|   q   |", "Network: +", "White wins "] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let text = gui.until("As a score").join("\n");
    for word in ["White", "Black", "MG", "EG", "Material", "King safety", "Phase: 24 of 24"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(text.contains("Endgame scale: 64 of 64\nClassical evaluation: +"), "{text}");
    gui.send("position startpos moves e2e4");
    gui.send("flip");
    gui.send("d");
    let text = gui.until("Legal moves").join("\n");
    assert!(text.contains("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{text}");
    gui.send("bench 1");
    let text = gui.until("position 44").join("\n");
    assert!(text.contains("position  1"), "{text}");
    let last = gui.lines.recv_timeout(PATIENCE).unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{last}");
}

#[test]
fn commands_work_as_arguments() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_damero"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&["go", "depth", "7"]).lines().last().unwrap().starts_with("bestmove "));
    let first = run(&["bench", "3"]);
    let nodes = |text: &str| {
        text.lines().last().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(nodes(&first), nodes(&run(&["bench", "3"])), "bench is deterministic");
}
