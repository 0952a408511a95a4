//! Endgame knowledge that a sum of features cannot express: known results, mop-up evaluation and
//! scale factors. Entry points: `known`, `mop_up`, `scale`.

use super::context::distance;
use super::kpk;
use super::pawns::passed_pawns;
use crate::board::Board;
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square};

/// Scale factor of an ordinary endgame; a smaller factor means a more drawish one.
pub const FULL_SCALE: i32 = 64;

/// Piece values in pawns, by piece type: enough to tell which side is ahead.
const PAWNS_WORTH: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// Material lead, in pawns, from which [`mop_up`] applies.
const DECISIVE_LEAD: i32 = 2;

fn worth(board: &Board, color: Color) -> i32 {
    PieceType::ALL
        .into_iter()
        .map(|kind| PAWNS_WORTH[kind.index()] * board.pieces(color, kind).len() as i32)
        .sum()
}

/// Returns `worth` without pawns, which hardly defend against a piece.
fn worth_of_pieces(board: &Board, color: Color) -> i32 {
    let pawns = board.pieces(color, PieceType::Pawn).len() as i32;
    worth(board, color) - PAWNS_WORTH[PieceType::Pawn.index()] * pawns
}

/// Base score of a known win, in centipawns. Material and progress towards mate are added to it.
const KNOWN_WIN: i32 = 600;

/// Returns the score of an endgame that is known without counting features, in centipawns for
/// White.
pub(super) fn known(board: &Board) -> Option<i32> {
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
    12 * (7 - distance(near, driven) as i32)
}

/// Returns whether `strong` has mating material: a queen, a rook, bishops on both colours, bishop
/// and knight, or three knights.
fn can_mate(board: &Board, strong: Color) -> bool {
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

/// Returns the scale factor for the side ahead in `endgame`, out of [`FULL_SCALE`].
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

/// Scales by the number of `strong`'s pawns: the fewer are left to promote, the harder the win (as
/// in Stockfish).
fn with_pawns(board: &Board, strong: Color) -> i32 {
    let pawns = board.pieces(strong, PieceType::Pawn).len() as i32;
    (36 + 7 * pawns).min(FULL_SCALE)
}

/// Scale factor of an endgame that is drawn short of a blunder.
pub(super) const NEARLY_DRAWN: i32 = 8;

/// Without pawns, insufficient mating material cannot win, and a lead of a minor piece or less
/// hardly ever does. Two knights sometimes win, against a pawn that is blocked far enough back.
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

/// Wrong rook pawn: all pawns of `strong` are on one rook file, and its only pieces are bishops
/// that do not attack the promotion square. A defending king in this corner or next to it cannot
/// be driven out. Against a bare king this is always a draw (the Syzygy tables know no exception);
/// other men of the defender can take away its king's moves. CPW "Wrong Color Bishop and Rook
/// Pawn".
fn corner_fortress(board: &Board, strong: Color) -> Option<i32> {
    let pawns = board.pieces(strong, PieceType::Pawn);
    let file = [File::A, File::H].into_iter().find(|&file| pawns.is_subset(file.into()))?;
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let of_corner = if Bitboard::DARK.contains(corner) { Bitboard::DARK } else { !Bitboard::DARK };
    let harmless = pawns
        | board.pieces(strong, PieceType::King)
        | board.pieces(strong, PieceType::Bishop) - of_corner;
    if board.color(strong) != harmless || distance(board.king(!strong), corner) > 1 {
        return None;
    }
    let is_bare = board.color(!strong).len() == 1;
    Some(if is_bare { 0 } else { NEARLY_DRAWN })
}

/// Bishops of opposite colours, one each: neither can defend what the other attacks. Without other
/// pieces they often draw even two pawns down, unless passed pawns overburden the defender. CPW
/// "Bishops of Opposite Colors".
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
        // The defending bishop stops the pawn or gives itself up for it.
        return Some(NEARLY_DRAWN);
    }
    let passed = passed_pawns(strong, own, enemy).len() as i32
        - passed_pawns(!strong, enemy, own).len() as i32;
    let lead = passed.max(pawn_lead(board, strong));
    Some(16 + 12 * lead.clamp(0, 4))
}

