//! Every number of the search that could be another one, declared once: name, default, range.

/// A number that can be tuned.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The value that is used.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
}

/// Makes each parameter a function that gives its value, and lists them all.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        $($(#[$doc])* #[inline] pub(super) const fn $name() -> i32 { $default })*

        /// All of them.
        pub static ALL: &[Param] = &[
            $(Param { name: stringify!($name), default: $default, min: $min, max: $max },)*
        ];
        $(const _: () = assert!($min <= $default && $default <= $max);)*
    };
}

params! {
    /// First half-width of the aspiration window.
    aspiration_window = 14 in 4 ..= 60;
    /// From this depth on, iterations start with a narrow window.
    aspiration_depth = 5 in 3 ..= 8;

    /// Reverse futility: up to this depth.
    reverse_futility_depth = 8 in 4 ..= 12;
    /// Reverse futility: margin for each ply.
    reverse_futility_margin = 78 in 30 ..= 150;
    /// Reverse futility: less margin when improving.
    reverse_futility_improving = 60 in 0 ..= 120;

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
    /// Null move: verified from this depth on, against zugzwang.
    null_move_verify_depth = 14 in 8 ..= 20;

    /// Internal iterative reduction: from this depth on.
    iterative_reduction_depth = 4 in 3 ..= 8;

    /// Late move pruning: up to this depth.
    late_move_depth = 8 in 4 ..= 12;
    /// Late move pruning: moves that are always searched.
    late_move_base = 4 in 1 ..= 8;

    /// Futility: up to this reduced depth.
    futility_depth = 8 in 4 ..= 12;
    /// Futility: margin at depth 0.
    futility_base = 90 in 30 ..= 250;
    /// Futility: margin for each ply.
    futility_margin = 85 in 30 ..= 200;

    /// History pruning: up to this reduced depth.
    history_pruning_depth = 4 in 2 ..= 8;
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
    /// Singular extension: margin for each ply, in halves of a centipawn.
    singular_margin = 3 in 1 ..= 8;
    /// Singular extension: two plies when so far below.
    double_extension_margin = 20 in 5 ..= 60;

    /// Late move reductions: from this depth on.
    reduction_depth = 3 in 2 ..= 4;
    /// Late move reductions: constant part, in hundredths of a ply.
    reduction_base = 75 in 0 ..= 150;
    /// Late move reductions: divisor of the product of logarithms, in hundredths.
    reduction_divisor = 225 in 150 ..= 350;
    /// Late move reductions: a ply less for so much history.
    reduction_history = 8000 in 3000 ..= 16000;

    /// Quiescence: a capture must be able to come so close to alpha.
    delta_margin = 180 in 50 ..= 400;
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
}
