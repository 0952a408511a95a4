//! Table files: layout, validation and lookup. Start at [`Table::open`].
//!
//! Layout, as Ronald de Man's generator writes it: a 4-byte magic number; a flag byte; the piece
//! order for each file of the leading pawn and each side to move; a compression header for each of
//! these; in DTZ files, the value maps; then all sparse indices, all value counts, all blocks and a
//! 16-byte checksum.
//!
//! Opening a file checks the magic number, the pieces against the file name, the codes and the
//! exact file size. The compressed values are not verified, because computing the checksum would
//! take minutes for large tables. A flipped bit there gives a wrong answer or none, but never a
//! crash, because every access is bounds-checked.

use std::fs::File;
use std::path::Path;

use crate::board::Board;
use crate::tablebase::error::TableError;
use crate::tablebase::format::encoding::{Arrangement, Order, leading_file};
use crate::tablebase::format::pairs::{Pairs, Values};
use crate::tablebase::format::reader::Header;
use crate::tablebase::format::source::Source;
use crate::tablebase::material::{MOST_MEN, Material};
use crate::tablebase::wdl::Wdl;
use crate::types::{Color, Piece, PieceType};

/// Kind of table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// WDL: win, draw or loss.
    Wdl,
    /// DTZ (distance to zeroing): plies to the next capture or pawn move.
    Dtz,
}

impl Kind {
    /// Returns the file extension.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    const fn mark(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// A validated table file, ready to probe.
pub(crate) struct Table {
    pub(crate) material: Material,
    source: Source,
    /// Indexed by the file of the leading pawn (if there are pawns), then by side to move (if both
    /// are stored).
    parts: Vec<Vec<Part>>,
}

/// Sub-table for one side to move and, with pawns, one file of the leading pawn.
struct Part {
    arrangement: Arrangement,
    values: Values,
    distances: Distances,
}

/// Flags and value maps of a DTZ sub-table.
struct Distances {
    flags: u8,
    /// Maps from stored values to distances, for wins, losses, cursed wins and blessed losses.
    lists: Option<[Vec<u16>; 4]>,
}

impl Distances {
    /// Bit that gives the stored side to move.
    const SIDE: u8 = 1;
    const HAS_LISTS: u8 = 2;
    /// Set if wins, or losses, are stored in plies; otherwise they are in moves.
    const WINS_IN_PLIES: u8 = 4;
    const LOSSES_IN_PLIES: u8 = 8;
    const WIDE_LISTS: u8 = 16;
    const CONSTANT: u8 = 128;

    /// Returns the distance in plies that `value` encodes for a position with result `wdl`.
    fn plies(&self, value: u16, wdl: Wdl) -> Option<i32> {
        let (list, in_plies) = match wdl {
            Wdl::Win => (0, self.flags & Self::WINS_IN_PLIES != 0),
            Wdl::Loss => (1, self.flags & Self::LOSSES_IN_PLIES != 0),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return Some(0),
        };
        let value = match &self.lists {
            Some(lists) => *lists[list].get(usize::from(value))?,
            None => value,
        };
        Some(i32::from(value) * if in_plies { 1 } else { 2 })
    }
}

impl Table {
    /// Opens a file, reading and checking everything but the compressed values.
    pub(crate) fn open(path: &Path, material: Material, kind: Kind) -> Result<Self, TableError> {
        let mut file = File::open(path)?;
        let found = file.metadata()?.len();
        let mut header = Header::new(&mut file);
        if header.bytes()? != kind.mark() {
            return Err(TableError::Mark);
        }
        let mut parts = read_parts(&mut header, material, kind)?;
        let mut at = header.at;
        let mut pairs: Vec<&mut Pairs> = parts
            .iter_mut()
            .flatten()
            .filter_map(|part| match &mut part.values {
                Values::Packed(pairs) => Some(&mut **pairs),
                Values::Constant(_) => None,
            })
            .collect();
        for pairs in &mut pairs {
            pairs.place_index(&mut at);
        }
        for pairs in &mut pairs {
            pairs.place_counts(&mut at);
        }
        for pairs in &mut pairs {
            pairs.place_blocks(&mut at);
        }
        let expected = at.next_multiple_of(64) + CHECKSUM;
        if found != expected {
            return Err(TableError::Length { expected, found });
        }
        // DTZ is probed at the root only, so its files need not be in memory.
        let source = Source::new(path.to_owned(), found, kind == Kind::Wdl);
        Ok(Self { material, source, parts })
    }

    /// Returns the result stored in a WDL table. Where a capture is best, it may be any value that
    /// is not better: the generator chose whichever compresses best.
    pub(crate) fn result(&self, board: &Board, material: Material) -> Option<Wdl> {
        let view = View::new(self.material, board, material);
        let sides = self.parts.get(view.file(&self.parts[0][0].arrangement))?;
        let part = sides.get(view.side)?;
        Wdl::from_stored(self.value(part, &view)?)
    }

    /// Returns the distance stored in a DTZ table for a position with result `wdl`.
    pub(crate) fn distance(&self, board: &Board, material: Material, wdl: Wdl) -> Option<Distance> {
        let view = View::new(self.material, board, material);
        let part = self.parts.get(view.file(&self.parts[0][0].arrangement))?.first()?;
        let stored_side = usize::from(part.distances.flags & Distances::SIDE);
        if stored_side != view.side && !self.material.is_symmetric() {
            return Some(Distance::OtherSide);
        }
        let value = self.value(part, &view)?;
        part.distances.plies(value, wdl).map(Distance::Plies)
    }