/// Rook ending, one rook each and no other pieces: with all pawns on one flank, an extra pawn is
/// often not enough, since there is only that flank to defend.
fn rook_ending(board: &Board, strong: Color) -> Option<i32> {
    const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    let rooks = board.kind(PieceType::Rook);
    let pawns = board.kind(PieceType::Pawn);
    let is_rook_ending = rooks.len() == 2
        && (rooks & board.color(strong)).len() == 1
        && board.occupied() == rooks | pawns | board.kind(PieceType::King);
    let one_flank = || pawns.is_subset(QUEENSIDE) || !pawns.intersects(QUEENSIDE);
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

    /// Returns `idea`'s factor with White as the stronger side, and checks that it is the same
    /// with colours flipped.
    fn said(idea: fn(&Board, Color) -> Option<i32>, fen: &str) -> Option<i32> {
        let board = board(fen);
        let scale = idea(&board, Color::White);
        assert_eq!(idea(&flipped(&board), Color::Black), scale, "{fen}");
        scale
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

    #[test]
    fn extra_minor_piece_without_pawns_does_not_win() {
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
    fn wrong_rook_pawn_draws_against_king_in_corner() {
        for (fen, scale) in [
            // The bishop does not attack a8 (h8 in the second position).
            ("1k6/8/8/P7/2K5/4B3/8/8 w - - 0 1", Some(0)),
            ("8/6k1/8/7P/7P/3B1K2/8/8 w - - 0 1", Some(0)),
            // It does attack a8.
            ("1k6/8/8/P7/2K5/5B2/8/8 w - - 0 1", None),
            ("1k6/8/8/P7/2K5/4BB2/8/8 w - - 0 1", None),
            // No bishop.
            ("k7/8/8/P7/P1K5/8/8/8 w - - 0 1", Some(0)),
            // King not near the corner; pawn on another file; another piece.
            ("2k5/8/8/P7/2K5/4B3/8/8 w - - 0 1", None),
            ("1k6/8/8/P7/1PK5/4B3/8/8 w - - 0 1", None),
            ("1k6/8/8/P7/2K5/4B3/8/N7 w - - 0 1", None),
            // The defender's own pawns may force its hand.
            ("1k6/1p6/8/P7/2K5/4B3/8/8 w - - 0 1", Some(NEARLY_DRAWN)),
        ] {
            assert_eq!(said(corner_fortress, fen), scale, "{fen}");
        }
    }

    #[test]
    fn opposite_bishops_scale_grows_with_lead() {
        let lead = |fen| said(opposite_bishops, fen);
        let even = lead("2b1k3/5p2/8/8/8/8/5P2/2B1K3 w - - 0 1").unwrap();
        let one = lead("2b1k3/5p2/8/8/8/8/5PP1/2B1K3 w - - 0 1").unwrap();
        let two = lead("2b1k3/5p2/8/8/8/8/4PPP1/2B1K3 w - - 0 1").unwrap();
        let passed = lead("2b1k3/5ppp/8/8/8/8/PP4P1/2B1K3 w - - 0 1").unwrap();
        assert!(even < one && one < two && two < FULL_SCALE && passed == two);
        let last = lead("2b1k3/8/8/8/8/8/6P1/2B1K3 w - - 0 1").unwrap();
        assert!(last < even, "a single pawn draws: the bishop can be given up for it");
        // With rooks on the board there are more winning chances.
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
    fn rook_ending_on_one_flank_is_drawish() {
        for (fen, drawish) in [
            ("r5k1/5ppp/8/8/8/8/4PPPP/1R4K1 w - - 0 1", true),
            // Pawns on both flanks; two extra pawns; other pieces; two rooks against none.
            ("r5k1/5ppp/8/8/8/8/P4PPP/1R4K1 w - - 0 1", false),
            ("r5k1/6pp/8/8/8/8/4PPPP/1R4K1 w - - 0 1", false),
            ("r1n3k1/5ppp/8/8/8/8/4PPPP/1RN3K1 w - - 0 1", false),
            ("6k1/5ppp/8/8/8/8/4PPPP/RR4K1 w - - 0 1", false),
        ] {
            assert_eq!(said(rook_ending, fen).is_some(), drawish, "{fen}");
        }
    }

    #[test]
    fn ordinary_endgame_has_full_scale() {
        for fen in
            ["8/5ppp/4k3/8/4K3/8/PP3PPP/8 w - - 0 1", "2n1k3/4pppp/8/8/8/8/4PPPP/2B1K3 w - - 0 1"]
        {
            assert_eq!(scale(&board(fen), 50), FULL_SCALE, "{fen}");
            assert_eq!(scale(&flipped(&board(fen)), -50), FULL_SCALE, "{fen}");
        }
    }

    #[test]
    fn scale_shrinks_with_fewer_pawns() {
        for (pawns, expected) in [("1P6", 43), ("PP6", 50), ("PPP5", 57), ("PPPP4", 64)] {
            let fen = format!("2n1k3/5ppp/8/8/8/8/{pawns}/2B1K3 w - - 0 1");
            assert_eq!(scale(&board(&fen), 50), expected, "{fen}");
            assert_eq!(scale(&flipped(&board(&fen)), -50), expected, "{fen}");
        }
    }

    /// Returns whether `idea` scores `first` higher than `second` for White. Checks that both
    /// scores are negated with colours flipped.
    fn better(idea: fn(&Board) -> i32, first: &str, second: &str) -> bool {
        let (first, second) = (board(first), board(second));
        for board in [&first, &second] {
            assert_eq!(idea(&flipped(board)), -idea(board), "{}", board.to_fen());
        }
        idea(&first) > idea(&second)
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
