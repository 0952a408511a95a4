//! A module imports only from lower layers, or from modules listed before it in its own layer. The
//! test reads every `crate::` and `super::` path in the source, in `use` lines and inline.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Layers from the bottom up; in each the modules, lowest first. A module may use those before it.
const LAYERS: &[&[&str]] = &[
    &[
        "types/color",
        "types/square",
        "types/bitboard",
        "types/piece",
        "types/random",
        "types/checksum",
        "types/zobrist",
        "types/castling",
        "types/moves",
        "types/move_list",
        "types/score",
        "types",
    ],
    &[
        "attacks/magic_numbers",
        "attacks/leapers",
        "attacks/rays",
        "attacks/sliders",
        "attacks/magic_search",
        "attacks",
    ],
    &[
        "board",
        "board/attackers",
        "board/validate",
        "board/setup",
        "board/make",
        "board/fen",
        "board/display",
        "board/movegen",
        "board/checks",
        "board/legality",
        "board/see",
        "board/game",
        "board/perft",
        "board/chess960",
        "notation/uci_move",
        "notation/san",
        "notation/epd",
        "notation/pgn",
        "notation/pgn/source",
        "notation/pgn/error",
        "notation/pgn/reader",
        "notation/pgn/writer",
        "notation",
    ],
    &[
        "eval/spans",
        "eval/wdl_model",
        "eval/endgame/kpk",
        "eval/endgame",
        "eval/endgame/scale",
        "eval/classical/tapered",
        "eval/classical/features",
        "eval/classical/weights",
        "eval/classical/context",
        "eval/classical",
        "eval/classical/terms/pawns",
        "eval/classical/terms/passed",
        "eval/classical/terms/mobility",
        "eval/classical/terms/minors",
        "eval/classical/terms/rooks",
        "eval/classical/terms/shelter",
        "eval/classical/terms/king_safety",
        "eval/classical/terms/threats",
        "eval/classical/terms/space",
        "eval/classical/terms",
        "eval/classical/pawn_cache",
        "eval/classical/trace",
        "eval/classical/testing",
        "eval/network/features",
        "eval/network/kernels",
        "eval/network/parameters",
        "eval/network/accumulator",
        "eval/network/self_test",
        "eval/network/trace",
        "eval/network/testing",
        "eval/network",
        "eval/evaluator",
        "eval",
        // Like `eval`, evaluates positions for the search.
        "tablebase/error",
        "tablebase/wdl",
        "tablebase/material",
        "tablebase/format/source",
        "tablebase/format/reader",
        "tablebase/format/encoding",
        "tablebase/format/pairs",
        "tablebase/format/table",
        "tablebase/format",
        "tablebase/table_set",
        "tablebase/probe",
        "tablebase/root",
        "tablebase",
    ],
    &[
        "search/limits",
        "search/params",
        "search/time",
        "search/level",
        "search/tt",
        "search/report",
        "search/upcoming_repetition",
        "search/prober",
        "search/ordering/correction",
        "search/ordering/history",
        "search/ordering/move_picker",
        "search/ordering",
        "search/tree/margins",
        "search/smp/control",
        "search/smp/root_move",
        "search/smp/shared",
        "search/smp/stack",
        "search/smp/key_history",
        "search/smp/worker",
        "search/tree/node",
        "search/tree/qsearch",
        "search/tree/node_pruning",
        "search/tree/move_loop",
        "search/tree",
        "search/smp/iterative_deepening",
        "search/smp/thread_pool",
        "search/smp",
        "search",
    ],
    &[
        "engine",
        "bench",
        "book/polyglot/random",
        "book/polyglot/key",
        "book/polyglot",
        "book/polyglot/builder",
        "book/openings",
        "book/player",
        "book",
        "training/format",
        "training/file",
        "training/import",
        "training/openings",
        "training/selfplay",
        "training/dataset",
        "training/tuner",
        "training/outcomes",
        "training/network/position",
        "training/network/model",
        "training/network/optimizer",
        "training/network/data",
        "training/network/checkpoint",
        "training/network/train",
        "training/network/plot",
        "training/network",
        "training",
        "analysis/evaluation",
        "analysis/judge",
        "analysis/player_stats",
        "analysis/review",
        "analysis/analyst",
        "analysis/annotate",
        "analysis/chart",
        "analysis",
    ],
    &[
        "uci/console",
        "uci/integer",
        "uci/options",
        "uci/command",
        "uci/format",
        "uci/own_book",
        "uci/limits",
        "uci/genfens",
        "uci/session",
        "uci",
        "cli/files",
        "cli/progress",
        "cli/args",
        "cli/book",
        "cli/analyse/resume",
        "cli/analyse/input",
        "cli/analyse/summary",
        "cli/analyse/writer",
        "cli/analyse/queue",
        "cli/analyse",
        "cli/network",
        "cli/datagen/import",
        "cli/datagen/stats",
        "cli/datagen",
        "cli/rescore",
        "cli/train",
        "cli/tune",
        "cli/wdl",
        "cli/pgn",
        "cli/play/board_view",
        "cli/play/clock",
        "cli/play/ending",
        "cli/play/players",
        "cli/play/game",
        "cli/play/pgn",
        "cli/play/text",
        "cli/play/commands",
        "cli/play/opponent",
        "cli/play/session",
        "cli/play/turns",
        "cli/play/settings",
        "cli/play/saving",
        "cli/play",
        "cli",
    ],
];

/// Modules without code.
const UNORDERED: &[&str] = &["guide"];

/// Returns the source files of the library by module, such as `board/fen`. A folder's `mod.rs` is
/// the folder.
fn modules() -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules = BTreeMap::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let module = name_of(path.strip_prefix(&source).unwrap());
                if module != "lib" && module != "main" {
                    modules.insert(module, fs::read_to_string(&path).unwrap());
                }
            }
        }
    }
    modules
}

