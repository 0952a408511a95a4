//! What a move was worth, from the positions before and after it.

use super::evaluation::Evaluation;
use crate::types::Move;

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// Winning chances that must be lost, on the scale from -1 to 1, for each judgement: the bounds of
/// Lichess (`Advice.scala` of its server), so that a glyph means the same here and there.
const BOUNDS: [(f64, Judgement); 3] =
    [(0.3, Judgement::Blunder), (0.2, Judgement::Mistake), (0.1, Judgement::Inaccuracy)];

/// A mate in more moves is mentioned only if it mattered: who wins anyway need not see it.
const LONGEST_TOLD_MATE: u32 = 5;

/// What the average loss counts for one move, at most.
const LARGEST_LOSS: i32 = 1_000;

/// Something about mates that should be said in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateNote {
    /// There was a mate in so many moves, and now there is none.
    Missed(u32),
    /// There was none, and now the opponent has one in so many moves.
    Allowed(u32),
}

/// What there is to say about one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// Centipawns lost, from 0 to 1000.
    pub loss: i32,
    /// Winning chances lost, from 0 to 2.
    pub chances_lost: f64,
    /// How bad that is, if it is.
    pub judgement: Option<Judgement>,
    /// Mates missed or allowed.
    pub mate: Option<MateNote>,
}

impl Judgement {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The numeric annotation glyph of the PGN standard.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }

    /// As it is written behind a move.
    #[must_use]
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    fn of(chances_lost: f64) -> Option<Self> {
        BOUNDS.iter().find(|(bound, _)| chances_lost >= *bound).map(|(_, judgement)| *judgement)
    }
}

impl Verdict {
    /// Nothing to say.
    const FLAWLESS: Self = Self { loss: 0, chances_lost: 0.0, judgement: None, mate: None };

    /// How exact the move was, from 0 to 100: the curve that Lichess publishes
    /// (<https://lichess.org/page/accuracy>), in hundredths of a win that were given away.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        let percent_lost = 50.0 * self.chances_lost;
        (103.1668 * (-0.04354 * percent_lost).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// Judges a move: `before` is the position in which it was played, `after` the one it led to.
///
/// The engine's own choice and the only move there is are beyond reproach. A game that is won or
/// lost by far stays so without a word: chances end where a thousand centipawns give them.
#[must_use]
pub fn judge(before: &Evaluation, after: &Evaluation, played: Move) -> Verdict {
    if before.best() == Some(played) || before.choices <= 1 {
        return Verdict::FLAWLESS;
    }
    let us = before.us;
    let loss = before.centipawns_for(us) - after.centipawns_for(us);
    let chances_lost = (before.chances_for(us) - after.chances_for(us)).max(0.0);
    let judgement = Judgement::of(chances_lost);
    let mate = mate_note(before, after)
        .filter(|note| judgement.is_some() || note.moves() <= LONGEST_TOLD_MATE);
    Verdict { loss: loss.clamp(0, LARGEST_LOSS), chances_lost, judgement, mate }
}

fn mate_note(before: &Evaluation, after: &Evaluation) -> Option<MateNote> {
    let (us, them) = (before.us, after.us);
    let moves =
        |evaluation: &Evaluation| evaluation.mate_for(us).unwrap_or_default().unsigned_abs();
    if before.is_mate_by(us) && !after.is_mate_by(us) {
        Some(MateNote::Missed(moves(before)))
    } else if after.is_mate_by(them) && !before.is_mate_by(them) {
        Some(MateNote::Allowed(moves(after)))
    } else {
        None
    }
}

impl MateNote {
    fn moves(self) -> u32 {
        match self {
            Self::Missed(moves) | Self::Allowed(moves) => moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::testing;
    use super::*;
    use crate::eval::OUTCOME;
    use crate::types::{Color, Piece, Score, Square};

    fn shown(centipawns: i32) -> Score {
        Score::cp((f64::from(centipawns) * OUTCOME.even / 100.0).round() as i32)
    }

    fn knight_move() -> Move {
        Move::quiet(Piece::WhiteKnight, Square::G1, Square::F3)
    }

    /// White plays; both scores from White's point of view.
    fn verdict(before: Score, after: Score) -> Verdict {
        judge(&testing(Color::White, before), &testing(Color::Black, -after), knight_move())
    }

    #[test]
    fn judgements_follow_lost_chances() {
        for (before, after, expected) in [
            (0, 0, None),
            (0, -40, None),
            (0, -70, Some(Judgement::Inaccuracy)),
            (0, -130, Some(Judgement::Mistake)),
            (0, -200, Some(Judgement::Blunder)),
            (50, 200, None),
            (-300, -340, None),
            (300, -300, Some(Judgement::Blunder)),
            // Won or lost anyway.
            (2_000, 750, None),
            (-750, -3_000, None),
        ] {
            let verdict = verdict(shown(before), shown(after));
            assert_eq!(verdict.judgement, expected, "{before} {after}");
            assert_eq!(verdict.loss, (before.min(1000) - after.max(-1000)).clamp(0, 1_000));
            assert_eq!(verdict.mate, None);
        }
    }

    #[test]
    fn mates_are_told_in_words() {
        let missed = verdict(Score::mate_in(3), shown(900));
        assert_eq!((missed.judgement, missed.mate), (None, Some(MateNote::Missed(2))));
        let missed = verdict(Score::mate_in(3), shown(-50));
        assert_eq!(missed.judgement, Some(Judgement::Blunder));
        let slower = verdict(Score::mate_in(3), -Score::mated_in(8));
        assert_eq!((slower.judgement, slower.mate), (None, None));
        let allowed = verdict(shown(20), -Score::mate_in(3));
        assert_eq!(allowed.judgement, Some(Judgement::Blunder));
        assert_eq!(allowed.mate, Some(MateNote::Allowed(2)));
        // A long mate when the game is decided anyway.
        assert_eq!(verdict(Score::mate_in(21), shown(1_500)).mate, None);
        assert_eq!(verdict(Score::mate_in(21), shown(0)).mate, Some(MateNote::Missed(11)));
    }

    #[test]
    fn the_best_move_and_the_only_move_are_beyond_reproach() {
        let mut before = testing(Color::White, shown(300));
        let after = testing(Color::Black, shown(300));
        assert_eq!(judge(&before, &after, knight_move()).judgement, Some(Judgement::Blunder));
        before.line = vec![knight_move()];
        assert_eq!(judge(&before, &after, knight_move()), Verdict::FLAWLESS);
        before.line.clear();
        before.choices = 1;
        assert_eq!(judge(&before, &after, knight_move()), Verdict::FLAWLESS);
    }

    #[test]
    fn accuracy_is_the_published_curve() {
        let accuracy = |chances_lost| Verdict { chances_lost, ..Verdict::FLAWLESS }.accuracy();
        assert!((accuracy(0.0) - 100.0).abs() < 0.01);
        // Ten hundredths of a win lost: 103.1668 exp(-0.4354) - 3.1669.
        assert!((accuracy(0.2) - 63.581).abs() < 0.01);
        assert!(accuracy(2.0).abs() < 1e-9);
    }
}
