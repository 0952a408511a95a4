//! `damero train`: trains the network on games made by `damero datagen`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use clap::Args;

use super::files::{refuse_existing, refuse_input, write_atomic};
use super::{Failure, Progress, cannot_write, say_error};
use crate::training::network::{
    PositionFilter, SourceStats, TrainEvent, TrainSettings, Trained, TrainingData, plot, train,
};

/// Arguments of `damero train`
#[derive(Args)]
pub(super) struct TrainArguments {
    /// Game files made by `damero datagen`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Network file to write; a plot (.svg), a report (.txt) and a checkpoint stand beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing network
    #[arg(long)]
    force: bool,
    /// Continue from the checkpoint of an interrupted run with the same options
    #[arg(long)]
    resume: bool,
    /// Hidden units per perspective: 32, 64, 96, 128, 192, 256, 320, 384, 512, 768 or 1024
    #[arg(long, default_value_t = TrainSettings::default().units)]
    units: usize,
    /// Passes over the data
    #[arg(long, default_value_t = TrainSettings::default().epochs, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    epochs: u64,
    /// Positions per step
    #[arg(long, default_value_t = TrainSettings::default().batch)]
    batch: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = TrainSettings::default().rate)]
    rate: f64,
    /// Weight decay
    #[arg(long, default_value_t = TrainSettings::default().decay)]
    decay: f64,
    /// Share of the game result in the target; the rest is the search score
    #[arg(long, default_value_t = TrainSettings::default().result_share[0])]
    result_share: f64,
    /// Share at the end of the run, approached linearly [default: the same]
    #[arg(long, value_name = "SHARE")]
    final_result_share: Option<f64>,
    /// Centipawns per unit of the logistic curve in the network's scores [default: as in the data]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    scale: Option<u16>,
    /// First ply of a game to use, not counting the random opening
    #[arg(long, value_name = "PLY", default_value_t = PositionFilter::default().first_ply)]
    first_ply: usize,
    /// Random seed
    #[arg(long, default_value_t = TrainSettings::default().seed)]
    seed: u64,
    /// Number of threads, which does not affect the result [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Line on the data, stored in the network [default: numbers of games and positions]
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

impl TrainArguments {
    fn check(&self) -> Result<(), Failure> {
        let shares = [self.result_share, self.final_result_share.unwrap_or(self.result_share)];
        if !shares.iter().all(|share| (0.0..=1.0).contains(share)) {
            return Err(Failure::Input("the result shares must be from 0 to 1".to_owned()));
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return Err(Failure::Input("--rate must be above 0 and at most 1".to_owned()));
        }
        if !(0.0..=1.0).contains(&self.decay) {
            return Err(Failure::Input("--decay must be from 0 to 1".to_owned()));
        }
        if !(4..=1 << 20).contains(&self.batch) {
            return Err(Failure::Input("--batch must be from 4 to 1048576".to_owned()));
        }
        let checkpoint = beside(&self.out, "checkpoint");
        for output in [&self.out, &checkpoint] {
            refuse_input(output, &self.data)?;
        }
        refuse_existing(&self.out, self.force)?;
        if !self.resume && !self.force && checkpoint.exists() {
            return Err(Failure::Input(format!(
                "{} exists; use --resume to continue that run, or --force to begin another",
                checkpoint.display()
            )));
        }
        Ok(())
    }

    fn settings(&self, data: &TrainingData, threads: usize) -> TrainSettings {
        let described = || {
            let games: u64 = data.sources.iter().map(SourceStats::games).sum();
            let kept: u64 = data.sources.iter().map(SourceStats::kept).sum();
            format!("{games} games, {kept} positions of Damero {}", env!("CARGO_PKG_VERSION"))
        };
        TrainSettings {
            units: self.units,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            decay: self.decay,
            result_share: [self.result_share, self.final_result_share.unwrap_or(self.result_share)],
            scale: self.scale,
            seed: self.seed,
            threads,
            description: self.description.clone().unwrap_or_else(described),
            ..TrainSettings::default()
        }
    }
}

/// Returns the path of a file beside `out`, with another ending.
fn beside(out: &Path, ending: &str) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    out.with_file_name(name)
}

