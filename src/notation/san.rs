//! Standard Algebraic Notation (`Nf3`, `exd5`, `R1e2+`, `e8=Q#`, `O-O`) and long algebraic notation
//! (`Ng1-f3`). SAN is written as the PGN standard defines it; parsing is lenient. Start at [`San`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::uci_move::UciMove;
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};
use crate::board::Board;
use crate::types::{Bitboard, CastlingSide, Color, File, Move, PieceType, Rank, Square};

/// A parsed SAN move, not yet checked for legality.
///
/// ```
/// use damero::board::Board;
/// use damero::notation::San;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let board = Board::starting_position();
/// let mv = "Nf3".parse::<San>()?.to_move(&board)?;
/// assert_eq!(San::new(&board, mv).to_string(), "Nf3");
/// assert_eq!("Ng1-f3!?".parse::<San>()?.to_move(&board)?, mv);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    /// The move without its suffix.
    pub san_move: SanMove,
    /// The check or mate suffix. Ignored when the move is resolved.
    pub mark: Mark,
}

/// The part of a SAN move that identifies it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanMove {
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// Any other move.
    Piece {
        /// The type of the moving piece.
        kind: PieceType,
        /// The file of origin, if given.
        file: Option<File>,
        /// The rank of origin, if given.
        rank: Option<Rank>,
        /// Whether it is marked as a capture.
        capture: bool,
        /// The target square.
        to: Square,
        /// The promotion piece, if given.
        promotion: Option<PieceType>,
    },
}

/// The check or mate suffix of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mark {
    /// Neither check nor mate.
    #[default]
    None,
    /// `+`
    Check,
    /// `#`
    Mate,
}

/// Text that is not a SAN move. Holds its first 40 characters.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a move (expected SAN, such as e4, Nf3, exd5, e8=Q or O-O)")]
pub struct SanSyntax(pub String);

/// A SAN move that does not resolve to exactly one legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    /// No legal move matches.
    #[error("{san} is not a legal move in {fen}")]
    Illegal {
        /// The move.
        san: San,
        /// The position, as FEN.
        fen: String,
    },
    /// Several legal moves match.
    #[error("{san} is ambiguous: {}", among(candidates))]
    Ambiguous {
        /// The move.
        san: San,
        /// The matching moves.
        candidates: Vec<San>,
    },
    /// A pawn reaches the last rank and the promotion piece is missing.
    #[error("{san} lacks a promotion piece: write {san}=Q, for example")]
    PromotionMissing {
        /// The move.
        san: San,
    },
}

fn among(candidates: &[San]) -> String {
    let texts: Vec<String> = candidates.iter().map(San::to_string).collect();
    texts.join(" or ")
}

impl San {
    /// Converts the legal move `mv` as the PGN standard requires, with minimal disambiguation.
    #[must_use]
    pub fn new(board: &Board, mv: Move) -> Self {
        let (file, rank) = disambiguation(board, mv);
        Self { san_move: san_move(mv, file, rank), mark: mark(board, mv) }
    }

    /// Converts the legal move `mv`, keeping its full origin square.
    fn in_full(board: &Board, mv: Move) -> Self {
        let from = mv.from();
        Self { san_move: san_move(mv, Some(from.file()), Some(from.rank())), mark: mark(board, mv) }
    }

    /// Finds the legal move that matches. Missing or superfluous `x`, `+` and `#` are ignored;
    /// ambiguous moves are rejected.
    ///
    /// # Errors
    /// If no legal move matches, or more than one.
    pub fn to_move(self, board: &Board) -> Result<Move, SanError> {
        let illegal = || SanError::Illegal { san: self, fen: board.to_fen() };
        let us = board.side_to_move();
        match self.san_move {
            SanMove::Castling(side) => {
                let king = board.king(us);
                let rook = board.castling().rook(us, king, side);
                rook.and_then(|rook| board.find_legal(king, rook, None)).ok_or_else(illegal)
            }
            // Two squares without a piece letter, or with `P`, are coordinates and fit any piece.
            SanMove::Piece {
                kind: PieceType::Pawn,
                file: Some(file),
                rank: Some(rank),
                to,
                promotion,
                ..
            } => {
                let from = Square::new(file, rank);
                let found = UciMove { from, to, promotion }.to_move(board).ok();
                found.ok_or_else(|| self.why_not(board, from.into(), to).unwrap_or_else(illegal))
            }
            SanMove::Piece { kind, file, rank, to, promotion, .. } => {
                let mut origins = origins(board, kind, to) & board.pieces(us, kind);
                if let Some(file) = file {
                    origins &= file.into();
                } else if kind == PieceType::Pawn {
                    // A pawn capture must name its file.
                    origins &= to.file().into();
                }
                if let Some(rank) = rank {
                    origins &= rank.into();
                }
                let mut found = None;
                for from in origins {
                    // Castling is encoded as king takes rook, but SAN never writes it that way.
                    let legal = board.find_legal(from, to, promotion);
                    let Some(mv) = legal.filter(|mv| !mv.is_castling()) else { continue };
                    if found.is_some() {
                        return Err(self.ambiguous(board, origins, to, promotion));
                    }
                    found = Some(mv);
                }
                found.ok_or_else(|| self.why_not(board, origins, to).unwrap_or_else(illegal))
            }
        }
    }

