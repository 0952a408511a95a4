//! UCI options. [`OPTIONS`] declares each with its kind, default and range; [`Change::parse`] reads
//! `setoption`.

use std::fmt::Write;

use thiserror::Error;

use super::integer::parse_integer;
use crate::book::BookPlayer;
use crate::search::Level;

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Size of the transposition table in MiB.
    Hash,
    /// Number of search threads.
    Threads,
    /// Button that clears the transposition table and the threads' histories.
    ClearHash,
    /// Whether the GUI may ponder; the engine ignores the value.
    Ponder,
    /// Number of principal variations to report.
    MultiPv,
    /// Time reserved per move for communication with the GUI, in ms.
    MoveOverhead,
    /// Whether castling is written as king takes rook.
    Chess960,
    /// Whether the user is analysing; disables the book.
    AnalyseMode,
    /// Whether scores include the chances to win, draw and lose.
    ShowWdl,
    /// Whether to play at the rating of `UCI_Elo`.
    LimitStrength,
    /// The rating to play at.
    Elo,
    /// Skill level, for GUIs that do not support `UCI_Elo`.
    Skill,
    /// Whether to play openings from a book.
    OwnBook,
    /// Polyglot book file; empty for the embedded openings.
    BookFile,
    /// Last move number at which the book is used.
    BookDepth,
    /// Whether to always play the book move with the greatest weight.
    BestBookMove,
    /// Seed of the book's choices; 0 for a new one in each game.
    BookSeed,
    /// File to which all lines in and out are appended; empty for none.
    DebugLogFile,
    /// What the engine is; it cannot be changed.
    EngineAbout,
    /// The opponent's title, rating, kind and name; the engine ignores them.
    Opponent,
    /// Which static evaluation to use: an index into [`EVALUATIONS`].
    Evaluation,
    /// Network file; empty for the embedded network.
    EvalFile,
    /// Folders of the Syzygy tablebases.
    SyzygyPath,
    /// Minimum remaining depth for probing positions with the maximum number of pieces.
    SyzygyProbeDepth,
    /// Whether the fifty-move rule applies to tablebase results.
    Syzygy50MoveRule,
    /// Maximum number of pieces in a probed position; 0 disables probing.
    SyzygyProbeLimit,
    /// The search parameter of this name.
    #[cfg(feature = "tuning")]
    Parameter(&'static str),
}

/// The kind of value that an option takes.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Button,
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// Any text; an empty value or `<empty>` clears it. Quotation marks around it are removed.
    Text,
    /// A text that cannot be changed.
    Fixed(&'static str),
    /// One of these words, of which the first is the default.
    Combo(&'static [&'static str]),
}

/// The declaration of an option.
#[derive(Clone, Copy)]
struct Declared {
    name: &'static str,
    setting: Setting,
    kind: Kind,
}

/// Default size of the transposition table in MiB.
pub(super) const DEFAULT_HASH: usize = 16;

/// The value of `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "Damero ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine in Rust, free software under the MIT licence"
);

/// The values of `Evaluation`.
pub(super) const EVALUATIONS: &[&str] = &["network", "classical"];
/// The index of `classical` in [`EVALUATIONS`].
pub(super) const CLASSICAL: i64 = 1;

const DEFAULT_ELO: u32 = 1500;

