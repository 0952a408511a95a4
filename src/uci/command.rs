//! UCI command parser: [`Command::parse`] turns a line into a [`Command`] or an error that states
//! what was expected. The session resolves `go searchmoves`, which needs the position.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::integer::parse_integer;
use super::options::{Change, OptionError};
use crate::board::{Board, FenError, Game, excerpt};
use crate::notation::{IllegalUciMove, UciMove, UciMoveSyntax};

/// A command from a GUI or a human at the terminal.
#[derive(Debug)]
pub enum Command {
    /// `uci`: identify the engine and list its options.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: reply `readyok`.
    IsReady,
    /// `setoption name ... value ...`.
    SetOption(Change),
    /// `register`: ignored, as no registration is needed.
    Register,
    /// `ucinewgame`: the next position belongs to another game.
    NewGame,
    /// `position ...`: set up a position.
    Position(Box<Game>),
    /// `go ...`: search.
    Go(Box<GoArguments>),
    /// `go perft DEPTH`.
    Perft(u32),
    /// `stop`: end the search and report its best move.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: draw the board.
    Display,
    /// `eval [FEN]`: print the static evaluation of the given position, or of the current one.
    Eval(Option<Box<Board>>),
    /// `flip`: mirror the position and swap its colours.
    Flip,
    /// `bench [depth] [threads] [hash]`.
    Bench(BenchArguments),
    /// `genfens N seed S book None|FILE`: print openings, as OpenBench asks for them.
    GenFens(GenFensArguments),
    /// `params`: print the search parameters for a tuner.
    #[cfg(feature = "tuning")]
    Params,
    /// `compiler`: how the program was built.
    Compiler,
    /// `help`.
    Help,
}

/// Arguments of `genfens`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFensArguments {
    /// Number of positions.
    pub count: u64,
    /// Random seed.
    pub seed: u64,
    /// File of positions to start from.
    pub book: Option<PathBuf>,
    /// Start from Chess960 positions.
    pub chess960: bool,
}

/// Arguments of `bench`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchArguments {
    /// Search depth in plies.
    pub depth: u32,
    /// Number of search threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash: usize,
}

/// Arguments of `go`, not yet checked against the position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoArguments {
    /// `searchmoves`.
    pub search_moves: Vec<UciMove>,
    /// `ponder`.
    pub ponder: bool,
    /// `infinite`.
    pub infinite: bool,
    /// `wtime` and `btime`.
    pub time: [Option<Duration>; 2],
    /// `winc` and `binc`.
    pub increment: [Option<Duration>; 2],
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
    /// `depth`.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`.
    pub mate: Option<u32>,
    /// `movetime`.
    pub move_time: Option<Duration>,
    /// Remarks to print: numbers that were clamped and words that were ignored.
    pub remarks: Vec<String>,
}

