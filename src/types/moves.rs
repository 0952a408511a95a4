//! Moves in one 32-bit word. Start at [`Move`].

use std::fmt;
use std::num::NonZeroU32;

use super::castling::CastlingSide;
use super::color::Color;
use super::piece::{Piece, PieceType};
use super::square::Square;

/// A move, with everything needed to play it without looking at the board.
///
/// ```text
///  31    28 27    24 23       20 19      16 15   12 11      6 5       0
/// +--------+--------+-----------+----------+-------+---------+---------+
/// | unused |captured|  C E D X  |promotion | piece |   to    |  from   |
/// +--------+--------+-----------+----------+-------+---------+---------+
///   X capture (20)   D double push (21)   E en passant (22)   C castling (23)
/// ```
///
/// * `piece` is 1 to 12 for [`Piece`] 0 to 11. No move is the word 0, so `Option<Move>` is four
///   bytes as well.
/// * `promotion` and `captured` are a [`PieceType`]. A pawn cannot promote to a pawn, so 0 in
///   `promotion` means no promotion. `captured` is valid only with the capture flag.
/// * **Castling is encoded as the king capturing its own rook**: `to` is the rook's square. This
///   also serves Chess960, where the king may castle without leaving its square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU32);

const TO: u32 = 6;
const PIECE: u32 = 12;
const PROMOTION: u32 = 16;
const CAPTURE_FLAG: u32 = 1 << 20;
const DOUBLE_PUSH_FLAG: u32 = 1 << 21;
const EN_PASSANT_FLAG: u32 = 1 << 22;
const CASTLING_FLAG: u32 = 1 << 23;
const CAPTURED: u32 = 24;

impl Move {
    /// Packs the fields. `flags` holds all bits from 16 up.
    #[inline]
    const fn new(piece: Piece, from: Square, to: Square, flags: u32) -> Self {
        let word = from as u32 | (to as u32) << TO | (piece as u32 + 1) << PIECE | flags;
        match NonZeroU32::new(word) {
            Some(word) => Self(word),
            // The piece field is at least 1; the compiler sees that too and drops this arm.
            None => unreachable!(),
        }
    }

    /// Creates a move to an empty square.
    #[inline]
    #[must_use]
    pub const fn quiet(piece: Piece, from: Square, to: Square) -> Self {
        Self::new(piece, from, to, 0)
    }

    /// Creates a capture of `captured` on `to`, or a quiet move if it is `None`.
    #[inline]
    #[must_use]
    pub const fn taking(
        piece: Piece,
        from: Square,
        to: Square,
        captured: Option<PieceType>,
    ) -> Self {
        Self::new(piece, from, to, capture_bits(captured))
    }

    /// Creates a promotion to the kind `promotion`, capturing or not.
    #[inline]
    #[must_use]
    pub const fn promotion(
        pawn: Piece,
        from: Square,
        to: Square,
        captured: Option<PieceType>,
        promotion: PieceType,
    ) -> Self {
        Self::new(pawn, from, to, capture_bits(captured) | (promotion as u32) << PROMOTION)
    }

    /// Creates a pawn's double push.
    #[inline]
    #[must_use]
    pub const fn double_push(pawn: Piece, from: Square, to: Square) -> Self {
        Self::new(pawn, from, to, DOUBLE_PUSH_FLAG)
    }

    /// Creates an en passant capture.
    #[inline]
    #[must_use]
    pub const fn en_passant(pawn: Piece, from: Square, to: Square) -> Self {
        Self::new(pawn, from, to, EN_PASSANT_FLAG | capture_bits(Some(PieceType::Pawn)))
    }

    /// Creates castling of the king on `king` with the rook on `rook`.
    #[inline]
    #[must_use]
    pub const fn castling(color: Color, king: Square, rook: Square) -> Self {
        Self::new(Piece::new(color, PieceType::King), king, rook, CASTLING_FLAG)
    }

    /// Returns the packed word.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// Converts a word from an untrusted source, such as a table shared between threads. Returns
    /// `None` if a field is invalid; only a board can tell whether the move is legal.
    #[must_use]
    pub const fn from_bits(word: u32) -> Option<Self> {
        let piece = word >> PIECE & 15;
        let promotion = word >> PROMOTION & 15;
        let captured = word >> CAPTURED & 15;
        let fields_are_valid = piece >= 1
            && piece <= 12
            && promotion <= PieceType::Queen as u32
            && captured <= PieceType::Queen as u32
            && (word & CAPTURE_FLAG != 0 || captured == 0)
            && word >> 28 == 0;
        match NonZeroU32::new(word) {
            Some(word) if fields_are_valid => Some(Self(word)),
            _ => None,
        }
    }

