//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization"). Start at
//! [`AdamW::step`].

use crate::training::network::model::{LARGEST_WEIGHT, Model};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// State of the optimiser: running means of the gradient and of its square.
pub(crate) struct AdamW<const H: usize> {
    pub(crate) mean: Model<H>,
    pub(crate) square: Model<H>,
    /// Number of steps so far.
    pub(crate) steps: u64,
}

/// Settings of one step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) rate: f32,
    pub(crate) decay: f32,
    /// Number of positions that the gradients are sums over.
    pub(crate) positions: usize,
}

impl<const H: usize> AdamW<H> {
    pub(crate) fn new() -> Self {
        Self { mean: Model::zero(), square: Model::zero(), steps: 0 }
    }

    /// Changes `model` against the sum of `gradients`, which are then zero, on `threads` threads.
    /// The result does not depend on the number of threads.
    pub(crate) fn step(
        &mut self,
        model: &mut Model<H>,
        gradients: &mut [Model<H>],
        step: Step,
        threads: usize,
    ) {
        self.steps += 1;
        let correction = |beta: f32| 1.0 - beta.powi(self.steps.min(100_000) as i32);
        let rule = Rule {
            rate: step.rate,
            decay: 1.0 - step.rate * step.decay,
            per_position: 1.0 / step.positions.max(1) as f32,
            mean: 1.0 / correction(BETA_1),
            square: 1.0 / correction(BETA_2),
        };
        let parts = model.slices_mut().into_iter().zip(self.mean.slices_mut());
        let mut gradients: Vec<_> =
            gradients.iter_mut().map(|gradient| gradient.slices_mut().into_iter()).collect();
        std::thread::scope(|scope| {
            for ((values, means), squares) in parts.zip(self.square.slices_mut()) {
                let mut slopes: Vec<&mut [f32]> =
                    gradients.iter_mut().filter_map(Iterator::next).collect();
                if values.len() < 1 << 14 || threads < 2 {
                    rule.apply(values, means, squares, &mut slopes);
                    continue;
                }
                let size = values.len().div_ceil(threads);
                let chunks = values.chunks_mut(size).zip(means.chunks_mut(size));
                let mut slopes: Vec<_> =
                    slopes.into_iter().map(|slope| slope.chunks_mut(size)).collect();
                for ((values, means), squares) in chunks.zip(squares.chunks_mut(size)) {
                    let mut slopes: Vec<&mut [f32]> =
                        slopes.iter_mut().filter_map(Iterator::next).collect();
                    scope.spawn(move || rule.apply(values, means, squares, &mut slopes));
                }
            }
        });
    }
}

/// The constants of one step.
#[derive(Clone, Copy)]
struct Rule {
    rate: f32,
    decay: f32,
    per_position: f32,
    mean: f32,
    square: f32,
}

impl Rule {
    /// Updates some parameters. Each is computed alone, so the result does not depend on how they
    /// are divided.
    fn apply(
        self,
        values: &mut [f32],
        means: &mut [f32],
        squares: &mut [f32],
        slopes: &mut [&mut [f32]],
    ) {
        for index in 0..values.len() {
            let mut sum = 0.0;
            for slope in slopes.iter_mut() {
                sum += slope[index];
                slope[index] = 0.0;
            }
            let slope = sum * self.per_position;
            means[index] = BETA_1 * means[index] + (1.0 - BETA_1) * slope;
            squares[index] = BETA_2 * squares[index] + (1.0 - BETA_2) * slope * slope;
            let change =
                means[index] * self.mean / ((squares[index] * self.square).sqrt() + EPSILON);
            let value = values[index] * self.decay - self.rate * change;
            values[index] = value.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_do_not_depend_on_the_number_of_threads() {
        let run = |threads: usize| {
            let (mut model, mut optimizer) = (Model::<32>::random(1), AdamW::new());
            for seed in 0..3 {
                let mut gradients = [Model::random(seed), Model::random(seed + 10)];
                let step = Step { rate: 0.01, decay: 0.01, positions: 3 };
                optimizer.step(&mut model, &mut gradients, step, threads);
                let is_zero = |it: &Model<32>| it.slices().concat().iter().all(|&it| it == 0.0);
                assert!(gradients.iter().all(is_zero));
            }
            model.slices().concat()
        };
        let one = run(1);
        assert_eq!(run(2), one);
        assert_eq!(run(4), one);
    }

    #[test]
    fn steps_go_against_the_gradient_and_stay_in_bounds() {
        let (mut model, mut optimizer) = (Model::<32>::zero(), AdamW::new());
        for _ in 0..400 {
            let mut gradient = Model::<32>::zero();
            gradient.input_bias = [1.0; 32];
            gradient.output_bias[2] = -1.0;
            let step = Step { rate: 0.01, decay: 0.0, positions: 1 };
            optimizer.step(&mut model, &mut [gradient], step, 1);
        }
        assert!((model.input_bias[5] + LARGEST_WEIGHT).abs() < 1e-6);
        assert!((model.output_bias[2] - LARGEST_WEIGHT).abs() < 1e-6);
        assert!(model.input[3][4].abs() < 1e-9 && model.output_bias[1].abs() < 1e-9);
    }
}
