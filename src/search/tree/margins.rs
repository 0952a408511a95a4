//! Margins, thresholds and reductions of the selective search techniques, as pure functions.

use crate::search::params as p;
use crate::types::Score;

/// Reverse futility pruning (RFP, or static null move pruning): returns how far above beta the
/// evaluation must be to cut off, in centipawns, or `None` above the maximum depth. A lead that
/// large rarely vanishes in the remaining plies.
pub(crate) fn reverse_futility_margin(depth: i32, improving: bool) -> Option<i32> {
    let margin = p::reverse_futility_margin() * depth
        - if improving { p::reverse_futility_improving() } else { 0 };
    (depth <= p::reverse_futility_depth()).then_some(margin)
}

/// Razoring: returns how far below alpha the evaluation must be to trust quiescence search, in
/// centipawns, or `None` above the maximum depth. Below that only tactics can help.
pub(crate) fn razoring_margin(depth: i32) -> Option<i32> {
    (depth <= p::razoring_depth()).then_some(p::razoring_margin() * depth)
}

/// Null move pruning (NMP): returns the total depth reduction of the search after the null move, in
/// plies.
pub(crate) fn null_move_reduction(depth: i32, eval: Score, beta: Score) -> i32 {
    let lead = (eval.value() - beta.value()) / p::null_move_eval();
    p::null_move_reduction()
        + depth / p::null_move_divisor()
        + lead.clamp(0, p::null_move_eval_limit())
}

/// Late move pruning (LMP): returns the move count after which quiet moves are pruned, or `None`
/// above the maximum depth. With good ordering, moves so late rarely raise alpha.
pub(crate) fn late_move_count(depth: i32, improving: bool) -> Option<usize> {
    let count = p::late_move_base() + p::late_move_growth() * depth * depth / 100;
    let count = if improving { count } else { count * p::late_move_worsening_share() / 100 };
    (depth <= p::late_move_depth()).then_some(count as usize)
}

/// Futility pruning (FP): returns how far below alpha the static evaluation must be to prune quiet
/// moves, in centipawns, or `None` above the maximum depth. Quiet moves rarely gain that much
/// (Heinz, "Extended Futility Pruning").
pub(crate) fn futility_margin(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= p::futility_depth())
        .then_some(p::futility_base() + p::futility_margin() * reduced_depth)
}

/// History pruning: returns the history score below which quiet moves are pruned, or `None` above
/// the maximum depth.
pub(crate) fn history_threshold(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= p::history_pruning_depth())
        .then_some(-p::history_pruning_base() - p::history_pruning_margin() * reduced_depth)
}

/// SEE pruning: returns the SEE, in centipawns, below which quiet moves are pruned, or `None` above
/// the maximum depth.
pub(crate) fn see_quiet_threshold(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= p::see_quiet_depth())
        .then_some(-p::see_quiet_margin() * reduced_depth * reduced_depth)
}

/// SEE pruning: returns the SEE, in centipawns, below which captures, promotions and checks are
/// pruned, or `None` above the maximum depth.
pub(crate) fn see_noisy_threshold(depth: i32) -> Option<i32> {
    (depth <= p::see_noisy_depth()).then_some(-p::see_noisy_margin() * depth)
}

/// The table of late move reductions (LMR) by depth and move number, in 1/100 ply.
pub(crate) struct Reductions([[u16; 64]; 64]);

impl Reductions {
    pub(crate) fn new() -> Self {
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

    pub(crate) fn get(&self, depth: i32, count: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.min(63)])
    }
}

/// Fifty-move damping: draws `eval` towards 0 as the halfmove clock runs, so the better side looks
/// for progress and a fortress scores closer to a draw.
pub(crate) fn damped_by_clock(eval: i32, halfmove_clock: u16) -> i32 {
    let clock = i32::from(halfmove_clock).min(100);
    eval - eval * clock / p::fifty_move_scale()
}

/// Returns `number` if `condition` holds, otherwise 0.
pub(crate) fn when(condition: bool, number: i32) -> i32 {
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
    fn damping_grows_with_the_clock() {
        assert_eq!(damped_by_clock(300, 0), 300);
        for clock in 1..=150 {
            let (now, before) = (damped_by_clock(300, clock), damped_by_clock(300, clock - 1));
            assert!((0..=before).contains(&now), "{clock}");
            assert_eq!(damped_by_clock(-300, clock), -now);
        }
        assert!(damped_by_clock(300, 99) < 150);
    }

    #[test]
    fn margins_depend_on_depth_and_improving() {
        assert_eq!(razoring_margin(50), None);
        assert_eq!(reverse_futility_margin(50, false), None);
        assert!(reverse_futility_margin(3, true) < reverse_futility_margin(3, false));
        assert!(late_move_count(3, false) < late_move_count(3, true));
    }
}
