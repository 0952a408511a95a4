//! Layer 1: constant attack tables, computed at compile time.

mod leapers;
mod magic_numbers;
#[cfg(feature = "cli")]
pub(crate) mod magic_search;
mod rays;
mod sliders;

pub(crate) use leapers::{
    king_attacks, knight_attacks, knight_attacks_of_all, pawn_attacks, pawn_attacks_of_all,
};
pub(crate) use rays::{between, bishop_rays, rook_rays};
pub(crate) use sliders::{bishop_attacks, queen_attacks, rook_attacks};
