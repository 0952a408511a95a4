//! Zobrist keys of the game and of the current line, for repetitions. Start at [`KeyHistory`].

use crate::board::{Board, Game};
use crate::types::MAX_PLY;

/// Keys by ply. Nothing is taken back: a ply that is reached again overwrites its key.
pub(crate) struct KeyHistory {
    /// Keys of the game up to the root, then one for each ply of the current line.
    keys: Vec<u64>,
    /// Index of the root in `keys`.
    root: usize,
    /// For each ply, the first index in `keys` that can be reached again: a null move makes earlier
    /// positions unreachable.
    first: Vec<usize>,
}

impl Default for KeyHistory {
    fn default() -> Self {
        Self { keys: vec![0; MAX_PLY + 2], root: 0, first: vec![0; MAX_PLY + 2] }
    }
}

impl KeyHistory {
    /// Starts a line at the last position of `game`, which becomes ply 0.
    pub(crate) fn reset(&mut self, game: &Game) {
        self.keys.clear();
        self.keys.extend(game.positions().iter().map(Board::key));
        self.root = self.keys.len() - 1;
        self.keys.resize(self.root + MAX_PLY + 2, 0);
        self.first[0] = 0;
    }

    /// Records the key of the position after a move at `ply`.
    #[inline]
    pub(crate) fn play(&mut self, ply: usize, child_key: u64) {
        self.keys[self.root + ply + 1] = child_key;
        self.first[ply + 1] = self.first[ply];
    }

    /// Records the key of the position after a null move at `ply`.
    #[inline]
    pub(crate) fn play_null(&mut self, ply: usize, child_key: u64) {
        self.keys[self.root + ply + 1] = child_key;
        self.first[ply + 1] = self.root + ply + 1;
    }

    /// Returns whether the position at `ply` repeats an earlier one. One occurrence since the root
    /// is enough; before the root it takes two.
    #[inline]
    pub(crate) fn is_repetition(&self, ply: usize, halfmove_clock: u16) -> bool {
        let now = self.root + ply;
        let reach = usize::from(halfmove_clock).min(now - self.first[ply]);
        let mut before_root = 0;
        for back in (4..=reach).step_by(2) {
            let index = now - back;
            if self.keys[index] == self.keys[now] {
                before_root += 1;
                if index >= self.root || before_root == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the keys of the reversible moves leading up to and including `ply`, going back no
    /// further than the root or the last null move.
    #[inline]
    pub(crate) fn reversible(&self, ply: usize, halfmove_clock: u16) -> &[u64] {
        let now = self.root + ply;
        let first = self.first[ply].max(self.root);
        let reach = usize::from(halfmove_clock).min(now - first);
        &self.keys[now - reach..=now]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::UciMove;

    /// Plays `moves` from the start in a game, then `line` at plies 0, 1 and so on, and returns the
    /// keys and the final position. `0000` is a null move.
    fn after(moves: &str, line: &str) -> (KeyHistory, Board, usize) {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = text.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
        let mut keys = KeyHistory::default();
        keys.reset(&game);
        let (mut board, mut ply) = (*game.board(), 0);
        for text in line.split_whitespace() {
            if text == "0000" {
                board.play_null();
                keys.play_null(ply, board.key());
            } else {
                board = board.after(text.parse::<UciMove>().unwrap().to_move(&board).unwrap());
                keys.play(ply, board.key());
            }
            ply += 1;
        }
        (keys, board, ply)
    }

    #[test]
    fn one_occurrence_since_the_root_is_enough() {
        for (game, line, expected) in [
            ("", "g1f3 g8f6 f3g1 f6g8", true),
            ("", "g1f3 g8f6 f3g1", false),
            ("g1f3 g8f6", "f3g1 f6g8", false),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", "f3g1 f6g8", true),
            ("", "g1f3 g8f6 f3g1 e7e6 g1f3", false),
            ("", "g1f3 0000 f3g1 0000", false),
        ] {
            let (keys, board, ply) = after(game, line);
            assert_eq!(
                keys.is_repetition(ply, board.halfmove_clock()),
                expected,
                "{game} | {line}"
            );
        }
    }

    #[test]
    fn another_line_overwrites_the_keys() {
        let (mut keys, board, _) = after("", "g1f3 g8f6 f3g1 f6g8");
        assert!(keys.is_repetition(4, board.halfmove_clock()));
        keys.play(3, 1);
        assert!(!keys.is_repetition(4, 4));
        assert_eq!(keys.reversible(4, 2).len(), 3);
        assert_eq!(keys.reversible(4, 40).len(), 5, "not beyond the root");
    }
}
