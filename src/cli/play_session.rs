//! A game against a person: what is done with each line that is typed and each move that is found.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::play_board::{Look, draw};
use super::play_match::{Ending, Match, Pace, clock_text, name};
use super::play_text::{history, legal_moves, numbered, score_text};
use super::play_words::{HELP, Word, numbered_file, read_move};
use crate::board::Board;
use crate::book::{BookPlayer, Openings};
use crate::engine::Engine;
use crate::notation::San;
use crate::search::{Clock, Level, Limits, Reporter, SearchResult};
use crate::types::{Color, Move, Score};
use crate::uci::eval_text;

/// What the loop waits for.
pub(super) enum Event {
    Line(String),
    EndOfInput,
    Interrupted,
    Found(SearchResult),
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    Continue,
    Quit,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Move,
    Hint,
    /// Whether a draw is welcome.
    Offer,
}

/// What lasts from one line to the next.
#[allow(clippy::struct_excessive_bools)] // facts that have nothing to do with each other
pub(super) struct Session {
    pub(super) engine: Engine,
    events: Sender<Event>,
    pub(super) game: Match,
    /// The openings it plays by heart, if it may.
    pub(super) book: Option<BookPlayer>,
    /// The opponent's rating; `None` is full strength.
    pub(super) elo: Option<u32>,
    look: Look,
    flipped: bool,
    /// The search that is running, and since when.
    searching: Option<(Purpose, Instant)>,
    /// Since when the person has been to move.
    pub(super) turn_began: Instant,
    /// Lines that came while the engine was thinking.
    waiting: VecDeque<String>,
    /// What the engine thought of its position at its last move.
    last_score: Option<Score>,
    /// The file that the game was loaded from or saved to.
    pub(super) file: Option<PathBuf>,
    pub(super) is_saved: bool,
    announced_end: bool,
    /// A person sits at a terminal: ask before a game is lost, and show a prompt.
    pub(super) interactive: bool,
    /// The line that would lose the game and was answered with a question.
    asked: Option<String>,
    input_ended: bool,
}

/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_secs(1);
/// The engine agrees to a draw if it thinks no better of its position, in its own units.
const AGREEABLE: i32 = 15;
/// And not in the opening, unless it thinks as little as this of it.
const AGREEABLE_FROM_PLY: usize = 30;
const CLEARLY_WORSE: i32 = -100;
/// What an offer is thought about if the position is new, in nodes.
const OFFER_NODES: u64 = 50_000;

/// The engine's name in saved games.
pub(super) const ENGINE: &str = concat!("Damero ", env!("CARGO_PKG_VERSION"));

/// Why a command was not carried out.
pub(super) enum Refusal {
    /// Nobody listens any more.
    Io(io::Error),
    /// For the person to read.
    Because(String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self::Because(reason)
    }
}

/// What comes of a command.
pub(super) type Obeyed = Result<(), Refusal>;

/// Tells the loop what a search has found.
struct Listener(Sender<Event>);

impl Reporter for Listener {
    fn finished(&mut self, result: &SearchResult) {
        // If the loop has ended, nobody needs to know.
        let _ = self.0.send(Event::Found(result.clone()));
    }
}

/// Writes a line at once.
pub(super) fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    output.flush()
}

