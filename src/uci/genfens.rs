//! The `genfens` command, which OpenBench uses to request openings for training games. Start at
//! [`gen_fens`].

use std::io;
use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use thiserror::Error;

use crate::eval::EvalKind;
use crate::search::TableTooLarge;
use crate::training::{OpeningsError, RandomOpenings, SelfPlay, SelfPlayLimits};
use crate::uci::command::GenFensArguments;
use crate::uci::console::Console;

/// Nodes of the search that sorts out decided openings.
const NODES: u64 = 500;
/// Size of its hash table in MiB.
const HASH: usize = 1;

/// Why no openings are printed.
#[derive(Debug, Error)]
pub(super) enum GenFensError {
    #[error("genfens: {0}")]
    Openings(#[from] OpeningsError),
    #[error("genfens: {0}")]
    Table(#[from] TableTooLarge),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Prints the openings, each as soon as it is found. The same arguments give the same openings.
pub(super) fn gen_fens(
    arguments: &GenFensArguments,
    console: &Console,
) -> Result<(), GenFensError> {
    let openings = match &arguments.book {
        Some(path) => RandomOpenings::from_file(path)?,
        None => RandomOpenings::of_variant(arguments.chess960),
    };
    let mut player = SelfPlay::new(SelfPlayLimits { nodes: NODES }, HASH, EvalKind::default())?;
    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
    for _ in 0..arguments.count {
        let never = AtomicBool::new(false);
        let Some(board) = player.opening(&mut rng, &openings, &never) else { break };
        console.say(&format!("info string genfens {}", board.to_fen()))?;
    }
    Ok(())
}
