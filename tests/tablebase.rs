//! Syzygy tablebases: probe results, their use in the engine, and damaged files.
//!
//! Most tests need tables with three and four pieces in the folder that the environment variable
//! `DAMERO_SYZYGY` names; without it they report that they are skipped.

#![cfg(feature = "cli")]

mod common;

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use common::program::output as tell;
use common::random_move;
use damero::board::{Board, Game, Outcome, Setup};
use damero::eval::EvalKind;
use damero::internals::{Control, Request, ThreadPool, TranspositionTable};
use damero::notation::{CastlingStyle, UciMove};
use damero::search::{Limits, NullReporter, SearchResult};
use damero::tablebase::{ProbeRules, TablebaseError, Tables, Wdl};
use damero::types::{CastlingRights, Color, Move, Piece, Square};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Returns the folder with tables, or reports that `test` is skipped.
#[allow(clippy::explicit_write)] // `eprintln` output is captured when a test passes
fn folder(test: &str) -> Option<String> {
    let folder = std::env::var("DAMERO_SYZYGY").ok().filter(|folder| !folder.is_empty());
    if folder.is_none() {
        let message = format!("skipped: {test}: DAMERO_SYZYGY names no folder with tables");
        writeln!(std::io::stderr(), "{message}").unwrap();
    }
    folder
}

fn tables(test: &str) -> Option<Tables> {
    folder(test).map(|folder| Tables::open(&folder).unwrap())
}

/// A position with its results by python-chess.
struct Known {
    board: Board,
    wdl: i32,
    dtz: i32,
    best: HashSet<String>,
}

fn known_positions() -> Vec<Known> {
    let lines = include_str!("data/syzygy.txt").lines().filter(|line| !line.starts_with('#'));
    let known: Vec<Known> = lines
        .map(|line| {
            let [fen, wdl, dtz, best] = line.split(';').collect::<Vec<_>>().try_into().unwrap();
            Known {
                board: Board::from_fen(fen).unwrap(),
                wdl: wdl.parse().unwrap(),
                dtz: dtz.parse().unwrap(),
                best: best.split_whitespace().map(str::to_owned).collect(),
            }
        })
        .collect();
    assert_eq!(known.len(), 2000);
    known
}

fn text(mv: Move) -> String {
    UciMove::new(mv, CastlingStyle::KingMoves).to_string()
}

/// A single-threaded engine with a node limit.
struct Player {
    pool: ThreadPool,
    hash: TranspositionTable,
}

impl Player {
    fn new() -> Self {
        Self {
            pool: ThreadPool::new(1, EvalKind::default()),
            hash: TranspositionTable::new(1).unwrap(),
        }
    }

    fn think(&mut self, game: &Game, nodes: u64, tables: &Tables) -> SearchResult {
        let limits = Limits::nodes(nodes);
        let request = Request { tables: Some(tables), ..Request::new(game, &limits) };
        self.pool.run(&request, &self.hash, &Control::default(), &mut NullReporter)
    }
}

#[test]
fn wdl_and_dtz_match_python_chess() {
    let Some(tables) = tables("results and distances") else { return };
    for Known { board, wdl, dtz, .. } in known_positions() {
        let fen = board.to_fen();
        assert_eq!(tables.probe_wdl(&board).map(Wdl::value), Some(wdl), "{fen}");
        assert_eq!(tables.probe_dtz(&board), Some(dtz), "{fen}");
        // The same with the colours swapped.
        let flipped = Setup::from(&board).flipped().build().unwrap();
        assert_eq!(tables.probe_wdl(&flipped).map(Wdl::value), Some(wdl), "{fen} flipped");
        assert_eq!(tables.probe_dtz(&flipped), Some(dtz), "{fen} flipped");
    }
}

