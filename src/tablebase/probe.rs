//! WDL and DTZ probes: from stored to true values. Start at [`Tables::probe_wdl`] and
//! [`Tables::probe_dtz`].
//!
//! Where a capture is best, a table may store any value that is not better, and it ignores en
//! passant; so captures are searched too. A DTZ table stores one side to move; for the other side,
//! its moves are searched one ply deep.

use super::Tables;
use super::material::Material;
use super::wdl::Wdl;
use crate::board::{Board, GenType};
use crate::tablebase::format::table::Distance;
use crate::types::{MoveList, PieceType};

/// Result of a position, and whether a capture achieves it.
struct Resolved {
    wdl: Wdl,
    /// Whether the best move is a capture, so that the distance is known without a table.
    by_capture: bool,
}

impl Tables {
    /// Returns the result with best play under the fifty-move rule, with the halfmove clock taken
    /// as zero. `None` with castling rights, with too many men, or if a table is missing or
    /// unreadable.
    #[must_use]
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        self.resolve(board).map(|resolved| resolved.wdl)
    }

    /// Returns the distance to zeroing (DTZ): plies to the next capture or pawn move, negative for
    /// a loss, 0 for a draw. Cursed wins and blessed losses are 100 further from zero. The distance
    /// may be one too small, because some tables count in moves. `None` as for [`Self::probe_wdl`].
    #[must_use]
    pub fn probe_dtz(&self, board: &Board) -> Option<i32> {
        if !self.covers(board) {
            return None;
        }
        self.distance(board)
    }

    /// Returns whether a table may exist for `board`: no castling rights and few enough men.
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        board.occupied().len() as usize <= self.max_men() && board.castling().rooks().is_empty()
    }

    /// Returns the result stored in the WDL table.
    fn stored(&self, board: &Board) -> Option<Wdl> {
        let material = Material::of(board);
        if material.men() == 2 {
            return Some(Wdl::Draw);
        }
        self.wdl.get(material)?.result(board, material)
    }

    fn resolve(&self, board: &Board) -> Option<Resolved> {
        let mut list = MoveList::new();
        board.generate(GenType::Noisy, &mut list);
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
            // Only en passant is legal, so the table sees stalemate or mate.
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

    /// Returns whether a pawn move that is not a capture keeps the win.
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

    /// Returns the distance found by trying each move that is neither a capture nor a pawn move.
    /// For a win the others have been tried already; for a loss they take one ply.
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

/// Returns whether the side to move is checkmated.
pub(super) fn is_checkmate(board: &Board) -> bool {
    board.in_check() && !board.has_legal_move()
}
