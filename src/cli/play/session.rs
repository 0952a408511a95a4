//! A session of `damero play`: handles input lines and search results. Start at
//! [`Session::handle_line`] and [`Session::found`].

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::book::{BookPlayer, Openings};
use crate::cli::play::board_view::{BoardStyle, draw};
use crate::cli::play::commands::{HELP, PlayCommand, numbered_file, read_move};
use crate::cli::play::game::{Ending, Pace, PlayGame, clock_text, name};
use crate::cli::play::text::{history, legal_moves, numbered, score_text};
use crate::engine::Engine;
use crate::notation::San;
use crate::search::{Clock, Level, Limits, Reporter, SearchResult};
use crate::types::{Color, Move, Score};
use crate::uci::eval_text;

/// Events of the main loop.
pub(crate) enum Event {
    Line(String),
    EndOfInput,
    Interrupted,
    Found(SearchResult),
}

/// Whether the session continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    Quit,
}

/// Purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Move,
    Hint,
    /// Deciding on a draw offer.
    Offer,
}

/// State of a session.
#[allow(clippy::struct_excessive_bools)] // independent flags
pub(crate) struct Session {
    pub(crate) engine: Engine,
    events: Sender<Event>,
    pub(crate) game: PlayGame,
    /// Opening book, unless disabled.
    pub(crate) book: Option<BookPlayer>,
    /// Rating of the engine; `None` is full strength.
    pub(crate) elo: Option<u32>,
    style: BoardStyle,
    flipped: bool,
    /// Purpose and start of the running search.
    searching: Option<(Purpose, Instant)>,
    /// Start of the human's turn.
    pub(crate) turn_began: Instant,
    /// Lines received during a search.
    waiting: VecDeque<String>,
    /// The engine's score at its last searched move.
    last_score: Option<Score>,
    /// File that `save` without a name writes to: saved to before, or loaded from.
    pub(crate) file: Option<PathBuf>,
    pub(crate) is_saved: bool,
    announced_end: bool,
    /// A human sits at a terminal: show a prompt, and ask before discarding a game.
    pub(crate) interactive: bool,
    /// Line that would discard the game and awaits confirmation.
    asked: Option<String>,
    input_ended: bool,
}

/// Search time of a hint.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Highest score at which the engine agrees to a draw, in internal units.
const AGREEABLE: i32 = 15;
/// Before this ply of a game from the starting position, it agrees only at or below
/// [`CLEARLY_WORSE`].
const AGREEABLE_FROM_PLY: usize = 30;
const CLEARLY_WORSE: i32 = -100;
/// Nodes searched to decide on a draw offer when there is no score yet.
const OFFER_NODES: u64 = 50_000;

/// The engine's name in saved games.
pub(crate) const ENGINE: &str = concat!("Damero ", env!("CARGO_PKG_VERSION"));

/// Why a command failed.
pub(crate) enum PlayError {
    /// The output cannot be written.
    Io(io::Error),
    /// Message to the human.
    Because(String),
}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for PlayError {
    fn from(reason: String) -> Self {
        Self::Because(reason)
    }
}

/// Result of a command.
pub(crate) type CommandResult = Result<(), PlayError>;

/// Sends the result of a search to the main loop.
struct ChannelReporter(Sender<Event>);

impl Reporter for ChannelReporter {
    fn finished(&mut self, result: &SearchResult) {
        // If the loop has ended, the result is not needed.
        let _ = self.0.send(Event::Found(result.clone()));
    }
}

/// Prints a line and flushes it.
pub(crate) fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    output.flush()
}

impl Session {
    pub(crate) fn new(
        engine: Engine,
        events: Sender<Event>,
        game: PlayGame,
        style: BoardStyle,
    ) -> Self {
        Self {
            engine,
            events,
            game,
            book: None,
            elo: None,
            style,
            flipped: false,
            searching: None,
            turn_began: Instant::now(),
            waiting: VecDeque::new(),
            last_score: None,
            file: None,
            is_saved: true,
            announced_end: false,
            interactive: false,
            asked: None,
            input_ended: false,
        }
    }

