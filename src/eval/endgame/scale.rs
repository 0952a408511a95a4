//! Scale factors of drawish endgames. Start at [`scale`].

use crate::board::Board;
use crate::eval::endgame::{can_mate, worth, worth_of_pieces};
use crate::eval::spans::passed_pawns;
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square};

/// Scale factor of an ordinary endgame; a smaller factor means a more drawish one.
pub const FULL_SCALE: i32 = 64;

/// Returns the scale factor for the side ahead in `endgame`, out of [`FULL_SCALE`].
pub(crate) fn scale(board: &Board, endgame: i32) -> i32 {
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
pub(crate) const NEARLY_DRAWN: i32 = 8;

/// Without pawns, insufficient mating material cannot win, and a lead of a minor piece or less
/// hardly ever does. Two knights sometimes win, against a pawn that is blocked far enough back.
pub(crate) fn without_pawns(board: &Board, strong: Color) -> Option<i32> {
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
    if board.color(strong) != harmless || board.king(!strong).distance(corner) > 1 {
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
    use crate::eval::classical::testing::{board, flipped};

    /// Returns `term`'s factor with White as the stronger side, and checks that it is the same
    /// with colours flipped.
    fn factor(term: fn(&Board, Color) -> Option<i32>, fen: &str) -> Option<i32> {
        let board = board(fen);
        let scale = term(&board, Color::White);
        assert_eq!(term(&flipped(&board), Color::Black), scale, "{fen}");
        scale
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
            assert_eq!(factor(without_pawns, fen), scale, "{fen}");
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
            assert_eq!(factor(corner_fortress, fen), scale, "{fen}");
        }
    }

    #[test]
    fn opposite_bishops_scale_grows_with_lead() {
        let lead = |fen| factor(opposite_bishops, fen);
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
            assert_eq!(factor(rook_ending, fen).is_some(), drawish, "{fen}");
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
}
