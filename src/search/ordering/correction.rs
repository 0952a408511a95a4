//! Correction history: how far the static evaluation was off in earlier positions with the same
//! pawns or the same pieces. Start at [`CorrectionHistory::get`] and [`CorrectionHistory::update`].
//!
//! The result of a search contains the correction of its leaves, so the tables are fed their own
//! output: `result = raw + d + correction`, where `d` is the error that the search really found. A
//! sum of tables that each learn the whole error would amplify itself. Here each entry is a moving
//! average of errors, and the correction is a weighted mean of entries times a gain `g`. If no `d`
//! exceeds `D` and every entry is within `D / (1 - g)`, the correction is within `gD / (1 - g)`,
//! the next error within `D / (1 - g)`, and so is every later entry. The gain is at most 66
//! hundredths, so the correction never exceeds `2D`, whatever the other parameters are.

use crate::board::Board;
use crate::search::params as p;
use crate::types::{Color, PieceType};

const ENTRIES: usize = 1 << 14;
/// Units of an entry per centipawn.
const GRAIN: i32 = 256;

/// The parameters as values, so that tests can try their whole ranges.
#[derive(Clone, Copy, Debug)]
struct Rules {
    limit: i32,
    weight_limit: i32,
    inertia: i32,
    pawns: i32,
    pieces: i32,
    gain: i32,
}

impl Rules {
    #[inline]
    fn current() -> Self {
        Self {
            limit: p::correction_limit(),
            weight_limit: p::correction_weight_limit(),
            inertia: p::correction_inertia(),
            pawns: p::correction_pawns(),
            pieces: p::correction_pieces(),
            gain: p::correction_gain(),
        }
    }

    /// Combines the entries for the pawns, White's pieces and Black's pieces into a correction, in
    /// centipawns.
    #[inline]
    fn combine(self, [pawns, white, black]: [i16; 3]) -> i32 {
        let pieces = i32::from(white) + i32::from(black);
        let sum = i32::from(pawns) * self.pawns + pieces * self.pieces;
        let mean = sum / (self.pawns + 2 * self.pieces);
        mean * self.gain / (100 * GRAIN)
    }

    /// Moves `entry` towards `error`, in centipawns, with a weight that grows with `depth`.
    #[inline]
    fn learn(self, entry: &mut i16, error: i32, depth: i32) {
        let limit = self.limit * GRAIN;
        let target = (error * GRAIN).clamp(-limit, limit);
        let weight = (depth + 1).clamp(0, self.weight_limit);
        let mean = i32::from(*entry) * (self.inertia - weight) + target * weight;
        *entry = (mean / self.inertia).clamp(-limit, limit) as i16;
    }
}

/// The correction tables of one thread, each indexed by the side to move and a key.
pub(crate) struct CorrectionHistory {
    by_pawns: Vec<i16>,
    by_pieces: [Vec<i16>; 2],
}

impl Default for CorrectionHistory {
    fn default() -> Self {
        let table = || vec![0; 2 * ENTRIES];
        Self { by_pawns: table(), by_pieces: [table(), table()] }
    }
}

impl CorrectionHistory {
    /// Clears all tables.
    pub(crate) fn clear(&mut self) {
        self.by_pawns.fill(0);
        self.by_pieces.iter_mut().for_each(|table| table.fill(0));
    }

    /// Returns what to add to the static evaluation of `board`, in centipawns.
    #[must_use]
    pub(crate) fn get(&self, board: &Board) -> i32 {
        let [pawns, white, black] = indices(board);
        let [of_white, of_black] = &self.by_pieces;
        Rules::current().combine([self.by_pawns[pawns], of_white[white], of_black[black]])
    }

    /// Learns that a search to `depth` found the raw evaluation of `board` too low by `error`
    /// centipawns.
    pub(crate) fn update(&mut self, board: &Board, error: i32, depth: i32) {
        let [pawns, white, black] = indices(board);
        let [of_white, of_black] = &mut self.by_pieces;
        for entry in [&mut self.by_pawns[pawns], &mut of_white[white], &mut of_black[black]] {
            Rules::current().learn(entry, error, depth);
        }
    }
}

/// Returns the index of `board` in each of the three tables.
fn indices(board: &Board) -> [usize; 3] {
    let index = |key: u64| board.side_to_move().index() * ENTRIES + (key as usize & (ENTRIES - 1));
    let [white, black] = Color::ALL.map(|color| pieces_key(board, color));
    [index(board.pawn_key()), index(white), index(black)]
}

