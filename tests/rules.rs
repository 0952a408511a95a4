//! Rules of chess, one by one, in positions with known answers.

use damero::board::{Board, DrawReason, Game, Outcome};
use damero::notation::UciMove;
use damero::types::{Color, Move, Piece, PieceType, Square};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn find(board: &Board, text: &str) -> Move {
    text.parse::<UciMove>().unwrap().to_move(board).unwrap()
}

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(board(fen));
    for text in moves.split_whitespace() {
        let mv = find(game.board(), text);
        game.play(mv).unwrap();
    }
    game
}

// Regression tests for mistakes in the printed source of a well-known C engine.

#[test]
fn black_promotes_to_each_piece() {
    let board = board("4k3/8/8/8/8/8/p7/4K3 b - - 0 1");
    for (letter, piece) in [
        ('q', Piece::BlackQueen),
        ('r', Piece::BlackRook),
        ('b', Piece::BlackBishop),
        ('n', Piece::BlackKnight),
    ] {
        let after = board.after(find(&board, &format!("a2a1{letter}")));
        assert_eq!(after.piece_on(Square::A1), Some(piece));
    }
}

#[test]
fn captures_and_en_passant_have_separate_flags() {
    let board = board("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1");
    let en_passant = find(&board, "e5d6");
    assert!(en_passant.is_en_passant() && en_passant.is_capture());
    let board = board_with_pawn_capture();
    let capture = find(&board, "e4d5");
    assert!(capture.is_capture() && !capture.is_en_passant());
    assert_eq!(capture.captured(), Some(PieceType::Pawn));
}

fn board_with_pawn_capture() -> Board {
    board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
}

#[test]
fn en_passant_right_ends_with_any_move() {
    let game = game("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5");
    assert_eq!(game.board().en_passant(), Some(Square::D6));
    let mut later = game.clone();
    for text in ["e1e2", "e8e7"] {
        later.play(find(later.board(), text)).unwrap();
        assert_eq!(later.board().en_passant(), None);
    }
    let mut passed = *game.board();
    passed.play_null();
    assert_eq!(passed.en_passant(), None);
    assert_eq!(passed.key(), passed.key_from_scratch());
}

#[test]
fn double_push_has_its_real_target() {
    let board = Board::starting_position();
    let mv = find(&board, "e2e4");
    assert!(mv.is_double_push());
    assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
    assert_eq!(board.after(mv).piece_on(Square::E4), Some(Piece::WhitePawn));
}

// End of the game.

#[test]
fn checkmate_and_stalemate_end_the_game() {
    let mated = game(Board::START_FEN, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mated.outcome(), Some(Outcome::Checkmate(Color::Black)));
    let stalemate = Game::new(board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
    assert_eq!(stalemate.outcome(), Some(Outcome::Draw(DrawReason::Stalemate)));
    assert_eq!(Game::default().outcome(), None);
}

#[test]
fn repetitions_are_counted_over_the_game() {
    let dance = "g1f3 g8f6 f3g1 f6g8 ";
    let twice = game(Board::START_FEN, dance);
    assert_eq!((twice.repetitions(), twice.claimable_draw()), (2, None));
    let thrice = game(Board::START_FEN, &dance.repeat(2));
    assert_eq!(thrice.repetitions(), 3);
    assert_eq!(thrice.claimable_draw(), Some(DrawReason::ThreefoldRepetition));
    assert_eq!(thrice.outcome(), None);
    let five = game(Board::START_FEN, &dance.repeat(4));
    assert_eq!(five.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
}

#[test]
fn castling_rights_and_en_passant_distinguish_positions() {
    // After the king moves the pieces stand as before, but castling rights are lost.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let dance = "e1e2 e8e7 e2e1 e7e8 ";
    assert_eq!(game(fen, dance).repetitions(), 1);
    assert_eq!(game(fen, &dance.repeat(2)).repetitions(), 2);
    // If en passant was possible the first time, the positions differ.
    let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    assert_eq!(game(fen, "e2e4 e8e7 e1e2 e7e8 e2e1").repetitions(), 1);
    // Otherwise they are the same.
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(game(fen, "e2e4 e8e7 e1e2 e7e8 e2e1").repetitions(), 2);
}

#[test]
fn fifty_and_seventy_five_move_rules_apply() {
    let rook = |clock| Game::new(board(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90")));
    assert_eq!(rook(99).claimable_draw(), None);
    assert_eq!(rook(100).claimable_draw(), Some(DrawReason::FiftyMoves));
    assert_eq!(rook(149).outcome(), None);
    assert_eq!(rook(150).outcome(), Some(Outcome::Draw(DrawReason::SeventyFiveMoves)));
    let mut quiet = rook(99);
    quiet.play(find(quiet.board(), "a1a2")).unwrap();
    assert_eq!(quiet.claimable_draw(), Some(DrawReason::FiftyMoves));
    // Checkmate takes precedence over the counter.
    let mate = Game::new(board("R3k3/8/4K3/8/8/8/8/8 b - - 150 120"));
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate(Color::White)));
}

#[test]
fn captures_and_pawn_moves_reset_the_halfmove_clock() {
    for (fen, text) in [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 40 60", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 40 60", "e4e5"),
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 40 60", "d1d5"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 40 60", "a7a8q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 60", "e5d6"),
    ] {
        let board = board(fen);
        assert_eq!(board.after(find(&board, text)).halfmove_clock(), 0, "{text}");
    }
    let board = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 40 60");
    let castled = board.after(find(&board, "e1g1"));
    assert_eq!((castled.halfmove_clock(), castled.fullmove_number()), (41, 60));
}

