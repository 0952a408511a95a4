//! `damero datagen --stats`: what is in data files, so that bad data is visible.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::cli::{Failure, Progress};
use crate::training::network::{PositionFilter, SourceStats, TrainingData};

/// Width of the longest bar of a histogram.
const BAR: f64 = 40.0;

/// Returns the statistics of `paths` as text.
pub(super) fn stats(paths: &[PathBuf], stop: &'static AtomicBool) -> Result<String, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let loading = Progress::new(paths.len() as u64, "files");
    let filter = PositionFilter::default();
    let data = TrainingData::load(paths, filter, 1, threads, stop, |files, positions| {
        loading.advance((files as u64).saturating_sub(loading.done()), &positions.to_string());
    })
    .map_err(Failure::input)?;
    loading.finish();
    let Some(data) = data else { return Ok("stopped while loading".to_owned()) };
    let mut text = String::new();
    let mut all = SourceStats { name: "all sources".to_owned(), ..SourceStats::default() };
    for (source, scale) in data.sources.iter().zip(&data.scales) {
        text += &source_text(source);
        let _ =
            writeln!(text, "  score scale: {scale:.1} (sigmoid of score / scale fits results)\n");
        all.add(source);
    }
    if data.sources.len() > 1 {
        text += &source_text(&all);
        text.push('\n');
    }
    text += &histogram("kept positions by number of men", &all.by_men, |index| {
        format!("{}-{}", 4 * index + 1, 4 * index + 4)
    });
    text +=
        &histogram(
            "kept positions by score of the side to move",
            &all.by_score,
            |index| match index {
                0 => "below -1000".to_owned(),
                21 => "1000 and more".to_owned(),
                _ => format!("{} to {}", index as i64 * 100 - 1_100, index as i64 * 100 - 1_001),
            },
        );
    let _ = write!(text, "duplicates: {}", percent(data.duplicates(1)));
    Ok(text)
}

fn source_text(stats: &SourceStats) -> String {
    let games = stats.games();
    let share = |count: u64, of: u64| percent(count as f64 / of.max(1) as f64);
    let [black, drawn, white] = stats.results.map(|count| share(count, games));
    let [early, check, noisy, large] = stats.filtered.map(|count| share(count, stats.plies));
    format!(
        "{}\n  games: {games} ({white} White, {drawn} drawn, {black} Black; {} Chess960)\n  \
         positions: {}, {:.1} a game; kept {} ({})\n  \
         left out: {early} too early, {check} in check, {noisy} noisy best move, {large} decided\n",
        stats.name,
        share(stats.chess960, games),
        stats.plies,
        stats.plies as f64 / games.max(1) as f64,
        stats.kept(),
        share(stats.kept(), stats.plies),
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn histogram(title: &str, counts: &[u64], label: impl Fn(usize) -> String) -> String {
    let most = counts.iter().copied().max().unwrap_or_default().max(1);
    let total = counts.iter().sum::<u64>().max(1);
    let mut text = format!("{title}\n");
    for (index, &count) in counts.iter().enumerate() {
        let bar = "#".repeat((BAR * count as f64 / most as f64).round() as usize);
        let share = percent(count as f64 / total as f64);
        let _ = writeln!(text, "  {:>14} {share:>7} {bar}", label(index));
    }
    text + "\n"
}
