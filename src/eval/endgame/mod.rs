//! Endgame knowledge on top of an evaluation: known results, mop-up evaluation and scale factors.
//! Start at [`with_knowledge`].

pub(crate) mod kpk;
pub(crate) mod scale;

use crate::board::Board;
use crate::types::{Bitboard, Color, PieceType, Score, Square};
use scale::{FULL_SCALE, without_pawns};

/// Piece values in pawns, by piece type: enough to tell which side is ahead.
const PAWNS_WORTH: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// Material lead, in pawns, from which [`mop_up`] applies.
const DECISIVE_LEAD: i32 = 2;

pub(crate) fn worth(board: &Board, color: Color) -> i32 {
    PieceType::ALL
        .into_iter()
        .map(|kind| PAWNS_WORTH[kind.index()] * board.pieces(color, kind).len() as i32)
        .sum()
}

/// Returns `worth` without pawns, which hardly defend against a piece.
pub(crate) fn worth_of_pieces(board: &Board, color: Color) -> i32 {
    let pawns = board.pieces(color, PieceType::Pawn).len() as i32;
    worth(board, color) - PAWNS_WORTH[PieceType::Pawn.index()] * pawns
}

/// Returns the score of `board` for the side to move: that of a known endgame, otherwise `score`,
/// which is in centipawns for White, plus the mop-up bonus.
#[inline]
pub(crate) fn with_knowledge(board: &Board, score: impl FnOnce() -> i32) -> Score {
    let white = known(board).unwrap_or_else(|| score() + mop_up(board));
    Score::cp(if board.side_to_move() == Color::White { white } else { -white })
}

/// Base score of a known win, in centipawns. Material and progress towards mate are added to it.
const KNOWN_WIN: i32 = 600;

/// Returns the score of an endgame that is known without counting features, in centipawns for
/// White.
pub(crate) fn known(board: &Board) -> Option<i32> {
    if board.kind(PieceType::Pawn).any() {
        king_and_pawn(board)
    } else if Color::ALL.into_iter().any(|color| can_mate(board, color)) {
        lone_king(board)
    } else {
        Some(0)
    }
}

/// KPK: looks the result up in the bitbase. A win scores less than any position after promotion,
/// and more the further the pawn has advanced, so the search makes progress.
fn king_and_pawn(board: &Board) -> Option<i32> {
    if board.occupied().len() != 3 {
        return None;
    }
    let pawn = board.kind(PieceType::Pawn).first()?;
    let strong = if board.color(Color::White).contains(pawn) { Color::White } else { Color::Black };
    if !kpk::is_win(board, strong, pawn) {
        return Some(0);
    }
    let value = KNOWN_WIN + 100 + 20 * pawn.relative_to(strong).rank().index() as i32;
    Some(if strong == Color::White { value } else { -value })
}

/// Lone king against mating material. Besides the material, the score rewards driving the king to
/// the edge (with bishop and knight, to a corner of the bishop's colour) and bringing the
/// attacking king close.
fn lone_king(board: &Board) -> Option<i32> {
    let strong = Color::ALL.into_iter().find(|&color| !board.has_pieces(!color))?;
    let (near, driven) = (board.king(strong), board.king(!strong));
    let edge = if is_bishop_and_knight(board, strong) {
        let dark = board.pieces(strong, PieceType::Bishop).intersects(Bitboard::DARK);
        60 * (7 - corner_distance(driven, dark))
    } else {
        20 * center_distance(driven)
    };
    let value = KNOWN_WIN + 100 * worth(board, strong) + edge + closeness(near, driven);
    Some(if strong == Color::White { value } else { -value })
}

fn closeness(near: Square, driven: Square) -> i32 {
    12 * (7 - near.distance(driven) as i32)
}

