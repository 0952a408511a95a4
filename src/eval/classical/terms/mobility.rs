//! Material, piece-square tables, mobility and imbalances of knights to queens. Fills in the
//! attack maps. Entry point: `count`.

use crate::attacks::{bishop_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::eval::classical::FeatureSink;
use crate::eval::classical::context::Context;
use crate::eval::classical::features::{
    BISHOP_MOBILITY, BISHOP_PAIR, KNIGHT_BY_PAWNS, KNIGHT_MOBILITY, QUEEN_MOBILITY, ROOK_BY_PAWNS,
    ROOK_MOBILITY,
};
use crate::types::{Bitboard, PieceType, Side, Square};

/// Counts a side's pieces, and fills in its attack maps and king-zone attacks.
#[inline]
pub(crate) fn count<S: Side>(context: &mut Context<'_>, sink: &mut impl FeatureSink) {
    let board = context.board;
    let area = mobility_area::<S>(context);
    for square in board.pieces(S::US, PieceType::Knight) {
        let attacks = knight_attacks(square);
        piece::<S>(context, PieceType::Knight, square, attacks, sink);
        sink.add(S::US, KNIGHT_MOBILITY + (attacks & area).len() as usize, 1);
    }
    // X-rays: bishops see through own queens, rooks through own queens and rooks.
    let occupied = context.occupied ^ board.pieces(S::US, PieceType::Queen);
    for square in board.pieces(S::US, PieceType::Bishop) {
        let attacks = bishop_attacks(square, occupied);
        piece::<S>(context, PieceType::Bishop, square, attacks, sink);
        sink.add(S::US, BISHOP_MOBILITY + (attacks & area).len() as usize, 1);
    }
    let occupied = occupied ^ board.pieces(S::US, PieceType::Rook);
    for square in board.pieces(S::US, PieceType::Rook) {
        let attacks = rook_attacks(square, occupied);
        piece::<S>(context, PieceType::Rook, square, attacks, sink);
        sink.add(S::US, ROOK_MOBILITY + (attacks & area).len() as usize, 1);
    }
    for square in board.pieces(S::US, PieceType::Queen) {
        let attacks = queen_attacks(square, context.occupied);
        piece::<S>(context, PieceType::Queen, square, attacks, sink);
        sink.add(S::US, QUEEN_MOBILITY + (attacks & area).len() as usize, 1);
    }
    combinations::<S>(context, sink);
}

/// Returns the mobility area: all squares but those of own pawns and the own king and those that
/// enemy pawns attack.
#[inline]
fn mobility_area<S: Side>(context: &Context<'_>) -> Bitboard {
    let us = S::US.index();
    !(context.pawns[us] | Bitboard::from(context.kings[us]) | context.by(S::THEM, PieceType::Pawn))
}

/// Adds the material and square features of a piece, and records its attacks.
#[inline]
fn piece<S: Side>(
    context: &mut Context<'_>,
    kind: PieceType,
    square: Square,
    attacks: Bitboard,
    sink: &mut impl FeatureSink,
) {
    sink.piece(S::US, kind, square.relative_to(S::US).index());
    let in_zone = (attacks & context.king_zone[S::THEM.index()]).len() as i32;
    context.zone_attacks[S::US.index()] += in_zone;
    context.zone_attackers[S::US.index()][kind.index()] += i32::from(in_zone > 0);
    context.note_attacks(S::US, kind, attacks);
}

/// Counts the bishop pair and material imbalances.
#[inline]
fn combinations<S: Side>(context: &Context<'_>, sink: &mut impl FeatureSink) {
    let count = |kind| context.board.pieces(S::US, kind).len() as i32;
    if count(PieceType::Bishop) > 1 {
        sink.add(S::US, BISHOP_PAIR, 1);
    }
    // Knights gain from closed positions, rooks from open ones (Kaufman, "The evaluation of
    // material imbalances", 1999).
    let pawns = count(PieceType::Pawn) - 5;
    sink.add(S::US, KNIGHT_BY_PAWNS, pawns * count(PieceType::Knight));
    sink.add(S::US, ROOK_BY_PAWNS, pawns * count(PieceType::Rook));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classical::features::{MATERIAL, PIECE_SQUARE};
    use crate::eval::classical::testing::{expect, features, square};
    use crate::types::Color;

    #[test]
    fn piece_counts_material_and_square() {
        let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
        let counts = features("4k3/8/8/8/8/8/8/NBRQK3");
        for (kind, place) in kinds.into_iter().zip(["a1", "b1", "c1", "d1"]) {
            let table = PIECE_SQUARE + 64 * kind.index();
            assert_eq!(counts.both(MATERIAL + kind.index()), [1, 0]);
            assert_eq!(counts.both(table + square(place)), [1, 0]);
            assert_eq!(counts.sum(table..table + 64), [1, 0]);
        }
        // Black's a8 corresponds to White's a1.
        let knight = PieceType::Knight.index();
        let corner = PIECE_SQUARE + 64 * knight + square("a1");
        expect("n3k3/8/8/8/8/8/8/4K3", &[(MATERIAL + knight, [0, 1]), (corner, [0, 1])]);
    }

    /// Checks that White's only count in the mobility `table` is that for `squares`.
    #[track_caller]
    fn mobility(fen: &str, table: usize, squares: usize) {
        let counts = features(fen);
        assert_eq!(counts.of(Color::White, table + squares), 1, "{fen}");
        let end = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY, BISHOP_PAIR]
            .into_iter()
            .find(|&start| start > table)
            .unwrap();
        assert_eq!(counts.sum(table..end), [1, 0], "{fen}");
    }

    #[test]
    fn knight_mobility_excludes_pawn_attacks_and_own_king() {
        mobility("4k3/8/8/8/4N3/8/8/4K3", KNIGHT_MOBILITY, 8);
        mobility("4k3/8/8/8/8/8/8/N3K3", KNIGHT_MOBILITY, 2);
        // Without d2 (own pawn), f2 (own king), d6 and f6 (attacked by a pawn).
        mobility("4k3/4p3/8/8/4N3/8/3P1K2/8", KNIGHT_MOBILITY, 4);
        // An own piece on c3 does not count against it: it can make room.
        mobility("4k3/8/8/8/4N3/2B5/8/4K3", KNIGHT_MOBILITY, 8);
    }

    #[test]
    fn bishop_mobility_sees_through_own_queen() {
        mobility("4k3/8/8/8/3B4/8/8/4K3", BISHOP_MOBILITY, 13);
        // Enemy pawns count, own pawns do not.
        mobility("4k3/8/8/2p1p3/3B4/2P1P3/8/4K3", BISHOP_MOBILITY, 2);
        // Sees through an own queen on d4, but not through a rook.
        mobility("4k3/8/8/8/3Q4/8/8/B3K3", BISHOP_MOBILITY, 7);
        mobility("4k3/8/8/8/3R4/8/8/B3K3", BISHOP_MOBILITY, 3);
    }

    #[test]
    fn rook_mobility_sees_through_own_queen_and_rook() {
        mobility("4k3/8/8/8/R7/8/8/4K3", ROOK_MOBILITY, 14);
        // Sees through an own queen on a5, but not through a knight.
        mobility("4k3/8/8/Q7/R7/8/8/4K3", ROOK_MOBILITY, 14);
        mobility("4k3/8/8/N7/R7/8/8/4K3", ROOK_MOBILITY, 11);
        // Doubled rooks see through each other.
        let doubled = features("4k3/8/8/8/R7/R7/8/4K3");
        assert_eq!(doubled.both(ROOK_MOBILITY + 14), [2, 0]);
    }

    #[test]
    fn queen_mobility_is_blocked_by_own_pieces() {
        mobility("4k3/8/8/8/3Q4/8/8/4K3", QUEEN_MOBILITY, 27);
        // The rook on a4 and the king on e1 block it.
        mobility("4k3/8/8/Q7/R7/8/8/4K3", QUEEN_MOBILITY, 17);
    }

    #[test]
    fn bishop_pair_is_two_bishops() {
        expect("4k3/8/8/8/8/8/8/2B1KB2", &[(BISHOP_PAIR, [1, 0])]);
        expect("4kb2/8/8/8/8/8/8/2B1K3", &[(BISHOP_PAIR, [0, 0])]);
    }

    #[test]
    fn knights_and_rooks_are_adjusted_by_pawn_count() {
        let by_pawns = |fen, knights, rooks| {
            expect(fen, &[(KNIGHT_BY_PAWNS, knights), (ROOK_BY_PAWNS, rooks)]);
        };
        by_pawns("rn2k3/8/8/8/8/8/PPPPPPPP/RN2K1NR", [6, -5], [6, -5]);
        by_pawns("4k3/pppppppp/8/8/8/8/PPPPP3/RN2K3", [0, 0], [0, 0]);
    }
}
