//! Knowledge that no sum of features holds: how to win when far ahead, and when a lead is no win.

use super::context::distance;
use super::kpk;
use super::pawns::passed_pawns;
use crate::board::Board;
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square};

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

/// The same without pawns, which hardly defend against a piece.
fn worth_of_pieces(board: &Board, color: Color) -> i32 {
    let pawns = board.pieces(color, PieceType::Pawn).len() as i32;
    worth(board, color) - PAWNS_WORTH[PieceType::Pawn.index()] * pawns
}

/// Above this, a lead is a win and only its conversion counts.
const KNOWN_WIN: i32 = 600;

/// The whole evaluation of an endgame that is understood without looking at its features, from
/// White's point of view.
pub(super) fn known(board: &Board) -> Option<i32> {
    if board.kind(PieceType::Pawn).any() {
        king_and_pawn(board)
    } else if Color::ALL.into_iter().any(|color| can_mate(board, color)) {
        lone_king(board)
    } else {
        Some(0)
    }
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
    let strong = Color::ALL.into_iter().find(|&color| !board.has_pieces(!color))?;
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
/// enemy king to the edge and brings its own king close. Where the lead hardly ever wins, as with
/// rook and bishop against rook, that hardly counts. From White's point of view.
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
    let full = 10 * center_distance(driven) + closeness(near, driven) / 2;
    let bonus = full * without_pawns(board, strong).unwrap_or(FULL_SCALE) / FULL_SCALE;
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
    if endgame == 0 {
        return FULL_SCALE; // no side is ahead
    }
    let strong = if endgame > 0 { Color::White } else { Color::Black };
    without_pawns(board, strong)
        .or_else(|| corner_fortress(board, strong))
        .or_else(|| opposite_bishops(board, strong))
        .or_else(|| rook_ending(board, strong))
        .unwrap_or_else(|| with_pawns(board, strong))
}

/// The fewer pawns are left to promote, the harder it is to win (as Stockfish has it).
fn with_pawns(board: &Board, strong: Color) -> i32 {
    let pawns = board.pieces(strong, PieceType::Pawn).len() as i32;
    (36 + 7 * pawns).min(FULL_SCALE)
}

/// Drawn but for a blunder.
pub(super) const NEARLY_DRAWN: i32 = 8;

/// Without pawns, what cannot mate wins nothing, and a lead in pieces of less than a rook does not
/// win. Two
/// knights win now and then, against a pawn that is stopped far enough back.
fn without_pawns(board: &Board, strong: Color) -> Option<i32> {
    if board.pieces(strong, PieceType::Pawn).any() {
        return None;
    }
    let two_knights = board.pieces(strong, PieceType::Knight).has_many();
    Some(if !can_mate(board, strong) {
        if two_knights { NEARLY_DRAWN } else { 0 }
    } else if worth(board, strong) - worth_of_pieces(board, !strong) <= 3 {
        NEARLY_DRAWN
    } else {
        FULL_SCALE
    })
}

/// All pawns on one rook file, and no pieces but bishops that never attack the square where they
/// promote: a king that has reached this corner is never driven out. Against a bare king the
/// Syzygy tables know no exception; other pieces of its own can take its moves away.
fn corner_fortress(board: &Board, strong: Color) -> Option<i32> {
    let pawns = board.pieces(strong, PieceType::Pawn);
    let file = [File::A, File::H].into_iter().find(|&file| pawns.is_within(file.into()))?;
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let of_corner = if Bitboard::DARK.has(corner) { Bitboard::DARK } else { !Bitboard::DARK };
    let harmless = pawns
        | board.pieces(strong, PieceType::King)
        | board.pieces(strong, PieceType::Bishop) - of_corner;
    if board.color(strong) != harmless || distance(board.king(!strong), corner) > 1 {
        return None;
    }
    let is_bare = board.color(!strong).len() == 1;
    Some(if is_bare { 0 } else { NEARLY_DRAWN })
}

/// One bishop each, on squares of different colours: what the one attacks, the other cannot
/// defend. Alone, they draw even two pawns down, unless passed pawns overburden the defender.
fn opposite_bishops(board: &Board, strong: Color) -> Option<i32> {
    let bishops = board.kind(PieceType::Bishop);
    if bishops.len() != 2
        || (bishops & Bitboard::DARK).len() != 1
        || (bishops & board.color(strong)).len() != 1
    {
        return None;
    }
    if (board.kind(PieceType::Knight) | board.orthogonal_sliders()).any() {
        return Some(54);
    }
    let own = board.pieces(strong, PieceType::Pawn);
    let enemy = board.pieces(!strong, PieceType::Pawn);
    if own.len() == 1 && enemy.is_empty() {
        // The bishop gives itself up for the pawn, if it does not stop it anyway.
        return Some(NEARLY_DRAWN);
    }
    let passed = passed_pawns(strong, own, enemy).len() as i32
        - passed_pawns(!strong, enemy, own).len() as i32;
    let lead = passed.max(pawn_lead(board, strong));
    Some(16 + 12 * lead.clamp(0, 4))
}

