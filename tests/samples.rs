//! Console samples of the README and the guide: each must print what the page shows. Files and
//! functions that the guide names must exist.
//!
//! A block with the language `console` holds commands after `$ ` and their output. A line `...`
//! stands for any lines, `...` at the end of a line for the rest of it; times and speeds are not
//! compared. `UPDATE_SAMPLES=1 cargo test --test samples` rewrites the output, keeping these gaps
//! where they still fit.

#![cfg(all(unix, feature = "cli"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("src/guide")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages
}

/// Runs a command line in a shell that finds this build of the program.
fn run(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_damero"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let output = Command::new("sh").args(["-c", command]).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Masks what differs from run to run: times and speeds.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for index in 1..words.len() {
        let is_number = words[index].starts_with(|c: char| c.is_ascii_digit());
        let before = words[index - 1];
        let after = words.get(index + 1).copied().unwrap_or_default();
        if is_number && (matches!(before, "nps" | "time" | "Time:" | "second:") || after == "nps") {
            words[index] = "N";
        }
    }
    words.join(" ").trim_end().to_owned()
}

/// Returns whether `shown`, with its gaps, describes the lines of `output`.
fn describes(shown: &[&str], output: &[&str]) -> bool {
    let Some((&first, rest)) = shown.split_first() else { return output.is_empty() };
    if first == "..." {
        return (0..=output.len()).any(|skipped| describes(rest, &output[skipped..]));
    }
    let Some((&line, others)) = output.split_first() else { return false };
    let is_same = match first.strip_suffix("...") {
        Some(start) => masked(line).starts_with(masked(start).trim_end()),
        None => masked(line) == masked(first),
    };
    is_same && describes(rest, others)
}

/// A command and the lines that the page shows for it.
struct Sample {
    command: String,
    /// The range of the shown lines in the page.
    lines: std::ops::Range<usize>,
}

fn samples(page: &[&str]) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    let mut is_inside = false;
    for (index, line) in page.iter().enumerate() {
        if line.starts_with("```") {
            is_inside = *line == "```console";
        } else if is_inside && let Some(command) = line.strip_prefix("$ ") {
            samples.push(Sample { command: command.to_owned(), lines: index + 1..index + 1 });
        } else if is_inside && let Some(sample) = samples.last_mut() {
            sample.lines.end = index + 1;
        }
    }
    samples
}

#[test]
fn console_samples_are_what_the_program_prints() {
    let update = std::env::var_os("UPDATE_SAMPLES").is_some();
    let mut checked = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let mut page: Vec<&str> = text.lines().collect();
        let samples = samples(&page);
        let outputs: Vec<String> = samples.iter().map(|sample| run(&sample.command)).collect();
        // From the last to the first, so that the line numbers stay true.
        for (sample, output) in samples.iter().zip(&outputs).rev() {
            checked += 1;
            let output: Vec<&str> = output.lines().collect();
            let shown = &page[sample.lines.clone()];
            if describes(shown, &output) {
                continue;
            }
            assert!(
                update,
                "{}: `{}` prints\n{}\nbut the page shows\n{}\n(UPDATE_SAMPLES=1 rewrites it)",
                path.display(),
                sample.command,
                output.join("\n"),
                shown.join("\n")
            );
            page.splice(sample.lines.clone(), updated(shown, &output));
        }
        if update {
            fs::write(&path, page.join("\n") + "\n").unwrap();
        }
    }
    assert!(checked >= 2, "only {checked} samples were found");
}

/// Returns the new output with the gap at its beginning kept: as many lines as were shown after it.
fn updated<'a>(shown: &[&'a str], output: &[&'a str]) -> Vec<&'a str> {
    if shown.first() != Some(&"...") {
        return output.to_vec();
    }
    let tail = (shown.len() - 1).min(output.len());
    [&["..."], &output[output.len() - tail..]].concat()
}

#[test]
fn gaps_and_times_are_not_compared() {
    let output = ["first 1", "info depth 3 nps 12345 pv e2e4 e7e5", "Time: 0.5 s", "last"];
    for (shown, matches) in [
        (&["...", "last"][..], true),
        (&["first 1", "info depth 3 nps 7 pv e2e4 ...", "...", "last"], true),
        (&["first 1", "...", "Time: 9.1 s", "last"], true),
        (&["...", "lost"], false),
        (&["first 2", "..."], false),
        (&["first 1"], false),
    ] {
        assert_eq!(describes(shown, &output), matches, "{shown:?}");
    }
}

/// Returns all files below `folder`, relative to the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut folders) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

/// Every source file in code spans must exist, and the names in a table cell that begins with files
/// must occur in one of these.
#[test]
fn files_and_names_in_the_guide_exist() {
    let all = [files("src"), files("tests"), files("benches")].concat();
    let find =
        |name: &str| -> Vec<&PathBuf> { all.iter().filter(|path| path.ends_with(name)).collect() };
    let (mut named, mut checked) = (0, 0);
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for cell in text.lines().flat_map(|line| line.split('|')) {
            let spans: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
            let is_source = |span: &&str| {
                [".rs", ".py", ".epd"].iter().any(|end| span.ends_with(end)) && !span.contains(' ')
            };
            let (sources, names): (Vec<&str>, Vec<&str>) = spans.iter().partition(|s| is_source(s));
            let mut code = String::new();
            for source in &sources {
                let paths = find(source);
                assert!(!paths.is_empty() || *source == "build.rs", "{}: {source}", page.display());
                code.extend(paths.into_iter().map(|path| fs::read_to_string(path).unwrap()));
                named += 1;
            }
            if !cell.trim_start().starts_with('`') || !cell.contains("rs`:") {
                continue;
            }
            for name in names {
                let name = name.rsplit("::").next().unwrap();
                assert!(code.contains(name), "{}: {name} is not in {sources:?}", page.display());
                checked += 1;
            }
        }
    }
    assert!(named > 100 && checked > 60, "only {named} files and {checked} names were found");
}
