//! From the arguments of `go` to the limits of a search. Start at [`limits`].

use std::time::Duration;

use crate::board::Board;
use crate::notation::IllegalUciMove;
use crate::search::{Clock, Limits};
use crate::uci::command::GoArguments;

/// Converts the arguments of `go` to limits for the side to move. Also returns the errors of
/// illegal `searchmoves`, which are ignored; if all are illegal, all moves are searched, because
/// every `go` has to be answered.
///
/// # Errors
/// If all `searchmoves` are illegal and nothing says when to end the search.
pub(super) fn limits(
    arguments: &GoArguments,
    board: &Board,
) -> Result<(Limits, Vec<IllegalUciMove>), IllegalUciMove> {
    let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
    for mv in &arguments.search_moves {
        match mv.to_move(board) {
            Ok(mv) => search_moves.push(mv),
            Err(error) => illegal.push(error),
        }
    }
    let (us, them) = (board.side_to_move().index(), (!board.side_to_move()).index());
    // A clock given for one side counts for both. An increment without a clock is taken as the time
    // left.
    let left = arguments.time[us].or(arguments.time[them]);
    let increment = arguments.increment[us].unwrap_or_default();
    let clock = (left.is_some() || arguments.increment[us].is_some()).then(|| Clock {
        left: left.unwrap_or(increment),
        increment: if left.is_some() { increment } else { Duration::ZERO },
        moves_to_go: arguments.moves_to_go,
    });
    // `go mate` without other limits: give up a few plies beyond the requested mate.
    let mate_depth = arguments.mate.map(|moves| (2 * moves + 6).min(127));
    let alone = arguments.depth.is_none() && clock.is_none() && arguments.move_time.is_none();
    let limits = Limits {
        depth: arguments.depth.or(mate_depth.filter(|_| alone && arguments.nodes.is_none())),
        nodes: arguments.nodes,
        soft_nodes: None,
        mate: arguments.mate,
        move_time: arguments.move_time,
        clock,
        infinite: arguments.infinite || is_unlimited(arguments, clock.is_some()),
        ponder: arguments.ponder,
        search_moves,
    };
    if limits.infinite && !arguments.infinite && limits.search_moves.is_empty() {
        return illegal.pop().map_or(Ok((limits, Vec::new())), Err);
    }
    Ok((limits, illegal))
}

fn is_unlimited(arguments: &GoArguments, clock: bool) -> bool {
    !clock
        && !arguments.ponder
        && arguments.depth.is_none()
        && arguments.nodes.is_none()
        && arguments.mate.is_none()
        && arguments.move_time.is_none()
}
