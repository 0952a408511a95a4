//! Builds books from games like Polyglot's `make-book`: a move scores two points for each game that
//! its side won and one for each game drawn or without a result. Start at [`BookBuilder`].

use std::collections::HashMap;

use crate::board::Board;
use crate::book::polyglot::key::PolyglotKey;
use crate::book::polyglot::{Book, Entry, PackedMove};
use crate::types::{Color, Move};

#[derive(Clone, Copy, Default)]
struct Count {
    games: u64,
    points: u64,
}

/// Limits on the moves that go into a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookLimits {
    /// Maximum number of plies taken from each game.
    pub plies: usize,
    /// Minimum number of times a move was played.
    pub games: u64,
}

/// Collects games for a book.
pub struct BookBuilder {
    limits: BookLimits,
    counts: HashMap<(PolyglotKey, PackedMove), Count>,
}

impl BookBuilder {
    /// Creates an empty builder.
    #[must_use]
    pub fn new(limits: BookLimits) -> Self {
        Self { limits, counts: HashMap::new() }
    }

    /// Adds a game that begins at `start`. `winner` is `None` if it was drawn or has no result. The
    /// moves must be legal.
    pub fn add(
        &mut self,
        start: &Board,
        moves: impl IntoIterator<Item = Move>,
        winner: Option<Color>,
    ) {
        let (mut board, mut last) = (*start, None);
        for mv in moves.into_iter().take(self.limits.plies) {
            let key = PolyglotKey::after(&board, last);
            let count = self.counts.entry((key, PackedMove::new(mv))).or_default();
            count.games += 1;
            count.points += match winner {
                None => 1,
                Some(winner) => 2 * u64::from(winner == board.side_to_move()),
            };
            board.play_unchecked(mv);
            last = Some(mv);
        }
    }

    /// Returns the number of distinct moves so far, over all positions, before any are left out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns whether no moves have been added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Builds the book. Leaves out moves that were played too rarely or never scored. The weights
    /// of a position are scaled down together if they need more than 16 bits.
    #[must_use]
    pub fn finish(self) -> Book {
        let mut greatest: HashMap<PolyglotKey, u64> = HashMap::new();
        let kept: Vec<_> = self
            .counts
            .into_iter()
            .filter(|(_, count)| count.games >= self.limits.games && count.points > 0)
            .collect();
        for &((key, _), count) in &kept {
            let points = greatest.entry(key).or_default();
            *points = count.points.max(*points);
        }
        let entry = |((key, mv), count): ((PolyglotKey, PackedMove), Count)| {
            let weight = scaled(count.points, greatest.get(&key).copied().unwrap_or_default());
            Entry::new(key, mv, weight)
        };
        Book::new(kept.into_iter().map(entry).collect())
    }
}

/// Converts `points` to a weight, where `greatest` is the maximum of the position. Never returns 0,
/// which would mean that the move must not be played.
fn scaled(points: u64, greatest: u64) -> u16 {
    const MAX: u64 = u16::MAX as u64;
    let weight = if greatest <= MAX {
        points
    } else {
        (points as f64 * MAX as f64 / greatest as f64) as u64
    };
    weight.clamp(1, MAX) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;
    use crate::notation::UciMove;

    fn add(builder: &mut BookBuilder, text: &str, winner: Option<Color>) {
        let mut game = Game::default();
        for word in text.split_whitespace() {
            let mv = word.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
        builder.add(game.start(), game.moves().iter().copied(), winner);
    }

    fn weights(book: &Book, game: &Game) -> Vec<u16> {
        book.moves(game).iter().map(|candidate| candidate.weight).collect()
    }

    #[test]
    fn weights_come_from_results() {
        let mut builder = BookBuilder::new(BookLimits { plies: 2, games: 1 });
        add(&mut builder, "e2e4 e7e5 g1f3", Some(Color::White));
        add(&mut builder, "e2e4 c7c5 g1f3", None);
        add(&mut builder, "d2d4 d7d5", Some(Color::Black));
        assert_eq!(builder.len(), 5);
        let book = builder.finish();
        let mut game = Game::default();
        assert_eq!(weights(&book, &game), [3], "1 d4 lost its only game");
        let mv = book.moves(&game)[0].mv;
        game.play(mv).unwrap();
        assert_eq!(weights(&book, &game), [1], "1...e5 lost its only game");
        game.play(book.moves(&game)[0].mv).unwrap();
        assert_eq!(weights(&book, &game), [] as [u16; 0], "the limit is two plies");
    }

    #[test]
    fn rare_moves_are_omitted() {
        let mut builder = BookBuilder::new(BookLimits { plies: 9, games: 2 });
        for text in ["e2e4 e7e5", "e2e4 c7c5", "d2d4 d7d5"] {
            add(&mut builder, text, None);
        }
        assert_eq!(builder.finish().len(), 1);
    }

    #[test]
    fn only_large_weights_are_scaled() {
        assert_eq!(scaled(65_535, 65_535), 65_535);
        assert_eq!(scaled(3, 65_535), 3);
        assert_eq!(scaled(200_000, 200_000), 65_535);
        assert_eq!(scaled(100_000, 200_000), 32_767);
        assert_eq!(scaled(1, 200_000), 1);
    }
}
