//! Layer 1: constant attack tables and Zobrist keys, computed at compile time.

mod leapers;
mod magic_numbers;
pub mod magic_search;
mod rays;
mod sliders;

pub use leapers::{
    king_attacks, knight_attacks, knight_attacks_of_all, pawn_attacks, pawn_attacks_of_all,
};
pub use rays::{between, bishop_rays, rook_rays, walk};
pub use sliders::{SCHEME, Scheme, bishop_attacks, queen_attacks, rook_attacks};
