//! `damero wdl`: fits the WDL model to self-play games.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::training::{Filter, GameReader, OutcomeCounts};

/// Arguments of `damero wdl`
#[derive(Args)]
pub(super) struct WdlArguments {
    /// Game files made by `damero datagen`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
}

pub(super) fn run(arguments: &WdlArguments) -> Result<String, Failure> {
    let mut counts = OutcomeCounts::default();
    let mut games = 0;
    for path in &arguments.data {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        for game in GameReader::open(path).map_err(failed)? {
            counts.add(&game.map_err(failed)?, Filter::default());
            games += 1;
        }
    }
    if counts.positions() == 0 {
        return Err(Failure::Input("no usable positions in the games".to_owned()));
    }
    let fitted = counts.fit();
    Ok(format!(
        "{games} games, {} positions; cross entropy {:.4}\n\
         WdlModel {{ even: {:.1}, spread: {:.1} }}",
        counts.positions(),
        counts.cross_entropy(fitted),
        fitted.even,
        fitted.spread
    ))
}
