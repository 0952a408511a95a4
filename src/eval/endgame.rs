//! Knowledge that no sum of features holds: how to win when far ahead, and when a lead is no win.

use super::context::distance;
use super::kpk;
use crate::board::Board;
use crate::types::{Bitboard, Color, PieceType, Square};

/// The scale of an endgame that is won or lost like any other.
pub const FULL_SCALE: i32 = 64;

/// Material in pawns, by kind: enough to tell who is ahead.
const PAWNS_WORTH: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// A lead of this many pawns' worth is to be turned into mate by driving the king.
const DECISIVE_LEAD: i32 = 2;

fn worth(board: &Board, color: Color) -> i32 {
    PieceType::ALL
        .into_iter()
        .map(|kind| PAWNS_WORTH[kind.index()] * board.pieces(color, kind).len() as i32)
        .sum()
}

/// Above this, a lead is a win and only its conversion counts.
const KNOWN_WIN: i32 = 600;

/// The whole evaluation of an endgame that is understood without looking at its features, from
/// White's point of view.
pub(super) fn known(board: &Board) -> Option<i32> {
    king_and_pawn(board).or_else(|| lone_king(board))
}

/// King and pawn against king. A win is worth less than any that has promoted, and more the
/// further the pawn has come, so that the search goes on.
fn king_and_pawn(board: &Board) -> Option<i32> {
    if board.occupied().len() != 3 {
        return None;
    }
    let pawn = board.kind(PieceType::Pawn).first()?;
    let strong = if board.color(Color::White).has(pawn) { Color::White } else { Color::Black };
    if !kpk::is_win(board, strong, pawn) {
        return Some(0);
    }
    let value = KNOWN_WIN + 100 + 20 * pawn.relative_to(strong).rank().index() as i32;
    Some(if strong == Color::White { value } else { -value })
}

/// A lone king against pieces that can mate it. Nothing else counts but driving the king to the
/// edge (with bishop and knight, to a corner of the bishop's colour) and bringing the own king
/// close.
fn lone_king(board: &Board) -> Option<i32> {
    if board.kind(PieceType::Pawn).any() {
        return None;
    }
    let strong = Color::ALL.into_iter().find(|&color| !board.has_pieces(!color))?;
    if !can_mate(board, strong) {
        return None;
    }
    let (near, driven) = (board.king(strong), board.king(!strong));
    let edge = if is_bishop_and_knight(board, strong) {
        let dark = board.pieces(strong, PieceType::Bishop).meets(Bitboard::DARK);
        60 * (7 - corner_distance(driven, dark))
    } else {
        20 * center_distance(driven)
    };
    let value = KNOWN_WIN + 100 * worth(board, strong) + edge + closeness(near, driven);
    Some(if strong == Color::White { value } else { -value })
}

fn closeness(near: Square, driven: Square) -> i32 {
    12 * (7 - distance(near, driven) as i32)
}

/// A queen, a rook, bishops on both colours, bishop and knight, or three knights.
fn can_mate(board: &Board, strong: Color) -> bool {
    let count = |kind| board.pieces(strong, kind).len();
    let bishops = board.pieces(strong, PieceType::Bishop);
    let both_colors = bishops.meets(Bitboard::DARK) && bishops.meets(!Bitboard::DARK);
    count(PieceType::Queen) + count(PieceType::Rook) > 0
        || both_colors
        || bishops.any() && count(PieceType::Knight) > 0
        || count(PieceType::Knight) > 2
}

fn is_bishop_and_knight(board: &Board, strong: Color) -> bool {
    board.color(strong).len() == 3
        && board.pieces(strong, PieceType::Bishop).any()
        && board.pieces(strong, PieceType::Knight).any()
}

/// In an endgame without pawns where both sides have pieces, the side that is far ahead drives the
/// enemy king to the edge and brings its own king close. From White's point of view.
pub(super) fn mop_up(board: &Board) -> i32 {
    if board.kind(PieceType::Pawn).any() {
        return 0;
    }
    let lead = worth(board, Color::White) - worth(board, Color::Black);
    if lead.abs() < DECISIVE_LEAD {
        return 0;
    }
    let strong = if lead > 0 { Color::White } else { Color::Black };
    let (near, driven) = (board.king(strong), board.king(!strong));
    let bonus = 10 * center_distance(driven) + closeness(near, driven) / 2;
    if strong == Color::White { bonus } else { -bonus }
}

/// Steps of file and rank from the four squares in the middle: 0 to 6.
fn center_distance(square: Square) -> i32 {
    let from_middle = |index: usize| (index as i32 * 2 - 7).abs() / 2;
    from_middle(square.file().index()) + from_middle(square.rank().index())
}

/// Steps to the nearer corner of a colour, dark (a1, h8) or light: 0 to 7.
fn corner_distance(square: Square, dark: bool) -> i32 {
    let file = square.file().index() as i32;
    let file = if dark { file } else { 7 - file };
    7 - (7 - file - square.rank().index() as i32).abs()
}

/// How much of an endgame advantage counts, out of [`FULL_SCALE`].
pub(super) fn scale(board: &Board, endgame: i32) -> i32 {
    let strong = if endgame > 0 { Color::White } else { Color::Black };
    if board.pieces(strong, PieceType::Pawn).is_empty() {
        // Without pawns, a lead of less than a rook does not win.
        let lead = worth(board, strong) - worth(board, !strong);
        if lead <= 3
            || board.pieces(strong, PieceType::Knight).len() == 2 && worth(board, strong) == 6
        {
            return 8;
        }
    } else if opposite_bishops(board) {
        return 36;
    }
    FULL_SCALE
}

/// One bishop each, on squares of different colours, and no other pieces.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.kind(PieceType::Bishop);
    let others =
        board.kind(PieceType::Knight) | board.kind(PieceType::Rook) | board.kind(PieceType::Queen);
    others.is_empty()
        && Color::ALL.into_iter().all(|color| board.pieces(color, PieceType::Bishop).len() == 1)
        && (bishops & Bitboard::DARK).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    fn flipped(board: &Board) -> Board {
        Setup::from(board).flipped().build().unwrap()
    }

    #[test]
    fn king_and_pawn_is_won_or_drawn_and_a_win_makes_progress() {
        let value = |fen| {
            let board = board(fen);
            let value = known(&board).unwrap();
            assert_eq!(known(&flipped(&board)), Some(-value), "{fen}");
            value
        };
        assert_eq!(value("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"), 0);
        assert_eq!(value("k7/8/K7/P7/8/8/8/8 w - - 0 1"), 0);
        let behind = value("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1");
        let ahead = value("3k4/8/3K4/3P4/8/8/8/8 w - - 0 1");
        let almost = value("2k5/3P4/3K4/8/8/8/8/8 b - - 0 1");
        let promoted = value("3R4/1k6/3K4/8/8/8/8/8 w - - 0 1");
        assert!(KNOWN_WIN < behind && behind < ahead && ahead < almost && almost < promoted);
        assert_eq!(known(&board("3k4/3p4/8/8/8/8/3P4/3K4 w - - 0 1")), None);
    }
}
