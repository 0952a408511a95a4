//! Indices of the weights: one group per term or part of a term, numbered in order of declaration.

/// A group of consecutive weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Name of the constant that holds its start.
    pub name: &'static str,
    /// Index of its first weight.
    pub start: usize,
    /// Number of weights in the group.
    pub len: usize,
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident: $len:literal;)*) => {
        features!(@constants 0; $($(#[$doc])* $name $len;)*);

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
        features!(@constants $name + $len; $($rest)*);
    };
    (@constants $start:expr;) => {};
}

features! {
    /// Material: pawn, knight, bishop, rook, queen.
    MATERIAL: 5;
    /// Piece-square tables (PSQT) by piece type: a1 to h8, as the piece's own side sees it.
    PIECE_SQUARE: 384;
    /// Knights, by number of attacked squares in the mobility area.
    KNIGHT_MOBILITY: 9;
    /// Bishops, by number of attacked squares in the mobility area.
    BISHOP_MOBILITY: 14;
    /// Rooks, by number of attacked squares in the mobility area.
    ROOK_MOBILITY: 15;
    /// Queens, by number of attacked squares in the mobility area.
    QUEEN_MOBILITY: 28;
    /// Two or more bishops.
    BISHOP_PAIR: 1;
    /// Per knight: number of own pawns minus five.
    KNIGHT_BY_PAWNS: 1;
    /// Per rook: number of own pawns minus five.
    ROOK_BY_PAWNS: 1;
    /// Pawn with another own pawn ahead on its file.
    DOUBLED_PAWN: 1;
    /// Isolated pawn: no own pawns on adjacent files. The second weight applies if no enemy pawn
    /// is ahead on its file.
    ISOLATED_PAWN: 2;
    /// Backward pawn: no own pawn is beside it or can protect it, and an enemy pawn attacks its
    /// stop square. The second weight applies if no enemy pawn is ahead on its file.
    BACKWARD_PAWN: 2;
    /// Pawn with an own pawn beside it, by rank.
    PHALANX: 8;
    /// Pawn protected by a pawn, by rank.
    PROTECTED_PAWN: 8;
    /// Candidate passed pawn, by rank: adjacent pawns can help it to become passed.
    CANDIDATE_PAWN: 8;
    /// Passed pawn, by rank.
    PASSED_PAWN: 8;
    /// Passed pawn, by distance from the own king to the stop square: on ranks 2 to 4, then
    /// further on.
    PASSED_OWN_KING: 16;
    /// Passed pawn, by distance from the enemy king to the stop square, likewise.
    PASSED_ENEMY_KING: 16;
    /// Passed pawn blocked by an own man, then by an enemy man, by rank.
    PASSED_BLOCKED: 16;
    /// Passed pawn whose stop square the enemy does not attack, by rank.
    PASSED_SAFE: 8;
    /// Passed pawn whose path is empty and not attacked by the enemy, by rank.
    PASSED_FREE_PATH: 8;
    /// Unstoppable passed pawn (rule of the square): its path is empty, the enemy has only king
    /// and pawns, and the king comes too late.
    PASSED_UNSTOPPABLE: 1;
    /// Passed pawn with an own rook, then with an enemy rook behind it.
    ROOK_BEHIND_PASSED: 2;
    /// Blocked d- or e-pawn on its initial square.
    BLOCKED_CENTER_PAWN: 1;
    /// Rook on a file without pawns.
    ROOK_OPEN_FILE: 1;
    /// Rook on a file with enemy pawns only.
    ROOK_HALF_OPEN_FILE: 1;
    /// Rook on the seventh rank, with enemy pawns on it or the enemy king behind it.
    ROOK_SEVENTH: 1;
    /// Knight on ranks 4 to 6, protected by a pawn, where no enemy pawn can ever attack it.
    KNIGHT_OUTPOST: 1;
    /// Bishop on such a square.
    BISHOP_OUTPOST: 1;
    /// A knight can move to such a square; counted once.
    REACHABLE_OUTPOST: 1;
    /// Minor piece directly behind a pawn of either colour.
    MINOR_BEHIND_PAWN: 1;
    /// Per bishop: own pawns on squares of its colour.
    BAD_BISHOP: 1;
    /// Per bishop: own blocked pawns on squares of its colour.
    BLOCKED_BAD_BISHOP: 1;
    /// Bishop on a long diagonal, outside the centre, that sees both centre squares through
    /// pieces.
    LONG_DIAGONAL: 1;
    /// Distance in king moves to the own king: from knights, then from bishops.
    MINOR_KING_DISTANCE: 2;
    /// On the king's file, then on adjacent files: by the file's distance to the edge and the rank
    /// of the nearest own pawn not behind the king (0 for none).
    KING_SHELTER: 64;
    /// Not stopped, then stopped by an own pawn: by rank of the nearest enemy pawn not behind the
    /// king (0 for none).
    KING_STORM: 16;
    /// Files without pawns, among the king's file and those adjacent.
    KING_OPEN_FILE: 1;
    /// Files with enemy pawns only, among the king's file and those adjacent.
    KING_HALF_OPEN_FILE: 1;
    /// Castling right: kingside, then queenside.
    CASTLING_RIGHTS: 2;
    /// King on file d or e of the first two ranks, without castling rights.
    UNCASTLED_KING: 1;
    /// No pawn of either colour on the king's flank.
    PAWNLESS_FLANK: 1;
    /// Squares on files c to f of ranks 2 to 4 free of own pawns and not attacked by enemy pawns,
    /// counted twice if behind an own pawn and not attacked by the enemy; times own men above
    /// eight, divided by 4.
    SPACE: 1;
    /// Knights, bishops, rooks, queens attacked by a pawn.
    PAWN_ATTACKS_PIECE: 4;
    /// Pawns (unless well protected), knights, bishops, rooks, queens attacked by a minor piece.
    MINOR_ATTACKS: 5;
    /// Pawns, knights, bishops, rooks, queens attacked by a rook and not well protected.
    ROOK_ATTACKS: 5;
    /// The king attacks something that is not well protected.
    KING_ATTACKS: 1;
    /// Enemy men that are attacked and undefended.
    HANGING: 1;
    /// Enemy pieces, the king included, that a safe pawn push would attack.
    PAWN_PUSH_THREAT: 1;
    /// Squares that both sides attack and the enemy does not protect well.
    RESTRICTED: 1;
    /// Squares not well protected from which a minor piece or rook would attack the only queen.
    ATTACK_ON_QUEEN: 1;
    /// Side to move.
    TEMPO: 1;

    // From here on: danger units against a king, which `king_safety` adds up and squares.
    /// Constant for every king.
    DANGER_BASE: 1;
    /// Knights, bishops, rooks, queens that attack the king zone.
    DANGER_ATTACKER: 4;
    /// Attacks on the king zone, one per piece and square.
    DANGER_ATTACK: 1;
    /// Weak squares in the king zone: attacked, and undefended or defended once, by king or queen.
    DANGER_WEAK: 1;
    /// The attacker has no queen.
    DANGER_NO_QUEEN: 1;
    /// Squares from which a knight, bishop, rook, queen can safely give check; at most two each.
    DANGER_SAFE_CHECK: 4;
    /// Squares from which a knight, bishop or rook can give check, but not safely.
    DANGER_UNSAFE_CHECK: 1;
    /// Own minor pieces in the king zone.
    DANGER_DEFENDER: 1;
    /// Enemy attacks on the king's flank, up to the own fifth rank; squares attacked twice count
    /// twice.
    DANGER_FLANK: 1;
    /// Own men pinned to the king by a slider.
    DANGER_PINNED: 1;
    /// Per file as in `KING_SHELTER`, by rank of the nearest own pawn not behind the king (0 for
    /// none).
    DANGER_SHELTER: 8;
}

/// Index of the first danger weight.
pub const DANGER: usize = DANGER_BASE;
