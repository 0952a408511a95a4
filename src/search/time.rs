//! Time management: soft and hard time limits for a move. Start at [`budget`], pure arithmetic that
//! no clock in `u64` milliseconds overflows. `TimeManager` scales the soft limit between
//! iterations.

use std::time::Duration;

use crate::search::limits::Limits;
use crate::search::params as p;
use crate::types::{Move, Score};

/// The time limits for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    /// Soft limit: no new iteration starts after it. Scaled between iterations if `flexible`.
    pub soft: Duration,
    /// Hard limit: the search stops when it is reached, after a short grace for the first
    /// iteration.
    pub hard: Duration,
    /// Whether the soft limit may be scaled; false for a fixed time.
    pub flexible: bool,
}

/// Converts a parameter in percent to a factor.
fn factor(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

/// Returns the time limits for one move, or `None` if `limits` contain no time. `overhead` allows
/// for communication with the GUI and is not spent, but a fixed time keeps at least 1 ms.
#[must_use]
pub(super) fn budget(limits: &Limits, overhead: Duration) -> Option<Budget> {
    if let Some(time) = limits.move_time {
        let time = time.saturating_sub(overhead).max(Duration::from_millis(1).min(time));
        return Some(Budget { soft: time, hard: time, flexible: false });
    }
    let clock = limits.clock?;
    let left = clock.left.saturating_sub(overhead);
    let moves = clock.moves_to_go.unwrap_or(p::time_moves_left() as u32);
    let moves = moves.clamp(1, p::time_moves_limit() as u32);
    // Reserve the overhead of future moves too, which also covers stalls on a busy machine. At
    // least a quarter of the clock is shared, however large the reserve.
    let later = overhead.saturating_mul((moves - 1).min(p::time_reserved_moves() as u32));
    let free = left.saturating_sub(later).max(left / 4);
    // A sudden-death game always assumes more moves, so a reserve remains; with moves to go, time
    // is shared evenly.
    let share = free / moves + clock.increment.mul_f64(factor(p::time_increment()));
    // One move may take a large part of the clock, and the last before the time control most of it.
    let most = if moves == 1 { p::time_last_move() } else { p::time_one_move() };
    let most = left.mul_f64(factor(most));
    let soft = share.min(most);
    // Beyond the soft limit a move may use only half of the time that is not reserved.
    let hard = share.mul_f64(factor(p::time_hard())).min(most).min(soft + free / 2);
    Some(Budget { soft, hard, flexible: true })
}

/// Returns how long a weakened level takes to answer, however short its search. It takes a share of
/// the soft limit, less for an `obvious` move; `mood`, from 0 to 1, makes the time vary.
pub(crate) fn natural_time(budget: &Budget, obvious: bool, mood: f64) -> Duration {
    let share = if obvious { OBVIOUS_SHARE } else { SHORTEST_SHARE * (1.0 + mood) };
    // Rounding must not exceed half of the soft limit either.
    budget.soft.min(LONG_ENOUGH).mul_f64(share).min(budget.soft / 2)
}

/// Cap on the soft limit in [`natural_time`], whose result is at most half of it.
const LONG_ENOUGH: Duration = Duration::from_secs(3);
const SHORTEST_SHARE: f64 = 0.25;
const OBVIOUS_SHARE: f64 = 0.125;

/// Soft limit scaling from the best move's stability, the score's trend and the best move's effort.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeManager {
    best: Option<Move>,
    stable_iterations: u32,
    score: Option<Score>,
}

impl TimeManager {
    /// Returns the factor for the soft limit after an iteration. It is smaller the longer `best`
    /// has stood and the larger its share of the nodes (`nodes_share`, 0 to 1), and larger the more
    /// `score` has dropped.
    pub(crate) fn factor(&mut self, best: Move, score: Score, nodes_share: f64) -> f64 {
        if self.best == Some(best) {
            self.stable_iterations += 1;
        } else {
            self.best = Some(best);
            self.stable_iterations = 0;
        }
        let stability = factor(match self.stable_iterations {
            0 => p::time_stable_0(),
            1 => p::time_stable_1(),
            2 => p::time_stable_2(),
            3 => p::time_stable_3(),
            _ => p::time_stable_4(),
        });
        let drop = self.score.map_or(0, |previous| previous.value() - score.value());
        let falling = (1.0 + f64::from(drop) / f64::from(p::time_falling_unit()))
            .clamp(factor(p::time_falling_min()), factor(p::time_falling_max()));
        let effort = (factor(p::time_effort_base()) - factor(p::time_effort_share()) * nodes_share)
            .clamp(factor(p::time_effort_min()), factor(p::time_effort_max()));
        self.score = Some(score);
        stability * falling * effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;
    use crate::types::{Piece, Square};

    fn on_clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let ms = Duration::from_millis;
        let clock = Clock { left: ms(left), increment: ms(increment), moves_to_go };
        budget(&Limits { clock: Some(clock), ..Limits::default() }, ms(10)).unwrap()
    }

