//! Index of a position within its table. Start at [`Arrangement::index`].
//!
//! A table stores one value per placement of its pieces, up to symmetry. Without pawns, rotations
//! and reflections move the first of the two or three leading pieces into the a1-d1-d4 triangle.
//! With pawns, a reflection moves the leading pawn to files a-d, and each of these files has its
//! own sub-table. The remaining pieces form groups of identical pieces, and each group is indexed
//! as a combination of the squares left. The group indices are the digits of a mixed-radix number.
//! The file specifies their order, because some orders compress better than others.
//!
//! Squares are plain integers (a1 = 0 ... h8 = 63), so symmetries are arithmetic.

use crate::tablebase::error::TableError;
use crate::tablebase::material::{MOST_MEN, Material};
use crate::types::{Piece, PieceType};

/// Binomial coefficients: `CHOOSE[k][n]` is the number of ways to choose `k` of `n`.
const CHOOSE: [[u64; 65]; MOST_MEN] = {
    let mut table = [[0; 65]; MOST_MEN];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < MOST_MEN && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Placements of three distinct pieces up to symmetry, the first in the a1-d1-d4 triangle.
const THREE_PIECES: u64 = 31_332;
/// Placements of two non-adjacent kings up to symmetry.
const TWO_KINGS: u64 = 462;

const fn file(square: usize) -> usize {
    square % 8
}

const fn rank(square: usize) -> usize {
    square / 8
}

const fn on_diagonal(square: usize) -> bool {
    file(square) == rank(square)
}

const fn above_diagonal(square: usize) -> bool {
    rank(square) > file(square)
}

/// Numbers the squares of the a1-d1-d4 triangle: the six below the diagonal, then the four on it.
const fn in_triangle(square: usize) -> usize {
    let (file, rank) = (file(square), rank(square));
    if file == rank { 6 + file } else { [0, 3, 5, 5][rank] + file - rank - 1 }
}

/// Numbers the 28 squares below the long diagonal, rank by rank.
const fn below_diagonal(square: usize) -> usize {
    let (file, rank) = (file(square), rank(square));
    rank * (15 - rank) / 2 + file - rank - 1
}

/// [`KINGS`] entry for adjacent kings and for pairs that normalisation never produces.
const NONE: u16 = u16::MAX;

/// Indices of king pairs, the first king in the triangle. Pairs with both on the diagonal come
/// last.
const KINGS: [[u16; 64]; 10] = {
    let mut table = [[NONE; 64]; 10];
    let mut number = 0;
    let mut pass = 0;
    while pass < 2 {
        let mut first_number = 0;
        while first_number < 10 {
            let first = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27][first_number];
            let mut second = 0;
            while second < 64 {
                let near = file(first).abs_diff(file(second)) <= 1
                    && rank(first).abs_diff(rank(second)) <= 1;
                let mirrored = on_diagonal(first) && above_diagonal(second);
                let both = on_diagonal(first) && on_diagonal(second);
                if !near && !mirrored && both == (pass == 1) {
                    table[first_number][second] = number;
                    number += 1;
                }
                second += 1;
            }
            first_number += 1;
        }
        pass += 1;
    }
    assert!(number as u64 == TWO_KINGS);
    table
};

/// Returns how many squares remain for the other leading pawns when the first is on `square`: 47
/// for a2, 46 for h2, 45 for a3, and so on down to 0 for e7.
const fn pawn_order(square: usize) -> usize {
    let (file, rank) = (file(square), rank(square));
    let mirrored = file > 3;
    let from_edge = if mirrored { 7 - file } else { file };
    47 - 12 * from_edge - 2 * (rank - 1) - mirrored as usize
}

/// First index by number of leading pawns and square of the first of them. The first-rank entries
/// hold the number of placements per file.
const LEADING_PAWNS: [[u64; 64]; MOST_MEN] = {
    let mut table = [[0; 64]; MOST_MEN];
    let mut pawns = 1;
    while pawns < MOST_MEN {
        let mut file = 0;
        while file < 4 {
            let (mut sum, mut rank) = (0, 1);
            while rank < 7 {
                let square = 8 * rank + file;
                table[pawns][square] = sum;
                sum += CHOOSE[pawns - 1][pawn_order(square)];
                rank += 1;
            }
            table[pawns][file] = sum;
            file += 1;
        }
        pawns += 1;
    }
    table
};

