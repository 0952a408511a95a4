//! A game in the terminal: moves with clocks, undo and redo, and its ending. Start at [`PlayGame`].

use std::time::Duration;

use crate::board::{Board, Game};
use crate::cli::play::clock::Pace;
use crate::cli::play::ending::Ending;
use crate::cli::play::players::{Player, Players};
use crate::notation::{Line, Tags};
use crate::types::{Color, Move};

/// A game between two players, each a human or the engine.
#[derive(Clone, Debug)]
pub(crate) struct PlayGame {
    pub(super) game: Game,
    /// Moves taken back, each with the clocks after it; the next to redo is last.
    undone: Vec<(Move, [Duration; 2])>,
    /// Clocks before each move, restored by undo.
    pub(super) clocks_before: Vec<[Duration; 2]>,
    /// Time left, by colour; used only with [`Pace::Clock`].
    pub(super) left: [Duration; 2],
    pub(super) pace: Pace,
    pub(crate) players: Players,
    pub(crate) ending: Option<Ending>,
    pub(super) tags: Tags,
    /// Main line of the loaded game, with its annotations.
    pub(super) record: Line,
}

impl PlayGame {
    pub(crate) fn new(start: Board, players: Players, pace: Pace) -> Self {
        let mut new = Self {
            game: Game::new(start),
            undone: Vec::new(),
            clocks_before: Vec::new(),
            left: [Duration::ZERO; 2],
            pace,
            players,
            ending: None,
            tags: Tags::default(),
            record: Line::default(),
        };
        new.set_pace(pace);
        new.judge();
        new
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn board(&self) -> &Board {
        self.game.board()
    }

    pub(crate) fn pace(&self) -> Pace {
        self.pace
    }

    /// Sets the time limits from now on. Clocks start again from the base time.
    pub(crate) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        if let Pace::Clock(control) = pace {
            self.left = [control.base.max(control.increment); 2];
            self.clocks_before.fill(self.left);
            for (_, clocks) in &mut self.undone {
                *clocks = self.left;
            }
        }
    }

    /// Returns the time left on the clock of `color`, if there is one.
    pub(crate) fn left(&self, color: Color) -> Option<Duration> {
        matches!(self.pace, Pace::Clock(_)).then(|| self.left[color.index()])
    }

    /// Returns who is to move.
    pub(crate) fn mover(&self) -> Player {
        self.players.of(self.board().side_to_move())
    }

