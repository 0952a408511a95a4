//! Which weight is where: the ideas of the evaluation, each with its number of weights.

/// A group of weights that belong to one idea.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name, as the constants below have it.
    pub name: &'static str,
    /// The index of its first weight.
    pub start: usize,
    /// Number of weights.
    pub len: usize,
}

macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident: $len:literal;)*) => {
        layout!(@constants 0; $($(#[$doc])* $name $len;)*);

        /// All groups in order.
        pub const GROUPS: &[Group] = &[
            $(Group { name: stringify!($name), start: $name, len: $len },)*
        ];

        /// Number of weights.
        pub const COUNT: usize = 0 $(+ $len)*;
    };
    (@constants $start:expr; $(#[$doc:meta])* $name:ident $len:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $start;
        layout!(@constants $name + $len; $($rest)*);
    };
    (@constants $start:expr;) => {};
}

layout! {
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL: 5;
    /// For each kind, a1 to h8 as White sees it.
    PIECE_SQUARE: 384;
    /// By number of squares.
    KNIGHT_MOBILITY: 9;
    /// By number of squares.
    BISHOP_MOBILITY: 14;
    /// By number of squares.
    ROOK_MOBILITY: 15;
    /// By number of squares.
    QUEEN_MOBILITY: 28;
    /// Two bishops.
    BISHOP_PAIR: 1;
    /// A pawn with another of its colour in front of it.
    DOUBLED_PAWN: 1;
    /// A pawn without neighbours on the next files.
    ISOLATED_PAWN: 1;
    /// A pawn that cannot be protected and cannot advance safely.
    BACKWARD_PAWN: 1;
    /// Pawns side by side, by rank.
    PHALANX: 8;
    /// Pawns protected by pawns, by rank.
    PROTECTED_PAWN: 8;
    /// By rank.
    PASSED_PAWN: 8;
    /// By distance of the own king to the square in front.
    PASSED_OWN_KING: 8;
    /// By distance of the enemy king to the square in front.
    PASSED_ENEMY_KING: 8;
    /// A piece stands in front of it, by rank.
    PASSED_BLOCKED: 8;
    /// The square in front is not attacked, by rank.
    PASSED_SAFE: 8;
    /// No pawn on its file.
    ROOK_OPEN_FILE: 1;
    /// No pawn of its own on its file.
    ROOK_HALF_OPEN_FILE: 1;
    /// Protected by a pawn, out of reach of enemy pawns.
    KNIGHT_OUTPOST: 1;
    /// The same for a bishop.
    BISHOP_OUTPOST: 1;
    /// Own pawns on squares of the bishop\'s colour.
    BAD_BISHOP: 1;
    /// Pawns right in front of the king and beside that.
    SHIELD_NEAR: 1;
    /// The same one rank further.
    SHIELD_FAR: 1;
    /// Files at the king without any pawn.
    KING_OPEN_FILE: 1;
    /// Files at the king without an own pawn.
    KING_HALF_OPEN_FILE: 1;
    /// By number of attacks on the squares around the king.
    KING_DANGER: 20;
    /// By knight, bishop, rook, queen.
    SAFE_CHECK: 4;
    /// Our pawn attacks knight, bishop, rook, queen.
    PAWN_ATTACKS_PIECE: 4;
    /// Our minor piece attacks pawn, knight, bishop, rook, queen.
    MINOR_ATTACKS: 5;
    /// Our rook attacks pawn, knight, bishop, rook, queen.
    ROOK_ATTACKS: 5;
    /// An undefended enemy piece that we attack.
    HANGING: 1;
    /// A safe pawn push that would attack a piece.
    PAWN_PUSH_THREAT: 1;
    /// The right to move.
    TEMPO: 1;
}
