//! Static exchange evaluation: what a sequence of captures on one square is worth.

use super::Board;
use crate::attacks::{bishop_attacks, rook_attacks};
use crate::types::{Bitboard, Move, PieceType};

/// Values of the pieces in exchanges, in centipawns: pawn to king.
const VALUE: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// The value of a kind of piece in exchanges.
#[inline]
#[must_use]
pub const fn exchange_value(kind: PieceType) -> i32 {
    VALUE[kind as usize]
}

impl Board {
    /// Does a legal move win at least `threshold` when both sides then take on its square with
    /// their cheapest piece, and stop when that is better for them?
    ///
    /// Batteries count: a piece that lines up behind another takes part when its turn comes. Pins
    /// do not count, except that a king never takes a defended piece.
    #[must_use]
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let won = mv.captured().map_or(0, exchange_value)
            + mv.promotion_to().map_or(0, |kind| exchange_value(kind) - VALUE[0]);
        // What the mover is ahead of the threshold after the move, and after losing the piece too.
        let mut balance = won - threshold;
        if balance < 0 {
            return false;
        }
        balance -= exchange_value(mv.promotion_to().unwrap_or(mv.piece().kind()));
        if balance >= 0 {
            return true;
        }

        let mut occupied = (self.occupied() ^ from.into()) | to.into();
        if mv.is_en_passant() {
            occupied ^= to.forward(!self.side_to_move).into();
        }
        let (diagonal, orthogonal) = (self.diagonal_sliders(), self.orthogonal_sliders());
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let mut side = !self.side_to_move;
        loop {
            let own = attackers & self.color(side);
            let Some((kind, capturer)) = self.cheapest(own) else { break };
            if kind == PieceType::King && attackers.meets(self.color(!side)) {
                // The king cannot take what is still defended: this side has to stop.
                break;
            }
            occupied ^= capturer;
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(to, occupied) & orthogonal;
            }
            attackers &= occupied;
            side = !side;
            // Seen from the side that must answer now, which stands to lose the capturer's value.
            balance = -balance - 1 - exchange_value(kind);
            if balance >= 0 {
                break;
            }
        }
        // Whoever could not or need not go on has lost the exchange.
        side != self.side_to_move
    }

    /// The cheapest of these pieces of one colour.
    fn cheapest(&self, pieces: Bitboard) -> Option<(PieceType, Bitboard)> {
        PieceType::ALL.into_iter().find_map(|kind| {
            let square = (pieces & self.kind(kind)).first()?;
            Some((kind, square.into()))
        })
    }
}
