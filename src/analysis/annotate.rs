//! Writes a study into its game: evaluations, glyphs, better lines, notes on mates and tags. Start
//! at [`annotate()`].

use super::evaluation::Evaluation;
use super::judge::{MateNote, Verdict};
use super::review::GameReview;
use crate::notation::{Line, PgnGame, Ply};

/// An opening with its ECO code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningName {
    /// ECO code, such as `C60`.
    pub eco: String,
    /// Name of the opening.
    pub name: String,
}

/// Maximum length of a better line in plies: enough to show the point. A line that wins by force
/// may be as long as [`MATING_LINE`].
const LINE: usize = 10;
const MATING_LINE: usize = 20;

/// Writes a study into its game. Existing annotations stay, except `%eval` commands, which would
/// contradict the new ones.
pub fn annotate(
    game: &mut PgnGame,
    review: &GameReview,
    annotator: &str,
    opening: Option<&OpeningName>,
) {
    write_tags(game, annotator, opening);
    let findings = review.evaluations.windows(2).zip(&review.verdicts);
    for (ply, (pair, verdict)) in game.line.plies.iter_mut().zip(findings) {
        let [before, after] = pair else { continue };
        write_comment(ply, after, verdict);
        if let Some(judgement) = verdict.judgement
            && !ply.nags.contains(&judgement.nag())
        {
            ply.nags.push(judgement.nag());
        }
        if verdict.judgement.is_some() || matches!(verdict.mate, Some(MateNote::Missed(_))) {
            write_better_line(ply, before);
        }
    }
}

fn write_tags(game: &mut PgnGame, annotator: &str, opening: Option<&OpeningName>) {
    let ours = annotator.split(' ').next().unwrap_or_default();
    let annotators = match known(game, "Annotator") {
        // Keep earlier annotators, but replace an entry from an earlier run.
        Some(others) => match others.split_once(ours).map_or(others, |(before, _)| before) {
            "" => annotator.to_owned(),
            before if before.len() < others.len() => format!("{before}{annotator}"),
            others => format!("{others}; {annotator}"),
        },
        None => annotator.to_owned(),
    };
    game.tags.set("Annotator", &annotators);
    if let Some(opening) = opening {
        for (tag, value) in [("ECO", &opening.eco), ("Opening", &opening.name)] {
            if known(game, tag).is_none() && !value.is_empty() {
                game.tags.set(tag, value);
            }
        }
    }
}

/// Returns the value of a tag unless it is empty or `?`.
fn known<'a>(game: &'a PgnGame, tag: &str) -> Option<&'a str> {
    game.tags.get(tag).filter(|value| !matches!(*value, "" | "?"))
}

/// Writes the evaluation, the old comment (with `%clk` and the like) and a note on mates, in this
/// order.
fn write_comment(ply: &mut Ply, after: &Evaluation, verdict: &Verdict) {
    let old = without_evaluations(&ply.comment);
    let evaluation = after.pgn_text().map(|text| format!("[%eval {text}]"));
    // Do not repeat the note when a file is analysed again.
    let words = verdict.mate.map(words).filter(|words| !old.contains(words.as_str()));
    let parts = [evaluation, (!old.is_empty()).then_some(old), words];
    ply.comment = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
}

fn words(note: MateNote) -> String {
    match note {
        MateNote::Missed(moves) => format!("Mate in {moves} missed."),
        MateNote::Allowed(moves) => format!("Allows mate in {moves}."),
    }
}

/// Returns `comment` without commands such as `[%eval 0.31]`.
fn without_evaluations(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%eval") {
        let Some(length) = rest[start..].find(']') else { break };
        kept.push_str(&rest[..start]);
        rest = &rest[start + length + 1..];
    }
    kept.push_str(rest);
    kept.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds the best line as a variation, unless a variation with the same first move exists.
fn write_better_line(ply: &mut Ply, before: &Evaluation) {
    let length = if before.score.is_win() { MATING_LINE } else { LINE };
    let line = Line::new(before.line.iter().copied().take(length));
    let first = |line: &Line| line.plies.first().map(|ply| ply.mv);
    let known = ply.variations.iter().any(|variation| first(variation) == first(&line));
    if !known && !line.plies.is_empty() {
        ply.variations.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::evaluation::testing;
    use crate::notation::{PgnReader, San};
    use crate::types::{Color, Score};

    const TEXT: &str = "[Event \"?\"]\n[Annotator \"Somebody\"]\n[ECO \"?\"]\n\n\
        {Begin} 1. f3 {[%eval 0.1] [%clk 0:10:00] why?} $5 (1. d4 {better}) \
        1... e5 {old [%eval #3]} 2. g4 {[%clk 0:09:50]} 2... Qh4# 0-1\n";

    fn annotated(text: &str) -> PgnGame {
        let mut game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let board = game.to_game();
        let two = 200;
        let mut evaluations: Vec<Evaluation> =
            [(Color::White, 0), (Color::Black, two), (Color::White, -two), (Color::Black, 0)]
                .map(|(us, score)| testing(us, Score::cp(score)))
                .into();
        evaluations[3].score = Score::mate_in(1);
        evaluations[3].line = board.moves()[3..].to_vec();
        let mated = Evaluation { choices: 0, ..testing(Color::White, Score::mated_in(0)) };
        evaluations.push(mated);
        let line = |ply: usize, san: &str| {
            vec![san.parse::<San>().unwrap().to_move(&board.positions()[ply]).unwrap()]
        };
        evaluations[0].line = line(0, "e4");
        evaluations[2].line = line(2, "e4");
        let review = GameReview::new(&board, evaluations);
        let opening = OpeningName { eco: "A00".to_owned(), name: "Barnes".to_owned() };
        annotate(&mut game, &review, "Damero 1.0", Some(&opening));
        game
    }

    #[test]
    fn annotate_keeps_text_and_replaces_evaluations() {
        let text = annotated(TEXT).to_string();
        let moves = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert_eq!(
            moves.trim(),
            "{Begin} 1. f3 $5 $4 {[%eval -2.00] [%clk 0:10:00] why?} (1. d4 {better}) (1. e4) \
             1... e5 {[%eval -2.00] old} 2. g4 $4 {[%eval #-1] [%clk 0:09:50] Allows mate in 1.} \
             (2. e4) 2... Qh4# 0-1"
        );
        assert!(text.contains("[Annotator \"Somebody; Damero 1.0\"]"), "{text}");
        assert!(text.contains("[ECO \"A00\"]\n[Opening \"Barnes\"]"), "{text}");
    }

    #[test]
    fn annotate_is_idempotent() {
        let text = annotated(TEXT).to_string();
        assert_eq!(annotated(&text).to_string(), text);
        let alone = annotated(&TEXT.replace("Somebody", "Damero 0.9 (depth 3)"));
        assert_eq!(alone.tags.get("Annotator"), Some("Damero 1.0"));
    }
}
