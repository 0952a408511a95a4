//! Training data in memory: loading, filters, statistics, and what scores mean. Start at
//! [`TrainingData::load`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::board::Board;
use crate::search::tt::available_memory;
use crate::training::file::{FileError, GameReader};
use crate::training::format::{FormatError, ScoredGame, decode};
use crate::training::network::model::sigmoid;
use crate::training::network::position::PackedPosition;
use crate::types::random::split_mix_64;
use crate::types::{Color, Score};

/// One game in this many is held out for validation, and the first of each file, so that there is
/// always one.
const HELD_OUT: u64 = 100;
/// When the memory for positions is full, it grows by its size divided by this.
const GROWTH: usize = 4;
/// Blocks read before they are decoded on all threads.
const BLOCKS_AT_ONCE: usize = 64;
/// Largest number of sources.
const MOST_SOURCES: usize = 256;
/// Positions of a source to which its scale is fitted.
const SCALE_SAMPLE: usize = 1_000_000;

/// Why data cannot be loaded.
#[derive(Debug, Error)]
pub enum DataError {
    /// A file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The reason.
        error: FileError,
    },
    /// More sources than can be told apart.
    #[error("the files come from more than {MOST_SOURCES} different engines or node limits")]
    TooManySources,
    /// The data does not fit into memory.
    #[error(
        "out of memory after {positions} positions ({mebibytes} MiB); each takes 28 bytes, so use \
         fewer files"
    )]
    Memory {
        /// Positions loaded so far.
        positions: usize,
        /// Their size.
        mebibytes: usize,
    },
    /// Nothing passed the filters.
    #[error("no position passed the filters")]
    Empty,
}

/// Which positions to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionFilter {
    /// First ply to use, not counting the random opening.
    pub first_ply: usize,
    /// Largest absolute score, in centipawns.
    pub largest_score: i32,
}

impl Default for PositionFilter {
    fn default() -> Self {
        Self { first_ply: 4, largest_score: 2_000 }
    }
}

/// What happened to the positions of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceStats {
    /// The engine that made the scores, and its node limit.
    pub name: String,
    /// Games, by result: Black won, drawn, White won.
    pub results: [u64; 3],
    /// Games from Chess960 positions.
    pub chess960: u64,
    /// Plies in all games.
    pub plies: u64,
    /// Plies left out as too early, in check, with a noisy best move, or with too large a score.
    pub filtered: [u64; 4],
    /// Kept positions by number of men, in groups of four.
    pub by_men: [u64; 8],
    /// Kept positions by score of the side to move, in steps of 100 centipawns from -1000 to 1000;
    /// the first and the last step hold everything beyond.
    pub by_score: [u64; 22],
}

impl SourceStats {
    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Returns the number of positions that passed the filters.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.by_men.iter().sum()
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        let pairs = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        };
        pairs(&mut self.results, &other.results);
        pairs(&mut self.filtered, &other.filtered);
        pairs(&mut self.by_men, &other.by_men);
        pairs(&mut self.by_score, &other.by_score);
        self.chess960 += other.chess960;
        self.plies += other.plies;
    }
}

/// Positions for training and for validation, split by game so that no game is in both.
pub struct TrainingData {
    pub(crate) training: Vec<PackedPosition>,
    pub(crate) validation: Vec<PackedPosition>,
    /// Statistics by source.
    pub sources: Vec<SourceStats>,
    /// The fitted scale of each source: the score, in centipawns, at which the expected share of
    /// the points is `1 / (1 + 1/e)`.
    pub scales: Vec<f64>,
}

/// What one thread makes of some blocks.
#[derive(Default)]
struct Decoded {
    training: Vec<PackedPosition>,
    validation: Vec<PackedPosition>,
    stats: SourceStats,
}