/// Why a line was refused. The message is meant for a human at the terminal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// The first word is not a command.
    #[error("unknown command {0:?}; 'help' lists the commands")]
    Unknown(String),
    /// `position` without `startpos` or `fen`.
    #[error("position: expected 'startpos' or 'fen ...', found {0}")]
    PositionKind(String),
    /// A word other than `moves` after the position.
    #[error("position: expected 'moves' or nothing after the position, found {0:?}")]
    ExpectedMoves(String),
    /// An invalid FEN after `position fen`.
    #[error("position: {0}")]
    Fen(#[from] FenError),
    /// An invalid FEN after `eval`.
    #[error("eval: {0}")]
    EvalFen(FenError),
    /// A word in the move list that is not in coordinate notation.
    #[error("position: move {number}: {error}")]
    MoveSyntax {
        /// Index in the move list, from 1.
        number: usize,
        /// The syntax error.
        error: UciMoveSyntax,
    },
    /// An illegal move in the move list.
    #[error("position: move {number}: {error}")]
    IllegalMove {
        /// Index in the move list, from 1.
        number: usize,
        /// Why the move is illegal.
        error: IllegalUciMove,
    },
    /// Arguments of `genfens` in another form.
    #[error("genfens: expected 'genfens N seed S book None', or a file in place of None")]
    GenFens,
    /// A word unknown to `go`.
    #[error("go: unknown word {0:?}")]
    GoWord(String),
    /// A number that is missing, malformed or, in `bench`, out of range.
    #[error("{command}: {word} takes a number, found {found}")]
    Number {
        /// The command.
        command: &'static str,
        /// The argument that takes the number.
        word: String,
        /// The text found instead.
        found: String,
    },
    /// `go searchmoves` without a move.
    #[error("go: expected moves after 'searchmoves'")]
    NoSearchMoves,
    /// `debug` without `on` or `off`.
    #[error("debug: expected 'on' or 'off'")]
    Debug,
    /// An invalid `setoption`.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl Command {
    /// Parses `line`; returns `None` if it is blank.
    ///
    /// # Errors
    /// If `line` is not a valid command.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&name, arguments)) = words.split_first() else { return Ok(None) };
        Ok(Some(match name {
            "uci" => Self::Uci,
            "debug" => match *arguments {
                ["on"] => Self::Debug(true),
                ["off"] => Self::Debug(false),
                _ => return Err(CommandError::Debug),
            },
            "isready" => Self::IsReady,
            "setoption" => Self::SetOption(Change::parse(arguments)?),
            "register" => Self::Register,
            "ucinewgame" => Self::NewGame,
            "position" => Self::Position(Box::new(parse_position(arguments)?)),
            "go" => parse_go(arguments)?,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" | "exit" => Self::Quit,
            "d" => Self::Display,
            "eval" => Self::Eval(match *arguments {
                [] => None,
                ["startpos"] => Some(Box::new(Board::starting_position())),
                _ => {
                    let board = Board::from_fen(&arguments.join(" "));
                    Some(Box::new(board.map_err(CommandError::EvalFen)?))
                }
            }),
            "flip" => Self::Flip,
            "bench" => Self::Bench(parse_bench(arguments)?),
            "genfens" => Self::GenFens(parse_genfens(arguments)?),
            #[cfg(feature = "tuning")]
            "params" => Self::Params,
            "compiler" => Self::Compiler,
            "help" => Self::Help,
            _ => return Err(CommandError::Unknown(excerpt(name))),
        }))
    }
}

/// Parses the arguments of `genfens`. Further words may be `chess960`; others, such as the `quit`
/// that OpenBench adds, are ignored.
fn parse_genfens(words: &[&str]) -> Result<GenFensArguments, CommandError> {
    let &[count, "seed", seed, "book", book, ref extra @ ..] = words else {
        return Err(CommandError::GenFens);
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| CommandError::GenFens);
    Ok(GenFensArguments {
        count: number(count)?,
        seed: number(seed)?,
        book: (book != "None").then(|| PathBuf::from(book)),
        chess960: extra.contains(&"chess960"),
    })
}

/// Parses `startpos` or `fen FEN`, optionally followed by `moves` and a move list.
fn parse_position(words: &[&str]) -> Result<Game, CommandError> {
    let (kind, rest) =
        words.split_first().ok_or_else(|| CommandError::PositionKind("nothing".to_owned()))?;
    let moves_at = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
    let (setup, moves) = rest.split_at(moves_at);
    let start = match *kind {
        "startpos" => match setup.first() {
            None => Board::starting_position(),
            Some(word) => return Err(CommandError::ExpectedMoves(excerpt(word))),
        },
        "fen" => Board::from_fen(&setup.join(" "))?,
        other => return Err(CommandError::PositionKind(format!("{:?}", excerpt(other)))),
    };
    let mut game = Game::new(start);
    for (number, word) in (1..).zip(moves.iter().skip(1)) {
        let mv: UciMove =
            word.parse().map_err(|error| CommandError::MoveSyntax { number, error })?;
        let mv = mv
            .to_move(game.board())
            .map_err(|error| CommandError::IllegalMove { number, error })?;
        game.play_unchecked(mv);
    }
    Ok(game)
}

/// State of the `go` parser.
struct GoWords<'a> {
    words: std::slice::Iter<'a, &'a str>,
    remarks: Vec<String>,
    /// The first error. The protocol says to ignore what is not understood, so the error is fatal
    /// only in `go perft` or if no valid argument says when to end the search.
    trouble: Option<CommandError>,
}