/// Returns whether `strong` has mating material: a queen, a rook, bishops on both colours, bishop
/// and knight, or three knights.
pub(crate) fn can_mate(board: &Board, strong: Color) -> bool {
    let count = |kind| board.pieces(strong, kind).len();
    let bishops = board.pieces(strong, PieceType::Bishop);
    let both_colors = bishops.intersects(Bitboard::DARK) && bishops.intersects(!Bitboard::DARK);
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

/// Mop-up evaluation: without pawns, the side that is clearly ahead is rewarded for driving the
/// enemy king to the edge and bringing its own king close. The bonus is scaled down where the lead
/// hardly ever wins, as with rook and bishop against rook. [`known`] takes precedence against a
/// lone king. Returns centipawns for White.
pub(crate) fn mop_up(board: &Board) -> i32 {
    if board.kind(PieceType::Pawn).any() {
        return 0;
    }
    let lead = worth(board, Color::White) - worth(board, Color::Black);
    if lead.abs() < DECISIVE_LEAD {
        return 0;
    }
    let strong = if lead > 0 { Color::White } else { Color::Black };
    let (near, driven) = (board.king(strong), board.king(!strong));
    let full = 10 * center_distance(driven) + closeness(near, driven) / 2;
    let bonus = full * without_pawns(board, strong).unwrap_or(FULL_SCALE) / FULL_SCALE;
    if strong == Color::White { bonus } else { -bonus }
}

/// Returns the Manhattan distance to the nearest of the four centre squares: 0 to 6.
fn center_distance(square: Square) -> i32 {
    let from_middle = |index: usize| (index as i32 * 2 - 7).abs() / 2;
    from_middle(square.file().index()) + from_middle(square.rank().index())
}

/// Returns the Manhattan distance to the nearer corner of one colour, dark (a1, h8) or light (h1,
/// a8): 0 to 7.
fn corner_distance(square: Square, dark: bool) -> i32 {
    let file = square.file().index() as i32;
    let file = if dark { file } else { 7 - file };
    7 - (7 - file - square.rank().index() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::{board, flipped};

    #[test]
    fn kpk_is_won_or_drawn_and_wins_make_progress() {
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

    #[test]
    fn insufficient_mating_material_draws() {
        for fen in [
            "4k3/8/8/8/8/8/NN6/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/B1B5/4K3 w - - 0 1",
            "4k1n1/8/8/8/8/8/8/2B1K3 w - - 0 1",
            "4k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
        ] {
            assert_eq!(known(&board(fen)), Some(0), "{fen}");
            assert_eq!(known(&flipped(&board(fen))), Some(0), "{fen}");
        }
        assert_eq!(known(&board("4k1n1/8/8/8/8/8/8/1NB1K3 w - - 0 1")), None);
    }

    /// Returns whether `term` scores `first` higher than `second` for White. Checks that both
    /// scores are negated with colours flipped.
    fn better(term: fn(&Board) -> i32, first: &str, second: &str) -> bool {
        let (first, second) = (board(first), board(second));
        for board in [&first, &second] {
            assert_eq!(term(&flipped(board)), -term(board), "{}", board.to_fen());
        }
        term(&first) > term(&second)
    }

    #[test]
    fn lone_king_is_driven_to_the_edge() {
        let value = |board: &Board| known(board).unwrap();
        let edge = "8/8/8/k1K5/8/8/8/7R w - - 0 1";
        let center = "8/8/8/3k1K2/8/8/8/7R w - - 0 1";
        let far = "8/8/8/k3K3/8/8/8/7R w - - 0 1";
        assert!(better(value, edge, center));
        assert!(better(value, edge, far));
        assert_eq!(known(&board("4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1")), None);
        assert_eq!(known(&board("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1")), None);
    }

    #[test]
    fn bishop_and_knight_drive_king_to_corner_of_bishops_colour() {
        let value = |board: &Board| known(board).unwrap();
        // The bishop is on a dark square: a1 and h8 are right, a8 and h1 wrong.
        let right = ["7k/8/5K2/8/8/4BN2/8/8 w - - 0 1", "8/8/8/8/8/2K1BN2/8/k7 w - - 0 1"];
        let wrong = ["k7/8/2K5/8/8/4BN2/8/8 w - - 0 1", "8/8/8/8/8/4BK2/4N3/7k w - - 0 1"];
        let between = "3k4/8/3K4/8/8/4BN2/8/8 w - - 0 1";
        for (right, wrong) in right.into_iter().zip(wrong) {
            assert!(better(value, right, between) && better(value, between, wrong));
        }
    }

    #[test]
    fn mop_up_drives_losing_king_to_the_edge() {
        let edge = "8/8/8/k1K5/8/8/n7/7R w - - 0 1";
        let center = "8/8/8/3k1K2/8/8/n7/7R w - - 0 1";
        let far = "8/8/8/k4K2/8/8/n7/7R w - - 0 1";
        assert!(better(mop_up, edge, center));
        assert!(better(mop_up, edge, far));
        // A queen against a rook wins; a rook against a knight hardly ever does.
        assert!(mop_up(&board("8/8/8/k1K5/8/8/r7/7Q w - - 0 1")) > 40);
        for drawn in [edge, "3k4/R7/3B4/3K4/7r/8/8/8 w - - 42 70"] {
            assert!(mop_up(&board(drawn)) < 15, "{drawn}");
        }
        // Neither with pawns nor with a lead of less than two pawns.
        assert_eq!(mop_up(&board("8/7p/8/k1K5/8/8/n7/7R w - - 0 1")), 0);
        assert_eq!(mop_up(&board("8/8/8/k1K5/8/8/n7/7B w - - 0 1")), 0);
    }
}
