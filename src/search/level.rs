//! Adjustable playing strength. Below full strength the engine searches fewer nodes, overlooks
//! moves and misjudges positions; its mistakes are not random, but follow from a seed. Start at
//! [`Level`].
//!
//! The mistakes are consistent, as those of a human are. A move is overlooked wherever the pawn
//! structure is the same, so a long diagonal stays unseen for a while and does not come and go
//! from one line to the next. A bias for a piece or square lasts for the whole game. Root moves,
//! check evasions and captures of the piece that has just moved are never overlooked, so every
//! level gives mate in one, always has a move, and does not put a piece where it can simply be
//! taken.

use crate::board::Board;
use crate::types::random::split_mix_64;
use crate::types::{Color, Move, PieceType, Square};

/// Handicap of a weakened level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weakness {
    /// Soft node limit, checked after each iteration. The first iteration is always finished.
    pub nodes: u64,
    /// Scale of the evaluation errors, in centipawns.
    pub misjudgement: u32,
    /// Probability of overlooking a quiet move that is neither long nor backward, in thousandths.
    pub blindness: u32,
}

/// Playing strength: full, or limited by a [`Weakness`].
///
/// ```
/// use damero::search::Level;
///
/// assert_eq!(Level::default(), Level::full());
/// assert_eq!(Level::skill(20), Level::full());
/// assert_eq!(Level::skill(0), Level::elo(Level::LOWEST));
/// let (weak, strong) = (Level::elo(1000).weakness().unwrap(), Level::elo(2000).weakness().unwrap());
/// assert!(weak.nodes < strong.nodes && weak.blindness > strong.blindness);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Level(Option<Weakness>);

/// One step of the ladder: the weakness that was measured to play at an Elo rating.
struct Step {
    elo: u32,
    weakness: Weakness,
}

const fn step(elo: u32, nodes: u64, misjudgement: u32, blindness: u32) -> Step {
    Step { elo, weakness: Weakness { nodes, misjudgement, blindness } }
}

/// Measured levels from 800 to 2800 Elo. [`crate::guide::levels`] describes the measurements.
const LADDER: [Step; 11] = [
    step(800, 44, 302, 610),
    step(1000, 60, 203, 415),
    step(1200, 155, 128, 250),
    step(1400, 370, 87, 165),
    step(1600, 770, 65, 115),
    step(1800, 1_450, 53, 77),
    step(2000, 2_700, 45, 42),
    step(2200, 5_200, 38, 20),
    step(2400, 10_500, 32, 7),
    step(2600, 17_000, 28, 0),
    step(2800, 40_000, 19, 0),
];

impl Level {
    /// Lowest rating of a level.
    pub const LOWEST: u32 = LADDER[0].elo;
    /// Highest rating of a level; full strength is above it.
    pub const HIGHEST: u32 = LADDER[LADDER.len() - 1].elo;
    /// `Skill Level` of full strength.
    pub const FULL_SKILL: u32 = 20;
    /// Elo points per skill level.
    const ELO_OF_SKILL: u32 = (Self::HIGHEST - Self::LOWEST) / Self::FULL_SKILL;

    /// Returns full strength.
    #[must_use]
    pub const fn full() -> Self {
        Self(None)
    }

    /// Returns the level for a rating, clamped to [`Self::LOWEST`] and [`Self::HIGHEST`].
    #[must_use]
    pub fn elo(elo: u32) -> Self {
        let elo = elo.clamp(Self::LOWEST, Self::HIGHEST);
        let upper = LADDER.iter().position(|step| step.elo >= elo).unwrap_or(LADDER.len() - 1);
        let (below, above) = (&LADDER[upper.saturating_sub(1)], &LADDER[upper]);
        let span = (above.elo - below.elo).max(1);
        let share = f64::from(elo - below.elo) / f64::from(span);
        let (below, above) = (below.weakness, above.weakness);
        // Strength grows with the logarithm of the node count, so interpolate that.
        let nodes = below.nodes as f64 * (above.nodes as f64 / below.nodes as f64).powf(share);
        let between = |low: u32, high: u32| {
            (f64::from(low) + (f64::from(high) - f64::from(low)) * share).round() as u32
        };
        Self(Some(Weakness {
            nodes: nodes.round() as u64,
            misjudgement: between(below.misjudgement, above.misjudgement),
            blindness: between(below.blindness, above.blindness),
        }))
    }

