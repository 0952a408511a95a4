//! Game chart: White's winning chances move by move, with bad moves marked, as a self-contained SVG
//! file (no script, font or style sheet). Start at [`chart()`].

use std::fmt::Write;

use super::evaluation::{Evaluation, chances};
use super::judge::Judgement;
use super::review::GameReview;
use crate::notation::{PgnGame, San};
use crate::types::Color;

/// Width and height of the picture.
const SIZE: (f64, f64) = (960.0, 430.0);
/// Area of the curve.
const PLOT: Frame = Frame { left: 56.0, top: 70.0, right: 940.0, bottom: 340.0 };
/// Horizontal grid lines, in pawns.
const PAWNS: [i32; 9] = [-8, -4, -2, -1, 0, 1, 2, 4, 8];
/// Approximate maximum number of move numbers on the x axis.
const MOST_NUMBERS: usize = 16;
/// Maximum length of the players' names in the title, in characters; more would not fit.
const LONGEST_TITLE: usize = 70;

const PAPER: &str = "#faf9f6";
const INK: &str = "#2b2d31";
const FAINT: &str = "#80848c";
const WHITE_AREA: &str = "#ffffff";
const BLACK_AREA: &str = "#5b6068";

struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Frame {
    /// Returns the y coordinate of White's winning chances, given from -1 to 1.
    fn y(&self, chances: f64) -> f64 {
        self.bottom - f64::midpoint(chances, 1.0) * (self.bottom - self.top)
    }

    /// Returns the x coordinate of a position in a game of `plies` plies.
    fn x(&self, position: usize, plies: usize) -> f64 {
        self.left + (self.right - self.left) * position as f64 / plies.max(1) as f64
    }
}

const fn colour(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "#4aa3df",
        Judgement::Mistake => "#ee9b00",
        Judgement::Blunder => "#d62828",
    }
}

/// Draws a chart of a studied game and returns the SVG.
#[must_use]
pub fn chart(game: &PgnGame, review: &GameReview) -> String {
    let mut svg = Svg::default();
    svg.title(game);
    svg.areas(review);
    svg.pawn_lines();
    svg.move_numbers(game);
    svg.curve(review);
    svg.marks(game, review);
    svg.legend();
    for (row, side) in Color::ALL.into_iter().enumerate() {
        svg.player(game, review, side, 396.0 + 18.0 * row as f64);
    }
    svg.finish()
}

#[derive(Default)]
struct Svg(String);

