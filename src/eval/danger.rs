//! Danger to a king from the enemy pieces. It is added up first and then squared: two attackers
//! are more than twice as dangerous as one (the idea of the "attack units" of Glaurung and Toga).

use super::Tally;
use super::context::{Context, flank, in_front};
use super::layout::{
    DANGER_ATTACK, DANGER_ATTACKER, DANGER_BASE, DANGER_DEFENDER, DANGER_FLANK, DANGER_NO_QUEEN,
    DANGER_PINNED, DANGER_SAFE_CHECK, DANGER_UNSAFE_CHECK, DANGER_WEAK,
};
use super::tapered::Tapered;
use crate::attacks::{
    between, bishop_attacks, bishop_rays, knight_attacks, rook_attacks, rook_rays,
};
use crate::types::{Bitboard, PieceType, Rank, Side};

/// In the middle game, danger counts by its square over this.
pub const SQUARE_DIVISOR: i32 = 512;
/// In the endgame, it counts as it is over this.
pub const ENDGAME_DIVISOR: i32 = 16;
/// More danger than this is mate anyway; it bounds the square.
const MOST: i32 = 1_500;

/// What so much danger costs.
#[inline]
pub(super) fn cost(danger: Tapered) -> Tapered {
    let units = danger.middle_game().clamp(0, MOST);
    let endgame = danger.endgame().clamp(0, MOST);
    Tapered::new(units * units / SQUARE_DIVISOR, endgame / ENDGAME_DIVISOR)
}

/// Counts the danger to a side's king.
#[inline]
pub(super) fn count<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let board = context.board;
    tally.danger(S::US, DANGER_BASE, 1);
    let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    for (index, kind) in kinds.into_iter().enumerate() {
        let attackers = context.zone_attackers[them][kind.index()];
        tally.danger(S::US, DANGER_ATTACKER + index, attackers);
    }
    tally.danger(S::US, DANGER_ATTACK, context.zone_attacks[them]);
    if board.pieces(S::THEM, PieceType::Queen).is_empty() {
        tally.danger(S::US, DANGER_NO_QUEEN, 1);
    }
    let minors = board.pieces(S::US, PieceType::Knight) | board.pieces(S::US, PieceType::Bishop);
    tally.danger(S::US, DANGER_DEFENDER, (minors & context.king_zone[us]).len() as i32);

    // Attacked by them, and protected by nobody but king or queen.
    let alone = context.by(S::US, PieceType::King) | context.by(S::US, PieceType::Queen);
    let weak =
        context.attacked[them] & (alone | !context.attacked[us]) - context.attacked_twice[us];
    tally.danger(S::US, DANGER_WEAK, (weak & context.king_zone[us]).len() as i32);
    checks::<S>(context, weak, tally);
    flank_attacks::<S>(context, tally);
    pinned::<S>(context, tally);
}

/// Squares from which an enemy piece could give check, without being taken at once or not.
#[inline]
fn checks<S: Side>(context: &Context<'_>, weak: Bitboard, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let king = context.kings[us];
    let safe = !context.attacked[us] | weak & context.attacked_twice[them];
    let free = !context.board.color(S::THEM);
    // The own queen does not hide the king from sliders: it is in danger itself.
    let occupied = context.occupied ^ context.board.pieces(S::US, PieceType::Queen);
    let diagonal = bishop_attacks(king, occupied);
    let orthogonal = rook_attacks(king, occupied);
    let mut unsafe_checks = Bitboard::EMPTY;
    for (index, kind, lines) in [
        (0, PieceType::Knight, knight_attacks(king)),
        (1, PieceType::Bishop, diagonal),
        (2, PieceType::Rook, orthogonal),
        (3, PieceType::Queen, diagonal | orthogonal),
    ] {
        let checks = lines & context.attacked_by[them][kind.index()] & free;
        let number = (checks & safe).len() as i32;
        // Two squares are as good as more.
        tally.danger(S::US, DANGER_SAFE_CHECK + index, number.min(2));
        if kind != PieceType::Queen {
            unsafe_checks |= checks - safe;
        }
    }
    tally.danger(S::US, DANGER_UNSAFE_CHECK, unsafe_checks.len() as i32);
}

/// How much of the king's wing the enemy controls; squares attacked twice count twice.
#[inline]
fn flank_attacks<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (us, them) = (S::US.index(), S::THEM.index());
    let camp = in_front(Bitboard::from(Rank::Sixth.relative_to(S::US)), S::THEM);
    let wing = flank(context.kings[us]) & camp;
    let attacks =
        (context.attacked[them] & wing).len() + (context.attacked_twice[them] & wing).len();
    tally.danger(S::US, DANGER_FLANK, attacks as i32);
}

/// Own pieces that stand alone between the king and an enemy slider.
#[inline]
fn pinned<S: Side>(context: &Context<'_>, tally: &mut impl Tally) {
    let (board, king) = (context.board, context.kings[S::US.index()]);
    let queens = board.pieces(S::THEM, PieceType::Queen);
    let snipers = rook_rays(king) & (board.pieces(S::THEM, PieceType::Rook) | queens)
        | bishop_rays(king) & (board.pieces(S::THEM, PieceType::Bishop) | queens);
    let mut number = 0;
    for sniper in snipers {
        let shields = between(king, sniper) & context.occupied;
        number += i32::from(!shields.has_many() && shields.meets(board.color(S::US)));
    }
    tally.danger(S::US, DANGER_PINNED, number);
}
