//! The guide: chapters that read the same here and on GitHub.
//!
//! | chapter | contents |
//! |---|---|
//! | [`using`] | playing, studying, books, tablebases, the protocol and all options |
//! | [`strength`] | matches against other engines, with the command of each |
//! | [`levels`] | weaker opponents and how they were calibrated |
//! | [`training`] | self-play data and tuning the evaluation |
//! | [`testing`] | tests, benchmarks, matches, parameter tuning, `OpenBench` |
//! | [`architecture`] | layers, the path of a search, where things are |

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("levels.md")]
pub mod levels {}

#[doc = include_str!("strength.md")]
pub mod strength {}

#[doc = include_str!("testing.md")]
pub mod testing {}

#[doc = include_str!("training.md")]
pub mod training {}

#[doc = include_str!("using.md")]
pub mod using {}
