//! The search stack: what is kept for each ply of the current line.

use crate::search::ordering::history::HistoryContext;
use crate::types::{Move, Score};

/// Search stack entry: the state of one ply of the current line.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    pub(crate) static_eval: Option<Score>,
    pub(crate) killers: [Option<Move>; 2],
    /// Move played at this ply; `None` for a null move.
    pub(crate) played: Option<Move>,
    /// Beta cutoffs at this ply since the node two plies up was entered; many raise LMR.
    pub(crate) cutoffs: i32,
    /// Move excluded by a singular search (SE) at this ply.
    pub(crate) excluded: Option<Move>,
    pub(crate) double_extensions: i32,
    /// Context of the quiet-move histories at this ply.
    pub(crate) context: HistoryContext,
}

/// Principal variation from each ply.
pub(crate) struct PvTable(pub(crate) Vec<Vec<Move>>);

/// Frames before the root, so looking six plies back needs no special case.
pub(crate) const FRAMES_BEFORE: usize = 6;
