//! Work queue of `damero analyse`: threads take chunks of games, and finished games are reassembled
//! in input order. Start at [`Jobs::run`].

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::analyse_desk::Desk;
use super::analyse_files::Games;
use super::{Failure, Progress};
use crate::analysis::{Analyst, Evaluation, Study, stretches};
use crate::board::Game;
use crate::notation::PgnGame;

/// Work queue shared by all threads.
pub(super) struct Jobs<'a> {
    hall: Mutex<Hall<'a>>,
    stop: &'static AtomicBool,
    progress: &'a Progress,
}

/// Queue state behind the mutex.
struct Hall<'a> {
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
    desk: Desk<'a>,
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

impl<'a> Jobs<'a> {
    pub(super) fn new(
        reader: Games<'a>,
        skip: u64,
        desk: Desk<'a>,
        stop: &'static AtomicBool,
        progress: &'a Progress,
    ) -> Self {
        let hall = Hall {
            reader,
            skip,
            read: 0,
            damaged: 0,
            tasks: VecDeque::new(),
            open: VecDeque::new(),
            first: 0,
            desk,
            failure: None,
        };
        Self { hall: Mutex::new(hall), stop, progress }
    }

    fn hall(&self) -> MutexGuard<'_, Hall<'a>> {
        self.hall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Analyses chunks until none are left or `stop` is set.
    pub(super) fn run(&self, analyst: &mut Analyst) {
        while !self.stop.load(Relaxed) {
            let Some(task) = self.hall().next_task(self.progress) else { return };
            let found = analyst.study(&task.game, task.positions.clone(), self.stop);
            let Some(found) = found else { return };
            let mut hall = self.hall();
            self.progress.advance(found.len() as u64, &hall.message());
            if let Err(failure) = hall.hand_in(&task, found) {
                self.stop.store(true, Relaxed);
                hall.failure.get_or_insert(failure);
            }
        }
    }

    /// Returns the desk and the number of damaged games, or the first failure.
    pub(super) fn finish(self) -> Result<(Desk<'a>, u64), Failure> {
        let hall = self.hall.into_inner().unwrap_or_else(PoisonError::into_inner);
        match hall.failure {
            Some(failure) => Err(failure),
            None => Ok((hall.desk, hall.damaged)),
        }
    }
}

impl Hall<'_> {
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
            let study = Study::new(&open.game, evaluations);
            self.desk.take(open.number, open.pgn, &open.game, &study)?;
        }
        Ok(())
    }

    fn message(&self) -> String {
        format!("games written: {}", self.desk.summary.games())
    }
}
