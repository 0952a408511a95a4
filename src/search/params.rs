//! Tunable search parameters, each declared once with its name, default and range.
//!
//! Normally a parameter is a constant. With the feature `tuning` it is an atomic that `set` can
//! change between searches. Those atomics are the only mutable global state, and only programs that
//! play games for a tuner are built with them.

#[cfg(feature = "tuning")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A tunable search parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, a single word; also the UCI option of a tuning build.
    pub name: &'static str,
    /// The value used unless `set` changes it.
    pub default: i32,
    /// The smallest value that can be set.
    pub min: i32,
    /// The largest value that can be set.
    pub max: i32,
    #[cfg(feature = "tuning")]
    value: &'static AtomicI32,
}

/// Declares a function for each parameter that returns its value, and lists them all in `ALL`.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                values::$name.load(Relaxed)
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)] // named after its function
        mod values {
            use super::AtomicI32;
            $(pub(crate) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// All parameters, in the order of declaration.
        pub static ALL: &[Param] = &[
            $(Param {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                #[cfg(feature = "tuning")]
                value: &values::$name,
            },)*
        ];
        $(const _: () = assert!($min <= $default && $default <= $max);)*
    };
}

/// Returns the current value of the parameter called `name`, if there is one.
#[cfg(feature = "tuning")]
#[must_use]
pub fn get(name: &str) -> Option<i32> {
    find(name).map(|param| param.value.load(Relaxed))
}

/// Sets the parameter called `name` to `value`, clamped to its range, and returns the new value, or
/// `None` if there is no such parameter. The next search uses it; a running one may.
#[cfg(feature = "tuning")]
#[must_use = "`None` means that there is no such parameter"]
pub fn set(name: &str, value: i32) -> Option<i32> {
    let param = find(name)?;
    let value = value.clamp(param.min, param.max);
    param.value.store(value, Relaxed);
    Some(value)
}

#[cfg(feature = "tuning")]
fn find(name: &str) -> Option<&'static Param> {
    ALL.iter().find(|param| param.name == name)
}

