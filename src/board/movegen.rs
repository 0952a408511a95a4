//! Legal move generation, without a pseudo-legal stage. The king only steps to safe squares; other
//! pieces are restricted to squares that answer a check and to pin lines. Start at
//! [`Board::generate`].
//!
//! One generator serves all users. It passes whole sets of target squares to a [`Sink`]: one sink
//! lists the moves, another only counts them.

use super::Board;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, knight_attacks_of_all,
    pawn_attacks_of_all, rook_attacks,
};
use crate::types::{
    Bitboard, Black, CastlingSide, Color, Move, MoveList, Piece, PieceType, Rank, Side, Square,
    White,
};

/// Which legal moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenType {
    /// Every legal move.
    All,
    /// Captures, en passant included, and promotions.
    Noisy,
    /// All other moves, castling included.
    Quiet,
}

impl Board {
    /// Returns all legal moves.
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(GenType::All, &mut list);
        list
    }

    /// Appends the legal moves selected by `moves` to `list`.
    #[inline]
    pub fn generate(&self, moves: GenType, list: &mut MoveList) {
        let mut sink = Collect { board: self, list };
        match (moves, self.side_to_move) {
            (GenType::All, Color::White) => self.generate_into::<White, AllMoves, _>(&mut sink),
            (GenType::All, Color::Black) => self.generate_into::<Black, AllMoves, _>(&mut sink),
            (GenType::Noisy, Color::White) => self.generate_into::<White, NoisyMoves, _>(&mut sink),
            (GenType::Noisy, Color::Black) => self.generate_into::<Black, NoisyMoves, _>(&mut sink),
            (GenType::Quiet, Color::White) => self.generate_into::<White, QuietMoves, _>(&mut sink),
            (GenType::Quiet, Color::Black) => self.generate_into::<Black, QuietMoves, _>(&mut sink),
        }
    }

    /// Returns the number of legal moves without listing them.
    #[inline]
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        let mut sink = Count(0);
        match self.side_to_move {
            Color::White => self.generate_into::<White, AllMoves, _>(&mut sink),
            Color::Black => self.generate_into::<Black, AllMoves, _>(&mut sink),
        }
        sink.0
    }

    /// Returns whether the side to move has a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    fn generate_into<S: Side, W: Wanted, K: Sink>(&self, sink: &mut K) {
        let wanted = W::targets(self.color(S::US), self.color(S::THEM));
        self.king_moves::<S, W, K>(wanted, sink);
        // Squares by which other pieces answer a check: capture the checker or block.
        let answers = match self.checkers.first() {
            None => Bitboard::ALL,
            Some(checker) if !self.checkers.has_many() => {
                between(self.king(S::US), checker) | checker.into()
            }
            Some(_) => return,
        };
        self.piece_moves::<S, K>(wanted & answers, sink);
        self.pawn_moves::<S, W, K>(answers, sink);
    }

    /// Generates king steps and castling. All squares in question are tested for attacks at once.
    #[inline(always)]
    fn king_moves<S: Side, W: Wanted, K: Sink>(&self, wanted: Bitboard, sink: &mut K) {
        let king = self.king(S::US);
        let steps = king_attacks(king) & wanted;
        let rooks = if W::QUIET && !self.in_check() {
            self.castling.rooks_of(S::US)
        } else {
            Bitboard::EMPTY
        };
        let mut asked = steps;
        for rook in rooks {
            asked |= self.castling_path::<S>(rook).unwrap_or_default();
        }
        let safe = self.unattacked::<S>(asked);
        sink.targets(king, steps & safe);
        for rook in rooks {
            if self.castling_path::<S>(rook).is_some_and(|path| path.is_subset(safe)) {
                sink.castling(S::US, king, rook);
            }
        }
    }

    /// Returns the squares that the king crosses when castling with `rook`, its target included, or
    /// `None` if the path of either piece is blocked or the rook is pinned.
    #[inline(always)]
    fn castling_path<S: Side>(&self, rook: Square) -> Option<Bitboard> {
        let (king, occupied) = (self.king(S::US), self.occupied());
        // In Chess960 the castling rook may shield the king from a slider behind it. A rook pinned
        // that way cannot castle: the king ends nearer the edge than the rook and is exposed.
        if occupied.intersects(between(king, rook)) || self.orthogonal_pins.contains(rook) {
            return None;
        }
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::US), side.rook_target(S::US));
        let king_path = between(king, king_target) | king_target.into();
        let rook_path = between(rook, rook_target) | rook_target.into();
        let others = occupied ^ king.into() ^ rook.into();
        (!others.intersects(king_path | rook_path)).then_some(king_path)
    }

    /// Returns whether the side may castle with `rook`, which has the right. The king is not in
    /// check.
    pub(super) fn can_castle<S: Side>(&self, rook: Square) -> bool {
        let path = self.castling_path::<S>(rook);
        path.is_some_and(|path| path == self.unattacked::<S>(path))
    }

    /// Returns those of `squares` on which the king would not be in check.
    #[inline(always)]
    fn unattacked<S: Side>(&self, squares: Bitboard) -> Bitboard {
        let enemies = self.color(S::THEM);
        let diagonal = self.diagonal_sliders() & enemies;
        let orthogonal = self.orthogonal_sliders() & enemies;
        // The king does not shield squares behind it from a slider.
        let occupied = self.occupied() ^ self.king(S::US).into();

        let mut safe = squares
            - pawn_attacks_of_all(S::THEM, self.pieces(S::THEM, PieceType::Pawn))
            - knight_attacks_of_all(self.pieces(S::THEM, PieceType::Knight))
            - king_attacks(self.king(S::THEM));
        // Look from the squares if they are few, otherwise from the enemy sliders (measured).
        if safe.len() <= 2 {
            for square in safe {
                let attackers = bishop_attacks(square, occupied) & diagonal
                    | rook_attacks(square, occupied) & orthogonal;
                if attackers.any() {
                    safe ^= square.into();
                }
            }
        } else {
            for slider in diagonal {
                safe -= bishop_attacks(slider, occupied);
            }
            for slider in orthogonal {
                safe -= rook_attacks(slider, occupied);
            }
        }
        safe
    }

    #[inline(always)]
    fn piece_moves<S: Side, K: Sink>(&self, wanted: Bitboard, sink: &mut K) {
        let (own, occupied) = (self.color(S::US), self.occupied());
        let (orthogonal_pins, diagonal_pins) = (self.orthogonal_pins, self.diagonal_pins);
        let pins = orthogonal_pins | diagonal_pins;

        // A pinned knight cannot move.
        for from in (self.kind(PieceType::Knight) & own) - pins {
            sink.targets(from, knight_attacks(from) & wanted);
        }
        // Queens move as bishops here and as rooks below. Pinned sliders keep to their line: a move
        // off the line never ends on another line of the same kind.
        let diagonal = self.diagonal_sliders() & own;
        for from in diagonal - pins {
            sink.targets(from, bishop_attacks(from, occupied) & wanted);
        }
        for from in diagonal & diagonal_pins {
            sink.targets(from, bishop_attacks(from, occupied) & wanted & diagonal_pins);
        }
        let orthogonal = self.orthogonal_sliders() & own;
        for from in orthogonal - pins {
            sink.targets(from, rook_attacks(from, occupied) & wanted);
        }
        for from in orthogonal & orthogonal_pins {
            sink.targets(from, rook_attacks(from, occupied) & wanted & orthogonal_pins);
        }
    }

    /// Generates pawn moves setwise: each kind of step is one shift of all pawns.
    #[inline(always)]
    fn pawn_moves<S: Side, W: Wanted, K: Sink>(&self, answers: Bitboard, sink: &mut K) {
        let (pawns, empty) = (self.pieces(S::US, PieceType::Pawn), !self.occupied());
        let last_rank = Bitboard::from(Rank::Eighth.relative_to(S::US));
        let third_rank = Bitboard::from(Rank::Third.relative_to(S::US));
        let up = match S::US {
            Color::White => 8,
            Color::Black => -8,
        };

        let free = pawns - self.orthogonal_pins - self.diagonal_pins;
        let pushed = (free.forward(S::US)
            | (pawns & self.orthogonal_pins).forward(S::US) & self.orthogonal_pins)
            & empty;
        if W::QUIET {
            sink.pawns(S::US, (pushed & answers) - last_rank, up);
            let twice = (pushed & third_rank).forward(S::US) & empty & answers;
            sink.double_pushes(S::US, twice);
        }
        if W::NOISY {
            sink.promotions(S::US, pushed & answers & last_rank, up);
            let victims = self.color(S::THEM) & answers;
            let pinned = pawns & self.diagonal_pins;
            let (free, pinned) = (free.forward(S::US), pinned.forward(S::US));
            let left = (free.left() | pinned.left() & self.diagonal_pins) & victims;
            let right = (free.right() | pinned.right() & self.diagonal_pins) & victims;
            for (taking, step) in [(left, up - 1), (right, up + 1)] {
                sink.pawns(S::US, taking - last_rank, step);
                sink.promotions(S::US, taking & last_rank, step);
            }
            if let Some(target) = self.en_passant {
                for from in self.en_passant_takers::<S>(target) {
                    if self.is_en_passant_safe::<S>(from, target) {
                        sink.en_passant(S::US, from, target);
                    }
                }
            }
        }
    }
}

