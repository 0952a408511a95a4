//! Whose turn it is: starts the engine's searches, ponders, and handles their results. Start at
//! [`Session::begin_turn`] and [`Session::found`].

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::board::Game;
use crate::cli::play::ending::{Ending, name};
use crate::cli::play::opponent::{agrees_to_draw, is_no_better, limits};
use crate::cli::play::players::Player;
use crate::cli::play::session::{ChannelReporter, Flow, Purpose, Search, Session, say};
use crate::cli::play::text::score_text;
use crate::notation::San;
use crate::search::{Level, Limits, SearchResult};
use crate::types::{Color, Move, Score};

/// Search time of a hint.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Nodes searched to decide on a draw offer when there is no score yet.
const OFFER_NODES: u64 = 50_000;

impl Session {
    /// Returns whether a search runs that the human waits for.
    pub(crate) fn is_busy(&self) -> bool {
        self.searching.is_some_and(|search| !matches!(search.purpose, Purpose::Ponder(_)))
    }

    /// Returns the index of the engine that plays `color`, or that helps it.
    pub(crate) fn engine_of(&self, color: Color) -> usize {
        color.index().min(self.opponents.len() - 1)
    }

    /// Returns the time left to the side to move, if a clock is running.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        if self.game.ending.is_some() {
            return None;
        }
        let left = self.game.left(self.game.board().side_to_move())?;
        // One millisecond more, so that the flag has fallen when it is checked.
        Some((left + Duration::from_millis(1)).saturating_sub(self.thought()))
    }

    /// Returns how long the side to move has been thinking.
    pub(crate) fn thought(&self) -> Duration {
        match self.searching {
            Some(Search { purpose: Purpose::Move, since, .. }) => since.elapsed(),
            _ => self.turn_began.elapsed(),
        }
    }

    /// Ends the game if the flag of the side to move has fallen.
    pub(crate) fn check_clock(&mut self) {
        let us = self.game.board().side_to_move();
        if self.game.left(us).is_some_and(|left| self.thought() >= left) {
            let thought = self.thought();
            self.game.take_time(us, thought);
            self.stop_search();
            self.is_saved = false;
        }
    }

    /// Stops a running search; its result is reported as usual.
    pub(crate) fn stop_search(&self) {
        if let Some(search) = self.searching {
            self.opponents[search.engine].engine.stop();
        }
    }

    /// Abandons pondering.
    pub(crate) fn stop_pondering(&mut self) {
        if self.searching.is_some() && !self.is_busy() {
            self.stop_search();
            self.searching = None;
        }
    }

    /// Continues after a change of the game: announces its end, starts the engine's search, or
    /// prompts.
    pub(crate) fn begin_turn(&mut self) -> io::Result<()> {
        if let Some(ending) = self.game.ending {
            self.stop_pondering();
            if !std::mem::replace(&mut self.announced_end, true) {
                say(&format!("Game over: {ending}. {}", ending.result()))?;
                say("Type history or pgn to review it, save FILE, undo, or new for a new game.")?;
            }
        } else if self.game.mover() == Player::Engine {
            if self.searching.is_none() {
                return self.think();
            }
        } else {
            if let Some(reason) = self.game.game().claimable_draw() {
                say(&format!("You may claim a draw by {reason}: type draw."))?;
            }
            self.ponder()?;
        }
        self.prompt()
    }

    pub(crate) fn prompt(&self) -> io::Result<()> {
        if !self.interactive || self.is_busy() {
            return Ok(());
        }
        let board = self.game.board();
        let prompt = match self.game.ending {
            Some(_) => "> ".to_owned(),
            None => format!("{}. {}> ", board.fullmove_number(), name(board.side_to_move())),
        };
        let mut output = io::stdout().lock();
        write!(output, "{prompt}")?;
        output.flush()
    }

    fn think(&mut self) -> io::Result<()> {
        let us = self.game.board().side_to_move();
        let index = self.engine_of(us);
        let opponent = &self.opponents[index];
        let claimable = self.game.game().claimable_draw();
        if let Some(reason) = claimable.filter(|_| opponent.last_score.is_some_and(is_no_better)) {
            self.end(Ending::Claimed(reason));
            return self.begin_turn();
        }
        let book_depth = opponent.book_depth();
        if let Some(book) = &mut self.book {
            book.depth = book_depth;
            if let Some(mv) = book.pick(self.game.game()) {
                self.answer(mv, Duration::ZERO)?;
                return self.begin_turn();
            }
        }
        let limits = limits(self.game.pace(), self.game.left(us));
        self.search(index, Purpose::Move, self.game.game().clone(), limits)
    }

    /// Thinks on the human's time about the expected reply, unless that is of no use.
    fn ponder(&mut self) -> io::Result<()> {
        let them = !self.game.board().side_to_move();
        let Some(expected) = self.expected.filter(|&mv| self.game.board().is_legal(mv)) else {
            return Ok(());
        };
        let index = self.engine_of(them);
        let pace = self.game.pace();
        let mut game = self.game.game().clone();
        game.play_unchecked(expected);
        let is_useful = self.ponders
            && self.searching.is_none()
            && self.game.players.of(them) == Player::Engine
            && self.opponents[index].ponders(pace)
            && game.outcome().is_none();
        if !is_useful {
            return Ok(());
        }
        let limits = Limits { ponder: true, ..limits(pace, self.game.left(them)) };
        self.search(index, Purpose::Ponder(expected), game, limits)
    }

    /// Turns pondering into the search for the reply if the human has played the expected move.
    /// Otherwise pondering is abandoned.
    pub(crate) fn ponder_hit(&mut self, played: Move) {
        if let Some(search) = &mut self.searching
            && search.purpose == Purpose::Ponder(played)
        {
            (search.purpose, search.since) = (Purpose::Move, Instant::now());
            self.opponents[search.engine].engine.ponder_hit();
        } else {
            self.stop_pondering();
        }
    }

    /// Searches for a hint at full strength.
    pub(crate) fn search_hint(&mut self) -> io::Result<()> {
        let index = self.engine_of(!self.game.board().side_to_move());
        self.opponents[index].engine.set_level(Level::full());
        self.search(index, Purpose::Hint, self.game.game().clone(), Limits::move_time(HINT_TIME))
    }

    /// Searches to decide on a draw offer, at full strength.
    pub(crate) fn search_offer(&mut self, index: usize) -> io::Result<()> {
        self.opponents[index].engine.set_level(Level::full());
        self.search(index, Purpose::Offer, self.game.game().clone(), Limits::nodes(OFFER_NODES))
    }

    fn search(
        &mut self,
        engine: usize,
        purpose: Purpose,
        game: Game,
        limits: Limits,
    ) -> io::Result<()> {
        self.searches += 1;
        let number = self.searches;
        let reporter = Box::new(ChannelReporter::new(number, self.events.clone()));
        let opponent = &mut self.opponents[engine];
        // A search reports its result just before its thread ends: wait for that end.
        opponent.engine.wait();
        match opponent.engine.go(game, limits, reporter) {
            Ok(()) => {
                self.searching = Some(Search { purpose, since: Instant::now(), number, engine });
                Ok(())
            }
            Err(error) => say(&format!("Damero cannot search: {error}")),
        }
    }

    /// Handles the result of search `number`.
    pub(crate) fn found(&mut self, number: u64, result: &SearchResult) -> io::Result<Flow> {
        let Some(search) = self.searching.filter(|search| search.number == number) else {
            return Ok(Flow::Continue); // the result of an abandoned search
        };
        self.searching = None;
        match (search.purpose, result.best) {
            (Purpose::Hint, best) => {
                let board = self.game.board();
                let san =
                    best.map_or_else(|| "none".to_owned(), |mv| San::new(board, mv).to_string());
                let score = result.wdl_model.shown(result.score);
                let score = score_text(score, board.side_to_move());
                say(&format!("Hint: {san} ({score}, depth {})", result.depth))?;
                self.restore_level(search.engine);
            }
            (Purpose::Offer, _) => {
                self.restore_level(search.engine);
                // The human's flag may have fallen meanwhile.
                if self.game.ending.is_none() {
                    self.answer_offer(-result.score)?;
                }
            }
            (Purpose::Move, Some(mv)) if self.game.is_engines_turn() => {
                self.opponents[search.engine].last_score = Some(result.score);
                self.answer(mv, search.since.elapsed())?;
                self.expected = result.ponder;
            }
            // The game ended during the search, or pondering ended by itself.
            (Purpose::Move | Purpose::Ponder(_), _) => {}
        }
        // Between two moves of a game without a human, commands come first.
        if !self.waiting.is_empty() && self.game.is_engines_turn() {
            self.prompt()?;
        } else {
            self.begin_turn()?;
        }
        if self.handle_waiting()? == Flow::Quit {
            return Ok(Flow::Quit);
        }
        if self.searching.is_none() && self.game.is_engines_turn() {
            self.begin_turn()?;
        }
        Ok(Flow::Continue)
    }

    /// Handles the lines received during the search.
    fn handle_waiting(&mut self) -> io::Result<Flow> {
        while !self.is_busy()
            && let Some(line) = self.waiting.pop_front()
        {
            if self.interactive {
                say(line.trim_end())?;
            }
            if self.handle_line(&line)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::Continue)
    }

    /// Plays the engine's move `mv`, found in the time `thought`.
    fn answer(&mut self, mv: Move, thought: Duration) -> io::Result<()> {
        self.game.play(mv, thought);
        (self.is_saved, self.expected) = (false, None);
        if !matches!(self.game.ending, Some(Ending::OutOfTime(_) | Ending::OutOfTimeDrawn(_))) {
            self.show_board()?;
        }
        self.turn_began = Instant::now();
        Ok(())
    }

    /// Accepts or declines a draw offer, given the engine's `score`.
    pub(crate) fn answer_offer(&mut self, score: Score) -> io::Result<()> {
        if agrees_to_draw(self.game.game(), score) {
            self.end(Ending::Agreed);
            return Ok(());
        }
        say("Damero declines the draw.")
    }

    /// Sets an engine's level again after a search at full strength.
    fn restore_level(&mut self, index: usize) {
        let opponent = &mut self.opponents[index];
        opponent.engine.set_level(opponent.level());
    }
}