impl GoWords<'_> {
    fn ignore(&mut self, error: CommandError) {
        self.remarks.push(format!("{error}; ignored"));
        self.trouble.get_or_insert(error);
    }

    /// Parses the number after `word` and clamps it to `min..=max`, adding a remark if it was out
    /// of range.
    fn number(&mut self, word: &str, min: i64, max: i64) -> Option<i64> {
        let found = self.words.as_slice().first().copied();
        // If the number is missing, leave the next keyword to the caller.
        if found.is_some_and(|text| !GO_WORDS.contains(&text)) {
            self.words.next();
        }
        let Some(number) = found.and_then(|text| self.whole_number(word, text)) else {
            self.ignore(CommandError::Number {
                command: "go",
                word: word.to_owned(),
                found: found.map_or("nothing".to_owned(), |text| format!("{:?}", excerpt(text))),
            });
            return None;
        };
        let clamped = number.clamp(min, max);
        if clamped != number {
            self.remarks.push(format!("{word} {number} is out of range; using {clamped}"));
        }
        Some(clamped)
    }

    /// Parses an integer. A decimal fraction is cut off, with a remark.
    fn whole_number(&mut self, word: &str, text: &str) -> Option<i64> {
        let Some((whole, fraction)) = text.split_once('.') else { return parse_integer(text) };
        let number = parse_integer(whole)?;
        if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let text = excerpt(text);
        self.remarks.push(format!("{word} {text} is not an integer; using {number}"));
        Some(number)
    }

    fn count(&mut self, word: &str, min: i64, max: i64) -> Option<u32> {
        self.number(word, min, max).map(|number| number as u32)
    }

    fn milliseconds(&mut self, word: &str) -> Option<Duration> {
        // A limit of 100 years leaves room for sums.
        const CENTURY: i64 = 100 * 365 * 86_400_000;
        self.number(word, 0, CENTURY).map(|number| Duration::from_millis(number as u64))
    }
}

const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

fn parse_go(words: &[&str]) -> Result<Command, CommandError> {
    let mut go = GoArguments::default();
    let mut perft = None;
    let mut reader = GoWords { words: words.iter(), remarks: Vec::new(), trouble: None };
    let mut in_search_moves = false;
    while let Some(&word) = reader.words.next() {
        if in_search_moves && let Ok(mv) = word.parse() {
            go.search_moves.push(mv);
            continue;
        }
        in_search_moves &= !GO_WORDS.contains(&word);
        match word {
            "searchmoves" => in_search_moves = true,
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.time[0] = reader.milliseconds(word).or(go.time[0]),
            "btime" => go.time[1] = reader.milliseconds(word).or(go.time[1]),
            "winc" => go.increment[0] = reader.milliseconds(word).or(go.increment[0]),
            "binc" => go.increment[1] = reader.milliseconds(word).or(go.increment[1]),
            "movestogo" => go.moves_to_go = reader.count(word, 1, 10_000).or(go.moves_to_go),
            "depth" => go.depth = reader.count(word, 1, 127).or(go.depth),
            "nodes" => {
                let nodes = reader.number(word, 0, i64::MAX).map(|number| number as u64);
                go.nodes = nodes.or(go.nodes);
            }
            "mate" => go.mate = reader.count(word, 1, 60).or(go.mate),
            "movetime" => go.move_time = reader.milliseconds(word).or(go.move_time),
            "perft" => perft = reader.count(word, 1, 64).or(perft),
            _ => reader.ignore(CommandError::GoWord(excerpt(word))),
        }
    }
    if let Some(error) = reader.trouble.filter(|_| perft.is_some() || !go.says_when_to_end()) {
        return Err(error);
    }
    if words.contains(&"searchmoves") && go.search_moves.is_empty() {
        return Err(CommandError::NoSearchMoves);
    }
    go.remarks = reader.remarks;
    Ok(perft.map_or_else(|| Command::Go(Box::new(go)), Command::Perft))
}

impl GoArguments {
    /// Returns whether the search has a limit whichever side is to move, or is `infinite`.
    fn says_when_to_end(&self) -> bool {
        self.infinite
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.time.iter().any(Option::is_some)
            || self.increment.iter().all(Option::is_some)
    }
}

fn parse_bench(words: &[&str]) -> Result<BenchArguments, CommandError> {
    use crate::bench::{DEFAULT_DEPTH, DEFAULT_HASH, DEFAULT_THREADS};
    let number = |index: usize, word: &str, default: usize, max: i64| match words.get(index) {
        None => Ok(default),
        Some(text) => parse_integer(text)
            .filter(|number| (1..=max).contains(number))
            .map(|number| number as usize)
            .ok_or_else(|| CommandError::Number {
                command: "bench",
                word: format!("{word} (1 to {max})"),
                found: format!("{:?}", excerpt(text)),
            }),
    };
    Ok(BenchArguments {
        depth: number(0, "depth", DEFAULT_DEPTH as usize, 127)? as u32,
        threads: number(1, "threads", DEFAULT_THREADS, 256)?,
        hash: number(2, "hash", DEFAULT_HASH, 1 << 20)?,
    })
}
