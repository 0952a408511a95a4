//! Training data and commands: every legal game round-trips, and damage costs only the end of a
//! file.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::process::Command;

use common::program::Scratch;
use common::{STARTS, random_move};
use damero::board::Board;
use damero::training::{
    FileError, GameReader, GameResult, GameWriter, Header, ScoredGame, decode, encode,
};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Returns a random game with random scores, orthodox or Chess960.
fn random_game(start: usize, seed: u64, plies: usize) -> ScoredGame {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = Board::from_fen(STARTS[start % STARTS.len()]).unwrap();
    let mut board = start;
    let mut game = ScoredGame { start, plies: Vec::new(), result: GameResult::Drawn };
    for _ in 0..plies {
        let Some(mv) = random_move(&board, &mut rng) else { break };
        game.plies.push((mv, rng.random_range(-32_000..=32_000)));
        board = board.after(mv);
    }
    game.result =
        [GameResult::BlackWon, GameResult::Drawn, GameResult::WhiteWon][rng.random_range(0..3)];
    game
}

fn header() -> Header {
    Header { seed: 3, nodes: 2_000, engine: "test".to_owned() }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_legal_game_round_trips(start in 0..STARTS.len(), seed: u64, plies in 0..400_usize) {
        let game = random_game(start, seed, plies);
        let mut bytes = Vec::new();
        encode(&game, &mut bytes);
        prop_assert!(bytes.len() <= 64 + 6 * game.plies.len(), "at most six bytes a ply");
        let mut rest = bytes.as_slice();
        prop_assert_eq!(decode(&mut rest), Ok(game));
        prop_assert!(rest.is_empty());
        // Truncated or changed data gives an error or another game, never a panic.
        let _ = decode(&mut &bytes[..bytes.len() / 2]);
        let place = (seed as usize) % bytes.len();
        bytes[place] ^= 1 << (seed >> 61);
        let _ = decode(&mut bytes.as_slice());
    }

    #[test]
    fn arbitrary_bytes_never_panic_the_reader(bytes: Vec<u8>) {
        let _ = decode(&mut bytes.as_slice());
    }
}

#[test]
fn torn_end_is_cut_off_before_appending() {
    let scratch = Scratch::new("torn.dg");
    let games: Vec<ScoredGame> = (0..3).map(|seed| random_game(0, seed, 60)).collect();
    let mut writer = GameWriter::create(&scratch.0, &header()).unwrap();
    for game in &games {
        writer.write(game).unwrap();
        writer.flush().unwrap();
    }
    drop(writer);
    assert!(GameWriter::create(&scratch.0, &header()).is_err(), "an existing file is left alone");
    let whole = fs::read(&scratch.0).unwrap();
    for cut in [1, 5, 40] {
        fs::write(&scratch.0, &whole[..whole.len() - cut]).unwrap();
        let read: Vec<ScoredGame> =
            GameReader::open(&scratch.0).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, games[..2]);
        let (mut writer, contents) = GameWriter::append(&scratch.0).unwrap();
        assert!(contents.torn);
        assert_eq!((contents.games, &contents.header), (2, &header()));
        writer.write(&games[2]).unwrap();
        writer.flush().unwrap();
        assert_eq!(fs::read(&scratch.0).unwrap(), whole);
    }
    // The checksum detects a flipped bit; earlier games are kept.
    let mut damaged = whole.clone();
    let place = damaged.len() - 20;
    damaged[place] ^= 4;
    fs::write(&scratch.0, &damaged).unwrap();
    assert_eq!(GameReader::open(&scratch.0).unwrap().measure().unwrap().games, 2);
}

#[test]
fn other_files_are_refused() {
    let scratch = Scratch::new("other.dg");
    fs::write(&scratch.0, b"something else entirely").unwrap();
    assert!(matches!(GameReader::open(&scratch.0), Err(FileError::NotGames)));
    fs::write(&scratch.0, b"DAMEROG1").unwrap();
    assert!(matches!(GameReader::open(&scratch.0), Err(FileError::Header)));
}