    /// Marks the end of input. The session is done once no search runs and no line is queued.
    pub(crate) fn end_input(&mut self) {
        self.input_ended = true;
    }

    /// Returns whether the input has ended and nothing is pending.
    pub(crate) fn is_done(&self) -> bool {
        self.input_ended && self.searching.is_none() && self.waiting.is_empty()
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
            Some((Purpose::Move, since)) => since.elapsed(),
            _ => self.turn_began.elapsed(),
        }
    }

    /// Ends the game if the flag of the side to move has fallen.
    pub(crate) fn check_clock(&mut self) {
        let us = self.game.board().side_to_move();
        if self.game.left(us).is_some_and(|left| self.thought() >= left) {
            let thought = self.thought();
            self.game.take_time(us, thought);
            self.engine.stop();
            self.is_saved = false;
        }
    }

    /// Continues after a change of the game: announces its end, starts the engine's search, or
    /// prompts.
    pub(crate) fn begin_turn(&mut self) -> io::Result<()> {
        if let Some(ending) = self.game.ending {
            if !std::mem::replace(&mut self.announced_end, true) {
                say(&format!("Game over: {ending}. {}", ending.result()))?;
                say("Type history or pgn to review it, save FILE, undo, or new for a new game.")?;
            }
        } else if self.game.is_engines_turn() {
            if self.searching.is_none() {
                return self.think();
            }
        } else if let Some(reason) = self.game.game().claimable_draw() {
            say(&format!("You may claim a draw by {reason}: type draw."))?;
        }
        self.prompt()
    }

    fn prompt(&self) -> io::Result<()> {
        if !self.interactive || self.searching.is_some() {
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
        let claimable = self.game.game().claimable_draw();
        if let Some(reason) = claimable.filter(|_| self.last_score.is_some_and(is_no_better)) {
            self.end(Ending::Claimed(reason));
            return self.begin_turn();
        }
        if let Some(mv) = self.book.as_ref().and_then(|book| book.pick(self.game.game())) {
            return self.answer(mv, Duration::ZERO);
        }
        let us = self.game.board().side_to_move();
        let limits = match self.game.pace() {
            Pace::Depth(depth) => Limits::depth(depth),
            Pace::Time(time) => Limits::move_time(time),
            Pace::Clock(control) => Limits {
                clock: Some(Clock {
                    left: self.game.left(us).unwrap_or_default(),
                    increment: control.increment,
                    moves_to_go: None,
                }),
                ..Limits::default()
            },
        };
        self.search(Purpose::Move, limits)
    }

    fn search(&mut self, purpose: Purpose, limits: Limits) -> io::Result<()> {
        let listener = Box::new(ChannelReporter(self.events.clone()));
        // A search reports its result just before its thread ends: wait for that end.
        self.engine.wait();
        match self.engine.go(self.game.game().clone(), limits, listener) {
            Ok(()) => {
                self.searching = Some((purpose, Instant::now()));
                Ok(())
            }
            Err(error) => say(&format!("Damero cannot search: {error}")),
        }
    }

    /// Handles the result of a search.
    pub(crate) fn found(&mut self, result: &SearchResult) -> io::Result<Flow> {
        let Some((purpose, since)) = self.searching.take() else { return Ok(Flow::Continue) };
        match (purpose, result.best) {
            (Purpose::Hint, best) => {
                let board = self.game.board();
                let san =
                    best.map_or_else(|| "none".to_owned(), |mv| San::new(board, mv).to_string());
                let score = score_text(result.wdl_model.shown(result.score), board.side_to_move());
                say(&format!("Hint: {san} ({}, depth {})", score, result.depth))?;
                self.restore_level();
            }
            (Purpose::Offer, _) => {
                self.restore_level();
                // The human's flag may have fallen meanwhile.
                if self.game.ending.is_none() {
                    self.answer_offer(-result.score)?;
                }
            }
            (Purpose::Move, Some(mv)) if self.game.is_engines_turn() => {
                self.last_score = Some(result.score);
                self.answer(mv, since.elapsed())?;
                return self.hear_waiting();
            }
            // The game ended during the search.
            (Purpose::Move, _) => {}
        }
        self.begin_turn()?;
        self.hear_waiting()
    }

    /// Handles the lines received during the search.
    fn hear_waiting(&mut self) -> io::Result<Flow> {
        while self.searching.is_none()
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
        self.is_saved = false;
        if !matches!(self.game.ending, Some(Ending::OutOfTime(_) | Ending::OutOfTimeDrawn(_))) {
            self.show_board()?;
        }
        self.turn_began = Instant::now();
        self.begin_turn()
    }

    /// Handles a line, or queues it until the search has ended.
    pub(crate) fn handle_line(&mut self, line: &str) -> io::Result<Flow> {
        let Some(word) = PlayCommand::parse(line) else {
            self.prompt()?;
            return Ok(Flow::Continue);
        };
        if self.searching.is_some() {
            match word {
                // A human need not wait; lines from a pipe are handled in order.
                PlayCommand::Quit if self.interactive => {}
                PlayCommand::Now => {
                    self.engine.stop();
                    return Ok(Flow::Continue);
                }
                _ => {
                    self.waiting.push_back(line.to_owned());
                    return Ok(Flow::Continue);
                }
            }
        }
        self.check_clock();
        let leaves_game = match &word {
            PlayCommand::Quit | PlayCommand::New(_) | PlayCommand::Load(_) => true,
            PlayCommand::Fen(fen) => !fen.is_empty(),
            _ => false,
        };
        let confirmed = self.asked.take().is_some_and(|asked| asked == line.trim());
        if leaves_game && self.would_lose_game() && !confirmed {
            self.asked = Some(line.trim().to_owned());
            say("The game is not saved. Type save FILE, or repeat the command to discard it.")?;
            self.prompt()?;
            return Ok(Flow::Continue);
        }
        if word == PlayCommand::Quit {
            return Ok(Flow::Quit);
        }
        match self.execute(word) {
            Ok(()) => {}
            Err(PlayError::Because(reason)) => say(&reason)?,
            Err(PlayError::Io(error)) => return Err(error),
        }
        self.begin_turn()?;
        Ok(Flow::Continue)
    }

    /// Returns whether a human would lose an unsaved game.
    fn would_lose_game(&self) -> bool {
        self.interactive && self.is_unsaved()
    }

    fn is_unsaved(&self) -> bool {
        !self.is_saved && !self.game.game().moves().is_empty()
    }

    /// Executes a command.
    fn execute(&mut self, word: PlayCommand) -> CommandResult {
        match word {
            PlayCommand::Help => say(HELP)?,
            PlayCommand::Board => self.show_board()?,
            PlayCommand::GenType(square) => say(&legal_moves(self.game.board(), square))?,
            PlayCommand::History => say(&self.history())?,
            PlayCommand::Eval => say(&self.evaluation())?,
            PlayCommand::Pgn => say(self.pgn().trim_end())?,
            PlayCommand::Flip => {
                self.flipped = !self.flipped;
                self.show_board()?;
            }
            PlayCommand::Move(text) => self.play(&text)?,
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Undo if self.game.take_back_command() => {
                (self.announced_end, self.is_saved, self.last_score) = (false, false, None);
                self.turn_began = Instant::now();
                say("The game continues.")?;
            }
            PlayCommand::Undo => self.go_back_or_on("undo", PlayGame::undo)?,
            PlayCommand::Redo => self.go_back_or_on("redo", PlayGame::redo)?,
            PlayCommand::Level(text) => self.change_level(&text)?,
            PlayCommand::Clock(text) => self.change_pace(&text)?,
            PlayCommand::New(side) => {
                let side = side.unwrap_or(self.game.human);
                self.start_over(Board::starting_position(), side)?;
            }
            PlayCommand::Fen(fen) if fen.is_empty() => say(&self.game.board().to_fen())?,
            PlayCommand::Fen(fen) => {
                let board = Board::from_fen(&fen).map_err(|error| error.to_string())?;
                self.start_over(board, self.game.human)?;
            }
            PlayCommand::Save { file, replace } => self.save(&file, replace)?,
            PlayCommand::Load(file) => {
                let (file, number) = numbered_file(&file)?;
                let text = self.load(Path::new(file), number)?;
                self.show_board()?;
                say(&text)?;
            }
            PlayCommand::Draw => self.offer_draw()?,
            PlayCommand::Resign => {
                self.must_be_playing()?;
                self.end(Ending::Resigned(self.game.human));
            }
            PlayCommand::Now => return Err("It is your turn.".to_owned().into()),
            PlayCommand::Quit => {}
        }
        Ok(())
    }

    fn must_be_playing(&self) -> CommandResult {
        if self.game.ending.is_some() {
            let text = "The game is over. Type undo to take back moves, or new for a new game.";
            return Err(text.to_owned().into());
        }
        Ok(())
    }

    fn end(&mut self, ending: Ending) {
        self.game.ending = Some(ending);
        self.is_saved = false;
    }

    fn play(&mut self, text: &str) -> CommandResult {
        self.must_be_playing()?;
        let mv = read_move(self.game.board(), text)?;
        let thought = self.thought();
        self.game.play(mv, thought);
        self.is_saved = false;
        // Show a human the move while the engine thinks; a pipe gets the board with the reply.
        if self.interactive || self.game.ending.is_some() {
            self.show_board()?;
        }
        Ok(())
    }

    fn hint(&mut self) -> CommandResult {
        self.must_be_playing()?;
        self.engine.set_level(Level::full());
        self.search(Purpose::Hint, Limits::move_time(HINT_TIME))?;
        Ok(())
    }

    fn go_back_or_on(
        &mut self,
        what: &str,
        step: impl FnOnce(&mut PlayGame) -> usize,
    ) -> CommandResult {
        if step(&mut self.game) == 0 {
            return Err(format!("nothing to {what}").into());
        }
        (self.announced_end, self.is_saved, self.last_score) = (false, false, None);
        self.turn_began = Instant::now();
        self.show_board()?;
        Ok(())
    }

    fn start_over(&mut self, start: Board, side: Color) -> CommandResult {
        self.replace_game(PlayGame::new(start, side, self.game.pace()));
        self.show_board()?;
        Ok(())
    }

    pub(crate) fn replace_game(&mut self, game: PlayGame) {
        self.game = game;
        self.engine.new_game();
        if let Some(book) = &mut self.book {
            book.new_game();
        }
        (self.announced_end, self.is_saved, self.last_score) = (false, true, None);
        (self.file, self.flipped) = (None, false);
        self.turn_began = Instant::now();
    }

    fn history(&self) -> String {
        let game = self.game.game();
        match Openings::embedded().name(game) {
            Some(opening) => format!("{opening}\n{}", history(game)),
            None => history(game),
        }
    }

    fn offer_draw(&mut self) -> CommandResult {
        self.must_be_playing()?;
        if let Some(reason) = self.game.game().claimable_draw() {
            self.end(Ending::Claimed(reason));
        } else if let Some(score) = self.last_score {
            self.answer_offer(score)?;
        } else {
            // No score yet: the game was just set up, loaded or taken back, or is still in book.
            self.engine.set_level(Level::full());
            self.search(Purpose::Offer, Limits::nodes(OFFER_NODES))?;
        }
        Ok(())
    }

    /// Accepts or declines a draw offer, given the engine's `score`.
    fn answer_offer(&mut self, score: Score) -> io::Result<()> {
        let game = self.game.game();
        let is_opening = game.start().to_fen() == Board::START_FEN
            && game.moves().len() < AGREEABLE_FROM_PLY
            && score.value() > CLEARLY_WORSE;
        if is_no_better(score) && !is_opening {
            self.end(Ending::Agreed);
            return Ok(());
        }
        say("Damero declines the draw.")
    }

    fn evaluation(&self) -> String {
        if self.game.board().in_check() || self.game.ending.is_some() {
            return "No static evaluation in check or after the end of the game.".to_owned();
        }
        eval_text(self.game.board())
    }

    fn show_board(&self) -> io::Result<()> {
        let from = if self.flipped { !self.game.human } else { self.game.human };
        let last = self.game.game().moves().last().copied();
        let board = self.game.board();
        say("")?;
        say(draw(board, last, from, self.style).trim_end_matches('\n'))?;
        let mut status = Vec::new();
        if let Some(mv) = last {
            let positions = self.game.game().positions();
            let before = &positions[positions.len() - 2];
            let who = if before.side_to_move() == self.game.human { "You" } else { "Damero" };
            status.push(format!("{who} played {}", numbered(before, mv)));
        }
        if board.in_check() {
            status.push(format!("{} is in check", name(board.side_to_move())));
        }
        if let (Some(white), Some(black)) =
            (self.game.left(Color::White), self.game.left(Color::Black))
        {
            status.push(format!("White {}, Black {}", clock_text(white), clock_text(black)));
        }
        if status.is_empty() { Ok(()) } else { say(&format!("   {}", status.join("; "))) }
    }

    pub(crate) fn say_welcome(&self) -> io::Result<()> {
        say(&format!(
            "{ENGINE}, {}; {}. You play {}. Type a move, or help.",
            self.level_text(),
            self.game.pace(),
            name(self.game.human)
        ))?;
        self.show_board()
    }

    /// Prints an unsaved game, at the end of input or on `quit` in a pipe.
    pub(crate) fn say_what_was_played(&self) -> io::Result<()> {
        if self.is_unsaved() { self.say_goodbye() } else { Ok(()) }
    }

    /// Applies command-line options that override a loaded game.
    pub(crate) fn overrule(&mut self, human: Option<Color>, pace: Option<Pace>) {
        if let Some(human) = human {
            self.game.human = human;
        }
        if let Some(pace) = pace {
            self.game.set_pace(pace);
        }
    }

    /// Stops the search and prints an unsaved game, also on Ctrl-C.
    pub(crate) fn say_goodbye(&self) -> io::Result<()> {
        self.engine.stop();
        if !self.is_unsaved() {
            return say("");
        }
        say(&format!("\n\n{}", self.pgn()))
    }
}

