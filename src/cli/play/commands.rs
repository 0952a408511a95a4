//! Parses the commands and moves typed during a game, with helpful errors. Start at
//! [`PlayCommand::parse`] and [`read_move`].

use std::path::Path;

use crate::board::Board;
use crate::notation::{CastlingStyle, San, SanError, UciMove};
use crate::types::{Color, Move, Square};

/// A command with its argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PlayCommand {
    Help,
    Board,
    Moves(Option<Square>),
    Hint,
    Eval,
    Undo,
    Redo,
    History,
    Flip,
    /// Empty, a rating, or `full`.
    Level(String),
    /// Empty, or the new time limits.
    Clock(String),
    New(Option<Color>),
    Save {
        file: String,
        replace: bool,
    },
    Load(String),
    /// Empty, or a position to set up.
    Fen(String),
    Pgn,
    Draw,
    Resign,
    /// Makes the engine move at once.
    Now,
    Quit,
    /// Anything else: read as a move.
    Move(String),
}

/// Text of the command `help`.
pub(crate) const HELP: &str = "\
A move:     e4, Nf3, exd5, O-O, e8=Q, or e2e4, e7e8q
board       draw the board                 moves [e2]   legal moves, all or from one square
hint        a good move, at full strength  eval         static evaluation, term by term
undo        take back your last move,      redo         play it again
            resignation or draw
history     the moves so far               flip         turn the board
level 1500  Damero's Elo, or full          clock 5+3    minutes + seconds per move; also
new black   new game; you play Black                    clock depth 8, clock time 2
save FILE   as PGN; save! replaces a file  load FILE    continue a saved game
                                           load FILE 3  continue its third game
fen [FEN]   show or set up a position      pgn          the game as PGN
draw        offer or claim a draw          resign       resign the game
now         make Damero move at once       quit         end the program";

impl PlayCommand {
    /// Returns whether the command needs the engine or changes the game, so that pondering must
    /// end. A move decides for itself.
    pub(crate) fn needs_engine(&self) -> bool {
        match self {
            Self::Hint
            | Self::Undo
            | Self::Redo
            | Self::New(_)
            | Self::Load(_)
            | Self::Draw
            | Self::Resign => true,
            Self::Level(text) | Self::Clock(text) | Self::Fen(text) => !text.is_empty(),
            _ => false,
        }
    }

    /// Parses a line; `None` if it is blank.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let text = || rest.to_owned();
        Some(match word.to_ascii_lowercase().as_str() {
            "" => return None,
            "help" | "?" => Self::Help,
            "board" | "show" => Self::Board,
            "moves" => match rest {
                "" => Self::Moves(None),
                square => match Square::parse(square) {
                    Some(square) => Self::Moves(Some(square)),
                    None => Self::Move(line.to_owned()),
                },
            },
            "hint" => Self::Hint,
            "eval" => Self::Eval,
            "undo" => Self::Undo,
            "redo" => Self::Redo,
            "history" => Self::History,
            "flip" => Self::Flip,
            "level" => Self::Level(text()),
            "clock" => Self::Clock(text()),
            "new" => match rest.to_ascii_lowercase().as_str() {
                "" => Self::New(None),
                "white" => Self::New(Some(Color::White)),
                "black" => Self::New(Some(Color::Black)),
                _ => Self::Move(line.to_owned()),
            },
            "save" => Self::Save { file: text(), replace: false },
            "save!" => Self::Save { file: text(), replace: true },
            "load" => Self::Load(text()),
            "fen" => Self::Fen(text()),
            "pgn" => Self::Pgn,
            "draw" => Self::Draw,
            "resign" => Self::Resign,
            "now" => Self::Now,
            "quit" | "exit" => Self::Quit,
            _ => Self::Move(line.to_owned()),
        })
    }
}

/// Parses a move in coordinates or SAN. An error says why it is illegal and suggests close moves.
pub(crate) fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    // Accept spaces, as in `e2 e4`, and skip a move number, as in `12. Nf3`.
    let joined: String = text.split_whitespace().collect();
    let joined = match joined.split_once('.') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start_matches('.').to_owned()
        }
        _ => joined,
    };
    let reason = match joined.parse::<UciMove>() {
        Ok(coordinates) => match coordinates.to_move(board) {
            Ok(mv) => return Ok(mv),
            Err(_) => why_not(board, coordinates),
        },
        Err(_) => match read_san(board, &joined) {
            Ok(mv) => return Ok(mv),
            Err(reason) => reason,
        },
    };
    let close = close_moves(board, &joined);
    let shown: String = text.chars().take(40).collect();
    Err(match close.as_slice() {
        [] => format!("{shown}: {reason}. Type moves or help."),
        close => format!("{shown}: {reason}. Did you mean {}?", close.join(", ")),
    })
}

/// Parses SAN; if that fails, tries the first letter in upper case, as for `nf3`.
fn read_san(board: &Board, text: &str) -> Result<Move, String> {
    let capital: String = {
        let mut letters = text.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    };
    let error = match text.parse::<San>().map(|san| san.to_move(board)) {
        Ok(Ok(mv)) => return Ok(mv),
        Ok(Err(error)) => Some(error),
        Err(_) => None,
    };
    if let Ok(san) = capital.parse::<San>()
        && let Ok(mv) = san.to_move(board)
    {
        return Ok(mv);
    }
    Err(match error {
        None => "neither a move nor a command".to_owned(),
        Some(SanError::Illegal { .. }) if board.in_check() => {
            "not legal; you are in check".to_owned()
        }
        Some(SanError::Illegal { .. }) => "not a legal move here".to_owned(),
        Some(SanError::Ambiguous { candidates, .. }) => {
            let names: Vec<String> = candidates.iter().map(San::to_string).collect();
            format!("ambiguous ({})", names.join(", "))
        }
        Some(SanError::PromotionMissing { .. }) => {
            "specify the promotion piece, as in e8=Q".to_owned()
        }
    })
}

