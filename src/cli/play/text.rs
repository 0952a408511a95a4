//! Texts shown during a game: moves, history and scores.

use std::fmt::Write;

use crate::board::{Board, Game};
use crate::cli::play::ending::name;
use crate::notation::San;
use crate::types::{Color, Move, Score, Square};

/// Formats a move with its number: `12. Nf3` or `12... Nf6`.
pub(crate) fn numbered(board: &Board, mv: Move) -> String {
    let points = if board.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{points} {}", board.fullmove_number(), San::new(board, mv))
}

/// Lists the legal moves in SAN, of all pieces or of the one on `from`.
pub(crate) fn legal_moves(board: &Board, from: Option<Square>) -> String {
    let mut moves: Vec<String> = board
        .legal_moves()
        .iter()
        .filter(|mv| from.is_none_or(|square| mv.from() == square))
        .map(|&mv| San::new(board, mv).to_string())
        .collect();
    moves.sort();
    if moves.is_empty() { "no legal moves".to_owned() } else { moves.join(" ") }
}

/// Lists the moves so far, one line per move number.
pub(crate) fn history(game: &Game) -> String {
    if game.moves().is_empty() {
        return "no moves yet".to_owned();
    }
    let mut text = String::new();
    for (board, &mv) in game.positions().iter().zip(game.moves()) {
        let san = San::new(board, mv).to_string();
        let number = board.fullmove_number();
        // Writing to a string does not fail.
        let _ = match board.side_to_move() {
            Color::White => write!(text, "\n{number:>3}. {san:<8}"),
            Color::Black if text.is_empty() => write!(text, "{number:>3}. {:<8}{san}", "..."),
            Color::Black => write!(text, "{san}"),
        };
    }
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Formats a score of `side`, the side to move: a mate, or pawns from White's point of view.
pub(crate) fn score_text(score: Score, side: Color) -> String {
    match score.mate_distance() {
        Some(moves) if moves > 0 => format!("{} mates in {moves}", name(side)),
        Some(moves) => format!("{} mates in {}", name(!side), -moves),
        None => {
            let score = if side == Color::White { score } else { -score };
            format!("{:+.2}", f64::from(score.centipawns()) / 100.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_of_a_game_that_black_begins() {
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let mut game = Game::new(Board::from_fen(start).unwrap());
        assert_eq!(history(&game), "no moves yet");
        for san in ["e5", "Nf3", "Nc6"] {
            let mv = san.parse::<San>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
        assert_eq!(history(&game), "  1. ...     e5\n  2. Nf3     Nc6");
        assert_eq!(numbered(&game.positions()[2], game.moves()[2]), "2... Nc6");
        assert_eq!(legal_moves(game.board(), Some(Square::F1)), "Ba6 Bb5 Bc4 Bd3 Be2");
        assert_eq!(legal_moves(game.board(), Some(Square::F2)), "no legal moves");
    }

    #[test]
    fn scores_are_from_whites_side() {
        assert_eq!(score_text(Score::mate_in(3), Color::Black), "Black mates in 2");
        let one = Score::cp(100);
        assert_eq!(score_text(one, Color::White), "+1.00");
        assert_eq!(score_text(one, Color::Black), "-1.00");
    }
}