/// The tuner writes the engine's weights as exactly the file that the engine was built from, so its
/// output compiles to the same evaluation.
#[test]
fn written_weights_match_the_source() {
    let weights: Vec<[i32; 2]> = damero::internals::weights::WEIGHTS
        .iter()
        .map(|pair| [pair.middle_game(), pair.endgame()])
        .collect();
    let source = include_str!("../src/eval/classical/weights.rs");
    assert_eq!(damero::training::weights_source(&weights), source);
}

/// `datagen`, `tune` and `wdl` on a tiny sample: the games do not depend on the number of threads,
/// the error does not rise, and the weight file has the right number of weights.
#[test]
fn datagen_tune_and_wdl_work_on_a_tiny_sample() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_damero")).args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text)
    };
    let (one, two) = (Scratch::new("one.dg"), Scratch::new("two.dg"));
    let weights = Scratch::new("weights.rs");
    let path = |scratch: &Scratch| scratch.0.to_str().unwrap().to_owned();
    let common = ["datagen", "--games", "24", "--nodes", "300", "--seed", "5"];
    for (scratch, threads) in [(&one, "1"), (&two, "2")] {
        let mut arguments = common.to_vec();
        let out = path(scratch);
        arguments.extend(["--threads", threads, "--out", &out]);
        let (success, text) = run(&arguments);
        assert!(success && text.contains("24 games"), "{text}");
        let (success, text) = run(&arguments);
        assert!(!success, "an existing file is left alone: {text}");
    }
    let read = |scratch: &Scratch| {
        let mut games: Vec<Vec<u8>> = GameReader::open(&scratch.0)
            .unwrap()
            .map(|game| {
                let mut bytes = Vec::new();
                encode(&game.unwrap(), &mut bytes);
                bytes
            })
            .collect();
        games.sort();
        games
    };
    assert_eq!(read(&one), read(&two));

    let (success, text) =
        run(&["tune", "--data", &path(&one), "--out", &path(&weights), "--epochs", "5"]);
    assert!(success, "{text}");
    let errors = text.lines().find(|line| line.starts_with("error ")).unwrap();
    let numbers: Vec<f64> = errors.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[1] <= numbers[0], "{errors}");
    let source = fs::read_to_string(&weights.0).unwrap();
    assert_eq!(source.matches("S(").count() - 1, damero::internals::features::COUNT, "{source}");

    let (success, text) = run(&["wdl", "--data", &path(&one)]);
    assert!(success && text.contains("WdlModel { even: "), "{text}");
    let (success, text) = run(&["wdl", "--data", "no-such-file.dg"]);
    assert!(!success && text.contains("no-such-file.dg: "), "{text}");
    let (success, text) = run(&["tune", "--data", "no-such-file.dg"]);
    assert!(!success && text.contains("no-such-file.dg: "), "{text}");
}

