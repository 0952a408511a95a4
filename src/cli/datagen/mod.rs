//! `damero datagen`: plays self-play games and stores them for training.

mod import;
mod stats;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use clap::{Args, Subcommand};

use super::args::EndgameArguments;
use super::network::EvalArguments;
use super::{Failure, Progress};
use crate::eval::EvalKind;
use crate::tablebase::Tables;
use crate::training::{GameWriter, Header, SelfPlay, SelfPlayLimits};

/// Arguments of `damero datagen`
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct DatagenArguments {
    #[command(subcommand)]
    command: Option<DatagenCommand>,
    /// Number of games
    #[arg(long, value_name = "N", required_unless_present = "stats", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Soft node limit per move, checked between iterations
    #[arg(long, value_name = "K", default_value_t = 250, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of threads, each playing its own games
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Random seed; the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Output file
    #[arg(long, value_name = "FILE", required_unless_present = "stats")]
    out: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvalArguments,
    #[command(flatten)]
    endgames: EndgameArguments,
    /// Resume an existing file, playing only the missing games
    #[arg(long)]
    resume: bool,
    /// Play no games, but show what is in these files
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "out", "resume"])]
    stats: Vec<PathBuf>,
}

/// Other ways to get data
#[derive(Subcommand)]
enum DatagenCommand {
    /// Turn games or positions with scores from other programs into a data file
    #[command(after_help = "Example: damero datagen import games.pgn --out games.dg")]
    Import(import::ImportArguments),
}

/// Hash table size per thread, in MiB: enough for a game at a few thousand nodes per move.
pub(super) const HASH: usize = 2;

/// State shared by the threads.
struct DatagenRun<'a> {
    arguments: &'a DatagenArguments,
    games: u64,
    evaluation: EvalKind,
    tables: Option<Arc<Tables>>,
    first: u64,
    next: AtomicU64,
    plies: AtomicU64,
    writer: Mutex<GameWriter>,
    failure: Mutex<Option<Failure>>,
    stop: &'a AtomicBool,
    progress: &'a Progress,
}

impl DatagenRun<'_> {
    /// Plays games until all are played or `stop` is set.
    fn work(&self) -> Result<(), Failure> {
        let limits = SelfPlayLimits { nodes: self.arguments.nodes };
        let player = SelfPlay::new(limits, HASH, self.evaluation.clone());
        let mut player = player.map_err(Failure::input)?.with_tables(self.tables.clone());
        loop {
            let index = self.next.fetch_add(1, Relaxed);
            if index >= self.games {
                return Ok(());
            }
            let Some(game) = player.play(seed_of(self.arguments.seed, index), self.stop) else {
                return Ok(());
            };
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            writer.write(&game).map_err(Failure::input)?;
            drop(writer);
            let plies = self.plies.fetch_add(game.plies.len() as u64, Relaxed);
            let rate = plies as f64 / self.progress.seconds().max(1e-3);
            self.progress.advance(1, &format!("{rate:.0} positions/s"));
        }
    }

    fn run(&self) {
        if let Err(failure) = self.work() {
            self.stop.store(true, Relaxed);
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
    }
}

/// Returns the engine's version, with the commit if `DAMERO_COMMIT` was set at build time, and the
/// evaluation.
pub(super) fn engine_version(evaluation: &EvalKind) -> String {
    let commit = option_env!("DAMERO_COMMIT").map(|commit| format!(" {commit}"));
    let evaluation = match evaluation {
        EvalKind::Network(network) => format!("network {:08x}", network.checksum()),
        EvalKind::Classical => "classical".to_owned(),
    };
    format!("{}{} {evaluation}", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default())
}

/// Returns the seed of game `index`, so that a game does not depend on the thread that plays it.
fn seed_of(seed: u64, index: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

pub(super) fn run(
    arguments: &DatagenArguments,
    stop: &'static AtomicBool,
) -> Result<String, Failure> {
    if let Some(DatagenCommand::Import(arguments)) = &arguments.command {
        return import::run(arguments);
    }
    if !arguments.stats.is_empty() {
        return stats::stats(&arguments.stats, stop);
    }
    // Required unless one of the above is given.
    let (Some(games), Some(path)) = (arguments.games, &arguments.out) else {
        return Err(Failure::Input("--games and --out are missing".to_owned()));
    };
    let evaluation = arguments.evaluation.read()?;
    let tables = arguments.endgames.open()?;
    let engine = engine_version(&evaluation);
    let header = Header { seed: arguments.seed, nodes: arguments.nodes, engine };
    let name = path.display();
    if path.as_os_str() == "-" {
        return Err(Failure::Input("--out cannot be standard output; name a file".to_owned()));
    }
    if path.is_file() && !arguments.resume {
        return Err(Failure::Input(format!(
            "{name} exists; use --resume to continue it, or --out for another file"
        )));
    }
    let failed = |error| Failure::Input(format!("{name}: {error}"));
    let (writer, first) = if arguments.resume {
        let (writer, contents) = GameWriter::append(path).map_err(failed)?;
        if (contents.header.seed, contents.header.nodes) != (arguments.seed, arguments.nodes) {
            return Err(Failure::Input(format!(
                "cannot resume {name}: generated with --seed {} --nodes {}; use the same values",
                contents.header.seed, contents.header.nodes
            )));
        }
        if contents.header.engine != header.engine {
            return Err(Failure::Input(format!(
                "cannot resume {name}: generated by engine {}, not {}; choose another --out",
                contents.header.engine, header.engine
            )));
        }
        (writer, contents.games)
    } else {
        (GameWriter::create(path, &header).map_err(failed)?, 0)
    };
    let progress = Progress::new(games.saturating_sub(first), "games");
    let run = DatagenRun {
        arguments,
        games,
        evaluation,
        tables,
        first,
        next: AtomicU64::new(first),
        plies: AtomicU64::new(0),
        writer: Mutex::new(writer),
        failure: Mutex::new(None),
        stop,
        progress: &progress,
    };
    thread::scope(|scope| {
        for _ in 1..arguments.threads {
            // If a thread cannot be started, the others take its share.
            let _ = thread::Builder::new()
                .stack_size(crate::search::STACK)
                .spawn_scoped(scope, || run.run());
        }
        run.run();
    });
    // Read first: `finish` sets the position to the total.
    let played = progress.done();
    progress.finish();
    let mut writer = run.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    writer.flush().map_err(failed)?;
    if let Some(failure) = run.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    Ok(format!("{name}: {} games, {} new positions", run.first + played, run.plies.load(Relaxed)))
}
