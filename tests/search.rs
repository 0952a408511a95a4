//! Search tests: move picker, draws by rule, exact mate distances, limits.

mod common;

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use common::{STARTS, random_game};
use damero::board::{Board, Game, Setup};
use damero::engine::Engine;
use damero::eval::{EvalKind, evaluate, trace};
use damero::internals::{
    Evaluator, Histories, HistoryContext, MovePicker, PawnHistoryIndex, PieceTo,
};
use damero::notation::UciMove;
use damero::search::{Info, Limits, Reporter, SearchResult};
use damero::types::{Color, Move, Score};
use proptest::prelude::*;

/// The recorded reports of a search.
#[derive(Clone, Debug, Default)]
struct Heard {
    lines: Vec<(u32, usize, Score, Vec<Move>)>,
    result: SearchResult,
}

struct Ear(Heard, Sender<Heard>);

impl Reporter for Ear {
    fn info(&mut self, info: &Info<'_>) {
        self.0.lines.push((info.depth, info.multi_pv, info.score, info.pv.to_vec()));
    }

    fn finished(&mut self, result: &SearchResult) {
        self.0.result = result.clone();
        self.1.send(self.0.clone()).unwrap();
    }
}

fn search_with(engine: &mut Engine, game: &Game, limits: Limits) -> Heard {
    let (sender, receiver) = channel();
    engine.go(game.clone(), limits, Box::new(Ear(Heard::default(), sender))).unwrap();
    receiver.recv().unwrap()
}

fn search(fen: &str, limits: Limits) -> Heard {
    search_with(&mut Engine::new(8).unwrap(), &Game::new(Board::from_fen(fen).unwrap()), limits)
}

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Board::from_fen(fen).unwrap());
    for text in moves.split_whitespace() {
        let mv = text.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
        game.play(mv).unwrap();
    }
    game
}

/// Asserts that a line is legal, does not continue after the end of the game, and ends in mate if
/// the score is a mate.
fn check_line(start: &Game, score: Score, line: &[Move]) {
    let mut game = start.clone();
    for &mv in line {
        assert_eq!(game.outcome(), None, "the line goes on after the end: {line:?}");
        game.play(mv).unwrap();
    }
    if let Some(distance) = score.mate_distance() {
        let plies = if distance > 0 { 2 * distance - 1 } else { -2 * distance };
        assert_eq!(line.len(), plies as usize, "{score} but {line:?}");
        assert!(!game.board().has_legal_move() && game.board().in_check(), "{score}: {line:?}");
    }
}

fn picked(mut picker: MovePicker, board: &Board, histories: &Histories) -> Vec<u32> {
    let mut moves = Vec::new();
    while let Some(mv) = picker.next(board, histories) {
        moves.push(mv.bits());
    }
    moves
}

fn sorted(mut words: Vec<u32>) -> Vec<u32> {
    words.sort_unstable();
    words
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn picker_yields_each_legal_move_once(start in 0..STARTS.len(), seed: u64) {
        let mut histories = Histories::default();
        let mut killers = [None; 2];
        let mut earlier = [None; 4];
        let mut step = seed;
        random_game(start, seed, 150, |board| {
            step = step.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let moves = board.legal_moves();
            let some = |n: u64| moves.get((n % (moves.len().max(1) as u64 + 1)) as usize).copied();
            let table_move = some(step >> 33);
            // Killers and countermoves may come from other positions, be legal here, or repeat.
            let counter = if step & 1 == 0 { some(step >> 40) } else { killers[1] };
            let circumstances = HistoryContext {
                earlier,
                attacked: board.attacked_by(!board.side_to_move()),
                pawns: PawnHistoryIndex::of(board),
            };
            let picker = MovePicker::new(table_move, killers, counter, circumstances);
            let all = picked(picker, board, &histories);
            if let Some(mv) = table_move {
                assert_eq!(all[0], mv.bits());
            }
            let legal: Vec<u32> = moves.iter().map(|mv| mv.bits()).collect();
            assert_eq!(sorted(all), sorted(legal.clone()), "{}", board.to_fen());
            let noisy = picked(MovePicker::noisy(table_move), board, &histories);
            let expected = moves.iter().filter(|mv| mv.is_noisy()).map(|mv| mv.bits()).collect();
            assert_eq!(sorted(noisy), sorted(expected), "{}", board.to_fen());
            if let Some(mv) = some(step >> 50) {
                histories.update_quiet(mv, &circumstances, (step >> 52) as i32 - 2000);
                histories.update_capture(mv, (step >> 53) as i32 - 1000);
                killers = [Some(mv), some(step >> 45)];
                earlier = [Some(PieceTo::new(mv)), earlier[0], earlier[1], earlier[2]];
            }
        });
    }

    #[test]
    fn evaluation_is_colour_symmetric(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 150, |board| {
            let flipped = Setup::from(board).flipped().build().unwrap();
            assert_eq!(evaluate(board), evaluate(&flipped), "{}", board.to_fen());
        });
    }

    #[test]
    fn explained_and_cached_evaluations_match(start in 0..STARTS.len(), seed: u64) {
        let mut evaluator = Evaluator::new(&EvalKind::Classical);
        random_game(start, seed, 150, |board| {
            let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
            let score = evaluate(board).value();
            assert_eq!(trace(board).total * sign, score, "{}", board.to_fen());
            assert_eq!(evaluator.evaluate(0, board).value(), score, "{}", board.to_fen());
        });
    }
}