/// Explains why a move in coordinates is illegal.
fn why_not(board: &Board, mv: UciMove) -> String {
    let us = board.side_to_move();
    match board.piece_on(mv.from) {
        None => format!("no piece on {}", mv.from),
        Some(piece) if piece.color() != us => format!("the piece on {} is not yours", mv.from),
        Some(_)
            if UciMove { promotion: Some(crate::types::PieceType::Queen), ..mv }
                .to_move(board)
                .is_ok() =>
        {
            "specify the promotion piece, as in e7e8q".to_owned()
        }
        Some(_) if board.in_check() => "not legal; you are in check".to_owned(),
        Some(piece) => {
            let name = format!("{:?}", piece.kind()).to_lowercase();
            format!("the {name} on {} cannot go to {}", mv.from, mv.to)
        }
    }
}

/// Maximum number of suggested moves.
const SUGGESTIONS: usize = 5;

/// Returns the legal moves closest to `text`, in SAN.
fn close_moves(board: &Board, text: &str) -> Vec<String> {
    let text = text.to_ascii_lowercase();
    let mut close: Vec<(usize, String)> = board
        .legal_moves()
        .iter()
        .map(|&mv| {
            let san = San::new(board, mv).to_string();
            let uci = UciMove::new(mv, CastlingStyle::KingMoves).to_string();
            let bare = san.trim_end_matches(['+', '#']).to_ascii_lowercase();
            (distance(&text, &bare).min(distance(&text, &uci)), san)
        })
        // At most half of the typed characters may be wrong.
        .filter(|(distance, _)| 2 * distance <= text.chars().count().max(2))
        .collect();
    close.sort();
    close.into_iter().take(SUGGESTIONS).map(|(_, san)| san).collect()
}

/// Returns the Damerau-Levenshtein distance (optimal string alignment): the number of insertions,
/// deletions, substitutions and swaps of neighbours. Only the first 40 characters of `a` count.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut least = change.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    table[a.len()][b.len()]
}

/// Splits a game number (from 1, the default) off a file name, unless all of `text` is a file.
pub(crate) fn numbered_file(text: &str) -> Result<(&str, usize), String> {
    if text.is_empty() {
        return Err("no file name: type load FILE, or load FILE 3 for its third game".to_owned());
    }
    let last = text.rsplit_once(' ').and_then(|(file, number)| Some((file, number.parse().ok()?)));
    Ok(last.filter(|&(_, number)| number > 0 && !Path::new(text).exists()).unwrap_or((text, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_recognised() {
        assert_eq!(PlayCommand::parse("  \n"), None);
        assert_eq!(PlayCommand::parse("HELP"), Some(PlayCommand::Help));
        assert_eq!(
            PlayCommand::parse("save  my game.pgn "),
            Some(PlayCommand::Save { file: "my game.pgn".to_owned(), replace: false })
        );
        assert_eq!(PlayCommand::parse("new Black"), Some(PlayCommand::New(Some(Color::Black))));
        assert_eq!(PlayCommand::parse("moves g1"), Some(PlayCommand::Moves(Some(Square::G1))));
        assert_eq!(PlayCommand::parse("Nf3"), Some(PlayCommand::Move("Nf3".to_owned())));
        // Every command in the help is recognised.
        for word in "help board moves hint eval undo redo history flip level clock new save load \
                     fen pgn draw resign quit"
            .split_whitespace()
        {
            assert!(
                !matches!(PlayCommand::parse(word), None | Some(PlayCommand::Move(_))),
                "{word}"
            );
            assert!(word == "help" || HELP.contains(word), "{word}");
        }
    }

    #[test]
    fn move_spellings_are_accepted() {
        let board = Board::starting_position();
        for text in ["Nf3", "nf3", "g1f3", "g1-f3", "g1 f3", "Ng1-f3", "Nf3!", "1. Nf3", "1.g1f3"] {
            let mv = read_move(&board, text);
            assert_eq!(
                mv.map(|mv| San::new(&board, mv).to_string()),
                Ok("Nf3".to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn typos_get_close_suggestions() {
        let board = Board::starting_position();
        let answer = |text: &str| read_move(&board, text).unwrap_err();
        assert!(answer("Nf4").starts_with("Nf4: not a legal move here. Did you mean Nf3"));
        assert!(answer("e2e5").contains("the pawn on e2 cannot go to e5. Did you mean"));
        assert!(answer("e5e6").contains("no piece on e5"));
        assert!(answer("e7e5").contains("the piece on e7 is not yours"));
        assert!(answer("frobnicate").contains("neither a move nor a command. Type moves or help"));
        let check = Board::from_fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1").unwrap();
        assert!(read_move(&check, "a1b1").unwrap_err().contains("you are in check"));
        let pawn = Board::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert!(read_move(&pawn, "a8").unwrap_err().contains("specify the promotion piece"));
        assert!(read_move(&pawn, "a7a8").unwrap_err().contains("specify the promotion piece"));
    }

    #[test]
    fn edit_distances() {
        for (a, b, expected) in
            [("nf3", "nf3", 0), ("nf4", "nf3", 1), ("fn3", "nf3", 1), ("", "ab", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }
}
