//! King placement: piece-square table, pawn shelter and storm, open files, castling rights. Entry
//! points: `count`, `castling`.

use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::{Context, flank};
use crate::eval::classical::features::{
    BLOCKED_CENTER_PAWN, CASTLING_RIGHTS, DANGER_SHELTER, KING_HALF_OPEN_FILE, KING_OPEN_FILE,
    KING_SHELTER, KING_STORM, PAWNLESS_FLANK, PIECE_SQUARE, UNCASTLED_KING,
};
use crate::eval::spans::{in_front, with_neighbours};
use crate::types::{Bitboard, CastlingSide, Color, File, PieceType, Rank, Side, Square};

/// Counts the terms of a side's king that depend only on its square and the pawns.
#[inline]
pub(crate) fn count<S: Side>(pawns: [Bitboard; 2], king: Square, sink: &mut impl FeatureSink) {
    let square = king.relative_to(S::US).index();
    sink.add(S::US, PIECE_SQUARE + PieceType::King.index() * 64 + square, 1);
    let all = pawns[0] | pawns[1];
    if !all.intersects(flank(king)) {
        sink.add(S::US, PAWNLESS_FLANK, 1);
    }
    let near = with_neighbours(king.file());
    for file in File::ALL {
        let squares = Bitboard::from(file);
        if squares.intersects(near) {
            shelter::<S>(pawns, king, file, sink);
            open_file::<S>(pawns, squares, sink);
        }
    }
}

/// Returns the lowest rank index among `pawns`, relative to `color`, or 0 without pawns.
#[inline]
fn lowest_rank(pawns: Bitboard, color: Color) -> usize {
    let relative = if color == Color::White { pawns } else { pawns.flipped() };
    relative.first().map_or(0, |pawn| pawn.rank().index())
}

/// Counts the nearest own pawn that shelters the king on `file`, and the nearest enemy pawn that
/// storms it.
#[inline]
fn shelter<S: Side>(pawns: [Bitboard; 2], king: Square, file: File, sink: &mut impl FeatureSink) {
    // The king's rank and those in front of it.
    let rank = Bitboard::from(king.rank());
    let squares = (rank | in_front(rank, S::US)) & Bitboard::from(file);
    let own = lowest_rank(pawns[S::US.index()] & squares, S::US);
    let enemy = lowest_rank(pawns[S::THEM.index()] & squares, S::US);
    let beside = usize::from(file != king.file());
    let edge = file.index().min(7 - file.index());
    sink.add(S::US, KING_SHELTER + (beside * 4 + edge) * 8 + own, 1);
    sink.danger(S::US, DANGER_SHELTER + own, 1);
    let stopped = usize::from(own > 0 && own + 1 == enemy);
    sink.add(S::US, KING_STORM + stopped * 8 + enemy, 1);
}

#[inline]
fn open_file<S: Side>(pawns: [Bitboard; 2], squares: Bitboard, sink: &mut impl FeatureSink) {
    if !squares.intersects(pawns[S::US.index()]) {
        let open = !squares.intersects(pawns[S::THEM.index()]);
        sink.add(S::US, if open { KING_OPEN_FILE } else { KING_HALF_OPEN_FILE }, 1);
    }
}

