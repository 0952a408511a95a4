//! From what tables store to what is true of a position.
//!
//! A table leaves out what one capture shows: where a capture is best its value may be anything that
//! is not better. Taking in passing it does not know at all. So captures are played and looked up
//! too. Tables of distances have only one side to move; for the other its moves are played.

use super::Tables;
use super::material::Material;
use super::table::Distance;
use super::wdl::Wdl;
use crate::board::{Board, Moves};
use crate::types::{MoveList, PieceType};

/// The result of a position, and whether a capture brings it about.
struct Resolved {
    wdl: Wdl,
    /// Is the best move a capture, so that the distance is known without a table?
    by_capture: bool,
}

impl Tables {
    /// The result of a position with best play by both sides, under the fifty-move rule and with its
    /// clock at zero. `None` with castling rights, too many men, or where a table is missing.
    #[must_use]
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        self.resolve(board).map(|resolved| resolved.wdl)
    }

    /// Plies to the next capture or pawn move on the way to the result, negative for the side that
    /// loses, 0 for a draw; 100 more where the fifty-move rule makes a draw of it. May be one too
    /// small, because some tables count in moves.
    #[must_use]
    pub fn probe_dtz(&self, board: &Board) -> Option<i32> {
        if !self.covers(board) {
            return None;
        }
        self.distance(board)
    }

    /// Can there be a table for it?
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        board.occupied().len() as usize <= self.max_men() && board.castling().rooks().is_empty()
    }

    /// What the table of results stores for the position.
    fn stored(&self, board: &Board) -> Option<Wdl> {
        let material = Material::of(board);
        if material.men() == 2 {
            return Some(Wdl::Draw);
        }
        self.wdl.get(material)?.result(board, material)
    }

    fn resolve(&self, board: &Board) -> Option<Resolved> {
        let mut list = MoveList::new();
        board.generate(Moves::Noisy, &mut list);
        let (mut best, mut in_passing) = (None, None);
        for &mv in list.iter().filter(|mv| mv.is_capture()) {
            let mut child = *board;
            child.play_unchecked(mv);
            let wdl = -self.resolve(&child)?.wdl;
            if wdl == Wdl::Win {
                return Some(Resolved { wdl, by_capture: true });
            }
            let slot = if mv.is_en_passant() { &mut in_passing } else { &mut best };
            *slot = (*slot).max(Some(wdl));
        }
        if let Some(wdl) = in_passing
            && board.legal_moves().iter().all(|mv| mv.is_en_passant())
        {
            // The table takes this for stalemate or mate.
            return Some(Resolved { wdl, by_capture: true });
        }
        let stored = self.stored(board)?;
        if let Some(wdl) = in_passing.filter(|&wdl| wdl > stored && Some(wdl) > best) {
            return Some(Resolved { wdl, by_capture: true });
        }
        match best.max(in_passing) {
            Some(wdl) if wdl >= stored => Some(Resolved { wdl, by_capture: wdl > Wdl::Draw }),
            _ => Some(Resolved { wdl: stored, by_capture: false }),
        }
    }

    fn distance(&self, board: &Board) -> Option<i32> {
        let Resolved { wdl, by_capture } = self.resolve(board)?;
        if wdl == Wdl::Draw {
            return Some(0);
        }
        if by_capture || wdl > Wdl::Draw && self.has_winning_pawn_move(board, wdl)? {
            return Some(wdl.zeroing_now());
        }
        let material = Material::of(board);
        match self.dtz.get(material)?.distance(board, material, wdl)? {
            Distance::Plies(plies) => Some(wdl.zeroing_now() + plies * wdl.value().signum()),
            Distance::OtherSide => self.distance_by_moves(board, wdl),
        }
    }

    /// Does a pawn move, not a capture, keep the win?
    fn has_winning_pawn_move(&self, board: &Board, wdl: Wdl) -> Option<bool> {
        for &mv in &board.legal_moves() {
            if mv.piece().kind() == PieceType::Pawn && !mv.is_capture() {
                let mut child = *board;
                child.play_unchecked(mv);
                if -self.resolve(&child)?.wdl == wdl {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// The distance from those after each move that is neither capture nor pawn move; all others
    /// have been considered, or are worth a ply.
    fn distance_by_moves(&self, board: &Board, wdl: Wdl) -> Option<i32> {
        let wins = wdl > Wdl::Draw;
        let mut best = (!wins).then(|| wdl.zeroing_now());
        for &mv in &board.legal_moves() {
            if mv.piece().kind() == PieceType::Pawn || mv.is_capture() {
                continue;
            }
            let mut child = *board;
            child.play_unchecked(mv);
            let after = -self.distance(&child)?;
            if wins && is_checkmate(&child) {
                return Some(1);
            }
            if wins && after > 0 {
                best = Some(best.map_or(after + 1, |best: i32| best.min(after + 1)));
            } else if !wins && after < 0 {
                best = Some(best.map_or(after - 1, |best: i32| best.min(after - 1)));
            }
        }
        best
    }
}

/// Is the side to move mated?
pub(super) fn is_checkmate(board: &Board) -> bool {
    board.in_check() && !board.has_legal_move()
}
