//! PGN is written in the standard's export format: the seven tags first, lines of less than 80
//! columns, one space between words.

use std::fmt::{self, Write};

use super::pgn::{Line, PgnGame, SEVEN_TAG_ROSTER};
use super::san::San;
use crate::board::Board;
use crate::types::Color;

/// Columns of a line.
const WIDTH: usize = 79;

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        f.write_char('\n')?;
        let mut words = Words { output: f, column: 0, word: String::new() };
        words.line(&self.start, &self.line)?;
        words.add(&self.result.to_string())?;
        words.end()
    }
}

impl PgnGame {
    fn write_tags(&self, output: &mut impl Write) -> fmt::Result {
        for (name, unknown) in SEVEN_TAG_ROSTER {
            let result = self.result.to_string();
            let value = match name {
                // The tag and the end of the moves must say the same.
                "Result" => &result,
                _ => self.tags.get(name).unwrap_or(unknown),
            };
            write_tag(output, name, value)?;
        }
        let in_roster = |name: &str| SEVEN_TAG_ROSTER.iter().any(|(known, _)| *known == name);
        let derived = ["SetUp", "FEN"];
        let own_variant = self.tags.get("Variant").is_some();
        if self.start.to_fen() != Board::starting_position().to_fen() {
            if !self.start.has_orthodox_castling() && !own_variant {
                write_tag(output, "Variant", "Chess960")?;
            }
            write_tag(output, "SetUp", "1")?;
            write_tag(output, "FEN", &self.start.to_fen())?;
        }
        for (name, value) in self.tags.iter() {
            if !in_roster(name) && !derived.contains(&name) {
                write_tag(output, name, value)?;
            }
        }
        Ok(())
    }
}

fn write_tag(output: &mut impl Write, name: &str, value: &str) -> fmt::Result {
    write!(output, "[{name} \"")?;
    for character in value.chars() {
        match character {
            '"' | '\\' => write!(output, "\\{character}")?,
            control if control.is_control() => output.write_char(' ')?,
            character => output.write_char(character)?,
        }
    }
    output.write_str("\"]\n")
}

/// Words of a text whose lines are broken between them.
struct Words<'a, W> {
    output: &'a mut W,
    column: usize,
    /// The last word, which may still grow.
    word: String,
}

impl<W: Write> Words<'_, W> {
    fn add(&mut self, word: &str) -> fmt::Result {
        self.flush()?;
        self.word.push_str(word);
        Ok(())
    }

    fn flush(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let width = self.word.chars().count();
        if self.column > 0 {
            // At the beginning of a line this would look like the next game.
            let must_fit = self.word.starts_with("[Event");
            let fits = must_fit || self.column + 1 + width <= WIDTH;
            self.output.write_char(if fits { ' ' } else { '\n' })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.output.write_str(&self.word)?;
        self.column += width;
        self.word.clear();
        Ok(())
    }

    fn end(&mut self) -> fmt::Result {
        self.flush()?;
        self.output.write_char('\n')
    }

    /// Writes a comment; its words may go to different lines. A brace would end it, so it is
    /// written as a parenthesis.
    fn comment(&mut self, comment: &str) -> Result<bool, fmt::Error> {
        let comment = comment.replace('}', ")");
        let mut words = unbroken(&comment);
        let Some(first) = words.next() else { return Ok(false) };
        self.add("{")?;
        self.word.push_str(first);
        for word in words {
            self.add(word)?;
        }
        self.word.push('}');
        Ok(true)
    }

    /// Writes the moves from a position on, with all that hangs on them.
    fn line(&mut self, start: &Board, line: &Line) -> fmt::Result {
        let mut board = *start;
        self.comment(&line.comment)?;
        // Black's move has a number only if it does not follow White's at once.
        let mut interrupted = true;
        for ply in &line.plies {
            let number = board.fullmove_number();
            match board.side_to_move() {
                Color::White => self.add(&format!("{number}."))?,
                Color::Black if interrupted => self.add(&format!("{number}..."))?,
                Color::Black => {}
            }
            self.add(&San::new(&board, ply.mv).to_string())?;
            for nag in &ply.nags {
                self.add(&format!("${nag}"))?;
            }
            interrupted = self.comment(&ply.comment)?;
            for variation in &ply.variations {
                interrupted = true;
                self.variation(&board, variation)?;
            }
            board.play_unchecked(ply.mv);
        }
        Ok(())
    }

    fn variation(&mut self, start: &Board, line: &Line) -> fmt::Result {
        let mut inner = String::new();
        // A bracket clings to the word beside it: the words are made first, and then glued.
        let mut words = Words { output: &mut inner, column: 0, word: String::new() };
        words.line(start, line)?;
        words.flush()?;
        self.add("(")?;
        for (index, word) in unbroken(&inner).enumerate() {
            if index > 0 {
                self.flush()?;
            }
            self.word.push_str(word);
        }
        self.word.push(')');
        Ok(())
    }
}

/// A command in a comment is broken into words if it is longer, in bytes.
const LONGEST_COMMAND: usize = WIDTH - 20;

/// The words of a text. A command such as `[%eval 0.31]` counts as one: not every program that reads
/// it back finds it on two lines.
fn unbroken(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let (word, after) = rest.split_at(end_of_word(rest));
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

fn end_of_word(text: &str) -> usize {
    let next_space = |from: usize| {
        let left = &text[from..];
        from + left.find(|c: char| c.is_ascii_whitespace()).unwrap_or(left.len())
    };
    let plain = next_space(0);
    let mut end = plain;
    while let Some(command) = text[..end].rfind("[%") {
        // A command ends with its bracket; one that is left open is no command.
        // Beyond the longest there is nothing to look for.
        let ends = |byte: &u8| matches!(byte, b']' | b'}' | b'\n');
        let mut bytes = text.as_bytes()[command..].iter().take(LONGEST_COMMAND);
        let Some(close) = bytes.position(ends).map(|close| command + close) else { break };
        if close < end || !text[close..].starts_with(']') {
            break;
        }
        end = next_space(close);
    }
    if end > LONGEST_COMMAND { plain } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_not_broken() {
        for (text, words) in [
            ("", &[][..]),
            (" a  b\nc ", &["a", "b", "c"]),
            ("[%eval 0.31]", &["[%eval 0.31]"]),
            (
                "x {[%eval 0.31] [%clk 0:01:02], y}",
                &["x", "{[%eval 0.31]", "[%clk 0:01:02],", "y}"],
            ),
            ("[%a b][%c d] e", &["[%a b][%c d]", "e"]),
            ("[%open a b} [c d]", &["[%open", "a", "b}", "[c", "d]"]),
            ("[%open", &["[%open"]),
            ("[%a é ñ] ñ", &["[%a é ñ]", "ñ"]),
            (&format!("[%a {}]", "b".repeat(60)), &["[%a", &format!("{}]", "b".repeat(60))]),
        ] {
            assert_eq!(unbroken(text).collect::<Vec<_>>(), words, "{text}");
        }
    }
}
