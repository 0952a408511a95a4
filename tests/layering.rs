//! Layering: a layer imports only from lower layers, and a file imports from its own layer only
//! files listed before it. Checks the `use` lines of the source.

use std::fs;
use std::path::{Path, PathBuf};

/// Layers from the bottom up, each with its modules. A module may use those before it.
const FLOORS: &[&[&str]] = &[
    &[
        "types/color",
        "types/square",
        "types/bitboard",
        "types/piece",
        "types/castling",
        "types/moves",
        "types/move_list",
        "types/score",
    ],
    &[
        "attacks/magic_numbers",
        "attacks/leapers",
        "attacks/rays",
        "attacks/sliders",
        "attacks/magic_search",
        "attacks/zobrist",
    ],
    &[
        "board",
        "board/attackers",
        "board/validate",
        "board/make",
        "board/fen",
        "board/movegen",
        "board/legality",
        "board/see",
        "board/game",
        "board/perft",
        "notation/uci_move",
        "notation/san",
        "notation/pgn",
        "notation/pgn_source",
        "notation/pgn_reader",
        "notation/pgn_writer",
    ],
    &[
        "eval/tapered",
        "eval/layout",
        "eval/weights",
        "eval/context",
        "eval",
        "eval/pieces",
        "eval/pawns",
        "eval/passed",
        "eval/minors",
        "eval/rooks",
        "eval/king",
        "eval/danger",
        "eval/threats",
        "eval/space",
        "eval/cache",
        "eval/kpk",
        "eval/endgame",
        "eval/outcome",
        "eval/explain",
        "eval/testing",
        // Like `eval`, evaluates positions for the search.
        "tablebase/flaw",
        "tablebase/wdl",
        "tablebase/material",
        "tablebase/source",
        "tablebase/reader",
        "tablebase/index",
        "tablebase/pairs",
        "tablebase/table",
        "tablebase/shelf",
        "tablebase/probe",
        "tablebase/root",
    ],
    &[
        "search/limits",
        "search/params",
        "search/time",
        "search/level",
        "search/report",
        "search/tt",
        "search/cycles",
        "search/correction",
        "search/history",
        "search/picker",
        "search/pruning",
        "search/kinds",
        "search/shared",
        "search/prober",
        "search/worker",
        "search/quiescence",
        "search/node",
        "search/cutoffs",
        "search/moves",
        "search/deepen",
        "search/pool",
    ],
    &[
        "engine",
        "bench",
        "book/polyglot_random",
        "book/polyglot_key",
        "book/polyglot",
        "book/builder",
        "book/openings",
        "book/player",
        "training/format",
        "training/file",
        "training/selfplay",
        "training/tuner",
        "training/outcomes",
        "analysis/evaluation",
        "analysis/judge",
        "analysis/tally",
        "analysis/study",
        "analysis/analyst",
        "analysis/annotate",
        "analysis/chart",
    ],
    &[
        "uci/options",
        "uci/command",
        "uci/format",
        "uci/own_book",
        "uci/run",
        "cli/files",
        "cli/progress",
        "cli/endgames",
        "cli/book",
        "cli/analyse_files",
        "cli/analyse_summary",
        "cli/analyse_desk",
        "cli/analyse_jobs",
        "cli/analyse",
        "cli/datagen",
        "cli/tune",
        "cli/wdl",
        "cli/pgn",
        "cli/play_board",
        "cli/play_match",
        "cli/play_text",
        "cli/play_words",
        "cli/play_session",
        "cli/play_saving",
        "cli/play_settings",
        "cli/play",
        "cli",
    ],
];

/// Returns the index of a module such as `board/fen`. A folder that is not listed itself has the
/// index of its last file.
fn place(module: &str) -> usize {
    let order = || FLOORS.iter().copied().flatten().enumerate();
    order()
        .find(|(_, name)| **name == module)
        .or_else(|| order().filter(|(_, name)| name.starts_with(&format!("{module}/"))).last())
        .unwrap_or_else(|| panic!("{module} has no floor: add it to FLOORS"))
        .0
}

fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|floor| {
            floor.iter().any(|name| name.split('/').next() == module.split('/').next())
        })
        .unwrap_or_else(|| panic!("{module} has no floor: add it to FLOORS"))
}

/// Returns the modules that a source file uses, as `folder/file` or `folder`.
fn uses(text: &str, folder: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines()
        .filter_map(|line| {
            let path = line.trim_start().trim_start_matches("pub ").strip_prefix("use ")?;
            let path = path.trim_end_matches([';', '{', ' ']);
            let parts: Vec<&str> = path.split("::").collect();
            match parts.as_slice() {
                ["crate", module, ..] => Some((*module).to_owned()),
                ["super", module, ..]
                    if module.chars().all(|c| c.is_ascii_lowercase() || c == '_') =>
                {
                    Some(format!("{folder}/{module}"))
                }
                _ => None,
            }
        })
        .collect()
}

#[test]
fn modules_import_only_lower_modules() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        let folder_name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if folder_name == "lib" || folder_name == "main" {
            continue;
        }
        // A folder of files, or a single file such as `engine.rs`.
        let files: Vec<PathBuf> = if path.is_dir() {
            fs::read_dir(&path).unwrap().map(|file| file.unwrap().path()).collect()
        } else {
            vec![path]
        };
        for file in files {
            let stem = file.file_stem().unwrap().to_str().unwrap();
            // A folder's `mod.rs` counts as the folder: it declares the files and imports from
            // lower layers.
            let module = match stem {
                stem if stem == "mod" || stem == folder_name => folder_name.clone(),
                _ => format!("{folder_name}/{stem}"),
            };
            for used in uses(&fs::read_to_string(&file).unwrap(), &folder_name) {
                let same_folder = used.split('/').next() == Some(folder_name.as_str());
                let allowed = if same_folder {
                    place(&used) < place(&module)
                } else {
                    floor(&used) < floor(&module)
                        || floor(&used) == floor(&module) && place(&used) < place(&module)
                };
                assert!(allowed, "{module} imports {used}, which is not below it");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "only {checked} imports were read; has the layout changed?");
}

#[test]
fn only_the_top_layer_prints() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for floor in [
        "types",
        "attacks",
        "board",
        "notation",
        "eval",
        "tablebase",
        "search",
        "book",
        "training",
        "analysis",
    ] {
        for file in fs::read_dir(source.join(floor)).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            for word in ["println!", "print!(", "stdin()", "stdout()", "stderr()"] {
                assert!(!text.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}
