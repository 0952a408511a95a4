//! Game files: a header, then blocks with a checksum each. Start at [`GameWriter`] and
//! [`GameReader`].
//!
//! If the end of a file is torn off, all whole blocks before it remain readable.
//!
//! ```text
//! header    8 bytes "DAMEROG1", u64 seed, u64 soft node limit, u8 length and text of the engine
//!           version and, after a space, its commit; u32 CRC-32 of all that precedes it
//! block     u32 size in bytes and u32 CRC-32 of the content, then the content: consecutive games
//! ```

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use thiserror::Error;

use super::format::{FormatError, ScoredGame, decode, encode};
use crate::types::crc32;

const MAGIC: &[u8; 8] = b"DAMEROG1";
/// Buffered bytes at which a block is written.
const BLOCK: usize = 32 << 10;
/// Maximum block size in bytes; a larger value means the file is damaged.
const LARGEST_BLOCK: usize = 16 << 20;

/// Header of a game file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Seed of the games.
    pub seed: u64,
    /// Soft node limit per search.
    pub nodes: u64,
    /// Version of the engine that played the games, and its commit if the build knew it.
    pub engine: String,
}

/// Why a game file cannot be read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// I/O error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a game file.
    #[error("not a Damero game file (missing DAMEROG1 magic)")]
    NotGames,
    /// The header is truncated or fails its checksum.
    #[error("the file header is damaged or truncated")]
    Header,
    /// A block passes its checksum but does not decode.
    #[error("block {block}: {error}")]
    Game {
        /// Block number, from 0.
        block: usize,
        /// The decoding error.
        error: FormatError,
    },
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let engine = &self.engine.as_bytes()[..self.engine.len().min(255)];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.push(engine.len() as u8);
        bytes.extend(engine);
        let crc = crc32(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    fn read(input: &mut impl Read) -> Result<Self, FileError> {
        let mut bytes = vec![0; 25];
        let length = read_as_far_as_possible(input, &mut bytes)?;
        if length < 8 || bytes[..8] != *MAGIC {
            return Err(FileError::NotGames);
        }
        if length < bytes.len() {
            return Err(FileError::Header);
        }
        let mut rest = vec![0; usize::from(bytes[24]) + 4];
        if read_as_far_as_possible(input, &mut rest)? < rest.len() {
            return Err(FileError::Header);
        }
        bytes.extend(rest);
        let (content, crc) = bytes.split_at(bytes.len() - 4);
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| content[at + index]));
        if crc32(content).to_le_bytes() != *crc {
            return Err(FileError::Header);
        }
        Ok(Self {
            seed: word(8),
            nodes: word(16),
            engine: String::from_utf8_lossy(&content[25..]).into_owned(),
        })
    }
}

fn read_as_far_as_possible(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < bytes.len() {
        match input.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Writes games to a file, block by block.
pub struct GameWriter {
    file: File,
    block: Vec<u8>,
}

impl GameWriter {
    /// Creates a file and writes the header. An existing file is left untouched.
    ///
    /// # Errors
    /// Returns an error if the file exists or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Self, FileError> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(&header.to_bytes())?;
        Ok(Self { file, block: Vec::new() })
    }

    /// Opens an existing file to append games, first cutting off a torn end.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or is not a game file.
    pub fn append(path: &Path) -> Result<(Self, Contents), FileError> {
        let contents = GameReader::open(path)?.measure()?;
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(contents.good_bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file, block: Vec::new() }, contents))
    }

    /// Adds a game, writing a block when the buffer is large enough.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&mut self, game: &ScoredGame) -> Result<(), FileError> {
        encode(game, &mut self.block);
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// Writes the buffered games. Dropping the writer does not.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn flush(&mut self) -> Result<(), FileError> {
        if !self.block.is_empty() {
            let mut bytes = (self.block.len() as u32).to_le_bytes().to_vec();
            bytes.extend(crc32(&self.block).to_le_bytes());
            bytes.append(&mut self.block);
            self.file.write_all(&bytes)?;
        }
        Ok(self.file.flush()?)
    }
}

