//! `damero analyse`: studies the games of a PGN file.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::analyse_desk::{Charts, Desk, NameOf};
use super::analyse_files::{Input, Output, Survey, Written};
use super::analyse_jobs::Jobs;
use super::endgames::EndgameArguments;
use super::files::is_same_file;
use super::{Failure, Progress};
use crate::analysis::{Analyst, OpeningName};
use crate::board::Game;
use crate::book::Openings;
use crate::search::Limits;
use crate::tablebase::Tables;

/// What `damero analyse` is told.
#[derive(Args)]
pub(super) struct AnalyseArguments {
    /// The games, in PGN; - for standard input
    #[arg(value_name = "FILE.pgn")]
    input: PathBuf,
    /// The file to write; - for standard output. If left out: FILE-analysed.pgn beside the games,
    /// or standard output if they come from standard input
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Number of threads; if left out, one for each core. With --depth and --nodes the result is
    /// the same for any number
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Size of each thread's hash table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    hash: u64,
    #[command(flatten)]
    endgames: EndgameArguments,
    /// Draw the evaluation over the game into this file; of several games each gets its own, with
    /// its number in the name: FILE-1.svg, FILE-2.svg ...
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,
    /// Go on with an output that exists: the games in it are left as they are, and the missing ones
    /// are added
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// How long each position is looked at.
#[derive(Args)]
#[group(multiple = false)]
struct LimitArguments {
    /// Search every position so many plies deep
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Nodes for each position: a search ends with the iteration in which it passes them. This is
    /// the default, with 100000 nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
}

/// Nodes for each position unless somebody says otherwise: a game in some seconds.
const DEFAULT_NODES: u64 = 100_000;
/// No search goes beyond this many times the soft limit.
const HARD_FACTOR: u64 = 8;
/// How often it is looked whether Ctrl-C was pressed.
const WATCH: Duration = Duration::from_millis(20);

impl LimitArguments {
    fn limits(&self) -> Limits {
        let nodes = self.nodes.unwrap_or(DEFAULT_NODES);
        match (self.depth, self.time) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(time)) => Limits::move_time(Duration::from_millis(time)),
            _ => Limits {
                // An iteration that is not finished says little about the score.
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(HARD_FACTOR)),
                ..Limits::default()
            },
        }
    }

    /// Who writes the annotations, and how well it looked; a run that is resumed must say the same.
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

/// Studies the games. `name_of` gives the name of a game's opening, if it is known.
pub(super) fn run(
    arguments: &AnalyseArguments,
    name_of: NameOf<'_>,
    stop: &'static AtomicBool,
) -> Result<(), Failure> {
    let place = destination(arguments)?;
    let input = Input::new(&arguments.input)?;
    let tables = arguments.endgames.open()?;
    let annotator = arguments.limit.annotator(tables.as_deref());
    let written = match &place {
        Some(path) if arguments.resume => Written::find(path, &annotator)?,
        _ => Written::default(),
    };
    let survey = Survey::new(&input, &written, stop)?;
    let charts = arguments.chart.as_deref().map(|path| Charts::new(path, survey.read));
    if let Some(charts) = &charts {
        let games = [Some(&arguments.input), place.as_ref()];
        charts.refuse_files_of_games(survey.read, games.into_iter().flatten())?;
        if !arguments.force && written.games == 0 {
            charts.refuse_to_overwrite(survey.read)?;
        }
        charts.try_to_write()?;
    }
    let analysts = analysts(arguments, tables.as_ref())?;
    let output = Output::open(place.as_deref(), arguments.force, &written)?;
    let progress = Progress::new(survey.positions, "positions");
    let desk = Desk::new(output, charts, annotator, name_of);
    let jobs = Jobs::new(input.reader()?, written.games, desk, stop, &progress);
    work(&jobs, analysts, stop)?;
    progress.finish();
    let (desk, damaged) = jobs.finish()?;

    let done = desk.summary.games();
    let ending = Ending {
        place: place.as_deref(),
        before: written.games,
        done,
        damaged,
        missing: survey.good.saturating_sub(written.games + done),
    };
    let text = format!("{}{ending}", desk.summary);
    // Where the games go, nothing else may go.
    let told = match &place {
        Some(_) => io::stdout().write_all(text.as_bytes()),
        None => io::stderr().write_all(text.as_bytes()),
    };
    told.map_err(Failure::Io)?;
    if ending.damaged + ending.missing > 0 { Err(Failure::Said) } else { Ok(()) }
}

/// The name of a game's opening, as far as the book that is built in knows it.
pub(super) fn name_of(game: &Game) -> Option<OpeningName> {
    let opening = Openings::embedded().name(game)?;
    Some(OpeningName { eco: opening.eco.to_owned(), name: opening.name.to_owned() })
}

/// What is said at the end.
struct Ending<'a> {
    place: Option<&'a Path>,
    /// Games that an earlier run has written.
    before: u64,
    done: u64,
    damaged: u64,
    /// Games that were not reached.
    missing: u64,
}

impl fmt::Display for Ending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, done, damaged, missing, .. } = *self;
        let name = self.place.map_or("standard output".into(), Path::to_string_lossy);
        if before > 0 && done > 0 {
            // What the moves lost is not all in the file: the first position has no evaluation
            // there, and the engine's choice stands only beside bad moves.
            let earlier = count(before);
            writeln!(f, "The table is that of this run; {earlier} before it are not in it.")?;
        }
        write!(f, "{name}: {} analysed", count(done))?;
        if before > 0 {
            write!(f, ", {} before", count(before))?;
        }
        writeln!(f)?;
        if damaged > 0 {
            writeln!(f, "{} could not be read: left out", count(damaged))?;
        }
        if missing > 0 {
            let advice = if self.place.is_some() { "; go on with --resume" } else { "" };
            writeln!(f, "interrupted, {} left{advice}", count(missing))?;
        }
        Ok(())
    }
}

fn count(games: u64) -> String {
    format!("{games} {}", if games == 1 { "game" } else { "games" })
}
/// Where the games go: a file, or standard output.
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
            "{} holds the games to analyse; use --out for another file",
            path.display()
        )));
    }
    if arguments.chart.as_deref().is_some_and(is_pipe) {
        return Err(Failure::Input("--chart needs a file, such as chart.svg".to_owned()));
    }
    if place.is_none() && arguments.resume {
        return Err(Failure::Input(
            "--resume needs a file to go on with: name it with --out".to_owned(),
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

/// Lets every analyst work on a thread of its own, and stops them all when told to.
fn work(jobs: &Jobs<'_>, analysts: Vec<Analyst>, stop: &'static AtomicBool) -> Result<(), Failure> {
    let controls: Vec<_> = analysts.iter().map(Analyst::control).collect();
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for mut analyst in analysts {
            let worker = thread::Builder::new()
                .stack_size(crate::search::STACK)
                .spawn_scoped(scope, move || jobs.run(&mut analyst));
            // A thread that cannot be started leaves its share to the others.
            workers.extend(worker.ok());
        }
        if workers.is_empty() {
            return Err(Failure::Input("no thread can be started".to_owned()));
        }
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            if stop.load(Relaxed) {
                // Again and again: one of them may just have begun with the next position.
                for control in &controls {
                    control.stop();
                }
            }
            thread::sleep(WATCH);
        }
        Ok(())
    })
}