/// Counts castling rights, a king in the centre without them, and blocked centre pawns.
#[inline]
pub(crate) fn castling<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let king = context.kings[S::US.index()];
    let rights = context.board.castling();
    for (index, wing) in [CastlingSide::King, CastlingSide::Queen].into_iter().enumerate() {
        if rights.rook(S::US, king, wing).is_some() {
            sink.add(S::US, CASTLING_RIGHTS + index, 1);
        }
    }
    let in_the_middle = (3..=4).contains(&king.file().index())
        && king.relative_to(S::US).rank().index() <= Rank::Second.index();
    if in_the_middle && rights.rooks_of(S::US).is_empty() {
        sink.add(S::US, UNCASTLED_KING, 1);
    }
    let center = (Bitboard::from(File::D) | Bitboard::from(File::E))
        & Bitboard::from(Rank::Second.relative_to(S::US));
    let blocked = context.pawns[S::US.index()] & center & context.occupied.forward(S::THEM);
    sink.add(S::US, BLOCKED_CENTER_PAWN, blocked.len() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::testing::{expect, features, square};

    #[test]
    fn king_square_is_counted() {
        let table = PIECE_SQUARE + 64 * PieceType::King.index();
        let squares = [(table + square("e1"), [1, 1]), (table + square("g1"), [0, 0])];
        expect("4k3/8/8/8/8/8/8/4K3", &squares);
        let squares = [(table + square("e1"), [0, 1]), (table + square("g1"), [1, 0])];
        expect("4k3/8/8/8/8/8/8/6K1", &squares);
    }

    #[test]
    fn pawnless_flank_has_no_pawn_of_either_colour() {
        let pawnless = |fen, both| expect(fen, &[(PAWNLESS_FLANK, both)]);
        pawnless("4k3/8/8/8/8/8/8/4K3", [1, 1]);
        // The flanks are a to d, c to f and e to h.
        pawnless("4k3/8/8/8/8/8/3P4/6K1", [1, 0]);
        pawnless("4k3/8/8/8/8/8/3P4/2K5", [0, 0]);
        pawnless("4k3/8/8/8/8/8/6P1/2K5", [1, 1]);
        // Enemy pawns count too.
        pawnless("4k3/4p3/8/8/8/8/8/6K1", [0, 0]);
    }

    /// Returns the feature of an own pawn on `rank` (0 for none), on the king's file or `beside`
    /// it; `edge` is the file's distance to the edge.
    fn sheltered(beside: bool, edge: usize, rank: usize) -> usize {
        KING_SHELTER + (4 * usize::from(beside) + edge) * 8 + rank
    }

    #[test]
    fn shelter_counts_nearest_own_pawn_per_file() {
        // White has f2 and g3 but no h-pawn; Black has nothing on d, e and f.
        expect(
            "4k3/8/8/8/8/6P1/5P2/6K1",
            &[
                (sheltered(true, 2, 1), [1, 0]),
                (sheltered(false, 1, 2), [1, 0]),
                (sheltered(true, 0, 0), [1, 0]),
                (sheltered(true, 3, 0), [0, 1]),
                (sheltered(false, 3, 0), [0, 1]),
                (sheltered(true, 2, 0), [0, 1]),
                (DANGER_SHELTER, [1, 3]),
                (DANGER_SHELTER + 1, [1, 0]),
                (DANGER_SHELTER + 2, [1, 0]),
            ],
        );
        // Of doubled pawns, the nearer one.
        let doubled = "4k3/8/8/8/6P1/6P1/8/6K1";
        expect(doubled, &[(sheltered(false, 1, 2), [1, 0]), (sheltered(false, 1, 3), [0, 0])]);
        // A pawn behind the king gives no shelter; one beside it does.
        expect(
            "4k3/8/8/8/8/6K1/6P1/8",
            &[(sheltered(false, 1, 0), [1, 0]), (DANGER_SHELTER, [3, 3])],
        );
        expect(
            "4k3/8/8/8/8/8/5PK1/8",
            &[(sheltered(true, 2, 1), [1, 0]), (DANGER_SHELTER + 1, [1, 0])],
        );
        // A king in the corner has only two files.
        let corner = features("4k3/8/8/8/8/8/8/7K");
        assert_eq!(corner.sum(KING_SHELTER..KING_SHELTER + 64), [2, 3]);
        assert_eq!(corner.sum(DANGER_SHELTER..DANGER_SHELTER + 8), [2, 3]);
    }

    #[test]
    fn storm_counts_nearest_enemy_pawn_per_file() {
        let (free, stopped) = (KING_STORM + 3, KING_STORM + 8 + 3);
        let storm = |fen, none, is_free, is_stopped| {
            expect(fen, &[(KING_STORM, none), (free, is_free), (stopped, is_stopped)]);
        };
        storm("4k3/8/8/8/8/8/8/6K1", [3, 3], [0, 0], [0, 0]);
        storm("4k3/8/8/8/6p1/8/8/6K1", [2, 3], [1, 0], [0, 0]);
        // A pawn on g3 stops it; one on g2 does not yet.
        storm("4k3/8/8/8/6p1/6P1/8/6K1", [2, 3], [0, 0], [1, 0]);
        storm("4k3/8/8/8/6p1/8/6P1/6K1", [2, 3], [1, 0], [0, 0]);
        // Too many files away.
        storm("4k3/8/8/8/1p6/8/8/6K1", [3, 3], [0, 0], [0, 0]);
    }

    #[test]
    fn king_files_are_open_half_open_or_closed() {
        let files = |fen, open, half_open| {
            expect(fen, &[(KING_OPEN_FILE, open), (KING_HALF_OPEN_FILE, half_open)]);
        };
        files("4k3/8/8/8/8/8/8/6K1", [3, 3], [0, 0]);
        files("4k3/8/8/8/8/8/8/7K", [2, 3], [0, 0]);
        files("4k3/6p1/8/8/8/8/8/6K1", [2, 3], [1, 0]);
        files("4k3/8/8/8/8/8/6P1/6K1", [2, 3], [0, 0]);
        files("4k3/3p1p2/8/8/8/8/4PPPP/6K1", [0, 0], [0, 1]);
    }

    #[test]
    fn castling_rights_and_uncastled_king() {
        let castling = |fen, king_side, queen_side, uncastled| {
            expect(
                fen,
                &[
                    (CASTLING_RIGHTS, king_side),
                    (CASTLING_RIGHTS + 1, queen_side),
                    (UNCASTLED_KING, uncastled),
                ],
            );
        };
        castling("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", [1, 1], [1, 1], [0, 0]);
        castling("r3k2r/8/8/8/8/8/8/R3K2R w Kq -", [1, 0], [0, 1], [0, 0]);
        castling("r3k2r/8/8/8/8/8/8/R3K2R w Q -", [0, 0], [1, 0], [0, 1]);
        // Uncastled: on d1, d2, e1 or e2 without rights. A king on c1 does not count.
        castling("3k4/8/8/8/8/8/4K3/8", [0, 0], [0, 0], [1, 1]);
        castling("5k2/8/8/8/8/8/8/2K5", [0, 0], [0, 0], [0, 0]);
        castling("8/8/4k3/8/8/4K3/8/8", [0, 0], [0, 0], [0, 0]);
    }

    #[test]
    fn blocked_centre_pawns_are_counted() {
        let blocked = |fen, both| expect(fen, &[(BLOCKED_CENTER_PAWN, both)]);
        blocked("4k3/8/8/8/8/3B4/3P4/4K3", [1, 0]);
        blocked("4k3/8/8/8/8/3nB3/3PP3/6K1", [2, 0]);
        // Not blocked; pawn already moved; not a centre pawn.
        blocked("4k3/8/8/8/3B4/8/3P4/4K3", [0, 0]);
        blocked("4k3/8/8/8/3B4/3P4/8/4K3", [0, 0]);
        blocked("4k3/8/8/8/8/2B5/2P5/4K3", [0, 0]);
    }
}
