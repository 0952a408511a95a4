//! Levels below full strength: the seed determines the game, mistakes are human-like, and stronger
//! levels agree more often with full strength.

use std::sync::mpsc::{Sender, channel};

use damero::board::{Board, Game};
use damero::engine::Engine;
use damero::search::{Info, Level, Limits, Reporter, SearchResult};
use damero::types::{Move, PieceType};

/// Sends the result and the number of lines.
struct Ear(usize, Sender<(SearchResult, usize)>);

impl Reporter for Ear {
    fn info(&mut self, info: &Info<'_>) {
        self.0 = self.0.max(info.multi_pv);
    }

    fn finished(&mut self, result: &SearchResult) {
        self.1.send((result.clone(), self.0)).unwrap();
    }
}

/// Returns the result of a search and the number of lines it reported.
fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (SearchResult, usize) {
    let (sender, receiver) = channel();
    engine.go(game.clone(), limits, Box::new(Ear(0, sender))).unwrap();
    receiver.recv().unwrap()
}

/// More nodes than any level searches, so the level decides when to stop.
fn as_long_as_it_likes() -> Limits {
    Limits::nodes(1_000_000_000)
}

fn engine_at(level: Level) -> Engine {
    let mut engine = Engine::new(1).unwrap();
    engine.set_level(level);
    engine
}

fn choose(engine: &mut Engine, game: &Game) -> Move {
    search(engine, game, as_long_as_it_likes()).0.best.unwrap()
}

/// Plays a game of a level against itself, of at most `plies` plies.
fn play(engine: &mut Engine, plies: usize) -> Game {
    let mut game = Game::default();
    while game.moves().len() < plies && game.outcome().is_none() {
        let mv = choose(engine, &game);
        game.play(mv).unwrap();
    }
    game
}

#[test]
fn same_seed_gives_the_same_game() {
    for elo in [800, 1500, 2000] {
        let mut engines = [engine_at(Level::elo(elo)), engine_at(Level::elo(elo))];
        let [one, two] = engines.each_mut().map(|engine| play(engine, 40));
        assert_eq!(one.moves(), two.moves(), "{elo}");
        engines.iter_mut().for_each(Engine::new_game);
        let [next, same] = engines.each_mut().map(|engine| play(engine, 40));
        assert_eq!(next.moves(), same.moves(), "{elo}");
        assert_ne!(one.moves(), next.moves(), "{elo}: the next game is another one");
    }
}

#[test]
fn full_strength_is_unaffected_by_levels() {
    let nodes = |engine: &mut Engine| search(engine, &Game::default(), Limits::depth(9)).0.nodes;
    let plain = nodes(&mut Engine::new(1).unwrap());
    assert_eq!(nodes(&mut engine_at(Level::full())), plain);
    // Results of one level do not stay in the tables for another.
    let mut engine = engine_at(Level::elo(1200));
    let weak = nodes(&mut engine);
    engine.set_level(Level::full());
    assert_eq!(nodes(&mut engine), plain);
    engine.set_level(Level::elo(1200));
    assert_eq!(nodes(&mut engine), weak);
}

#[test]
fn go_mate_ignores_level() {
    let fen = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";
    let game = Game::new(Board::from_fen(fen).unwrap());
    let mate = || Limits { mate: Some(2), ..Limits::nodes(2_000_000) };
    let mut engine = engine_at(Level::elo(800));
    choose(&mut engine, &game);
    let found = search(&mut engine, &game, mate()).0;
    assert_eq!(found.score.mate_distance(), Some(2));
    assert_eq!(found.nodes, search(&mut Engine::new(1).unwrap(), &game, mate()).0.nodes);
}

#[test]
fn every_level_plays_mate_in_one() {
    let mates: Vec<&str> = include_str!("data/mates.epd")
        .lines()
        .filter_map(|line| line.strip_suffix(" ; 1"))
        .collect();
    assert!(mates.len() >= 10);
    for elo in (Level::LOWEST..=Level::HIGHEST).step_by(400) {
        let mut engine = engine_at(Level::elo(elo));
        for fen in &mates {
            let game = Game::new(Board::from_fen(fen).unwrap());
            engine.new_game();
            let after = game.board().after(choose(&mut engine, &game));
            assert!(after.in_check() && !after.has_legal_move(), "{elo}: {fen}");
        }
    }
}