    fn value(&self, part: &Part, view: &View<'_>) -> Option<u16> {
        let mut squares = [0; MOST_MEN];
        let mut count = 0;
        let pieces = part.arrangement.pieces();
        while let Some(&piece) = pieces.get(count) {
            for square in view.squares(piece) {
                *squares.get_mut(count)? = square;
                count += 1;
            }
        }
        let index = part.arrangement.index(squares.get_mut(..count)?)?;
        part.values.get(&self.source, index)
    }
}

/// Result of a DTZ lookup.
pub(crate) enum Distance {
    /// Distance in plies minus one, never negative.
    Plies(i32),
    /// Only the other side to move is stored.
    OtherSide,
}

/// A position as its table sees it, possibly with the colours swapped.
struct View<'a> {
    board: &'a Board,
    flipped: bool,
    /// XOR mask for squares: 56 flips the ranks.
    mirror: usize,
    /// Index of the side to move in tables that store both.
    side: usize,
}

impl<'a> View<'a> {
    fn new(table: Material, board: &'a Board, material: Material) -> Self {
        let black = board.side_to_move() == Color::Black;
        // With symmetric material, the side to move is treated as White.
        let flipped = if table.is_symmetric() { black } else { material != table };
        let mirror = if flipped && table.pawns() != [0, 0] { 56 } else { 0 };
        Self { board, flipped, mirror, side: usize::from(black != flipped) }
    }

    fn squares(&self, piece: Piece) -> impl Iterator<Item = usize> {
        let color = if self.flipped { !piece.color() } else { piece.color() };
        let mirror = self.mirror;
        self.board.pieces(color, piece.kind()).into_iter().map(move |sq| sq.index() ^ mirror)
    }

    /// Returns the file of the leading pawn, or 0 without pawns.
    fn file(&self, arrangement: &Arrangement) -> usize {
        match arrangement.pieces() {
            [piece, ..] if piece.kind() == PieceType::Pawn => {
                leading_file(self.squares(*piece)).unwrap_or(0)
            }
            _ => 0,
        }
    }
}

const CHECKSUM: u64 = 16;

fn read_parts(
    header: &mut Header<'_>,
    material: Material,
    kind: Kind,
) -> Result<Vec<Vec<Part>>, TableError> {
    let flags = header.byte()?;
    let sides = if kind == Kind::Wdl && !material.is_symmetric() { 2 } else { 1 };
    let has_pawns = material.pawns() != [0, 0];
    if (flags & 2 != 0) != has_pawns || kind == Kind::Wdl && (flags & 1 != 0) != (sides == 2) {
        return Err(TableError::Flags);
    }
    let mut arrangements = Vec::new();
    for file in 0..Arrangement::files(material) {
        arrangements.push(read_arrangements(header, material, file, sides)?);
    }
    header.align()?;
    let mut parts = Vec::new();
    for of_file in arrangements {
        let part = |arrangement| read_values(header, arrangement, kind);
        parts.push(of_file.into_iter().map(part).collect::<Result<Vec<_>, TableError>>()?);
    }
    if kind == Kind::Dtz {
        for part in parts.iter_mut().flatten() {
            part.distances.lists = read_lists(header, part.distances.flags)?;
        }
        header.align()?;
    }
    Ok(parts)
}

/// Reads the piece orders for one or both sides to move. The second side is in the upper half of
/// each byte.
fn read_arrangements(
    header: &mut Header<'_>,
    material: Material,
    file: usize,
    sides: usize,
) -> Result<Vec<Arrangement>, TableError> {
    let lead = header.byte()?;
    let other_pawns =
        if Arrangement::has_two_orders(material) { Some(header.byte()?) } else { None };
    let pieces =
        (0..material.men()).map(|_| header.byte()).collect::<Result<Vec<u8>, TableError>>()?;
    (0..sides)
        .map(|side| {
            let half = |byte: u8| byte >> (4 * side) & 15;
            let pieces = pieces
                .iter()
                .map(|&byte| piece(half(byte)).ok_or(TableError::Pieces))
                .collect::<Result<Vec<Piece>, TableError>>()?;
            let order = Order { lead: half(lead), other_pawns: other_pawns.map(half) };
            Arrangement::new(material, pieces, order, file)
        })
        .collect()
}

/// Decodes a piece: 1 (pawn) to 6 (king) for White, plus 8 for Black.
fn piece(code: u8) -> Option<Piece> {
    let color = if code < 8 { Color::White } else { Color::Black };
    let kind = PieceType::ALL.get(usize::from(code & 7).checked_sub(1)?)?;
    Some(Piece::new(color, *kind))
}

fn read_values(
    header: &mut Header<'_>,
    arrangement: Arrangement,
    kind: Kind,
) -> Result<Part, TableError> {
    let flags = header.byte()?;
    let values = if flags & Distances::CONSTANT != 0 {
        let value = header.byte()?;
        if kind == Kind::Wdl && Wdl::from_stored(value.into()).is_none() {
            return Err(TableError::Symbols);
        }
        // A constant DTZ sub-table has draws only; they are never looked up, so the byte is unused.
        Values::Constant(if kind == Kind::Wdl { value.into() } else { 0 })
    } else {
        Values::Packed(Box::new(Pairs::read(header, arrangement.size)?))
    };
    Ok(Part { arrangement, values, distances: Distances { flags, lists: None } })
}

fn read_lists(header: &mut Header<'_>, flags: u8) -> Result<Option<[Vec<u16>; 4]>, TableError> {
    if flags & Distances::HAS_LISTS == 0 {
        return Ok(None);
    }
    let wide = flags & Distances::WIDE_LISTS != 0;
    if wide {
        header.align()?;
    }
    let mut number = || if wide { header.short() } else { header.byte().map(u16::from) };
    let mut lists = [const { Vec::new() }; 4];
    for list in &mut lists {
        let length = number()?;
        for _ in 0..length {
            list.push(number()?);
        }
    }
    Ok(Some(lists))
}
