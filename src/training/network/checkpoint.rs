//! Checkpoints: the whole state of a training run, so that it can be resumed. Start at
//! [`Checkpoint`].

use thiserror::Error;

use crate::training::network::model::Model;
use crate::training::network::optimizer::AdamW;
use crate::types::crc32;

const MAGIC: &[u8; 8] = b"DAMEROCK";

/// Errors of one epoch: mean squared differences of the expected share of the points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EpochReport {
    /// On the training positions, while they were learnt.
    pub training: f64,
    /// On the validation positions, at the end of the epoch.
    pub validation: f64,
    /// Time of the epoch in seconds, since the run was resumed if that was in between.
    pub seconds: f64,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    /// Not a checkpoint, or one of another size.
    #[error("not a checkpoint of a network of this size")]
    NotACheckpoint,
    /// The checksum does not match.
    #[error("damaged: the checksum does not match")]
    Damaged,
    /// It belongs to a run with other data or settings.
    #[error("it belongs to a run with other data or settings")]
    OtherRun,
}

/// Where a run stands.
pub(crate) struct Checkpoint<const H: usize> {
    pub(crate) model: Model<H>,
    pub(crate) optimizer: AdamW<H>,
    /// The epoch in progress, from 0, and the next batch in it.
    pub(crate) epoch: u64,
    pub(crate) batch: u64,
    /// Sum of the errors in this epoch.
    pub(crate) error_sum: f64,
    pub(crate) history: Vec<EpochReport>,
}

impl<const H: usize> Checkpoint<H> {
    /// Returns the bytes of a checkpoint. `run` identifies data and settings.
    pub(crate) fn to_bytes(&self, run: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [run, H as u64, self.epoch, self.batch, self.optimizer.steps] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.error_sum.to_le_bytes());
        bytes.extend((self.history.len() as u64).to_le_bytes());
        for report in &self.history {
            for number in [report.training, report.validation, report.seconds] {
                bytes.extend(number.to_le_bytes());
            }
        }
        for model in [&self.model, &self.optimizer.mean, &self.optimizer.square] {
            for slice in model.slices() {
                bytes.extend(slice.iter().flat_map(|value| value.to_le_bytes()));
            }
        }
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads a checkpoint of the same `run`.
    pub(crate) fn from_bytes(bytes: &[u8], run: u64) -> Result<Self, CheckpointError> {
        use CheckpointError::{Damaged, NotACheckpoint, OtherRun};
        let (content, checksum) = bytes.split_last_chunk::<4>().ok_or(NotACheckpoint)?;
        if content.get(..8) != Some(MAGIC) {
            return Err(NotACheckpoint);
        }
        if crc32(content).to_le_bytes() != *checksum {
            return Err(Damaged);
        }
        let mut rest = &content[8..];
        let mut word = || -> Result<[u8; 8], CheckpointError> {
            let (front, others) = rest.split_first_chunk::<8>().ok_or(NotACheckpoint)?;
            rest = others;
            Ok(*front)
        };
        if u64::from_le_bytes(word()?) != run {
            return Err(OtherRun);
        }
        if u64::from_le_bytes(word()?) != H as u64 {
            return Err(NotACheckpoint);
        }
        let (epoch, batch) = (u64::from_le_bytes(word()?), u64::from_le_bytes(word()?));
        let steps = u64::from_le_bytes(word()?);
        let error_sum = f64::from_le_bytes(word()?);
        let reports = u64::from_le_bytes(word()?);
        let mut history = Vec::new();
        for _ in 0..reports.min(1 << 20) {
            let [training, validation, seconds] =
                [word()?, word()?, word()?].map(f64::from_le_bytes);
            history.push(EpochReport { training, validation, seconds });
        }
        let mut values =
            rest.chunks_exact(4).map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]));
        let mut models = [Model::zero(), Model::zero(), Model::zero()];
        for value in models.iter_mut().flat_map(Model::slices_mut).flatten() {
            *value = values.next().ok_or(NotACheckpoint)?;
        }
        if values.next().is_some() {
            return Err(NotACheckpoint);
        }
        let [model, mean, square] = models;
        let optimizer = AdamW { mean, square, steps };
        Ok(Self { model, optimizer, epoch, batch, error_sum, history })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_round_trip_and_belong_to_their_run() {
        let state = Checkpoint {
            model: Model::<32>::random(1),
            optimizer: AdamW { mean: Model::random(2), square: Model::random(3), steps: 77 },
            epoch: 3,
            batch: 9,
            error_sum: 1.5,
            history: vec![EpochReport { training: 0.5, validation: 0.25, seconds: 8.0 }; 3],
        };
        let bytes = state.to_bytes(42);
        let read = Checkpoint::<32>::from_bytes(&bytes, 42).unwrap();
        assert_eq!(read.to_bytes(42), bytes);
        assert_eq!((read.epoch, read.batch, read.optimizer.steps), (3, 9, 77));
        let error = |bytes: &[u8], run| Checkpoint::<32>::from_bytes(bytes, run).err();
        assert_eq!(error(&bytes, 43), Some(CheckpointError::OtherRun));
        assert_eq!(
            Checkpoint::<64>::from_bytes(&bytes, 42).err(),
            Some(CheckpointError::NotACheckpoint)
        );
        assert_eq!(error(&bytes[..bytes.len() - 1], 42), Some(CheckpointError::Damaged));
        assert_eq!(error(b"DAMEROG1", 42), Some(CheckpointError::NotACheckpoint));
        let mut damaged = bytes;
        damaged[200] ^= 4;
        assert_eq!(error(&damaged, 42), Some(CheckpointError::Damaged));
    }
}