impl TrainingData {
    /// Loads the games of `paths` on `threads` threads and shuffles the positions of all files
    /// together. The result does not depend on the number of threads. `progress` is called with the
    /// numbers of files and positions read so far. Returns `None` if `stop` is set.
    ///
    /// # Errors
    /// If a file cannot be read, or the data does not fit into memory.
    pub fn load(
        paths: &[PathBuf],
        filter: PositionFilter,
        seed: u64,
        threads: usize,
        stop: &AtomicBool,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Option<Self>, DataError> {
        let mut data = Self {
            training: Vec::new(),
            validation: Vec::new(),
            sources: Vec::new(),
            scales: Vec::new(),
        };
        let mut known = HashMap::new();
        for (index, path) in paths.iter().enumerate() {
            data.load_file(path, index, filter, threads, stop, &mut known, &mut |positions| {
                progress(index, positions);
            })?;
            if stop.load(Relaxed) {
                return Ok(None);
            }
        }
        if data.training.is_empty() || data.validation.is_empty() {
            return Err(DataError::Empty);
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        data.training.shuffle(&mut rng);
        data.validation.shuffle(&mut rng);
        data.scales = (0..data.sources.len()).map(|source| data.fit_scale(source)).collect();
        Ok(Some(data))
    }

    #[allow(clippy::too_many_arguments)] // the state of one pass over the files
    fn load_file(
        &mut self,
        path: &Path,
        file: usize,
        filter: PositionFilter,
        threads: usize,
        stop: &AtomicBool,
        known: &mut HashMap<String, u8>,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), DataError> {
        let failed = |error| DataError::File { path: path.display().to_string(), error };
        let mut reader = GameReader::open(path).map_err(failed)?;
        let header = reader.header();
        let name = format!("{}, {} nodes", header.engine, header.nodes);
        let source = match known.get(&name) {
            Some(&source) => source,
            None if known.len() == MOST_SOURCES => return Err(DataError::TooManySources),
            None => {
                let source = known.len() as u8;
                known.insert(name.clone(), source);
                self.sources.push(SourceStats { name, ..SourceStats::default() });
                source
            }
        };
        let mut first = 0;
        while !stop.load(Relaxed) {
            let mut blocks = Vec::new();
            while blocks.len() < BLOCKS_AT_ONCE * threads
                && let Some(block) = reader.take_block().map_err(failed)?
            {
                blocks.push(block);
            }
            if blocks.is_empty() {
                break;
            }
            let read = |(index, block): (usize, &Vec<u8>)| {
                let number = (file as u64) << 40 ^ (first + index) as u64;
                decode_block(block, number, filter, source)
                    .map_err(|error| failed(FileError::Game { block: first + index, error }))
            };
            let read = &read;
            let part = blocks.len().div_ceil(threads);
            let decoded: Vec<Result<Vec<Decoded>, DataError>> = std::thread::scope(|scope| {
                let parts: Vec<_> = blocks
                    .chunks(part)
                    .enumerate()
                    .map(|(at, blocks)| {
                        scope.spawn(move || {
                            let numbered = blocks.iter().enumerate();
                            numbered
                                .map(|(index, block)| read((at * part + index, block)))
                                .collect()
                        })
                    })
                    .collect();
                let joined = parts.into_iter().map(std::thread::ScopedJoinHandle::join);
                joined.map(|part| part.unwrap_or_else(|_| Ok(Vec::new()))).collect()
            });
            first += blocks.len();
            for part in decoded {
                for block in part? {
                    self.append(block, source)?;
                }
            }
            progress(self.training.len() + self.validation.len());
        }
        Ok(())
    }

    fn append(&mut self, block: Decoded, source: u8) -> Result<(), DataError> {
        let (positions, more) = (self.training.len(), block.training.len());
        if positions + more > self.training.capacity() {
            // While it grows, the old and the new memory exist side by side.
            let room = (positions + more) / GROWTH + more;
            let bytes = (positions + room) * size_of::<PackedPosition>();
            let fits = available_memory().is_none_or(|available| bytes < available);
            let memory = DataError::Memory {
                positions,
                mebibytes: positions * size_of::<PackedPosition>() >> 20,
            };
            if !fits || self.training.try_reserve_exact(room).is_err() {
                return Err(memory);
            }
        }
        self.training.extend(block.training);
        self.validation.extend(block.validation);
        self.sources[usize::from(source)].add(&block.stats);
        Ok(())
    }

    /// Fits the scale of a source: that of the logistic curve from its scores to the results.
    fn fit_scale(&self, source: usize) -> f64 {
        let of_source = self.training.iter().filter(|it| usize::from(it.source) == source);
        let sample: Vec<(f32, f32)> = of_source
            .take(SCALE_SAMPLE)
            .map(|it| (f32::from(it.score), f32::from(it.points) / 2.0))
            .collect();
        if sample.is_empty() {
            return 1.0;
        }
        let cross_entropy = |scale: f64| -> f64 {
            let sum: f64 = sample
                .iter()
                .map(|&(score, points)| {
                    let chance = f64::from(sigmoid(score / scale as f32)).clamp(1e-6, 1.0 - 1e-6);
                    let points = f64::from(points);
                    -(points * chance.ln() + (1.0 - points) * (1.0 - chance).ln())
                })
                .sum();
            sum
        };
        // Golden-section search; the error has one minimum.
        let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (20.0_f64, 2_000.0_f64);
        while high - low > 0.1 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if cross_entropy(left) < cross_entropy(right) {
                high = right;
            } else {
                low = left;
            }
        }
        f64::midpoint(low, high)
    }

    /// Returns the numbers of training and of validation positions.
    #[must_use]
    pub fn positions(&self) -> (usize, usize) {
        (self.training.len(), self.validation.len())
    }

    /// Returns the share of positions that equal an earlier one, estimated from a sample.
    #[must_use]
    pub fn duplicates(&self, seed: u64) -> f64 {
        const SAMPLE: u64 = 16;
        // All positions with certain hashes, so that equal ones are in the sample together.
        let salt = ChaCha8Rng::seed_from_u64(seed).random_range(0..SAMPLE);
        let hashes = self.training.iter().map(PackedPosition::hash);
        let mut sample: Vec<u64> = hashes.filter(|hash| hash % SAMPLE == salt).collect();
        let all = sample.len().max(1);
        sample.sort_unstable();
        sample.dedup();
        1.0 - sample.len() as f64 / all as f64
    }

    /// Returns a number that identifies the data.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let every = (self.training.len() / 1_000).max(1);
        let sample = self.training.iter().step_by(every).chain(&self.validation[..1]);
        sample.fold(self.training.len() as u64, |hash, position| {
            split_mix_64(hash ^ position.hash() ^ position.score as u64)
        })
    }
}

