//! The quantised parameters of a network and their file format. Start at [`Network::read`].
//!
//! ```text
//! magic        "DAMERONN"
//! version      u16, 1
//! units        u16: hidden units per perspective
//! scale        u16: centipawns per unit of the trained output
//! even, spread f32, f32: the win, draw and loss model fitted to its games
//! description  u16 length, UTF-8: the data it was trained on
//! input        i16 per input and unit, then i16 bias per unit; 255 is 1.0
//! output       i16 per bucket, perspective (side to move first) and unit; 64 is 1.0
//! bias         i32 per bucket; 255 * 64 is 1.0
//! checksum     u32, CRC-32 of everything before it
//! ```
//!
//! All numbers are little-endian. A file is refused if any sum of its weights could overflow.

use std::fmt;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::eval::WdlModel;
use crate::eval::network::features::{BUCKETS, INPUTS};
use crate::eval::network::kernels::{Group, INPUT_ONE, UNIT_GROUP};
use crate::types::crc32;

/// Quantisation of the output layer.
pub(crate) const OUTPUT_ONE: i32 = 64;
/// Largest number of inputs that one accumulator can hold at a time: 32 men, and two more while an
/// update has added but not yet removed.
const MOST_INPUTS: i32 = 34;
/// Largest output weight: its product with an activation must fit 16 bits.
const LARGEST_OUTPUT: i32 = 128;
/// Largest number of units.
pub(crate) const MOST_UNITS: usize = 2048;
/// Largest scale, in centipawns.
const LARGEST_SCALE: u16 = 1_000;

/// The embedded file: `damero.nn`, or the one that the variable `EVALFILE` names in a build with
/// the feature of this name.
#[cfg(not(feature = "evalfile"))]
static FILE: &[u8] = include_bytes!("damero.nn");
#[cfg(feature = "evalfile")]
static FILE: &[u8] = include_bytes!(env!("EVALFILE"));

const MAGIC: &[u8; 8] = b"DAMERONN";
const VERSION: u16 = 1;

/// Why a network file is refused.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not begin with the magic number.
    #[error("not a Damero network (missing DAMERONN magic)")]
    NotANetwork,
    /// A version that this engine does not know.
    #[error("network format {0} is not supported; expected {VERSION}")]
    Version(u16),
    /// The number of units is not supported.
    #[error("{0} hidden units are not supported; expected a multiple of 32 up to {MOST_UNITS}")]
    Units(u16),
    /// The scale or the win, draw and loss model makes no sense.
    #[error("invalid scale")]
    Scale,
    /// The description is not text.
    #[error("the description is not UTF-8")]
    Description,
    /// The file ends too early, or something follows the checksum.
    #[error("the file has {found} bytes instead of {expected}")]
    Length {
        /// Its length.
        found: usize,
        /// The length that its header implies.
        expected: usize,
    },
    /// The contents do not match the checksum.
    #[error("damaged: the checksum does not match")]
    Checksum,
    /// Weights so large that the integer arithmetic could overflow.
    #[error("{0} could overflow")]
    Overflow(String),
}

/// A network: 768 inputs for each perspective, one hidden layer with squared clipped ReLU (SCReLU),
/// and an output for each of eight buckets by the number of men.
#[derive(Clone, PartialEq)]
pub struct Network {
    units: usize,
    scale: i32,
    wdl_model: WdlModel,
    description: String,
    /// A row of units for each input.
    input: Vec<Group>,
    input_bias: Vec<Group>,
    /// For each bucket a row for the side to move and one for the opponent.
    output: Vec<Group>,
    output_bias: [i32; BUCKETS],
    checksum: u32,
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network {:08x}, {} units, {}", self.checksum, self.units, self.description)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The parts of a network, before they are checked.
pub(crate) struct Parts {
    pub(crate) units: usize,
    pub(crate) scale: u16,
    pub(crate) wdl_model: WdlModel,
    pub(crate) description: String,
    pub(crate) input: Vec<i16>,
    pub(crate) input_bias: Vec<i16>,
    pub(crate) output: Vec<i16>,
    pub(crate) output_bias: [i32; BUCKETS],
}

impl Network {
    /// Returns the network that is part of the program.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[must_use]
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: OnceLock<Arc<Network>> = OnceLock::new();
        let read = || Arc::new(Network::from_bytes(FILE).expect("the embedded network is valid"));
        Arc::clone(EMBEDDED.get_or_init(read))
    }