    /// Returns the level for a `Skill Level`, for GUIs without `UCI_Elo`. Skill 0 is
    /// [`Self::LOWEST`], each step adds 100 Elo, and 20 or more is full strength.
    #[must_use]
    pub fn skill(skill: u32) -> Self {
        if skill >= Self::FULL_SKILL {
            Self::full()
        } else {
            Self::elo(Self::LOWEST + Self::ELO_OF_SKILL * skill)
        }
    }

    /// Creates a level with any weakness, which need not be on the ladder.
    #[must_use]
    pub const fn with(weakness: Weakness) -> Self {
        Self(Some(weakness))
    }

    /// Returns the weakness, or `None` at full strength.
    #[must_use]
    pub const fn weakness(self) -> Option<Weakness> {
        self.0
    }
}

/// Handicap state for one game.
pub(crate) struct Handicap {
    weakness: Weakness,
    seed: u64,
    /// Bias for each piece type on each square, in centipawns. Squares are from the owner's side.
    taste: [[i32; 64]; 6],
}

/// Factor from the soft node limit to the one that ends a search within an iteration.
const HARD_LIMIT_FACTOR: u64 = 8;
/// Shares of the misjudgement for the piece type, its square and the whole position, in
/// hundredths.
const KIND_SHARE: [i32; 6] = [10, 40, 40, 60, 80, 0];
const SQUARE_SHARE: i32 = 30;
const POSITION_SHARE: i32 = 60;

impl Handicap {
    pub(crate) fn new(weakness: Weakness, seed: u64) -> Self {
        // Mix the level into the seed, so that two levels in one game make different mistakes.
        let Weakness { nodes, misjudgement, blindness } = weakness;
        let person = nodes << 32 ^ u64::from(misjudgement) << 16 ^ u64::from(blindness);
        let seed = split_mix_64(seed ^ split_mix_64(person));
        let most = weakness.misjudgement as i32;
        let error = |share: i32, what: u64| spread(split_mix_64(seed ^ what), most * share / 100);
        let taste = std::array::from_fn(|kind| {
            let of_kind = error(KIND_SHARE[kind], kind as u64 + 1);
            std::array::from_fn(|square| {
                of_kind + error(SQUARE_SHARE, (kind * 64 + square + 64) as u64)
            })
        });
        Self { weakness, seed, taste }
    }

    /// Returns whether a search may end after an iteration, having searched `nodes` nodes.
    pub(crate) fn reached_soft_limit(&self, nodes: u64) -> bool {
        nodes >= self.weakness.nodes
    }

    /// Returns whether a search must end after `nodes` nodes, even within an iteration.
    pub(crate) fn reached_hard_limit(&self, nodes: u64) -> bool {
        nodes >= self.weakness.nodes.saturating_mul(HARD_LIMIT_FACTOR)
    }

    /// Returns the evaluation error for the side to move, in centipawns. It shrinks as pieces come
    /// off the board.
    pub(crate) fn misjudgement(&self, board: &Board) -> i32 {
        if self.weakness.misjudgement == 0 {
            return 0;
        }
        let us = board.side_to_move();
        let taste = self.liking(board, us) - self.liking(board, !us);
        let most = self.weakness.misjudgement as i32;
        let whole = spread(split_mix_64(self.seed ^ board.key()), most * POSITION_SHARE / 100);
        (taste + whole) * (4 + board.occupied().len() as i32) / 36
    }

