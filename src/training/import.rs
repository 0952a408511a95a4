//! Games and positions with scores from other programs, turned into scored games. Start at
//! [`from_pgn`] and [`from_line`].

use std::fmt;

use thiserror::Error;

use crate::board::Board;
use crate::notation::{Epd, EpdError, PgnGame, PgnResult, Ply, UciMove};
use crate::training::format::{GameResult, ScoredGame};
use crate::types::{Color, Move, Score};

/// Why a game or position is not imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skipped {
    /// The result is missing or unknown.
    NoResult,
    /// No move, or the position, has a score.
    NoScore,
    /// The game is over in this position.
    NoMove,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoResult => "no result",
            Self::NoScore => "no scores",
            Self::NoMove => "no legal move",
        })
    }
}

/// Why a line is not a scored position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LineError {
    /// It is not EPD.
    #[error("{0}")]
    Epd(#[from] EpdError),
    /// The operation `ce`, or the second field, is not a number.
    #[error("expected a score in centipawns, found {0:?}")]
    Score(String),
    /// The operation `c9`, or the third field, is not a result.
    #[error("expected a result (1-0, 1/2-1/2, 0-1, or White's points), found {0:?}")]
    Result(String),
}

/// Converts a PGN game whose comments have scores: `+0.35/12 0.4s` as fastchess and Cute Chess
/// write it, for the side that moved, or `[%eval 0.35]`, for White. The moves before the last one
/// without a score, usually those of a book, are left out; the game then starts after them.
///
/// # Errors
/// If the result is unknown or the last move has no score.
pub fn from_pgn(game: &PgnGame) -> Result<ScoredGame, Skipped> {
    let result = match game.result {
        PgnResult::Won(Color::White) => GameResult::WhiteWon,
        PgnResult::Won(Color::Black) => GameResult::BlackWon,
        PgnResult::Drawn => GameResult::Drawn,
        PgnResult::Unknown => return Err(Skipped::NoResult),
    };
    let mut scored = ScoredGame { start: game.start, plies: Vec::new(), result };
    let mut board = game.start;
    for ply in &game.line.plies {
        let side = board.side_to_move();
        board.play_unchecked(ply.mv);
        match white_score(ply, side) {
            Some(score) => scored.plies.push((ply.mv, score)),
            None => scored = ScoredGame { start: board, plies: Vec::new(), result },
        }
    }
    if scored.plies.is_empty() { Err(Skipped::NoScore) } else { Ok(scored) }
}

/// Returns White's score in the comment of `ply`.
fn white_score(ply: &Ply, side: Color) -> Option<i16> {
    if let Some((_, rest)) = ply.comment.split_once("[%eval ") {
        let text = rest.split([']', ',']).next()?.trim();
        // Mate in so many moves is written `#5` or `#-5`.
        return match text.strip_prefix('#') {
            Some(moves) => mate(moves.parse().ok()?),
            None => pawns(text),
        };
    }
    let (score, depth) = ply.comment.split_ascii_whitespace().next()?.split_once('/')?;
    depth.parse::<u32>().ok()?;
    let score = match score.split_once('M') {
        Some((sign, moves)) => {
            let moves: i32 = moves.parse().ok()?;
            mate(if sign == "-" { -moves } else { moves })?
        }
        None => pawns(score)?,
    };
    Some(if side == Color::White { score } else { -score })
}

fn pawns(text: &str) -> Option<i16> {
    let centipawns = text.parse::<f64>().ok().filter(|it| it.is_finite())? * 100.0;
    Some(Score::cp(centipawns.round() as i32).value() as i16)
}

/// Returns the score of a mate in `moves` moves, negative for the opponent.
fn mate(moves: i32) -> Option<i16> {
    let plies = (moves.unsigned_abs() as usize).checked_mul(2)?.min(crate::types::MAX_PLY - 1);
    let score = Score::mate_in(plies).value() as i16;
    Some(if moves < 0 { -score } else { score })
}