/// Decodes the games of a block, whose number is unique, and packs the positions that pass
/// `filter`.
fn decode_block(
    block: &[u8],
    block_number: u64,
    filter: PositionFilter,
    source: u8,
) -> Result<Decoded, FormatError> {
    let mut decoded = Decoded::default();
    let mut rest = block;
    let salt = split_mix_64(block_number);
    let is_first_block = block_number.trailing_zeros() >= 40;
    let mut number = 0_u64;
    while !rest.is_empty() {
        let game = decode(&mut rest)?;
        let is_held_out =
            is_first_block && number == 0 || split_mix_64(salt ^ number).is_multiple_of(HELD_OUT);
        number += 1;
        let Decoded { training, validation, stats } = &mut decoded;
        let positions = if is_held_out { validation } else { training };
        pack(&game, filter, source, positions, stats);
    }
    Ok(decoded)
}

/// Packs the positions of `game` that pass `filter`: not too early, not in check, with a quiet best
/// move, and not decided.
fn pack(
    game: &ScoredGame,
    filter: PositionFilter,
    source: u8,
    positions: &mut Vec<PackedPosition>,
    stats: &mut SourceStats,
) {
    let mut board: Board = game.start;
    stats.results[game.result as usize] += 1;
    stats.chess960 += u64::from(is_chess960(&game.start));
    stats.plies += game.plies.len() as u64;
    // A game of one ply is an imported position.
    let first_ply = if game.plies.len() == 1 { 0 } else { filter.first_ply };
    for (ply, &(mv, white_score)) in game.plies.iter().enumerate() {
        let reason = [
            ply < first_ply,
            board.in_check(),
            mv.is_noisy(),
            Score::from_table(white_score, 0).is_decisive()
                || i32::from(white_score).abs() > filter.largest_score,
        ];
        if let Some(reason) = reason.into_iter().position(|applies| applies) {
            stats.filtered[reason] += 1;
        } else {
            let of_white = game.result as u8;
            let (score, points) = match board.side_to_move() {
                Color::White => (white_score, of_white),
                Color::Black => (-white_score, 2 - of_white),
            };
            let packed = PackedPosition::new(&board, score, points, source);
            stats.by_men[(packed.len() - 1) / 4] += 1;
            let step = (i32::from(score).div_euclid(100) + 11).clamp(0, 21);
            stats.by_score[step as usize] += 1;
            positions.push(packed);
        }
        board.play_unchecked(mv);
    }
}