const OPTIONS: &[Declared] = &[
    Declared {
        name: "Hash",
        setting: Setting::Hash,
        kind: Kind::Spin { default: DEFAULT_HASH as i64, min: 1, max: 1 << 20 },
    },
    Declared {
        name: "Threads",
        setting: Setting::Threads,
        kind: Kind::Spin { default: 1, min: 1, max: 256 },
    },
    Declared { name: "Clear Hash", setting: Setting::ClearHash, kind: Kind::Button },
    Declared { name: "Ponder", setting: Setting::Ponder, kind: Kind::Check { default: false } },
    Declared {
        name: "MultiPV",
        setting: Setting::MultiPv,
        kind: Kind::Spin { default: 1, min: 1, max: 256 },
    },
    Declared {
        name: "Move Overhead",
        setting: Setting::MoveOverhead,
        kind: Kind::Spin { default: 10, min: 0, max: 10_000 },
    },
    Declared {
        name: "UCI_Chess960",
        setting: Setting::Chess960,
        kind: Kind::Check { default: false },
    },
    Declared {
        name: "UCI_AnalyseMode",
        setting: Setting::AnalyseMode,
        kind: Kind::Check { default: false },
    },
    Declared {
        name: "UCI_ShowWDL",
        setting: Setting::ShowWdl,
        kind: Kind::Check { default: false },
    },
    Declared {
        name: "UCI_LimitStrength",
        setting: Setting::LimitStrength,
        kind: Kind::Check { default: false },
    },
    Declared {
        name: "UCI_Elo",
        setting: Setting::Elo,
        kind: Kind::Spin {
            default: DEFAULT_ELO as i64,
            min: Level::LOWEST as i64,
            max: Level::HIGHEST as i64,
        },
    },
    Declared {
        name: "Skill Level",
        setting: Setting::Skill,
        kind: Kind::Spin {
            default: Level::FULL_SKILL as i64,
            min: 0,
            max: Level::FULL_SKILL as i64,
        },
    },
    Declared { name: "OwnBook", setting: Setting::OwnBook, kind: Kind::Check { default: false } },
    Declared { name: "BookFile", setting: Setting::BookFile, kind: Kind::Text },
    Declared {
        name: "BookDepth",
        setting: Setting::BookDepth,
        kind: Kind::Spin {
            default: BookPlayer::MAX_DEPTH as i64,
            min: 1,
            max: BookPlayer::MAX_DEPTH as i64,
        },
    },
    Declared {
        name: "BestBookMove",
        setting: Setting::BestBookMove,
        kind: Kind::Check { default: false },
    },
    Declared {
        name: "BookSeed",
        setting: Setting::BookSeed,
        kind: Kind::Spin { default: 0, min: 0, max: BookPlayer::MAX_SEED as i64 },
    },
    Declared { name: "Evaluation", setting: Setting::Evaluation, kind: Kind::Combo(EVALUATIONS) },
    Declared { name: "Debug Log File", setting: Setting::DebugLogFile, kind: Kind::Text },
    Declared { name: "UCI_EngineAbout", setting: Setting::EngineAbout, kind: Kind::Fixed(ABOUT) },
    Declared { name: "UCI_Opponent", setting: Setting::Opponent, kind: Kind::Text },
    Declared { name: "EvalFile", setting: Setting::EvalFile, kind: Kind::Text },
    Declared { name: "SyzygyPath", setting: Setting::SyzygyPath, kind: Kind::Text },
    Declared {
        name: "SyzygyProbeDepth",
        setting: Setting::SyzygyProbeDepth,
        kind: Kind::Spin { default: 1, min: 1, max: 100 },
    },
    Declared {
        name: "Syzygy50MoveRule",
        setting: Setting::Syzygy50MoveRule,
        kind: Kind::Check { default: true },
    },
    Declared {
        name: "SyzygyProbeLimit",
        setting: Setting::SyzygyProbeLimit,
        kind: Kind::Spin { default: 7, min: 0, max: 7 },
    },
];

/// Returns all options. A tuning build adds the search parameters.
fn options() -> impl Iterator<Item = Declared> {
    #[cfg(feature = "tuning")]
    let parameters = crate::search::params::ALL.iter().map(|param| Declared {
        name: param.name,
        setting: Setting::Parameter(param.name),
        kind: Kind::Spin {
            default: param.default.into(),
            min: param.min.into(),
            max: param.max.into(),
        },
    });
    #[cfg(not(feature = "tuning"))]
    let parameters = std::iter::empty();
    OPTIONS.iter().copied().chain(parameters)
}

/// Formats the `option` lines of the reply to `uci`.
#[must_use]
pub(super) fn listing() -> String {
    let mut text = String::new();
    for option in options() {
        // Writing to a `String` cannot fail.
        let _ = match option.kind {
            Kind::Button => writeln!(text, "option name {} type button", option.name),
            Kind::Check { default } => {
                writeln!(text, "option name {} type check default {default}", option.name)
            }
            Kind::Spin { default, min, max } => writeln!(
                text,
                "option name {} type spin default {default} min {min} max {max}",
                option.name
            ),
            Kind::Text => writeln!(text, "option name {} type string default <empty>", option.name),
            Kind::Fixed(value) => {
                writeln!(text, "option name {} type string default {value}", option.name)
            }
            Kind::Combo(values) => writeln!(
                text,
                "option name {} type combo default {} var {}",
                option.name,
                values[0],
                values.join(" var ")
            ),
        };
    }
    text
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("setoption: unknown option {0:?}")]
    Unknown(String),
    /// The command does not name an option.
    #[error("setoption: expected 'name NAME' or 'name NAME value VALUE'")]
    NoName,
    /// The option takes a number.
    #[error("setoption: {name} takes a number, found {found:?}")]
    NotANumber {
        /// The option.
        name: &'static str,
        /// The value found.
        found: String,
    },
    /// The option takes one of a few words.
    #[error("setoption: {name} takes {}, found {found:?}", values.join(" or "))]
    NotAChoice {
        /// The option.
        name: &'static str,
        /// Its values.
        values: &'static [&'static str],
        /// The value found.
        found: String,
    },
    /// The option takes `true` or `false`.
    #[error("setoption: {name} takes true or false, found {found:?}")]
    NotABool {
        /// The option.
        name: &'static str,
        /// The value found.
        found: String,
    },
}

