//! The weights of the evaluation, and where each idea's weights begin.

use super::tapered::Tapered;

/// Short for a pair of middle game and endgame.
#[allow(non_snake_case)] // as the weights are written everywhere
const fn S(middle_game: i32, endgame: i32) -> Tapered {
    Tapered::new(middle_game, endgame)
}

/// Pawn, knight, bishop, rook, queen.
pub const MATERIAL: usize = 0;
/// For each kind, a1 to h8 as White sees it.
pub const PIECE_SQUARE: usize = 5;
/// By number of squares.
pub const KNIGHT_MOBILITY: usize = 389;
/// By number of squares.
pub const BISHOP_MOBILITY: usize = 398;
/// By number of squares.
pub const ROOK_MOBILITY: usize = 412;
/// By number of squares.
pub const QUEEN_MOBILITY: usize = 427;
/// Two bishops.
pub const BISHOP_PAIR: usize = 455;
/// A pawn with another of its colour in front of it.
pub const DOUBLED_PAWN: usize = 456;
/// A pawn without neighbours on the next files.
pub const ISOLATED_PAWN: usize = 457;
/// A pawn that cannot be protected and cannot advance safely.
pub const BACKWARD_PAWN: usize = 458;
/// Pawns side by side, by rank.
pub const PHALANX: usize = 459;
/// Pawns protected by pawns, by rank.
pub const PROTECTED_PAWN: usize = 467;
/// By rank.
pub const PASSED_PAWN: usize = 475;
/// By distance of the own king to the square in front.
pub const PASSED_OWN_KING: usize = 483;
/// By distance of the enemy king to the square in front.
pub const PASSED_ENEMY_KING: usize = 491;
/// A piece stands in front of it, by rank.
pub const PASSED_BLOCKED: usize = 499;
/// The square in front is not attacked, by rank.
pub const PASSED_SAFE: usize = 507;
/// No pawn on its file.
pub const ROOK_OPEN_FILE: usize = 515;
/// No pawn of its own on its file.
pub const ROOK_HALF_OPEN_FILE: usize = 516;
/// Protected by a pawn, out of reach of enemy pawns.
pub const KNIGHT_OUTPOST: usize = 517;
/// The same for a bishop.
pub const BISHOP_OUTPOST: usize = 518;
/// Own pawns on squares of the bishop\'s colour.
pub const BAD_BISHOP: usize = 519;
/// Pawns right in front of the king and beside that.
pub const SHIELD_NEAR: usize = 520;
/// The same one rank further.
pub const SHIELD_FAR: usize = 521;
/// Files at the king without any pawn.
pub const KING_OPEN_FILE: usize = 522;
/// Files at the king without an own pawn.
pub const KING_HALF_OPEN_FILE: usize = 523;
/// By number of attacks on the squares around the king.
pub const KING_DANGER: usize = 524;
/// By knight, bishop, rook, queen.
pub const SAFE_CHECK: usize = 544;
/// Our pawn attacks knight, bishop, rook, queen.
pub const PAWN_ATTACKS_PIECE: usize = 548;
/// Our minor piece attacks pawn, knight, bishop, rook, queen.
pub const MINOR_ATTACKS: usize = 552;
/// Our rook attacks pawn, knight, bishop, rook, queen.
pub const ROOK_ATTACKS: usize = 557;
/// An undefended enemy piece that we attack.
pub const HANGING: usize = 562;
/// A safe pawn push that would attack a piece.
pub const PAWN_PUSH_THREAT: usize = 563;
/// The right to move.
pub const TEMPO: usize = 564;
/// Number of weights.
pub const COUNT: usize = 565;

