//! Texel's Tuning Method: fits the evaluation weights to the results and scores of games. Start at
//! [`Tuner::run`].
//!
//! Uses gradient descent with Adam (Kingma and Ba 2014) over all weights, with early stopping on a
//! held-out share of the games.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::dataset::{Dataset, Sample};
use crate::eval::features::{COUNT, GROUPS};
use crate::eval::weights::WEIGHTS;
use crate::eval::{ENDGAME_DIVISOR, FULL_PHASE, FULL_SCALE, SQUARE_DIVISOR, middle_game_scale};

/// Tuning settings.
#[derive(Clone, Copy, Debug)]
pub struct TuneSettings {
    /// Maximum number of epochs.
    pub epochs: u32,
    /// Number of epochs without a lower validation error after which to stop.
    pub patience: u32,
    /// Initial learning rate: the Adam step size, in centipawns.
    pub rate: f64,
    /// Share of the game result in the target, from 0 to 1; the rest is the search score.
    pub result_share: f64,
    /// L2 regularisation towards the initial weights. It keeps rare features from overfitting.
    pub hold: f64,
    /// Factor for the middle-game weights after training. A middle-game lead decides fewer games
    /// between shallow searches than between deep ones. Weights that predict shallow games are
    /// therefore too small there, and a deep search would pay too much for trading into an endgame.
    pub stretch: f64,
    /// Seed for shuffling the positions.
    pub seed: u64,
}

impl Default for TuneSettings {
    /// Returns defaults for thousands of games, not millions. All positions of a game share one
    /// result, but each has its own score, so the scores teach more. Small steps keep the weights
    /// of rare features from drifting.
    fn default() -> Self {
        Self {
            epochs: 200,
            patience: 15,
            rate: 0.2,
            result_share: 0.3,
            hold: 1e-6,
            stretch: 1.0,
            seed: 1,
        }
    }
}

/// Positions per gradient step.
const BATCH: usize = 16_384;

type Pair = [f64; 2];

/// Adam optimiser for the evaluation weights.
pub struct Tuner<'a> {
    data: &'a Dataset,
    settings: TuneSettings,
    /// Middle-game and endgame weight of each feature.
    weights: Vec<Pair>,
    /// Initial weights.
    origin: Vec<Pair>,
    moments: Vec<[Pair; 2]>,
    steps: i32,
    /// Scale of the sigmoid that converts centipawns to an expected score.
    sigmoid_scale: f64,
    order: Vec<u32>,
    rng: ChaCha8Rng,
}

impl<'a> Tuner<'a> {
    /// Starts from the engine's present weights and fits the scale of the sigmoid.
    #[must_use]
    pub fn new(data: &'a Dataset, settings: TuneSettings) -> Self {
        let weights: Vec<Pair> = WEIGHTS
            .iter()
            .map(|pair| [f64::from(pair.middle_game()), f64::from(pair.endgame())])
            .collect();
        let mut tuner = Self {
            data,
            settings,
            origin: weights.clone(),
            weights,
            moments: vec![[[0.0; 2]; 2]; COUNT],
            steps: 0,
            sigmoid_scale: 1.0,
            order: (0..data.training.len() as u32).collect(),
            rng: ChaCha8Rng::seed_from_u64(settings.seed),
        };
        tuner.fit_scale();
        tuner
    }

    /// Fits the scale to the game results by golden-section search.
    fn fit_scale(&mut self) {
        let golden = (5_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (0.1, 5.0);
        // Results only: evaluation and score targets would agree best if both curves were flat.
        let share = std::mem::replace(&mut self.settings.result_share, 1.0);
        let mut error_at = |scale: f64| {
            self.sigmoid_scale = scale;
            self.error(&self.data.training)
        };
        for _ in 0..30 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if error_at(left) < error_at(right) { high = right } else { low = left }
        }
        self.sigmoid_scale = f64::midpoint(low, high);
        self.settings.result_share = share;
    }

    fn sigmoid(&self, centipawns: f64) -> f64 {
        1.0 / (1.0 + (-self.sigmoid_scale * centipawns * std::f64::consts::LN_10 / 400.0).exp())
    }