#[test]
fn root_moves_match_python_chess() {
    let Some(tables) = tables("root moves") else { return };
    let mut player = Player::new();
    for Known { board, wdl, best, .. } in known_positions() {
        let (fen, game) = (board.to_fen(), Game::new(board));
        let ranking = tables.rank_moves(&game, ProbeRules::default()).unwrap();
        assert!(ranking.by_distance, "{fen}");
        let top = ranking.moves.iter().map(|ranked| ranked.rank).max();
        let first: HashSet<String> = ranking
            .moves
            .iter()
            .filter(|ranked| Some(ranked.rank) == top)
            .map(|ranked| text(ranked.mv))
            .collect();
        // Unless a draw by the fifty-move rule is near, the top rank has the same moves.
        if wdl >= 0 && board.halfmove_clock() < 30 {
            assert_eq!(first, best, "{fen}");
        }
        let result = player.think(&game, 100, &tables);
        let Some(mv) = result.best else {
            assert!(best.is_empty() && !board.has_legal_move(), "{fen}");
            continue;
        };
        assert!(first.contains(&text(mv)), "{fen}: {}", text(mv));
        if board.halfmove_clock() == 0 {
            assert!(wdl < 0 || best.contains(&text(mv)), "{fen}: {}", text(mv));
            assert_eq!(result.score.is_win(), wdl > 0, "{fen}: {}", result.score);
            assert_eq!(result.score.is_loss(), wdl < 0, "{fen}: {}", result.score);
        }
    }
}

/// Returns a random position with `pieces` in which the result for the side to move is `wdl`.
fn random_position(rng: &mut ChaCha8Rng, pieces: &[Piece], tables: &Tables, wdl: Wdl) -> Board {
    loop {
        let mut squares = [None; 64];
        for &piece in pieces {
            let free: Vec<Square> =
                Square::all().filter(|s| squares[s.index()].is_none()).collect();
            squares[free[rng.random_range(0..free.len())].index()] = Some(piece);
        }
        let setup = Setup {
            squares,
            side_to_move: Color::ALL[rng.random_range(0..2)],
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        if let Ok(board) = setup.build()
            && tables.probe_wdl(&board) == Some(wdl)
        {
            return board;
        }
    }
}

/// Plays positions won for White to the end. In every second game Black moves at random.
fn play_wins(name: &str, pieces: &[Piece], games: usize) {
    let Some(tables) = tables(name) else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for number in 0..games {
        let board = loop {
            let wdl = if number % 4 < 2 { Wdl::Win } else { Wdl::Loss };
            let board = random_position(&mut rng, pieces, &tables, wdl);
            if (board.side_to_move() == Color::White) == (wdl == Wdl::Win) {
                break board;
            }
        };
        let mut game = Game::new(board);
        let mut player = Player::new();
        while game.outcome().is_none() {
            let now = game.board();
            let mv = if now.side_to_move() == Color::Black && number % 2 == 1 {
                random_move(now, &mut rng).unwrap()
            } else {
                player.think(&game, 200, &tables).best.unwrap()
            };
            game.play(mv).unwrap();
            assert_eq!(game.claimable_draw(), None, "{name} {}", board.to_fen());
        }
        let end = game.outcome();
        assert_eq!(end, Some(Outcome::Checkmate(Color::White)), "{name} {}", board.to_fen());
    }
}

#[test]
fn kbnk_is_won_within_fifty_moves() {
    use Piece::{BlackKing, WhiteBishop, WhiteKing, WhiteKnight};
    play_wins("KBNK", &[WhiteKing, WhiteBishop, WhiteKnight, BlackKing], 40);
}

#[test]
fn kqkr_is_won_within_fifty_moves() {
    use Piece::{BlackKing, BlackRook, WhiteKing, WhiteQueen};
    play_wins("KQKR", &[WhiteKing, WhiteQueen, BlackKing, BlackRook], 40);
}

#[test]
fn positions_with_castling_rights_are_not_probed() {
    let Some(tables) = tables("castling rights") else { return };
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1",
        "1rk5/8/8/8/8/8/8/2K4R w H - 0 1",
        "1rk5/8/8/8/8/8/8/2K4R b b - 0 1",
        "2kr4/8/8/8/8/8/8/3K3R w Hd - 0 1",
    ] {
        let board = Board::from_fen(fen).unwrap();
        assert!(board.castling().rooks().any(), "{fen}");
        assert_eq!(tables.probe_wdl(&board), None, "{fen}");
        assert_eq!(tables.probe_dtz(&board), None, "{fen}");
        assert_eq!(tables.rank_moves(&Game::new(board), ProbeRules::default()), None, "{fen}");
        let mut setup = Setup::from(&board);
        setup.castling = CastlingRights::NONE;
        assert!(tables.probe_wdl(&setup.build().unwrap()).is_some(), "{fen}");
    }
}

