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
    /// A knight, for every own pawn above five, and against it for every one below.
    KNIGHT_BY_PAWNS: 1;
    /// The same for a rook.
    ROOK_BY_PAWNS: 1;
    /// A pawn with another of its colour in front of it.
    DOUBLED_PAWN: 1;
    /// A pawn without neighbours on the next files; the same on a half-open file.
    ISOLATED_PAWN: 2;
    /// A pawn that cannot be protected and cannot advance safely; the same on a half-open file.
    BACKWARD_PAWN: 2;
    /// Pawns side by side, by rank.
    PHALANX: 8;
    /// Pawns protected by pawns, by rank.
    PROTECTED_PAWN: 8;
    /// A pawn that its neighbours can help to become a passed one, by rank.
    CANDIDATE_PAWN: 8;
    /// By rank.
    PASSED_PAWN: 8;
    /// By distance of the own king to the square in front; first on ranks 2 to 4, then further on.
    PASSED_OWN_KING: 16;
    /// The same for the enemy king.
    PASSED_ENEMY_KING: 16;
    /// An own piece stands in front of it, by rank; then an enemy piece.
    PASSED_BLOCKED: 16;
    /// The square in front is not attacked, by rank.
    PASSED_SAFE: 8;
    /// The whole way is empty and not attacked, by rank.
    PASSED_FREE_PATH: 8;
    /// The enemy has only king and pawns, and his king is too far away.
    PASSED_UNSTOPPABLE: 1;
    /// An own rook behind a passed pawn; an enemy one.
    ROOK_BEHIND_PASSED: 2;
    /// A centre pawn on its first square with something in front of it.
    BLOCKED_CENTER_PAWN: 1;
    /// No pawn on its file.
    ROOK_OPEN_FILE: 1;
    /// No pawn of its own on its file.
    ROOK_HALF_OPEN_FILE: 1;
    /// On the seventh rank, with pawns there or the king behind it.
    ROOK_SEVENTH: 1;
    /// Protected by a pawn, out of reach of enemy pawns.
    KNIGHT_OUTPOST: 1;
    /// The same for a bishop.
    BISHOP_OUTPOST: 1;
    /// A knight can go to such a square; once, however many can.
    REACHABLE_OUTPOST: 1;
    /// A minor piece right behind a pawn.
    MINOR_BEHIND_PAWN: 1;
    /// Own pawns on squares of the bishop's colour.
    BAD_BISHOP: 1;
    /// Those of them that cannot move.
    BLOCKED_BAD_BISHOP: 1;
    /// A bishop that sees both centre squares of a long diagonal.
    LONG_DIAGONAL: 1;
    /// King's moves from a knight, then from a bishop, to the own king.
    MINOR_KING_DISTANCE: 2;
    /// On the king's file (then beside it), by the file's distance to the edge: the rank of the
    /// nearest own pawn in front of the king, 0 for none.
    KING_SHELTER: 64;
    /// Not stopped by an own pawn (then stopped), by rank: the nearest enemy pawn in front.
    KING_STORM: 16;
    /// Files at the king without any pawn.
    KING_OPEN_FILE: 1;
    /// Files at the king without an own pawn.
    KING_HALF_OPEN_FILE: 1;
    /// The right to castle on the king's side; on the queen's side.
    CASTLING_RIGHTS: 2;
    /// The king on the files c to f of the first two ranks, without the right to castle.
    UNCASTLED_KING: 1;
    /// No pawn at all on the king's wing.
    PAWNLESS_FLANK: 1;
    /// Safe squares in the centre of the own camp, twice behind own pawns unless attacked; times
    /// the own men beyond eight, over four.
    SPACE: 1;
    /// Our pawn attacks knight, bishop, rook, queen.
    PAWN_ATTACKS_PIECE: 4;
    /// Our minor piece attacks pawn, knight, bishop, rook, queen.
    MINOR_ATTACKS: 5;
    /// Our rook attacks pawn, knight, bishop, rook, queen that is not well protected.
    ROOK_ATTACKS: 5;
    /// Our king attacks something that is not well protected.
    KING_ATTACKS: 1;
    /// An undefended enemy piece or pawn that we attack.
    HANGING: 1;
    /// A safe pawn push that would attack a piece.
    PAWN_PUSH_THREAT: 1;
    /// Squares that the enemy attacks but does not protect well, and we attack too.
    RESTRICTED: 1;
    /// Squares not well protected from which a minor piece or rook would attack the queen.
    ATTACK_ON_QUEEN: 1;
    /// The right to move.
    TEMPO: 1;

    // From here on the weights are danger to a king, which is squared: see `danger.rs`.
    /// For every king.
    DANGER_BASE: 1;
    /// Knights, bishops, rooks, queens that attack squares around the king.
    DANGER_ATTACKER: 4;
    /// Attacks on these squares, counted one by one.
    DANGER_ATTACK: 1;
    /// Attacked squares around the king that only king or queen protect.
    DANGER_WEAK: 1;
    /// The attacker has no queen.
    DANGER_NO_QUEEN: 1;
    /// Squares from which a knight, bishop, rook, queen can give check and is not taken.
    DANGER_SAFE_CHECK: 4;
    /// Squares from which a piece can give check, but is taken.
    DANGER_UNSAFE_CHECK: 1;
    /// Own minor pieces around the king.
    DANGER_DEFENDER: 1;
    /// Attacked squares on the king's wing.
    DANGER_FLANK: 1;
    /// Pieces that shield the king from a slider.
    DANGER_PINNED: 1;
    /// On the three files at the king: the rank of the nearest own pawn in front, 0 for none.
    DANGER_SHELTER: 8;
}

/// The first of the weights that count as danger.
pub const DANGER: usize = DANGER_BASE;
