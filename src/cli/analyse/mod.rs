//! `damero analyse`: annotates the games of a PGN file. Start at [`run`].

mod input;
mod queue;
mod resume;
mod summary;
mod writer;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use std::{fmt, thread};

use clap::Args;

use crate::analysis::{Analyst, OpeningName};
use crate::board::Game;
use crate::book::Openings;
use crate::cli::analyse::input::{Input, InputScan};
use crate::cli::analyse::queue::WorkQueue;
use crate::cli::analyse::resume::{Output, ResumeState};
use crate::cli::analyse::writer::{Charts, NameOf, ReportWriter};
use crate::cli::args::EndgameArguments;
use crate::cli::files::is_same_file;
use crate::cli::{Failure, Progress};
use crate::search::Limits;
use crate::tablebase::Tables;

/// Arguments of `damero analyse`
#[derive(Args)]
pub(crate) struct AnalyseArguments {
    /// PGN file to analyse; - for standard input
    #[arg(value_name = "FILE.pgn")]
    input: PathBuf,
    /// Output file; - for standard output [default: FILE-analysed.pgn beside the input, or - if the
    /// input is -]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Number of threads; with --depth or --nodes it does not affect the result [default: one per
    /// core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Size of each thread's hash table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    hash: u64,
    #[command(flatten)]
    endgames: EndgameArguments,
    /// Draw a chart of the evaluation; several games get FILE-1.svg, FILE-2.svg and so on
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,
    /// Resume an earlier run: keep the games already in the output and add the missing ones
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// Search limit for each position
#[derive(Args)]
#[group(multiple = false)]
struct LimitArguments {
    /// Search depth per position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Soft node limit per position, checked between iterations [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search time per position, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
}

/// Default soft node limit per position: a game takes a few seconds.
const DEFAULT_NODES: u64 = 100_000;
/// Hard node limit, as a multiple of the soft one.
const HARD_FACTOR: u64 = 8;
/// Polling interval for Ctrl-C.
const WATCH: Duration = Duration::from_millis(20);

impl LimitArguments {
    fn limits(&self) -> Limits {
        let nodes = self.nodes.unwrap_or(DEFAULT_NODES);
        match (self.depth, self.time) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(time)) => Limits::move_time(Duration::from_millis(time)),
            _ => Limits {
                // Soft, because the score of an unfinished iteration is unreliable.
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(HARD_FACTOR)),
                ..Limits::default()
            },
        }
    }

    /// Returns the engine's name with the limit and the tablebases, for the tag `Annotator`.
    /// `--resume` requires the same text.
    fn annotator(&self, tables: Option<&Tables>) -> String {
        let limit = match (self.depth, self.time) {
            (Some(depth), _) => format!("depth {depth}"),
            (_, Some(time)) => format!("{time} ms a move"),
            _ => format!("{} nodes a move", self.nodes.unwrap_or(DEFAULT_NODES)),
        };
        let tables =
            tables.map_or(String::new(), |tables| format!(", tables of {} men", tables.max_men()));
        format!("Damero {} ({limit}{tables})", env!("CARGO_PKG_VERSION"))
    }
}

/// Analyses the games. `name_of` looks up a game's opening.
pub(crate) fn run(
    arguments: &AnalyseArguments,
    name_of: NameOf<'_>,
    stop: &'static AtomicBool,
) -> Result<(), Failure> {
    let place = destination(arguments)?;
    let input = Input::new(&arguments.input)?;
    let tables = arguments.endgames.open()?;
    let annotator = arguments.limit.annotator(tables.as_deref());
    let written = match &place {
        Some(path) if arguments.resume => ResumeState::find(path, &annotator)?,
        _ => ResumeState::default(),
    };
    let scan = InputScan::new(&input, &written, stop)?;
    let charts = arguments.chart.as_deref().map(|path| Charts::new(path, scan.read));
    if let Some(charts) = &charts {
        let games = [Some(&arguments.input), place.as_ref()];
        charts.refuse_files_of_games(scan.read, games.into_iter().flatten())?;
        if !arguments.force && written.games == 0 {
            charts.refuse_to_overwrite(scan.read)?;
        }
        charts.try_to_write()?;
    }
    let analysts = analysts(arguments, tables.as_ref())?;
    let output = Output::open(place.as_deref(), arguments.force, &written)?;
    let progress = Progress::new(scan.positions, "positions");
    let writer = ReportWriter::new(output, charts, annotator, name_of);
    let jobs = WorkQueue::new(input.reader()?, written.games, writer, stop, &progress);
    work(&jobs, analysts, stop)?;
    progress.finish();
    let (writer, damaged) = jobs.finish()?;

    let done = writer.summary.games();
    let ending = Ending {
        place: place.as_deref(),
        before: written.games,
        done,
        damaged,
        missing: scan.good.saturating_sub(written.games + done),
    };
    let text = format!("{}{ending}", writer.summary);
    // Keep the summary out of the stream that carries the games.
    let told = match &place {
        Some(_) => io::stdout().write_all(text.as_bytes()),
        None => io::stderr().write_all(text.as_bytes()),
    };
    told.map_err(Failure::Io)?;
    if ending.damaged + ending.missing > 0 { Err(Failure::Reported) } else { Ok(()) }
}

