//! A session of `damero play`: its state, and the lines a human types. Start at
//! [`Session::handle_line`].

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::Instant;

use crate::board::Board;
use crate::book::{BookPlayer, Openings};
use crate::cli::play::board_view::{BoardStyle, draw};
use crate::cli::play::clock::{Pace, clock_text};
use crate::cli::play::commands::{HELP, PlayCommand, numbered_file, read_move};
use crate::cli::play::ending::{Ending, name};
use crate::cli::play::game::PlayGame;
use crate::cli::play::opponent::Opponent;
use crate::cli::play::players::{Player, Players};
use crate::cli::play::text::{history, legal_moves, numbered};
use crate::eval::EvalKind;
use crate::search::{Reporter, SearchResult};
use crate::types::{Color, Move};
use crate::uci::eval_text;

/// Events of the main loop.
pub(crate) enum Event {
    Line(String),
    EndOfInput,
    Interrupted,
    /// The result of a search, with its number.
    Found(u64, SearchResult),
}

/// Whether the session continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    Quit,
}

/// Purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Move,
    Hint,
    /// Deciding on a draw offer.
    Offer,
    /// Thinking on the human's time, in the hope that the human plays this move.
    Ponder(Move),
}

/// A running search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) purpose: Purpose,
    pub(crate) since: Instant,
    /// Tells its result from that of an abandoned search.
    pub(crate) number: u64,
    /// Index of the engine running the search.
    pub(crate) engine: usize,
}

/// State of a session.
#[allow(clippy::struct_excessive_bools)] // independent flags
pub(crate) struct Session {
    /// The engines, by the colour they play; a single one plays either colour.
    pub(crate) opponents: Vec<Opponent>,
    pub(crate) events: Sender<Event>,
    pub(crate) game: PlayGame,
    /// Opening book, unless disabled.
    pub(crate) book: Option<BookPlayer>,
    /// Whether the engine may think on the human's time.
    pub(crate) ponders: bool,
    /// The reply that the engine expects to its last move.
    pub(crate) expected: Option<Move>,
    style: BoardStyle,
    flipped: bool,
    pub(crate) searching: Option<Search>,
    /// Number of searches started so far.
    pub(crate) searches: u64,
    /// Start of the turn.
    pub(crate) turn_began: Instant,
    /// Lines received during a search.
    pub(crate) waiting: VecDeque<String>,
    /// File that `save` without a name writes to: saved to before, or loaded from.
    pub(crate) file: Option<PathBuf>,
    pub(crate) is_saved: bool,
    pub(crate) announced_end: bool,
    /// A human sits at a terminal: show a prompt, and ask before discarding a game.
    pub(crate) interactive: bool,
    /// Line that would discard the game, or agree to a draw, and awaits confirmation.
    asked: Option<String>,
    input_ended: bool,
}

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
pub(crate) struct ChannelReporter {
    number: u64,
    events: Sender<Event>,
}

impl ChannelReporter {
    pub(crate) fn new(number: u64, events: Sender<Event>) -> Self {
        Self { number, events }
    }
}

impl Reporter for ChannelReporter {
    fn finished(&mut self, result: &SearchResult) {
        // If the loop has ended, the result is not needed.
        let _ = self.events.send(Event::Found(self.number, result.clone()));
    }
}

/// Prints a line and flushes it.
pub(crate) fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    output.flush()
}

