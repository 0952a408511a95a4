//! `damero wdl`: fits the WDL model to self-play games.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::files::write_atomic;
use super::network::read;
use super::{Failure, cannot_write};
use crate::training::{Filter, GameReader, OutcomeCounts};

/// Arguments of `damero wdl`
#[derive(Args)]
pub(super) struct WdlArguments {
    /// Game files made by `damero datagen`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Store the fitted model in this network file, whose games the data must be
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

/// Of the games, one in this many is not fitted, but predicted.
const HELD_OUT: u64 = 10;

pub(super) fn run(arguments: &WdlArguments) -> Result<String, Failure> {
    let network = arguments.network.as_ref().map(|path| read(path)).transpose()?;
    let (mut counts, mut held_out) = (OutcomeCounts::default(), OutcomeCounts::default());
    let mut games = 0;
    for path in &arguments.data {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        for game in GameReader::open(path).map_err(failed)? {
            let to = if games % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut counts };
            to.add(&game.map_err(failed)?, Filter::default());
            games += 1;
        }
    }
    if counts.positions() == 0 {
        return Err(Failure::Input("no usable positions in the games".to_owned()));
    }
    let fitted = counts.fit();
    let mut text = format!(
        "{games} games, {} positions; cross entropy {:.4}\n",
        counts.positions(),
        counts.cross_entropy(fitted)
    );
    if held_out.positions() > 0 {
        let _ = writeln!(
            text,
            "held out: {} positions; cross entropy {:.4}",
            held_out.positions(),
            held_out.cross_entropy(fitted)
        );
    }
    let _ = write!(text, "WdlModel {{ even: {:.1}, spread: {:.1} }}", fitted.even, fitted.spread);
    if let (Some(path), Some(network)) = (&arguments.network, network) {
        let network = (*network).clone().with_wdl_model(fitted);
        write_atomic(path, &network.to_bytes()).map_err(|error| cannot_write(path, &error))?;
        let _ = write!(text, "\nwrote {}: {network}", path.display());
    }
    Ok(text)
}
