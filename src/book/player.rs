//! Book move selection: the book, its depth and the choice rule. Start at [`BookPlayer::pick`].

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::board::Game;
use crate::book::openings::Openings;
use crate::book::polyglot::key::PolyglotKey;
use crate::book::polyglot::{Book, BookError, Choice};
use crate::types::Move;

/// Picks moves from a book. With given settings, the pick depends only on the seed and the
/// position, so repeated calls agree.
#[derive(Clone, Debug)]
pub struct BookPlayer {
    /// The book from a file; `None` for the embedded openings.
    file: Option<Book>,
    /// Last move number at which the book is used.
    pub depth: u16,
    /// How to choose among the moves of a position.
    pub choice: Choice,
    /// The seed of every game; `None` for a random one per game.
    fixed_seed: Option<u64>,
    /// The seed of the current game.
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
    /// Maximum and default depth, meant to cover the whole book.
    pub const MAX_DEPTH: u16 = 255;
    /// Maximum seed.
    pub const MAX_SEED: u64 = (1 << 31) - 1;

    /// Switches to the book at `path`, or to the embedded openings if it is `None`.
    ///
    /// # Errors
    /// If the file is not a valid book. The current book is kept.
    pub fn open(&mut self, path: Option<&Path>) -> Result<(), BookError> {
        self.file = path.map(Book::read).transpose()?;
        Ok(())
    }

    /// Returns the book in use.
    #[must_use]
    pub fn book(&self) -> &Book {
        self.file.as_ref().unwrap_or_else(|| Openings::embedded().book())
    }

    /// Sets the seed and starts a new game. A fixed seed repeats its choices in every game; with
    /// `None` each game gets a random seed.
    pub fn set_seed(&mut self, seed: Option<u64>) {
        self.fixed_seed = seed;
        self.new_game();
    }

    /// Returns the seed of the current game. Setting it reproduces the game's choices.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Starts a new game.
    pub fn new_game(&mut self) {
        self.seed = self.fixed_seed.unwrap_or_else(fresh_seed);
    }

    /// Picks a move, if the book has one. Returns `None` in a repeated position, because a book may
    /// contain cycles.
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

/// Returns a random seed; each `RandomState` has different keys.
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
    fn fixed_seed_repeats_choices_in_every_game() {
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
    fn random_seeds_differ_between_games() {
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
    fn depth_is_a_move_number() {
        let mut player = BookPlayer::default();
        player.set_seed(Some(7));
        player.depth = 2;
        assert_eq!(opening_moves(&player, 20).len(), 4);
    }

    #[test]
    fn repeated_position_gets_no_book_move() {
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
    fn invalid_file_keeps_the_current_book() {
        let mut player = BookPlayer::default();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(matches!(player.open(Some(here)), Err(BookError::NotAFile)));
        assert!(matches!(player.open(Some(&here.join("nowhere.bin"))), Err(BookError::Io(_))));
        assert!(player.open(Some(&here.join("Cargo.toml"))).is_err());
        assert!(player.pick(&Game::default()).is_some());
    }
}