    fn ambiguous(
        self,
        board: &Board,
        origins: Bitboard,
        to: Square,
        promotion: Option<PieceType>,
    ) -> SanError {
        let moves = origins.into_iter().filter_map(|from| board.find_legal(from, to, promotion));
        let candidates = moves.map(|mv| Self::new(board, mv)).collect();
        SanError::Ambiguous { san: self, candidates }
    }

    /// Returns a more specific error than "illegal" if only the promotion piece is missing.
    fn why_not(self, board: &Board, origins: Bitboard, to: Square) -> Option<SanError> {
        let SanMove::Piece { promotion: None, .. } = self.san_move else { return None };
        let promotes = |from| board.find_legal(from, to, Some(PieceType::Queen)).is_some();
        origins.into_iter().any(promotes).then_some(SanError::PromotionMissing { san: self })
    }

    /// Parses SAN; returns `None` if `text` is not a move.
    #[must_use]
    pub(super) fn from_bytes(text: &[u8]) -> Option<Self> {
        let (text, mark) = without_marks(text);
        if let Some(side) = castling(text) {
            return Some(Self { san_move: SanMove::Castling(side), mark });
        }
        let (kind, text) = match text.split_first()? {
            (letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), rest) => {
                (PieceType::from_letter(letter.to_ascii_lowercase().into())?, rest)
            }
            _ => (PieceType::Pawn, text),
        };
        let (text, promotion) = promotion(kind, text)?;
        let (start, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let to = Square::new(file(to[0])?, rank(to[1])?);
        let (start, capture) = match start.split_last() {
            Some((b'x' | b':', rest)) => (rest, true),
            Some((b'-', rest)) => (rest, false),
            _ => (start, false),
        };
        let (file, rank) = match *start {
            [] => (None, None),
            [one] => (file(one), rank(one)),
            [one, two] => (Some(file(one)?), Some(rank(two)?)),
            _ => return None,
        };
        // A single character that is neither a file nor a rank.
        if start.len() == 1 && file.is_none() && rank.is_none() {
            return None;
        }
        Some(Self { san_move: SanMove::Piece { kind, file, rank, capture, to, promotion }, mark })
    }
}

/// Formats the legal move `mv` in long algebraic notation: `Ng1-f3`, `e5xd6`, `e7-e8=Q`, `O-O`.
#[must_use]
pub fn long_algebraic(board: &Board, mv: Move) -> String {
    let san = San::in_full(board, mv);
    match san.san_move {
        SanMove::Castling(_) => san.to_string(),
        SanMove::Piece { kind, capture, to, promotion, .. } => {
            let mut text = String::new();
            if kind != PieceType::Pawn {
                text.push(kind.letter().to_ascii_uppercase());
            }
            text += &mv.from().to_string();
            text.push(if capture { 'x' } else { '-' });
            text += &to.to_string();
            if let Some(kind) = promotion {
                text.push('=');
                text.push(kind.letter().to_ascii_uppercase());
            }
            text + san.mark.text()
        }
    }
}

fn san_move(mv: Move, file: Option<File>, rank: Option<Rank>) -> SanMove {
    match mv.castling_side() {
        Some(side) => SanMove::Castling(side),
        None => SanMove::Piece {
            kind: mv.piece().kind(),
            file,
            rank,
            capture: mv.is_capture(),
            to: mv.to(),
            promotion: mv.promotion_to(),
        },
    }
}

fn mark(board: &Board, mv: Move) -> Mark {
    if !board.gives_check(mv) {
        Mark::None
    } else if board.after(mv).has_legal_move() {
        Mark::Check
    } else {
        Mark::Mate
    }
}

