//! Streaming PGN reader: memory is bounded by one game, not by the file. Start at [`PgnReader`].
//!
//! Accepts the standard's import format: any spacing, wrong or missing move numbers, comments in
//! braces or after a semicolon, lines escaped with `%`, nested variations, suffixes such as `!?`
//! attached to a move or separate, tags in any order, games without a result.

use std::io::Read;

use crate::board::Board;
use crate::notation::pgn::error::{MAX_GAME, MAX_NESTING, PgnError, PgnProblem};
use crate::notation::pgn::source::{LineColumn, Source, decode};
use crate::notation::pgn::{Line, PgnGame, PgnResult, Ply, Tags};
use crate::notation::san::{San, SanSyntax};

/// Maximum number of plies to preallocate for a game.
const MAX_ROOM: usize = 512;

/// Iterates over the games of a PGN file. After an error it resumes at the next line that begins
/// with `[Event `, or at the tag that revealed an unclosed variation that cannot be played.
///
/// ```
/// use damero::notation::PgnReader;
///
/// let text = "[Event \"A\"]\n\n1. e4 e5 {why not?} (1... c5) 2. Nf3 1-0\n\n[Event \"B\"]\n\n1. e5 *";
/// let mut games = PgnReader::new(text.as_bytes());
/// let game = games.next().unwrap().unwrap();
/// assert_eq!(game.line.plies[1].comment, "why not?");
/// let error = games.next().unwrap().unwrap_err();
/// assert!(error.to_string().starts_with("game 2, line 7, column 4: e5 is not a legal move"));
/// assert!(games.next().is_none());
/// ```
pub struct PgnReader<R> {
    source: Source<R>,
    /// Number of games begun so far.
    game: u64,
    /// The current word; reused to save allocations.
    word: Vec<u8>,
    /// The first tag of the next game, if it is already consumed.
    next_tag: Option<(String, String)>,
    /// Bytes consumed before the current game.
    taken_before: u64,
    /// Whether an error was detected only after the next game's `[Event ` was consumed.
    met_event: bool,
    /// Whether an error was detected right before the next game's tags.
    is_before_tags: bool,
    ended: bool,
    /// The standard starting position, built once.
    standard: Board,
    /// The longest game so far in plies, up to `MAX_ROOM`: how much to preallocate.
    longest: usize,
}

/// A value, or a problem and its place. The error is boxed so that `Ok`, which is returned for
/// every byte, fits in registers.
type ReadResult<T> = Result<T, Box<(LineColumn, PgnProblem)>>;

#[allow(clippy::unnecessary_box_returns)] // callers need the box for `ReadResult`
fn at(place: LineColumn, problem: impl Into<PgnProblem>) -> Box<(LineColumn, PgnProblem)> {
    Box::new((place, problem.into()))
}

/// A line being read.
struct OpenLine {
    line: Line,
    /// The position after the last move.
    now: Board,
    /// The position before the last move, from which variations start.
    before: Board,
    /// The place where the line begins.
    place: LineColumn,
}

impl OpenLine {
    fn new(line: Line, start: Board, place: LineColumn) -> Self {
        Self { line, now: start, before: start, place }
    }

    fn play(&mut self, ply: Ply) {
        self.before = self.now;
        self.now.play_unchecked(ply.mv);
        self.line.plies.push(ply);
    }

    /// Appends `text` to the comment of the last move, or of the line if it has no move yet. Runs
    /// of white space become one space.
    fn comment(&mut self, text: &str) {
        let comment = match self.line.plies.last_mut() {
            Some(ply) => &mut ply.comment,
            None => &mut self.line.comment,
        };
        for word in text.split_ascii_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
    }

    fn glyph(&mut self, nag: u8) {
        if let Some(ply) = self.line.plies.last_mut() {
            ply.nags.push(nag);
        }
    }
}

