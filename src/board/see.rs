//! Static Exchange Evaluation (SEE): the value of a sequence of captures on one square. Start at
//! [`Board::see_at_least`].

use super::Board;
use crate::attacks::{bishop_attacks, rook_attacks};
use crate::types::{Bitboard, Move, PieceType};

/// Exchange values of the pieces in centipawns, pawn to king.
const VALUE: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// Returns the exchange value of `kind` in centipawns.
#[inline]
#[must_use]
pub const fn see_value(kind: PieceType) -> i32 {
    VALUE[kind as usize]
}

impl Board {
    /// Returns whether the legal move `mv` wins at least `threshold` centipawns if both sides then
    /// capture on its target square with their cheapest piece, and stop when that is better for
    /// them.
    ///
    /// X-rays count: a slider behind another piece joins in once that piece has captured. Pins are
    /// ignored, but a king never captures a defended piece.
    #[must_use]
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let won = mv.captured().map_or(0, see_value)
            + mv.promotion_to().map_or(0, |kind| see_value(kind) - VALUE[0]);
        // The mover's surplus over the threshold, first if its piece survives, then if it is lost.
        let mut balance = won - threshold;
        if balance < 0 {
            return false;
        }
        balance -= see_value(mv.promotion_to().unwrap_or(mv.piece().kind()));
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
            if kind == PieceType::King && attackers.intersects(self.color(!side)) {
                // The king cannot capture a defended piece, so this side has to stop.
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
            // The balance of the side that has just captured, should it lose the capturer as well.
            // On integers, `-balance - 1 >= 0` is the negation of `balance >= 0`.
            balance = -balance - 1 - see_value(kind);
            if balance >= 0 {
                break;
            }
        }
        // `side` cannot capture or gains nothing by it, so it has lost the exchange.
        side != self.side_to_move
    }

    /// Returns the kind and the square of the cheapest of `pieces`, all of one colour.
    fn cheapest(&self, pieces: Bitboard) -> Option<(PieceType, Bitboard)> {
        PieceType::ALL.into_iter().find_map(|kind| {
            let square = (pieces & self.kind(kind)).first()?;
            Some((kind, square.into()))
        })
    }
}
