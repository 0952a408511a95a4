//! Work queue of `damero analyse`: threads take chunks of games, and finished games are reassembled
//! in input order. Start at [`WorkQueue::run`].

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::analysis::{Analyst, Evaluation, GameReview, stretches};
use crate::board::Game;
use crate::cli::analyse::resume::Games;
use crate::cli::analyse::writer::ReportWriter;
use crate::cli::{Failure, Progress};
use crate::notation::PgnGame;

/// Work queue shared by all threads.
pub(crate) struct WorkQueue<'a> {
    state: Mutex<QueueState<'a>>,
    stop: &'static AtomicBool,
    progress: &'a Progress,
}

/// Queue state behind the mutex.
struct QueueState<'a> {
    reader: Games<'a>,
    /// Readable games still to skip, because an earlier run wrote them.
    skip: u64,
    /// Games read so far.
    read: u64,
    damaged: u64,
    tasks: VecDeque<Task>,
    /// Games in progress, in input order; `first` is the serial number of the front one.
    open: VecDeque<OpenGame>,
    first: usize,
    writer: ReportWriter<'a>,
    failure: Option<Failure>,
}

/// A chunk of a game.
struct Task {
    /// Serial number of the game.
    serial: usize,
    game: Arc<Game>,
    positions: Range<usize>,
}

struct OpenGame {
    /// Number in the input, from 1.
    number: u64,
    pgn: PgnGame,
    game: Arc<Game>,
    evaluations: Vec<Option<Evaluation>>,
}

impl<'a> WorkQueue<'a> {
    pub(crate) fn new(
        reader: Games<'a>,
        skip: u64,
        writer: ReportWriter<'a>,
        stop: &'static AtomicBool,
        progress: &'a Progress,
    ) -> Self {
        let state = QueueState {
            reader,
            skip,
            read: 0,
            damaged: 0,
            tasks: VecDeque::new(),
            open: VecDeque::new(),
            first: 0,
            writer,
            failure: None,
        };
        Self { state: Mutex::new(state), stop, progress }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Analyses chunks until none are left or `stop` is set.
    pub(crate) fn run(&self, analyst: &mut Analyst) {
        while !self.stop.load(Relaxed) {
            let Some(task) = self.state().next_task(self.progress) else { return };
            let found = analyst.review(&task.game, task.positions.clone(), self.stop);
            let Some(found) = found else { return };
            let mut state = self.state();
            self.progress.advance(found.len() as u64, &state.message());
            if let Err(failure) = state.hand_in(&task, found) {
                self.stop.store(true, Relaxed);
                state.failure.get_or_insert(failure);
            }
        }
    }

    /// Returns the desk and the number of damaged games, or the first failure.
    pub(crate) fn finish(self) -> Result<(ReportWriter<'a>, u64), Failure> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.failure {
            Some(failure) => Err(failure),
            None => Ok((state.writer, state.damaged)),
        }
    }
}

impl QueueState<'_> {
    /// Returns the next chunk; reads another game once all chunks have been handed out.
    fn next_task(&mut self, progress: &Progress) -> Option<Task> {
        while self.tasks.is_empty() {
            let game = self.reader.next()?;
            self.read += 1;
            match game {
                Ok(_) if self.skip > 0 => self.skip -= 1,
                Ok(game) => self.add(game),
                Err(error) => {
                    self.damaged += 1;
                    progress.say(&format!("error: {error}; skipping this game"));
                }
            }
        }
        self.tasks.pop_front()
    }

    fn add(&mut self, pgn: PgnGame) {
        let game = Arc::new(pgn.to_game());
        let plies = game.moves().len();
        let serial = self.first + self.open.len();
        self.tasks.extend(stretches(plies).map(|positions| Task {
            serial,
            game: Arc::clone(&game),
            positions,
        }));
        let evaluations = vec![None; plies + 1];
        self.open.push_back(OpenGame { number: self.read, pgn, game, evaluations });
    }

    /// Stores the evaluations of a chunk. Games go to the desk in order, each once it is complete.
    fn hand_in(&mut self, task: &Task, found: Vec<Evaluation>) -> Result<(), Failure> {
        if let Some(open) = self.open.get_mut(task.serial - self.first) {
            for (place, evaluation) in
                open.evaluations[task.positions.clone()].iter_mut().zip(found)
            {
                *place = Some(evaluation);
            }
        }
        while let Some(open) = self.open.pop_front() {
            if open.evaluations.iter().any(Option::is_none) {
                self.open.push_front(open);
                break;
            }
            self.first += 1;
            let evaluations = open.evaluations.into_iter().flatten().collect();
            let review = GameReview::new(&open.game, evaluations);
            self.writer.take(open.number, open.pgn, &open.game, &review)?;
        }
        Ok(())
    }

    fn message(&self) -> String {
        format!("games written: {}", self.writer.summary.games())
    }
}