/// Returns the ECO code and name of a game's opening, if the embedded book knows it.
pub(crate) fn name_of(game: &Game) -> Option<OpeningName> {
    let opening = Openings::embedded().name(game)?;
    Some(OpeningName { eco: opening.eco.to_owned(), name: opening.name.to_owned() })
}

/// Closing message.
struct Ending<'a> {
    place: Option<&'a Path>,
    /// Games written by an earlier run.
    before: u64,
    done: u64,
    damaged: u64,
    /// Readable games that were not reached.
    missing: u64,
}

impl fmt::Display for Ending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, done, damaged, missing, .. } = *self;
        let name = self.place.map_or("standard output".into(), Path::to_string_lossy);
        if before > 0 && done > 0 {
            // The losses of earlier games cannot all be read back: the file has no evaluation of
            // the first position, and gives the engine's choice only beside bad moves.
            let earlier = count(before);
            writeln!(f, "The table covers this run only, without {earlier} from earlier runs.")?;
        }
        write!(f, "{name}: {} analysed", count(done))?;
        if before > 0 {
            write!(f, ", {} in earlier runs", count(before))?;
        }
        writeln!(f)?;
        if damaged > 0 {
            writeln!(f, "skipped {} with errors", count(damaged))?;
        }
        if missing > 0 {
            let advice = if self.place.is_some() { "; continue with --resume" } else { "" };
            writeln!(f, "interrupted: {} remaining{advice}", count(missing))?;
        }
        Ok(())
    }
}

fn count(games: u64) -> String {
    format!("{games} {}", if games == 1 { "game" } else { "games" })
}
/// Returns the output file, or `None` for standard output; checks the paths.
fn destination(arguments: &AnalyseArguments) -> Result<Option<PathBuf>, Failure> {
    let is_pipe = |path: &Path| path == Path::new("-");
    let place = match &arguments.out {
        Some(path) => Some(path.clone()),
        None if is_pipe(&arguments.input) => None,
        None => {
            let mut name = arguments.input.file_stem().unwrap_or(OsStr::new("games")).to_owned();
            name.push("-analysed.pgn");
            Some(arguments.input.with_file_name(name))
        }
    };
    let place = place.filter(|path| !is_pipe(path));
    if let Some(path) = place.as_ref().filter(|path| is_same_file(path, &arguments.input)) {
        return Err(Failure::Input(format!(
            "{} is the input file; choose another output with --out",
            path.display()
        )));
    }
    if arguments.chart.as_deref().is_some_and(is_pipe) {
        return Err(Failure::Input(
            "--chart cannot be standard output; name a file, such as chart.svg".to_owned(),
        ));
    }
    if place.is_none() && arguments.resume {
        return Err(Failure::Input(
            "--resume needs an output file; choose one with --out".to_owned(),
        ));
    }
    Ok(place)
}

fn analysts(
    arguments: &AnalyseArguments,
    tables: Option<&Arc<Tables>>,
) -> Result<Vec<Analyst>, Failure> {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let limits = arguments.limit.limits();
    let failed = |error| {
        Failure::Input(format!("{error} for each of {threads} threads; lower --hash or --threads"))
    };
    let hash = usize::try_from(arguments.hash).unwrap_or(usize::MAX);
    let analyst = |_| {
        let analyst = Analyst::new(limits.clone(), hash).map_err(failed)?;
        Ok(analyst.with_tables(tables.cloned()))
    };
    (0..threads).map(analyst).collect()
}

/// Runs each analyst on its own thread and stops them all once `stop` is set.
fn work(
    jobs: &WorkQueue<'_>,
    analysts: Vec<Analyst>,
    stop: &'static AtomicBool,
) -> Result<(), Failure> {
    let controls: Vec<_> = analysts.iter().map(Analyst::control).collect();
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for mut analyst in analysts {
            let worker = thread::Builder::new()
                .stack_size(crate::search::STACK)
                .spawn_scoped(scope, move || jobs.run(&mut analyst));
            // If a thread cannot be started, the others take its share.
            workers.extend(worker.ok());
        }
        if workers.is_empty() {
            return Err(Failure::Input("cannot start any analysis thread".to_owned()));
        }
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            if stop.load(Relaxed) {
                // Repeated at every poll: an analyst may have just started its next position.
                for control in &controls {
                    control.stop();
                }
            }
            thread::sleep(WATCH);
        }
        Ok(())
    })
}