/// Hashes the squares of a colour's pieces other than pawns. Computing this key on demand is
/// cheaper than updating it in every board, and the products are independent of each other.
fn pieces_key(board: &Board, color: Color) -> u64 {
    const FACTORS: [(PieceType, u64); 5] = [
        (PieceType::Knight, 0x9e37_79b9_7f4a_7c15),
        (PieceType::Bishop, 0xbf58_476d_1ce4_e5b9),
        (PieceType::Rook, 0x94d0_49bb_1331_11eb),
        (PieceType::Queen, 0xd6e8_feb8_6659_fd93),
        (PieceType::King, 0xff51_afd7_ed55_8ccd),
    ];
    FACTORS.iter().fold(0, |key, &(kind, factor)| key ^ fold(board.pieces(color, kind).0, factor))
}

/// Multiplies to 128 bits and folds the halves: any bit of the result depends on low squares
/// through one half and on high squares through the other.
fn fold(squares: u64, factor: u64) -> u64 {
    let product = u128::from(squares) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the declared range of the parameter called `name`.
    fn in_range(name: &str) -> std::ops::RangeInclusive<i32> {
        let param = p::ALL.iter().find(|param| param.name == name).unwrap();
        param.min..=param.max
    }

    fn any_rules() -> impl Strategy<Value = Rules> {
        (
            in_range("correction_limit"),
            in_range("correction_weight_limit"),
            in_range("correction_inertia"),
            in_range("correction_pawns"),
            in_range("correction_pieces"),
            in_range("correction_gain"),
        )
            .prop_map(|(limit, weight_limit, inertia, pawns, pieces, gain)| Rules {
                limit,
                weight_limit,
                inertia,
                pawns,
                pieces,
                gain,
            })
    }

    /// Feeds the tables their own output and returns the largest correction reached.
    fn largest_when_fed_back(rules: Rules, found: impl Iterator<Item = (i32, i32)>) -> i32 {
        let mut entries = [0_i16; 3];
        let mut largest = 0;
        for (d, depth) in found {
            let error = d + rules.combine(entries);
            for entry in &mut entries {
                rules.learn(entry, error, depth);
            }
            largest = largest.max(rules.combine(entries).abs());
        }
        largest
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 500, failure_persistence: None, ..ProptestConfig::default()
        })]

        #[test]
        fn constant_error_is_not_amplified_beyond_twice(
            rules in any_rules(), d in -300..=300_i32, depth in 1..60_i32,
        ) {
            let largest = largest_when_fed_back(rules, (0..5_000).map(|_| (d, depth)));
            prop_assert!(largest <= 2 * d.abs(), "{largest}");
        }

        #[test]
        fn random_errors_are_not_amplified_beyond_twice(
            rules in any_rules(),
            found in prop::collection::vec((-300..=300_i32, 1..60_i32), 1..3_000),
        ) {
            let most = found.iter().map(|&(d, _)| d.abs()).max().unwrap_or_default();
            let largest = largest_when_fed_back(rules, found.into_iter());
            prop_assert!(largest <= 2 * most, "{largest}");
        }
    }

    #[test]
    fn constant_error_is_learnt_by_position_and_forgotten() {
        let [start, other] = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqk2r/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 2",
        ]
        .map(|fen| Board::from_fen(fen).unwrap());
        let mut history = CorrectionHistory::default();
        for _ in 0..1_000 {
            history.update(&start, 50, 8);
        }
        let learnt = 50 * p::correction_gain() / 100;
        assert!((learnt - 1..=learnt).contains(&history.get(&start)), "{}", history.get(&start));
        assert_eq!(history.get(&other), 0);
        history.clear();
        assert_eq!(history.get(&start), 0);
    }

    /// A key that left out the high squares would mix up most of Black's piece placements.
    #[test]
    fn pieces_on_all_squares_change_the_index() {
        for white_to_move in [true, false] {
            let side = if white_to_move { "w" } else { "b" };
            let mut seen = std::collections::HashSet::new();
            for rank in ["n7", "1n6", "2n5", "3n4", "5n2", "6n1", "7n"] {
                let fen = format!("{rank}/8/4k3/8/8/4K3/8/8 {side} - - 0 1");
                seen.insert(indices(&Board::from_fen(&fen).unwrap()));
            }
            assert_eq!(seen.len(), 7);
        }
        let index = |squares: u64| fold(squares, 0x9e37_79b9_7f4a_7c15) as usize % ENTRIES;
        let singles: std::collections::HashSet<usize> =
            (0..64).map(|square| index(1 << square)).collect();
        assert_eq!(singles.len(), 64);
    }
}
