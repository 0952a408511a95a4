//! Judges a move by the evaluations before and after it. Start at [`judge()`].

use super::evaluation::Evaluation;
use crate::types::Move;

/// The severity of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// Minimum loss of winning chances, on the scale from -1 to 1, for each judgement. These are the
/// bounds of Lichess (`Advice.scala` of its server), so a glyph means the same as there.
const BOUNDS: [(f64, Judgement); 3] =
    [(0.3, Judgement::Blunder), (0.2, Judgement::Mistake), (0.1, Judgement::Inaccuracy)];

/// Longest mate, in moves, that is always noted. A longer one is noted only if the move is judged
/// bad: a side that wins anyway need not see it.
const LONGEST_TOLD_MATE: u32 = 5;

/// Maximum loss of one move, in centipawns.
const LARGEST_LOSS: i32 = 1_000;

/// A note on a mate that was missed or allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateNote {
    /// A mate in this many moves was available and no longer is.
    Missed(u32),
    /// The opponent now has a mate in this many moves.
    Allowed(u32),
}

/// The verdict on one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// Centipawns lost, from 0 to 1000.
    pub loss: i32,
    /// Winning chances lost, from 0 to 2.
    pub chances_lost: f64,
    /// The severity, if the move was bad.
    pub judgement: Option<Judgement>,
    /// A mate that was missed or allowed.
    pub mate: Option<MateNote>,
}

impl Judgement {
    /// All judgements, mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the numeric annotation glyph (NAG) of the PGN standard.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }

    /// Returns the glyph that follows a move.
    #[must_use]
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the name.
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
    /// The verdict on a move without fault.
    const FLAWLESS: Self = Self { loss: 0, chances_lost: 0.0, judgement: None, mate: None };

    /// Returns the accuracy of the move, from 0 to 100: the curve that Lichess publishes
    /// (<https://lichess.org/page/accuracy>), applied to percentage points of winning chances lost.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        let percent_lost = 50.0 * self.chances_lost;
        (103.1668 * (-0.04354 * percent_lost).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// Judges the move `played` from the evaluations `before` and `after` it.
///
/// The engine's best move and a forced move are never faulted. In a decided game hardly any move
/// is: winning chances change little there, and not at all beyond 1000 centipawns.
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
    use super::*;
    use crate::analysis::evaluation::testing;
    use crate::types::{Color, Piece, Score, Square};

    fn knight_move() -> Move {
        Move::quiet(Piece::WhiteKnight, Square::G1, Square::F3)
    }

    /// White moves; both scores are from White's point of view.
    fn verdict(before: Score, after: Score) -> Verdict {
        judge(&testing(Color::White, before), &testing(Color::Black, -after), knight_move())
    }

    #[test]
    fn judgement_follows_lost_chances() {
        for (before, after, expected) in [
            (0, 0, None),
            (0, -40, None),
            (0, -70, Some(Judgement::Inaccuracy)),
            (0, -130, Some(Judgement::Mistake)),
            (0, -200, Some(Judgement::Blunder)),
            (50, 200, None),
            (-300, -340, None),
            (300, -300, Some(Judgement::Blunder)),
            // The game is decided.
            (2_000, 750, None),
            (-750, -3_000, None),
        ] {
            let verdict = verdict(Score::cp(before), Score::cp(after));
            assert_eq!(verdict.judgement, expected, "{before} {after}");
            assert_eq!(verdict.loss, (before.min(1000) - after.max(-1000)).clamp(0, 1_000));
            assert_eq!(verdict.mate, None);
        }
    }

    #[test]
    fn missed_and_allowed_mates_are_noted() {
        let missed = verdict(Score::mate_in(3), Score::cp(900));
        assert_eq!((missed.judgement, missed.mate), (None, Some(MateNote::Missed(2))));
        let missed = verdict(Score::mate_in(3), Score::cp(-50));
        assert_eq!(missed.judgement, Some(Judgement::Blunder));
        let slower = verdict(Score::mate_in(3), -Score::mated_in(8));
        assert_eq!((slower.judgement, slower.mate), (None, None));
        let allowed = verdict(Score::cp(20), -Score::mate_in(3));
        assert_eq!(allowed.judgement, Some(Judgement::Blunder));
        assert_eq!(allowed.mate, Some(MateNote::Allowed(2)));
        // A long mate in a decided game.
        assert_eq!(verdict(Score::mate_in(21), Score::cp(1_500)).mate, None);
        assert_eq!(verdict(Score::mate_in(21), Score::cp(0)).mate, Some(MateNote::Missed(11)));
    }

    #[test]
    fn best_and_only_moves_are_flawless() {
        let mut before = testing(Color::White, Score::cp(300));
        let after = testing(Color::Black, Score::cp(300));
        assert_eq!(judge(&before, &after, knight_move()).judgement, Some(Judgement::Blunder));
        before.line = vec![knight_move()];
        assert_eq!(judge(&before, &after, knight_move()), Verdict::FLAWLESS);
        before.line.clear();
        before.choices = 1;
        assert_eq!(judge(&before, &after, knight_move()), Verdict::FLAWLESS);
    }

    #[test]
    fn accuracy_matches_lichess() {
        let accuracy = |chances_lost| Verdict { chances_lost, ..Verdict::FLAWLESS }.accuracy();
        assert!((accuracy(0.0) - 100.0).abs() < 0.01);
        // Ten percentage points lost: 103.1668 exp(-0.4354) - 3.1669.
        assert!((accuracy(0.2) - 63.581).abs() < 0.01);
        assert!(accuracy(2.0).abs() < 1e-9);
    }
}
