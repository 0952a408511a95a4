//! The options of the engine: each is declared once, with its kind, default and range.

use std::fmt::Write;

use thiserror::Error;

use crate::book::BookPlayer;
use crate::search::Level;

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Size of the hash table in MiB.
    Hash,
    /// Number of threads.
    Threads,
    /// Empties the hash table.
    ClearHash,
    /// Whether the GUI may let the engine think on the opponent's time.
    Ponder,
    /// How many of the best lines are shown.
    MultiPv,
    /// Milliseconds that the way to and from the GUI may cost.
    MoveOverhead,
    /// Whether castling is written as the king taking its rook.
    Chess960,
    /// Whether a person is analysing rather than playing.
    AnalyseMode,
    /// Whether scores come with chances to win, draw and lose.
    ShowWdl,
    /// Whether to play at the rating of `UCI_Elo`.
    LimitStrength,
    /// The rating to play at.
    Elo,
    /// The skill to play at, for GUIs that know only that.
    Skill,
    /// Whether openings are played from a book.
    OwnBook,
    /// The book's file; without one the embedded openings.
    BookFile,
    /// The last move number for which the book is asked.
    BookDepth,
    /// Whether the book's best move is always played.
    BestBookMove,
    /// The seed of the book's choices; 0 for another one in each game.
    BookSeed,
    /// Where endgame tables are.
    SyzygyPath,
    /// How far from the leaves the largest of them are asked.
    SyzygyProbeDepth,
    /// Whether the fifty-move rule counts in them.
    Syzygy50MoveRule,
    /// How many men a position may have to be looked up.
    SyzygyProbeLimit,
    /// The parameter of the search of that name.
    #[cfg(feature = "tuning")]
    Parameter(&'static str),
}

/// What kind of value an option takes.
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
    /// Any text; nothing, or `<empty>`, is no text.
    Text,
}

/// An option, as `uci` lists it.
#[derive(Clone, Copy)]
struct Declared {
    name: &'static str,
    setting: Setting,
    kind: Kind,
}

/// The default size of the hash table in MiB.
pub(super) const DEFAULT_HASH: usize = 16;

/// The default of `UCI_Elo`.
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

/// All options: those above, and in a build for tuning the parameters of the search.
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

/// The `option` lines that answer `uci`.
#[must_use]
pub(super) fn listing() -> String {
    let mut text = String::new();
    for option in options() {
        // Writing to a string does not fail.
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
        };
    }
    text
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("setoption: there is no option {0:?}")]
    Unknown(String),
    /// The command has no name.
    #[error("setoption: expected 'name NAME' or 'name NAME value VALUE'")]
    NoName,
    /// A number was expected.
    #[error("setoption: {name} takes a number, found {found:?}")]
    NotANumber {
        /// The option.
        name: &'static str,
        /// What was given.
        found: String,
    },
    /// `true` or `false` was expected.
    #[error("setoption: {name} takes true or false, found {found:?}")]
    NotABool {
        /// The option.
        name: &'static str,
        /// What was given.
        found: String,
    },
}

/// A value that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What is to be changed.
    pub setting: Setting,
    /// The number, or 1 and 0 for true and false; 0 for a button or a text.
    pub number: i64,
    /// The text of an option that takes one; otherwise empty.
    pub text: String,
    /// What is to be said about it: that the value was out of range.
    pub remark: Option<String>,
}

impl Change {
    /// Reads the words after `setoption`. Names are matched without regard to case.
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
            Kind::Button => 0,
            Kind::Text => {
                if value != "<empty>" {
                    text.clone_from(&value);
                }
                0
            }
            Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" => 1,
                "false" => 0,
                _ => return Err(OptionError::NotABool { name: option.name, found: found() }),
            },
            Kind::Spin { min, max, .. } => {
                let number = super::command::parse_integer(&value)
                    .ok_or_else(|| OptionError::NotANumber { name: option.name, found: found() })?;
                let clamped = number.clamp(min, max);
                if clamped != number {
                    remark = Some(format!(
                        "{} {number} is out of range {min} to {max}; {clamped} is used",
                        option.name
                    ));
                }
                clamped
            }
        };
        Ok(Self { setting: option.setting, number, text, remark })
    }
}

/// The settings that concern text only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Write castling as in Chess960.
    pub chess960: bool,
    /// Give chances to win, draw and lose.
    pub show_wdl: bool,
    /// `debug on`: say more.
    pub debug: bool,
}

/// What was said about the strength to play at.
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
    /// The level that follows from it. A rating says more than a skill.
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
    fn names_in_any_case_and_values_in_range() {
        let change = parse("name hAsH value 64").unwrap();
        assert_eq!((change.setting, change.number, change.remark), (Setting::Hash, 64, None));
        assert_eq!(parse("name clear hash").unwrap().setting, Setting::ClearHash);
        assert_eq!(parse("name UCI_ShowWDL value TRUE").unwrap().number, 1);
        let clamped = parse("name Threads value 9999999999999999999999").unwrap();
        assert_eq!(clamped.number, 256);
        assert!(clamped.remark.unwrap().contains("out of range 1 to 256; 256 is used"));
        assert_eq!(parse("name MultiPV value -4").unwrap().number, 1);
    }

    #[test]
    fn a_rating_comes_before_a_skill() {
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
    fn mistakes_are_named() {
        assert_eq!(parse(""), Err(OptionError::NoName));
        assert_eq!(parse("name"), Err(OptionError::NoName));
        assert!(matches!(parse("name Contempt value 3"), Err(OptionError::Unknown(_))));
        assert!(matches!(parse("name Hash value abc"), Err(OptionError::NotANumber { .. })));
        assert!(matches!(parse("name Hash"), Err(OptionError::NotANumber { .. })));
        assert!(matches!(parse("name Ponder value 3"), Err(OptionError::NotABool { .. })));
    }
}