    /// Reads a network from a file's bytes.
    ///
    /// # Errors
    /// If the file cannot be read, is not a network, is damaged, or could overflow.
    pub fn read(mut input: impl Read) -> Result<Self, NetworkError> {
        let mut bytes = Vec::new();
        // One byte more than the largest file tells that a file is too long.
        let largest = 2 * MOST_UNITS as u64 * (INPUTS + 1 + 2 * BUCKETS) as u64 + (1 << 17);
        input.by_ref().take(largest).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut rest = bytes;
        let head = |found: usize| NetworkError::Length { found, expected: HEADER.max(found + 1) };
        if take::<8>(&mut rest).is_none_or(|magic| magic != *MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let mut word = || take(&mut rest).map(u16::from_le_bytes).ok_or(head(bytes.len()));
        let (version, units, scale) = (word()?, word()?, word()?);
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        if units == 0 || !usize::from(units).is_multiple_of(UNIT_GROUP) {
            return Err(NetworkError::Units(units));
        }
        let mut real = || take(&mut rest).map(f32::from_le_bytes).ok_or(head(bytes.len()));
        let (even, spread) = (real()?, real()?);
        let length = take(&mut rest).map(u16::from_le_bytes).ok_or(head(bytes.len()))?;
        let units_count = usize::from(units);
        let weights = units_count * (INPUTS + 1 + 2 * BUCKETS);
        let expected = HEADER + usize::from(length) + 2 * weights + 4 * BUCKETS + 4;
        if bytes.len() != expected {
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - 4);
        if crc32(content).to_le_bytes() != *checksum {
            return Err(NetworkError::Checksum);
        }
        let (text, weights) = rest.split_at(usize::from(length));
        let description =
            String::from_utf8(text.to_vec()).map_err(|_| NetworkError::Description)?;
        let mut words = weights.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut row = |count: usize| words.by_ref().take(count).collect::<Vec<i16>>();
        let (input, input_bias) = (row(INPUTS * units_count), row(units_count));
        let output = row(2 * BUCKETS * units_count);
        let biases = &weights[weights.len() - 4 * BUCKETS - 4..];
        let output_bias = std::array::from_fn(|bucket| {
            i32::from_le_bytes(std::array::from_fn(|byte| biases[4 * bucket + byte]))
        });
        let wdl_model = WdlModel { even: even.into(), spread: spread.into() };
        Self::new(Parts {
            units: units_count,
            scale,
            wdl_model,
            description,
            input,
            input_bias,
            output,
            output_bias,
        })
    }

    /// Checks that the parts fit together and that no path of the integer arithmetic can overflow.
    ///
    /// # Errors
    /// If they do not.
    pub(crate) fn new(parts: Parts) -> Result<Self, NetworkError> {
        let units = parts.units;
        if units == 0 || !units.is_multiple_of(UNIT_GROUP) || units > MOST_UNITS {
            return Err(NetworkError::Units(units as u16));
        }
        let WdlModel { even, spread } = parts.wdl_model;
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        if !(1..=LARGEST_SCALE).contains(&parts.scale) || !is_positive(even) || !is_positive(spread)
        {
            return Err(NetworkError::Scale);
        }
        for unit in 0..units {
            let weights = parts.input.iter().skip(unit).step_by(units);
            let largest = weights.map(|&weight| i32::from(weight).abs()).max().unwrap_or_default();
            let sum = i32::from(parts.input_bias[unit]).abs() + MOST_INPUTS * largest;
            if sum > i32::from(i16::MAX) {
                return Err(NetworkError::Overflow(format!("hidden unit {unit}")));
            }
        }
        for (bucket, rows) in parts.output.chunks(2 * units).enumerate() {
            let sizes = rows.iter().map(|&weight| i64::from(weight).abs());
            let one = i64::from(INPUT_ONE);
            let sum = one * one * sizes.clone().sum::<i64>()
                + i64::from(parts.output_bias[bucket]).abs() * one;
            if sizes.max() > Some(LARGEST_OUTPUT.into()) || sum >= 1 << 31 {
                return Err(NetworkError::Overflow(format!("output {bucket}")));
            }
        }
        let network = Self {
            units,
            scale: parts.scale.into(),
            wdl_model: parts.wdl_model,
            description: parts.description,
            input: groups(&parts.input),
            input_bias: groups(&parts.input_bias),
            output: groups(&parts.output),
            output_bias: parts.output_bias,
            checksum: 0,
        };
        Ok(network.with_wdl_model(parts.wdl_model))
    }

    /// Returns the bytes of the file, without the checksum.
    fn content(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, self.units as u16, self.scale as u16] {
            bytes.extend(word.to_le_bytes());
        }
        for real in [self.wdl_model.even, self.wdl_model.spread] {
            bytes.extend((real as f32).to_le_bytes());
        }
        let text = self.description.as_bytes();
        let text = &text[..text.len().min(usize::from(u16::MAX))];
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text);
        for row in [&self.input, &self.input_bias, &self.output] {
            bytes.extend(row.iter().flat_map(|group| group.0).flat_map(i16::to_le_bytes));
        }
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
    }

    /// Returns the bytes of the file that holds this network.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.content();
        bytes.extend(self.checksum.to_le_bytes());
        bytes
    }

    /// Returns the number of hidden units per perspective.
    #[must_use]
    pub fn units(&self) -> usize {
        self.units
    }

    /// Returns the number of centipawns per unit of the trained output.
    #[must_use]
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Returns what its scores mean.
    #[must_use]
    pub fn wdl_model(&self) -> WdlModel {
        self.wdl_model
    }

    /// Returns the network with another win, draw and loss model.
    #[must_use]
    pub fn with_wdl_model(mut self, wdl_model: WdlModel) -> Self {
        // As the file stores it.
        let as_stored = |number: f64| f64::from(number as f32);
        self.wdl_model =
            WdlModel { even: as_stored(wdl_model.even), spread: as_stored(wdl_model.spread) };
        self.checksum = crc32(&self.content());
        self
    }

    /// Returns the line on the data that it was trained on.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the checksum of the file, which identifies the network.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the largest absolute weights of the inputs and of the outputs.
    #[must_use]
    pub fn largest_weights(&self) -> [u16; 2] {
        [&self.input, &self.output].map(|row| {
            let weights = row.iter().flat_map(|group| group.0);
            weights.map(i16::unsigned_abs).max().unwrap_or_default()
        })
    }

    /// Returns the number of groups of units per perspective.
    #[inline]
    pub(crate) fn groups(&self) -> usize {
        self.input_bias.len()
    }

    /// Returns the weights of an input.
    #[inline]
    pub(crate) fn input_row(&self, input: usize) -> &[Group] {
        &self.input[input * self.groups()..][..self.groups()]
    }

    /// Returns the bias of each unit.
    #[inline]
    pub(crate) fn input_bias(&self) -> &[Group] {
        &self.input_bias
    }

    /// Returns the output weights of a bucket: for the side to move, and for the opponent.
    #[inline]
    pub(crate) fn output_rows(&self, bucket: usize) -> [&[Group]; 2] {
        let groups = self.groups();
        let (us, them) = self.output[2 * bucket * groups..][..2 * groups].split_at(groups);
        [us, them]
    }

    /// Turns the sum of a bucket's products into centipawns.
    #[inline]
    pub(crate) fn centipawns(&self, sum: i32, bucket: usize) -> i32 {
        let output = sum / INPUT_ONE + self.output_bias[bucket];
        (i64::from(output) * i64::from(self.scale) / i64::from(INPUT_ONE * OUTPUT_ONE)) as i32
    }
}

