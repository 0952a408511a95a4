//! `damero tune`: tunes the evaluation weights on self-play games (Texel's tuning method).

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args;

use super::files::{refuse_input, write_atomic};
use super::{Failure, Progress};
use crate::training::{Dataset, Filter, GameReader, TuneSettings, Tuner, weights_source};

/// Arguments of `damero tune`
#[derive(Args)]
pub(super) struct TuneArguments {
    /// Game files made by `damero datagen`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Rust source file to write
    #[arg(long, value_name = "FILE", default_value = "src/eval/classical/weights.rs")]
    out: PathBuf,
    /// Maximum number of epochs
    #[arg(long, default_value_t = TuneSettings::default().epochs)]
    epochs: u32,
    /// Learning rate, in centipawns per step
    #[arg(long, default_value_t = TuneSettings::default().rate)]
    rate: f64,
    /// Share of the game result in the training target; the rest is the search score
    #[arg(long, default_value_t = TuneSettings::default().result_share)]
    result_share: f64,
    /// Strength of the L2 regularisation towards the initial weights
    #[arg(long, default_value_t = TuneSettings::default().hold)]
    hold: f64,
    /// Multiply the middle-game weights by this factor after fitting
    #[arg(long, default_value_t = TuneSettings::default().stretch)]
    stretch: f64,
    /// Random seed for the order of the positions
    #[arg(long, default_value_t = TuneSettings::default().seed)]
    seed: u64,
}

pub(super) fn run(arguments: &TuneArguments, stop: &'static AtomicBool) -> Result<String, Failure> {
    if !(0.0..=1.0).contains(&arguments.result_share) {
        return Err(Failure::Input("--result-share must be from 0 to 1".to_owned()));
    }
    if !(arguments.rate > 0.0 && arguments.rate.is_finite()) {
        return Err(Failure::Input("--rate must be above 0".to_owned()));
    }
    if !(arguments.hold >= 0.0 && arguments.hold.is_finite()) {
        return Err(Failure::Input("--hold must be 0 or more".to_owned()));
    }
    if !(arguments.stretch > 0.0 && arguments.stretch <= 2.0) {
        return Err(Failure::Input("--stretch must be above 0 and at most 2".to_owned()));
    }
    refuse_input(&arguments.out, &arguments.data)?;
    let mut data = Dataset::default();
    for path in &arguments.data {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        for game in GameReader::open(path).map_err(failed)? {
            data.add(&game.map_err(failed)?, Filter::default());
        }
    }
    let (training, validation) = data.positions();
    if training == 0 || validation == 0 {
        return Err(Failure::Input(
            "too few positions: the training or the validation set is empty".to_owned(),
        ));
    }
    let settings = TuneSettings {
        epochs: arguments.epochs,
        rate: arguments.rate,
        result_share: arguments.result_share,
        hold: arguments.hold,
        stretch: arguments.stretch,
        seed: arguments.seed,
        ..TuneSettings::default()
    };
    let mut tuner = Tuner::new(&data, settings);
    let before = tuner.errors();
    let progress = Progress::new(u64::from(arguments.epochs), "epochs");
    tuner.run(|_, training, validation| {
        progress.advance(1, &format!("error {training:.6}, held out {validation:.6}"));
        !stop.load(Relaxed)
    });
    progress.finish();
    let after = tuner.errors();
    write_atomic(&arguments.out, weights_source(&tuner.weights()).as_bytes())
        .map_err(|error| Failure::Input(format!("{}: {error}", arguments.out.display())))?;
    Ok(format!(
        "{} games, {training} training positions, {validation} held out; sigmoid scale {:.4}\n\
         error {:.6} -> {:.6}, held out {:.6} -> {:.6}\nwrote {}",
        data.games(),
        tuner.sigmoid_scale(),
        before.0,
        after.0,
        before.1,
        after.1,
        arguments.out.display()
    ))
}
