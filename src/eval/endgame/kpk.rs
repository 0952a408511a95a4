//! KPK bitbase: king and pawn against king, one bit (win or draw) per position. Entry point:
//! `is_win`.
//!
//! Positions are turned and mirrored so that White has the pawn, on files a to d. For each pawn
//! square, white king square and side to move, one [`Bitboard`] holds the squares on which Black's
//! king loses, so set operations solve all of them at once.

use std::sync::LazyLock;

use crate::attacks::{king_attacks, pawn_attacks, queen_attacks, rook_attacks};
use crate::board::Board;
use crate::types::{Bitboard, Color, File, Rank, Square};

/// Number of pawn squares: four files, six ranks.
const PAWNS: usize = 24;

/// Squares on which Black's king loses, by pawn index and white king square.
type Lost = [[Bitboard; Square::COUNT]; PAWNS];

/// Built on first use, in about 0.1 ms; 24 KiB.
static BITBASE: LazyLock<KpkBitbase> = LazyLock::new(KpkBitbase::new);

/// Returns whether `strong` wins with its king and a pawn on `pawn` against a bare king.
pub(crate) fn is_win(board: &Board, strong: Color, pawn: Square) -> bool {
    debug_assert_eq!(board.occupied().len(), 3);
    let mirror = if pawn.file() > File::D { 0o07 } else { 0 };
    let seen =
        |square: Square| Square::from_low_bits(square.relative_to(strong).index() as u32 ^ mirror);
    let table = if board.side_to_move() == strong {
        &BITBASE.white_to_move
    } else {
        &BITBASE.black_to_move
    };
    let king = seen(board.king(strong));
    table[pawn_index(seen(pawn))][king.index()].contains(seen(board.king(!strong)))
}

/// Returns the index of a pawn square: 0 for a2, 1 for b2, ... 23 for d7.
fn pawn_index(pawn: Square) -> usize {
    (pawn.rank().index() - 1) * 4 + pawn.file().index()
}

fn pawn_square(index: usize) -> Square {
    Square::new(File::ALL[index % 4], Rank::ALL[index / 4 + 1])
}

struct KpkBitbase {
    white_to_move: Lost,
    black_to_move: Lost,
}

impl KpkBitbase {
    fn new() -> Self {
        let nothing = [[Bitboard::EMPTY; Square::COUNT]; PAWNS];
        let mut solved = Self { white_to_move: nothing, black_to_move: nothing };
        // From the seventh rank down, so that every push leads to a solved square.
        for index in (0..PAWNS).rev() {
            solved.solve(pawn_square(index));
        }
        solved
    }

    /// Finds the lost squares for `pawn`: first those where a push wins, then, until nothing
    /// changes, those from which king moves lead to lost ones.
    fn solve(&mut self, pawn: Square) {
        let index = pawn_index(pawn);
        let guarded = pawn_attacks(Color::White, pawn);
        let by_push = std::array::from_fn::<_, { Square::COUNT }, _>(|king| {
            self.lost_by_push(pawn, Square::from_low_bits(king as u32))
        });
        let mut grows = true;
        while grows {
            grows = false;
            for king in !Bitboard::from(pawn) {
                let near = king_attacks(king) | king.into();
                let possible = !(near | pawn.into());
                let by_king = (king_attacks(king) - pawn.into())
                    .into_iter()
                    .fold(Bitboard::EMPTY, |set, to| set | self.black_to_move[index][to.index()]);
                let white = (possible - guarded) & (by_push[king.index()] | by_king);
                // If White's king does not protect the pawn, its square is free and never lost:
                // Black captures it.
                let free = !(near | guarded);
                let black = possible & lost(free, free - white, guarded);
                grows |= black != self.black_to_move[index][king.index()];
                self.white_to_move[index][king.index()] = white;
                self.black_to_move[index][king.index()] = black;
            }
        }
    }

    fn lost_by_push(&self, pawn: Square, king: Square) -> Bitboard {
        let ahead = pawn.forward(Color::White);
        if ahead == king {
            return Bitboard::EMPTY;
        }
        // There are no entries for a king on the pawn's square, so it blocks a double push.
        let after = |to: Square| self.black_to_move[pawn_index(to)][king.index()];
        match pawn.rank() {
            Rank::Seventh => lost_by_promotion(ahead, king),
            Rank::Second => after(ahead) | after(ahead.forward(Color::White)) - ahead.into(),
            _ => after(ahead),
        }
    }
}

/// Returns the lost squares after a promotion on `to`. A queen wins unless it is captured or gives
/// stalemate; in the latter case a rook may win.
fn lost_by_promotion(to: Square, king: Square) -> Bitboard {
    let lost_to = |attacks: Bitboard| {
        let free = !(king_attacks(king) | king.into() | attacks);
        lost(free, free & to.into(), attacks)
    };
    let queen = lost_to(queen_attacks(to, king.into()));
    let rook = lost_to(rook_attacks(to, king.into()));
    (queen | rook) - to.into()
}

/// Returns the squares from which a king to move loses: it is not stalemated, and none of its
/// moves, which lead to `free` squares, reaches one that is `held`.
fn lost(free: Bitboard, held: Bitboard, attacked: Bitboard) -> Bitboard {
    let stalemate = !around(free) - attacked;
    !(around(held) | stalemate)
}