#[test]
fn search_is_deterministic() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
    let first = search(fen, Limits::depth(9));
    let second = search(fen, Limits::depth(9));
    assert_eq!(first.result.nodes, second.result.nodes);
    assert_eq!(first.lines, second.lines);
}

#[test]
fn lines_are_legal_and_reach_the_announced_mate() {
    for fen in damero::bench::POSITIONS {
        let start = Game::new(Board::from_fen(fen).unwrap());
        let heard = search_with(&mut Engine::new(8).unwrap(), &start, Limits::depth(9));
        assert!(!heard.lines.is_empty());
        for (_, _, score, line) in &heard.lines {
            check_line(&start, *score, line);
        }
        let last = heard.lines.last().unwrap();
        assert_eq!(heard.result.best, last.3.first().copied(), "{fen}");
        assert_eq!(heard.result.ponder, last.3.get(1).copied(), "{fen}");
    }
}

#[test]
fn node_limits_are_exceeded_only_to_finish_depth_one() {
    let many = (1..40).map(|step| step * 997);
    for nodes in [0, 1, 2, 10, 100, 1_000, 5_000, 12_345].into_iter().chain(many) {
        let heard = search(Board::START_FEN, Limits::nodes(nodes));
        let first_iteration = if heard.result.depth > 1 { 0 } else { 8_192 };
        assert!(heard.result.nodes <= nodes + first_iteration, "{} of {nodes}", heard.result.nodes);
        assert!(heard.result.depth >= 1);
        let last = heard.lines.last().unwrap();
        assert_eq!(heard.result.best, last.3.first().copied(), "the line told is the move played");
        assert!(heard.result.best.is_some());
        assert!(!heard.lines.is_empty(), "a score comes before every answer");
    }
}

#[test]
fn search_stopped_at_once_still_finds_mate_in_one() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/1N2R1K1 w - - 0 1";
    let start = Game::new(Board::from_fen(fen).unwrap());
    let mate = "e1e8".parse::<UciMove>().unwrap().to_move(start.board()).unwrap();
    for nodes in [0, 1, 5] {
        assert_eq!(search(fen, Limits::nodes(nodes)).result.best, Some(mate), "{nodes} nodes");
    }
    let mut engine = Engine::new(1).unwrap();
    let (sender, receiver) = channel();
    for _ in 0..50 {
        let limits = Limits { infinite: true, ..Limits::default() };
        let reporter = Box::new(Ear(Heard::default(), sender.clone()));
        engine.go(start.clone(), limits, reporter).unwrap();
        engine.stop();
        assert_eq!(receiver.recv().unwrap().result.best, Some(mate));
    }
}

#[test]
fn search_without_legal_moves_has_no_best_move() {
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
        ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", Score::mated_in(0)),
    ] {
        let heard = search(fen, Limits::depth(5));
        assert_eq!(heard.result.best, None);
        assert_eq!(heard.lines[0].2, score);
    }
}

