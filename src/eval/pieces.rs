//! Material, piece-square tables and mobility of the pieces; the attack maps on the way.

use super::Tally;
use super::context::Context;
use super::layout::{
    BISHOP_MOBILITY, BISHOP_PAIR, KNIGHT_BY_PAWNS, KNIGHT_MOBILITY, QUEEN_MOBILITY, ROOK_BY_PAWNS,
    ROOK_MOBILITY,
};
use crate::attacks::{bishop_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::types::{Bitboard, PieceType, Side, Square};

/// Counts a side's pieces, and fills in the attack maps on the way.
#[inline]
pub(super) fn count<S: Side>(context: &mut Context<'_>, tally: &mut impl Tally) {
    let board = context.board;
    let area = mobility_area::<S>(context);
    for square in board.pieces(S::US, PieceType::Knight) {
        let attacks = knight_attacks(square);
        piece::<S>(context, PieceType::Knight, square, attacks, tally);
        tally.add(S::US, KNIGHT_MOBILITY + (attacks & area).len() as usize, 1);
    }
    // Queens in front of a bishop do not hide it, nor do queens and rooks before a rook.
    let occupied = context.occupied ^ board.pieces(S::US, PieceType::Queen);
    for square in board.pieces(S::US, PieceType::Bishop) {
        let attacks = bishop_attacks(square, occupied);
        piece::<S>(context, PieceType::Bishop, square, attacks, tally);
        tally.add(S::US, BISHOP_MOBILITY + (attacks & area).len() as usize, 1);
    }
    let occupied = occupied ^ board.pieces(S::US, PieceType::Rook);
    for square in board.pieces(S::US, PieceType::Rook) {
        let attacks = rook_attacks(square, occupied);
        piece::<S>(context, PieceType::Rook, square, attacks, tally);
        tally.add(S::US, ROOK_MOBILITY + (attacks & area).len() as usize, 1);
    }
    for square in board.pieces(S::US, PieceType::Queen) {
        let attacks = queen_attacks(square, context.occupied);
        piece::<S>(context, PieceType::Queen, square, attacks, tally);
        tally.add(S::US, QUEEN_MOBILITY + (attacks & area).len() as usize, 1);
    }
    combinations::<S>(context, tally);
}

/// Squares that count for mobility: not taken by own pawns or the king, not attacked by pawns.
#[inline]
fn mobility_area<S: Side>(context: &Context<'_>) -> Bitboard {
    let us = S::US.index();
    !(context.pawns[us] | Bitboard::from(context.kings[us]) | context.by(S::THEM, PieceType::Pawn))
}

/// What every piece has: a value, a square, and attacks.
#[inline]
fn piece<S: Side>(
    context: &mut Context<'_>,
    kind: PieceType,
    square: Square,
    attacks: Bitboard,
    tally: &mut impl Tally,
) {
    tally.piece(S::US, kind, square.relative_to(S::US).index());
    let in_zone = (attacks & context.king_zone[S::THEM.index()]).len() as i32;
    context.zone_attacks[S::US.index()] += in_zone;
    context.zone_attackers[S::US.index()][kind.index()] += i32::from(in_zone > 0);
    context.note_attacks(S::US, kind, attacks);
}

/// Pieces that are worth more or less together with others.
#[inline]
fn combinations<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let count = |kind| context.board.pieces(S::US, kind).len() as i32;
    if count(PieceType::Bishop) > 1 {
        tally.add(S::US, BISHOP_PAIR, 1);
    }
    // Knights like closed positions, rooks open ones (Kaufman, "The evaluation of material
    // imbalances", 1999).
    let pawns = count(PieceType::Pawn) - 5;
    tally.add(S::US, KNIGHT_BY_PAWNS, pawns * count(PieceType::Knight));
    tally.add(S::US, ROOK_BY_PAWNS, pawns * count(PieceType::Rook));
}

#[cfg(test)]
mod tests {
    use super::super::layout::{MATERIAL, PIECE_SQUARE};
    use super::super::testing::{expect, features, square};
    use super::*;
    use crate::types::Color;