/// One rook each and no other pieces: a pawn more is often not enough if there is but one flank to
/// defend.
fn rook_ending(board: &Board, strong: Color) -> Option<i32> {
    const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    let rooks = board.kind(PieceType::Rook);
    let pawns = board.kind(PieceType::Pawn);
    let is_rook_ending = rooks.len() == 2
        && (rooks & board.color(strong)).len() == 1
        && board.occupied() == rooks | pawns | board.kind(PieceType::King);
    let one_flank = || pawns.is_within(QUEENSIDE) || !pawns.meets(QUEENSIDE);
    (is_rook_ending && one_flank() && pawn_lead(board, strong) <= 1).then_some(44)
}

fn pawn_lead(board: &Board, strong: Color) -> i32 {
    let count = |color| board.pieces(color, PieceType::Pawn).len() as i32;
    count(strong) - count(!strong)
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

    /// What an idea says, White being the stronger side, and the same with the colours exchanged.
    fn said(idea: fn(&Board, Color) -> Option<i32>, fen: &str) -> Option<i32> {
        let board = board(fen);
        let scale = idea(&board, Color::White);
        assert_eq!(idea(&flipped(&board), Color::Black), scale, "{fen}");
        scale
    }

    #[test]
    fn pieces_that_cannot_mate_draw() {
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

    #[test]
    fn without_pawns_a_minor_piece_more_does_not_win() {
        for (fen, scale) in [
            ("4k3/4p3/8/8/8/8/8/2B1K3 w - - 0 1", Some(0)),
            ("4k3/4p3/8/8/8/8/8/1N2K3 w - - 0 1", Some(0)),
            ("4k3/4p3/8/8/8/8/8/1N2K1N1 w - - 0 1", Some(NEARLY_DRAWN)),
            ("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1", Some(NEARLY_DRAWN)),
            ("r3k3/8/8/8/8/8/8/R1B1K3 w - - 0 1", Some(NEARLY_DRAWN)),
            ("r3k3/8/8/8/8/8/8/3QK3 w - - 0 1", Some(FULL_SCALE)),
            // Pawns do not make up for a rook.
            ("4k3/3pp3/8/8/8/8/8/R3K3 w - - 0 1", Some(FULL_SCALE)),
            ("r3k3/8/8/8/8/8/P7/R1B1K3 w - - 0 1", None),
        ] {
            assert_eq!(said(without_pawns, fen), scale, "{fen}");
        }
    }

    #[test]
    fn rook_pawns_do_not_win_against_a_king_in_the_corner() {
        for (fen, scale) in [
            // The bishop does not attack a8, then h8.
            ("1k6/8/8/P7/2K5/4B3/8/8 w - - 0 1", Some(0)),
            ("8/6k1/8/7P/7P/3B1K2/8/8 w - - 0 1", Some(0)),
            // It does.
            ("1k6/8/8/P7/2K5/5B2/8/8 w - - 0 1", None),
            ("1k6/8/8/P7/2K5/4BB2/8/8 w - - 0 1", None),
            // No bishop at all.
            ("k7/8/8/P7/P1K5/8/8/8 w - - 0 1", Some(0)),
            // The king is not there yet; another file; another piece.
            ("2k5/8/8/P7/2K5/4B3/8/8 w - - 0 1", None),
            ("1k6/8/8/P7/1PK5/4B3/8/8 w - - 0 1", None),
            ("1k6/8/8/P7/2K5/4B3/8/N7 w - - 0 1", None),
            // Pawns of its own may force the defender's hand.
            ("1k6/1p6/8/P7/2K5/4B3/8/8 w - - 0 1", Some(NEARLY_DRAWN)),
        ] {
            assert_eq!(said(corner_fortress, fen), scale, "{fen}");
        }
    }

    #[test]
    fn opposite_bishops_draw_the_more_the_smaller_the_lead() {
        let lead = |fen| said(opposite_bishops, fen);
        let even = lead("2b1k3/5p2/8/8/8/8/5P2/2B1K3 w - - 0 1").unwrap();
        let one = lead("2b1k3/5p2/8/8/8/8/5PP1/2B1K3 w - - 0 1").unwrap();
        let two = lead("2b1k3/5p2/8/8/8/8/4PPP1/2B1K3 w - - 0 1").unwrap();
        let passed = lead("2b1k3/5ppp/8/8/8/8/PP4P1/2B1K3 w - - 0 1").unwrap();
        assert!(even < one && one < two && two < FULL_SCALE && passed == two);
        let last = lead("2b1k3/8/8/8/8/8/6P1/2B1K3 w - - 0 1").unwrap();
        assert!(last < even, "the last pawn costs no more than the bishop");
        // With rooks on the board there is more to play for.
        let rooks = lead("r1b1k3/5p2/8/8/8/8/5PP1/R1B1K3 w - - 0 1").unwrap();
        assert!(two < rooks && rooks < FULL_SCALE);
        for fen in [
            "5bk1/5p2/8/8/8/8/5PP1/2B1K3 w - - 0 1",
            "2b1k3/5p2/8/8/8/8/5PP1/2B1KB2 w - - 0 1",
            "4k3/5p2/8/8/8/8/5PP1/2B1KB2 w - - 0 1",
        ] {
            assert_eq!(lead(fen), None, "{fen}");
        }
    }

    #[test]
    fn rook_endings_on_one_flank_are_hard_to_win_with_one_pawn_more() {
        for (fen, drawish) in [
            ("r5k1/5ppp/8/8/8/8/4PPPP/1R4K1 w - - 0 1", true),
            // Pawns on both flanks; two pawns more; other pieces too.
            ("r5k1/5ppp/8/8/8/8/P4PPP/1R4K1 w - - 0 1", false),
            ("r5k1/6pp/8/8/8/8/4PPPP/1R4K1 w - - 0 1", false),
            ("r1n3k1/5ppp/8/8/8/8/4PPPP/1RN3K1 w - - 0 1", false),
            ("6k1/5ppp/8/8/8/8/4PPPP/RR4K1 w - - 0 1", false),
        ] {
            assert_eq!(said(rook_ending, fen).is_some(), drawish, "{fen}");
        }
    }

    #[test]
    fn an_ordinary_endgame_counts_in_full() {
        for fen in
            ["8/5ppp/4k3/8/4K3/8/PP3PPP/8 w - - 0 1", "2n1k3/4pppp/8/8/8/8/4PPPP/2B1K3 w - - 0 1"]
        {
            assert_eq!(scale(&board(fen), 50), FULL_SCALE, "{fen}");
            assert_eq!(scale(&flipped(&board(fen)), -50), FULL_SCALE, "{fen}");
        }
    }

    #[test]
    fn fewer_pawns_win_less() {
        for (pawns, expected) in [("1P6", 43), ("PP6", 50), ("PPP5", 57), ("PPPP4", 64)] {
            let fen = format!("2n1k3/5ppp/8/8/8/8/{pawns}/2B1K3 w - - 0 1");
            assert_eq!(scale(&board(&fen), 50), expected, "{fen}");
            assert_eq!(scale(&flipped(&board(&fen)), -50), expected, "{fen}");
        }
    }

    /// Is the first position better for White than the second, and the other way round for Black
    /// with the colours exchanged?
    fn better(idea: fn(&Board) -> i32, first: &str, second: &str) -> bool {
        let (first, second) = (board(first), board(second));
        for board in [&first, &second] {
            assert_eq!(idea(&flipped(board)), -idea(board), "{}", board.to_fen());
        }
        idea(&first) > idea(&second)
    }

    #[test]
    fn a_lone_king_is_driven_to_the_edge_by_king_and_pieces() {
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
    fn bishop_and_knight_drive_the_king_to_a_corner_of_the_bishops_colour() {
        let value = |board: &Board| known(board).unwrap();
        // The bishop stands on a dark square: a1 and h8 are right, a8 and h1 wrong.
        let right = ["7k/8/5K2/8/8/4BN2/8/8 w - - 0 1", "8/8/8/8/8/2K1BN2/8/k7 w - - 0 1"];
        let wrong = ["k7/8/2K5/8/8/4BN2/8/8 w - - 0 1", "8/8/8/8/8/4BK2/4N3/7k w - - 0 1"];
        let between = "3k4/8/3K4/8/8/4BN2/8/8 w - - 0 1";
        for (right, wrong) in right.into_iter().zip(wrong) {
            assert!(better(value, right, between) && better(value, between, wrong));
        }
    }

    #[test]
    fn mop_up_drives_the_king_of_the_side_that_is_far_behind() {
        let edge = "8/8/8/k1K5/8/8/n7/7R w - - 0 1";
        let center = "8/8/8/3k1K2/8/8/n7/7R w - - 0 1";
        let far = "8/8/8/k4K2/8/8/n7/7R w - - 0 1";
        assert!(better(mop_up, edge, center));
        assert!(better(mop_up, edge, far));
        // A queen against a rook wins, a rook against a knight hardly ever.
        assert!(mop_up(&board("8/8/8/k1K5/8/8/r7/7Q w - - 0 1")) > 40);
        for drawn in [edge, "3k4/R7/3B4/3K4/7r/8/8/8 w - - 42 70"] {
            assert!(mop_up(&board(drawn)) < 15, "{drawn}");
        }
        // Not with pawns, and not with less than two pawns' worth.
        assert_eq!(mop_up(&board("8/7p/8/k1K5/8/8/n7/7R w - - 0 1")), 0);
        assert_eq!(mop_up(&board("8/8/8/k1K5/8/8/n7/7B w - - 0 1")), 0);
    }
}