/// A valid `setoption` command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The option to change.
    pub setting: Setting,
    /// The number, 1 and 0 for `true` and `false`, or the index of a choice; 0 for a button or a
    /// text.
    pub number: i64,
    /// The value of a text option; empty for other kinds.
    pub text: String,
    /// Remark to print if the value was clamped.
    pub remark: Option<String>,
}

impl Change {
    /// Parses the words after `setoption`. Option names are case-insensitive.
    pub(super) fn parse(words: &[&str]) -> Result<Self, OptionError> {
        let words = words.strip_prefix(&["name"]).ok_or(OptionError::NoName)?;
        let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let name = words[..value_at].join(" ");
        if name.is_empty() {
            return Err(OptionError::NoName);
        }
        let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
        let option = options()
            .find(|option| option.name.eq_ignore_ascii_case(&name))
            .ok_or_else(|| OptionError::Unknown(name.chars().take(40).collect()))?;
        let found = || value.chars().take(40).collect();
        let (mut remark, mut text) = (None, String::new());
        let number = match option.kind {
            Kind::Button | Kind::Fixed(_) => 0,
            Kind::Text => {
                if value != "<empty>" {
                    let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
                    quoted.unwrap_or(&value).clone_into(&mut text);
                }
                0
            }
            Kind::Combo(values) => {
                let place = values.iter().position(|it| it.eq_ignore_ascii_case(&value));
                let name = option.name;
                place.ok_or_else(|| OptionError::NotAChoice { name, values, found: found() })?
                    as i64
            }
            Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" => 1,
                "false" => 0,
                _ => return Err(OptionError::NotABool { name: option.name, found: found() }),
            },
            Kind::Spin { min, max, .. } => {
                let number = parse_integer(&value)
                    .ok_or_else(|| OptionError::NotANumber { name: option.name, found: found() })?;
                let clamped = number.clamp(min, max);
                if clamped != number {
                    remark = Some(format!(
                        "{} {number} is out of range ({min} to {max}); using {clamped}",
                        option.name
                    ));
                }
                clamped
            }
        };
        Ok(Self { setting: option.setting, number, text, remark })
    }
}

/// Settings that affect output only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether scores include the chances to win, draw and lose.
    pub show_wdl: bool,
    /// Whether `debug on` is in effect.
    pub debug: bool,
}

/// The options that select the playing strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strength {
    pub(super) limited: bool,
    pub(super) elo: u32,
    pub(super) skill: u32,
}

impl Default for Strength {
    fn default() -> Self {
        Self { limited: false, elo: DEFAULT_ELO, skill: Level::FULL_SKILL }
    }
}

impl Strength {
    /// Returns the level to play at. `UCI_LimitStrength` overrides `Skill Level`.
    pub(super) fn level(self) -> Level {
        if self.limited { Level::elo(self.elo) } else { Level::skill(self.skill) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Change, OptionError> {
        Change::parse(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn parse_ignores_case_and_clamps_values() {
        let change = parse("name hAsH value 64").unwrap();
        assert_eq!((change.setting, change.number, change.remark), (Setting::Hash, 64, None));
        assert_eq!(parse("name clear hash").unwrap().setting, Setting::ClearHash);
        assert_eq!(parse("name UCI_ShowWDL value TRUE").unwrap().number, 1);
        let clamped = parse("name Threads value 9999999999999999999999").unwrap();
        assert_eq!(clamped.number, 256);
        assert!(clamped.remark.unwrap().contains("out of range (1 to 256); using 256"));
        assert_eq!(parse("name MultiPV value -4").unwrap().number, 1);
        for path in ["a b.bin", "\"a b.bin\""] {
            assert_eq!(parse(&format!("name BookFile value {path}")).unwrap().text, "a b.bin");
        }
        assert_eq!(parse("name BookFile value <empty>").unwrap().text, "");
    }

    #[test]
    fn elo_overrides_skill_level() {
        let mut strength = Strength::default();
        assert_eq!(strength.level(), Level::full());
        strength.skill = 3;
        assert_eq!(strength.level(), Level::skill(3));
        strength.limited = true;
        assert_eq!(strength.level(), Level::elo(1500));
        strength.elo = 2000;
        assert_eq!(strength.level(), Level::elo(2000));
    }

    #[test]
    fn parse_names_mistakes() {
        assert_eq!(parse(""), Err(OptionError::NoName));
        assert_eq!(parse("name"), Err(OptionError::NoName));
        assert!(matches!(parse("name Contempt value 3"), Err(OptionError::Unknown(_))));
        assert!(matches!(parse("name Hash value abc"), Err(OptionError::NotANumber { .. })));
        assert!(matches!(parse("name Hash"), Err(OptionError::NotANumber { .. })));
        assert!(matches!(parse("name Ponder value 3"), Err(OptionError::NotABool { .. })));
    }
}