/// Bytes before the description.
const HEADER: usize = 8 + 3 * 2 + 2 * 4 + 2;

/// Arranges weights in groups.
fn groups(weights: &[i16]) -> Vec<Group> {
    let group = |weights: &[i16]| Group(std::array::from_fn(|unit| weights[unit]));
    weights.chunks_exact(UNIT_GROUP).map(group).collect()
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (front, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*front)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::testing::{network, parts};

    #[test]
    fn files_round_trip() {
        for units in [32, 96] {
            let written = network(units, 7);
            let bytes = written.to_bytes();
            let read = Network::from_bytes(&bytes).unwrap();
            assert_eq!(read, written);
            assert_eq!(
                (read.units(), read.scale(), read.description()),
                (units, 130, "random weights")
            );
            assert_eq!(Network::read(bytes.as_slice()).unwrap().checksum(), written.checksum());
        }
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let bytes = network(32, 8).to_bytes();
        for length in [0, 1, 7, 8, 12, 20, 24, 30, 1_000, bytes.len() - 1] {
            assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(matches!(Network::from_bytes(&longer), Err(NetworkError::Length { .. })));
        for position in (0..bytes.len()).step_by(97).chain([8, 10, 12, 14, 18, 22]) {
            let mut damaged = bytes.clone();
            damaged[position] ^= 0x41;
            assert!(Network::from_bytes(&damaged).is_err(), "{position}");
        }
        assert!(matches!(Network::from_bytes(b"DAMEROG1....."), Err(NetworkError::NotANetwork)));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let refused = |change: fn(&mut Parts)| {
            let mut parts = parts(32, 9);
            change(&mut parts);
            Network::new(parts).unwrap_err().to_string()
        };
        assert_eq!(refused(|parts| parts.input[40] = 990), "hidden unit 8 could overflow");
        assert_eq!(refused(|parts| parts.input_bias[3] = i16::MIN), "hidden unit 3 could overflow");
        assert_eq!(refused(|parts| parts.output[64 * 2 + 1] = 129), "output 2 could overflow");
        assert_eq!(refused(|parts| parts.output_bias[7] = 9_000_000), "output 7 could overflow");
        assert_eq!(refused(|parts| parts.scale = 0), "invalid scale");
        assert_eq!(refused(|parts| parts.wdl_model.spread = f64::NAN), "invalid scale");
        assert!(refused(|parts| parts.units = 33).contains("33 hidden units"));
        // The limits themselves are accepted.
        let mut largest = parts(32, 9);
        largest.input.fill(0);
        largest.input[0] = 900;
        largest.input_bias[0] = (32_767 - 34 * 900) as i16;
        largest.output[0] = 128;
        assert!(Network::new(largest).is_ok());
    }
}
