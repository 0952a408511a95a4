//! Integer arithmetic of the network: accumulator updates and the output layer. Start at
//! [`accumulate`] and [`output`].
//!
//! Every kernel is written once, as a plain loop over whole vectors that the compiler vectorises.
//! In a build for a processor without AVX2 it is compiled a second time for AVX2, and the faster
//! version is chosen at run time. All versions give the same result bit for bit, because integer
//! sums do not depend on their order and nothing can overflow (see
//! [`Network`](super::parameters::Network)).

/// Quantisation of the input layer: the integer that stands for 1.0, also of an activation.
pub(crate) const INPUT_ONE: i32 = 255;

/// Number of units in a group.
pub(crate) const UNIT_GROUP: usize = 32;

/// A group of units, aligned to a cache line and to the widest vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(crate) struct Group(pub(crate) [i16; UNIT_GROUP]);

impl Group {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; UNIT_GROUP]);

    #[inline(always)]
    fn plus(self, other: &Self) -> Self {
        Self(std::array::from_fn(|unit| self.0[unit].wrapping_add(other.0[unit])))
    }

    #[inline(always)]
    fn minus(self, other: &Self) -> Self {
        Self(std::array::from_fn(|unit| self.0[unit].wrapping_sub(other.0[unit])))
    }
}

/// Returns which version of the kernels this processor uses.
pub(crate) fn version() -> &'static str {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "avx2, chosen at run time";
    }
    "those of the build"
}

/// Defines a kernel as a function that chooses the version for this processor.
macro_rules! kernel {
    ($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain($($argument: $type),*) $(-> $result)? $body

            #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    return unsafe { avx2($($argument),*) };
                }
            }
            plain($($argument),*)
        }
    };
}

kernel! {
    /// Sets `to` to `from` plus the weights of the inputs `added` and minus those of `removed`.
    fn accumulate(to: &mut [Group], from: &[Group], added: &[&[Group]], removed: &[&[Group]]) {
        match (added, removed) {
            ([a], [r]) => {
                for (((to, from), a), r) in to.iter_mut().zip(from).zip(*a).zip(*r) {
                    *to = from.plus(a).minus(r);
                }
            }
            ([a], [r, s]) => {
                for ((((to, from), a), r), s) in to.iter_mut().zip(from).zip(*a).zip(*r).zip(*s) {
                    *to = from.plus(a).minus(r).minus(s);
                }
            }
            _ => {
                for (group, (to, from)) in to.iter_mut().zip(from).enumerate() {
                    let sum = added.iter().fold(*from, |sum, row| sum.plus(&row[group]));
                    *to = removed.iter().fold(sum, |sum, row| sum.minus(&row[group]));
                }
            }
        }
    }
}

kernel! {
    /// Adds the weights of one input in place.
    fn add(to: &mut [Group], row: &[Group]) {
        for (to, row) in to.iter_mut().zip(row) {
            *to = to.plus(row);
        }
    }
}

kernel! {
    /// Returns the sum of squared clipped activations times `weights`, for both perspectives.
    fn output(us: &[Group], them: &[Group], weights: [&[Group]; 2]) -> i32 {
        let mut sum = 0_i32;
        for (units, weights) in [(us, weights[0]), (them, weights[1])] {
            for (&unit, &weight) in flat(units).iter().zip(flat(weights)) {
                let active = unit.clamp(0, INPUT_ONE as i16);
                // Fits 16 bits, because a weight is at most 128; so the compiler can multiply and
                // add in pairs.
                let product = active.wrapping_mul(weight);
                sum = sum.wrapping_add(i32::from(active) * i32::from(product));
            }
        }
        sum
    }
}

/// Returns the units of all groups.
#[inline(always)]
fn flat(groups: &[Group]) -> &[i16] {
    const { assert!(size_of::<Group>() == UNIT_GROUP * size_of::<i16>()) };
    // SAFETY: a group is exactly `UNIT_GROUP` integers without padding, so a slice of groups is
    // that many times as many integers, for the same lifetime.
    unsafe { std::slice::from_raw_parts(groups.as_ptr().cast(), groups.len() * UNIT_GROUP) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    fn random_row(rng: &mut ChaCha8Rng, groups: usize, most: i16) -> Vec<Group> {
        let random = |_| Group(std::array::from_fn(|_| rng.random_range(-most..=most)));
        (0..groups).map(random).collect()
    }

    fn units(row: &[Group]) -> Vec<i64> {
        row.iter().flat_map(|group| group.0).map(i64::from).collect()
    }

    #[test]
    fn accumulate_adds_and_removes() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for groups in [1, 4, 8] {
            let rows: Vec<Vec<Group>> = (0..6).map(|_| random_row(&mut rng, groups, 900)).collect();
            for (added, removed) in [(0, 0), (1, 1), (1, 2), (2, 2), (2, 1), (2, 3)] {
                let add: Vec<&[Group]> = rows[1..=added].iter().map(|row| &row[..]).collect();
                let remove: Vec<&[Group]> =
                    rows[3..3 + removed].iter().map(|row| &row[..]).collect();
                let mut to = vec![Group::ZERO; groups];
                accumulate(&mut to, &rows[0], &add, &remove);
                let expected: Vec<i64> = (0..groups * UNIT_GROUP)
                    .map(|unit| {
                        let sum = |rows: &[&[Group]]| -> i64 {
                            rows.iter().map(|row| units(row)[unit]).sum()
                        };
                        units(&rows[0])[unit] + sum(&add) - sum(&remove)
                    })
                    .collect();
                assert_eq!(units(&to), expected, "{added} {removed}");
                if removed == 0 {
                    let mut in_place = rows[0].clone();
                    for row in add {
                        super::add(&mut in_place, row);
                    }
                    assert_eq!(in_place, to);
                }
            }
        }
    }

    #[test]
    fn output_equals_its_definition() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for groups in [1, 3, 8] {
            let rows = [600, 600, 128, 128].map(|most| random_row(&mut rng, groups, most));
            let [us, them, first, second] = &rows;
            let expected: i64 = [(us, first), (them, second)]
                .iter()
                .flat_map(|(row, weights)| units(row).into_iter().zip(units(weights)))
                .map(|(unit, weight)| unit.clamp(0, 255).pow(2) * weight)
                .sum();
            assert_eq!(i64::from(output(us, them, [first, second])), expected);
        }
    }
}
