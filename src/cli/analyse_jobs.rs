//! How `damero analyse` shares its games out: threads take stretches of games as they come, and the
//! games are put together again in their order.

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

/// The work, as all threads see it.
pub(super) struct Jobs<'a> {
    hall: Mutex<Hall<'a>>,
    stop: &'static AtomicBool,
    progress: &'a Progress,
}

/// What one thread at a time may touch.
struct Hall<'a> {
    reader: Games<'a>,
    /// Games that an earlier run has done.
    skip: u64,
    /// Games read so far.
    read: u64,
    damaged: u64,
    tasks: VecDeque<Task>,
    /// Games that are being worked on, in their order, and the serial number of the first.
    open: VecDeque<OpenGame>,
    first: usize,
    desk: Desk<'a>,
    failure: Option<Failure>,
}

/// A stretch of a game.
struct Task {
    /// The game's serial number.
    serial: usize,
    game: Arc<Game>,
    positions: Range<usize>,
}

struct OpenGame {
    /// Its number in the file.
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

    /// Works until nothing is left, or somebody says stop.
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

    /// The desk with everything that was finished, and how many games could not be read.
    pub(super) fn finish(self) -> Result<(Desk<'a>, u64), Failure> {
        let hall = self.hall.into_inner().unwrap_or_else(PoisonError::into_inner);
        match hall.failure {
            Some(failure) => Err(failure),
            None => Ok((hall.desk, hall.damaged)),
        }
    }
}

impl Hall<'_> {
    /// The next stretch; a game is read when those before it are given out.
    fn next_task(&mut self, progress: &Progress) -> Option<Task> {
        while self.tasks.is_empty() {
            let game = self.reader.next()?;
            self.read += 1;
            match game {
                Ok(_) if self.skip > 0 => self.skip -= 1,
                Ok(game) => self.add(game),
                Err(error) => {
                    self.damaged += 1;
                    progress.say(&format!("error: {error}; this game is left out"));
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

    /// Takes what was found. Games that are whole now, with all before them, go to the desk.
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