#[test]
fn every_level_always_answers() {
    let only_moves = ["7k/8/6K1/8/8/8/8/R7 b - - 0 1", "k7/2Q5/8/8/8/8/7p/K7 b - - 0 1"];
    let odd = [
        // A check to answer, a promotion, en passant, a pawn ending with one ply left to the
        // fifty-move rule.
        "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1",
        "8/P6k/8/8/8/8/8/K7 w - - 0 1",
        "8/8/8/KPp4r/8/8/8/6k1 w - c6 0 1",
        "8/8/8/4k3/8/4P3/4K3/8 b - - 99 90",
    ];
    for elo in (Level::LOWEST..=Level::HIGHEST).step_by(500) {
        let mut engine = engine_at(Level::elo(elo));
        for fen in only_moves.into_iter().chain(odd) {
            let game = Game::new(Board::from_fen(fen).unwrap());
            for limits in [as_long_as_it_likes(), Limits::depth(1), Limits::nodes(1)] {
                let (result, _) = search(&mut engine, &game, limits);
                assert!(result.best.is_some_and(|mv| game.board().is_legal(mv)), "{elo}: {fen}");
            }
        }
        for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R3k3/8/4K3/8/8/8/8/8 b - - 0 1"] {
            let game = Game::new(Board::from_fen(fen).unwrap());
            assert_eq!(search(&mut engine, &game, as_long_as_it_likes()).0.best, None, "{fen}");
        }
        engine.multi_pv = 4;
        let (_, lines) = search(&mut engine, &Game::default(), as_long_as_it_likes());
        assert_eq!(lines, 4, "{elo}");
    }
}

/// Returns whether the side to move can capture the queen and win at least 500 by SEE.
fn queen_hangs(board: &Board) -> bool {
    let takes = |mv: &Move| mv.captured() == Some(PieceType::Queen) && board.see_at_least(*mv, 500);
    board.legal_moves().iter().any(takes)
}

fn queen_is_attacked(board: &Board) -> bool {
    let us = board.side_to_move();
    let attacked = board.attacked_by(!us);
    board.pieces(us, PieceType::Queen).intersects(attacked)
}

#[test]
fn lowest_level_does_not_hang_its_queen() {
    let mut engine = engine_at(Level::elo(Level::LOWEST));
    let (mut quiet, mut lost) = (0, 0);
    for _ in 0..30 {
        engine.new_game();
        let game = play(&mut engine, 80);
        for pair in game.positions().windows(2) {
            let has_queen = pair[0].pieces(pair[0].side_to_move(), PieceType::Queen).any();
            if has_queen && !pair[0].in_check() && !queen_is_attacked(&pair[0]) {
                quiet += 1;
                lost += usize::from(queen_hangs(&pair[1]));
            }
        }
    }
    println!("the queen is given away in {lost} of {quiet} quiet positions");
    assert!(quiet > 500 && lost * 100 <= quiet, "{lost} of {quiet}");
}

#[test]
fn stronger_levels_agree_more_with_full_strength() {
    let mut teacher = Engine::new(4).unwrap();
    let games: Vec<Game> = [1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400]
        .map(|elo| play(&mut engine_at(Level::elo(elo)), 100))
        .into();
    let positions = || games.iter().flat_map(|game| game.positions().iter().step_by(2));
    let asked: Vec<Game> =
        positions().filter(|board| board.has_legal_move()).map(|board| Game::new(*board)).collect();
    let best: Vec<Option<Move>> =
        asked.iter().map(|game| search(&mut teacher, game, Limits::depth(9)).0.best).collect();
    let agreements = [800, 1400, 2000, 2600].map(|elo| {
        let mut engine = engine_at(Level::elo(elo));
        let same = asked.iter().zip(&best).filter(|(game, best)| {
            engine.new_game();
            Some(choose(&mut engine, game)) == **best
        });
        same.count()
    });
    println!("of {} moves, 800, 1400, 2000, 2600 chose {agreements:?} of the best", asked.len());
    // Enough positions that the order is not chance.
    assert!(asked.len() >= 320);
    assert!(agreements.is_sorted_by(|low, high| low < high), "{agreements:?}");
}
