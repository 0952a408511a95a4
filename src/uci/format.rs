//! UCI output: `info` and `bestmove` lines, and the replies to terminal commands.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::options::Settings;
use crate::board::Board;
use crate::board::perft::{self, PerftCache};
use crate::eval::{self, EvalKind, Network, Tapered, WdlModel};
use crate::notation::{CastlingStyle, UciMove};
use crate::search::{Bound, Info, SearchResult};
use crate::tablebase::Tables;
use crate::types::{File, Move, Piece, Rank, Score, Square};

/// Returns the castling notation selected by `UCI_Chess960`.
pub(super) fn castling_style(settings: Settings) -> CastlingStyle {
    if settings.chess960 { CastlingStyle::KingTakesRook } else { CastlingStyle::KingMoves }
}

/// Returns the castling notation for output that does not depend on `UCI_Chess960`: the king's move
/// where castling is orthodox, otherwise the king taking its rook.
fn style_of(board: &Board) -> CastlingStyle {
    if board.has_orthodox_castling() {
        CastlingStyle::KingMoves
    } else {
        CastlingStyle::KingTakesRook
    }
}

/// Formats an `info` line with score and principal variation.
pub(super) fn info_line(info: &Info<'_>, settings: Settings) -> String {
    let milliseconds = info.time.as_millis();
    let per_second = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multi_pv,
        info.wdl_model.shown(info.score)
    );
    line += match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if settings.show_wdl {
        let [win, draw, loss] = info.wdl_model.per_mille(info.score);
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let _ = write!(
        line,
        " nodes {} nps {per_second:.0} hashfull {} time {milliseconds}",
        info.nodes, info.per_mille_full
    );
    if let Some(hits) = info.tb_hits {
        let _ = write!(line, " tbhits {hits}");
    }
    if !info.pv.is_empty() {
        line += " pv";
        for &mv in info.pv {
            let _ = write!(line, " {}", UciMove::new(mv, castling_style(settings)));
        }
    }
    line
}

/// Formats an `info` line with nodes, speed and time only.
pub(super) fn progress_line(nodes: u64, time: Duration) -> String {
    let per_second = nodes as f64 / time.as_secs_f64().max(1e-6);
    format!("info nodes {nodes} nps {per_second:.0} time {}", time.as_millis())
}

/// Formats the report on opened tablebases as `info string` lines.
pub(super) fn tables_text(tables: &Tables) -> String {
    let lines = tables.report();
    lines.iter().map(|line| format!("info string Syzygy: {line}")).collect::<Vec<_>>().join("\n")
}

pub(super) fn best_move_line(result: &SearchResult, settings: Settings) -> String {
    let text = |mv: Move| UciMove::new(mv, castling_style(settings)).to_string();
    match (result.best, result.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {}", text(best)),
        (Some(best), Some(ponder)) => format!("bestmove {} ponder {}", text(best), text(ponder)),
    }
}

/// Formats the reply to `d`: board, key, checkers and legal moves.
pub(super) fn board_text(board: &Board) -> String {
    let style = style_of(board);
    let moves: Vec<String> =
        board.legal_moves().iter().map(|&mv| UciMove::new(mv, style).to_string()).collect();
    let checkers: Vec<String> =
        board.checkers().into_iter().map(|square| square.to_string()).collect();
    format!(
        "{board}\nKey: {:016X}\nCheckers: {}\nLegal moves ({}): {}",
        board.key(),
        if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") },
        moves.len(),
        moves.join(" ")
    )
}

/// Formats the reply to `eval`: the network's verdict if it is in use, then the classical one,
/// which explains itself.
pub(crate) fn eval_text(board: &Board, evaluation: &EvalKind) -> String {
    match evaluation {
        EvalKind::Network(network) => {
            format!("{}\n\n{}", network_text(board, network), classical_text(board))
        }
        EvalKind::Classical => classical_text(board),
    }
}

/// Formats the network's verdict: a board with what each piece is worth to it, and the total.
fn network_text(board: &Board, network: &Network) -> String {
    let trace = network.trace(board);
    let wdl_model = network.wdl_model();
    let rule = format!("  {}+\n", "+-------".repeat(8));
    let mut text = format!(
        "Network {:08x}: worth of each piece in pawns (the score minus the score without it)\n\n",
        network.checksum()
    );
    for &rank in Rank::ALL.iter().rev() {
        let (mut pieces, mut worths) = (format!("{rank} "), "  ".to_owned());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let letter = board.piece_on(square).map_or(' ', Piece::letter);
            let worth = trace.pieces.iter().find(|it| it.0 == square);
            let worth = worth.map_or(String::new(), |&(_, _, worth)| pawns(worth));
            let _ = write!(pieces, "|   {letter}   ");
            let _ = write!(worths, "|{worth:^7}");
        }
        let _ = write!(text, "{rule}{pieces}|\n{worths}|\n");
    }
    text += &rule;
    for file in File::ALL {
        let _ = write!(text, "{}{file}", if file == File::A { "      " } else { "       " });
    }
    let known = eval::known_endgame(board);
    let score = Score::cp(known.unwrap_or(trace.total));
    let _ = write!(text, "\n\nNetwork: {} pawns (from White's point of view)", pawns(trace.total));
    if let Some(known) = known {
        let _ = write!(text, "\nKnown endgame (replaces the network): {}", pawns(known));
    }
    let shown = pawns(wdl_model.shown(score).value());
    let [win, draw, loss] = wdl_model.per_mille(score).map(|chance| f64::from(chance) / 10.0);
    let _ = write!(
        text,
        "\nAs a score (1.00 = 50 % chance of winning): {shown} pawns; White wins {win:.1} %, draws \
         {draw:.1} %, loses {loss:.1} %"
    );
    text
}

