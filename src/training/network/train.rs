//! The training loop. Start at [`train`].
//!
//! Every batch is divided into four lanes, whatever the number of threads; each lane sums its own
//! gradient, and the four are added in order. So the same data, settings and seed give the same
//! network bit for bit with 1, 2 or 4 threads.

use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::eval::network::accumulator::evaluate_inputs;
use crate::eval::{Network, NetworkError, WdlModel};
use crate::training::network::checkpoint::{Checkpoint, CheckpointError, EpochReport};
use crate::training::network::data::TrainingData;
use crate::training::network::model::{Model, sigmoid};
use crate::training::network::optimizer::{AdamW, Step};
use crate::training::network::position::PackedPosition;
use crate::types::random::split_mix_64;

/// Parts of a batch with a gradient of their own.
const LANES: usize = 4;
/// Positions to which the quantisation error is measured.
const QUANTISATION_SAMPLE: usize = 50_000;
/// The numbers of hidden units that can be trained.
pub const UNITS: [usize; 11] = [32, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1024];

/// Settings of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainSettings {
    /// Hidden units per perspective, one of [`UNITS`].
    pub units: usize,
    /// Passes over the data.
    pub epochs: u64,
    /// Positions per step.
    pub batch: usize,
    /// Highest learning rate. It rises to this during the first `warm_up` steps and then falls to
    /// almost zero along a cosine.
    pub rate: f64,
    /// Steps of the warm-up.
    pub warm_up: u64,
    /// Weight decay.
    pub decay: f64,
    /// Share of the game's result in the target, at the beginning and at the end of the run; the
    /// rest is the search's score.
    pub result_share: [f64; 2],
    /// Centipawns per unit of the logistic curve in the network's own scores; `None` for the mean
    /// of the fitted scales of the data.
    pub scale: Option<u16>,
    /// Seed of the initial weights and of the order of the positions.
    pub seed: u64,
    /// Number of threads. It does not affect the result.
    pub threads: usize,
    /// Line on the data, stored in the network.
    pub description: String,
}

impl Default for TrainSettings {
    fn default() -> Self {
        Self {
            units: 128,
            epochs: 20,
            batch: 16_384,
            rate: 0.001,
            warm_up: 200,
            decay: 0.01,
            result_share: [0.1, 0.1],
            scale: None,
            seed: 1,
            threads: 1,
            description: String::new(),
        }
    }
}

/// News of a running training.
pub enum TrainEvent<'a> {
    /// Some batches have been learnt. Return false to stop.
    Progress {
        /// The epoch, from 0.
        epoch: u64,
        /// Positions learnt in all epochs together, and in the whole run.
        positions: [u64; 2],
        /// The mean error so far in this epoch.
        error: f64,
        /// Positions per second since the run began or was resumed.
        rate: f64,
    },
    /// An epoch has ended, and these are the reports so far.
    Epoch(&'a [EpochReport]),
    /// The bytes of a checkpoint to be written.
    Checkpoint(Vec<u8>),
}

/// A finished training.
pub struct Trained {
    /// The network.
    pub network: Network,
    /// The reports of all epochs.
    pub history: Vec<EpochReport>,
    /// Mean and root mean square of the quantisation error, in centipawns.
    pub quantisation_error: [f64; 2],
    /// The scale of the network's scores.
    pub scale: u16,
}

/// Why a training failed.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The number of units is not one of [`UNITS`].
    #[error("cannot train {0} units; choose one of {UNITS:?}")]
    Units(usize),
    /// There is less than a batch of data.
    #[error(
        "the data has only {0} positions, less than one batch; use more data or a smaller batch"
    )]
    TooFew(usize),
    /// The checkpoint cannot be used.
    #[error("cannot resume: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The trained network cannot be stored.
    #[error("the network cannot be quantised: {0}")]
    Network(#[from] NetworkError),
}

/// Trains a network on `data`. `resume` holds the bytes of a checkpoint of the same run. `on_event`
/// is called with news; if it returns false after [`TrainEvent::Progress`], a last checkpoint is
/// made and the result is `None`.
///
/// # Errors
/// If the settings do not fit the data, or the checkpoint does not fit them.
pub fn train(
    data: &TrainingData,
    settings: &TrainSettings,
    resume: Option<&[u8]>,
    on_event: &mut dyn FnMut(TrainEvent<'_>) -> bool,
) -> Result<Option<Trained>, TrainError> {
    if data.training.len() < settings.batch {
        return Err(TrainError::TooFew(data.training.len()));
    }
    macro_rules! dispatch {
        ($($units:literal)*) => {
            match settings.units {
                $($units => Run::<$units>::new(data, settings, resume)?.train(on_event),)*
                other => Err(TrainError::Units(other)),
            }
        };
    }
    dispatch!(32 64 96 128 192 256 320 384 512 768 1024)
}

/// A training run.
struct Run<'a, const H: usize> {
    data: &'a TrainingData,
    settings: &'a TrainSettings,
    state: Checkpoint<H>,
    /// The gradient of each lane.
    gradients: Vec<Model<H>>,
    /// Identifies data and settings.
    id: u64,
}

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

