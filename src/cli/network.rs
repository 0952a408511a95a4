//! `damero network`: shows, exports and tests networks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::files::{refuse_existing, write_atomic};
use super::{Failure, cannot_write};
use crate::eval::{EvalKind, Network, NetworkError};

/// Commands of `damero network`
#[derive(Subcommand)]
pub(super) enum NetworkCommand {
    /// Show what a network consists of and where it comes from
    Info(FileArgument),
    /// Write the network of this program to a file
    Export {
        /// File to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
    /// Check that the engine computes a network exactly, and measure how fast
    Test {
        #[command(flatten)]
        file: FileArgument,
        /// Number of random games to test on
        #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        games: u64,
    },
}

/// A network file
#[derive(Args)]
pub(super) struct FileArgument {
    /// Network file [default: the network of this program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

impl FileArgument {
    fn read(&self) -> Result<Arc<Network>, Failure> {
        self.file.as_deref().map_or_else(|| Ok(Network::embedded()), read)
    }
}

/// The static evaluation of a command that plays games
#[derive(Args)]
pub(super) struct EvalArguments {
    /// Use the network in this file [default: the network of this program]
    #[arg(long, value_name = "FILE", conflicts_with = "classical")]
    network: Option<PathBuf>,
    /// Use the classical evaluation
    #[arg(long)]
    classical: bool,
}

impl EvalArguments {
    /// Returns the evaluation that the arguments choose.
    pub(super) fn read(&self) -> Result<EvalKind, Failure> {
        Ok(match &self.network {
            Some(path) => EvalKind::Network(read(path)?),
            None if self.classical => EvalKind::Classical,
            None => EvalKind::Network(Network::embedded()),
        })
    }
}

/// Reads a network file.
pub(super) fn read(path: &Path) -> Result<Arc<Network>, Failure> {
    let network = std::fs::File::open(path).map_err(NetworkError::from).and_then(Network::read);
    match network {
        Ok(network) => Ok(Arc::new(network)),
        Err(error) => {
            Err(Failure::Input(format!("cannot use network {}: {error}", path.display())))
        }
    }
}

pub(super) fn run(command: &NetworkCommand) -> Result<String, Failure> {
    match command {
        NetworkCommand::Info(file) => Ok(info(&*file.read()?)),
        NetworkCommand::Export { out, force } => {
            refuse_existing(out, *force)?;
            write_atomic(out, &Network::embedded().to_bytes())
                .map_err(|error| cannot_write(out, &error))?;
            Ok(format!("wrote {}", out.display()))
        }
        NetworkCommand::Test { file, games } => test(&*file.read()?, *games),
    }
}

fn info(network: &Network) -> String {
    let wdl = network.wdl_model();
    format!(
        "checksum: {:08x}\n\
         description: {}\n\
         architecture: 2 x 768 inputs mirrored by the own king, 2 x {} units SCReLU, 8 outputs by \
         the number of men\n\
         size: {} bytes\n\
         scale: {} centipawns\n\
         win, draw and loss: 50 % wins at {:.1} centipawns, spread {:.1}\n\
         largest weights: {} of the inputs (255 is 1.0), {} of the outputs (64 is 1.0)",
        network.checksum(),
        network.description(),
        network.units(),
        network.to_bytes().len(),
        network.scale(),
        wdl.even,
        wdl.spread,
        network.largest_weights()[0],
        network.largest_weights()[1],
    )
}

fn test(network: &Network, games: u64) -> Result<String, Failure> {
    let test = network.self_test(games);
    if test.mismatches > 0 {
        return Err(Failure::Input(format!(
            "{} of {} positions differ from the evaluation from scratch",
            test.mismatches, test.positions
        )));
    }
    let nanoseconds =
        |time: std::time::Duration| time.as_nanos() as f64 / test.positions.max(1) as f64;
    Ok(format!(
        "{network}\n\
         {} positions of {games} random games: updated evaluations equal those from scratch\n\
         {:.0} ns with updates (two plies on average), {:.0} ns from scratch; largest score {} cp",
        test.positions,
        nanoseconds(test.updated),
        nanoseconds(test.from_scratch),
        test.largest
    ))
}
