//! The network: learnt knowledge about positions, from games of the engine against itself.
//!
//! Two perspectives share one layer of 768 inputs each; 8 output buckets by the number of men. A
//! search updates the sums of the hidden layer move by move. Start at
//! [`Accumulators::evaluate`](accumulator::Accumulators::evaluate).

pub(crate) mod accumulator;
pub(crate) mod features;
pub(crate) mod kernels;
pub(crate) mod parameters;
pub(crate) mod self_test;
#[cfg(test)]
mod testing;
pub(crate) mod trace;
