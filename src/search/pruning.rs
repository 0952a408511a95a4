//! Named decisions of a node: what need not be searched, or not so deep. Pure functions of numbers.

use super::params as p;
use crate::types::Score;

/// Reverse futility (also static null move): so far above beta that a quiet move will hold it.
pub(super) fn reverse_futility_margin(depth: i32, improving: bool) -> Option<i32> {
    let margin = p::reverse_futility_margin() * depth
        - if improving { p::reverse_futility_improving() } else { 0 };
    (depth <= p::reverse_futility_depth()).then_some(margin)
}

/// Razoring: so far below alpha that only captures can help.
pub(super) fn razoring_margin(depth: i32) -> Option<i32> {
    (depth <= p::razoring_depth()).then_some(p::razoring_margin() * depth)
}

/// How much shallower the search after a null move is.
pub(super) fn null_move_reduction(depth: i32, eval: Score, beta: Score) -> i32 {
    let lead = (eval.value() - beta.value()) / p::null_move_eval();
    p::null_move_reduction()
        + depth / p::null_move_divisor()
        + lead.clamp(0, p::null_move_eval_limit())
}

/// Late move pruning: after so many moves the quiet ones that are left will not help.
pub(super) fn late_move_count(depth: i32, improving: bool) -> Option<usize> {
    let count = p::late_move_base() + p::late_move_growth() * depth * depth / 100;
    let count = if improving { count } else { count * p::late_move_worsening_share() / 100 };
    (depth <= p::late_move_depth()).then_some(count as usize)
}

/// Futility: so far below alpha that a quiet move will not reach it.
pub(super) fn futility_margin(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= p::futility_depth())
        .then_some(p::futility_base() + p::futility_margin() * reduced_depth)
}

/// Moves with a history below this are left out.
pub(super) fn history_threshold(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= p::history_pruning_depth())
        .then_some(-p::history_pruning_base() - p::history_pruning_margin() * reduced_depth)
}

/// A quiet move may lose so much in exchanges.
pub(super) fn quiet_exchange_threshold(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= p::see_quiet_depth())
        .then_some(-p::see_quiet_margin() * reduced_depth * reduced_depth)
}

/// A capture may lose so much in exchanges.
pub(super) fn noisy_exchange_threshold(depth: i32) -> Option<i32> {
    (depth <= p::see_noisy_depth()).then_some(-p::see_noisy_margin() * depth)
}

/// Late move reductions: the logarithmic table, in hundredths of a ply.
pub(super) struct Reductions([[u16; 64]; 64]);

impl Reductions {
    pub(super) fn new() -> Self {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (count as f64).ln();
                let hundredths = f64::from(p::reduction_base())
                    + 10_000.0 * product / f64::from(p::reduction_divisor());
                *entry = hundredths as u16;
            }
        }
        Self(table)
    }

    pub(super) fn get(&self, depth: i32, count: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.min(63)])
    }
}

/// Fifty-move damping: an advantage without progress is worth less the longer it lasts, so the side
/// that is better makes progress, and a fortress shows as what it is.
pub(super) fn damped_by_clock(eval: i32, halfmove_clock: u16) -> i32 {
    let clock = i32::from(halfmove_clock).min(100);
    eval - eval * clock / p::fifty_move_scale()
}

/// A number that counts only under a condition.
pub(super) fn when(condition: bool, number: i32) -> i32 {
    if condition { number } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_count() {
        let reductions = Reductions::new();
        assert!(reductions.get(1, 1) < 100);
        for depth in 2..63 {
            for count in 2..63 {
                assert!(reductions.get(depth, count) >= reductions.get(depth - 1, count));
                assert!(reductions.get(depth, count) >= reductions.get(depth, count - 1));
            }
        }
        assert!(reductions.get(20, 40) >= 400);
    }

    #[test]
    fn evaluation_is_damped_as_the_clock_runs() {
        assert_eq!(damped_by_clock(300, 0), 300);
        for clock in 1..=150 {
            let (now, before) = (damped_by_clock(300, clock), damped_by_clock(300, clock - 1));
            assert!((0..=before).contains(&now), "{clock}");
            assert_eq!(damped_by_clock(-300, clock), -now);
        }
        assert!(damped_by_clock(300, 99) < 150);
    }

    #[test]
    fn margins_end_with_depth() {
        assert_eq!(razoring_margin(50), None);
        assert_eq!(reverse_futility_margin(50, false), None);
        assert!(reverse_futility_margin(3, true) < reverse_futility_margin(3, false));
        assert!(late_move_count(3, false) < late_move_count(3, true));
    }
}
