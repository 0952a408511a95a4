//! `damero rescore`: the same games with new scores.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;

use super::datagen::{HASH, engine_version};
use super::files::refuse_input;
use super::network::EvalArguments;
use super::{Failure, Progress};
use crate::search::TableTooLarge;
use crate::training::{GameReader, GameWriter, Header, ScoredGame, SelfPlay, SelfPlayLimits};

/// Arguments of `damero rescore`
#[derive(Args)]
pub(super) struct RescoreArguments {
    /// Game file made by `damero datagen`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Soft node limit per position, checked between iterations
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    evaluation: EvalArguments,
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Resume an existing output file
    #[arg(long)]
    resume: bool,
}

/// Games that are rescored before any is written, per thread. They are written in the order of the
/// input, so that a run can be resumed.
const GAMES_AT_ONCE: usize = 64;

pub(super) fn run(
    arguments: &RescoreArguments,
    stop: &'static AtomicBool,
) -> Result<String, Failure> {
    let (input, out) = (&arguments.file, &arguments.out);
    refuse_input(out, [input])?;
    let evaluation = arguments.evaluation.read()?;
    let bad_input = |error| Failure::Input(format!("{}: {error}", input.display()));
    let failed = |error| Failure::Input(format!("{}: {error}", out.display()));
    let total = GameReader::open(input).and_then(GameReader::measure).map_err(bad_input)?;
    let engine = format!("{} rescoring {}", engine_version(&evaluation), total.header.engine);
    let header = Header { seed: total.header.seed, nodes: arguments.nodes, engine };
    let (mut writer, done) = if arguments.resume {
        let (writer, contents) = GameWriter::append(out).map_err(failed)?;
        if contents.header != header {
            return Err(Failure::Input(format!(
                "cannot resume {}: it was made from other games or with other options",
                out.display()
            )));
        }
        (writer, contents.games)
    } else {
        (GameWriter::create(out, &header).map_err(failed)?, 0)
    };
    let threads = usize::from(arguments.threads);
    let limits = SelfPlayLimits { nodes: arguments.nodes };
    let mut players = (0..threads)
        .map(|_| SelfPlay::new(limits, HASH, evaluation.clone()))
        .collect::<Result<Vec<_>, TableTooLarge>>()
        .map_err(Failure::input)?;
    let progress = Progress::new(total.games.saturating_sub(done), "games");
    let mut games = GameReader::open(input).map_err(bad_input)?.skip(done as usize);
    let (mut rescored, mut positions) = (0, 0);
    while !stop.load(Relaxed) {
        let batch = games.by_ref().take(GAMES_AT_ONCE * threads);
        let batch = batch.collect::<Result<Vec<_>, _>>().map_err(bad_input)?;
        if batch.is_empty() {
            break;
        }
        // After a stop, only the games before the first unfinished one are written.
        for game in rescore_all(&batch, &mut players, stop).into_iter().map_while(|game| game) {
            positions += game.plies.len();
            rescored += 1;
            writer.write(&game).map_err(failed)?;
            let rate = positions as f64 / progress.seconds().max(1e-3);
            progress.advance(1, &format!("{rate:.0} positions/s"));
        }
    }
    progress.finish();
    writer.flush().map_err(failed)?;
    Ok(format!("{}: {} games, {positions} new scores", out.display(), done + rescored))
}

/// Rescores `games`, each on one of `players`; `None` stands for a game that was not finished.
fn rescore_all(
    games: &[ScoredGame],
    players: &mut [SelfPlay],
    stop: &AtomicBool,
) -> Vec<Option<ScoredGame>> {
    let results: Vec<Mutex<Option<ScoredGame>>> = games.iter().map(|_| Mutex::default()).collect();
    let (results_of, next) = (&results, &AtomicUsize::new(0));
    thread::scope(|scope| {
        for player in players {
            let work = move || {
                loop {
                    let index = next.fetch_add(1, Relaxed);
                    let Some(game) = games.get(index) else { break };
                    let rescored = player.rescore(game, stop);
                    *results_of[index].lock().unwrap_or_else(PoisonError::into_inner) = rescored;
                }
            };
            // If a thread cannot be started, the others take its share.
            let thread = thread::Builder::new().stack_size(crate::search::STACK);
            let _ = thread.spawn_scoped(scope, work);
        }
    });
    results
        .into_iter()
        .map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}
