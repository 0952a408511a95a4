//! Inputs of the network: one per piece and square, from the point of view of either side. The
//! trainer and the engine share this code, so they cannot disagree. Start at [`Perspective`].

use crate::types::{Color, File, Piece, Square};

/// Number of inputs per perspective: 12 kinds of piece (friendly first) on 64 squares.
pub(crate) const INPUTS: usize = 768;
/// Number of output buckets.
pub(crate) const BUCKETS: usize = 8;

/// The point of view of one side. The board is flipped so that its own pieces start at the bottom,
/// and mirrored so that its king stands on files a to d.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Perspective {
    color: Color,
    /// Bits of the square index that change: the rank for Black, the file if mirrored.
    flip: usize,
}

impl Perspective {
    /// Creates the perspective of `color`, whose king stands on `king`.
    #[inline]
    pub(crate) fn new(color: Color, king: Square) -> Self {
        let rank = if color == Color::Black { 0o70 } else { 0 };
        let file = if king.file() >= File::E { 0o07 } else { 0 };
        Self { color, flip: rank | file }
    }

    /// Returns the half of the board on which the king stands: 0 for files a to d, 1 for e to h.
    #[inline]
    pub(crate) fn half(self) -> usize {
        self.flip & 1
    }

    /// Returns the input for `piece` on `square`.
    #[inline]
    pub(crate) fn input(self, piece: Piece, square: Square) -> usize {
        let enemy = usize::from(piece.color() != self.color);
        (enemy * 6 + piece.kind().index()) * 64 + (square.index() ^ self.flip)
    }
}

/// Returns the output bucket for a position with `men` men on the board, kings included.
#[inline]
pub(crate) fn output_bucket(men: usize) -> usize {
    (men.saturating_sub(2) / 4).min(BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the input from the point of view of `color` with its king on `king`.
    fn input(color: Color, king: Square, piece: Piece, square: Square) -> usize {
        Perspective::new(color, king).input(piece, square)
    }

    #[test]
    fn inputs_are_flipped_and_mirrored() {
        use Color::{Black, White};
        let pawn = Piece::WhitePawn;
        // White's own pawn on a2 (square 8) with the king on the left; mirrored on the right.
        assert_eq!(input(White, Square::D1, pawn, Square::A2), 8);
        assert_eq!(input(White, Square::E1, pawn, Square::H2), 8);
        // For Black it is an enemy pawn on the seventh rank.
        assert_eq!(input(Black, Square::A8, pawn, Square::A2), 6 * 64 + 48);
        assert_eq!(input(Black, Square::H8, pawn, Square::A2), 6 * 64 + 55);
        // A position and its flip with colours swapped look the same.
        for (king, square) in [(Square::C1, Square::F6), (Square::G3, Square::B2)] {
            let [flipped_king, flipped] = [king, square].map(|it| it.relative_to(Black));
            for kind in crate::types::PieceType::ALL {
                for color in Color::ALL {
                    assert_eq!(
                        input(White, king, Piece::new(color, kind), square),
                        input(Black, flipped_king, Piece::new(!color, kind), flipped)
                    );
                }
            }
        }
    }

    #[test]
    fn inputs_of_a_perspective_are_distinct() {
        let mut seen = vec![false; INPUTS];
        for piece in Piece::ALL {
            for square in Square::all() {
                let input = input(Color::Black, Square::E8, piece, square);
                assert!(!std::mem::replace(&mut seen[input], true));
            }
        }
    }

    #[test]
    fn every_bucket_is_used() {
        let buckets: Vec<usize> = (2..=32).map(output_bucket).collect();
        assert_eq!((buckets[0], buckets[30]), (0, BUCKETS - 1));
        assert!(buckets.is_sorted() && (0..BUCKETS).all(|bucket| buckets.contains(&bucket)));
    }
}
