//! A slow twin of the rules of chess, written for clarity alone: a map of squares to letters, moves
//! one step at a time, and legality by making the move and looking for an attack on the king. It
//! shares nothing with the engine but the FEN it starts from.

use std::collections::{BTreeMap, BTreeSet};

type Square = (i32, i32); // file and rank, 0 to 7

const ROOK: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

#[derive(Clone)]
pub struct SlowBoard {
    pieces: BTreeMap<Square, char>,
    white_to_move: bool,
    /// Squares of the rooks that may castle.
    castling: BTreeSet<Square>,
    /// The square skipped by the last double push, if any.
    en_passant: Option<Square>,
}

fn is_white(piece: char) -> bool {
    piece.is_ascii_uppercase()
}

fn name(square: Square) -> String {
    format!("{}{}", (b'a' + square.0 as u8) as char, square.1 + 1)
}

impl SlowBoard {
    /// Parses a Shredder-FEN written by the engine.
    pub fn new(shredder_fen: &str) -> Self {
        let fields: Vec<&str> = shredder_fen.split(' ').collect();
        let mut pieces = BTreeMap::new();
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(digit) => file += digit as i32,
                    None => {
                        pieces.insert((file, 7 - row as i32), letter);
                        file += 1;
                    }
                }
            }
        }
        let castling = fields[2]
            .chars()
            .filter(|&letter| letter != '-')
            .map(|letter| {
                let file = letter.to_ascii_lowercase() as i32 - 'a' as i32;
                (file, if is_white(letter) { 0 } else { 7 })
            })
            .collect();
        let en_passant = (fields[3] != "-").then(|| {
            let text = fields[3].as_bytes();
            (i32::from(text[0] - b'a'), i32::from(text[1] - b'1'))
        });
        Self { pieces, white_to_move: fields[1] == "w", castling, en_passant }
    }

    /// Returns piece placement, side to move, castling and en passant as the engine's FEN has them.
    pub fn to_fields(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..8).rev() {
            let mut text = String::new();
            let mut empty = 0;
            for file in 0..8 {
                match self.pieces.get(&(file, rank)) {
                    None => empty += 1,
                    Some(&piece) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(piece);
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            ranks.push(text);
        }
        let side = if self.white_to_move { "w" } else { "b" };
        let mut castling = String::new();
        for (rank, white) in [(0, true), (7, false)] {
            for file in (0..8).rev().filter(|&file| self.castling.contains(&(file, rank))) {
                let letter = (b'a' + file as u8) as char;
                castling.push(if white { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if castling.is_empty() {
            castling.push('-');
        }
        // The square counts only if an en passant capture is legal.
        let takes = |mv: &(String, Self)| {
            mv.1.pieces.len() < self.pieces.len()
                && self.en_passant.is_some_and(|to| {
                    mv.0.ends_with(&name(to)) && !self.pieces.contains_key(&to) && {
                        let from = mv.0.as_bytes();
                        let from = (i32::from(from[0] - b'a'), i32::from(from[1] - b'1'));
                        self.pieces[&from].eq_ignore_ascii_case(&'p')
                    }
                })
        };
        let en_passant = match self.en_passant {
            Some(square) if self.legal_moves().iter().any(takes) => name(square),
            _ => "-".to_owned(),
        };
        format!("{} {side} {castling} {en_passant}", ranks.join("/"))
    }

    fn king(&self, white: bool) -> Square {
        let king = if white { 'K' } else { 'k' };
        *self.pieces.iter().find(|&(_, &piece)| piece == king).unwrap().0
    }

    fn own(&self, square: Square) -> bool {
        self.pieces.get(&square).is_some_and(|&piece| is_white(piece) == self.white_to_move)
    }

    /// Returns whether a side attacks `target`.
    pub fn attacks(&self, white: bool, target: Square) -> bool {
        self.pieces.iter().any(|(&from, &piece)| {
            is_white(piece) == white && self.reach(from, piece).contains(&target)
        })
    }

    /// Returns the squares that a piece attacks.
    fn reach(&self, from: Square, piece: char) -> Vec<Square> {
        let forward = if is_white(piece) { 1 } else { -1 };
        let (steps, far): (Vec<(i32, i32)>, bool) = match piece.to_ascii_lowercase() {
            'p' => (vec![(-1, forward), (1, forward)], false),
            'n' => (KNIGHT.to_vec(), false),
            'b' => (BISHOP.to_vec(), true),
            'r' => (ROOK.to_vec(), true),
            'q' => ([ROOK, BISHOP].concat(), true),
            _ => ([ROOK, BISHOP].concat(), false),
        };
        let mut squares = Vec::new();
        for (files, ranks) in steps {
            let mut at = (from.0 + files, from.1 + ranks);
            while (0..8).contains(&at.0) && (0..8).contains(&at.1) {
                squares.push(at);
                if !far || self.pieces.contains_key(&at) {
                    break;
                }
                at = (at.0 + files, at.1 + ranks);
            }
        }
        squares
    }

    /// Returns every legal move, castling as king takes rook, with the position after it.
    pub fn legal_moves(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        for (&from, &piece) in self.pieces.iter().filter(|&(&square, _)| self.own(square)) {
            if piece.eq_ignore_ascii_case(&'p') {
                self.pawn_moves(from, piece, &mut moves);
            } else {
                for to in self.reach(from, piece) {
                    if !self.own(to) {
                        moves.push((name(from) + &name(to), self.moved(from, to, piece)));
                    }
                }
            }
        }
        moves.retain(|(_, after)| {
            !after.attacks(!self.white_to_move, after.king(self.white_to_move))
        });
        self.castlings(&mut moves);
        moves
    }

    fn pawn_moves(&self, from: Square, pawn: char, moves: &mut Vec<(String, Self)>) {
        let forward = if is_white(pawn) { 1 } else { -1 };
        let ahead = (from.0, from.1 + forward);
        let mut targets = Vec::new();
        if !self.pieces.contains_key(&ahead) {
            targets.push(ahead);
            let twice = (from.0, from.1 + 2 * forward);
            let home = if is_white(pawn) { 1 } else { 6 };
            if from.1 == home && !self.pieces.contains_key(&twice) {
                let mut after = self.moved(from, twice, pawn);
                after.en_passant = Some(ahead);
                moves.push((name(from) + &name(twice), after));
            }
        }
        for to in self.reach(from, pawn) {
            if self.pieces.contains_key(&to) && !self.own(to) {
                targets.push(to);
            } else if self.en_passant == Some(to) {
                let mut after = self.moved(from, to, pawn);
                after.pieces.remove(&(to.0, from.1));
                moves.push((name(from) + &name(to), after));
            }
        }
        for to in targets {
            if to.1 == 0 || to.1 == 7 {
                for kind in "qrbn".chars() {
                    let piece = if is_white(pawn) { kind.to_ascii_uppercase() } else { kind };
                    moves.push((
                        name(from) + &name(to) + &kind.to_string(),
                        self.moved(from, to, piece),
                    ));
                }
            } else {
                moves.push((name(from) + &name(to), self.moved(from, to, pawn)));
            }
        }
    }

    fn moved(&self, from: Square, to: Square, piece: char) -> Self {
        let mut after = self.clone();
        after.pieces.remove(&from);
        after.pieces.insert(to, piece);
        after.white_to_move = !self.white_to_move;
        after.en_passant = None;
        after.castling.remove(&from);
        after.castling.remove(&to);
        if piece.eq_ignore_ascii_case(&'k') {
            let home = if is_white(piece) { 0 } else { 7 };
            after.castling.retain(|rook| rook.1 != home);
        }
        after
    }

    /// Adds castling moves by FIDE's guidelines for Chess960, II.3.2.3: all squares between the
    /// start and target squares of king and rook are vacant except for the two, and no square of
    /// the king's path is attacked.
    fn castlings(&self, moves: &mut Vec<(String, Self)>) {
        let king = self.king(self.white_to_move);
        let home = if self.white_to_move { 0 } else { 7 };
        for &rook in self.castling.iter().filter(|rook| rook.1 == home) {
            let (king_file, rook_file) = if rook.0 > king.0 { (6, 5) } else { (2, 3) };
            let span = |a: i32, b: i32| a.min(b)..=a.max(b);
            let vacant = span(king.0, king_file)
                .chain(span(rook.0, rook_file))
                .all(|f| f == king.0 || f == rook.0 || !self.pieces.contains_key(&(f, home)));
            let mut lifted = self.clone();
            let (king_piece, rook_piece) = (self.pieces[&king], self.pieces[&rook]);
            lifted.pieces.remove(&king);
            let mut after = self.moved(king, king, king_piece);
            after.pieces.remove(&king);
            after.pieces.remove(&rook);
            after.pieces.insert((king_file, home), king_piece);
            after.pieces.insert((rook_file, home), rook_piece);
            let attacked = |square| {
                // Look at the square with the king on it.
                let mut on_the_way = lifted.clone();
                on_the_way.pieces.entry(square).or_insert(king_piece);
                on_the_way.attacks(!self.white_to_move, square)
            };
            let way_is_safe = span(king.0, king_file).all(|f| !attacked((f, home)));
            let end_is_safe = !after.attacks(!self.white_to_move, (king_file, home));
            if vacant && way_is_safe && end_is_safe {
                moves.push((name(king) + &name(rook), after));
            }
        }
    }
}