/// The leading pieces of a table, which fix the symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// Three pieces that occur once each.
    Three,
    /// The two kings, where every other piece is duplicated.
    Kings,
    /// The pawns of the leading side.
    Pawns(usize),
}

impl Lead {
    fn of(material: Material) -> Self {
        match leading_pawns(material) {
            Some(pawns) => Self::Pawns(pawns),
            None if Piece::ALL.into_iter().filter(|&p| material.count(p) == 1).count() > 2 => {
                Self::Three
            }
            None => Self::Kings,
        }
    }

    fn pieces(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Kings => 2,
            Self::Pawns(pawns) => pawns,
        }
    }
}

/// Returns the number of leading pawns: the smaller non-zero pawn count of the two sides.
fn leading_pawns(material: Material) -> Option<usize> {
    material.pawns().into_iter().filter(|&pawns| pawns > 0).min()
}

/// Adjacent identical pieces, whose order does not matter.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    end: usize,
    factor: u64,
}

/// Piece order of a sub-table and the factor of each group.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pieces: Vec<Piece>,
    lead: Lead,
    lead_factor: u64,
    /// The pawns of the other side, if both sides have pawns.
    other_pawns: Option<Group>,
    groups: Vec<Group>,
    /// Number of positions.
    pub(crate) size: u64,
}

/// Multiplication order of the groups: the places of the leading pieces and of the other side's
/// pawns among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) lead: u8,
    pub(crate) other_pawns: Option<u8>,
}

impl Arrangement {
    /// Returns whether both sides have pawns, so that an order has a second place.
    pub(crate) fn has_two_orders(material: Material) -> bool {
        material.pawns().into_iter().all(|pawns| pawns > 0)
    }

    /// Returns the number of sub-tables: one per file a-d of the leading pawn, or one without
    /// pawns.
    pub(crate) fn files(material: Material) -> usize {
        if leading_pawns(material).is_some() { 4 } else { 1 }
    }

    /// Creates an arrangement, checking `pieces` against `material` and `order` for consistency.
    pub(crate) fn new(
        material: Material,
        pieces: Vec<Piece>,
        order: Order,
        pawn_file: usize,
    ) -> Result<Self, TableError> {
        let lead = Lead::of(material);
        let runs = runs(&pieces);
        let number = |piece| pieces.iter().filter(|&&other| other == piece).count();
        let complete = Piece::ALL.into_iter().all(|piece| number(piece) == material.count(piece))
            && runs.iter().all(|&(piece, start, end)| material.count(piece) == end - start);
        let pawns = pieces.iter().take_while(|piece| piece.kind() == PieceType::Pawn).count();
        let starts_right = match lead {
            Lead::Pawns(leading) => {
                pawns == material.pawns().into_iter().sum::<usize>()
                    && runs.first().is_some_and(|run| run.2 == leading)
            }
            Lead::Kings => pieces.iter().take(2).all(|piece| piece.kind() == PieceType::King),
            Lead::Three => runs.iter().take(3).all(|&(_, start, end)| end - start == 1),
        };
        if !complete || !starts_right {
            return Err(TableError::Pieces);
        }
        if order.other_pawns == Some(order.lead) {
            return Err(TableError::Order);
        }
        let mut rest = runs.into_iter().filter(|run| run.1 >= lead.pieces());
        let mut group = |factor| rest.next().map(|(_, start, end)| Group { start, end, factor });
        let mut arrangement = Self {
            lead,
            lead_factor: 0,
            other_pawns: order.other_pawns.and_then(|_| group(0)),
            groups: Vec::new(),
            size: 1,
            pieces,
        };
        let mut left = 64 - arrangement.other_pawns.map_or(lead.pieces(), |group| group.end);
        let last_place = order.lead.max(order.other_pawns.unwrap_or(0));
        for place in 0..=MOST_MEN as u8 {
            let size = &mut arrangement.size;
            if place == order.lead {
                arrangement.lead_factor = *size;
                *size *= match lead {
                    Lead::Three => THREE_PIECES,
                    Lead::Kings => TWO_KINGS,
                    Lead::Pawns(pawns) => LEADING_PAWNS[pawns][pawn_file],
                };
            } else if Some(place) == order.other_pawns
                && let Some(group) = &mut arrangement.other_pawns
            {
                group.factor = *size;
                *size *= CHOOSE[group.end - group.start][48 - lead.pieces()];
            } else if let Some(group) = group(*size) {
                *size *= CHOOSE[group.end - group.start][left];
                left -= group.end - group.start;
                arrangement.groups.push(group);
            } else if place <= last_place {
                return Err(TableError::Order);
            }
        }
        Ok(arrangement)
    }