impl<'a, const H: usize> Run<'a, H> {
    fn new(
        data: &'a TrainingData,
        settings: &'a TrainSettings,
        resume: Option<&[u8]>,
    ) -> Result<Self, TrainError> {
        // The number of threads does not matter; everything else does.
        let described = format!("{:?}", TrainSettings { threads: 1, ..settings.clone() });
        let id = described
            .bytes()
            .fold(data.fingerprint(), |hash, byte| split_mix_64(hash ^ u64::from(byte)));
        let state = match resume {
            Some(bytes) => Checkpoint::from_bytes(bytes, id)?,
            None => Checkpoint {
                model: Model::random(settings.seed),
                optimizer: AdamW::new(),
                epoch: 0,
                batch: 0,
                error_sum: 0.0,
                history: Vec::new(),
            },
        };
        Ok(Self { data, settings, state, gradients: vec![Model::zero(); LANES], id })
    }

    fn train(
        mut self,
        on_event: &mut dyn FnMut(TrainEvent<'_>) -> bool,
    ) -> Result<Option<Trained>, TrainError> {
        let batch_size = self.settings.batch;
        let batches = (self.data.training.len() / batch_size) as u64;
        let total = batches * self.settings.epochs;
        let began_at = self.state.epoch * batches + self.state.batch;
        let began = Instant::now();
        let mut reported = Instant::now();
        while self.state.epoch < self.settings.epochs {
            let epoch_began = Instant::now();
            while self.state.batch < batches {
                let done = self.state.epoch * batches + self.state.batch;
                self.learn_batch(done, total);
                self.state.batch += 1;
                if reported.elapsed() >= REPORT_INTERVAL {
                    reported = Instant::now();
                    let size = batch_size as u64;
                    let learnt = (done + 1 - began_at) * size;
                    let event = TrainEvent::Progress {
                        epoch: self.state.epoch,
                        positions: [(done + 1) * size, total * size],
                        error: self.state.error_sum / (self.state.batch * size) as f64,
                        rate: learnt as f64 / began.elapsed().as_secs_f64(),
                    };
                    if !on_event(event) {
                        on_event(TrainEvent::Checkpoint(self.state.to_bytes(self.id)));
                        return Ok(None);
                    }
                }
            }
            let report = EpochReport {
                training: self.state.error_sum / (batches * batch_size as u64) as f64,
                validation: self.validate(),
                seconds: epoch_began.elapsed().as_secs_f64(),
            };
            self.state.history.push(report);
            (self.state.batch, self.state.error_sum) = (0, 0.0);
            self.state.epoch += 1;
            on_event(TrainEvent::Epoch(&self.state.history));
            on_event(TrainEvent::Checkpoint(self.state.to_bytes(self.id)));
        }
        self.finish().map(Some)
    }

    /// Returns the share of the result in the target after `done` of `total` batches.
    fn result_share(&self, done: u64, total: u64) -> f32 {
        let [first, last] = self.settings.result_share;
        (first + (last - first) * done as f64 / total.max(1) as f64) as f32
    }

    /// Returns the learning rate after `done` of `total` batches.
    fn rate(&self, done: u64, total: u64) -> f64 {
        let warm_up = ((done + 1) as f64 / self.settings.warm_up.max(1) as f64).min(1.0);
        let share = done as f64 / total.max(1) as f64;
        let cosine = 0.5 * (1.0 + (std::f64::consts::PI * share).cos());
        self.settings.rate * warm_up * cosine.max(0.001)
    }

    /// Returns the share of the points to expect at `position`.
    fn target(&self, position: &PackedPosition, result_share: f32) -> f32 {
        let scale = self.data.scales[usize::from(position.source)] as f32;
        let of_score = sigmoid(f32::from(position.score) / scale);
        let of_result = f32::from(position.points) / 2.0;
        of_score + result_share * (of_result - of_score)
    }

    fn learn_batch(&mut self, done: u64, total: u64) {
        let size = self.settings.batch;
        let order = Order::new(self.data.training.len(), self.settings.seed, self.state.epoch);
        let first = self.state.batch * size as u64;
        let result_share = self.result_share(done, total);
        let mut gradients = std::mem::take(&mut self.gradients);
        let run = &*self;
        let learn = |lane: usize, gradient: &mut Model<H>| -> f64 {
            let (from, to) = (lane * size / LANES, (lane + 1) * size / LANES);
            let indices = (from..to).map(|index| order.index(first + index as u64));
            // Fetched together, because each is likely to be a cache miss.
            let positions: Vec<PackedPosition> =
                indices.map(|index| run.data.training[index]).collect();
            let errors = positions.iter().map(|position| {
                let target = run.target(position, result_share);
                f64::from(run.state.model.train_on(position, target, gradient))
            });
            errors.sum()
        };
        let learn = &learn;
        let threads = self.settings.threads.clamp(1, LANES);
        let mut errors = [0.0; LANES];
        std::thread::scope(|scope| {
            let mut lanes: Vec<Vec<_>> = (0..threads).map(|_| Vec::new()).collect();
            for (lane, work) in gradients.iter_mut().zip(&mut errors).enumerate() {
                lanes[lane % threads].push((lane, work));
            }
            let work = move |lanes: Vec<(usize, (&mut Model<H>, &mut f64))>| {
                for (lane, (gradient, error)) in lanes {
                    *error = learn(lane, gradient);
                }
            };
            let own = lanes.pop().unwrap_or_default();
            for lanes in lanes {
                scope.spawn(move || work(lanes));
            }
            work(own);
        });
        self.state.error_sum += errors.iter().sum::<f64>();
        let step = Step {
            rate: self.rate(done, total) as f32,
            decay: self.settings.decay as f32,
            positions: size,
        };
        let Checkpoint { model, optimizer, .. } = &mut self.state;
        optimizer.step(model, &mut gradients, step, self.settings.threads);
        self.gradients = gradients;
    }

    /// Returns the mean error on the validation positions, with the final share of results.
    fn validate(&self) -> f64 {
        const PART: usize = 8_192;
        let share = self.settings.result_share[1] as f32;
        let parts: Vec<&[PackedPosition]> = self.data.validation.chunks(PART).collect();
        let mut errors = vec![0.0; parts.len()];
        let each = parts.len().div_ceil(self.settings.threads.max(1));
        std::thread::scope(|scope| {
            for (parts, errors) in parts.chunks(each).zip(errors.chunks_mut(each)) {
                scope.spawn(move || {
                    for (part, error) in parts.iter().zip(errors) {
                        *error = part
                            .iter()
                            .map(|position| {
                                let predicted = sigmoid(self.state.model.predict(position));
                                f64::from(predicted - self.target(position, share)).powi(2)
                            })
                            .sum::<f64>();
                    }
                });
            }
        });
        errors.iter().sum::<f64>() / self.data.validation.len() as f64
    }

    /// Quantises the network. What quantisation adds to the scores on average is subtracted again.
    fn finish(self) -> Result<Trained, TrainError> {
        let sources = self.data.sources.iter().zip(&self.data.scales);
        let (sum, kept) = sources.fold((0.0, 0.0), |(sum, kept), (source, scale)| {
            (sum + scale * source.kept() as f64, kept + source.kept() as f64)
        });
        let scale = self.settings.scale.unwrap_or((sum / kept.max(1.0)).round() as u16);
        let model = &self.state.model;
        let text = &self.settings.description;
        // A score of `x` centipawns means a share of `sigmoid(x / scale)`; the model is refitted to
        // games by `damero wdl`.
        let wdl_model = WdlModel { even: f64::from(scale) * 0.85, spread: f64::from(scale) * 0.95 };
        let errors = |network: &Network| -> [f64; 2] {
            let sample =
                &self.data.validation[..self.data.validation.len().min(QUANTISATION_SAMPLE)];
            let (mut sum, mut squares) = (0.0, 0.0);
            for position in sample {
                let inputs = position.inputs();
                let rows = [0, 1].map(|side| &inputs.rows[side][..inputs.len]);
                let quantised = f64::from(evaluate_inputs(network, rows, inputs.bucket));
                let error = quantised - f64::from(model.predict(position)) * f64::from(scale);
                (sum, squares) = (sum + error, squares + error * error);
            }
            let count = sample.len().max(1) as f64;
            [sum / count, (squares / count).sqrt()]
        };
        let [mean, _] = errors(&model.quantise(scale, wdl_model, text, 0.0)?);
        let shift = (-mean / f64::from(scale)) as f32;
        let network = model.quantise(scale, wdl_model, text, shift)?;
        let quantisation_error = errors(&network);
        Ok(Trained { network, history: self.state.history, quantisation_error, scale })
    }
}

/// The order in which an epoch visits the positions: steps of a length that has no common divisor
/// with their number. The positions are shuffled already, so this only makes the batches of every
/// epoch different.
struct Order {
    count: u64,
    first: u64,
    step: u64,
}

impl Order {
    fn new(count: usize, seed: u64, epoch: u64) -> Self {
        let count = count as u64;
        let mut rng = ChaCha8Rng::seed_from_u64(split_mix_64(seed) ^ epoch);
        let first = rng.random_range(0..count);
        let step = loop {
            let step = rng.random_range(1..=count);
            if gcd(step, count) == 1 {
                break step;
            }
        };
        Self { count, first, step }
    }