/// The whole chain on a tiny scale: games, a network, its checks, its curve, and games with it.
#[test]
fn network_is_trained_checked_and_used() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_damero")).args(arguments).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text.into_owned())
    };
    let scratches = ["chain.dg", "chain.nn", "chain-2.dg", "chain-3.dg"].map(Scratch::new);
    let [games, network, own, rescored] =
        scratches.each_ref().map(|scratch| scratch.0.to_str().unwrap());
    let (success, text) = run(&[
        "datagen",
        "--games",
        "30",
        "--nodes",
        "150",
        "--threads",
        "2",
        "--out",
        games,
        "--classical",
    ]);
    assert!(success, "{text}");
    let train = [
        "train", "--data", games, "--out", network, "--units", "32", "--epochs", "2", "--batch",
        "256",
    ];
    let (success, text) = run(&train);
    assert!(success && text.contains("quantisation error: mean"), "{text}");
    let first = fs::read(network).unwrap();
    for ending in [".svg", ".txt"] {
        let beside = format!("{network}{ending}");
        assert!(fs::metadata(&beside).unwrap().len() > 100);
        fs::remove_file(beside).unwrap();
    }
    assert!(fs::metadata(format!("{network}.checkpoint")).is_err());
    let (success, text) = run(&train);
    assert!(!success && text.contains("exists; use --force"), "{text}");

    let (success, text) = run(&["network", "test", network, "--games", "20"]);
    assert!(success && text.contains("updated evaluations equal those from scratch"), "{text}");
    let (success, text) = run(&["wdl", "--data", games, "--network", network]);
    assert!(success && text.contains("held out: "), "{text}");
    let (success, text) = run(&["network", "info", network]);
    assert!(success && text.contains("2 x 32 units"), "{text}");
    assert_ne!(fs::read(network).unwrap(), first, "the curve is stored");

    let (success, text) =
        run(&["datagen", "--games", "4", "--nodes", "100", "--network", network, "--out", own]);
    assert!(success, "{text}");
    let rescore = ["rescore", games, "--nodes", "50", "--network", network, "--out", rescored];
    let (success, text) = run(&rescore);
    assert!(success && text.contains("30 games"), "{text}");
    let read = |path: &str| -> Vec<ScoredGame> {
        GameReader::open(path.as_ref()).unwrap().map(Result::unwrap).collect()
    };
    let moves = |game: &ScoredGame| game.plies.iter().map(|ply| ply.0).collect::<Vec<_>>();
    let (before, after) = (read(games), read(rescored));
    assert!(before.iter().map(moves).eq(after.iter().map(moves)));
    assert_ne!(before, after);
    let (success, text) = run(&[&rescore[..], &["--resume"]].concat());
    assert!(success && text.contains("30 games, 0 new scores"), "{text}");

    let (success, text) = run(&["datagen", "--stats", games, rescored, own]);
    assert!(success && text.contains("all sources\n  games: 64 "), "{text}");

    // What is not a network is refused.
    let (success, text) = run(&["network", "test", games]);
    assert!(!success && text.contains("not a Damero network"), "{text}");
}

#[test]
fn games_of_other_programs_are_imported() {
    let [pgn, epd, out] = ["import.pgn", "import.epd", "import.dg"].map(Scratch::new);
    fs::write(
        &pgn.0,
        "[Event \"a\"]\n\n1. e4 {+0.35/12 0.4s} e5 {-0.30/12 0.4s} 1-0\n\n\
         [Event \"b\"]\n\n1. e4 e5 *\n\n[Event \"c\"]\n\n1. e4 e9 1-0\n",
    )
    .unwrap();
    fs::write(&epd.0, "4k3/8/8/8/8/8/4P3/4K3 b - - ce -80; c9 \"1-0\";\n\nnonsense\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_damero"))
        .args(["datagen", "import"])
        .args([&pgn.0, &epd.0])
        .arg("--out")
        .arg(&out.0)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    assert!(
        text.contains(
            "2 games, 3 positions; left out: 1 without result, 0 without scores, 0 without legal \
             moves, 2 damaged"
        ),
        "{text}"
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("e9") && errors.contains("line 3: FEN"), "{errors}");
    let games = GameReader::open(&out.0).unwrap().map(Result::unwrap);
    assert_eq!(games.map(|game| game.plies.len()).collect::<Vec<_>>(), [2, 1]);
}

/// Ctrl-C ends `datagen` cleanly: the games played are kept, counted and readable.
#[cfg(unix)]
#[test]
fn interrupted_datagen_keeps_its_games() {
    use std::io::Read;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let scratch = Scratch::new("interrupted.dg");
    let mut child = Command::new(env!("CARGO_BIN_EXE_damero"))
        .args(["datagen", "--games", "1000000", "--nodes", "200", "--out"])
        .arg(&scratch.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A block of games is written when it is full: wait for the first.
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&scratch.0).map_or(0, |file| file.len()) < 100 {
        assert!(Instant::now() < deadline, "no game was written");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    let contents = GameReader::open(&scratch.0).unwrap().measure().unwrap();
    assert!(!contents.torn && contents.games > 0);
    assert!(
        text.contains(&format!("{} games, {} new positions", contents.games, contents.plies)),
        "{text}"
    );
}