/// Every weight.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; COUNT] = [
    // MATERIAL
    S(90, 110), S(330, 300), S(350, 320), S(470, 540), S(980, 980),
    // PIECE_SQUARE
    S(-2, 0), S(-1, 0), S(1, 0), S(2, 0), S(2, 0), S(1, 0), S(-1, 0), S(-2, 0),
    S(-2, 0), S(-1, 0), S(1, 0), S(-16, 0), S(-16, 0), S(1, 0), S(-1, 0), S(-2, 0),
    S(-6, 2), S(-2, 2), S(2, 2), S(6, 2), S(6, 2), S(2, 2), S(-2, 2), S(-6, 2),
    S(-2, 6), S(2, 6), S(6, 6), S(20, 6), S(20, 6), S(6, 6), S(2, 6), S(-2, 6),
    S(4, 14), S(8, 14), S(12, 14), S(16, 14), S(16, 14), S(12, 14), S(8, 14), S(4, 14),
    S(18, 30), S(19, 30), S(21, 30), S(22, 30), S(22, 30), S(21, 30), S(19, 30), S(18, 30),
    S(33, 50), S(34, 50), S(36, 50), S(37, 50), S(37, 50), S(36, 50), S(34, 50), S(33, 50),
    S(-2, 0), S(-1, 0), S(1, 0), S(2, 0), S(2, 0), S(1, 0), S(-1, 0), S(-2, 0),
    S(-52, -30), S(-41, -21), S(-30, -12), S(-19, -3), S(-19, -3), S(-30, -12), S(-41, -21), S(-52, -30),
    S(-33, -21), S(-22, -12), S(-11, -3), S(0, 6), S(0, 6), S(-11, -3), S(-22, -12), S(-33, -21),
    S(-18, -12), S(-7, -3), S(4, 6), S(15, 15), S(15, 15), S(4, 6), S(-7, -3), S(-18, -12),
    S(-3, -3), S(8, 6), S(19, 15), S(30, 24), S(30, 24), S(19, 15), S(8, 6), S(-3, -3),
    S(1, -3), S(12, 6), S(23, 15), S(34, 24), S(34, 24), S(23, 15), S(12, 6), S(1, -3),
    S(-10, -12), S(1, -3), S(12, 6), S(23, 15), S(23, 15), S(12, 6), S(1, -3), S(-10, -12),
    S(-27, -21), S(-16, -12), S(-5, -3), S(6, 6), S(6, 6), S(-5, -3), S(-16, -12), S(-27, -21),
    S(-48, -30), S(-37, -21), S(-26, -12), S(-15, -3), S(-15, -3), S(-26, -12), S(-37, -21), S(-48, -30),
    S(-16, -8), S(-18, -5), S(-14, -2), S(-10, 1), S(-10, 1), S(-14, -2), S(-18, -5), S(-16, -8),
    S(-8, -5), S(2, -2), S(0, 1), S(4, 4), S(4, 4), S(0, 1), S(2, -2), S(-8, -5),
    S(-4, -2), S(0, 1), S(10, 4), S(8, 7), S(8, 7), S(10, 4), S(0, 1), S(-4, -2),
    S(0, 1), S(4, 4), S(8, 7), S(18, 10), S(18, 10), S(8, 7), S(4, 4), S(0, 1),
    S(0, 1), S(4, 4), S(8, 7), S(18, 10), S(18, 10), S(8, 7), S(4, 4), S(0, 1),
    S(-4, -2), S(0, 1), S(10, 4), S(8, 7), S(8, 7), S(10, 4), S(0, 1), S(-4, -2),
    S(-8, -5), S(2, -2), S(0, 1), S(4, 4), S(4, 4), S(0, 1), S(2, -2), S(-8, -5),
    S(-6, -8), S(-8, -5), S(-4, -2), S(0, 1), S(0, 1), S(-4, -2), S(-8, -5), S(-6, -8),
    S(0, 0), S(3, 0), S(6, 0), S(9, 0), S(9, 0), S(6, 0), S(3, 0), S(0, 0),
    S(-4, 0), S(-1, 0), S(2, 0), S(5, 0), S(5, 0), S(2, 0), S(-1, 0), S(-4, 0),
    S(-6, 2), S(-3, 2), S(0, 2), S(3, 2), S(3, 2), S(0, 2), S(-3, 2), S(-6, 2),
    S(-6, 4), S(-3, 4), S(0, 4), S(3, 4), S(3, 4), S(0, 4), S(-3, 4), S(-6, 4),
    S(0, 6), S(3, 6), S(6, 6), S(9, 6), S(9, 6), S(6, 6), S(3, 6), S(0, 6),
    S(6, 8), S(9, 8), S(12, 8), S(15, 8), S(15, 8), S(12, 8), S(9, 8), S(6, 8),
    S(18, 10), S(21, 10), S(24, 10), S(27, 10), S(27, 10), S(24, 10), S(21, 10), S(18, 10),
    S(8, 6), S(11, 6), S(14, 6), S(17, 6), S(17, 6), S(14, 6), S(11, 6), S(8, 6),
    S(-10, -20), S(-8, -11), S(-6, -2), S(-4, 7), S(-4, 7), S(-6, -2), S(-8, -11), S(-10, -20),
    S(-4, -11), S(-2, -2), S(0, 7), S(2, 16), S(2, 16), S(0, 7), S(-2, -2), S(-4, -11),
    S(-2, -2), S(0, 7), S(2, 16), S(4, 25), S(4, 25), S(2, 16), S(0, 7), S(-2, -2),
    S(0, 7), S(2, 16), S(4, 25), S(6, 34), S(6, 34), S(4, 25), S(2, 16), S(0, 7),
    S(0, 7), S(2, 16), S(4, 25), S(6, 34), S(6, 34), S(4, 25), S(2, 16), S(0, 7),
    S(-2, -2), S(0, 7), S(2, 16), S(4, 25), S(4, 25), S(2, 16), S(0, 7), S(-2, -2),
    S(-4, -11), S(-2, -2), S(0, 7), S(2, 16), S(2, 16), S(0, 7), S(-2, -2), S(-4, -11),
    S(-6, -20), S(-4, -11), S(-2, -2), S(0, 7), S(0, 7), S(-2, -2), S(-4, -11), S(-6, -20),
    S(38, -40), S(48, -28), S(28, -16), S(12, -4), S(16, -4), S(12, -16), S(50, -28), S(38, -40),
    S(10, -28), S(8, -16), S(-4, -4), S(-10, 8), S(-10, 8), S(-6, -4), S(8, -16), S(10, -28),
    S(-10, -16), S(-12, -4), S(-24, 8), S(-30, 20), S(-30, 20), S(-26, 8), S(-12, -4), S(-10, -16),
    S(-30, -4), S(-32, 8), S(-44, 20), S(-50, 32), S(-50, 32), S(-46, 20), S(-32, 8), S(-30, -4),
    S(-40, -4), S(-42, 8), S(-54, 20), S(-60, 32), S(-60, 32), S(-56, 20), S(-42, 8), S(-40, -4),
    S(-40, -16), S(-42, -4), S(-54, 8), S(-60, 20), S(-60, 20), S(-56, 8), S(-42, -4), S(-40, -16),
    S(-40, -28), S(-42, -16), S(-54, -4), S(-60, 8), S(-60, 8), S(-56, -4), S(-42, -16), S(-40, -28),
    S(-40, -40), S(-42, -28), S(-54, -16), S(-60, -4), S(-60, -4), S(-56, -16), S(-42, -28), S(-40, -40),
    // KNIGHT_MOBILITY
    S(-30, -36), S(-16, -21), S(-10, -15), S(-6, -10), S(-2, -6), S(1, -2), S(4, 1), S(7, 4),
    S(10, 6),
    // BISHOP_MOBILITY
    S(-28, -36), S(-14, -19), S(-8, -12), S(-4, -7), S(0, -2), S(3, 2), S(6, 6), S(9, 9),
    S(12, 12), S(14, 15), S(16, 18), S(18, 20), S(20, 23), S(22, 25),
    // ROOK_MOBILITY
    S(-18, -40), S(-10, -21), S(-7, -13), S(-4, -7), S(-2, -2), S(0, 2), S(2, 7), S(3, 10),
    S(5, 14), S(6, 17), S(7, 20), S(9, 23), S(10, 26), S(11, 29), S(12, 31),
    // QUEEN_MOBILITY
    S(-14, -50), S(-9, -33), S(-7, -26), S(-5, -21), S(-4, -16), S(-3, -12), S(-2, -8), S(-1, -5),
    S(0, -2), S(1, 1), S(2, 4), S(3, 6), S(3, 9), S(4, 11), S(5, 14), S(5, 16),
    S(6, 18), S(7, 20), S(7, 22), S(8, 24), S(8, 26), S(9, 28), S(9, 30), S(10, 32),
    S(10, 33), S(11, 35), S(11, 37), S(12, 38),
    // BISHOP_PAIR
    S(25, 50),
    // DOUBLED_PAWN
    S(-8, -18),
    // ISOLATED_PAWN
    S(-10, -14),
    // BACKWARD_PAWN
    S(-8, -10),
    // PHALANX
    S(0, 0), S(4, 0), S(8, 4), S(12, 10), S(22, 24), S(40, 50), S(60, 80), S(0, 0),
    // PROTECTED_PAWN
    S(0, 0), S(0, 0), S(10, 6), S(10, 8), S(14, 14), S(30, 34), S(60, 60), S(0, 0),
    // PASSED_PAWN
    S(0, 0), S(0, 8), S(0, 14), S(4, 28), S(20, 52), S(45, 95), S(80, 150), S(0, 0),
    // PASSED_OWN_KING
    S(0, 0), S(0, 12), S(0, 8), S(0, 2), S(0, -4), S(0, -8), S(0, -12), S(0, -14),
    // PASSED_ENEMY_KING
    S(0, 0), S(0, -24), S(0, -14), S(0, 0), S(0, 10), S(0, 18), S(0, 22), S(0, 24),
    // PASSED_BLOCKED
    S(0, 0), S(0, -2), S(0, -4), S(-4, -10), S(-10, -22), S(-16, -40), S(-20, -70), S(0, 0),
    // PASSED_SAFE
    S(0, 0), S(0, 2), S(0, 4), S(2, 8), S(6, 16), S(10, 26), S(10, 30), S(0, 0),
    // ROOK_OPEN_FILE
    S(24, 8),
    // ROOK_HALF_OPEN_FILE
    S(10, 6),
    // KNIGHT_OUTPOST
    S(22, 14),
    // BISHOP_OUTPOST
    S(20, 8),
    // BAD_BISHOP
    S(-3, -6),
    // SHIELD_NEAR
    S(12, -2),
    // SHIELD_FAR
    S(7, -2),
    // KING_OPEN_FILE
    S(-18, 0),
    // KING_HALF_OPEN_FILE
    S(-10, 0),
    // KING_DANGER
    S(0, 0), S(-3, 0), S(-8, 1), S(-14, 2), S(-22, 2), S(-32, 2), S(-44, 3), S(-58, 4),
    S(-74, 4), S(-91, 4), S(-110, 5), S(-131, 6), S(-154, 6), S(-178, 6), S(-204, 7), S(-232, 8),
    S(-262, 8), S(-294, 8), S(-328, 9), S(-363, 10),
    // SAFE_CHECK
    S(-30, 0), S(-18, -2), S(-35, 0), S(-25, -4),
    // PAWN_ATTACKS_PIECE
    S(45, 30), S(45, 40), S(60, 30), S(55, 30),
    // MINOR_ATTACKS
    S(0, 8), S(16, 20), S(18, 22), S(36, 22), S(30, 30),
    // ROOK_ATTACKS
    S(-2, 8), S(12, 18), S(14, 18), S(0, 0), S(40, 20),
    // HANGING
    S(8, 10),
    // PAWN_PUSH_THREAT
    S(12, 10),
    // TEMPO
    S(18, 12),
];
