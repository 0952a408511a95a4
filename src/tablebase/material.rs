//! Material signature: the pieces on the board, which select the table.

use crate::board::Board;
use crate::types::{Color, Piece, PieceType};

/// Maximum number of men in a table, kings included.
pub(super) const MOST_MEN: usize = 7;

/// Piece counts, four bits each. Kings are not stored: each side has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material(u64);

/// Bits per side.
const SIDE: u32 = 20;

fn place(piece: Piece) -> u32 {
    piece.color().index() as u32 * SIDE + piece.kind().index() as u32 * 4
}

impl Material {
    /// Parses a file name without its extension, such as `KQPvKR`. The side named first is White.
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
                // Also keeps each count within its four bits.
                if material.men() > MOST_MEN {
                    return None;
                }
            }
        }
        (material.men() > 2).then_some(material)
    }

    /// Returns the material of `board`, which must have at most [`MOST_MEN`] men.
    pub(super) fn of(board: &Board) -> Self {
        let counted = Piece::ALL.into_iter().filter(|piece| piece.kind() != PieceType::King);
        Self(counted.fold(0, |sum, piece| {
            let count = board.pieces(piece.color(), piece.kind()).len();
            sum | u64::from(count) << place(piece)
        }))
    }

    /// Returns the number of `piece`.
    pub(super) fn count(self, piece: Piece) -> usize {
        if piece.kind() == PieceType::King { 1 } else { (self.0 >> place(piece)) as usize & 15 }
    }

    /// Returns the number of men, kings included.
    pub(super) fn men(self) -> usize {
        Piece::ALL.into_iter().map(|piece| self.count(piece)).sum()
    }

    /// Returns the material with the colours swapped.
    pub(super) fn flipped(self) -> Self {
        Self(self.0 >> SIDE | (self.0 & (1 << SIDE) - 1) << SIDE)
    }

    /// Returns whether both sides have the same pieces.
    pub(super) fn is_symmetric(self) -> bool {
        self == self.flipped()
    }

    /// Returns the number of White's and of Black's pawns.
    pub(super) fn pawns(self) -> [usize; 2] {
        [self.count(Piece::WhitePawn), self.count(Piece::BlackPawn)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_accepts_only_table_names() {
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
    fn board_material_matches_parsed_name() {
        let board = Board::from_fen("8/8/3k4/8/1n6/2B1P3/4P3/4K3 w - - 0 1").unwrap();
        assert_eq!(Material::of(&board), Material::parse("KBPPvKN").unwrap());
        let bare = Board::from_fen("8/8/3k4/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(Material::of(&bare).men(), 2);
    }
}