/// Returns as much of the origin square as SAN needs: nothing, else the file, else the rank, else
/// both. Pawn captures always include the file.
fn disambiguation(board: &Board, mv: Move) -> (Option<File>, Option<Rank>) {
    let (piece, from, to) = (mv.piece(), mv.from(), mv.to());
    if piece.kind() == PieceType::Pawn {
        return (mv.is_capture().then_some(from.file()), None);
    }
    let like_it = board.pieces(piece.color(), piece.kind()) - from.into();
    let rivals = (origins(board, piece.kind(), to) & like_it)
        .into_iter()
        .filter(|&from| board.find_legal(from, to, None).is_some())
        .fold(Bitboard::EMPTY, |set, square| set | square.into());
    if rivals.is_empty() {
        (None, None)
    } else if !rivals.intersects(from.file().into()) {
        (Some(from.file()), None)
    } else if !rivals.intersects(from.rank().into()) {
        (None, Some(from.rank()))
    } else {
        (Some(from.file()), Some(from.rank()))
    }
}

/// Returns the squares from which a piece of the side to move could reach `to`, ignoring pins and
/// checks. For pawns this is a superset; the legality test filters it.
fn origins(board: &Board, kind: PieceType, to: Square) -> Bitboard {
    let occupied = board.occupied();
    match kind {
        PieceType::Pawn => {
            let back = |set: Bitboard| match board.side_to_move() {
                Color::White => set.down(),
                Color::Black => set.up(),
            };
            let one = back(to.into());
            one | back(one) | one.left() | one.right()
        }
        PieceType::Knight => knight_attacks(to),
        PieceType::Bishop => bishop_attacks(to, occupied),
        PieceType::Rook => rook_attacks(to, occupied),
        PieceType::Queen => queen_attacks(to, occupied),
        PieceType::King => king_attacks(to),
    }
}

/// Strips trailing `+`, `#`, `!`, `?` and `e.p.` and returns the rest with the check or mate mark.
fn without_marks(mut text: &[u8]) -> (&[u8], Mark) {
    let mut mark = Mark::None;
    loop {
        text = match text {
            [rest @ .., b'#'] => {
                mark = Mark::Mate;
                rest
            }
            [rest @ .., b'+'] => {
                // `++`, once used for double check or mate, counts as check; `#` takes precedence.
                if mark == Mark::None {
                    mark = Mark::Check;
                }
                rest
            }
            [rest @ .., b'!' | b'?'] | [rest @ .., b'e', b'.', b'p', b'.'] => rest,
            _ => return (text, mark),
        }
    }
}