params! {
    /// Aspiration window: initial half-width, in centipawns.
    aspiration_window = 14 in 4 ..= 60;
    /// Aspiration window: minimum iteration depth, in plies; shallower iterations use a full
    /// window.
    aspiration_depth = 5 in 3 ..= 8;
    /// Aspiration window: growth of the half-width after each fail-low or fail-high, in percent.
    aspiration_growth = 50 in 25 ..= 150;
    /// Aspiration window: half-width above which the bound that failed becomes infinite, in
    /// centipawns.
    aspiration_limit = 600 in 200 ..= 1500;
    /// Aspiration window: after a fail-low, beta moves to the old alpha plus this percentage of the
    /// window's width.
    aspiration_beta_share = 50 in 10 ..= 100;
    /// Aspiration window: maximum depth reduction after consecutive fail-highs, in plies.
    aspiration_reduction = 3 in 0 ..= 5;

    /// Check and singular extensions: allowed only while the ply is below this multiple of the
    /// iteration depth.
    extension_limit = 2 in 1 ..= 4;

    /// Transposition table (TT): no cutoffs in the main search from this halfmove clock on, in
    /// plies, because the key ignores the clock.
    table_cutoff_clock = 90 in 50 ..= 100;
    /// TT replacement: an entry of this search is kept if it is deeper than a new inexact result
    /// for the same position by more than this many plies.
    table_keep_depth = 4 in 0 ..= 8;
    /// TT replacement: depth that an entry loses for each search since it was stored, in plies.
    table_age = 4 in 1 ..= 8;

    /// Reverse futility pruning (RFP): maximum depth, in plies.
    reverse_futility_depth = 8 in 4 ..= 12;
    /// RFP: margin per ply of depth, in centipawns.
    reverse_futility_margin = 78 in 30 ..= 150;
    /// RFP: decrease of the margin when improving, in centipawns.
    reverse_futility_improving = 60 in 0 ..= 120;
    /// RFP: the returned score is beta plus this percentage of the evaluation's lead over beta.
    reverse_futility_share = 50 in 0 ..= 100;

    /// Razoring: maximum depth, in plies.
    razoring_depth = 3 in 1 ..= 6;
    /// Razoring: margin per ply of depth, in centipawns.
    razoring_margin = 260 in 100 ..= 500;

    /// Null move pruning (NMP): minimum depth, in plies.
    null_move_depth = 3 in 2 ..= 5;
    /// NMP: constant part of the reduction, in plies.
    null_move_reduction = 4 in 2 ..= 5;
    /// NMP: depth per additional ply of reduction, in plies.
    null_move_divisor = 4 in 2 ..= 6;
    /// NMP: lead of the evaluation over beta per additional ply of reduction, in centipawns.
    null_move_eval = 200 in 80 ..= 400;
    /// NMP: maximum reduction that `null_move_eval` adds, in plies.
    null_move_eval_limit = 3 in 1 ..= 6;
    /// NMP: lead over beta required of the static evaluation at depth 0, in centipawns.
    null_move_margin = 120 in 0 ..= 240;
    /// NMP: decrease of `null_move_margin` per ply of depth, in centipawns.
    null_move_margin_depth = 20 in 0 ..= 40;
    /// NMP: minimum depth at which a cutoff is verified, as a guard against zugzwang, in plies.
    null_move_verify_depth = 14 in 8 ..= 20;
    /// NMP: share of the verification depth for which null moves stay disabled, in percent.
    null_move_verify_share = 75 in 40 ..= 100;

    /// ProbCut: minimum depth, in plies.
    probcut_depth = 5 in 3 ..= 8;
    /// ProbCut: margin above beta, in centipawns.
    probcut_margin = 180 in 80 ..= 300;
    /// ProbCut: decrease of the margin when improving, in centipawns.
    probcut_improving = 50 in 0 ..= 100;
    /// ProbCut: depth reduction of the confirming search, in plies.
    probcut_reduction = 4 in 3 ..= 6;

    /// Check extension: plies added when the side to move is in check; 0 disables it.
    check_extension = 1 in 0 ..= 1;

    /// Internal iterative reductions (IIR): minimum depth, in plies.
    iterative_reduction_depth = 4 in 3 ..= 8;

    /// Late move pruning (LMP): maximum depth, in plies.
    late_move_depth = 8 in 4 ..= 12;
    /// LMP: constant part of the move count limit, in moves.
    late_move_base = 4 in 1 ..= 8;
    /// LMP: growth of the move count limit with the square of the depth, in 1/100 move.
    late_move_growth = 100 in 40 ..= 200;
    /// LMP: part of the move count limit used when not improving, in percent.
    late_move_worsening_share = 50 in 25 ..= 100;

    /// Futility pruning (FP): maximum depth after the LMR table's reduction, in plies.
    futility_depth = 8 in 4 ..= 12;
    /// FP: margin at reduced depth 0, in centipawns.
    futility_base = 90 in 30 ..= 250;
    /// FP: margin per ply of reduced depth, in centipawns.
    futility_margin = 85 in 30 ..= 200;

    /// History pruning: maximum depth after the LMR table's reduction, in plies.
    history_pruning_depth = 4 in 2 ..= 8;
    /// History pruning: how far below zero the threshold is at reduced depth 0, in history points.
    history_pruning_base = 3500 in 0 ..= 8000;
    /// History pruning: decrease of the threshold per ply of reduced depth, in history points.
    history_pruning_margin = 3500 in 1000 ..= 8000;

    /// SEE pruning of quiet moves: maximum depth after the LMR table's reduction, in plies.
    see_quiet_depth = 9 in 4 ..= 14;
    /// SEE pruning of quiet moves: tolerated loss per squared ply of reduced depth, in centipawns.
    see_quiet_margin = 20 in 5 ..= 60;
    /// SEE pruning of captures, promotions and checks: maximum depth, in plies.
    see_noisy_depth = 6 in 4 ..= 10;
    /// SEE pruning of captures, promotions and checks: tolerated loss per ply of depth, in
    /// centipawns.
    see_noisy_margin = 95 in 40 ..= 200;

    /// Singular extensions (SE): minimum depth, in plies.
    singular_depth = 7 in 5 ..= 10;
    /// SE: how much shallower than the node the TT entry may be, in plies.
    singular_entry_depth = 3 in 1 ..= 5;
    /// SE: depth of the search without the TT move, as a percentage of the node's depth less one.
    singular_search_share = 50 in 30 ..= 70;
    /// SE: margin below the TT score per ply of depth, in 1/100 centipawn.
    singular_margin = 150 in 50 ..= 400;
    /// SE: additional margin for a double extension (non-PV nodes only), in centipawns.
    double_extension_margin = 20 in 5 ..= 60;
    /// SE: negative extension if the TT move is not singular and its TT score is at least beta, in
    /// plies.
    singular_negative = 2 in 0 ..= 3;
    /// SE: negative extension at expected cut nodes if the TT move is not singular and its TT score
    /// is below beta, in plies.
    singular_negative_cut = 1 in 0 ..= 3;
    /// SE: no double extension in a line that already has more of them than this.
    double_extension_limit = 5 in 1 ..= 12;

    /// Late move reductions (LMR): minimum depth, in plies.
    reduction_depth = 3 in 2 ..= 4;
    /// LMR: number of first moves that are not reduced; one more at PV nodes.
    reduction_count = 1 in 1 ..= 4;
    /// LMR: constant part of the reduction table, in 1/100 ply.
    reduction_base = 75 in 0 ..= 150;
    /// LMR: divisor of `ln(depth) * ln(move number)` in the reduction table, in hundredths.
    reduction_divisor = 225 in 150 ..= 350;
    /// LMR: quiet history that lowers the reduction by one ply, in history points.
    reduction_history = 8000 in 3000 ..= 16000;
    /// LMR: capture history that lowers the reduction by one ply, in history points.
    reduction_capture_history = 8000 in 3000 ..= 16000;
    /// LMR: part of the reduction table's value used for captures and promotions, in percent.
    reduction_noisy_share = 50 in 0 ..= 100;
    /// LMR: decrease for a killer move, in 1/100 ply.
    reduction_killer = 100 in 0 ..= 200;
    /// LMR: increase at expected cut nodes, in 1/100 ply.
    reduction_cut_node = 140 in 0 ..= 300;
    /// LMR: increase when not improving, in 1/100 ply.
    reduction_worsening = 80 in 0 ..= 200;
    /// LMR: decrease at PV nodes, in 1/100 ply.
    reduction_pv = 60 in 0 ..= 200;
    /// LMR: decrease at PV nodes and nodes whose TT entry has the PV flag, in 1/100 ply.
    reduction_was_pv = 80 in 0 ..= 200;
    /// LMR: decrease for a move that gives check, in 1/100 ply.
    reduction_check = 100 in 0 ..= 200;
    /// LMR: increase for quiet moves when the TT move is a capture or promotion, in 1/100 ply.
    reduction_table_noisy = 80 in 0 ..= 200;
    /// LMR: number of recent beta cutoffs at the child ply above which moves are reduced more.
    reduction_cutoffs = 3 in 1 ..= 6;
    /// LMR: increase above `reduction_cutoffs`, in 1/100 ply.
    reduction_many_cutoffs = 80 in 0 ..= 200;
    /// LMR: the re-search is a ply deeper if the reduced score beats the best one by more than
    /// this, in centipawns.
    deeper_margin = 50 in 10 ..= 120;
    /// LMR: the re-search is a ply shallower if the reduced score beats the best one by less than
    /// this, in centipawns.
    shallower_margin = 8 in 0 ..= 40;

    /// Delta pruning in quiescence search: margin on top of the material a move gains, in
    /// centipawns.
    delta_margin = 180 in 50 ..= 400;
    /// SEE pruning in quiescence search: minimum SEE of a capture or promotion, in centipawns.
    quiescence_exchange = 0 in -150 ..= 100;

    /// Move ordering: minimum SEE of a good capture, in centipawns.
    picker_exchange = 0 in -150 ..= 100;
    /// Move ordering (MVV): weight of the victim's value, in history points per centipawn.
    picker_victim = 16 in 4 ..= 40;
    /// Move ordering: bonus for promoting to a queen and malus for underpromoting, in centipawns.
    picker_promotion = 900 in 400 ..= 1600;

    /// Histories: largest absolute value of an entry, in history points; it must fit an `i16`.
    history_limit = 16384 in 8192 ..= 32000;
    /// Histories: bonus per ply of depth for a move that fails high, in history points.
    history_bonus_depth = 170 in 80 ..= 340;
    /// Histories: constant subtracted from the bonus, in history points.
    history_bonus_offset = 80 in 0 ..= 160;
    /// Histories: maximum bonus, in history points.
    history_bonus_limit = 1900 in 800 ..= 4000;
    /// Histories: malus per ply of depth for moves tried before one that fails high, in history
    /// points.
    history_malus_depth = 170 in 80 ..= 500;
    /// Histories: constant subtracted from the malus, in history points.
    history_malus_offset = 80 in 0 ..= 160;
    /// Histories: maximum malus, in history points.
    history_malus_limit = 1900 in 500 ..= 4000;

    /// Prior countermove bonus: percentage of the history bonus given to a quiet move when every
    /// reply to it failed low.
    history_unanswered = 100 in 0 ..= 200;
    /// Eval-difference bonus: history points per centipawn by which a quiet move changed the static
    /// evaluation.
    history_gain = 10 in 0 ..= 30;
    /// Eval-difference bonus: largest absolute value, in history points.
    history_gain_limit = 1000 in 200 ..= 3000;

    /// Correction history: largest absolute value of an entry, in centipawns; above 127 it would
    /// not fit an `i16`.
    correction_limit = 96 in 32 ..= 127;
    /// Correction history: maximum weight of a new error, in parts of `correction_inertia`. The
    /// weight is otherwise the depth plus one.
    correction_weight_limit = 16 in 4 ..= 64;
    /// Correction history: sum of the weights of the old entry and the new error.
    correction_inertia = 256 in 128 ..= 512;
    /// Correction history: relative weight of the pawn structure's entry in the mean.
    correction_pawns = 70 in 1 ..= 150;
    /// Correction history: relative weight of each colour's piece entry in the mean.
    correction_pieces = 50 in 0 ..= 150;
    /// Correction history: share of the mean that is added to the evaluation, in percent. Above 66
    /// the tables could amplify their own output.
    correction_gain = 66 in 0 ..= 66;

    /// Fifty-move damping: for each ply on the halfmove clock the evaluation loses one part in this
    /// many.
    fifty_move_scale = 150 in 100 ..= 1000;

    /// Time management: moves assumed to be left if the GUI does not send `movestogo`.
    time_moves_left = 24 in 12 ..= 50;
    /// Time management: maximum number of moves that the clock is shared among.
    time_moves_limit = 50 in 30 ..= 80;
    /// Time management: maximum number of future moves for which the move overhead is reserved.
    time_reserved_moves = 20 in 0 ..= 40;
    /// Time management: part of the increment added to a move's share of the clock, in percent.
    time_increment = 75 in 40 ..= 100;
    /// Time management: maximum time for one move, as a percentage of the clock.
    time_one_move = 45 in 20 ..= 70;
    /// Time management: maximum time for the last move before the time control, as a percentage of
    /// the clock.
    time_last_move = 90 in 60 ..= 95;
    /// Time management: hard limit, as a percentage of the move's share of the clock, before the
    /// other caps.
    time_hard = 500 in 150 ..= 800;
    /// Time management: soft limit factor when the best move has just changed, in percent.
    time_stable_0 = 160 in 100 ..= 250;
    /// Time management: soft limit factor when the best move has stood for one iteration, in
    /// percent.
    time_stable_1 = 120 in 80 ..= 200;
    /// Time management: soft limit factor when the best move has stood for two iterations, in
    /// percent.
    time_stable_2 = 100 in 60 ..= 160;
    /// Time management: soft limit factor when the best move has stood for three iterations, in
    /// percent.
    time_stable_3 = 90 in 50 ..= 140;
    /// Time management: soft limit factor when the best move has stood for four iterations or more,
    /// in percent.
    time_stable_4 = 80 in 40 ..= 120;
    /// Time management: drop of the score between iterations that doubles the soft limit, in
    /// centipawns.
    time_falling_unit = 100 in 30 ..= 300;
    /// Time management: minimum factor for a change of the score, in percent.
    time_falling_min = 85 in 50 ..= 100;
    /// Time management: maximum factor for a change of the score, in percent.
    time_falling_max = 160 in 110 ..= 250;
    /// Time management: soft limit factor for a best move that took none of the nodes, in percent.
    time_effort_base = 180 in 120 ..= 260;
    /// Time management: decrease of `time_effort_base` for a best move that took all nodes, in
    /// percent.
    time_effort_share = 120 in 60 ..= 200;
    /// Time management: minimum factor for the best move's share of nodes, in percent.
    time_effort_min = 55 in 20 ..= 90;
    /// Time management: maximum factor for the best move's share of nodes, in percent.
    time_effort_max = 160 in 110 ..= 250;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_in_range() {
        for (index, param) in ALL.iter().enumerate() {
            let same = |other: &Param| other.name.eq_ignore_ascii_case(param.name);
            assert!(!ALL[..index].iter().any(same), "duplicate parameter {}", param.name);
            assert!((param.min..=param.max).contains(&param.default), "{param:?}");
            assert!(param.min < param.max, "{param:?}");
        }
    }

    #[cfg(feature = "tuning")]
    #[test]
    fn parameters_can_be_set_within_their_range() {
        // Tests run in parallel; no other test searches deep enough to use this parameter.
        let name = "null_move_verify_depth";
        let old = get(name).unwrap();
        assert_eq!(old, null_move_verify_depth());
        assert_eq!((set(name, 17), null_move_verify_depth()), (Some(17), 17));
        assert_eq!((set(name, 1_000), get(name)), (Some(20), Some(20)));
        assert_eq!(set(name, old), Some(old));
        assert_eq!((set("no such name", 1), get("no such name")), (None, None));
    }
}