fn name_of(file: &Path) -> String {
    let path = if file.file_stem().unwrap() == "mod" {
        file.parent().unwrap().to_owned()
    } else {
        file.with_extension("")
    };
    let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
    parts.join("/")
}

/// Returns the code of a file without its tests, comments and strings.
fn code_of(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut code = String::new();
    for line in text.lines() {
        let mut in_string = false;
        let mut previous = ' ';
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            let is_quote = c == '"' && previous != '\\' && previous != '\'';
            in_string ^= is_quote;
            if !in_string && c == '/' && chars.peek() == Some(&'/') {
                break;
            }
            if !in_string && !is_quote {
                code.push(c);
            }
            previous = if c == '\\' && previous == '\\' { ' ' } else { c };
        }
        code.push('\n');
    }
    code
}

/// Returns every path in `code` that begins with `crate::` or `super::`, with groups in braces
/// expanded: `crate::board::{Board, see::{self}}` gives three.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            // Not the middle of a longer path such as `super::super::x`, nor of a word.
            if !before.ends_with("::") && !before.ends_with(is_word) {
                expand(&mut code[at..].chars().peekable(), &[], &mut found);
            }
        }
    }
    found
}

fn expand(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    prefix: &[String],
    found: &mut Vec<Vec<String>>,
) {
    let mut path = prefix.to_vec();
    loop {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        if chars.next_if_eq(&'{').is_some() {
            loop {
                while chars.next_if(|&c| c.is_whitespace() || c == ',').is_some() {}
                if chars.peek().is_none() || chars.next_if_eq(&'}').is_some() {
                    return;
                }
                let before = found.len();
                expand(chars, &path, found);
                // Whatever cannot be read is skipped, so that the loop ends.
                if found.len() == before {
                    chars.next();
                }
            }
        }
        let mut word = String::new();
        while let Some(c) = chars.next_if(|&c| c.is_alphanumeric() || c == '_' || c == '*') {
            word.push(c);
        }
        if !word.is_empty() {
            path.push(word);
        }
        let colons = chars.next_if_eq(&':').is_some() && chars.next_if_eq(&':').is_some();
        if !colons {
            found.push(path);
            return;
        }
    }
}

/// Resolves a path in `module` to the module it names, or `None` for an item of a folder that
/// `module` is in.
fn resolve(path: &[String], module: &str, known: &BTreeMap<String, String>) -> Option<String> {
    let mut base: Vec<&str> = module.split('/').collect();
    let mut rest = path;
    if path[0] == "crate" {
        (base, rest) = (Vec::new(), &path[1..]);
    } else {
        while rest.first().is_some_and(|part| part == "super") {
            base.pop();
            rest = &rest[1..];
        }
    }
    for part in rest {
        base.push(part);
        if !known.contains_key(&base.join("/")) {
            base.pop();
            break;
        }
    }
    let resolved = base.join("/");
    let is_item_of_parent = module.starts_with(&format!("{resolved}/"));
    (!resolved.is_empty() && !is_item_of_parent).then_some(resolved)
}

fn place(module: &str) -> (usize, usize) {
    LAYERS
        .iter()
        .enumerate()
        .find_map(|(layer, names)| {
            names.iter().position(|name| *name == module).map(|index| (layer, index))
        })
        .unwrap_or_else(|| panic!("{module} has no layer: add it to LAYERS"))
}

#[test]
fn every_module_has_a_layer_and_every_listed_module_exists() {
    let known = modules();
    for name in LAYERS.iter().copied().flatten() {
        assert!(known.contains_key(*name), "{name} is listed but does not exist");
    }
    for module in known.keys().filter(|module| !UNORDERED.contains(&module.as_str())) {
        place(module);
    }
}

#[test]
fn modules_import_only_lower_modules() {
    let known = modules();
    let (mut checked, mut wrong) = (0, Vec::new());
    for (module, text) in &known {
        let own_folder = format!("{module}/");
        for path in paths(&code_of(text)) {
            let Some(used) = resolve(&path, module, &known) else { continue };
            // A folder's `mod.rs` may name what it declares, and a file its own path.
            if used == *module || used.starts_with(&own_folder) {
                continue;
            }
            if place(&used) >= place(module) {
                wrong.push(format!("{module} uses {}, which is not below it", path.join("::")));
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 300, "only {checked} paths were read; has the layout changed?");
}

#[test]
fn paths_are_read_in_use_lines_and_inline() {
    let code = code_of(
        "use crate::board::{Board, see::{self, x}};\n// crate::cli\nlet a = \"crate::uci\";\n\
         fn f() -> super::super::tt::Entry { crate::types::Score::cp(1) }\n",
    );
    let read: Vec<String> = paths(&code).iter().map(|path| path.join("::")).collect();
    for expected in [
        "crate::board::Board",
        "crate::board::see::self",
        "crate::board::see::x",
        "super::super::tt::Entry",
        "crate::types::Score::cp",
    ] {
        assert!(read.iter().any(|path| path == expected), "{expected} in {read:?}");
    }
    assert_eq!(read.len(), 5, "{read:?}");
}

#[test]
fn only_the_user_interfaces_read_and_print() {
    for (module, text) in modules() {
        if module == "uci"
            || module == "cli"
            || module.starts_with("uci/")
            || module.starts_with("cli/")
        {
            continue;
        }
        let code = code_of(&text);
        for word in ["print!(", "println!", "eprint!", "stdin()", "stdout()", "stderr()", "dbg!"] {
            assert!(!code.contains(word), "{module} uses {word}");
        }
    }
}