/// Formats the classical evaluation: each term by side and phase, then phase, scale and total.
fn classical_text(board: &Board) -> String {
    let trace = eval::trace(board);
    let pair =
        |value: Tapered| format!("{:>6} {:>6}", pawns(value.middle_game()), pawns(value.endgame()));
    let mut text = format!(
        "{:<15}|{:^15}|{:^15}|{:^15}\n{:<15}|{:>14} |{:>14} |{:>14}\n",
        "", "White", "Black", "Difference", "", "MG     EG", "MG     EG", "MG     EG"
    );
    let rule = "-".repeat(15) + &("+".to_owned() + &"-".repeat(15)).repeat(3) + "\n";
    text += &rule;
    for term in &trace.terms {
        let [white, black] = term.sides;
        let difference = pair(white - black);
        let _ =
            writeln!(text, "{:<15}| {} | {} | {difference}", term.name, pair(white), pair(black));
    }
    text += &rule;
    let _ = writeln!(text, "{:<15}|{:15}|{:15}| {}\n", "Sum", "", "", pair(trace.sum()));
    let _ = writeln!(
        text,
        "Phase: {} of {} (MG weight {0}, EG weight {})",
        trace.phase,
        eval::FULL_PHASE,
        eval::FULL_PHASE - trace.phase
    );
    let _ = writeln!(text, "Endgame scale: {} of {}", trace.scale, eval::FULL_SCALE);
    if let Some(known) = trace.known_endgame {
        let _ = writeln!(text, "Known endgame (replaces the terms above): {}", pawns(known));
    } else if trace.mop_up != 0 {
        let _ = writeln!(text, "Mop-up: {}", pawns(trace.mop_up));
    }
    let total = pawns(trace.total);
    let shown = WdlModel::CLASSICAL.shown(Score::cp(trace.total)).value();
    let _ = writeln!(text, "Classical evaluation: {total} pawns (from White's point of view)");
    text + &format!("As a score (1.00 = 50 % chance of winning): {} pawns", pawns(shown))
}

/// Formats the reply to `compiler`: what a bug report needs to know about the build.
pub(super) fn compiler_text() -> String {
    const FEATURES: [(&str, bool); 5] = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2 (PEXT)", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512bw", cfg!(target_feature = "avx512bw")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    const CARGO: [(&str, bool); 3] = [
        ("cli", cfg!(feature = "cli")),
        ("tuning", cfg!(feature = "tuning")),
        ("evalfile", cfg!(feature = "evalfile")),
    ];
    let list = |names: &[(&str, bool)]| {
        let set: Vec<&str> = names.iter().filter(|it| it.1).map(|it| it.0).collect();
        if set.is_empty() { "none".to_owned() } else { set.join(", ") }
    };
    format!(
        "Damero {}{}\n\
         target: {}-{}, {} bit, {}\n\
         instruction sets of the build: {}\n\
         network kernels: {}\n\
         features: {}\n\
         network: {}",
        env!("CARGO_PKG_VERSION"),
        option_env!("DAMERO_COMMIT").map_or(String::new(), |commit| format!(" {commit}")),
        std::env::consts::ARCH,
        std::env::consts::OS,
        usize::BITS,
        if cfg!(debug_assertions) { "with assertions" } else { "optimised" },
        list(&FEATURES),
        eval::kernel_version(),
        list(&CARGO),
        Network::embedded()
    )
}

/// Formats centipawns as pawns with a sign.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

/// Formats the search parameters for SPSA in `OpenBench`, one per line: name, type, value, minimum,
/// maximum, final step and final learning rate. The step is a twentieth of the range, but at least
/// 0.5, which can still change an integer.
#[cfg(feature = "tuning")]
pub(super) fn params_text() -> String {
    use crate::search::params;
    let line = |param: &params::Param| {
        let step = (f64::from(param.max - param.min) / 20.0).max(0.5);
        let value = params::get(param.name).unwrap_or(param.default);
        format!("{}, int, {value}, {}, {}, {step}, 0.002", param.name, param.min, param.max)
    };
    params::ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Runs perft and prints the move counts and their total in Stockfish's format, so outputs can be
/// compared.
///
/// # Errors
/// If `output` cannot be written.
pub fn write_perft(
    board: &Board,
    depth: u32,
    threads: usize,
    cache: Option<&PerftCache>,
    output: &mut impl Write,
) -> io::Result<()> {
    let start = Instant::now();
    let counts = perft::divide(board, depth, threads, cache);
    let seconds = start.elapsed().as_secs_f64();
    let style = style_of(board);
    for &(mv, count) in &counts {
        writeln!(output, "{}: {count}", UciMove::new(mv, style))?;
    }
    let nodes: u64 = counts.iter().map(|&(_, count)| count).sum();
    writeln!(output, "\nNodes searched: {nodes}\n")?;
    writeln!(output, "Time: {seconds:.3} s")?;
    writeln!(output, "Nodes per second: {:.0}", nodes as f64 / seconds.max(1e-9))
}

pub(super) const HELP: &str = "\
Damero speaks UCI. Set up a position, then start a search:
  position startpos [moves e2e4 ...]   position fen FEN [moves ...]
  go depth 7 | movetime 1000 | nodes 100000 | wtime 60000 btime 60000 winc 1000 binc 1000
  go infinite, then stop               go perft 5
  setoption name Hash value 64         ucinewgame, isready, uci, quit
At the terminal:
  d       print the board, FEN, key, checkers and legal moves
  eval [FEN]   print the static evaluation of the current or the given position
  flip    mirror the board and swap the colours
  bench [depth] [threads] [hash]   search fixed positions and count nodes
  compiler     print how the program was built
The program also takes commands as arguments: damero go depth 7, damero bench, damero perft 6,
and damero --help.";