    /// Returns the pieces in the order in which [`Self::index`] expects their squares. Identical
    /// pieces are adjacent.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the index of the position with the pieces on `squares`, which are normalised in
    /// place. `None` if two leading kings are adjacent.
    pub(crate) fn index(&self, squares: &mut [usize]) -> Option<u64> {
        let (number, mut done) = match self.lead {
            Lead::Pawns(pawns) => (lead_pawns(squares, pawns), pawns),
            lead => {
                turn_into_triangle(squares, lead.pieces());
                let number = if lead == Lead::Kings {
                    Some(KINGS[in_triangle(squares[0])][squares[1]])
                        .filter(|&kings| kings != NONE)?
                } else {
                    three_pieces(squares[0], squares[1], squares[2]) as u16
                };
                (u64::from(number), lead.pieces())
            }
        };
        let mut index = number * self.lead_factor;
        for (group, unused) in self
            .other_pawns
            .iter()
            .map(|group| (group, 8))
            .chain(self.groups.iter().map(|g| (g, 0)))
        {
            let (before, rest) = squares.split_at_mut(done);
            let own = &mut rest[..group.end - group.start];
            own.sort_unstable();
            let number: u64 = (1..)
                .zip(own.iter())
                .map(|(count, &square)| {
                    let taken = before.iter().filter(|&&earlier| earlier < square).count();
                    CHOOSE[count][square - taken - unused]
                })
                .sum();
            index += number * group.factor;
            done = group.end;
        }
        Some(index)
    }
}

/// Returns the file of the leading pawn, from 0 (a or h) to 3 (d or e).
pub(crate) fn leading_file(pawns: impl Iterator<Item = usize>) -> Option<usize> {
    let leader = pawns.max_by_key(|&square| pawn_order(square))?;
    Some(file(leader).min(7 - file(leader)))
}

/// Returns the runs of identical pieces as (piece, start, end).
fn runs(pieces: &[Piece]) -> Vec<(Piece, usize, usize)> {
    let mut runs: Vec<(Piece, usize, usize)> = Vec::new();
    for (index, &piece) in pieces.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.0 == piece => run.2 = index + 1,
            _ => runs.push((piece, index, index + 1)),
        }
    }
    runs
}

/// Applies the symmetries that put the first piece into the a1-d1-d4 triangle and the first
/// off-diagonal leading piece below the diagonal.
fn turn_into_triangle(squares: &mut [usize], leading: usize) {
    let mirror =
        if file(squares[0]) > 3 { 7 } else { 0 } | if rank(squares[0]) > 3 { 56 } else { 0 };
    for square in squares.iter_mut() {
        *square ^= mirror;
    }
    let first_off = squares.iter().take(leading).find(|&&square| !on_diagonal(square));
    if first_off.is_some_and(|&square| above_diagonal(square)) {
        for square in squares.iter_mut() {
            *square = 8 * file(*square) + rank(*square);
        }
    }
}