#[test]
fn insufficient_material_is_a_draw() {
    for (pieces, dead) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4k3/8/8/8/8/8/8/4KB2", true),
        ("2b1k3/8/8/8/8/8/8/4KB2", true), // both bishops on light squares
        ("4kb2/8/8/8/8/8/8/4KB2", false), // one of each colour
        ("4k3/8/8/8/8/8/8/2B1KB2", false),
        ("4k3/8/8/8/8/8/8/4KNN1", false), // cannot be forced, but can happen
        ("4kn2/8/8/8/8/8/8/4KN2", false),
        ("4kn2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/4P3/4K3", false),
        ("4k3/8/8/8/8/8/8/4KR2", false),
        ("4k3/8/8/8/8/8/8/4KQ2", false),
    ] {
        let game = Game::new(board(&format!("{pieces} w - - 0 1")));
        let draw = Some(Outcome::Draw(DrawReason::InsufficientMaterial));
        assert_eq!(game.outcome(), if dead { draw } else { None }, "{pieces}");
    }
}

#[test]
fn illegal_move_leaves_the_game_unchanged() {
    let mut game = Game::default();
    let mv = Move::quiet(Piece::WhiteKing, Square::E1, Square::E2);
    assert!(game.play(mv).is_err());
    assert_eq!(game.board(), &Board::starting_position());
    assert_eq!(game.undo(), None);
    let legal = find(game.board(), "e2e4");
    game.play(legal).unwrap();
    assert_eq!(game.undo(), Some(legal));
    assert_eq!(game.board(), &Board::starting_position());
}

#[test]
fn pins_and_checkers_are_found() {
    let board = board("4k3/8/8/7b/1b6/2N2P2/8/r2QK3 w - - 0 1");
    let pinned: Vec<Square> = board.pinned().into_iter().collect();
    assert_eq!(pinned, [Square::D1, Square::C3]);
    let double = board_in_double_check();
    assert_eq!(double.checkers().len(), 2);
    assert!(double.legal_moves().iter().all(|mv| mv.piece() == Piece::BlackKing));
}

fn board_in_double_check() -> Board {
    board("4k3/8/3N4/8/8/8/8/4RK2 b - - 0 1")
}

/// Found by the property tests: a pinned piece must not jump to the line of another slider.
#[test]
fn pinned_piece_stays_on_its_line() {
    for (fen, from, to) in [
        ("6N1/1k2rpR1/pn6/3p4/nP3P2/6Q1/1RrNK3/4R3 w - - 6 68", Square::D2, Square::E4),
        ("3r1k2/8/3nP1p1/N4P2/p2KN2r/p6P/RB3RP1/5b2 w - - 8 49", Square::E4, Square::D6),
        ("4r1k1/8/8/8/8/4n3/2rPK3/8 w - - 0 1", Square::D2, Square::E3),
    ] {
        assert_eq!(board(fen).find_legal(from, to, None), None, "{fen}");
    }
}

/// Values from the Chess Programming Wiki's page on static exchange evaluation, with the knight
/// at 300 instead of 325 where one is lost.
#[test]
fn see_matches_known_values() {
    for (fen, text, value) in [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
    ] {
        let board = board(fen);
        let mv = find(&board, text);
        assert!(board.see_at_least(mv, value), "{text}");
        assert!(!board.see_at_least(mv, value + 1), "{text}");
    }
}
