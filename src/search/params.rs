//! Every number of the search that could be another one, declared once: name, default, range.

/// A number that can be tuned.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The value that is used.
    pub value: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $min:literal ..= $max:literal;)*) => {
        $($(#[$doc])* pub(super) const $name: i32 = $value;)*

        /// All of them.
        pub const ALL: &[Param] = &[
            $(Param { name: stringify!($name), value: $value, min: $min, max: $max },)*
        ];
        $(const _: () = assert!($min <= $value && $value <= $max);)*
    };
}

params! {
    /// First half-width of the aspiration window.
    ASPIRATION_WINDOW = 14 in 4 ..= 60;
    /// From this depth on, iterations start with a narrow window.
    ASPIRATION_DEPTH = 5 in 3 ..= 8;

    /// Reverse futility: up to this depth.
    REVERSE_FUTILITY_DEPTH = 8 in 4 ..= 12;
    /// Reverse futility: margin for each ply.
    REVERSE_FUTILITY_MARGIN = 78 in 30 ..= 150;
    /// Reverse futility: less margin when improving.
    REVERSE_FUTILITY_IMPROVING = 60 in 0 ..= 120;

    /// Razoring: up to this depth.
    RAZORING_DEPTH = 3 in 1 ..= 6;
    /// Razoring: margin for each ply.
    RAZORING_MARGIN = 260 in 100 ..= 500;

    /// Null move: from this depth on.
    NULL_MOVE_DEPTH = 3 in 2 ..= 5;
    /// Null move: reduction, and a ply more for each so many plies of depth.
    NULL_MOVE_REDUCTION = 4 in 2 ..= 5;
    /// Null move: see above.
    NULL_MOVE_DIVISOR = 4 in 2 ..= 6;
    /// Null move: a ply more for each so many centipawns above beta.
    NULL_MOVE_EVAL = 200 in 80 ..= 400;
    /// Null move: verified from this depth on, against zugzwang.
    NULL_MOVE_VERIFY_DEPTH = 14 in 8 ..= 20;

    /// Internal iterative reduction: from this depth on.
    ITERATIVE_REDUCTION_DEPTH = 4 in 3 ..= 8;

    /// Late move pruning: up to this depth.
    LATE_MOVE_DEPTH = 8 in 4 ..= 12;
    /// Late move pruning: moves that are always searched.
    LATE_MOVE_BASE = 4 in 1 ..= 8;

    /// Futility: up to this reduced depth.
    FUTILITY_DEPTH = 8 in 4 ..= 12;
    /// Futility: margin at depth 0.
    FUTILITY_BASE = 90 in 30 ..= 250;
    /// Futility: margin for each ply.
    FUTILITY_MARGIN = 85 in 30 ..= 200;

    /// History pruning: up to this reduced depth.
    HISTORY_PRUNING_DEPTH = 4 in 2 ..= 8;
    /// History pruning: threshold for each ply.
    HISTORY_PRUNING_MARGIN = 3500 in 1000 ..= 8000;

    /// Exchange pruning of quiet moves: up to this reduced depth.
    SEE_QUIET_DEPTH = 9 in 4 ..= 14;
    /// Exchange pruning of quiet moves: margin for each ply squared.
    SEE_QUIET_MARGIN = 20 in 5 ..= 60;
    /// Exchange pruning of captures: up to this depth.
    SEE_NOISY_DEPTH = 6 in 4 ..= 10;
    /// Exchange pruning of captures: margin for each ply.
    SEE_NOISY_MARGIN = 95 in 40 ..= 200;

    /// Singular extension: from this depth on.
    SINGULAR_DEPTH = 7 in 5 ..= 10;
    /// Singular extension: margin for each ply, in halves of a centipawn.
    SINGULAR_MARGIN = 3 in 1 ..= 8;
    /// Singular extension: two plies when so far below.
    DOUBLE_EXTENSION_MARGIN = 20 in 5 ..= 60;

    /// Late move reductions: from this depth on.
    REDUCTION_DEPTH = 3 in 2 ..= 4;
    /// Late move reductions: constant part, in hundredths of a ply.
    REDUCTION_BASE = 75 in 0 ..= 150;
    /// Late move reductions: divisor of the product of logarithms, in hundredths.
    REDUCTION_DIVISOR = 225 in 150 ..= 350;
    /// Late move reductions: a ply less for so much history.
    REDUCTION_HISTORY = 8000 in 3000 ..= 16000;

    /// Quiescence: a capture must be able to come so close to alpha.
    DELTA_MARGIN = 180 in 50 ..= 400;
}