/// The class of moves to generate, known at compile time.
trait Wanted {
    const NOISY: bool;
    const QUIET: bool;

    /// Returns the squares to which pieces other than pawns may move.
    #[inline]
    fn targets(own: Bitboard, enemies: Bitboard) -> Bitboard {
        match (Self::NOISY, Self::QUIET) {
            (true, true) => !own,
            (true, false) => enemies,
            _ => !(own | enemies),
        }
    }
}

struct AllMoves;
struct NoisyMoves;
struct QuietMoves;

impl Wanted for AllMoves {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Wanted for NoisyMoves {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Wanted for QuietMoves {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Receives the generated moves.
trait Sink {
    /// Adds the moves from `from` to each of `targets`, for a piece other than a pawn.
    fn targets(&mut self, from: Square, targets: Bitboard);
    /// Adds pawn moves to `targets` by `step`, a difference of square numbers.
    fn pawns(&mut self, us: Color, targets: Bitboard, step: i32);
    /// Adds promotions on `targets`, which pawns reach by `step`.
    fn promotions(&mut self, us: Color, targets: Bitboard, step: i32);
    /// Adds double pushes to `targets`.
    fn double_pushes(&mut self, us: Color, targets: Bitboard);
    /// Adds an en passant capture.
    fn en_passant(&mut self, us: Color, from: Square, to: Square);
    /// Adds castling with `rook`.
    fn castling(&mut self, us: Color, king: Square, rook: Square);
}

/// A sink that counts the moves.
struct Count(u32);

impl Sink for Count {
    #[inline(always)]
    fn targets(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn pawns(&mut self, _: Color, targets: Bitboard, _: i32) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn promotions(&mut self, _: Color, targets: Bitboard, _: i32) {
        self.0 += 4 * targets.len();
    }

    #[inline(always)]
    fn double_pushes(&mut self, _: Color, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Color, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Color, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// A sink that lists the moves.
struct Collect<'a> {
    board: &'a Board,
    list: &'a mut MoveList,
}

impl Collect<'_> {
    #[inline(always)]
    fn captured(&self, to: Square) -> Option<PieceType> {
        self.board.piece_on(to).map(Piece::kind)
    }
}

impl Sink for Collect<'_> {
    #[inline(always)]
    fn targets(&mut self, from: Square, targets: Bitboard) {
        if let Some(piece) = self.board.piece_on(from) {
            for to in targets {
                self.list.push(Move::taking(piece, from, to, self.captured(to)));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, us: Color, targets: Bitboard, step: i32) {
        let pawn = Piece::new(us, PieceType::Pawn);
        for to in targets {
            let from = to.wrapping_offset(-step);
            self.list.push(Move::taking(pawn, from, to, self.captured(to)));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, us: Color, targets: Bitboard, step: i32) {
        let pawn = Piece::new(us, PieceType::Pawn);
        for to in targets {
            let (from, captured) = (to.wrapping_offset(-step), self.captured(to));
            for kind in PieceType::PROMOTIONS {
                self.list.push(Move::promotion(pawn, from, to, captured, kind));
            }
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, us: Color, targets: Bitboard) {
        for to in targets {
            let from = to.forward(!us).forward(!us);
            self.list.push(Move::double_push(Piece::new(us, PieceType::Pawn), from, to));
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, us: Color, from: Square, to: Square) {
        self.list.push(Move::en_passant(Piece::new(us, PieceType::Pawn), from, to));
    }

    #[inline(always)]
    fn castling(&mut self, us: Color, king: Square, rook: Square) {
        self.list.push(Move::castling(us, king, rook));
    }
}