    /// Returns the origin square.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.bits())
    }

    /// Returns the target square; for castling, the rook's square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.bits() >> TO)
    }

    /// Returns the moving piece; for a promotion, the pawn.
    #[inline]
    #[must_use]
    pub const fn piece(self) -> Piece {
        // SAFETY: every constructor writes 1 to 12 into this field (`from_bits` checks it), and
        // `Piece` has the variants 0 to 11 in a `u8`.
        unsafe { std::mem::transmute((self.bits() >> PIECE & 15) as u8 - 1) }
    }

    /// Returns the kind to which a pawn promotes.
    #[inline]
    #[must_use]
    pub const fn promotion_to(self) -> Option<PieceType> {
        let field = self.bits() >> PROMOTION & 15;
        if field == 0 { None } else { Some(kind_from_field(field)) }
    }

    /// Returns the kind of the captured piece.
    #[inline]
    #[must_use]
    pub const fn captured(self) -> Option<PieceType> {
        if self.is_capture() { Some(kind_from_field(self.bits() >> CAPTURED & 15)) } else { None }
    }

    /// Returns whether the move is a capture, en passant included.
    #[inline]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.bits() & CAPTURE_FLAG != 0
    }

    /// Returns whether the move is a pawn's double push.
    #[inline]
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.bits() & DOUBLE_PUSH_FLAG != 0
    }

    /// Returns whether the move is an en passant capture.
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.bits() & EN_PASSANT_FLAG != 0
    }

    /// Returns whether the move is castling.
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        self.bits() & CASTLING_FLAG != 0
    }

    /// Returns whether the move is a promotion.
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.bits() >> PROMOTION & 15 != 0
    }

    /// Returns whether the move is a capture or a promotion.
    #[inline]
    #[must_use]
    pub const fn is_noisy(self) -> bool {
        self.bits() & (CAPTURE_FLAG | 15 << PROMOTION) != 0
    }

    /// Returns whether the move is a double push, en passant, castling or a promotion.
    #[inline]
    #[must_use]
    pub(crate) const fn is_special(self) -> bool {
        const SPECIAL: u32 = DOUBLE_PUSH_FLAG | EN_PASSANT_FLAG | CASTLING_FLAG | 15 << PROMOTION;
        self.bits() & SPECIAL != 0
    }

    /// Returns the wing of a castling move.
    #[inline]
    #[must_use]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        if self.is_castling() { Some(CastlingSide::of(self.from(), self.to())) } else { None }
    }

    /// Returns the square where the moving piece ends: `to`, or the king's new square for castling.
    #[inline]
    #[must_use]
    pub const fn destination(self) -> Square {
        match self.castling_side() {
            Some(side) => side.king_target(self.piece().color()),
            None => self.to(),
        }
    }
}

#[inline]
const fn capture_bits(captured: Option<PieceType>) -> u32 {
    match captured {
        Some(kind) => CAPTURE_FLAG | (kind as u32) << CAPTURED,
        None => 0,
    }
}

#[inline]
const fn kind_from_field(field: u32) -> PieceType {
    debug_assert!(field <= PieceType::Queen as u32);
    // SAFETY: the fields `promotion` and `captured` are written from a `PieceType` (`from_bits`
    // checks them), whose variants are 0 to 5 in a `u8`.
    unsafe { std::mem::transmute(field as u8) }
}

/// Debug format: coordinates with all flags. The formats for users and GUIs are in `notation`.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.piece(), self.from(), self.to())?;
        if let Some(kind) = self.promotion_to() {
            write!(f, "={}", kind.letter())?;
        }
        if let Some(kind) = self.captured() {
            write!(f, "x{}", kind.letter())?;
        }
        for (flag, name) in [
            (self.is_double_push(), " double"),
            (self.is_en_passant(), " e.p."),
            (self.is_castling(), " castling"),
        ] {
            if flag {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_layout_matches_documentation() {
        let mv = Move::promotion(
            Piece::BlackPawn,
            Square::B2,
            Square::A1,
            Some(PieceType::Rook),
            PieceType::Knight,
        );
        let word = 9 | 7 << 12 | 1 << 16 | 1 << 20 | 3 << 24;
        assert_eq!(mv.bits(), word);
        assert_eq!(Move::from_bits(word), Some(mv));
        assert_eq!(std::mem::size_of::<Option<Move>>(), 4);
    }

    #[test]
    fn constructors_set_only_their_fields() {
        let pawn = Piece::WhitePawn;
        let double = Move::double_push(pawn, Square::E2, Square::E4);
        assert!(double.is_double_push() && !double.is_capture() && !double.is_en_passant());
        assert_eq!((double.from(), double.to()), (Square::E2, Square::E4));

        let en_passant = Move::en_passant(pawn, Square::E5, Square::D6);
        assert!(en_passant.is_en_passant() && en_passant.is_noisy());
        assert_eq!(en_passant.captured(), Some(PieceType::Pawn));

        let capture =
            Move::taking(Piece::BlackQueen, Square::A8, Square::H1, Some(PieceType::Bishop));
        assert!(capture.is_capture() && !capture.is_en_passant() && !capture.is_special());
        assert_eq!(capture.piece(), Piece::BlackQueen);
        assert_eq!(capture.captured(), Some(PieceType::Bishop));

        for kind in PieceType::PROMOTIONS {
            let mv = Move::promotion(Piece::BlackPawn, Square::A2, Square::A1, None, kind);
            assert_eq!(mv.promotion_to(), Some(kind));
            assert!(mv.is_noisy() && !mv.is_capture());
        }

        let castling = Move::castling(Color::Black, Square::E8, Square::A8);
        assert_eq!(castling.castling_side(), Some(CastlingSide::Queen));
        assert_eq!(castling.destination(), Square::C8);
        assert!(!castling.is_noisy());
    }

    #[test]
    fn from_bits_rejects_invalid_fields() {
        let good = Move::quiet(Piece::WhiteKnight, Square::G1, Square::F3).bits();
        assert!(Move::from_bits(good).is_some());
        for bad in [0, good & !(15 << 12), good | 15 << 12, good | 15 << 16, good | 5 << 24] {
            assert_eq!(Move::from_bits(bad), None, "{bad:#x}");
        }
        assert_eq!(Move::from_bits(good | 1 << 28), None);
    }
}