    #[test]
    fn every_piece_has_a_value_and_a_square() {
        let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
        let counts = features("4k3/8/8/8/8/8/8/NBRQK3");
        for (kind, place) in kinds.into_iter().zip(["a1", "b1", "c1", "d1"]) {
            let table = PIECE_SQUARE + 64 * kind.index();
            assert_eq!(counts.both(MATERIAL + kind.index()), [1, 0]);
            assert_eq!(counts.both(table + square(place)), [1, 0]);
            assert_eq!(counts.sum(table..table + 64), [1, 0]);
        }
        // Black's knight on a8 is where White's would be on a1.
        let knight = PieceType::Knight.index();
        let corner = PIECE_SQUARE + 64 * knight + square("a1");
        expect("n3k3/8/8/8/8/8/8/4K3", &[(MATERIAL + knight, [0, 1]), (corner, [0, 1])]);
    }

    /// Checks the only count in a table of mobility.
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
    fn knights_move() {
        mobility("4k3/8/8/8/4N3/8/8/4K3", KNIGHT_MOBILITY, 8);
        mobility("4k3/8/8/8/8/8/8/N3K3", KNIGHT_MOBILITY, 2);
        // Not to an own pawn (d2), the king (f2) or squares that a pawn attacks (d6, f6).
        mobility("4k3/4p3/8/8/4N3/8/3P1K2/8", KNIGHT_MOBILITY, 4);
        // A piece of its own on c3 can make room.
        mobility("4k3/8/8/8/4N3/2B5/8/4K3", KNIGHT_MOBILITY, 8);
    }

    #[test]
    fn bishops_move() {
        mobility("4k3/8/8/8/3B4/8/8/4K3", BISHOP_MOBILITY, 13);
        // Two pawns to take, two of its own.
        mobility("4k3/8/8/2p1p3/3B4/2P1P3/8/4K3", BISHOP_MOBILITY, 2);
        // A queen on d4 does not hide it; a rook does.
        mobility("4k3/8/8/8/3Q4/8/8/B3K3", BISHOP_MOBILITY, 7);
        mobility("4k3/8/8/8/3R4/8/8/B3K3", BISHOP_MOBILITY, 3);
    }

    #[test]
    fn rooks_move() {
        mobility("4k3/8/8/8/R7/8/8/4K3", ROOK_MOBILITY, 14);
        // A queen on a5 does not hide it; a knight does.
        mobility("4k3/8/8/Q7/R7/8/8/4K3", ROOK_MOBILITY, 14);
        mobility("4k3/8/8/N7/R7/8/8/4K3", ROOK_MOBILITY, 11);
        // Neither do rooks hide each other: up to a4 and beyond.
        let doubled = features("4k3/8/8/8/R7/R7/8/4K3");
        assert_eq!(doubled.both(ROOK_MOBILITY + 14), [2, 0]);
    }

    #[test]
    fn queens_move() {
        mobility("4k3/8/8/8/3Q4/8/8/4K3", QUEEN_MOBILITY, 27);
        // The rook on a4 and the king on e1 are in its way.
        mobility("4k3/8/8/Q7/R7/8/8/4K3", QUEEN_MOBILITY, 17);
    }

    #[test]
    fn two_bishops_are_a_pair() {
        expect("4k3/8/8/8/8/8/8/2B1KB2", &[(BISHOP_PAIR, [1, 0])]);
        expect("4kb2/8/8/8/8/8/8/2B1K3", &[(BISHOP_PAIR, [0, 0])]);
    }

    #[test]
    fn knights_and_rooks_go_by_pawns() {
        let by_pawns = |fen, knights, rooks| {
            expect(fen, &[(KNIGHT_BY_PAWNS, knights), (ROOK_BY_PAWNS, rooks)]);
        };
        by_pawns("rn2k3/8/8/8/8/8/PPPPPPPP/RN2K1NR", [6, -5], [6, -5]);
        by_pawns("4k3/pppppppp/8/8/8/8/PPPPP3/RN2K3", [0, 0], [0, 0]);
    }
}