#[test]
fn draws_by_rule_are_found_in_the_tree() {
    // White is a queen up, but every move completes the hundredth ply.
    let fifty = search("7k/8/8/8/8/8/2Q5/K7 w - - 99 80", Limits::depth(4));
    assert_eq!(fifty.result.score, Score::DRAW);
    // Unless it mates.
    let mate = search("7k/8/6K1/8/8/8/8/1Q6 w - - 99 80", Limits::depth(4));
    assert_eq!(mate.result.score, Score::mate_in(1));
    // Perpetual check saves the losing side: Qe8+ Kh7 Qh5+ Kg8 and so on.
    let perpetual = search("6k1/6p1/8/7Q/8/8/rq3PPP/6K1 w - - 0 1", Limits::depth(8));
    assert_eq!(perpetual.result.score, Score::DRAW);
    // Taking the last piece leaves a dead position.
    let start = game("8/8/8/8/8/2k5/1n6/K1B5 w - - 0 1", "");
    let takes = "c1b2".parse::<UciMove>().unwrap().to_move(start.board()).unwrap();
    let limits = Limits { search_moves: vec![takes], ..Limits::depth(6) };
    let dead = search_with(&mut Engine::new(8).unwrap(), &start, limits);
    assert_eq!(dead.result.score, Score::DRAW);
}

#[test]
fn game_repetition_is_a_draw_at_the_third_occurrence() {
    let dance = "g1f3 g8f6 f3g1 ";
    let back = |game: &Game| "f6g8".parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
    let score = |game: &Game| {
        let limits = Limits { search_moves: vec![back(game)], ..Limits::depth(1) };
        search_with(&mut Engine::new(8).unwrap(), game, limits).result.score
    };
    // The second occurrence of the starting position is not a draw yet.
    let second = game(Board::START_FEN, dance);
    assert_ne!(score(&second), Score::DRAW);
    // The third is.
    let third = game(Board::START_FEN, &format!("{dance} f6g8 {dance}"));
    assert_eq!(score(&third), Score::DRAW);
}

#[test]
fn multi_pv_lines_are_distinct_and_sorted() {
    let mut engine = Engine::new(8).unwrap();
    engine.multi_pv = 4;
    let heard = search_with(&mut engine, &Game::default(), Limits::depth(8));
    let last: Vec<_> = heard.lines.iter().filter(|line| line.0 == 8).collect();
    assert_eq!(last.iter().map(|line| line.1).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|pair| pair[0].2 >= pair[1].2));
    for (index, line) in last.iter().enumerate() {
        assert!(last[..index].iter().all(|other| other.3[0] != line.3[0]));
    }
    // More lines than moves.
    engine.multi_pv = 256;
    let few = Game::new(Board::from_fen("7k/8/8/8/8/8/6q1/K7 w - - 0 1").unwrap());
    let heard = search_with(&mut engine, &few, Limits::depth(5));
    let moves = few.board().legal_moves().len();
    assert_eq!(heard.lines.iter().filter(|line| line.0 == 5).count(), moves);
}

#[test]
fn search_moves_restrict_the_root() {
    let board = Board::starting_position();
    let wanted = "a2a3".parse::<UciMove>().unwrap().to_move(&board).unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(6) };
    let heard = search(Board::START_FEN, limits);
    assert_eq!(heard.result.best, Some(wanted));
    assert!(heard.lines.iter().all(|line| line.3[0] == wanted));
}

#[test]
fn threads_find_the_same_mate() {
    let mut engine = Engine::new(8).unwrap();
    engine.set_threads(3);
    let start = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "");
    let heard = search_with(&mut engine, &start, Limits::depth(6));
    assert_eq!(heard.result.score, Score::mate_in(1));
    check_line(&start, heard.result.score, &heard.lines.last().unwrap().3);
}