impl Svg {
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.0.write_fmt(element);
        self.0.push('\n');
    }

    fn text(&mut self, (x, y): (f64, f64), size: u32, fill: &str, rest: &str, text: &str) {
        let text = escape(text);
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" fill="{fill}"{rest}>{text}</text>"#
        ));
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), stroke: &str) {
        self.add(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" {stroke}/>"#
        ));
    }

    fn title(&mut self, game: &PgnGame) {
        let tag = |name| game.tags.get(name).filter(|value| !value.starts_with('?'));
        let title = title(game);
        self.add(format_args!("<title>{}</title>", escape(&title)));
        self.text((PLOT.left, 34.0), 19, INK, r#" font-weight="bold""#, &title);
        let details: Vec<&str> =
            ["Event", "Date", "ECO", "Opening"].into_iter().filter_map(tag).collect();
        let details = shorten(&details.join(", "), LONGEST_TITLE + 40);
        self.text((PLOT.left, 55.0), 12, FAINT, "", &details);
    }

    /// Fills White's chances from below and Black's from above.
    fn areas(&mut self, review: &GameReview) {
        let (width, height) = (PLOT.right - PLOT.left, PLOT.bottom - PLOT.top);
        self.add(format_args!(
            r#"<rect x="{}" y="{}" width="{width}" height="{height}" fill="{BLACK_AREA}"/>"#,
            PLOT.left, PLOT.top
        ));
        let mut points = points(review);
        let _ = write!(points, " {:.1},{:.1}", PLOT.right, PLOT.bottom);
        let _ = write!(points, " {:.1},{:.1}", PLOT.left, PLOT.bottom);
        self.add(format_args!(r#"<polygon points="{points}" fill="{WHITE_AREA}"/>"#));
    }

    fn pawn_lines(&mut self) {
        for pawns in PAWNS {
            let y = PLOT.y(chances(f64::from(pawns) * 100.0));
            let stroke = if pawns == 0 {
                r##"stroke="#e07a5f" stroke-width="1.2" stroke-dasharray="5 4""##
            } else {
                r##"stroke="#8a8f98" stroke-opacity="0.35" stroke-width="1""##
            };
            self.line((PLOT.left, y), (PLOT.right, y), stroke);
            let label = if pawns == 0 { "0".to_owned() } else { format!("{pawns:+}") };
            let at = (PLOT.left - 8.0, y + 4.0);
            self.text(at, 11, FAINT, r#" text-anchor="end""#, &label.replace('-', "\u{2212}"));
        }
    }

    /// Labels the x axis with move numbers.
    fn move_numbers(&mut self, game: &PgnGame) {
        let plies = game.line.plies.len();
        let black_first = usize::from(game.start.side_to_move() == Color::Black);
        let first = usize::from(game.start.fullmove_number());
        let step = step(plies / 2);
        // A number stands below the position after White's move.
        for ply in (black_first..plies).step_by(2) {
            let number = first + ply.div_ceil(2);
            if number.is_multiple_of(step) || number == 1 {
                let x = PLOT.x(ply + 1, plies);
                let stroke = format!(r#"stroke="{FAINT}" stroke-width="1""#);
                self.line((x, PLOT.bottom), (x, PLOT.bottom + 4.0), &stroke);
                let at = (x, PLOT.bottom + 17.0);
                self.text(at, 11, FAINT, r#" text-anchor="middle""#, &number.to_string());
            }
        }
    }

    fn curve(&mut self, review: &GameReview) {
        let points = points(review);
        self.add(format_args!(
            r#"<polyline points="{points}" fill="none" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"/>"#
        ));
        let (width, height) = (PLOT.right - PLOT.left, PLOT.bottom - PLOT.top);
        self.add(format_args!(
            r#"<rect x="{}" y="{}" width="{width}" height="{height}" fill="none" stroke="{FAINT}"/>"#,
            PLOT.left, PLOT.top
        ));
    }

    /// Draws a dot for each bad move, with the move as its tooltip.
    fn marks(&mut self, game: &PgnGame, review: &GameReview) {
        let plies = review.verdicts.len();
        let mut board = game.start;
        for (ply, (verdict, played)) in review.verdicts.iter().zip(game.line.moves()).enumerate() {
            if let Some(judgement) = verdict.judgement {
                let after = &review.evaluations[ply + 1];
                let (x, y) = (PLOT.x(ply + 1, plies), PLOT.y(after.chances_for(Color::White)));
                let dots = if board.side_to_move() == Color::White { "." } else { "..." };
                let told = format!(
                    "{}{dots} {}{} ({} to {})",
                    board.fullmove_number(),
                    San::new(&board, played),
                    judgement.glyph(),
                    pawns(&review.evaluations[ply]),
                    pawns(after),
                );
                self.add(format_args!(
                    r##"<circle cx="{x:.1}" cy="{y:.1}" r="5" fill="{}" stroke="#ffffff" stroke-width="1.2"><title>{}</title></circle>"##,
                    colour(judgement),
                    escape(&told)
                ));
            }
            board.play_unchecked(played);
        }
    }

    fn legend(&mut self) {
        let y = PLOT.bottom + 17.0 + 18.0;
        for (slot, judgement) in Judgement::ALL.into_iter().enumerate() {
            let x = PLOT.right - 105.0 * (3 - slot) as f64;
            let (fill, cy) = (colour(judgement), y - 4.0);
            self.add(format_args!(r#"<circle cx="{x:.1}" cy="{cy:.1}" r="5" fill="{fill}"/>"#));
            let text = format!("{} {}", judgement.glyph(), judgement.name());
            self.text((x + 11.0, y), 12, INK, "", &text);
        }
        self.text(
            (PLOT.left, y),
            12,
            FAINT,
            "",
            "White's winning chances; left scale: lead in pawns",
        );
    }

    /// Draws the summary line of a player.
    fn player(&mut self, game: &PgnGame, review: &GameReview, side: Color, y: f64) {
        let fill = if side == Color::White { WHITE_AREA } else { BLACK_AREA };
        self.add(format_args!(
            r#"<rect x="{}" y="{:.1}" width="11" height="11" fill="{fill}" stroke="{FAINT}"/>"#,
            PLOT.left,
            y - 10.0
        ));
        let name = player(game, side);
        let at = (PLOT.left + 20.0, y);
        self.text(at, 12, INK, r#" font-weight="bold""#, &shorten(&name, 45));
        let player_stats = review.player_stats(side);
        let mut text = "no moves".to_owned();
        if let (Some(accuracy), Some(loss)) = (player_stats.accuracy(), player_stats.average_loss())
        {
            let [a, b, c] = Judgement::ALL.map(|judgement| player_stats.count(judgement));
            text = format!(
                "accuracy {accuracy:.1} %, average loss {loss:.0} centipawns, {a} \u{d7} ?!, \
                 {b} \u{d7} ?, {c} \u{d7} ??"
            );
        }
        self.text((PLOT.right, y), 12, INK, r#" text-anchor="end""#, &text);
    }

    fn finish(self) -> String {
        let (width, height) = SIZE;
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">
<rect width="{width}" height="{height}" fill="{PAPER}"/>
{}</svg>
"#,
            self.0
        )
    }
}

/// Returns the points of the curve, one per position.
fn points(review: &GameReview) -> String {
    let plies = review.verdicts.len();
    let mut points = String::new();
    for (position, evaluation) in review.evaluations.iter().enumerate() {
        let (x, y) = (PLOT.x(position, plies), PLOT.y(evaluation.chances_for(Color::White)));
        let space = if position == 0 { "" } else { " " };
        let _ = write!(points, "{space}{x:.1},{y:.1}");
    }
    if plies == 0 {
        // A single position gives a level line.
        let y = points.rsplit(',').next().unwrap_or("0").to_owned();
        let _ = write!(points, " {:.1},{y}", PLOT.right);
    }
    points
}

/// Returns the interval between move numbers for a game of `moves` moves.
fn step(moves: usize) -> usize {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
    steps.into_iter().find(|step| moves / step <= MOST_NUMBERS).unwrap_or(1_000)
}

fn player(game: &PgnGame, side: Color) -> String {
    let name = game.tags.get(if side == Color::White { "White" } else { "Black" });
    name.filter(|name| !matches!(*name, "" | "?")).map_or_else(|| side.to_string(), str::to_owned)
}

fn title(game: &PgnGame) -> String {
    let names = Color::ALL.map(|side| player(game, side)).join(" \u{2013} ");
    format!("{}, {}", shorten(&names, LONGEST_TITLE), game.result)
}

/// Formats an evaluation for a tooltip.
fn pawns(evaluation: &Evaluation) -> String {
    let text = evaluation.pgn_text().unwrap_or_else(|| "mate".to_owned());
    if text.starts_with(['#', '-']) { text } else { format!("+{text}") }
}

fn shorten(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length - 1).chain(['\u{2026}']).collect()
}

/// Escapes text for XML, which reserves five characters and forbids some others.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::evaluation::testing;
    use crate::notation::PgnReader;
    use crate::types::Score;

    fn drawn(tags: &str, moves: &str) -> String {
        let text = format!("{tags}\n\n{moves}\n");
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let board = game.to_game();
        let three = 300;
        let evaluations: Vec<Evaluation> = (0..=board.moves().len())
            .map(|ply| {
                let score = Score::cp(if ply < 3 { 0 } else { three });
                testing(board.positions()[ply].side_to_move(), score)
            })
            .collect();
        chart(&game, &GameReview::new(&board, evaluations))
    }

    #[test]
    fn chart_marks_bad_moves() {
        let svg = drawn("[White \"A\"]", "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0");
        assert!(svg.contains("<title>2. Nf3?? (+0.00 to -3.00)</title>"), "{svg}");
        let x = PLOT.x(3, 5);
        assert!(svg.contains(&format!("<circle cx=\"{x:.1}\"")), "{svg}");
        assert!(svg.contains("A \u{2013} Black, 1-0"), "{svg}");
    }

    #[test]
    fn chart_escapes_and_shortens_names() {
        let svg = drawn("[White \"</svg><b>&\\\"'\u{1}\"]\n[Black \"Ñandú ♞\"]", "*");
        assert!(svg.contains("&lt;/svg&gt;&lt;b&gt;&amp;&quot;&apos; "), "{svg}");
        assert!(svg.contains("Ñandú ♞"));
        assert_eq!(svg.matches("</svg>").count(), 1);
        let long = drawn(&format!("[White \"{}\"]", "x".repeat(500)), "*");
        assert!(!long.contains(&"x".repeat(LONGEST_TITLE)));
    }

    #[test]
    fn step_limits_move_numbers() {
        for moves in [0, 1, 16, 17, 40, 80, 300, 3_000, 30_000] {
            assert!(moves / step(moves) <= MOST_NUMBERS + 14, "{moves}");
        }
        assert_eq!((step(16), step(40), step(60)), (1, 5, 5));
    }
}