/// Summary of a game file.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The header.
    pub header: Header,
    /// Number of games.
    pub games: u64,
    /// Number of plies.
    pub plies: u64,
    /// Bytes up to the end of the last valid block.
    pub good_bytes: u64,
    /// Whether anything follows that block.
    pub torn: bool,
}

/// Reads games one by one; memory does not grow with the file.
pub struct GameReader {
    input: BufReader<File>,
    header: Header,
    block: Vec<u8>,
    position: usize,
    blocks: usize,
    good_bytes: u64,
    torn: bool,
}

impl GameReader {
    /// Opens a game file and reads its header.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a game file.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
        let header = Header::read(&mut input)?;
        let good_bytes = header.to_bytes().len() as u64;
        Ok(Self {
            input,
            header,
            block: Vec::new(),
            position: 0,
            blocks: 0,
            good_bytes,
            torn: false,
        })
    }

    /// Returns the header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the next game; `None` at the end of the file or at a torn or damaged block.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if a valid block does not decode.
    pub fn next_game(&mut self) -> Result<Option<ScoredGame>, FileError> {
        if self.position == self.block.len() && !self.next_block()? {
            return Ok(None);
        }
        let mut rest = &self.block[self.position..];
        let game =
            decode(&mut rest).map_err(|error| FileError::Game { block: self.blocks - 1, error })?;
        self.position = self.block.len() - rest.len();
        Ok(Some(game))
    }

    /// Returns the games of the next block, still encoded; `None` at the end of the file or at a
    /// torn or damaged block. The bytes hold one game after another for [`decode`].
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn take_block(&mut self) -> Result<Option<Vec<u8>>, FileError> {
        let found = self.next_block()?;
        self.position = 0;
        Ok(found.then(|| std::mem::take(&mut self.block)))
    }

    /// Reads the next block, and returns whether there is one. A bad length or checksum marks the
    /// file as torn.
    fn next_block(&mut self) -> Result<bool, FileError> {
        self.block.clear();
        self.position = 0;
        let mut head = [0; 8];
        let length = read_as_far_as_possible(&mut self.input, &mut head)?;
        if length == 0 {
            return Ok(false);
        }
        let [a, b, c, d, crc @ ..] = head;
        let size = u32::from_le_bytes([a, b, c, d]) as usize;
        if length < 8 || size == 0 || size > LARGEST_BLOCK {
            self.torn = true;
            return Ok(false);
        }
        self.block.resize(size, 0);
        let length = read_as_far_as_possible(&mut self.input, &mut self.block)?;
        if length < size || crc32(&self.block).to_le_bytes() != crc {
            self.block.clear();
            self.torn = true;
            return Ok(false);
        }
        self.blocks += 1;
        self.good_bytes += 8 + size as u64;
        Ok(true)
    }

    /// Counts games and plies up to the end.
    ///
    /// # Errors
    /// As for [`Self::next_game`].
    pub fn measure(mut self) -> Result<Contents, FileError> {
        let (mut games, mut plies) = (0, 0);
        while let Some(game) = self.next_game()? {
            games += 1;
            plies += game.plies.len() as u64;
        }
        Ok(Contents {
            header: self.header,
            games,
            plies,
            good_bytes: self.good_bytes,
            torn: self.torn,
        })
    }
}

impl Iterator for GameReader {
    type Item = Result<ScoredGame, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_round_trips_and_detects_damage() {
        let header = Header { seed: 7, nodes: 2_000, engine: "0.1.0".to_owned() };
        let bytes = header.to_bytes();
        assert_eq!(Header::read(&mut bytes.as_slice()).unwrap(), header);
        for length in 0..bytes.len() {
            assert!(Header::read(&mut &bytes[..length]).is_err());
        }
        let mut damaged = bytes;
        damaged[10] ^= 1;
        assert!(matches!(Header::read(&mut damaged.as_slice()), Err(FileError::Header)));
    }
}