impl<R: Read> PgnReader<R> {
    /// Creates a reader of `input`, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self {
            source: Source::new(input),
            game: 0,
            word: Vec::new(),
            next_tag: None,
            taken_before: 0,
            met_event: false,
            is_before_tags: false,
            ended: false,
            standard: Board::starting_position(),
            longest: 0,
        }
    }

    /// Returns the number of bytes consumed so far, for progress displays.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.source.taken()
    }

    fn here<T>(&self, problem: impl Into<PgnProblem>) -> ReadResult<T> {
        Err(at(self.source.place(), problem))
    }

    /// Skips white space, NUL bytes, lines escaped with `%` and a UTF-8 byte order mark. Returns
    /// the next byte without consuming it.
    #[inline]
    fn skip_space(&mut self) -> Option<u8> {
        loop {
            match self.source.peek() {
                // Fast path: most words are moves or numbers.
                Some(byte @ b'('..=b'z') => return Some(byte),
                Some(b' ') => self.source.advance(),
                Some(b'%') if self.source.is_at_start_of_line() => self.source.skip_line(),
                Some(byte) if byte.is_ascii_whitespace() || byte == 0 => self.source.advance(),
                Some(0xEF | 0xBB | 0xBF) if self.source.taken() < 3 => self.source.advance(),
                byte => return byte,
            }
        }
    }

    /// Reads the next game; returns `None` at the end of the input.
    fn read_game(&mut self) -> ReadResult<Option<PgnGame>> {
        self.taken_before = self.source.taken();
        if self.next_tag.is_none() && self.skip_space().is_none() {
            return Ok(None);
        }
        self.game += 1;
        let place = self.source.place();
        let tags = self.read_tags()?;
        let start = self.start(&tags).map_err(|problem| at(place, problem))?;
        let line = Line { plies: Vec::with_capacity(self.longest), ..Line::default() };
        let mut game = PgnGame { tags, start, line, result: PgnResult::Unknown };
        if self.next_tag.is_none() {
            self.read_moves(&mut game)?;
        } else {
            game.result = result_of_tags(&game.tags);
        }
        Ok(Some(game))
    }

    /// Returns the starting position that `tags` give.
    fn start(&self, tags: &Tags) -> Result<Board, PgnProblem> {
        if let Some(variant) = tags.get("Variant") {
            let name: String = variant
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .collect::<String>()
                .to_lowercase();
            if !CHESS.contains(&name.as_str()) {
                return Err(PgnProblem::Variant(variant.chars().take(40).collect()));
            }
        }
        match tags.get("FEN") {
            Some(fen) => Ok(Board::from_fen(fen)?),
            None => Ok(self.standard),
        }
    }

    /// Reads tags up to the first other token, or up to a second `Event` tag, which belongs to the
    /// next game.
    fn read_tags(&mut self) -> ReadResult<Tags> {
        let mut tags = Tags::default();
        if let Some((name, value)) = self.next_tag.take() {
            tags.push(name, value);
        }
        while self.skip_space() == Some(b'[') {
            let (name, value) = self.read_tag()?;
            if name == "Event" && !tags.is_empty() && tags.get("Event").is_some() {
                self.next_tag = Some((name, value));
                break;
            }
            tags.push(name, value);
        }
        Ok(tags)
    }

    /// Reads `[Name "value"]`. In the value a backslash escapes quotes and backslashes.
    fn read_tag(&mut self) -> ReadResult<(String, String)> {
        let place = self.source.place();
        let wrong = || at(place, PgnProblem::Tag);
        self.source.advance();
        self.skip_space();
        self.read_word(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')?;
        let name = decode(&self.word);
        if name.is_empty() || self.skip_space() != Some(b'"') {
            return Err(wrong());
        }
        self.source.advance();
        self.read_word(|byte| !matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))?;
        loop {
            match self.source.peek() {
                Some(b'"') => break,
                // A value ends on its line; else a missing quote would swallow the file.
                Some(b'\n' | b'\r') | None => return Err(wrong()),
                Some(b'\\') => {
                    self.source.advance();
                    match self.source.peek() {
                        Some(byte @ (b'"' | b'\\')) => {
                            self.word.push(byte);
                            self.source.advance();
                        }
                        _ => self.word.push(b'\\'),
                    }
                }
                Some(byte) => {
                    self.word.push(byte);
                    self.source.advance();
                    self.check_length()?;
                }
            }
        }
        self.source.advance();
        if self.skip_space() != Some(b']') {
            return Err(wrong());
        }
        self.source.advance();
        Ok((name, decode(&self.word)))
    }

    /// Reads bytes into `self.word` while they satisfy `belongs`.
    #[inline]
    fn read_word(&mut self, belongs: impl Fn(u8) -> bool) -> ReadResult<()> {
        self.word.clear();
        while self.source.take_run(&mut self.word, &belongs) {
            self.check_length()?;
        }
        Ok(())
    }

    #[inline]
    fn check_length(&self) -> ReadResult<()> {
        if self.source.taken() - self.taken_before > MAX_GAME {
            return self.here(PgnProblem::TooLong);
        }
        Ok(())
    }

    /// Reads the movetext, up to the result or the next game.
    fn read_moves(&mut self, game: &mut PgnGame) -> ReadResult<()> {
        let mut outer: Vec<OpenLine> = Vec::new();
        let mut open =
            OpenLine::new(std::mem::take(&mut game.line), game.start, self.source.place());
        let result = loop {
            let byte = self.skip_space();
            self.check_length()?;
            match byte {
                None => break None,
                // The next game begins, so this one has no result.
                Some(b'[') if self.source.is_at_start_of_line() => break None,
                Some(b'{') => self.read_braces(&mut open)?,
                Some(b';') => self.read_rest_of_line(&mut open)?,
                Some(b'$') => {
                    let nag = self.read_nag()?;
                    open.glyph(nag);
                }
                Some(b'(') => {
                    if open.line.plies.is_empty() {
                        return self.here(PgnProblem::NothingToVary);
                    }
                    if outer.len() == MAX_NESTING {
                        return self.here(PgnProblem::TooDeep);
                    }
                    let place = self.source.place();
                    self.source.advance();
                    let variation = OpenLine::new(Line::default(), open.before, place);
                    outer.push(std::mem::replace(&mut open, variation));
                }
                Some(b')') => {
                    let Some(parent) = outer.pop() else {
                        return self.here(PgnProblem::Unexpected(')'));
                    };
                    self.source.advance();
                    let variation = std::mem::replace(&mut open, parent).line;
                    let is_empty = variation.plies.is_empty() && variation.comment.is_empty();
                    if let Some(ply) = open.line.plies.last_mut().filter(|_| !is_empty) {
                        ply.variations.push(variation);
                    }
                }
                Some(b'*') => {
                    self.source.advance();
                    if outer.is_empty() {
                        break Some(PgnResult::Unknown);
                    }
                }
                Some(b'.') => self.source.advance(),
                Some(byte) if begins_word(byte) => match self.read_move(&mut open) {
                    Ok(Some(result)) if outer.is_empty() => break Some(result),
                    Ok(_) => {}
                    Err(trouble) if outer.is_empty() => return Err(trouble),
                    Err(_) => self.keep_as_comment(&mut open)?,
                },
                Some(_) => return self.unexpected(),
            }
        };
        if !outer.is_empty() {
            return self.here(PgnProblem::OpenVariation);
        }
        // Comments after the result belong to this game.
        while result.is_some() {
            match self.skip_space() {
                Some(b'{') => self.read_braces(&mut open)?,
                Some(b';') => self.read_rest_of_line(&mut open)?,
                _ => break,
            }
        }
        self.longest = self.longest.max(open.line.plies.len()).min(MAX_ROOM);
        game.line = open.line;
        game.result = result.unwrap_or_else(|| result_of_tags(&game.tags));
        Ok(())
    }

    /// Keeps the rest of a variation as a comment, starting with `self.word`, which cannot be
    /// played (a null move, for example).
    fn keep_as_comment(&mut self, open: &mut OpenLine) -> ReadResult<()> {
        let endless = |place| Err(at(place, PgnProblem::EndlessVariation));
        let mut text = self.word.clone();
        let (mut nesting, mut in_comment) = (0, false);
        loop {
            match self.source.peek() {
                None => return endless(open.place),
                Some(b')') if !in_comment && nesting == 0 => break,
                // In movetext this can only be a tag: the next game begins.
                Some(b'[') if !in_comment && self.source.is_at_start_of_line() => {
                    self.is_before_tags = true;
                    return endless(open.place);
                }
                Some(byte) => {
                    match byte {
                        b'{' => in_comment = true,
                        b'}' => in_comment = false,
                        b'(' if !in_comment => nesting += 1,
                        b')' if !in_comment => nesting -= 1,
                        _ => {}
                    }
                    // A brace would end the comment when it is written.
                    text.push(match byte {
                        b'{' => b'<',
                        b'}' => b'>',
                        byte => byte,
                    });
                }
            }
            self.source.advance();
            self.check_length()?;
            if text.ends_with(b"\n[Event ") {
                self.met_event = true;
                return endless(open.place);
            }
        }
        open.comment(&decode(&text));
        Ok(())
    }

    /// Consumes one character and reports it as unexpected.
    fn unexpected(&mut self) -> ReadResult<()> {
        let place = self.source.place();
        self.word.clear();
        while let Some(byte) = self.source.peek() {
            if !self.word.is_empty() && byte & 0xC0 != 0x80 {
                break;
            }
            self.word.push(byte);
            self.source.advance();
        }
        let character = decode(&self.word).chars().next().unwrap_or_default();
        Err(at(place, PgnProblem::Unexpected(character)))
    }

    fn read_braces(&mut self, open: &mut OpenLine) -> ReadResult<()> {
        let place = self.source.place();
        self.source.advance();
        self.read_word(|byte| byte != b'}' && byte != b'\n')?;
        while let Some(byte) = self.source.peek().filter(|&byte| byte != b'}') {
            self.word.push(byte);
            self.source.advance();
            self.check_length()?;
            if self.word.ends_with(b"\n[Event ") {
                // Only an unclosed comment runs into the next game.
                self.met_event = true;
                return Err(at(place, PgnProblem::OpenComment));
            }
        }
        if self.source.peek().is_none() {
            return Err(at(place, PgnProblem::OpenComment));
        }
        self.source.advance();
        open.comment(&decode(&self.word));
        Ok(())
    }

    fn read_rest_of_line(&mut self, open: &mut OpenLine) -> ReadResult<()> {
        self.source.advance();
        self.read_word(|byte| byte != b'\n')?;
        open.comment(&decode(&self.word));
        Ok(())
    }

    fn read_nag(&mut self) -> ReadResult<u8> {
        let place = self.source.place();
        self.source.advance();
        self.read_word(|byte| byte.is_ascii_digit())?;
        decode(&self.word).parse().map_err(|_| at(place, PgnProblem::Nag))
    }

    /// Reads a word of the movetext: a move number, a move, a suffix such as `!?`, or a result.
    /// Returns the result, if any. On error the word is left in `self.word`.
    fn read_move(&mut self, open: &mut OpenLine) -> ReadResult<Option<PgnResult>> {
        let place = self.source.place();
        let starts_with_digit = self.source.peek().is_some_and(|byte| byte.is_ascii_digit());
        // Split `1.e4` after the number, but keep the dots of `exd6e.p.`.
        let table = if starts_with_digit { &IN_NUMBERS } else { &IN_MOVES };
        let whole = self.source.take_word(&mut self.word, table, MAX_GAME as usize);
        if whole.len() as u64 > MAX_GAME {
            return Err(at(place, PgnProblem::TooLong));
        }
        let (word, glyph) = split_glyph(whole);
        let problem = if word.iter().all(u8::is_ascii_digit) || word == b"e.p." {
            // A move number, a suffix without a move, or a separate `e.p.`.
            None
        } else if let Some(san) = San::from_bytes(word) {
            san.to_move(&open.now).map(|mv| open.play(Ply::new(mv))).err().map(PgnProblem::from)
        } else if let Some(result) = std::str::from_utf8(word).ok().and_then(PgnResult::parse) {
            return Ok(Some(result));
        } else if matches!(word, b"--" | b"Z0") {
            Some(PgnProblem::NullMove)
        } else {
            let text: String = decode(word).chars().take(40).collect();
            Some(SanSyntax(text).into())
        };
        if let Some(problem) = problem {
            self.word = whole.to_vec();
            return Err(at(place, problem));
        }
        if let Some(nag) = glyph {
            open.glyph(nag);
        }
        Ok(None)
    }

    /// Skips to the next game after an error.
    fn recover(&mut self) {
        if std::mem::take(&mut self.is_before_tags) {
            return;
        }
        while !std::mem::take(&mut self.met_event) && !self.passes_beginning() {
            if self.source.peek().is_none() {
                return;
            }
            self.source.skip_line();
        }
        // `[Event ` is consumed; read the rest of the tag.
        let value = self.read_event_value();
        self.next_tag = Some(("Event".to_owned(), value.unwrap_or_else(|| "?".to_owned())));
    }

    /// Consumes `[Event ` at the start of a line and returns whether it was there. A partial match
    /// is consumed too.
    fn passes_beginning(&mut self) -> bool {
        self.source.is_at_start_of_line()
            && GAME_BEGINS.iter().all(|&byte| {
                let is_it = self.source.peek() == Some(byte);
                if is_it {
                    self.source.advance();
                }
                is_it
            })
    }

    /// Reads the rest of an `Event` tag after its name; returns `None` if it is malformed.
    fn read_event_value(&mut self) -> Option<String> {
        self.read_word(|byte| byte != b'\n' && byte != b'\r').ok()?;
        let text = decode(&self.word);
        let value = text.trim().strip_suffix(']')?.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some(value.replace("\\\"", "\"").replace("\\\\", "\\"))
    }
}