#[test]
fn answer_waits_for_stop_or_ponder_hit() {
    let mut engine = Engine::new(8).unwrap();
    for ponder in [false, true] {
        let (sender, receiver) = channel();
        let limits = Limits { infinite: !ponder, ponder, ..Limits::depth(1) };
        engine.go(Game::default(), limits, Box::new(Ear(Heard::default(), sender))).unwrap();
        // The search is done at once, but the answer has to wait.
        assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err());
        assert!(engine.is_searching());
        let busy =
            engine.go(Game::default(), Limits::depth(1), Box::new(damero::search::NullReporter));
        assert!(busy.is_err());
        if ponder {
            engine.ponder_hit()
        } else {
            engine.stop()
        }
        assert!(receiver.recv_timeout(Duration::from_secs(5)).is_ok());
    }
}

/// Every listed mate is found with its exact distance and a line that leads to it.
#[test]
fn go_mate_finds_exact_distances() {
    let text = include_str!("data/mates.epd");
    let mut engine = Engine::new(16).unwrap();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (fen, distance) = line.split_once(" ; ").unwrap();
        let distance: i32 = distance.parse().unwrap();
        let start = Game::new(Board::from_fen(fen).unwrap());
        engine.new_game();
        let limits = Limits { mate: Some(distance.unsigned_abs()), ..Limits::nodes(2_000_000) };
        let heard = search_with(&mut engine, &start, limits);
        assert_eq!(heard.result.score.mate_distance(), Some(distance), "{fen}");
        let (_, _, score, pv) = heard.lines.last().unwrap();
        check_line(&start, *score, pv);
        count += 1;
    }
    assert!(count >= 60);
}

/// Basic endgames are won from random positions within the fifty-move rule; with a pawn, from
/// positions that are not drawn.
#[test]
fn basic_endgames_are_won() {
    let mut seed = 1_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for pieces in ["Q", "R", "BB", "BN", "P"] {
        let mut won = 0;
        while won < 5 {
            let Some(start) = random_endgame(pieces, &mut random) else { continue };
            if evaluate(&start) == Score::DRAW {
                continue;
            }
            let mut engine = Engine::new(4).unwrap();
            let mut game = Game::new(start);
            while game.outcome().is_none() {
                assert_eq!(game.claimable_draw(), None, "{pieces} from {}", start.to_fen());
                let limits = Limits::nodes(30_000);
                let heard = search_with(&mut engine, &game, limits);
                game.play(heard.result.best.unwrap()).unwrap();
            }
            let mate = damero::board::Outcome::Checkmate(damero::types::Color::White);
            // Skip games in which the lone king captured a piece.
            if start.color(damero::types::Color::White).len()
                == game.board().color(damero::types::Color::White).len()
            {
                assert_eq!(game.outcome(), Some(mate), "{pieces} from {}", start.to_fen());
                won += 1;
            }
        }
    }
}

/// Returns a random position of White's king and `pieces` against a king, or `None` if it is
/// unsuitable. Two bishops stand on squares of different colours.
fn random_endgame(pieces: &str, random: &mut impl FnMut(usize) -> usize) -> Option<Board> {
    use damero::types::{Bitboard, CastlingRights, Color, Piece, PieceType, Square};
    let mut setup = Setup {
        squares: [None; 64],
        side_to_move: if random(2) == 0 { Color::White } else { Color::Black },
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    let mut bishops = Bitboard::EMPTY;
    for letter in "Kk".chars().chain(pieces.chars()) {
        let square = Square::from_index(random(64))?;
        let piece = Piece::from_letter(letter)?;
        if setup.squares[square.index()].replace(piece).is_some() {
            return None;
        }
        if piece.kind() == PieceType::Bishop {
            bishops |= square.into();
        }
    }
    if bishops.len() == 2 && (bishops & Bitboard::DARK).len() != 1 {
        return None;
    }
    setup.build().ok().filter(Board::has_legal_move)
}

/// A correction history that amplifies its own output lets the score of a level position drift in a
/// long search. With the tables summed at a total weight of 1.7, this position was at +9 after 0.7
/// million nodes, +47 after 2.7 million and +98 after 40 million. Stockfish 15.1 gives +3.
#[test]
fn long_search_of_a_level_position_keeps_its_score() {
    let start = game(Board::START_FEN, "e2e4 e7e6 a2a3 d7d5 e4d5");
    let heard = search_with(&mut Engine::new(64).unwrap(), &start, Limits::nodes(3_000_000));
    let value = heard.result.score.value();
    assert!(value.abs() <= 20, "{value}");
}