    /// Returns whether the game goes on and the engine is to move.
    pub(crate) fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && self.mover() == Player::Engine
    }

    /// Plays the legal move `mv` and charges `thought` to the clock. A fallen flag ends the game
    /// instead.
    pub(crate) fn play(&mut self, mv: Move, thought: Duration) {
        let us = self.board().side_to_move();
        let before = self.left;
        if !self.take_time(us, thought) {
            return;
        }
        if let Pace::Clock(control) = self.pace {
            self.left[us.index()] += control.increment;
        }
        self.clocks_before.push(before);
        self.undone.clear();
        self.game.play_unchecked(mv);
        self.judge();
    }

    /// Charges `thought` to the clock of `color`. Returns whether the flag is still up.
    pub(crate) fn take_time(&mut self, color: Color, thought: Duration) -> bool {
        if !matches!(self.pace, Pace::Clock(_)) {
            return true;
        }
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(thought);
        if !left.is_zero() {
            return true;
        }
        let board = self.game.board();
        let alone = board.color(!color) == board.king(!color).into();
        self.ending =
            Some(if alone { Ending::OutOfTimeDrawn(color) } else { Ending::OutOfTime(color) });
        false
    }

    pub(super) fn judge(&mut self) {
        self.ending = self.game.outcome().map(Ending::Rule);
    }

    /// Withdraws a resignation, draw agreement or claim that ended the game; the moves stay.
    /// Returns whether there was one.
    pub(crate) fn take_back_command(&mut self) -> bool {
        let by_word =
            matches!(self.ending, Some(Ending::Resigned(_) | Ending::Agreed | Ending::Claimed(_)));
        if by_word {
            self.ending = None;
        }
        by_word
    }

    /// Takes back moves until a human is to move again. Returns the number of plies.
    pub(crate) fn undo(&mut self) -> usize {
        let mut undone = 0;
        while let Some(mv) = self.game.undo() {
            let now =
                std::mem::replace(&mut self.left, self.clocks_before.pop().unwrap_or_default());
            self.undone.push((mv, now));
            undone += 1;
            if self.mover() == Player::Human {
                break;
            }
        }
        if undone > 0 {
            self.ending = None;
        }
        undone
    }

    /// Replays moves taken back until a human is to move again. Returns the number of plies.
    pub(crate) fn redo(&mut self) -> usize {
        let mut redone = 0;
        while let Some((mv, after)) = self.undone.pop() {
            self.clocks_before.push(std::mem::replace(&mut self.left, after));
            self.game.play_unchecked(mv);
            redone += 1;
            if self.mover() == Player::Human {
                break;
            }
        }
        if redone > 0 {
            self.judge();
        }
        redone
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cli::play::clock::TimeControl;
    use crate::notation::{PgnResult, San};

    pub(crate) const SECOND: Duration = Duration::from_secs(1);

    pub(crate) fn play(game: &mut PlayGame, moves: &str) {
        for san in moves.split_whitespace() {
            let mv = san.parse::<San>().unwrap().to_move(game.board()).unwrap();
            game.play(mv, SECOND);
        }
    }

    pub(crate) fn with_clock(text: &str) -> PlayGame {
        let control = TimeControl::parse(text).unwrap();
        PlayGame::new(
            Board::starting_position(),
            Players::human_with(Color::White),
            Pace::Clock(control),
        )
    }

    #[test]
    fn undo_and_redo_restore_clocks() {
        let mut game = with_clock("1+2");
        play(&mut game, "e4 e5 Nf3 Nc6");
        let (left, fen) = (game.left, game.board().to_fen());
        assert_eq!(left, [62 * SECOND; 2]);
        assert_eq!(game.undo(), 2);
        assert_eq!(game.left, [61 * SECOND; 2]);
        assert_eq!(game.undo(), 2);
        assert_eq!((game.undo(), game.left), (0, [60 * SECOND; 2]));
        assert_eq!((game.redo(), game.redo(), game.redo()), (2, 2, 0));
        assert_eq!((game.left, game.board().to_fen()), (left, fen));
        game.undo();
        play(&mut game, "d4");
        assert_eq!(game.redo(), 0);
    }

    #[test]
    fn endings_and_results() {
        let players = Players::human_with(Color::White);
        let mut game = with_clock("1+0");
        play(&mut game, "f3 e5 g4 Qh4#");
        assert_eq!(game.ending.unwrap().to_string(), "checkmate, Black wins");
        assert_eq!(game.ending.unwrap().result(), PgnResult::Won(Color::Black));
        assert_eq!(game.undo(), 2);
        assert_eq!(game.ending, None);
        assert!(!game.take_time(Color::White, 100 * SECOND));
        assert_eq!(game.ending.unwrap().to_string(), "White is out of time, Black wins");
        let lone = Board::from_fen("8/8/8/8/8/2k5/1q6/K7 w - - 0 1").unwrap();
        assert_eq!(
            PlayGame::new(lone, players, Pace::Depth(1)).ending.unwrap().to_string(),
            "checkmate, Black wins"
        );
        let lone = Board::from_fen("8/8/8/8/8/2k5/8/K6Q b - - 0 1").unwrap();
        let mut game = PlayGame::new(lone, players, with_clock("1").pace());
        game.take_time(Color::White, 61 * SECOND);
        assert_eq!(game.ending.unwrap().result(), PgnResult::Drawn);
    }
}