    fn liking(&self, board: &Board, color: Color) -> i32 {
        let of_kind = |kind: PieceType| -> i32 {
            let squares = board.pieces(color, kind).into_iter();
            squares.map(|square| self.taste[kind.index()][square.relative_to(color).index()]).sum()
        };
        PieceType::ALL.into_iter().map(of_kind).sum()
    }

    /// Returns whether `mv` is overlooked after the move `before`. The pseudo-random choice depends
    /// only on `mv` and the pawns, so it is the same throughout the tree.
    pub(crate) fn overlooks(&self, board: &Board, mv: Move, before: Option<Move>) -> bool {
        let takes_back =
            mv.is_capture() && before.is_some_and(|before| before.destination() == mv.to());
        if self.weakness.blindness == 0 || takes_back || board.in_check() {
            return false;
        }
        let chance = (self.weakness.blindness * obscurity(mv) / 4).min(MOST_OVERLOOKED);
        let what = u64::from(mv.bits() & PIECE_FROM_TO) << 20 ^ board.pawn_key();
        split_mix_64(self.seed ^ what) % 1000 < u64::from(chance)
    }

    /// Returns a pseudo-random number from 0 to 1 for `board`, which varies the thinking time.
    pub(crate) fn mood(&self, board: &Board) -> f64 {
        (split_mix_64(self.seed ^ !board.key()) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Bits of a move that hold its piece, origin and target.
const PIECE_FROM_TO: u32 = 0xffff;
/// Maximum probability of overlooking a move, in thousandths.
const MOST_OVERLOOKED: u32 = 900;

/// Returns how easily `mv` is overlooked, in quarters: 4 for a plain quiet move, less for a capture
/// or promotion, least for a queen capture, and more for a long or backward move.
fn obscurity(mv: Move) -> u32 {
    let rank = |square: Square| square.relative_to(mv.piece().color()).rank();
    let gain = match mv.captured() {
        Some(PieceType::Queen) => 1,
        Some(PieceType::Rook) => 2,
        Some(_) => 3,
        None if mv.is_promotion() => 2,
        None => 4,
    };
    let far = if mv.from().distance(mv.to()) >= FAR { 2 } else { 0 };
    let backward = if rank(mv.to()) < rank(mv.from()) { 2 } else { 0 };
    gain + far + backward
}

/// King distance from which a move is long.
const FAR: usize = 3;

/// Returns a number between `-most` and `most`. It is a sum of two uniform numbers, so small values
/// are more likely.
fn spread(random: u64, most: i32) -> i32 {
    const SIDES: i64 = 1 << 16;
    let dice = (random as i64 & (SIDES - 1)) + (random >> 16) as i64 % SIDES;
    ((dice - (SIDES - 1)) * i64::from(most) / SIDES) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Piece;

    fn handicap(misjudgement: u32, blindness: u32, seed: u64) -> Handicap {
        Handicap::new(Weakness { nodes: 100, misjudgement, blindness }, seed)
    }

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    const MIDDLE_GAME: &str =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn ladder_is_monotonic_and_evenly_spaced() {
        for pair in LADDER.windows(2) {
            let (low, high) = (pair[0].weakness, pair[1].weakness);
            assert_eq!(pair[1].elo - pair[0].elo, 200);
            assert!(low.nodes <= high.nodes);
            assert!(low.misjudgement >= high.misjudgement && low.blindness >= high.blindness);
            assert_ne!(low, high, "{}", pair[0].elo);
        }
        let mut before = Level::elo(Level::LOWEST).weakness().unwrap();
        for elo in Level::LOWEST..=Level::HIGHEST {
            let now = Level::elo(elo).weakness().unwrap();
            assert!(now.nodes >= before.nodes && now.nodes <= before.nodes + before.nodes / 20 + 1);
            assert!(now.misjudgement <= before.misjudgement && now.blindness <= before.blindness);
            before = now;
        }
        for step in &LADDER {
            assert_eq!(Level::elo(step.elo), Level::with(step.weakness));
        }
        assert_eq!(Level::elo(0), Level::elo(Level::LOWEST));
        assert_eq!(Level::elo(u32::MAX), Level::elo(Level::HIGHEST));
    }

    #[test]
    fn skill_levels_increase_to_full_strength() {
        let nodes = |skill| Level::skill(skill).weakness().map_or(u64::MAX, |it| it.nodes);
        assert!((0..20).all(|skill| nodes(skill) <= nodes(skill + 1)));
        assert_ne!(Level::skill(19), Level::full());
        assert_eq!(Level::skill(u32::MAX), Level::full());
    }

    #[test]
    fn misjudgement_is_seeded_and_unbiased() {
        let board = board(MIDDLE_GAME);
        let errors: Vec<i32> =
            (0..2000).map(|seed| handicap(100, 0, seed).misjudgement(&board)).collect();
        assert_eq!(errors[7], handicap(100, 0, 7).misjudgement(&board));
        let mean = errors.iter().sum::<i32>() / 2000;
        assert!(mean.abs() < 10, "{mean}");
        let far_off = errors.iter().filter(|error| error.abs() > 20).count();
        assert!(far_off > 1000, "{far_off}");
        assert!((0..100).all(|seed| handicap(0, 0, seed).misjudgement(&board) == 0));
    }

    #[test]
    fn piece_square_bias_is_stable_across_moves() {
        // One bishop moves, so without the whole-position error only its square bias changes.
        let (one, two) = (board(MIDDLE_GAME), board(MIDDLE_GAME).after(quiet_move()));
        for seed in 0..100 {
            let handicap = handicap(100, 0, seed);
            let like = |board: &Board| {
                handicap.liking(board, Color::White) - handicap.liking(board, Color::Black)
            };
            assert!((like(&one) - like(&two)).abs() <= 2 * SQUARE_SHARE);
        }
    }

    fn quiet_move() -> Move {
        Move::quiet(Piece::WhiteBishop, Square::D2, Square::F4)
    }

    #[test]
    fn obscure_moves_are_overlooked_more_often() {
        let board = board(MIDDLE_GAME);
        let rate = |mv: Move, blindness: u32| {
            (0..4000)
                .filter(|&seed| handicap(0, blindness, seed).overlooks(&board, mv, None))
                .count()
        };
        let forward = quiet_move();
        let pawn = Move::taking(Piece::WhiteQueen, Square::F3, Square::H3, Some(PieceType::Pawn));
        let queen =
            Move::taking(Piece::WhiteKnight, Square::D5, Square::E7, Some(PieceType::Queen));
        let retreat = Move::quiet(Piece::WhiteQueen, Square::H3, Square::C3);
        let back = Move::quiet(Piece::WhiteBishop, Square::H6, Square::D2);
        assert!(rate(queen, 400) < rate(pawn, 400) && rate(pawn, 400) < rate(forward, 400));
        assert!(rate(forward, 400) < rate(retreat, 400) && rate(retreat, 400) < rate(back, 400));
        assert!((1400..1800).contains(&rate(forward, 400)));
        assert_eq!(rate(back, 0), 0);
    }

    #[test]
    fn recaptures_and_evasions_are_never_overlooked() {
        let calm = board(MIDDLE_GAME);
        let before = Move::quiet(Piece::BlackPawn, Square::H4, Square::H3);
        let takes = Move::taking(Piece::WhitePawn, Square::G2, Square::H3, Some(PieceType::Pawn));
        assert!((0..200).all(|seed| !handicap(0, 900, seed).overlooks(&calm, takes, Some(before))));
        assert!((0..200).any(|seed| handicap(0, 900, seed).overlooks(&calm, takes, None)));
        let check = board("4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1");
        for &mv in &check.legal_moves() {
            assert!((0..200).all(|seed| !handicap(0, 900, seed).overlooks(&check, mv, None)));
        }
    }
}
