//! The network in floating point: forward and backward pass, and quantisation. Start at
//! [`Model::train_on`].

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::eval::WdlModel;
use crate::eval::network::features::{BUCKETS, INPUTS};
use crate::eval::network::kernels::INPUT_ONE;
use crate::eval::network::parameters::{Network, NetworkError, OUTPUT_ONE, Parts};
use crate::training::network::position::PackedPosition;

/// Largest absolute value of a weight, so that its quantised product with an activation fits 16
/// bits.
pub(crate) const LARGEST_WEIGHT: f32 = 1.98;
/// Bound of the initial input weights.
const INITIAL: f32 = 0.05;

/// A network of `H` hidden units per perspective, or the gradient of one.
#[derive(Clone)]
pub(crate) struct Model<const H: usize> {
    /// Weights by input and unit.
    pub(crate) input: Vec<[f32; H]>,
    pub(crate) input_bias: [f32; H],
    /// Weights by bucket, perspective and unit.
    pub(crate) output: Vec<[[f32; H]; 2]>,
    pub(crate) output_bias: [f32; BUCKETS],
}

/// Numbers are summed in this many lanes, so that the compiler may use vectors.
const LANES: usize = 16;

impl<const H: usize> Model<H> {
    /// Returns a model, or a gradient, of zeros.
    pub(crate) fn zero() -> Self {
        Self {
            input: vec![[0.0; H]; INPUTS],
            input_bias: [0.0; H],
            output: vec![[[0.0; H]; 2]; BUCKETS],
            output_bias: [0.0; BUCKETS],
        }
    }

    /// Returns a model with small random weights. All buckets start with the same weights.
    pub(crate) fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut model = Self::zero();
        for row in &mut model.input {
            row.fill_with(|| rng.random_range(-INITIAL..INITIAL));
        }
        model.input_bias.fill(0.1);
        let bound = 1.0 / (H as f32).sqrt();
        let mut output = [[0.0; H]; 2];
        for row in &mut output {
            row.fill_with(|| rng.random_range(-bound..bound));
        }
        model.output.fill(output);
        model
    }

    /// Returns all parameters as slices, in a fixed order.
    pub(crate) fn slices(&self) -> [&[f32]; 4] {
        [
            self.input.as_flattened(),
            &self.input_bias,
            self.output.as_flattened().as_flattened(),
            &self.output_bias,
        ]
    }

    /// Returns all parameters as mutable slices, in the same order.
    pub(crate) fn slices_mut(&mut self) -> [&mut [f32]; 4] {
        [
            self.input.as_flattened_mut(),
            &mut self.input_bias,
            self.output.as_flattened_mut().as_flattened_mut(),
            &mut self.output_bias,
        ]
    }

    /// Returns the output for `position`, in units of the logistic curve.
    pub(crate) fn predict(&self, position: &PackedPosition) -> f32 {
        let inputs = position.inputs();
        let mut output = self.output_bias[inputs.bucket];
        for (row, weights) in inputs.rows.iter().zip(&self.output[inputs.bucket]) {
            output += activate(&self.hidden(&row[..inputs.len]), weights);
        }
        output
    }

    /// Returns the sums of the hidden units of one perspective.
    #[inline]
    fn hidden(&self, inputs: &[u16]) -> [f32; H] {
        let mut sums = self.input_bias;
        for &input in inputs {
            add(&mut sums, &self.input[usize::from(input)]);
        }
        sums
    }

    /// Adds the gradient of the squared error at `position` to `gradient`, and returns the error.
    /// `target` is the expected share of the points, from 0 to 1.
    pub(crate) fn train_on(
        &self,
        position: &PackedPosition,
        target: f32,
        gradient: &mut Self,
    ) -> f32 {
        let inputs = position.inputs();
        let bucket = inputs.bucket;
        let sums = [0, 1].map(|side| self.hidden(&inputs.rows[side][..inputs.len]));
        let mut output = self.output_bias[bucket];
        for (sums, weights) in sums.iter().zip(&self.output[bucket]) {
            output += activate(sums, weights);
        }
        let predicted = sigmoid(output);
        let error = predicted - target;
        let slope = 2.0 * error * predicted * (1.0 - predicted);
        gradient.output_bias[bucket] += slope;
        for (side, sums) in sums.iter().enumerate() {
            let weights = &self.output[bucket][side];
            let of_output = &mut gradient.output[bucket][side];
            let mut of_sums = [0.0; H];
            for unit in 0..H {
                let sum = sums[unit];
                let active = sum.clamp(0.0, 1.0);
                of_output[unit] += slope * active * active;
                let is_active = sum > 0.0 && sum < 1.0;
                of_sums[unit] = if is_active { slope * weights[unit] * 2.0 * sum } else { 0.0 };
            }
            for &input in &inputs.rows[side][..inputs.len] {
                add(&mut gradient.input[usize::from(input)], &of_sums);
            }
            add(&mut gradient.input_bias, &of_sums);
        }
        error * error
    }

    /// Returns the quantised network. `shift` is added to every output, in units of the logistic
    /// curve.
    pub(crate) fn quantise(
        &self,
        scale: u16,
        wdl_model: WdlModel,
        description: &str,
        shift: f32,
    ) -> Result<Network, NetworkError> {
        let round = |value: f32, one: i32| (value * one as f32).round() as i16;
        let row = |values: &[f32], one: i32| values.iter().map(|&it| round(it, one)).collect();
        let [input, input_bias, output, _] = self.slices();
        Network::new(Parts {
            units: H,
            scale,
            wdl_model,
            description: description.to_owned(),
            input: row(input, INPUT_ONE),
            input_bias: row(input_bias, INPUT_ONE),
            output: row(output, OUTPUT_ONE),
            output_bias: self
                .output_bias
                .map(|bias| ((bias + shift) * (INPUT_ONE * OUTPUT_ONE) as f32).round() as i32),
        })
    }
}

