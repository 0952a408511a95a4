//! Somebody who plays from a book: which one, how far, and how moves are chosen.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::openings::Openings;
use super::polyglot::{Book, BookError, Choice};
use super::polyglot_key::PolyglotKey;
use crate::board::Game;
use crate::types::Move;

/// Plays the opening. What it plays follows from its seed and the position alone, so that asking
/// twice gives the same answer.
#[derive(Clone, Debug)]
pub struct BookPlayer {
    /// A book from a file; without one the embedded openings are played.
    file: Option<Book>,
    /// The last move number for which the book is asked.
    pub depth: u16,
    /// How moves are chosen.
    pub choice: Choice,
    /// The seed that was asked for; `None` for another one in each game.
    fixed_seed: Option<u64>,
    /// The seed of this game.
    seed: u64,
}

impl Default for BookPlayer {
    fn default() -> Self {
        Self {
            file: None,
            depth: Self::MAX_DEPTH,
            choice: Choice::default(),
            fixed_seed: None,
            seed: fresh_seed(),
        }
    }
}

impl BookPlayer {
    /// The greatest depth, and the default: as far as the book goes.
    pub const MAX_DEPTH: u16 = 255;
    /// The greatest seed.
    pub const MAX_SEED: u64 = (1 << 31) - 1;

    /// Plays from this file from now on, or from the embedded openings.
    ///
    /// # Errors
    /// If the file is no book; the old one is kept.
    pub fn open(&mut self, path: Option<&Path>) -> Result<(), BookError> {
        self.file = path.map(Book::read).transpose()?;
        Ok(())
    }

    /// The book that is played from.
    #[must_use]
    pub fn book(&self) -> &Book {
        self.file.as_ref().unwrap_or_else(|| Openings::embedded().book())
    }

    /// The same seed makes the same choices, in each game anew. Without one, each game has another.
    pub fn set_seed(&mut self, seed: Option<u64>) {
        self.fixed_seed = seed;
        self.new_game();
    }

    /// The seed of this game; setting it brings the game's choices back.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Begins another game.
    pub fn new_game(&mut self) {
        self.seed = self.fixed_seed.unwrap_or_else(fresh_seed);
    }

    /// The move to play, if the book has one. A position that has been on the board before is left
    /// to the search: a book may go round in circles.
    #[must_use]
    pub fn pick(&self, game: &Game) -> Option<Move> {
        if game.board().fullmove_number() > self.depth || game.repetitions() > 1 {
            return None;
        }
        let key = PolyglotKey::of_game(game).0;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed.rotate_left(32) ^ key);
        self.choice.among(&self.book().moves(game), &mut rng)
    }
}

/// A seed from the system, which gives every `RandomState` another one.
fn fresh_seed() -> u64 {
    1 + RandomState::new().hash_one(0_u8) % BookPlayer::MAX_SEED
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn opening_moves(player: &BookPlayer, plies: usize) -> Vec<Move> {
        let mut game = Game::default();
        for _ in 0..plies {
            let Some(mv) = player.pick(&game) else { break };
            game.play(mv).unwrap();
        }
        game.moves().to_vec()
    }

    #[test]
    fn a_seed_makes_the_same_choices_in_every_game() {
        let mut player = BookPlayer::default();
        let mut openings = HashSet::new();
        for seed in 1..=40 {
            player.set_seed(Some(seed));
            let moves = opening_moves(&player, 20);
            player.new_game();
            assert_eq!((player.seed(), opening_moves(&player, 20)), (seed, moves.clone()));
            assert!(moves.len() >= 4, "{moves:?}");
            openings.insert(moves);
        }
        assert!(openings.len() > 30, "only {} different openings", openings.len());
    }

    #[test]
    fn without_a_seed_games_differ() {
        let mut player = BookPlayer::default();
        let seeds: HashSet<u64> = (0..100)
            .map(|_| {
                player.new_game();
                player.seed()
            })
            .collect();
        assert!(seeds.len() > 90);
        assert!(seeds.iter().all(|seed| (1..=BookPlayer::MAX_SEED).contains(seed)));
    }

    #[test]
    fn the_depth_is_a_move_number() {
        let mut player = BookPlayer::default();
        player.set_seed(Some(7));
        player.depth = 2;
        assert_eq!(opening_moves(&player, 20).len(), 4);
    }

    #[test]
    fn a_repeated_position_is_left_to_the_search() {
        use crate::notation::UciMove;
        let player = BookPlayer::default();
        let mut game = Game::default();
        assert!(player.pick(&game).is_some());
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            let mv = text.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
        assert_eq!(player.pick(&game), None);
    }

    #[test]
    fn a_file_that_is_no_book_leaves_the_old_one() {
        let mut player = BookPlayer::default();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(matches!(player.open(Some(here)), Err(BookError::NotAFile)));
        assert!(matches!(player.open(Some(&here.join("nowhere.bin"))), Err(BookError::Io(_))));
        assert!(player.open(Some(&here.join("Cargo.toml"))).is_err());
        assert!(player.pick(&Game::default()).is_some());
    }
}
