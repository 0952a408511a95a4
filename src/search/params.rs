//! Every number of the search that could be another one, declared once: name, default, range.
//!
//! As a rule a parameter is a constant. With the feature `tuning` it is read from memory, where
//! `set` can change it between two searches: this is the one place with a global state, and only
//! a program that plays games for a tuner is built so.

#[cfg(feature = "tuning")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A number that can be tuned.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, which is one word.
    pub name: &'static str,
    /// The value that is used unless another one is set.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    #[cfg(feature = "tuning")]
    value: &'static AtomicI32,
}

/// Makes each parameter a function that gives its value, and lists them all.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline]
            pub(super) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline]
            pub(super) fn $name() -> i32 {
                values::$name.load(Relaxed)
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)] // each is named like its function
        mod values {
            use super::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// All of them.
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

/// The present value of the parameter of that name.
#[cfg(feature = "tuning")]
#[must_use]
pub fn get(name: &str) -> Option<i32> {
    find(name).map(|param| param.value.load(Relaxed))
}

/// Sets the parameter of that name to the value, or to what is nearest to it in its range; returns
/// what it is now. The next search obeys it, one that is running may.
#[cfg(feature = "tuning")]
#[must_use = "there may be no parameter of that name"]
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
    /// First half-width of the aspiration window.
    aspiration_window = 14 in 4 ..= 60;
    /// From this depth on, iterations start with a narrow window.
    aspiration_depth = 5 in 3 ..= 8;
    /// How much wider the window is after each failure, in hundredths of itself.
    aspiration_growth = 50 in 25 ..= 150;
    /// A window wider than this is opened altogether on the side that failed.
    aspiration_limit = 600 in 200 ..= 1500;
    /// After a fail low, beta comes down to this far above alpha, in hundredths of the window.
    aspiration_beta_share = 50 in 10 ..= 100;
    /// After fails high, at most so many plies less.
    aspiration_reduction = 3 in 0 ..= 5;

    /// Extensions only up to so many times the depth of the iteration.
    extension_limit = 2 in 1 ..= 4;

    /// Near the fifty-move rule the table's scores are not trusted: up to this half-move clock.
    table_cutoff_clock = 90 in 50 ..= 100;
    /// A bound of the same position and search is kept if it is more than so many plies deeper.
    table_keep_depth = 4 in 0 ..= 8;
    /// A search's age of an entry counts as so many plies.
    table_age = 4 in 1 ..= 8;

    /// Reverse futility: up to this depth.
    reverse_futility_depth = 8 in 4 ..= 12;
    /// Reverse futility: margin for each ply.
    reverse_futility_margin = 78 in 30 ..= 150;
    /// Reverse futility: less margin when improving.
    reverse_futility_improving = 60 in 0 ..= 120;
    /// Reverse futility: what is returned, in hundredths of the way from beta to the evaluation.
    reverse_futility_share = 50 in 0 ..= 100;

    /// Razoring: up to this depth.
    razoring_depth = 3 in 1 ..= 6;
    /// Razoring: margin for each ply.
    razoring_margin = 260 in 100 ..= 500;

    /// Null move: from this depth on.
    null_move_depth = 3 in 2 ..= 5;
    /// Null move: reduction, and a ply more for each so many plies of depth.
    null_move_reduction = 4 in 2 ..= 5;
    /// Null move: see above.
    null_move_divisor = 4 in 2 ..= 6;
    /// Null move: a ply more for each so many centipawns above beta.
    null_move_eval = 200 in 80 ..= 400;
    /// Null move: and so many plies at most.
    null_move_eval_limit = 3 in 1 ..= 6;
    /// Null move: the static evaluation must be so far above beta ...
    null_move_margin = 120 in 0 ..= 240;
    /// Null move: ... less this for each ply.
    null_move_margin_depth = 20 in 0 ..= 40;
    /// Null move: verified from this depth on, against zugzwang.
    null_move_verify_depth = 14 in 8 ..= 20;
    /// Null move: none in this part of the verification, in hundredths.
    null_move_verify_share = 75 in 40 ..= 100;

    /// Probcut: from this depth on.
    probcut_depth = 5 in 3 ..= 8;
    /// Probcut: so far above beta ...
    probcut_margin = 180 in 80 ..= 300;
    /// Probcut: ... less this when improving ...
    probcut_improving = 50 in 0 ..= 100;
    /// Probcut: ... in a search so much shallower.
    probcut_reduction = 4 in 3 ..= 6;

    /// Check extension: a forced answer does not count as a ply (1) or does (0).
    check_extension = 1 in 0 ..= 1;

    /// Internal iterative reduction: from this depth on.
    iterative_reduction_depth = 4 in 3 ..= 8;

    /// Late move pruning: up to this depth.
    late_move_depth = 8 in 4 ..= 12;
    /// Late move pruning: moves that are always searched.
    late_move_base = 4 in 1 ..= 8;
    /// Late move pruning: more moves for each ply squared, in hundredths.
    late_move_growth = 100 in 40 ..= 200;
    /// Late move pruning: of these, the part that is searched when not improving, in hundredths.
    late_move_worsening_share = 50 in 25 ..= 100;

    /// Futility: up to this reduced depth.
    futility_depth = 8 in 4 ..= 12;
    /// Futility: margin at depth 0.
    futility_base = 90 in 30 ..= 250;
    /// Futility: margin for each ply.
    futility_margin = 85 in 30 ..= 200;

    /// History pruning: up to this reduced depth.
    history_pruning_depth = 4 in 2 ..= 8;
    /// History pruning: threshold at depth 0.
    history_pruning_base = 3500 in 0 ..= 8000;
    /// History pruning: threshold for each ply.
    history_pruning_margin = 3500 in 1000 ..= 8000;

    /// Exchange pruning of quiet moves: up to this reduced depth.
    see_quiet_depth = 9 in 4 ..= 14;
    /// Exchange pruning of quiet moves: margin for each ply squared.
    see_quiet_margin = 20 in 5 ..= 60;
    /// Exchange pruning of captures: up to this depth.
    see_noisy_depth = 6 in 4 ..= 10;
    /// Exchange pruning of captures: margin for each ply.
    see_noisy_margin = 95 in 40 ..= 200;

    /// Singular extension: from this depth on.
    singular_depth = 7 in 5 ..= 10;
    /// Singular extension: the table's entry may be so much shallower.
    singular_entry_depth = 3 in 1 ..= 5;
    /// Singular extension: the others are searched to this part of the depth, in hundredths.
    singular_search_share = 50 in 30 ..= 70;
    /// Singular extension: margin for each ply, in hundredths of a centipawn.
    singular_margin = 150 in 50 ..= 400;
    /// Singular extension: two plies when so far below.
    double_extension_margin = 20 in 5 ..= 60;
    /// Singular extension: so many plies less for a move that is not, when the table says beta ...
    singular_negative = 2 in 0 ..= 3;
    /// Singular extension: ... or where a cutoff is expected.
    singular_negative_cut = 1 in 0 ..= 3;
    /// Singular extension: no more by two plies when a line has had more of them than this.
    double_extension_limit = 5 in 1 ..= 12;

    /// Late move reductions: from this depth on.
    reduction_depth = 3 in 2 ..= 4;
    /// Late move reductions: so many moves are not reduced, and one more on the principal variation.
    reduction_count = 1 in 1 ..= 4;
    /// Late move reductions: constant part, in hundredths of a ply.
    reduction_base = 75 in 0 ..= 150;
    /// Late move reductions: divisor of the product of logarithms, in hundredths.
    reduction_divisor = 225 in 150 ..= 350;
    /// Late move reductions: a ply less for so much history.
    reduction_history = 8000 in 3000 ..= 16000;
    /// Late move reductions: the same for captures.
    reduction_capture_history = 8000 in 3000 ..= 16000;
    /// Late move reductions: captures take this part of it, in hundredths.
    reduction_noisy_share = 50 in 0 ..= 100;
    /// Late move reductions: less for a killer, in hundredths of a ply as all that follow.
    reduction_killer = 100 in 0 ..= 200;
    /// Late move reductions: more where a cutoff is expected.
    reduction_cut_node = 140 in 0 ..= 300;
    /// Late move reductions: more when not improving.
    reduction_worsening = 80 in 0 ..= 200;
    /// Late move reductions: less on the principal variation ...
    reduction_pv = 60 in 0 ..= 200;
    /// Late move reductions: ... and where there was one before.
    reduction_was_pv = 80 in 0 ..= 200;
    /// Late move reductions: less for a check.
    reduction_check = 100 in 0 ..= 200;
    /// Late move reductions: more for quiet moves where the table's move is a capture.
    reduction_table_noisy = 80 in 0 ..= 200;
    /// Late move reductions: more when so many moves of the child have failed high ...
    reduction_cutoffs = 3 in 1 ..= 6;
    /// Late move reductions: ... namely this.
    reduction_many_cutoffs = 80 in 0 ..= 200;
    /// Late move reductions: a ply deeper again when so far above the best ...
    deeper_margin = 50 in 10 ..= 120;
    /// Late move reductions: ... and a ply less when less than this.
    shallower_margin = 8 in 0 ..= 40;

    /// Quiescence: a capture must be able to come so close to alpha.
    delta_margin = 180 in 50 ..= 400;
    /// Quiescence: a capture must win so much in exchanges.
    quiescence_exchange = 0 in -150 ..= 100;

    /// Order of moves: a capture is good if it wins so much in exchanges.
    picker_exchange = 0 in -150 ..= 100;
    /// Order of moves: weight of a victim's value against the history of captures.
    picker_victim = 16 in 4 ..= 40;
    /// Order of moves: the value of a new queen, and against any other promotion.
    picker_promotion = 900 in 400 ..= 1600;

    /// Histories: values stay within this, which must fit their 16 bits.
    history_limit = 16384 in 8192 ..= 32000;
    /// Histories: bonus for each ply ...
    history_bonus_depth = 170 in 80 ..= 340;
    /// Histories: ... less this ...
    history_bonus_offset = 80 in 0 ..= 160;
    /// Histories: ... and at most this.
    history_bonus_limit = 1900 in 800 ..= 4000;
    /// Histories: the opposite for moves that were tried in vain: for each ply ...
    history_malus_depth = 170 in 80 ..= 500;
    /// Histories: ... less this ...
    history_malus_offset = 80 in 0 ..= 160;
    /// Histories: ... and at most this.
    history_malus_limit = 1900 in 500 ..= 4000;

    /// Histories: the part of a bonus for a move to which no answer was good enough, in hundredths.
    history_unanswered = 100 in 0 ..= 200;
    /// Histories: for each centipawn by which a move changed the evaluation ...
    history_gain = 10 in 0 ..= 30;
    /// Histories: ... but at most this.
    history_gain_limit = 1000 in 200 ..= 3000;

    /// Correction of the evaluation: at most so many centipawns are kept; more do not fit 16 bits.
    correction_limit = 96 in 32 ..= 127;
    /// Correction of the evaluation: a new error counts as its depth and one, up to this ...
    correction_weight_limit = 16 in 4 ..= 64;
    /// Correction of the evaluation: ... in so many parts.
    correction_inertia = 256 in 128 ..= 512;
    /// Correction history: weight of the error by pawn structure in the mean ...
    correction_pawns = 70 in 1 ..= 150;
    /// Correction history: ... and of that by the pieces of each colour.
    correction_pieces = 50 in 0 ..= 150;
    /// Correction history: the part of that mean that is added to the evaluation, in hundredths.
    /// Above 66 the tables could amplify their own output.
    correction_gain = 66 in 0 ..= 66;

    /// Fifty-move damping: with each ply on the clock the evaluation loses one part in this many.
    fifty_move_scale = 150 in 100 ..= 1000;

    /// Time: moves that are assumed to be left when nobody says.
    time_moves_left = 24 in 12 ..= 50;
    /// Time: not shared among more moves than this, whoever says so.
    time_moves_limit = 50 in 30 ..= 80;
    /// Time: so many times what a move costs beside thinking is kept back for later.
    time_reserved_moves = 20 in 0 ..= 40;
    /// Time: part of the increment that is spent at once, in hundredths.
    time_increment = 75 in 40 ..= 100;
    /// Time: the most of the clock for one move, in hundredths.
    time_one_move = 45 in 20 ..= 70;
    /// Time: the same for the last move before the clock is set anew.
    time_last_move = 90 in 60 ..= 95;
    /// Time: the hard limit, in hundredths of the soft one, if the clock has it.
    time_hard = 500 in 150 ..= 800;
    /// Time: factor when the best move has just changed, in hundredths, as all that follow.
    time_stable_0 = 160 in 100 ..= 250;
    /// Time: factor when the best move has stood for one iteration.
    time_stable_1 = 120 in 80 ..= 200;
    /// Time: for two.
    time_stable_2 = 100 in 60 ..= 160;
    /// Time: for three.
    time_stable_3 = 90 in 50 ..= 140;
    /// Time: for four or more.
    time_stable_4 = 80 in 40 ..= 120;
    /// Time: twice as much for a score that has dropped by so many centipawns ...
    time_falling_unit = 100 in 30 ..= 300;
    /// Time: ... but at least this factor ...
    time_falling_min = 85 in 50 ..= 100;
    /// Time: ... and at most this one.
    time_falling_max = 160 in 110 ..= 250;
    /// Time: factor for a best move that took no nodes ...
    time_effort_base = 180 in 120 ..= 260;
    /// Time: ... less this for one that took all of them ...
    time_effort_share = 120 in 60 ..= 200;
    /// Time: ... but at least this ...
    time_effort_min = 55 in 20 ..= 90;
    /// Time: ... and at most this.
    time_effort_max = 160 in 110 ..= 250;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_in_range() {
        for (index, param) in ALL.iter().enumerate() {
            let same = |other: &Param| other.name.eq_ignore_ascii_case(param.name);
            assert!(!ALL[..index].iter().any(same), "{} twice", param.name);
            assert!((param.min..=param.max).contains(&param.default), "{param:?}");
            assert!(param.min < param.max, "{param:?}");
        }
    }

    #[cfg(feature = "tuning")]
    #[test]
    fn parameters_can_be_set_within_their_range() {
        // Other tests run beside this one, and none searches so deep that it would notice.
        let name = "null_move_verify_depth";
        let old = get(name).unwrap();
        assert_eq!(old, null_move_verify_depth());
        assert_eq!((set(name, 17), null_move_verify_depth()), (Some(17), 17));
        assert_eq!((set(name, 1_000), get(name)), (Some(20), Some(20)));
        assert_eq!(set(name, old), Some(old));
        assert_eq!((set("no such name", 1), get("no such name")), (None, None));
    }
}
