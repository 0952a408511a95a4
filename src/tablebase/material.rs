//! Which pieces are on the board: what chooses the table.

use crate::board::Board;
use crate::types::{Color, Piece, PieceType};

/// The most men for which there are tables.
pub(super) const MOST_MEN: usize = 7;

/// How many there are of each piece, four bits each; the kings, which are always there, are not
/// counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material(u64);

/// Bits for one side.
const SIDE: u32 = 20;

fn place(piece: Piece) -> u32 {
    piece.color().index() as u32 * SIDE + piece.kind().index() as u32 * 4
}

impl Material {
    /// Reads a file's name without its ending, such as `KQPvKR`. White is the side named first.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut material = Self(0);
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            for letter in side.strip_prefix('K')?.chars() {
                let kind = PieceType::from_letter(letter.to_ascii_lowercase())?;
                if !letter.is_ascii_uppercase() || kind == PieceType::King {
                    return None;
                }
                material.0 += 1 << place(Piece::new(color, kind));
                // Also keeps the counts within their four bits.
                if material.men() > MOST_MEN {
                    return None;
                }
            }
        }
        (material.men() > 2).then_some(material)
    }

    /// Of a position with no more than [`MOST_MEN`] men.
    pub(super) fn of(board: &Board) -> Self {
        let counted = Piece::ALL.into_iter().filter(|piece| piece.kind() != PieceType::King);
        Self(counted.fold(0, |sum, piece| {
            let count = board.pieces(piece.color(), piece.kind()).len();
            sum | u64::from(count) << place(piece)
        }))
    }

    /// How many there are of a piece.
    pub(super) fn count(self, piece: Piece) -> usize {
        if piece.kind() == PieceType::King { 1 } else { (self.0 >> place(piece)) as usize & 15 }
    }

    /// All men, kings included.
    pub(super) fn men(self) -> usize {
        Piece::ALL.into_iter().map(|piece| self.count(piece)).sum()
    }

    /// The same with the colours exchanged.
    pub(super) fn flipped(self) -> Self {
        Self(self.0 >> SIDE | (self.0 & (1 << SIDE) - 1) << SIDE)
    }

    /// Have both sides the same?
    pub(super) fn is_symmetric(self) -> bool {
        self == self.flipped()
    }

    /// The pawns of both sides.
    pub(super) fn pawns(self) -> [usize; 2] {
        [self.count(Piece::WhitePawn), self.count(Piece::BlackPawn)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let material = Material::parse("KQPPvKR").unwrap();
        assert_eq!((material.men(), material.pawns()), (6, [2, 0]));
        assert_eq!(material.flipped(), Material::parse("KRvKQPP").unwrap());
        assert!(!material.is_symmetric());
        assert!(Material::parse("KRvKR").unwrap().is_symmetric());
        for name in
            ["", "v", "KvK", "KQ", "QvK", "KQvR", "KQvkr", "KXvK", "KKvK", "KQvKvK", "KPPPPPPvK"]
        {
            assert_eq!(Material::parse(name), None, "{name}");
        }
        assert_eq!(Material::parse(&format!("K{}vK", "P".repeat(1000))), None);
    }

    #[test]
    fn positions_are_counted() {
        let board = Board::from_fen("8/8/3k4/8/1n6/2B1P3/4P3/4K3 w - - 0 1").unwrap();
        assert_eq!(Material::of(&board), Material::parse("KBPPvKN").unwrap());
        let bare = Board::from_fen("8/8/3k4/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(Material::of(&bare).men(), 2);
    }
}