/// Returns whether the back ranks are not those of orthodox chess.
fn is_chess960(start: &Board) -> bool {
    !start.has_orthodox_castling()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::file::{GameWriter, Header};
    use crate::training::format::GameResult;

    /// Writes `games` random games whose results follow their scores with a scale of 200.
    fn write(path: &Path, games: u64, seed: u64) {
        let header = Header { seed, nodes: 500, engine: "test".to_owned() };
        let mut writer = GameWriter::create(path, &header).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..games {
            let mut board = Board::starting_position();
            let score: i16 = rng.random_range(-500..=500);
            let won = rng.random::<f32>() < sigmoid(f32::from(score) / 200.0);
            let result = if won { GameResult::WhiteWon } else { GameResult::BlackWon };
            let mut game = ScoredGame { start: board, plies: Vec::new(), result };
            for _ in 0..40 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.random_range(0..moves.len())];
                game.plies.push((mv, score));
                board.play_unchecked(mv);
            }
            writer.write(&game).unwrap();
        }
        writer.flush().unwrap();
    }

    #[test]
    fn loading_is_the_same_on_any_number_of_threads() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("damero-data-{}.dg", std::process::id()));
        let _ = std::fs::remove_file(&path);
        write(&path, 3_000, 5);
        let stop = AtomicBool::new(false);
        let load = |threads: usize| {
            let paths = [path.clone()];
            TrainingData::load(&paths, PositionFilter::default(), 1, threads, &stop, |_, _| {})
                .unwrap()
                .unwrap()
        };
        let (one, three) = (load(1), load(3));
        assert_eq!(one.fingerprint(), three.fingerprint());
        assert!(one.training == three.training && one.validation == three.validation);
        let stats = &one.sources[0];
        assert_eq!((stats.games(), stats.name.as_str()), (3_000, "test, 500 nodes"));
        let (training, validation) = one.positions();
        assert_eq!(stats.kept() as usize, training + validation);
        assert_eq!(stats.plies, stats.kept() + stats.filtered.iter().sum::<u64>());
        assert!((50..200).contains(&(training / validation)), "{training} {validation}");
        assert!((one.scales[0] - 200.0).abs() < 15.0, "{:?}", one.scales);
        stop.store(true, Relaxed);
        let paths = std::slice::from_ref(&path);
        let stopped = TrainingData::load(paths, PositionFilter::default(), 1, 1, &stop, |_, _| {});
        assert!(stopped.unwrap().is_none());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn scores_and_points_belong_to_the_side_to_move() {
        let start = Board::starting_position();
        let mut game = ScoredGame { start, plies: Vec::new(), result: GameResult::WhiteWon };
        let mut board = start;
        for _ in 0..6 {
            let moves = board.legal_moves();
            let mv = *moves.iter().find(|mv| !mv.is_noisy()).unwrap();
            game.plies.push((mv, 70));
            board.play_unchecked(mv);
        }
        let (mut positions, mut stats) = (Vec::new(), SourceStats::default());
        pack(&game, PositionFilter::default(), 3, &mut positions, &mut stats);
        let seen: Vec<_> = positions.iter().map(|it| (it.score, it.points, it.source)).collect();
        assert_eq!(seen, [(70, 2, 3), (-70, 0, 3)]);
        assert_eq!(stats.filtered, [4, 0, 0, 0]);
        assert_eq!((stats.by_score[11], stats.by_score[10]), (1, 1));
    }
}