/// The logistic curve.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[inline]
fn add<const H: usize>(to: &mut [f32; H], row: &[f32; H]) {
    for unit in 0..H {
        to[unit] += row[unit];
    }
}

/// Returns the sum of the squared clipped units times their weights.
#[inline]
fn activate<const H: usize>(sums: &[f32; H], weights: &[f32; H]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (sums, weights) in sums.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let active = sums[lane].clamp(0.0, 1.0);
            lanes[lane] += active * active * weights[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::board::Board;
    use crate::eval::network::accumulator::evaluate_from_scratch;

    /// Positions with various numbers of men, kings on either side, and both sides to move.
    pub(crate) fn positions() -> Vec<(Board, PackedPosition)> {
        [
            Board::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/8/8/8/4k3/7q/K7 b - - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        ]
        .into_iter()
        .map(|fen| Board::from_fen(fen).unwrap())
        .map(|board| (board, PackedPosition::new(&board, 30, 2, 0)))
        .collect()
    }

    /// A model whose units are on the slope, saturated and dead, and whose buckets differ.
    fn varied_model() -> Model<32> {
        let mut model = Model::<32>::random(3);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for slice in model.slices_mut() {
            for value in slice {
                *value += rng.random_range(-0.15..0.15);
            }
        }
        model
    }

    #[test]
    fn gradient_equals_difference_quotient() {
        let model = varied_model();
        let target = 0.73;
        for (board, position) in positions() {
            let mut gradient = Model::zero();
            model.train_on(&position, target, &mut gradient);
            let loss = |model: &Model<32>| {
                let error = f64::from(sigmoid(model.predict(&position)) - target);
                error * error
            };
            let mut checked = 0;
            for (slice, values) in gradient.slices().into_iter().enumerate() {
                // Every parameter of the small slices, a sample of the large ones.
                let step = (values.len() / 97).max(1);
                for index in (0..values.len()).step_by(step) {
                    let moved = |by: f32| {
                        let mut moved = model.clone();
                        moved.slices_mut()[slice][index] += by;
                        loss(&moved)
                    };
                    let h = 2e-3;
                    let quotient = (moved(h) - moved(-h)) / (2.0 * f64::from(h));
                    let difference = (quotient - f64::from(values[index])).abs();
                    assert!(
                        difference < 2e-4 + 0.02 * quotient.abs(),
                        "{}: slice {slice}, {index}: {quotient} and {}",
                        board.to_fen(),
                        values[index]
                    );
                    checked += usize::from(quotient.abs() > 1e-4);
                }
            }
            assert!(checked > 20, "{checked} gradients are not zero");
        }
    }

    #[test]
    fn quantised_network_gives_nearly_the_same_scores() {
        let model = varied_model();
        let network = model.quantise(400, WdlModel::CLASSICAL, "test", 0.0).unwrap();
        for (board, position) in positions() {
            let exact = model.predict(&position) * 400.0;
            let quantised = evaluate_from_scratch(&network, &board) as f32;
            assert!((exact - quantised).abs() < 12.0, "{exact} {quantised} {}", board.to_fen());
        }
        let shifted = model.quantise(400, WdlModel::CLASSICAL, "test", 0.5).unwrap();
        let (board, _) = positions()[1];
        let by = evaluate_from_scratch(&shifted, &board) - evaluate_from_scratch(&network, &board);
        assert!((199..=201).contains(&by), "{by}");
    }
}