/// Returns the squares adjacent to at least one of `squares`.
fn around(squares: Bitboard) -> Bitboard {
    let sides = squares.left() | squares.right();
    let row = squares | sides;
    sides | row.up() | row.down()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use crate::types::{CastlingRights, Piece, PieceType};

    fn won(board: &Board) -> bool {
        let pawn = board.kind(PieceType::Pawn).first().unwrap();
        let strong = board.piece_on(pawn).unwrap().color();
        is_win(board, strong, pawn)
    }

    /// Returns every legal position with a white pawn on `files`.
    fn positions(files: &[File]) -> impl Iterator<Item = Board> {
        let pawns = Square::all().filter(|pawn| files.contains(&pawn.file()));
        pawns.flat_map(|pawn| {
            (0..2 * 64 * 64).filter_map(move |code| {
                let mut setup = Setup {
                    squares: [None; 64],
                    side_to_move: Color::ALL[code >> 12],
                    castling: CastlingRights::NONE,
                    en_passant: None,
                    halfmove_clock: 0,
                    fullmove_number: 1,
                };
                setup.squares[code >> 6 & 63] = Some(Piece::new(Color::White, PieceType::King));
                setup.squares[code & 63] = Some(Piece::new(Color::Black, PieceType::King));
                setup.squares[pawn.index()] = Some(Piece::new(Color::White, PieceType::Pawn));
                setup.build().ok()
            })
        })
    }

    /// Slow twin of one solving step: derives the result from those after each legal move.
    fn won_by_its_moves(board: &Board) -> bool {
        let moves = board.legal_moves();
        let wins = |after: &Board| match after.kind(PieceType::Pawn).first() {
            Some(_) => won(after),
            None if after.is_material_insufficient() => false,
            // Promoted: a queen or rook wins unless it can be captured at once or gives stalemate.
            None => {
                after.orthogonal_sliders().any()
                    && after.legal_moves().iter().all(|mv| !mv.is_capture())
                    && (after.has_legal_move() || after.in_check())
            }
        };
        match board.side_to_move() {
            Color::White => moves.iter().any(|&mv| wins(&board.after(mv))),
            Color::Black if moves.is_empty() => board.in_check(),
            Color::Black => moves.iter().all(|&mv| wins(&board.after(mv))),
        }
    }

    #[test]
    fn result_follows_from_legal_moves() {
        for board in positions(&[File::A, File::B, File::C, File::D]) {
            assert_eq!(won(&board), won_by_its_moves(&board), "{}", board.to_fen());
        }
    }

    #[test]
    fn result_is_the_same_mirrored_and_flipped() {
        for board in positions(&[File::B, File::D]) {
            let flipped = Setup::from(&board).flipped().build().unwrap();
            assert_eq!(won(&board), won(&flipped), "{}", board.to_fen());
            let mut mirrored = Setup::from(&board);
            mirrored.squares.chunks_exact_mut(8).for_each(<[_]>::reverse);
            assert_eq!(won(&board), won(&mirrored.build().unwrap()), "{}", board.to_fen());
        }
    }

    /// Totals of the Syzygy table `KPvK`, counted with python-chess over all legal positions with
    /// the pawn on files a to d. The table also agrees with the bitbase position by position.
    #[test]
    fn win_counts_match_syzygy() {
        let mut legal = [0; 2];
        let mut wins = [0; 2];
        for board in positions(&[File::A, File::B, File::C, File::D]) {
            let side = board.side_to_move().index();
            legal[side] += 1;
            wins[side] += usize::from(won(&board));
        }
        assert_eq!(legal, [81_664, 84_012]);
        assert_eq!(wins, [62_480, 48_802]);
    }

    #[test]
    fn textbook_positions() {
        for (fen, expected) in [
            // King in front of the pawn, with the opposition and without it.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", true),
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", false),
            // Pawn on d7: stalemate, or the checked king must leave. Pawn to e7: without check, or
            // with.
            ("3k4/3P4/3K4/8/8/8/8/8 b - - 0 1", false),
            ("2k5/3P4/3K4/8/8/8/8/8 b - - 0 1", true),
            ("4k3/8/3KP3/8/8/8/8/8 w - - 0 1", true),
            ("4k3/8/3KP3/8/8/8/8/8 b - - 0 1", false),
            // Rook pawn: the defender holds the corner, is kept out of it, or shuts the attacking
            // king in.
            ("k7/8/K7/P7/8/8/8/8 b - - 0 1", false),
            ("8/1K1k4/8/P7/8/8/8/8 w - - 0 1", true),
            ("2k5/K7/P7/8/8/8/8/8 w - - 0 1", false),
            // Rule of the square: the king steps into it, or comes too late.
            ("8/8/8/P3k3/8/8/8/7K b - - 0 1", false),
            ("8/8/8/P3k3/8/8/8/7K w - - 0 1", true),
            // A queen would give stalemate; a rook wins.
            ("8/k1P5/2K5/8/8/8/8/8 w - - 0 1", true),
        ] {
            assert_eq!(won(&Board::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }
}
