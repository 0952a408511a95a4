//! Properties that hold in every position of random games: each fast path against its slow twin.

mod common;

use std::collections::BTreeMap;

use common::slow::SlowBoard;
use common::{STARTS, random_game};
use damero::board::{Board, GenType, Setup};
use damero::internals::see_value;
use damero::notation::{CastlingStyle, UciMove};
use damero::types::{Bitboard, Color, Move, MoveList, PieceType, Square};
use proptest::prelude::*;

/// A failing case is printed with its seed; nothing is written to the source tree.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn sorted(moves: &[Move]) -> Vec<u32> {
    let mut words: Vec<u32> = moves.iter().map(|mv| mv.bits()).collect();
    words.sort_unstable();
    words
}

/// Static exchange evaluation by its recursive definition: each side captures with its least
/// valuable piece or stops. The engine's threshold test must agree.
fn exchange(board: &Board, to: Square, side: Color, on_square: i32, occupied: Bitboard) -> i32 {
    let attackers = board.attackers_to(to, occupied) & occupied;
    for kind in PieceType::ALL {
        if let Some(from) = (attackers & board.pieces(side, kind)).first() {
            let rest = occupied ^ from.into();
            if kind == PieceType::King && attackers.intersects(board.color(!side)) {
                return 0;
            }
            let reply = exchange(board, to, !side, see_value(kind), rest);
            return (on_square - reply).max(0);
        }
    }
    0
}