/// Returns the index of three distinct pieces, skipping occupied squares.
fn three_pieces(first: usize, second: usize, third: usize) -> usize {
    let before_second = usize::from(second > first);
    let before_third = usize::from(third > first) + usize::from(third > second);
    // In index order: first piece off the diagonal; on it, but not the second; first two on it, but
    // not the third; all three on it.
    if !on_diagonal(first) {
        return (in_triangle(first) * 63 + second - before_second) * 62 + third - before_third;
    }
    let start = 6 * 63 * 62;
    if !on_diagonal(second) {
        return start + (file(first) * 28 + below_diagonal(second)) * 62 + third - before_third;
    }
    let start = start + 4 * 28 * 62;
    if !on_diagonal(third) {
        let two = file(first) * 7 + file(second) - before_second;
        return start + two * 28 + below_diagonal(third);
    }
    let two = file(first) * 7 + file(second) - before_second;
    start + 4 * 7 * 28 + two * 6 + file(third) - before_third
}

/// Returns the index of the leading pawns, after reflecting the first of them to files a-d.
fn lead_pawns(squares: &mut [usize], pawns: usize) -> u64 {
    let leader = (0..pawns).max_by_key(|&index| pawn_order(squares[index])).unwrap_or(0);
    squares.swap(0, leader);
    if file(squares[0]) > 3 {
        for square in squares.iter_mut() {
            *square ^= 7;
        }
    }
    squares[1..pawns].sort_unstable_by_key(|&square| pawn_order(square));
    let others: u64 = (1..pawns).map(|n| CHOOSE[n][pawn_order(squares[n])]).sum();
    LEADING_PAWNS[pawns][squares[0]] + others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrangement(
        name: &str,
        pieces: &str,
        order: Order,
        file: usize,
    ) -> Result<Arrangement, TableError> {
        let pieces = pieces.chars().map(|letter| Piece::from_letter(letter).unwrap()).collect();
        Arrangement::new(Material::parse(name).unwrap(), pieces, order, file)
    }

    const FIRST: Order = Order { lead: 0, other_pawns: None };

    #[test]
    fn three_piece_indices_are_unique_up_to_symmetry() {
        let table = arrangement("KQvK", "KQk", FIRST, 0).unwrap();
        assert_eq!(table.size, THREE_PIECES);
        let mut seen = vec![0; table.size as usize];
        for a in 0..64 {
            for b in (0..64).filter(|&b| b != a) {
                for c in (0..64).filter(|&c| c != a && c != b) {
                    seen[table.index(&mut [a, b, c]).unwrap() as usize] += 1;
                }
            }
        }
        // Eight symmetric placements share an index, or four if all three pieces are on a diagonal.
        assert!(seen.iter().all(|&count| count == 8 || count == 4));
    }

    #[test]
    fn identical_pieces_are_interchangeable() {
        let table = arrangement("KNNvK", "KkNN", FIRST, 0).unwrap();
        let one = table.index(&mut [0, 20, 33, 47]);
        assert_eq!(one, table.index(&mut [0, 20, 47, 33]));
        assert_eq!(one, table.index(&mut [63, 43, 30, 16]), "rotated by 180 degrees");
        assert_ne!(one, table.index(&mut [0, 20, 47, 34]));
        assert_eq!(table.index(&mut [0, 1, 47, 34]), None, "adjacent kings");
    }

    #[test]
    fn pawn_indices_are_unique() {
        let order = Order { lead: 1, other_pawns: Some(0) };
        for file_number in 0..4 {
            let table = arrangement("KPvKP", "PpKk", order, file_number).unwrap();
            let mut seen = std::collections::HashMap::new();
            for leading in 8..56 {
                for other in (8..56).filter(|&other| other != leading) {
                    if leading_file([leading].into_iter()) == Some(file_number) {
                        let index = table.index(&mut [leading, other, 0, 63]).unwrap();
                        let mirrored = table.index(&mut [leading ^ 7, other ^ 7, 7, 56]).unwrap();
                        assert_eq!(index, mirrored);
                        assert!(index < table.size);
                        *seen.entry(index).or_insert(0) += 1;
                    }
                }
            }
            // The kings are not mirrored here, so each index occurs once.
            assert!(seen.values().all(|&count| count == 1));
        }
    }

    /// Returns the least of the symmetric placements, with identical pieces sorted by square.
    fn canonical(pieces: &[Piece], squares: &[usize]) -> Vec<(Piece, usize)> {
        let has_pawns = pieces[0].kind() == PieceType::Pawn;
        let turned = |way: usize| {
            let turn = |square: usize| {
                let square = if way & 4 != 0 { 8 * file(square) + rank(square) } else { square };
                square ^ [0, 7, 56, 63][way & 3]
            };
            let mut placing: Vec<_> =
                pieces.iter().copied().zip(squares.iter().map(|&square| turn(square))).collect();
            placing.sort_unstable_by_key(|&(piece, square)| (piece.index(), square));
            placing
        };
        let key = |placing: &Vec<(Piece, usize)>| {
            placing.iter().map(|&(_, square)| square).collect::<Vec<_>>()
        };
        (0..if has_pawns { 2 } else { 8 }).map(turned).min_by_key(key).unwrap()
    }

    /// Random placements on few squares, so that they repeat. Equal indices must mean symmetric
    /// placements, and the reverse except as noted below. Covers tables too large to be at hand in
    /// tests.
    #[test]
    fn large_table_indices_do_not_collide() {
        use rand::rngs::ChaCha8Rng;
        use rand::seq::SliceRandom;
        use rand::{RngExt, SeedableRng};

        let one = |lead| Order { lead, other_pawns: None };
        let two = |lead, other| Order { lead, other_pawns: Some(other) };
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (name, pieces, order) in [
            ("KQQvKR", "KkrQQ", one(0)),
            ("KQQvKRR", "kKQQrr", one(1)),
            ("KNNNvKNN", "KkNNNnn", one(2)),
            ("KRBNvKQ", "kRKBNq", one(3)),
            ("KPPvKP", "pPPkK", two(1, 0)),
            ("KRPPvKPP", "PPppRkK", two(0, 2)),
            ("KPPPPvKR", "PPPPkrK", one(2)),
            ("KPPPvKPP", "ppPPPKk", two(3, 1)),
        ] {
            let tables: Vec<Arrangement> =
                (0..4).map(|file| arrangement(name, pieces, order, file).unwrap()).collect();
            let pieces = tables[0].pieces().to_vec();
            let mut seen = std::collections::HashMap::new();
            let mut repeated = 0;
            for _ in 0..20_000 {
                let mut free: Vec<usize> =
                    (8..56).filter(|sq| [0, 1, 4, 7].contains(&(sq % 8))).collect();
                if rng.random_range(0..2) == 0 {
                    free.truncate(12);
                }
                free.shuffle(&mut rng);
                free.truncate(pieces.len());
                let part = match tables[0].lead {
                    Lead::Pawns(pawns) => leading_file(free[..pawns].iter().copied()).unwrap(),
                    _ => 0,
                };
                let placing = canonical(&pieces, &free);
                let Some(index) = tables[part].index(&mut free) else { continue };
                assert!(index < tables[part].size, "{name}");
                let before = seen.entry((part, index)).or_insert_with(|| placing.clone());
                repeated += usize::from(*before == placing);
                assert_eq!(*before, placing, "{name}");
            }
            // With both kings on the diagonal, the format gives mirror images different indices.
            let different: std::collections::HashSet<_> = seen.values().collect();
            if tables[0].lead != Lead::Kings {
                assert_eq!(different.len(), seen.len(), "{name}: one placement, two indices");
            }
            assert!(repeated > seen.len(), "{name}: too few repetitions");
        }
    }

    #[test]
    fn arrangement_rejects_invalid_input() {
        for (name, pieces, order) in [
            ("KQvK", "KQkk", FIRST),
            ("KQvK", "KRk", FIRST),
            ("KQvK", "KkK", FIRST),
            ("KQvK", "", FIRST),
            ("KNNvK", "KNkN", FIRST),
            ("KNNvK", "NNKk", FIRST),
            ("KPvKP", "PKkp", Order { lead: 0, other_pawns: Some(1) }),
            ("KQvK", "KQk", Order { lead: 9, other_pawns: None }),
            ("KPvKP", "PpKk", Order { lead: 0, other_pawns: Some(0) }),
        ] {
            assert!(arrangement(name, pieces, order, 0).is_err(), "{name} {pieces} {order:?}");
        }
    }
}