/// Converts a line of text to a game of one ply: EPD with the score `ce` in centipawns for the side
/// to move, the result `c9` and optionally the best move `pv` or `bm` in coordinates, or
/// `FEN | score | result`, both for White.
///
/// # Errors
/// The outer error is a malformed line, the inner one a position without score or result.
pub fn from_line(line: &str) -> Result<Result<ScoredGame, Skipped>, LineError> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let (board, white, result, best) = if let [fen, score, result] = columns[..] {
        let board = Epd::parse(fen)?.board;
        (board, centipawns(score)?, points(result)?, None)
    } else {
        let epd = Epd::parse(line)?;
        let Some(score) = epd.operand("ce") else { return Ok(Err(Skipped::NoScore)) };
        let Some(result) = epd.operand("c9") else { return Ok(Err(Skipped::NoResult)) };
        let score = centipawns(score)?;
        let white = if epd.board.side_to_move() == Color::White { score } else { -score };
        let named = epd.operand("pv").or(epd.operand("bm"));
        let best = named.and_then(|text| text.parse::<UciMove>().ok()?.to_move(&epd.board).ok());
        (epd.board, white, points(result)?, best)
    };
    let Some(mv) = best.or_else(|| some_quiet_move(&board)) else {
        return Ok(Err(Skipped::NoMove));
    };
    Ok(Ok(ScoredGame { start: board, plies: vec![(mv, white)], result }))
}

fn centipawns(text: &str) -> Result<i16, LineError> {
    let number: f64 = text.parse().map_err(|_| LineError::Score(text.to_owned()))?;
    Ok(Score::cp(number.round() as i32).value() as i16)
}

fn points(text: &str) -> Result<GameResult, LineError> {
    match text {
        "1-0" | "1" | "1.0" => Ok(GameResult::WhiteWon),
        "1/2-1/2" | "0.5" => Ok(GameResult::Drawn),
        "0-1" | "0" | "0.0" => Ok(GameResult::BlackWon),
        _ => Err(LineError::Result(text.to_owned())),
    }
}

/// Returns a quiet move, or any other if there is none: a position without its best move counts as
/// quiet.
fn some_quiet_move(board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    moves.iter().find(|mv| !mv.is_noisy()).or(moves.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::PgnReader;

    fn pgn(text: &str) -> Result<ScoredGame, Skipped> {
        from_pgn(&PgnReader::new(text.as_bytes()).next().unwrap().unwrap())
    }

    #[test]
    fn scores_of_match_programs_are_for_the_mover() {
        let game = pgn("[Event \"x\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.35/12 0.412s} Nc6 \
             {+0.10/11 0.3s, Black is fine} 3. Bb5 {+M5/20 0.1s} a6 {-M4/18 0.1s} 1-0")
        .unwrap();
        assert_eq!(game.result, GameResult::WhiteWon);
        assert_eq!(game.start.fullmove_number(), 2);
        let scores: Vec<i16> = game.plies.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [35, -10, 31_990, 31_992]);
    }

    #[test]
    fn eval_commands_are_for_white() {
        let game = pgn("[Event \"x\"]\n\n1. e4 {[%eval 0.17,20] [%clk 0:01]} e5 {[%eval -0.5]} \
             2. Ke2 {[%eval #-3]} 0-1")
        .unwrap();
        let scores: Vec<i16> = game.plies.iter().map(|&(_, score)| score).collect();
        assert_eq!((game.result, scores), (GameResult::BlackWon, vec![17, -50, -31_994]));
    }

    #[test]
    fn games_without_result_or_scores_are_skipped() {
        assert_eq!(pgn("[Event \"x\"]\n\n1. e4 {+0.35/12 0.4s} *"), Err(Skipped::NoResult));
        assert_eq!(pgn("[Event \"x\"]\n\n1. e4 {+0.3/12} e5 1-0"), Err(Skipped::NoScore));
    }

    #[test]
    fn lines_are_positions_with_a_score() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - -";
        let game = from_line(&format!("{fen} ce -80; c9 \"1-0\"; pv e8d7;")).unwrap().unwrap();
        assert_eq!((game.plies[0].1, game.result), (80, GameResult::WhiteWon));
        assert_eq!(game.plies[0].0.to().to_string(), "d7");
        let other = from_line(&format!("{fen} 0 1 | 80 | 1.0")).unwrap().unwrap();
        assert_eq!((other.start, other.plies[0].1), (game.start, 80));
        assert_eq!(from_line(&format!("{fen} ce 3;")), Ok(Err(Skipped::NoResult)));
        assert_eq!(from_line(&format!("{fen} id \"a\";")), Ok(Err(Skipped::NoScore)));
        let mistake = |text: &str| from_line(text).unwrap_err().to_string();
        assert!(mistake(&format!("{fen} 0 1 | x | 1.0")).contains("a score in centipawns"));
        assert!(mistake(&format!("{fen} 0 1 | 5 | 2")).contains("expected a result"));
        assert!(mistake("nonsense").contains("FEN"));
    }
}