/// Start of a game in every file that follows the standard.
const GAME_BEGINS: &[u8] = b"[Event ";

/// Returns whether `byte` can begin a move, a number, a result or a suffix such as `!?`.
const fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'!' | b'?' | b'-')
}

/// Bytes allowed in words of the movetext that begin with a digit.
static IN_NUMBERS: [bool; 256] = word_bytes(false);
/// Bytes allowed in all other words of the movetext, the dot included.
static IN_MOVES: [bool; 256] = word_bytes(true);

const fn word_bytes(points: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = begins_word(byte)
            || matches!(byte, b'+' | b'#' | b'=' | b':' | b'/')
            || points && byte == b'.';
        byte += 1;
    }
    table
}

/// Splits a suffix such as `!?` from `word` and returns its NAG. Unknown suffixes are dropped.
fn split_glyph(word: &[u8]) -> (&[u8], Option<u8>) {
    if !matches!(word.last(), Some(b'!' | b'?')) {
        return (word, None);
    }
    let length = word.iter().rev().take_while(|&&byte| matches!(byte, b'!' | b'?')).count();
    let (word, glyph) = word.split_at(word.len() - length);
    let nag = match glyph {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        _ => return (word, None),
    };
    (word, Some(nag))
}

fn result_of_tags(tags: &Tags) -> PgnResult {
    tags.get("Result").and_then(PgnResult::parse).unwrap_or_default()
}

/// Supported values of the `Variant` tag, in lower case without spaces and punctuation.
const CHESS: [&str; 8] = [
    "",
    "standard",
    "normal",
    "chess",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fromposition",
];

impl<R: Read> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut read = self.read_game();
        if let Some(error) = self.source.take_error() {
            // The apparent EOF was a read error.
            self.ended = true;
            read = self.here(error);
        }
        match read {
            Ok(None) => {
                self.ended = true;
                None
            }
            Ok(Some(game)) => Some(Ok(game)),
            Err(trouble) => {
                let (place, problem) = *trouble;
                if !self.ended && self.next_tag.is_none() {
                    self.recover();
                }
                Some(Err(PgnError { game: self.game, place, problem }))
            }
        }
    }
}
