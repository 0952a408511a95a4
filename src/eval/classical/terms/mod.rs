//! The terms of the classical evaluation: each counts its features for one side.

pub(crate) mod king_safety;
pub(crate) mod minors;
pub(crate) mod mobility;
pub(crate) mod passed;
pub(crate) mod pawns;
pub(crate) mod rooks;
pub(crate) mod shelter;
pub(crate) mod space;
pub(crate) mod threats;
