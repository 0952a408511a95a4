//! A study written into its game: evaluations, glyphs, better lines, words, tags.

use super::evaluation::Evaluation;
use super::judge::{MateNote, Verdict};
use super::study::Study;
use crate::notation::{Line, PgnGame, Ply};

/// The name of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningName {
    /// Its code, such as `C60`.
    pub eco: String,
    /// What it is called.
    pub name: String,
}

/// How much of a better line is shown, in plies: enough to see the point. A mate is shown further.
const LINE: usize = 10;
const MATING_LINE: usize = 20;

/// Writes what was found out about a game into it. What others have said stays, except for
/// evaluations by the command `%eval`, which would contradict ours.
pub fn annotate(game: &mut PgnGame, study: &Study, annotator: &str, opening: Option<&OpeningName>) {
    write_tags(game, annotator, opening);
    let findings = study.evaluations.windows(2).zip(&study.verdicts);
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
        // Whoever wrote comments keeps the credit for them; an earlier run of ours is replaced.
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

/// A tag that says something.
fn known<'a>(game: &'a PgnGame, tag: &str) -> Option<&'a str> {
    game.tags.get(tag).filter(|value| !matches!(*value, "" | "?"))
}

/// First the evaluation, then what stood there (with `%clk` and the like), then our words.
fn write_comment(ply: &mut Ply, after: &Evaluation, verdict: &Verdict) {
    let old = without_evaluations(&ply.comment);
    let evaluation = after.pgn_text().map(|text| format!("[%eval {text}]"));
    // Said once is enough, if the file is analysed again.
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

/// A comment without commands such as `[%eval 0.31]`.
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

/// Adds the best line as a variation, unless one that begins like it is there already.
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
    use super::super::evaluation::testing;
    use super::*;
    use crate::eval::OUTCOME;
    use crate::notation::{PgnReader, San};
    use crate::types::{Color, Score};

    const TEXT: &str = "[Event \"?\"]\n[Annotator \"Somebody\"]\n[ECO \"?\"]\n\n\
        {Begin} 1. f3 {[%eval 0.1] [%clk 0:10:00] why?} $5 (1. d4 {better}) \
        1... e5 {old [%eval #3]} 2. g4 {[%clk 0:09:50]} 2... Qh4# 0-1\n";

    fn annotated(text: &str) -> PgnGame {
        let mut game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let board = game.to_game();
        let two = (2.0 * OUTCOME.even).round() as i32; // shown as 2.00
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
        let study = Study::new(&board, evaluations);
        let opening = OpeningName { eco: "A00".to_owned(), name: "Barnes".to_owned() };
        annotate(&mut game, &study, "Damero 1.0", Some(&opening));
        game
    }

    #[test]
    fn what_was_there_stays_and_old_evaluations_go() {
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
    fn a_second_time_changes_nothing() {
        let text = annotated(TEXT).to_string();
        assert_eq!(annotated(&text).to_string(), text);
        let alone = annotated(&TEXT.replace("Somebody", "Damero 0.9 (depth 3)"));
        assert_eq!(alone.tags.get("Annotator"), Some("Damero 1.0"));
    }
}