pub(super) fn run(
    arguments: &TrainArguments,
    stop: &'static AtomicBool,
) -> Result<String, Failure> {
    arguments.check()?;
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let checkpoint = beside(&arguments.out, "checkpoint");
    let read = || {
        fs::read(&checkpoint).map_err(|error| {
            Failure::Input(format!("cannot read {}: {error}", checkpoint.display()))
        })
    };
    let saved = arguments.resume.then(read).transpose()?;
    let filter = PositionFilter { first_ply: arguments.first_ply, ..PositionFilter::default() };
    let loading = Progress::new(arguments.data.len() as u64, "files");
    let data = TrainingData::load(
        &arguments.data,
        filter,
        arguments.seed,
        threads,
        stop,
        |files, positions| {
            let new = (files as u64).saturating_sub(loading.done());
            loading.advance(new, &format!("{positions} positions"));
        },
    )
    .map_err(Failure::input)?;
    loading.finish();
    let Some(data) = data else { return Ok("stopped while loading".to_owned()) };
    let settings = arguments.settings(&data, threads);
    let (training, validation) = data.positions();
    say_error(&format!("{training} training positions, {validation} held out"));
    for (source, scale) in data.sources.iter().zip(&data.scales) {
        say_error(&format!("{}: {} positions, scale {scale:.1}", source.name, source.kept()));
    }
    let began = Instant::now();
    let total = training as u64 / settings.batch as u64 * settings.epochs;
    let progress = Progress::new(total, "batches");
    let mut failure = None;
    let mut on_event = |event: TrainEvent<'_>| {
        match event {
            TrainEvent::Progress { epoch, positions, error, rate } => {
                let done = positions[0] / settings.batch as u64;
                let text = format!(
                    "epoch {}/{}, error {error:.6}, {rate:.0} positions/s",
                    epoch + 1,
                    settings.epochs
                );
                progress.advance(done.saturating_sub(progress.done()), &text);
            }
            TrainEvent::Epoch(history) => {
                if let Some(epoch) = history.last() {
                    progress.say(&format!(
                        "epoch {}: error {:.6}, held out {:.6}, {:.0} s",
                        history.len(),
                        epoch.training,
                        epoch.validation,
                        epoch.seconds
                    ));
                }
            }
            TrainEvent::Checkpoint(bytes) => {
                if let Err(error) = write_atomic(&checkpoint, &bytes) {
                    failure = Some(cannot_write(&checkpoint, &error));
                }
            }
        }
        !stop.load(Relaxed) && failure.is_none()
    };
    let trained =
        train(&data, &settings, saved.as_deref(), &mut on_event).map_err(Failure::input)?;
    progress.finish();
    if let Some(failure) = failure {
        return Err(failure);
    }
    let Some(trained) = trained else {
        return Ok(format!(
            "stopped; the run is saved in {}, and --resume continues it",
            checkpoint.display()
        ));
    };
    let report = report(&data, &settings, &trained, began.elapsed().as_secs_f64());
    let title = format!("{} units, {training} positions", settings.units);
    let svg = plot(&trained.history, &title);
    for (path, bytes) in [
        (arguments.out.clone(), trained.network.to_bytes()),
        (beside(&arguments.out, "svg"), svg.into_bytes()),
        (beside(&arguments.out, "txt"), report.clone().into_bytes()),
    ] {
        write_atomic(&path, &bytes).map_err(|error| cannot_write(&path, &error))?;
    }
    // The network is written, so the checkpoint has served its purpose.
    let _ = fs::remove_file(&checkpoint);
    Ok(format!("{report}\nwrote {}", arguments.out.display()))
}

/// Returns the report on a finished run.
fn report(data: &TrainingData, settings: &TrainSettings, trained: &Trained, time: f64) -> String {
    let (training, validation) = data.positions();
    let mut text = format!(
        "network: 768 inputs mirrored, 2 x {} units, 8 outputs; checksum {:08x}\n\
         description: {}\n\
         training positions: {training}, held out: {validation}\n",
        settings.units,
        trained.network.checksum(),
        settings.description,
    );
    // Writing to a string does not fail.
    for (source, scale) in data.sources.iter().zip(&data.scales) {
        let _ = writeln!(
            text,
            "source: {}; {} games, {} positions, scale {scale:.1}",
            source.name,
            source.games(),
            source.kept()
        );
    }
    let [first, last] = settings.result_share;
    let [mean, rms] = trained.quantisation_error;
    let epoch = trained.history.last();
    let _ = write!(
        text,
        "epochs: {}, batch {}, rate {}, decay {}, result share {first} to {last}, seed {}\n\
         scale of the network's scores: {} centipawns\n\
         error: {:.6}, held out {:.6}\n\
         quantisation error: mean {mean:.2}, rms {rms:.2} centipawns\n\
         time: {time:.0} s, {:.0} positions/s",
        settings.epochs,
        settings.batch,
        settings.rate,
        settings.decay,
        settings.seed,
        trained.scale,
        epoch.map_or(0.0, |epoch| epoch.training),
        epoch.map_or(0.0, |epoch| epoch.validation),
        (training as u64 * settings.epochs) as f64 / time.max(1e-9)
    );
    text
}