    /// Returns White's evaluation of `sample`, and its slope with respect to the weights: for one
    /// count of a summed feature, and of a danger feature of each king.
    fn evaluate(&self, sample: &Sample) -> (f64, [Pair; 3]) {
        let phase = f64::from(sample.phase) / f64::from(FULL_PHASE);
        let scale = i32::from(sample.scale);
        let [scale, middle_game_scale] =
            [scale, middle_game_scale(scale)].map(|part| f64::from(part) / f64::from(FULL_SCALE));
        let share = [phase * middle_game_scale, (1.0 - phase) * scale];
        let [sum, white, black] = self.data.features(sample).map(|features| self.add_up(features));
        let mut value = sum[0] * share[0] + sum[1] * share[1];
        let mut slopes = [share; 3];
        for (side, danger, sign) in [(1, white, -1.0), (2, black, 1.0)] {
            let [cost, slope] = danger_cost(danger);
            value += sign * (cost[0] * share[0] + cost[1] * share[1]);
            slopes[side] = [sign * share[0] * slope[0], sign * share[1] * slope[1]];
        }
        (value, slopes)
    }

    fn add_up(&self, features: &[(u16, i8)]) -> Pair {
        let mut sums = [0.0; 2];
        for &(feature, count) in features {
            let weights = self.weights[usize::from(feature)];
            sums[0] += weights[0] * f64::from(count);
            sums[1] += weights[1] * f64::from(count);
        }
        sums
    }

    fn target(&self, sample: &Sample) -> f64 {
        let share = self.settings.result_share;
        share * f64::from(sample.result) + (1.0 - share) * self.sigmoid(f64::from(sample.score))
    }

    fn error(&self, samples: &[Sample]) -> f64 {
        let sum: f64 = samples
            .iter()
            .map(|sample| {
                let difference = self.sigmoid(self.evaluate(sample).0) - self.target(sample);
                difference * difference
            })
            .sum();
        sum / samples.len().max(1) as f64
    }

    /// Returns the mean squared errors on the training and on the validation positions.
    #[must_use]
    pub fn errors(&self) -> (f64, f64) {
        (self.error(&self.data.training), self.error(&self.data.validation))
    }

    /// Returns the fitted scale of the sigmoid.
    #[must_use]
    pub fn sigmoid_scale(&self) -> f64 {
        self.sigmoid_scale
    }

    /// Trains until the validation error stops falling, and keeps the best weights. `progress`
    /// receives the number, training error and validation error of each epoch, and returns whether
    /// to continue.
    pub fn run(&mut self, mut progress: impl FnMut(u32, f64, f64) -> bool) {
        let mut best = (self.errors().1, self.weights.clone());
        let mut without_progress = 0;
        for epoch in 1..=self.settings.epochs {
            // Decay the step linearly, down to 5 %, so that the last batch does not decide the
            // result.
            let left = 1.0 - f64::from(epoch - 1) / f64::from(self.settings.epochs);
            self.pass(self.settings.rate * left.max(0.05));
            let (training, validation) = self.errors();
            if validation < best.0 {
                best = (validation, self.weights.clone());
                without_progress = 0;
            } else {
                without_progress += 1;
            }
            let goes_on = progress(epoch, training, validation);
            if !goes_on || without_progress >= self.settings.patience {
                break;
            }
        }
        self.weights = best.1;
    }

