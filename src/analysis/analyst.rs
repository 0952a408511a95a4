//! Evaluates the positions of a game by searching each. Start at [`Analyst::review`].

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::evaluation::Evaluation;
use crate::board::{Game, Outcome};
use crate::eval::EvalKind;
use crate::search::{
    Bound, Control, Info, Limits, Reporter, Request, SearchResult, TableTooLarge, ThreadPool,
    TranspositionTable,
};
use crate::tablebase::Tables;
use crate::types::{Move, Score};

/// Positions in a stretch. Each stretch starts with cleared tables, so results do not depend on the
/// number of threads, and several threads can share one game.
const STRETCH: usize = 16;
/// Positions after a stretch that are searched first, so that its last positions find as much in
/// the transposition table as the others.
const WARM_UP: usize = 2;

/// Splits a game of `plies` plies into stretches: ranges of its `plies + 1` positions.
pub fn stretches(plies: usize) -> impl Iterator<Item = Range<usize>> {
    let positions = plies + 1;
    (0..positions).step_by(STRETCH).map(move |first| first..positions.min(first + STRETCH))
}

/// Evaluates positions on one thread.
pub struct Analyst {
    pool: ThreadPool,
    table: TranspositionTable,
    control: Arc<Control>,
    limits: Limits,
    endgame_tables: Option<Arc<Tables>>,
}

impl Analyst {
    /// Creates an analyst with `limits` for each position and a transposition table of `hash` MiB.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(limits: Limits, hash: usize) -> Result<Self, TableTooLarge> {
        Ok(Self {
            pool: ThreadPool::new(1, EvalKind::default()),
            table: TranspositionTable::new(hash)?,
            control: Arc::new(Control::default()),
            limits,
            endgame_tables: None,
        })
    }

    /// Sets the tablebases to probe, if any.
    #[must_use]
    pub fn with_tables(self, endgame_tables: Option<Arc<Tables>>) -> Self {
        Self { endgame_tables, ..self }
    }

    /// Returns the control that stops a running search.
    #[must_use]
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    /// Evaluates a stretch of a game's positions, numbered from 0. Returns `None` if `stop` is set.
    ///
    /// Searches from the last position to the first and keeps the transposition table, so earlier
    /// positions profit from later results and neighbouring evaluations are consistent.
    pub fn review(
        &mut self,
        game: &Game,
        positions: Range<usize>,
        stop: &AtomicBool,
    ) -> Option<Vec<Evaluation>> {
        self.table.clear(1);
        self.pool.clear_histories();
        let end = game.moves().len();
        let last = end.min(positions.end.saturating_sub(1) + WARM_UP);
        let mut now = game.clone();
        while now.moves().len() > last {
            now.undo();
        }
        let mut found = Vec::with_capacity(positions.len());
        for index in (positions.start..=last).rev() {
            let evaluation = self.evaluate(&now, index == end);
            if stop.load(Relaxed) {
                return None;
            }
            if index < positions.end {
                found.push(evaluation);
            }
            now.undo();
        }
        found.reverse();
        Some(found)
    }

    fn evaluate(&mut self, game: &Game, is_end: bool) -> Evaluation {
        let board = game.board();
        let (us, choices) = (board.side_to_move(), board.legal_moves().len());
        if let Some(score) = score_by_rule(game, is_end) {
            return Evaluation { us, score, line: Vec::new(), choices };
        }
        let tables = self.endgame_tables.as_deref();
        let request = Request { tables, ..Request::new(game, &self.limits) };
        let mut recorder = LineRecorder::default();
        self.control.start(false);
        let result = self.pool.run(&request, &self.table, &self.control, &mut recorder);
        let (score, line) = recorder.finish(&result);
        Evaluation { us, score, line, choices }
    }
}

/// Returns the score if the rules decide it. A draw that must be claimed counts only at the end of
/// the game.
fn score_by_rule(game: &Game, is_end: bool) -> Option<Score> {
    match game.outcome() {
        Some(Outcome::Checkmate(_)) => Some(Score::mated_in(0)),
        Some(Outcome::Draw(_)) => Some(Score::DRAW),
        None => (is_end && game.claimable_draw().is_some()).then_some(Score::DRAW),
    }
}

/// Keeps the score and line of the last finished iteration; a score from an unfinished one may be
/// only a bound.
#[derive(Default)]
struct LineRecorder {
    finished: Option<(Score, Vec<Move>)>,
    last_line: Vec<Move>,
}

impl Reporter for LineRecorder {
    fn info(&mut self, info: &Info<'_>) {
        self.last_line.clear();
        self.last_line.extend_from_slice(info.pv);
        if info.bound == Bound::Exact && info.depth > 0 {
            self.finished = Some((info.wdl_model.shown(info.score), info.pv.to_vec()));
        }
    }
}

impl LineRecorder {
    /// Returns the score and line of the chosen move.
    fn finish(self, result: &SearchResult) -> (Score, Vec<Move>) {
        let score = result.wdl_model.shown(result.score);
        match self.finished {
            Some((score, line)) if line.first() == result.best.as_ref() => (score, line),
            // An unfinished iteration found a better move.
            _ if self.last_line.first() == result.best.as_ref() => (score, self.last_line),
            _ => (score, result.best.into_iter().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::PgnReader;

    fn game(text: &str) -> Game {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap().to_game()
    }

    static GO_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn stretches_cover_every_position_once() {
        for plies in [0, 1, 14, 15, 16, 17, 31, 32, 100] {
            let positions: Vec<usize> = stretches(plies).flatten().collect();
            assert_eq!(positions, (0..=plies).collect::<Vec<_>>());
            assert!(stretches(plies).all(|stretch| (1..=STRETCH).contains(&stretch.len())));
        }
    }

    #[test]
    fn study_finds_mates_draws_and_lines() {
        let mut analyst = Analyst::new(Limits::depth(5), 1).unwrap();
        let mated = game("1. f3 e5 2. g4 Qh4# 0-1");
        let found = analyst.review(&mated, 0..5, &GO_ON).unwrap();
        assert_eq!(found.len(), 5);
        assert_eq!(found[4].score, Score::mated_in(0));
        assert_eq!((found[4].choices, found[4].best()), (0, None));
        assert_eq!((found[3].score, &found[3].line[..]), (Score::mate_in(1), &mated.moves()[3..]));
        assert!(!found[2].score.is_mate());
        // A threefold repetition is a draw at the end of the game, but not before.
        let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
        let ended = analyst.review(&game(&format!("{repeated} 1/2-1/2")), 8..9, &GO_ON).unwrap();
        assert_eq!((ended[0].score, ended[0].line.len()), (Score::DRAW, 0));
        let went_on = game(&format!("{repeated} 5. e4 *"));
        assert!(analyst.review(&went_on, 8..9, &GO_ON).unwrap()[0].best().is_some());
    }

    #[test]
    fn study_does_not_depend_on_earlier_stretches() {
        let game = game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *");
        let mut analyst = Analyst::new(Limits::nodes(3_000), 1).unwrap();
        let first = analyst.review(&game, 0..4, &GO_ON).unwrap();
        let _ = analyst.review(&game, 4..13, &GO_ON);
        assert_eq!(analyst.review(&game, 0..4, &GO_ON).unwrap(), first);
        let stop = AtomicBool::new(true);
        assert_eq!(analyst.review(&game, 0..4, &stop), None);
    }
}
