//! PGN writer for the standard's export format: Seven Tag Roster first, lines of less than 80
//! columns, words separated by one space. Start at the `Display` implementation of [`PgnGame`].

use std::fmt::{self, Write};

use crate::board::Board;
use crate::notation::pgn::{Line, PgnGame, SEVEN_TAG_ROSTER};
use crate::notation::san::San;
use crate::types::Color;

/// Maximum line length, in columns.
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
                // The tag must match the result after the moves.
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

/// Writes words, breaking lines between them.
struct Words<'a, W> {
    output: &'a mut W,
    column: usize,
    /// The pending word, to which more may be attached.
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
            // At the start of a line this would look like the next game.
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

    /// Writes a comment, which may span lines. A closing brace would end it and becomes `)`.
    /// Returns whether there was anything to write.
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

    /// Writes the moves from `start`, with annotations and variations.
    fn line(&mut self, start: &Board, line: &Line) -> fmt::Result {
        let mut board = *start;
        self.comment(&line.comment)?;
        // Black's move needs a number unless it directly follows White's.
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
        // Parentheses attach to the adjacent words, so produce the inner words first.
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

/// Maximum length in bytes of a command that is kept on one line, with any text attached to it.
const LONGEST_COMMAND: usize = WIDTH - 20;

/// Splits `text` into words. A command such as `[%eval 0.31]` counts as one word, because some
/// programs do not recognise a command that spans two lines.
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
        // Without a closing bracket it is not a command. One longer than `LONGEST_COMMAND` is
        // split anyway, so the search stops there.
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
    fn commands_are_not_split() {
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
