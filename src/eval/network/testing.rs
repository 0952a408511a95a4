//! A network with random weights, for tests.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::eval::WdlModel;
use crate::eval::network::features::{BUCKETS, INPUTS};
use crate::eval::network::parameters::{Network, Parts};

/// Returns the parts of a network of `units` units, whose weights depend on `seed`.
pub(crate) fn parts(units: usize, seed: u64) -> Parts {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut row = |count: usize, most: i16| -> Vec<i16> {
        (0..count).map(|_| rng.random_range(-most..=most)).collect()
    };
    Parts {
        units,
        scale: 130,
        wdl_model: WdlModel::CLASSICAL,
        description: "random weights".to_owned(),
        input: row(INPUTS * units, 90),
        input_bias: row(units, 300),
        output: row(2 * BUCKETS * units, 40),
        output_bias: std::array::from_fn(|bucket| 1_000 * bucket as i32 - 3_000),
    }
}

/// Returns a network of `units` units with random weights.
pub(crate) fn network(units: usize, seed: u64) -> Network {
    Network::new(parts(units, seed)).unwrap()
}