    #[test]
    fn limits_never_exceed_the_clock() {
        for left in [0, 1, 5, 10, 11, 20, 50, 100, 1_000, 60_000, 7_200_000, u64::MAX / 4] {
            for increment in [0, 1, 10, 100, 1_000, 60_000, u64::MAX / 4] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = on_clock(left, increment, moves_to_go);
                    let most = Duration::from_millis(left.saturating_sub(10));
                    assert!(budget.soft <= budget.hard, "{left} {increment} {moves_to_go:?}");
                    assert!(budget.hard <= most, "{left} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn soft_limit_on_typical_clocks() {
        let ms = Duration::from_millis;
        for (left, increment, moves_to_go, soft_from, soft_to) in [
            (2_000, 20, None, 80, 120),
            (60_000, 0, None, 2_000, 3_000),
            (60_000, 600, None, 2_500, 3_500),
            (60_000, 0, Some(40), 1_400, 1_600),
            (1_000, 0, Some(1), 800, 990),
            (100, 10, None, 8, 16),
        ] {
            let soft = on_clock(left, increment, moves_to_go).soft;
            assert!(soft >= ms(soft_from) && soft <= ms(soft_to), "{left}+{increment}: {soft:?}");
        }
    }

    /// In a long game with an increment, the clock must settle where a stall of 100 ms does no
    /// harm.
    #[test]
    fn clock_keeps_a_reserve_in_a_long_game() {
        let mut left = 2_000;
        for _ in 0..300 {
            let budget = on_clock(left, 20, None);
            assert!(u128::from(left) - budget.hard.as_millis() >= 100, "{left}: {budget:?}");
            left = left - (budget.soft + Duration::from_millis(2)).as_millis() as u64 + 20;
        }
    }

    /// After a stall has nearly emptied the clock, no move may take more than half of what is left
    /// until the increment has refilled it.
    #[test]
    fn clock_recovers_after_a_stall() {
        let mut left = 60;
        for _ in 0..60 {
            let budget = on_clock(left, 20, None);
            assert!(u128::from(left) >= 2 * budget.hard.as_millis(), "{left}: {budget:?}");
            left = left - (budget.soft + Duration::from_millis(2)).as_millis() as u64 + 20;
        }
        assert!(left >= 100, "{left}");
    }

    #[test]
    fn fixed_time_is_reduced_by_the_overhead() {
        let ms = Duration::from_millis;
        let fixed = |time| budget(&Limits::move_time(ms(time)), ms(10)).unwrap();
        assert_eq!(fixed(1_000).hard, ms(990));
        assert_eq!(fixed(5).hard, ms(1));
        assert_eq!(fixed(0).hard, ms(0));
        assert_eq!(budget(&Limits::depth(5), ms(10)), None);
    }

    #[test]
    fn natural_time_is_short_and_at_most_half_the_soft_limit() {
        let ms = Duration::from_millis;
        for left in [0, 11, 100, 1_000, 60_000, 7_200_000, u64::MAX / 4] {
            let budget = on_clock(left, 0, None);
            for (obvious, mood) in [(true, 0.0), (true, 1.0), (false, 0.0), (false, 1.0)] {
                let time = natural_time(&budget, obvious, mood);
                assert!(time <= budget.soft / 2 && time <= ms(1_500), "{left}: {time:?}");
            }
            assert!(natural_time(&budget, true, 1.0) <= natural_time(&budget, false, 0.0));
        }
        assert_eq!(natural_time(&on_clock(600_000, 0, None), false, 1.0), ms(1_500));
    }

    #[test]
    fn soft_limit_factor_grows_with_doubt() {
        let a = Move::quiet(Piece::WhiteKnight, Square::G1, Square::F3);
        let b = Move::quiet(Piece::WhiteKnight, Square::B1, Square::C3);
        let mut time_manager = TimeManager::default();
        let first = time_manager.factor(a, Score::cp(10), 0.5);
        let mut stable = first;
        for _ in 0..5 {
            stable = time_manager.factor(a, Score::cp(10), 0.5);
        }
        assert!(stable < first);
        let changed = time_manager.factor(b, Score::cp(-60), 0.5);
        assert!(changed > first);
        let mut busy = TimeManager::default();
        assert!(busy.factor(a, Score::cp(0), 0.2) > busy.clone().factor(a, Score::cp(0), 0.95));
    }
}
