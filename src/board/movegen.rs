//! Legal moves, generated directly: the king goes where nobody attacks, and what the others may do
//! is cut down to the squares that answer a check and to the lines of pins.
//!
//! One generator serves all users. It hands whole sets of target squares to a [`Sink`]; a list
//! turns them into moves, a counter only counts them.

use super::Board;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, knight_attacks_of_all,
    pawn_attacks_of_all, rook_attacks,
};
use crate::types::{
    Bitboard, Black, Color, Move, MoveList, Piece, PieceType, Rank, Side, Square, White, Wing,
};

/// Which legal moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// Every legal move.
    All,
    /// Captures (in passing too) and promotions.
    Noisy,
    /// All others, castling included.
    Quiet,
}

impl Board {
    /// All legal moves.
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Moves::All, &mut list);
        list
    }

    /// Adds the legal moves of the chosen sort to a list.
    #[inline]
    pub fn generate(&self, moves: Moves, list: &mut MoveList) {
        let mut sink = Collect { board: self, list };
        match (moves, self.side_to_move) {
            (Moves::All, Color::White) => self.generate_into::<White, AllMoves, _>(&mut sink),
            (Moves::All, Color::Black) => self.generate_into::<Black, AllMoves, _>(&mut sink),
            (Moves::Noisy, Color::White) => self.generate_into::<White, NoisyMoves, _>(&mut sink),
            (Moves::Noisy, Color::Black) => self.generate_into::<Black, NoisyMoves, _>(&mut sink),
            (Moves::Quiet, Color::White) => self.generate_into::<White, QuietMoves, _>(&mut sink),
            (Moves::Quiet, Color::Black) => self.generate_into::<Black, QuietMoves, _>(&mut sink),
        }
    }

    /// The number of legal moves, without making a list of them.
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

    /// Is there a legal move?
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    fn generate_into<S: Side, W: Wanted, K: Sink>(&self, sink: &mut K) {
        let wanted = W::targets(self.color(S::US), self.color(S::THEM));
        self.king_moves::<S, W, K>(wanted, sink);
        // What the other pieces may do about a check: take the checking piece or step between.
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

    /// Steps of the king and castling. Which of the squares in question are attacked is asked once
    /// for all of them.
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
            if self.castling_path::<S>(rook).is_some_and(|path| path.is_within(safe)) {
                sink.castling(S::US, king, rook);
            }
        }
    }

    /// The squares that the king crosses when it castles with this rook, its target included, if
    /// the way is free for both.
    #[inline(always)]
    fn castling_path<S: Side>(&self, rook: Square) -> Option<Bitboard> {
        let (king, occupied) = (self.king(S::US), self.occupied());
        // In Chess960 the rook may shield the king from the side it comes from. A rook pinned like
        // that cannot castle: the king ends further out than the rook and is exposed.
        if occupied.meets(between(king, rook)) || self.orthogonal_pins.has(rook) {
            return None;
        }
        let wing = Wing::of(king, rook);
        let (king_target, rook_target) = (wing.king_target(S::US), wing.rook_target(S::US));
        let king_path = between(king, king_target) | king_target.into();
        let rook_path = between(rook, rook_target) | rook_target.into();
        let others = occupied ^ king.into() ^ rook.into();
        (!others.meets(king_path | rook_path)).then_some(king_path)
    }

    /// May the side castle with this rook, which still has the right to? The king is not in check.
    pub(super) fn can_castle<S: Side>(&self, rook: Square) -> bool {
        let path = self.castling_path::<S>(rook);
        path.is_some_and(|path| path == self.unattacked::<S>(path))
    }

    /// The squares among these on which the king would not be in check.
    #[inline(always)]
    fn unattacked<S: Side>(&self, squares: Bitboard) -> Bitboard {
        let enemies = self.color(S::THEM);
        let diagonal = self.diagonal_sliders() & enemies;
        let orthogonal = self.orthogonal_sliders() & enemies;
        // The king does not hide from a slider behind itself.
        let occupied = self.occupied() ^ self.king(S::US).into();

        let mut safe = squares
            - pawn_attacks_of_all(S::THEM, self.pieces(S::THEM, PieceType::Pawn))
            - knight_attacks_of_all(self.pieces(S::THEM, PieceType::Knight))
            - king_attacks(self.king(S::THEM));
        // Look from the squares if they are few, from the sliders if they are more (measured).
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

        // A pinned knight has no move.
        for from in (self.kind(PieceType::Knight) & own) - pins {
            sink.targets(from, knight_attacks(from) & wanted);
        }
        // A queen is here as a bishop and below as a rook. Pinned sliders keep to their line, and
        // a move across the line never ends on another line of the same kind.
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

    /// All pawns at once: each kind of step is a shift of the whole set.
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

/// Which moves a generator is made for, known at compile time.
trait Wanted {
    const NOISY: bool;
    const QUIET: bool;

    /// Where pieces other than pawns may go.
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

/// Takes what the generator finds.
trait Sink {
    /// A piece, not a pawn, may go from a square to any of these.
    fn targets(&mut self, from: Square, targets: Bitboard);
    /// Pawns may reach these squares by a step (as a difference of square numbers).
    fn pawns(&mut self, us: Color, targets: Bitboard, step: i32);
    /// Pawns may reach these squares of the last rank by a step.
    fn promotions(&mut self, us: Color, targets: Bitboard, step: i32);
    /// Pawns may reach these squares by a double step.
    fn double_pushes(&mut self, us: Color, targets: Bitboard);
    /// A pawn may take in passing.
    fn en_passant(&mut self, us: Color, from: Square, to: Square);
    /// The king may castle with a rook.
    fn castling(&mut self, us: Color, king: Square, rook: Square);
}

/// Counts the moves.
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

/// Makes a list of the moves.
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