    fn index(&self, number: u64) -> usize {
        let place = u128::from(number) * u128::from(self.step) + u128::from(self.first);
        (place % u128::from(self.count)) as usize
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::data::SourceStats;
    use crate::training::network::model::tests::positions;

    /// Data in which the side to move wins if it has a queen.
    fn data() -> TrainingData {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let mut boards: Vec<PackedPosition> = Vec::new();
        for (board, _) in positions() {
            let mut now = board;
            for _ in 0..400 {
                let moves = now.legal_moves();
                if moves.is_empty() {
                    now = board;
                    continue;
                }
                let us = now.side_to_move();
                let queens = now.pieces(us, crate::types::PieceType::Queen).len() as i16
                    - now.pieces(!us, crate::types::PieceType::Queen).len() as i16;
                let points = (1 + queens.signum()) as u8;
                boards.push(PackedPosition::new(&now, 300 * queens, points, 0));
                now.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
        let validation = boards.iter().step_by(10).copied().collect();
        let stats = SourceStats { by_men: [1; 8], ..SourceStats::default() };
        TrainingData { training: boards, validation, sources: vec![stats], scales: vec![150.0] }
    }

    fn settings(threads: usize) -> TrainSettings {
        TrainSettings {
            units: 32,
            epochs: 6,
            batch: 128,
            rate: 0.01,
            warm_up: 10,
            threads,
            ..TrainSettings::default()
        }
    }

    #[test]
    fn training_is_the_same_with_any_number_of_threads_and_learns() {
        let data = data();
        let run = |threads: usize| {
            train(&data, &settings(threads), None, &mut |_| true).unwrap().unwrap()
        };
        let one = run(1);
        for threads in [1, 2, 4] {
            let other = run(threads);
            assert_eq!(other.network.to_bytes(), one.network.to_bytes(), "{threads} threads");
            let errors = |it: &Trained| -> Vec<(f64, f64)> {
                it.history.iter().map(|epoch| (epoch.training, epoch.validation)).collect()
            };
            assert_eq!(errors(&other), errors(&one));
        }
        let (first, last) = (one.history[0].validation, one.history[5].validation);
        assert!(last < 0.01 && last < first / 2.0, "{first} {last}");
        assert_eq!(one.scale, 150);
        let [mean, rms] = one.quantisation_error;
        assert!(mean.abs() < 1.0 && rms < 5.0, "{mean} {rms}");
        assert_ne!(
            train(&data, &TrainSettings { seed: 2, ..settings(1) }, None, &mut |_| true)
                .unwrap()
                .unwrap()
                .network,
            one.network
        );
    }

    #[test]
    fn a_run_can_be_stopped_and_resumed() {
        let data = data();
        let whole = train(&data, &settings(1), None, &mut |_| true).unwrap().unwrap();
        // The checkpoint of the third epoch.
        let mut saved = Vec::new();
        let mut on_event = |event: TrainEvent<'_>| {
            if let TrainEvent::Checkpoint(bytes) = event {
                saved.push(bytes);
            }
            true
        };
        train(&data, &settings(1), None, &mut on_event).unwrap();
        let resumed = train(&data, &settings(2), Some(&saved[2]), &mut |_| true).unwrap().unwrap();
        assert_eq!(resumed.network, whole.network);
        let other = TrainSettings { rate: 0.02, ..settings(1) };
        let error = train(&data, &other, Some(&saved[2]), &mut |_| true).err().unwrap();
        assert!(error.to_string().contains("other data or settings"), "{error}");
    }

    #[test]
    fn impossible_settings_are_refused() {
        let data = data();
        let refused = |settings: TrainSettings| {
            train(&data, &settings, None, &mut |_| true).err().unwrap().to_string()
        };
        assert!(refused(TrainSettings { units: 100, ..settings(1) }).contains("cannot train 100"));
        assert!(
            refused(TrainSettings { batch: 1 << 20, ..settings(1) })
                .contains("less than one batch")
        );
    }

    #[test]
    fn an_epoch_visits_every_position_once() {
        for (count, epoch) in [(1, 0), (7, 1), (1_000, 2), (1_000, 3)] {
            let order = Order::new(count, 5, epoch);
            let mut seen: Vec<usize> = (0..count as u64).map(|it| order.index(it)).collect();
            let other = Order::new(count, 5, epoch + 1);
            assert!(
                count < 100 || seen[..50] != (0..50).map(|it| other.index(it)).collect::<Vec<_>>()
            );
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
        }
    }
}