impl Session {
    /// Creates a session; `opponents` has an engine for each colour, or one for both.
    pub(crate) fn new(
        opponents: Vec<Opponent>,
        events: Sender<Event>,
        game: PlayGame,
        style: BoardStyle,
    ) -> Self {
        Self {
            opponents,
            events,
            game,
            book: None,
            ponders: true,
            expected: None,
            style,
            flipped: false,
            searching: None,
            searches: 0,
            turn_began: Instant::now(),
            waiting: VecDeque::new(),
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
        self.input_ended && !self.is_busy() && self.waiting.is_empty()
    }

    /// Handles a line, or queues it until the search has ended.
    pub(crate) fn handle_line(&mut self, line: &str) -> io::Result<Flow> {
        let Some(command) = PlayCommand::parse(line) else {
            self.prompt()?;
            return Ok(Flow::Continue);
        };
        if self.is_busy() {
            match command {
                // A human need not wait; lines from a pipe are handled in order.
                PlayCommand::Quit if self.interactive => {}
                PlayCommand::Now => {
                    self.stop_search();
                    return Ok(Flow::Continue);
                }
                _ => {
                    self.waiting.push_back(line.to_owned());
                    return Ok(Flow::Continue);
                }
            }
        }
        self.check_clock();
        let leaves_game = match &command {
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
        if command == PlayCommand::Quit {
            return Ok(Flow::Quit);
        }
        if command.needs_engine() {
            self.stop_pondering();
        }
        match self.execute(command, confirmed) {
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

    /// Executes a command. `confirmed` tells whether it is repeated after a question.
    fn execute(&mut self, command: PlayCommand, confirmed: bool) -> CommandResult {
        match command {
            PlayCommand::Help => say(HELP)?,
            PlayCommand::Board => self.show_board()?,
            PlayCommand::Moves(square) => say(&legal_moves(self.game.board(), square))?,
            PlayCommand::History => say(&self.history())?,
            PlayCommand::Eval => say(&self.evaluation())?,
            PlayCommand::Pgn => say(self.pgn().trim_end())?,
            PlayCommand::Flip => {
                self.flipped = !self.flipped;
                self.show_board()?;
            }
            PlayCommand::Move(text) => self.play(&text)?,
            PlayCommand::Hint => {
                self.must_be_playing()?;
                self.search_hint()?;
            }
            PlayCommand::Undo if self.game.take_back_command() => {
                self.forget_turn();
                say("The game continues.")?;
            }
            PlayCommand::Undo => self.go_back_or_on("undo", PlayGame::undo)?,
            PlayCommand::Redo => self.go_back_or_on("redo", PlayGame::redo)?,
            PlayCommand::Level(text) => self.change_level(&text)?,
            PlayCommand::Clock(text) => self.change_pace(&text)?,
            PlayCommand::New(side) => {
                let players = side.map_or(self.game.players, Players::human_with);
                self.start_over(Board::starting_position(), players)?;
            }
            PlayCommand::Fen(fen) if fen.is_empty() => say(&self.game.board().to_fen())?,
            PlayCommand::Fen(fen) => {
                let board = Board::from_fen(&fen).map_err(|error| error.to_string())?;
                self.start_over(board, self.game.players)?;
            }
            PlayCommand::Save { file, replace } => self.save(&file, replace)?,
            PlayCommand::Load(file) => {
                let (file, number) = numbered_file(&file)?;
                let text = self.load(Path::new(file), number)?;
                self.show_board()?;
                say(&text)?;
            }
            PlayCommand::Draw => self.offer_draw(confirmed)?,
            PlayCommand::Resign => self.resign()?,
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

    pub(crate) fn end(&mut self, ending: Ending) {
        self.game.ending = Some(ending);
        self.is_saved = false;
    }

    /// Plays a human's move.
    fn play(&mut self, text: &str) -> CommandResult {
        self.must_be_playing()?;
        if self.game.mover() == Player::Engine {
            return Err("It is not your turn.".to_owned().into());
        }
        let mv = read_move(self.game.board(), text)?;
        let thought = self.thought();
        self.game.play(mv, thought);
        self.ponder_hit(mv);
        (self.is_saved, self.expected) = (false, None);
        self.turn_began = Instant::now();
        // Show a human the move while the engine thinks; a pipe gets the board with the reply.
        if self.interactive || self.game.ending.is_some() || self.game.mover() == Player::Human {
            self.show_board()?;
        }
        Ok(())
    }

    /// Forgets what belongs to the turn that was left by undo, redo or the like.
    fn forget_turn(&mut self) {
        (self.announced_end, self.is_saved, self.expected) = (false, false, None);
        for opponent in &mut self.opponents {
            opponent.last_score = None;
        }
        self.turn_began = Instant::now();
    }

    fn go_back_or_on(
        &mut self,
        what: &str,
        step: impl FnOnce(&mut PlayGame) -> usize,
    ) -> CommandResult {
        if self.game.players.engines() == 2 {
            return Err(format!("{what} is for a human player").into());
        }
        if step(&mut self.game) == 0 {
            return Err(format!("nothing to {what}").into());
        }
        self.forget_turn();
        self.show_board()?;
        Ok(())
    }

    fn start_over(&mut self, start: Board, players: Players) -> CommandResult {
        self.replace_game(PlayGame::new(start, players, self.game.pace()));
        self.show_board()?;
        Ok(())
    }

    pub(crate) fn replace_game(&mut self, game: PlayGame) {
        self.game = game;
        for opponent in &mut self.opponents {
            opponent.engine.new_game();
        }
        if let Some(book) = &mut self.book {
            book.new_game();
        }
        self.forget_turn();
        (self.file, self.flipped, self.is_saved) = (None, false, true);
    }

    fn history(&self) -> String {
        let game = self.game.game();
        match Openings::embedded().name(game) {
            Some(opening) => format!("{opening}\n{}", history(game)),
            None => history(game),
        }
    }

    /// Claims a draw, or offers one: to the engine, or to the human at the same board, who accepts
    /// by repeating the command.
    fn offer_draw(&mut self, confirmed: bool) -> CommandResult {
        self.must_be_playing()?;
        let us = self.game.board().side_to_move();
        if let Some(reason) = self.game.game().claimable_draw() {
            self.end(Ending::Claimed(reason));
        } else if self.game.players.engines() == 0 {
            if confirmed {
                self.end(Ending::Agreed);
            } else {
                self.asked = Some("draw".to_owned());
                say(&format!("{} offers a draw. Repeat draw to accept it.", name(us)))?;
            }
        } else {
            let index = self.engine_of(!us);
            match self.opponents[index].last_score {
                Some(score) => self.answer_offer(score)?,
                // No score yet: the game was just set up, loaded or taken back, or is in book.
                None => self.search_offer(index)?,
            }
        }
        Ok(())
    }

    fn resign(&mut self) -> CommandResult {
        self.must_be_playing()?;
        let players = self.game.players;
        if players.engines() == 2 {
            return Err("there is no human player to resign".to_owned().into());
        }
        let loser = players.lone_human().unwrap_or(self.game.board().side_to_move());
        self.end(Ending::Resigned(loser));
        Ok(())
    }

    fn evaluation(&self) -> String {
        if self.game.board().in_check() || self.game.ending.is_some() {
            return "No static evaluation in check or after the end of the game.".to_owned();
        }
        eval_text(self.game.board(), &EvalKind::default())
    }

    pub(crate) fn show_board(&self) -> io::Result<()> {
        let players = self.game.players;
        let below = players.lone_human().unwrap_or(Color::White);
        let below = if self.flipped { !below } else { below };
        let last = self.game.game().moves().last().copied();
        let board = self.game.board();
        say("")?;
        say(draw(board, last, below, self.style).trim_end_matches('\n'))?;
        let mut status = Vec::new();
        if let Some(mv) = last {
            let positions = self.game.game().positions();
            let before = &positions[positions.len() - 2];
            let who = players.who(before.side_to_move());
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
        let (level, pace, players) = (self.level_text(), self.game.pace(), self.game.players);
        let who = players.text();
        let text = match players.engines() {
            0 => format!("{ENGINE}; {}. {who} Type a move, or help.", pace.without_engine()),
            1 => format!("{ENGINE}, {level}; {pace}. {who} Type a move, or help."),
            _ => format!("{ENGINE}, {level}; {pace}. {who}"),
        };
        say(&text)?;
        self.show_board()
    }

    /// Prints an unsaved game, at the end of input or on `quit` in a pipe.
    pub(crate) fn say_what_was_played(&self) -> io::Result<()> {
        if self.is_unsaved() { self.say_goodbye() } else { Ok(()) }
    }

    /// Applies command-line options that override a loaded game.
    pub(crate) fn override_loaded(&mut self, human: Option<Color>, pace: Option<Pace>) {
        if let Some(human) = human {
            self.game.players = Players::human_with(human);
        }
        if let Some(pace) = pace {
            self.game.set_pace(pace);
        }
    }

    /// Stops the search and prints an unsaved game, also on Ctrl-C.
    pub(crate) fn say_goodbye(&self) -> io::Result<()> {
        self.stop_search();
        if !self.is_unsaved() {
            return say("");
        }
        say(&format!("\n\n{}", self.pgn()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use super::*;
    use crate::engine::Engine;
    use crate::notation::{CastlingStyle, UciMove};

    /// Returns an interactive session after one move and its reply.
    fn in_a_game() -> (Session, Receiver<Event>) {
        let (sender, events) = mpsc::channel();
        let game = PlayGame::new(
            Board::starting_position(),
            Players::human_with(Color::White),
            Pace::Depth(1),
        );
        let opponent = Opponent::new(Engine::new(1).unwrap(), None);
        let style = BoardStyle { unicode: false, color: false };
        let mut session = Session::new(vec![opponent], sender, game, style);
        session.interactive = true;
        assert_eq!(session.handle_line("e4\n").unwrap(), Flow::Continue);
        let Ok(Event::Found(number, result)) = events.recv() else { panic!("no answer") };
        session.found(number, &result).unwrap();
        assert_eq!(session.game.game().moves().len(), 2);
        (session, events)
    }

    /// Waits for the result of the running search and handles it.
    fn answer(session: &mut Session, events: &Receiver<Event>) -> u64 {
        let number = session.searching.unwrap().number;
        loop {
            let Ok(Event::Found(found, result)) = events.recv() else { panic!("no answer") };
            session.found(found, &result).unwrap();
            if found == number {
                return number;
            }
        }
    }

    /// Returns the move that the session ponders, in coordinates.
    fn pondered(session: &Session) -> Option<String> {
        match session.searching?.purpose {
            Purpose::Ponder(mv) => Some(UciMove::new(mv, CastlingStyle::KingMoves).to_string()),
            _ => None,
        }
    }

    #[test]
    fn engine_ponders_on_the_humans_time() {
        let (mut session, events) = in_a_game();
        assert_eq!(pondered(&session), None, "not at a fixed depth");
        session.game.set_pace(Pace::Time(Duration::from_millis(30)));
        session.handle_line("d4").unwrap();
        answer(&mut session, &events);
        let expected = pondered(&session).expect("it expects a reply");
        // What needs no engine leaves it alone.
        let number = session.searching.unwrap().number;
        session.handle_line("history").unwrap();
        assert_eq!(session.searching.unwrap().number, number);
        // The expected move: the same search goes on and gives the answer.
        session.handle_line(&expected).unwrap();
        assert!(session.is_busy());
        assert_eq!(answer(&mut session, &events), number);
        assert_eq!(session.game.game().moves().len(), 6);
        // Another move: a new search, and the result of the old one is ignored.
        let (number, expected) = (session.searching.unwrap().number, pondered(&session).unwrap());
        let other = session
            .game
            .board()
            .legal_moves()
            .iter()
            .map(|&mv| UciMove::new(mv, CastlingStyle::KingMoves).to_string())
            .find(|text| *text != expected)
            .unwrap();
        session.handle_line(&other).unwrap();
        assert!(answer(&mut session, &events) > number);
        assert_eq!(session.game.game().moves().len(), 8);
        session.handle_line("level 1500").unwrap();
        assert!(pondered(&session).is_none(), "not below full strength");
        session.handle_line("level full").unwrap();
        session.ponders = false;
        session.stop_pondering();
        session.begin_turn().unwrap();
        assert!(session.searching.is_none());
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