fn castling(text: &[u8]) -> Option<CastlingSide> {
    match text {
        b"O-O" | b"0-0" | b"o-o" => Some(CastlingSide::King),
        b"O-O-O" | b"0-0-0" | b"o-o-o" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Splits a promotion (`=Q`, `Q`, `(Q)` or `/Q`) from the end of `text`. Returns `None` if the
/// promotion is invalid.
fn promotion(kind: PieceType, text: &[u8]) -> Option<(&[u8], Option<PieceType>)> {
    let (rest, letter) = match text {
        [rest @ .., b'(', letter, b')'] | [rest @ .., b'=' | b'/', letter] => (rest, *letter),
        [rest @ .., letter] if letter.is_ascii_alphabetic() => (rest, *letter),
        _ => return Some((text, None)),
    };
    let becomes = PieceType::from_letter(letter.to_ascii_lowercase().into())?;
    (kind == PieceType::Pawn && becomes.is_promotion()).then_some((rest, Some(becomes)))
}

fn file(letter: u8) -> Option<File> {
    File::from_letter(letter.into())
}

fn rank(digit: u8) -> Option<Rank> {
    Rank::ALL.get(usize::from(digit.checked_sub(b'1')?)).copied()
}

impl FromStr for San {
    type Err = SanSyntax;

    fn from_str(text: &str) -> Result<Self, SanSyntax> {
        Self::from_bytes(text.as_bytes()).ok_or_else(|| SanSyntax(text.chars().take(40).collect()))
    }
}

impl Mark {
    const fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Check => "+",
            Self::Mate => "#",
        }
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.san_move {
            SanMove::Castling(CastlingSide::King) => f.write_str("O-O")?,
            SanMove::Castling(CastlingSide::Queen) => f.write_str("O-O-O")?,
            SanMove::Piece { kind, file, rank, capture, to, promotion } => {
                if kind != PieceType::Pawn {
                    write!(f, "{}", kind.letter().to_ascii_uppercase())?;
                }
                if let Some(file) = file {
                    write!(f, "{}", file.letter())?;
                }
                if let Some(rank) = rank {
                    write!(f, "{}", rank.digit())?;
                }
                if capture {
                    f.write_str("x")?;
                }
                write!(f, "{to}")?;
                if let Some(kind) = promotion {
                    write!(f, "={}", kind.letter().to_ascii_uppercase())?;
                }
            }
        }
        f.write_str(self.mark.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    fn read(fen: &str, text: &str) -> Result<String, SanError> {
        let board = board(fen);
        text.parse::<San>().unwrap().to_move(&board).map(|mv| San::new(&board, mv).to_string())
    }

    #[test]
    fn disambiguation_is_minimal() {
        // Of the rooks on a1, a5 and h1, two can reach d1 and two can reach a3.
        let fen = "4k3/8/8/R7/8/8/4K3/R6R w - - 0 1";
        for text in ["Rad1", "Rhd1", "R1a3", "R5a3", "Rb5"] {
            assert_eq!(read(fen, text).unwrap(), text);
        }
        // Three queens: neither file nor rank is enough.
        assert_eq!(read("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1").unwrap(), "Qh4e1");
        // A pinned piece does not make the move ambiguous.
        assert_eq!(read("4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "Nc3d5").unwrap(), "Nd5");
        assert_eq!(read("4r2k/8/8/8/8/8/4N3/N3K3 w - - 0 1", "Nb3").unwrap(), "Nb3");
    }

    #[test]
    fn missing_or_superfluous_characters_are_accepted() {
        let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        for text in ["exd5", "ed5", "e4d5", "e4xd5", "e4-d5", "exd5!", "exd5+?!", "e:d5", "Pe4xd5"]
        {
            assert_eq!(read(fen, text).unwrap(), "exd5", "{text}");
        }
        for text in
            ["Nf3", "Ngf3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3", "Nxf3", "Nf3#", "Nf3++", "N1f3"]
        {
            assert_eq!(read(fen, text).unwrap(), "Nf3", "{text}");
        }
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["O-O", "0-0", "o-o", "O-O+"] {
            assert_eq!(read(castling, text).unwrap(), "O-O");
        }
        assert_eq!(read(castling, "0-0-0").unwrap(), "O-O-O");
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a8=N", "a8N", "a8n", "a8(N)", "a8/N", "a7a8=n", "a7-a8N!"] {
            assert_eq!(read(promotion, text).unwrap(), "a8=N");
        }
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        for text in ["exd6", "exd6e.p.", "ed6"] {
            assert_eq!(read(en_passant, text).unwrap(), "exd6");
        }
    }

    #[test]
    fn check_and_mate_marks_are_recomputed() {
        assert_eq!(read("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "Ra8").unwrap(), "Ra8#");
        assert_eq!(read("6k1/6pp/8/8/8/8/8/R6K w - - 0 1", "Ra8").unwrap(), "Ra8+");
        assert_eq!(read("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O").unwrap(), "O-O+");
        assert!(read("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "Kg1").is_err());
    }

    #[test]
    fn errors_explain_the_problem() {
        let message = |fen, text| read(fen, text).unwrap_err().to_string();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(message(start, "Nd5"), format!("Nd5 is not a legal move in {start}"));
        assert_eq!(
            message("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8"),
            "a8 lacks a promotion piece: write a8=Q, for example"
        );
        assert_eq!(
            message("k7/8/8/8/8/4K3/8/1R5R w - - 0 1", "Rd1"),
            "Rd1 is ambiguous: Rbd1 or Rhd1"
        );
        for text in [
            "", "e", "e9", "Ni3", "Nxx3", "e8=K", "Nf3=Q", "O-O-O-O", "é4", "Ng1f3f4", "1-0", "x",
            "--",
        ] {
            assert_eq!(text.parse::<San>(), Err(SanSyntax(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn long_algebraic_has_both_squares() {
        let long = |fen: &str, text: &str| {
            let board = board(fen);
            long_algebraic(&board, text.parse::<San>().unwrap().to_move(&board).unwrap())
        };
        assert_eq!(long("6k1/6pp/8/8/8/8/8/R6K w - - 0 1", "Ra8"), "Ra1-a8+");
        assert_eq!(long("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6"), "e5xd6");
        assert_eq!(long("8/P7/8/8/7k/8/8/K7 w - - 0 1", "a8=Q"), "a7-a8=Q");
        assert_eq!(long("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O"), "O-O-O");
    }
}