/// Returns whether the engine would take a draw at `score`.
fn is_no_better(score: Score) -> bool {
    score.value() <= AGREEABLE
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use super::*;

    /// Returns an interactive session after one move and its reply.
    fn in_a_game() -> (Session, Receiver<Event>) {
        let (sender, events) = mpsc::channel();
        let game = PlayGame::new(Board::starting_position(), Color::White, Pace::Depth(1));
        let style = BoardStyle { unicode: false, color: false };
        let mut session = Session::new(Engine::new(1).unwrap(), sender, game, style);
        session.interactive = true;
        assert_eq!(session.handle_line("e4\n").unwrap(), Flow::Continue);
        let Ok(Event::Found(result)) = events.recv() else { panic!("no answer") };
        session.found(&result).unwrap();
        assert_eq!(session.game.game().moves().len(), 2);
        (session, events)
    }

    #[test]
    fn only_the_same_line_confirms_discarding_a_game() {
        let (mut session, _events) = in_a_game();
        let kept = |session: &Session| session.game.game().moves().len() == 2;
        for line in ["new", "quit", "load a", "load b", "new black", "new white\n"] {
            assert_eq!(session.handle_line(line).unwrap(), Flow::Continue, "{line}");
            assert!(kept(&session), "{line}");
        }
        // Any other line cancels the question.
        session.handle_line("history").unwrap();
        session.handle_line("new white").unwrap();
        assert!(kept(&session));
        session.handle_line(" new white").unwrap();
        assert!(!kept(&session));
        let (mut session, _events) = in_a_game();
        assert_eq!(session.handle_line("quit").unwrap(), Flow::Continue);
        assert_eq!(session.handle_line("quit\n").unwrap(), Flow::Quit);
    }
}
