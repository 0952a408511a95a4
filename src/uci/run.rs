//! The loop that reads commands and answers them.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use super::command::Command;
use crate::board::perft::{self, Cache};
use crate::board::{Board, Game};
use crate::notation::{CastlingStyle, UciMove};

/// What lasts from one command to the next.
#[derive(Default)]
struct Session {
    game: Game,
}

/// Whether the loop goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Continue,
    Quit,
}

/// Reads commands until `quit` or the end of the input. A line that is not UTF-8 is read as far as
/// it is; whatever cannot be understood is answered with `info string error: ...`.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut session = Session::default();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let line = String::from_utf8_lossy(&bytes);
        let flow = session.answer(&line, &mut output)?;
        output.flush()?;
        if flow == Flow::Quit {
            return Ok(());
        }
    }
}

impl Session {
    fn answer(&mut self, line: &str, output: &mut impl Write) -> io::Result<Flow> {
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Ok(Flow::Quit),
            Ok(Some(command)) => self.execute(command, output)?,
            Err(error) => writeln!(output, "info string error: {error}")?,
        }
        Ok(Flow::Continue)
    }

    fn execute(&mut self, command: Command, output: &mut impl Write) -> io::Result<()> {
        match command {
            Command::Uci => {
                writeln!(output, "id name Damero {}", env!("CARGO_PKG_VERSION"))?;
                writeln!(output, "id author the Damero authors")?;
                writeln!(output, "uciok")
            }
            Command::IsReady => writeln!(output, "readyok"),
            Command::Position(game) => {
                self.game = *game;
                Ok(())
            }
            Command::GoPerft(depth) => write_perft(self.game.board(), depth, 1, None, output),
            Command::Display => write_board(self.game.board(), output),
            Command::Quit => Ok(()),
        }
    }
}

fn write_board(board: &Board, output: &mut impl Write) -> io::Result<()> {
    let style = castling_style(board);
    let moves: Vec<String> =
        board.legal_moves().iter().map(|&mv| UciMove::new(mv, style).to_string()).collect();
    let checkers: Vec<String> = board.checkers().into_iter().map(|s| s.to_string()).collect();
    writeln!(output, "{board}")?;
    writeln!(output, "Key: {:016X}", board.key())?;
    writeln!(output, "Checkers: {}", checkers.join(" "))?;
    writeln!(output, "Legal moves ({}): {}", moves.len(), moves.join(" "))
}

/// Castling is written as the king's move where that is clear, otherwise as in Chess960.
fn castling_style(board: &Board) -> CastlingStyle {
    if board.has_orthodox_castling() {
        CastlingStyle::KingMoves
    } else {
        CastlingStyle::KingTakesRook
    }
}

/// Counts and prints in the form in which other engines do, so that outputs can be compared.
///
/// # Errors
/// If the output cannot be written.
pub fn write_perft(
    board: &Board,
    depth: u32,
    threads: usize,
    cache: Option<&Cache>,
    output: &mut impl Write,
) -> io::Result<()> {
    let start = Instant::now();
    let counts = perft::divide(board, depth, threads, cache);
    let seconds = start.elapsed().as_secs_f64();
    let style = castling_style(board);
    for &(mv, count) in &counts {
        writeln!(output, "{}: {count}", UciMove::new(mv, style))?;
    }
    let nodes: u64 = counts.iter().map(|&(_, count)| count).sum();
    writeln!(output, "\nNodes searched: {nodes}\n")?;
    writeln!(output, "Time: {seconds:.3} s")?;
    writeln!(output, "Nodes per second: {:.0}", nodes as f64 / seconds.max(1e-9))
}