    fn pass(&mut self, rate: f64) {
        self.order.shuffle(&mut self.rng);
        let order = std::mem::take(&mut self.order);
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![[0.0; 2]; COUNT];
            for &index in batch {
                let sample = &self.data.training[index as usize];
                let (value, slopes) = self.evaluate(sample);
                let predicted = self.sigmoid(value);
                let slope = (predicted - self.target(sample)) * predicted * (1.0 - predicted);
                for (features, part) in self.data.features(sample).into_iter().zip(slopes) {
                    for &(feature, count) in features {
                        let entry = &mut gradient[usize::from(feature)];
                        entry[0] += slope * part[0] * f64::from(count);
                        entry[1] += slope * part[1] * f64::from(count);
                    }
                }
            }
            self.step(&gradient, batch.len() as f64, rate);
        }
        self.order = order;
    }

    /// Applies one Adam step with the usual decay rates.
    fn step(&mut self, gradient: &[Pair], count: f64, rate: f64) {
        const KEEP: [f64; 2] = [0.9, 0.999];
        self.steps += 1;
        let correction = KEEP.map(|keep: f64| 1.0 - keep.powi(self.steps));
        for (index, pair) in gradient.iter().enumerate() {
            for half in 0..2 {
                let away = self.weights[index][half] - self.origin[index][half];
                let slope = pair[half] / count + self.settings.hold * away;
                let [first, second] = &mut self.moments[index];
                first[half] = KEEP[0] * first[half] + (1.0 - KEEP[0]) * slope;
                second[half] = KEEP[1] * second[half] + (1.0 - KEEP[1]) * slope * slope;
                let (mean, spread) = (first[half] / correction[0], second[half] / correction[1]);
                self.weights[index][half] -= rate * mean / (spread.sqrt() + 1e-12);
            }
        }
    }

    /// Returns the weights, stretched and rounded.
    #[must_use]
    pub fn weights(&self) -> Vec<[i32; 2]> {
        let stretched = |(index, &[middle_game, endgame]): (usize, &Pair)| {
            let stretch = self.settings.stretch;
            // King danger is squared, so its weights take the square root.
            let factor = if is_danger(index) { stretch.sqrt() } else { stretch };
            [middle_game * factor, endgame].map(|value| value.round() as i32)
        };
        self.weights.iter().enumerate().map(stretched).collect()
    }
}

/// Returns whether a feature counts units of danger to a king.
fn is_danger(feature: usize) -> bool {
    GROUPS.iter().any(|group| {
        group.name.starts_with("DANGER")
            && (group.start..group.start + group.len).contains(&feature)
    })
}

/// Returns the king-danger penalty and its derivative: the formula of `king_safety`, but uncapped.
fn danger_cost(danger: Pair) -> [Pair; 2] {
    let [units, endgame] = danger.map(|value| value.max(0.0));
    let (square, linear) = (f64::from(SQUARE_DIVISOR), f64::from(ENDGAME_DIVISOR));
    let grows = if endgame > 0.0 { 1.0 / linear } else { 0.0 };
    [[units * units / square, endgame / linear], [2.0 * units / square, grows]]
}

/// Returns the source of `weights.rs` for `weights`.
#[must_use]
pub fn weights_source(weights: &[[i32; 2]]) -> String {
    let mut text = String::from(WEIGHTS_HEAD);
    for group in GROUPS {
        text += &["    // ", group.name, "\n"].concat();
        for row in weights[group.start..group.start + group.len].chunks(8) {
            let row: Vec<String> = row.iter().map(|[mg, eg]| format!("S({mg}, {eg}),")).collect();
            text += &["    ", &row.join(" "), "\n"].concat();
        }
    }
    text + "];\n"
}

const WEIGHTS_HEAD: &str = concat!(
    "//! Evaluation weights, in the order of `features.rs`. Generated by `damero tune`.\n",
    "\n",
    "use crate::eval::classical::features::COUNT;\n",
    "use crate::eval::classical::tapered::Tapered;\n",
    "\n",
    "/// Packs a middle-game and an endgame weight.\n",
    "#[allow(non_snake_case)] // short, to keep the table readable\n",
    "const fn S(middle_game: i32, endgame: i32) -> Tapered {\n",
    "    Tapered::new(middle_game, endgame)\n",
    "}\n",
    "\n",
    "/// All weights, indexed by feature.\n",
    "#[rustfmt::skip]\n",
    "pub static WEIGHTS: [Tapered; COUNT] = [\n",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretch_scales_only_middle_game_weights() {
        let data = Dataset::default();
        let stretched =
            Tuner::new(&data, TuneSettings { stretch: 1.44, ..TuneSettings::default() }).weights();
        for (feature, (new, old)) in stretched.iter().zip(&WEIGHTS).enumerate() {
            let factor = if is_danger(feature) { 1.2 } else { 1.44 };
            let middle_game = f64::from(old.middle_game()) * factor;
            assert!((f64::from(new[0]) - middle_game).abs() <= 0.5, "{feature}");
            assert_eq!(new[1], old.endgame(), "{feature}");
        }
        assert!((0..COUNT).any(is_danger) && !(0..COUNT).all(is_danger));
    }
}