fn exchange_of_move(board: &Board, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let us = board.side_to_move();
    let mut occupied = (board.occupied() ^ mv.from().into()) | mv.to().into();
    if mv.is_en_passant() {
        occupied ^= mv.to().forward(!us).into();
    }
    let promoted = mv.promotion_to().map_or(0, |kind| see_value(kind) - 100);
    let on_square = see_value(mv.promotion_to().unwrap_or(mv.piece().kind()));
    let reply = exchange(board, mv.to(), !us, on_square, occupied);
    mv.captured().map_or(0, see_value) + promoted - reply
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn boards_stay_valid_and_keys_match(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 400, |board| {
            assert_eq!(board.key(), board.key_from_scratch(), "{}", board.to_fen());
            assert_eq!(board.validate(), Ok(()), "{}", board.to_fen());
        });
    }

    #[test]
    fn fen_round_trips(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 400, |board| {
            for fen in [board.to_fen(), board.to_shredder_fen()] {
                let again = Board::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
                assert_eq!(&again, board, "{fen}");
            }
            assert_eq!(&Setup::from(board).build().unwrap(), board);
        });
    }

    #[test]
    fn noisy_and_quiet_moves_partition_all_moves(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 400, |board| {
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            board.generate(GenType::Noisy, &mut noisy);
            board.generate(GenType::Quiet, &mut quiet);
            assert!(noisy.iter().all(|mv| mv.is_noisy()), "{}", board.to_fen());
            assert!(quiet.iter().all(|mv| !mv.is_noisy()), "{}", board.to_fen());
            let all = board.legal_moves();
            let parts = [noisy.as_slice(), quiet.as_slice()].concat();
            assert_eq!(sorted(&parts), sorted(&all), "{}", board.to_fen());
            assert_eq!(board.count_legal_moves() as usize, all.len(), "{}", board.to_fen());
        });
    }

    #[test]
    fn gives_check_matches_the_board_after(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 400, |board| {
            let checks = board.checks();
            for &mv in &board.legal_moves() {
                let in_check = board.after(mv).in_check();
                assert_eq!(board.gives_check(mv), in_check, "{mv:?} in {}", board.to_fen());
                assert_eq!(checks.given_by(board, mv), in_check, "{mv:?} in {}", board.to_fen());
            }
        });
    }

    #[test]
    fn likely_key_matches_unless_rights_change(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 400, |board| {
            for &mv in &board.legal_moves() {
                let after = board.after(mv);
                let rights = |board: &Board| (board.castling(), board.en_passant());
                let rare = mv.is_castling() || mv.is_promotion() || mv.is_en_passant();
                if !rare && rights(board) == rights(&after) {
                    let likely = board.prefetch_key(mv);
                    assert_eq!(likely, after.key(), "{mv:?} in {}", board.to_fen());
                }
            }
        });
    }

    #[test]
    fn see_matches_the_recursive_definition(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 200, |board| {
            for &mv in &board.legal_moves() {
                let value = exchange_of_move(board, mv);
                for threshold in [value - 1, value, value + 1, -100, 0, 100] {
                    assert_eq!(
                        board.see_at_least(mv, threshold),
                        value >= threshold,
                        "{mv:?} worth {value} against {threshold} in {}",
                        board.to_fen()
                    );
                }
            }
        });
    }

    #[test]
    fn arbitrary_words_are_legal_only_if_generated(start in 0..STARTS.len(), seed: u64, words: [u32; 32]) {
        random_game(start, seed, 120, |board| {
            let moves = board.legal_moves();
            for word in words {
                if let Some(mv) = Move::from_bits(word & 0x0fff_ffff) {
                    assert_eq!(board.is_legal(mv), moves.contains(&mv), "{mv:?} in {}", board.to_fen());
                }
                // A legal move with one bit changed is the likeliest to slip through.
                if let Some(mv) = moves.get(word as usize % moves.len().max(1))
                    && let Some(near) = Move::from_bits(mv.bits() ^ 1 << (word >> 27))
                {
                    let generated = moves.contains(&near);
                    assert_eq!(board.is_legal(near), generated, "{near:?} in {}", board.to_fen());
                }
            }
        });
    }

    #[test]
    fn arbitrary_text_never_panics_the_fen_parser(text: String) {
        let _ = Board::from_fen(&text);
        let _ = text.parse::<UciMove>();
    }

    #[test]
    fn arbitrary_bytes_never_panic_the_fen_parser(bytes: Vec<u8>) {
        let _ = Board::from_fen(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_fens_never_panic_or_give_an_invalid_board(
        start in 0..STARTS.len(),
        seed: u64,
        place in 0..100_usize,
        letter in "[ -~]",
    ) {
        random_game(start, seed, 30, |board| {
            let mut fen = board.to_fen();
            let place = place % fen.len();
            fen.replace_range(place..=place, &letter);
            if let Ok(board) = Board::from_fen(&fen) {
                assert_eq!(board.validate(), Ok(()), "{fen}");
                assert_eq!(board.key(), board.key_from_scratch(), "{fen}");
                assert_eq!(Board::from_fen(&board.to_fen()).as_ref(), Ok(&board), "{fen}");
                assert_eq!(board.legal_moves().len(), board.count_legal_moves() as usize);
            }
        });
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn generator_and_play_match_the_slow_rules(start in 0..STARTS.len(), seed: u64) {
        random_game(start, seed, 200, |board| {
            let slow: BTreeMap<String, SlowBoard> =
                SlowBoard::new(&board.to_shredder_fen()).legal_moves().into_iter().collect();
            let fast: BTreeMap<String, Move> = board
                .legal_moves()
                .iter()
                .map(|&mv| (UciMove::new(mv, CastlingStyle::KingTakesRook).to_string(), mv))
                .collect();
            assert!(slow.keys().eq(fast.keys()), "{}", board.to_fen());
            for (text, mv) in fast {
                let after = board.after(mv).to_shredder_fen();
                let fields: Vec<&str> = after.split(' ').take(4).collect();
                assert_eq!(fields.join(" "), slow[&text].to_fields(), "{text} in {}", board.to_fen());
            }
        });
    }

    #[test]
    fn legality_test_matches_the_generator(
        start in 0..STARTS.len(),
        seed: u64,
    ) {
        random_game(start, seed, 200, |board| {
            let moves = board.legal_moves();
            let mut found = Vec::new();
            let promotions = std::iter::once(None).chain(PieceType::ALL.map(Some));
            for promotion in promotions {
                for from in Square::all() {
                    found.extend(
                        Square::all().filter_map(|to| board.find_legal(from, to, promotion)),
                    );
                }
            }
            assert_eq!(sorted(&found), sorted(&moves), "{}", board.to_fen());
            assert!(moves.iter().all(|&mv| board.is_legal(mv)), "{}", board.to_fen());
        });
    }
}