#[test]
fn threefold_repetition_ranks_as_a_draw() {
    let Some(tables) = tables("repetitions") else { return };
    let mut game = Game::new(Board::from_fen("8/8/8/8/8/2k5/8/K6Q w - - 0 1").unwrap());
    let play = |game: &mut Game, moves: &str| {
        for word in moves.split(' ') {
            let mv = word.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
    };
    let rank_of = |game: &Game, mv: &str| {
        let ranking = tables.rank_moves(game, ProbeRules::default()).unwrap();
        ranking.moves.iter().find(|ranked| text(ranked.mv) == mv).unwrap().rank
    };
    play(&mut game, "h1g1 c3b3 g1h1 b3c3 h1g1 c3b3 g1h1 b3c3");
    assert!(rank_of(&game, "h1e1") > 0);
    assert_eq!(rank_of(&game, "h1g1"), 0, "the opponent could claim the draw");
}

/// Runs the program on `lines` and returns its output.
fn talk(lines: &str) -> String {
    tell(&[], lines)
}

/// KBNK: analysis scores the win, and then the draw after the loss of the knight, from the tables.
#[test]
fn studies_of_games_know_the_tables() {
    let Some(folder) = folder("studies_of_games_know_the_tables") else { return };
    let game = "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/8/K1BN4 w - - 0 1\"]\n\n1. Bb2+ Kd5 2. Ne3+ Ke4 3. Kb1 Kxe3 *\n";
    let study = |more: &[&str]| {
        tell(&[&["analyse", "-", "--out", "-", "--nodes", "500"], more].concat(), game)
    };
    let (without, with) = (study(&[]), study(&["--syzygy", &folder]));
    assert!(!without.contains("[%eval 199."), "{without}");
    assert!(with.contains("tables of 4 men"), "{with}");
    assert!(with.contains("1. Bb2+ {[%eval 199.") && with.contains("3. Kb1 $4"), "{with}");
    assert!(with.contains("[%eval 0.00]"), "{with}");
}

/// Returns the number after `word` in the last line that contains it.
fn last_number(text: &str, word: &str) -> Option<i64> {
    let line = text.lines().rfind(|line| line.contains(&format!(" {word} ")))?;
    line.split(' ').skip_while(|&other| other != word).nth(1)?.parse().ok()
}

#[test]
fn syzygy_options_take_effect() {
    let listing = talk("uci\n");
    for option in [
        "SyzygyPath type string default <empty>",
        "SyzygyProbeDepth type spin default 1 min 1 max 100",
        "Syzygy50MoveRule type check default true",
        "SyzygyProbeLimit type spin default 7 min 0 max 7",
    ] {
        assert!(listing.contains(&format!("option name {option}")), "{option}");
    }
    let Some(folder) = folder("options") else { return };
    let found = format!("setoption name SyzygyPath value {folder}\n");
    let ask = |options: &str, rest: &str| talk(&format!("{found}{options}{rest}\n"));
    let knight_and_bishop = "position fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1\ngo nodes 300";
    let text = ask("", knight_and_bishop);
    assert!(text.starts_with("info string Syzygy: "), "{text}");
    assert!(text.contains("score cp 19999 "), "{text}");
    assert!(last_number(&text, "tbhits").unwrap() > 0, "{text}");
    let off = ask("setoption name SyzygyPath value <empty>\n", knight_and_bishop);
    assert_eq!(last_number(&off, "tbhits"), None, "{off}");
    let limited = ask("setoption name SyzygyProbeLimit value 3\n", knight_and_bishop);
    assert_eq!(last_number(&limited, "tbhits"), Some(0), "{limited}");
    assert!(!limited.contains("score cp 19999 "), "{limited}");

    // Too late for the fifty-move rule, unless the option disables it.
    let late = "position fen 8/8/8/3k4/8/8/8/KBN5 w - - 80 100\ngo nodes 300";
    assert!(!ask("", late).contains("score cp 19999 "));
    assert!(ask("setoption name Syzygy50MoveRule value false\n", late).contains("score cp 19999 "));
}

#[test]
fn tablebases_are_probed_in_the_tree() {
    let Some(folder) = folder("the tree") else { return };
    // Capturing the pawn leaves rook against bishop, with four pieces.
    let position = "position fen 8/8/4k3/8/3pK3/8/1R6/5b2 w - - 0 1\n";
    let path = format!("setoption name SyzygyPath value {folder}\n");
    for threads in [1, 2] {
        let options = format!("{path}setoption name Threads value {threads}\n");
        let text = talk(&format!("{options}{position}go depth 8\n"));
        assert!(last_number(&text, "tbhits").unwrap() > 10, "{text}");
    }
    // A lower probe limit gives fewer hits, or none.
    let hits = |option: &str| {
        let text = talk(&format!("{path}setoption name {option}\n{position}go depth 8\n"));
        last_number(&text, "tbhits").unwrap()
    };
    assert!(hits("SyzygyProbeLimit value 3") < hits("SyzygyProbeLimit value 4"));
    assert_eq!(hits("SyzygyProbeLimit value 0"), 0);
    // A race that the tables decide far beyond the horizon.
    let text = talk(&format!("{path}position fen 8/8/8/8/8/k1p5/P1K4R/8 w - - 0 1\ngo depth 10\n"));
    let score =
        last_number(&text, "cp").map_or_else(|| text.contains("score mate "), |cp| cp > 19_000);
    assert!(score, "{text}");
}

#[test]
fn multi_pv_lines_are_sorted_by_rank() {
    let Some(folder) = folder("several lines") else { return };
    let text = talk(&format!(
        "setoption name SyzygyPath value {folder}\nsetoption name MultiPV value 12\n\
         position fen 8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1\ngo depth 5\n"
    ));
    let last: Vec<&str> = text.lines().filter(|line| line.contains("info depth 5 ")).collect();
    assert_eq!(last.len(), 12, "{text}");
    let tables = Tables::open(&folder).unwrap();
    let game = Game::new(Board::from_fen("8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1").unwrap());
    let ranking = tables.rank_moves(&game, ProbeRules::default()).unwrap();
    let ranks: Vec<i32> = last
        .iter()
        .map(|line| {
            let mv = line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap();
            ranking.moves.iter().find(|ranked| self::text(ranked.mv) == mv).unwrap().rank
        })
        .collect();
    assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
    assert!(ranks[0] > *ranks.last().unwrap(), "{ranks:?}");
}

/// A temporary folder, empty at first and removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("damero-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Sets `SyzygyPath`, searches an endgame and returns the output. The program must survive.
fn survives(path: &str) -> String {
    let text = talk(&format!(
        "setoption name SyzygyPath value {path}\nisready\n\
         position fen 8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1\ngo depth 6\n"
    ));
    assert!(text.contains("readyok\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    text
}

const MARK: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

#[test]
fn missing_and_damaged_files_are_reported_and_survived() {
    let scratch = Scratch::new("broken");
    let text = survives(&format!("{}/nothing", scratch.path()));
    assert!(text.starts_with("info string error: SyzygyPath: no Syzygy tables in "), "{text}");
    assert!(text.contains("cannot read folder "), "{text}");
    let text = survives(scratch.path());
    assert!(text.starts_with("info string error: SyzygyPath: no Syzygy tables in "), "{text}");

    scratch.write("readme.txt", b"not a table");
    scratch.write("KXvK.rtbw", b"not a name of a table");
    assert!(survives(scratch.path()).contains("no Syzygy tables"));
    for (bytes, message) in [
        (b"garbage, garbage, garbage".as_slice(), "not a Syzygy table"),
        (b"".as_slice(), "the file is truncated"),
        (MARK.as_slice(), "the file is truncated"),
        ([0; 80].as_slice(), "not a Syzygy table"),
        ([MARK.as_slice(), [0; 76].as_slice()].concat().as_slice(), "flags do not match"),
        ([MARK.as_slice(), &[1], &[0; 75]].concat().as_slice(), "pieces do not match"),
    ] {
        scratch.write("KQvKR.rtbw", bytes);
        let text = survives(scratch.path());
        assert!(text.contains(message), "{message}: {text}");
    }
    // A folder with the name of a table.
    fs::create_dir(scratch.0.join("KRvK.rtbw")).unwrap();
    survives(scratch.path());
}

#[test]
fn open_error_lists_every_problem() {
    let scratch = Scratch::new("problems");
    for name in ["KQvK.rtbw", "KRvK.rtbw", "KRvK.rtbz"] {
        scratch.write(name, b"nothing");
    }
    let Err(error) = Tables::open(scratch.path()) else { panic!("there are no tables") };
    assert!(error.to_string().contains("and 2 more"), "{error}");
    let TablebaseError::Nothing { problems, .. } = error else { panic!("{error}") };
    assert_eq!(problems.len(), 3);
    assert!(matches!(Tables::open(""), Err(TablebaseError::Nothing { .. })));
}

#[test]
fn noise_with_the_right_magic_is_refused() {
    let scratch = Scratch::new("noise");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for round in 0..2000 {
        // Correct flags and pieces, so that the rest is read.
        let mut bytes = [MARK.as_slice(), &[1, 0, 0x66, 0x55, 0xee, 0xcc]].concat();
        bytes[5] = if round % 2 == 0 { 0 } else { 0x11 };
        bytes.extend((0..rng.random_range(0..600)).map(|_| rng.random::<u8>()));
        if let Some(flags) = bytes.get_mut(10) {
            // Not a single-value table, which has little to read.
            *flags &= 0x7f;
        }
        if bytes.len() > 20 && round % 3 == 0 {
            // Plausible sizes and lengths.
            bytes[10..20].copy_from_slice(&[0, 6, 10, 0, 3, 0, 0, 0, 9, 2]);
        }
        scratch.write("KQvKR.rtbw", &bytes);
        assert!(Tables::open(scratch.path()).is_err());
    }
}

/// Copies the table `name`, modified by `change`, to a folder with all tables that it needs.
fn with_changed(scratch: &Scratch, folder: &Path, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    for child in ["KQvK", "KRvK", "KQvKR"] {
        for end in ["rtbw", "rtbz"] {
            let file = format!("{child}.{end}");
            if !scratch.0.join(&file).exists() {
                fs::copy(folder.join(&file), scratch.0.join(&file)).unwrap();
            }
        }
    }
    let target = scratch.0.join(name);
    let mut bytes = fs::read(folder.join(name)).unwrap();
    change(&mut bytes);
    // An earlier copy may be write-protected, as the original was.
    let _ = fs::remove_file(&target);
    fs::write(target, bytes).unwrap();
}

#[test]
fn truncated_tables_are_reported_and_survived() {
    let Some(folder) = folder("cut off tables") else { return };
    let scratch = Scratch::new("cut");
    for name in ["KQvKR.rtbw", "KQvKR.rtbz"] {
        let whole = fs::metadata(Path::new(&folder).join(name)).unwrap().len() as usize;
        for length in [0, 3, 4, 5, 40, 200, whole / 2, whole - 64, whole - 1, whole + 64] {
            with_changed(&scratch, Path::new(&folder), name, |bytes| bytes.resize(length, 0));
            let text = survives(scratch.path());
            assert!(text.contains("skipping "), "{length}: {text}");
            assert!(text.contains(&format!("{name}: ")), "{length}: {text}");
        }
        with_changed(&scratch, Path::new(&folder), name, |_| {});
        let text = survives(scratch.path());
        assert!(
            text.starts_with("info string Syzygy: 3 WDL and 3 DTZ tables, up to 4 men"),
            "{text}"
        );
        assert!(!text.contains("skipping"), "{text}");
    }
}

#[test]
fn corrupted_bytes_never_crash() {
    let Some(folder) = folder("changed bytes") else { return };
    let scratch = Scratch::new("changed");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let boards: Vec<Board> = known_positions()
        .into_iter()
        .map(|known| known.board)
        .filter(|board| {
            let fen = board.to_fen().to_ascii_lowercase();
            let placement = fen.split(' ').next().unwrap();
            placement.contains('q') && placement.contains('r')
        })
        .collect();
    assert!(boards.len() > 30);
    let mut opened = 0;
    for round in 0..600 {
        let name = ["KQvKR.rtbw", "KQvKR.rtbz"][round % 2];
        with_changed(&scratch, Path::new(&folder), name, |bytes| {
            // Damage is most serious in the headers at the beginning.
            let reach = [200, 2000, bytes.len()][round % 3];
            for _ in 0..rng.random_range(1..4) {
                bytes[rng.random_range(0..reach)] = rng.random();
            }
        });
        let tables = Tables::open(scratch.path()).unwrap();
        opened += usize::from(tables.problems().is_empty());
        for board in &boards {
            let _ = (tables.probe_wdl(board), tables.probe_dtz(board));
        }
    }
    assert!(opened > 100, "only {opened} tables got past the checks; is anything tested?");
}

#[test]
fn folders_use_the_system_path_separator() {
    let Some(folder) = folder("several folders") else { return };
    let scratch = Scratch::new("several");
    let path = std::env::join_paths([scratch.path(), &folder, "/no/such/folder"]).unwrap();
    let tables = Tables::open(path.to_str().unwrap()).unwrap();
    assert_eq!(tables.count(), Tables::open(&folder).unwrap().count());
    assert_eq!(tables.problems().len(), 1);
}