impl Session {
    pub(super) fn new(engine: Engine, events: Sender<Event>, game: Match, look: Look) -> Self {
        Self {
            engine,
            events,
            game,
            book: None,
            elo: None,
            look,
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

    /// The input has ended: when the engine has moved and all lines are done, so is the program.
    pub(super) fn end_input(&mut self) {
        self.input_ended = true;
    }

    /// Is there nothing left to wait for?
    pub(super) fn is_done(&self) -> bool {
        self.input_ended && self.searching.is_none() && self.waiting.is_empty()
    }

    /// How long the side to move may still think, if a clock is running.
    pub(super) fn time_left(&self) -> Option<Duration> {
        if self.game.ending.is_some() {
            return None;
        }
        let left = self.game.left(self.game.board().side_to_move())?;
        // A moment more, so that the clock has run out when it is looked at.
        Some((left + Duration::from_millis(1)).saturating_sub(self.thought()))
    }

    /// How long the side to move has been thinking.
    pub(super) fn thought(&self) -> Duration {
        match self.searching {
            Some((Purpose::Move, since)) => since.elapsed(),
            _ => self.turn_began.elapsed(),
        }
    }

    /// Ends the game if the side to move has no time left.
    pub(super) fn check_clock(&mut self) {
        let us = self.game.board().side_to_move();
        if self.game.left(us).is_some_and(|left| self.thought() >= left) {
            let thought = self.thought();
            self.game.take_time(us, thought);
            self.engine.stop();
            self.is_saved = false;
        }
    }

    /// After every change of the game: says that it is over, lets the engine think, or asks.
    pub(super) fn begin_turn(&mut self) -> io::Result<()> {
        if let Some(ending) = self.game.ending {
            if !std::mem::replace(&mut self.announced_end, true) {
                say(&format!("Game over: {ending}. {}", ending.result()))?;
                say("You can look at it (history, eval, pgn), save it, undo, or begin a new one.")?;
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
        let listener = Box::new(Listener(self.events.clone()));
        // A result is told a moment before its thread ends.
        self.engine.wait();
        match self.engine.go(self.game.game().clone(), limits, listener) {
            Ok(()) => {
                self.searching = Some((purpose, Instant::now()));
                Ok(())
            }
            Err(error) => say(&format!("Damero cannot think: {error}")),
        }
    }

    /// A search has ended.
    pub(super) fn found(&mut self, result: &SearchResult) -> io::Result<Flow> {
        let Some((purpose, since)) = self.searching.take() else { return Ok(Flow::Continue) };
        match (purpose, result.best) {
            (Purpose::Hint, best) => {
                let board = self.game.board();
                let san =
                    best.map_or_else(|| "none".to_owned(), |mv| San::new(board, mv).to_string());
                let score = score_text(result.score, board.side_to_move());
                say(&format!("Hint: {san} ({}, {} plies deep)", score, result.depth))?;
                self.restore_level();
            }
            (Purpose::Offer, _) => {
                self.restore_level();
                // Unless the person's clock has run out meanwhile.
                if self.game.ending.is_none() {
                    self.answer_offer(-result.score)?;
                }
            }
            (Purpose::Move, Some(mv)) if self.game.is_engines_turn() => {
                self.last_score = Some(result.score);
                self.answer(mv, since.elapsed())?;
                return self.hear_waiting();
            }
            // The game ended while it was thinking.
            (Purpose::Move, _) => {}
        }
        self.begin_turn()?;
        self.hear_waiting()
    }

    /// Carries out the lines that came while the engine was thinking.
    fn hear_waiting(&mut self) -> io::Result<Flow> {
        while self.searching.is_none()
            && let Some(line) = self.waiting.pop_front()
        {
            if self.interactive {
                say(line.trim_end())?;
            }
            if self.hear(&line)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::Continue)
    }

    /// The engine's move, after it has thought so long.
    fn answer(&mut self, mv: Move, thought: Duration) -> io::Result<()> {
        self.game.play(mv, thought);
        self.is_saved = false;
        if !matches!(self.game.ending, Some(Ending::OutOfTime(_) | Ending::OutOfTimeDrawn(_))) {
            self.show_board()?;
        }
        self.turn_began = Instant::now();
        self.begin_turn()
    }

    /// Carries out a line, or keeps it until the engine has moved.
    pub(super) fn hear(&mut self, line: &str) -> io::Result<Flow> {
        let Some(word) = Word::parse(line) else {
            self.prompt()?;
            return Ok(Flow::Continue);
        };
        if self.searching.is_some() {
            match word {
                // A person is not kept waiting; lines from a pipe are taken one after the other.
                Word::Quit if self.interactive => {}
                Word::Now => {
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
            Word::Quit | Word::New(_) | Word::Load(_) => true,
            Word::Fen(fen) => !fen.is_empty(),
            _ => false,
        };
        let confirmed = self.asked.take().is_some_and(|asked| asked == line.trim());
        if leaves_game && self.would_lose_game() && !confirmed {
            self.asked = Some(line.trim().to_owned());
            say("The game is not saved: save FILE, or the same once more.")?;
            self.prompt()?;
            return Ok(Flow::Continue);
        }
        if word == Word::Quit {
            return Ok(Flow::Quit);
        }
        match self.obey(word) {
            Ok(()) => {}
            Err(Refusal::Because(reason)) => say(&reason)?,
            Err(Refusal::Io(error)) => return Err(error),
        }
        self.begin_turn()?;
        Ok(Flow::Continue)
    }

    /// Would a person lose a game that is not saved?
    fn would_lose_game(&self) -> bool {
        self.interactive && self.is_unsaved()
    }

    fn is_unsaved(&self) -> bool {
        !self.is_saved && !self.game.game().moves().is_empty()
    }

    /// Carries out a command. What was wrong with it is for the person to read.
    fn obey(&mut self, word: Word) -> Obeyed {
        match word {
            Word::Help => say(HELP)?,
            Word::Board => self.show_board()?,
            Word::Moves(square) => say(&legal_moves(self.game.board(), square))?,
            Word::History => say(&self.history())?,
            Word::Eval => say(&self.evaluation())?,
            Word::Pgn => say(self.pgn().trim_end())?,
            Word::Flip => {
                self.flipped = !self.flipped;
                self.show_board()?;
            }
            Word::Move(text) => self.play(&text)?,
            Word::Hint => self.hint()?,
            Word::Undo if self.game.take_word_back() => {
                (self.announced_end, self.is_saved, self.last_score) = (false, false, None);
                self.turn_began = Instant::now();
                say("The game goes on.")?;
            }
            Word::Undo => self.go_back_or_on("undo", Match::undo)?,
            Word::Redo => self.go_back_or_on("redo", Match::redo)?,
            Word::Level(text) => self.change_level(&text)?,
            Word::Clock(text) => self.change_pace(&text)?,
            Word::New(side) => {
                let side = side.unwrap_or(self.game.human);
                self.start_over(Board::starting_position(), side)?;
            }
            Word::Fen(fen) if fen.is_empty() => say(&self.game.board().to_fen())?,
            Word::Fen(fen) => {
                let board = Board::from_fen(&fen).map_err(|error| error.to_string())?;
                self.start_over(board, self.game.human)?;
            }
            Word::Save { file, replace } => self.save(&file, replace)?,
            Word::Load(file) => {
                let (file, number) = numbered_file(&file)?;
                let text = self.load(Path::new(file), number)?;
                self.show_board()?;
                say(&text)?;
            }
            Word::Draw => self.offer_draw()?,
            Word::Resign => {
                self.must_be_playing()?;
                self.end(Ending::Resigned(self.game.human));
            }
            Word::Now => return Err("It is your turn.".to_owned().into()),
            Word::Quit => {}
        }
        Ok(())
    }

    fn must_be_playing(&self) -> Obeyed {
        if self.game.ending.is_some() {
            let text = "The game is over; undo takes moves back, new begins another.";
            return Err(text.to_owned().into());
        }
        Ok(())
    }

    fn end(&mut self, ending: Ending) {
        self.game.ending = Some(ending);
        self.is_saved = false;
    }

    fn play(&mut self, text: &str) -> Obeyed {
        self.must_be_playing()?;
        let mv = read_move(self.game.board(), text)?;
        let thought = self.thought();
        self.game.play(mv, thought);
        self.is_saved = false;
        // While the engine thinks, a person sees what he has done; a pipe can wait for the answer.
        if self.interactive || self.game.ending.is_some() {
            self.show_board()?;
        }
        Ok(())
    }

    fn hint(&mut self) -> Obeyed {
        self.must_be_playing()?;
        self.engine.set_level(Level::full());
        self.search(Purpose::Hint, Limits::move_time(HINT_TIME))?;
        Ok(())
    }

    fn go_back_or_on(&mut self, what: &str, step: impl FnOnce(&mut Match) -> usize) -> Obeyed {
        if step(&mut self.game) == 0 {
            return Err(format!("there is nothing to {what}").into());
        }
        (self.announced_end, self.is_saved, self.last_score) = (false, false, None);
        self.turn_began = Instant::now();
        self.show_board()?;
        Ok(())
    }

    fn start_over(&mut self, start: Board, side: Color) -> Obeyed {
        self.replace_game(Match::new(start, side, self.game.pace()));
        self.show_board()?;
        Ok(())
    }

    pub(super) fn replace_game(&mut self, game: Match) {
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

    fn offer_draw(&mut self) -> Obeyed {
        self.must_be_playing()?;
        if let Some(reason) = self.game.game().claimable_draw() {
            self.end(Ending::Claimed(reason));
        } else if let Some(score) = self.last_score {
            self.answer_offer(score)?;
        } else {
            // It has not looked at this game yet: it was set up or loaded, or is in the book.
            self.engine.set_level(Level::full());
            self.search(Purpose::Offer, Limits::nodes(OFFER_NODES))?;
        }
        Ok(())
    }

    /// Agrees to a draw or not, with what the engine thinks of its position.
    fn answer_offer(&mut self, score: Score) -> io::Result<()> {
        let game = self.game.game();
        let is_opening = game.start().to_fen() == Board::START_FEN
            && game.moves().len() < AGREEABLE_FROM_PLY
            && score.value() > CLEARLY_WORSE;
        if is_no_better(score) && !is_opening {
            self.end(Ending::Agreed);
            return Ok(());
        }
        say("Damero plays on.")
    }

    fn evaluation(&self) -> String {
        if self.game.board().in_check() || self.game.ending.is_some() {
            return "There is nothing to evaluate in check or when the game is over.".to_owned();
        }
        eval_text(self.game.board())
    }

    fn show_board(&self) -> io::Result<()> {
        let from = if self.flipped { !self.game.human } else { self.game.human };
        let last = self.game.game().moves().last().copied();
        let board = self.game.board();
        say("")?;
        say(draw(board, last, from, self.look).trim_end_matches('\n'))?;
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

    pub(super) fn say_welcome(&self) -> io::Result<()> {
        say(&format!(
            "{ENGINE}, {}; {}. You play {}. Type a move, or help.",
            self.level_text(),
            self.game.pace(),
            name(self.game.human)
        ))?;
        self.show_board()
    }

    /// The end of the input, or `quit`: what was played is not lost, unless a person has said that
    /// it may be.
    pub(super) fn say_what_was_played(&self) -> io::Result<()> {
        if self.is_unsaved() { self.say_goodbye() } else { Ok(()) }
    }

    /// Sets what was asked for beside a game from a file.
    pub(super) fn overrule(&mut self, human: Option<Color>, pace: Option<Pace>) {
        if let Some(human) = human {
            self.game.human = human;
        }
        if let Some(pace) = pace {
            self.game.set_pace(pace);
        }
    }

    /// Ctrl-C: what was played is not lost.
    pub(super) fn say_goodbye(&self) -> io::Result<()> {
        self.engine.stop();
        if !self.is_unsaved() {
            return say("");
        }
        say(&format!("\n\n{}", self.pgn()))
    }
}

/// Would the engine rather have a draw?
fn is_no_better(score: Score) -> bool {
    score.value() <= AGREEABLE
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use super::*;

    /// A person at a terminal, after a move and its answer.
    fn in_a_game() -> (Session, Receiver<Event>) {
        let (sender, events) = mpsc::channel();
        let game = Match::new(Board::starting_position(), Color::White, Pace::Depth(1));
        let look = Look { unicode: false, color: false };
        let mut session = Session::new(Engine::new(1).unwrap(), sender, game, look);
        session.interactive = true;
        assert_eq!(session.hear("e4\n").unwrap(), Flow::Continue);
        let Ok(Event::Found(result)) = events.recv() else { panic!("no answer") };
        session.found(&result).unwrap();
        assert_eq!(session.game.game().moves().len(), 2);
        (session, events)
    }

    #[test]
    fn only_the_same_line_confirms_that_a_game_may_be_lost() {
        let (mut session, _events) = in_a_game();
        let kept = |session: &Session| session.game.game().moves().len() == 2;
        for line in ["new", "quit", "load a", "load b", "new black", "new white\n"] {
            assert_eq!(session.hear(line).unwrap(), Flow::Continue, "{line}");
            assert!(kept(&session), "{line}");
        }
        // Something in between takes the question back.
        session.hear("history").unwrap();
        session.hear("new white").unwrap();
        assert!(kept(&session));
        session.hear(" new white").unwrap();
        assert!(!kept(&session));
        let (mut session, _events) = in_a_game();
        assert_eq!(session.hear("quit").unwrap(), Flow::Continue);
        assert_eq!(session.hear("quit\n").unwrap(), Flow::Quit);
    }
}
