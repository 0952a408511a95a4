//! What orders moves, and what earlier nodes taught about moves and evaluations.

pub(super) mod correction;
pub(super) mod history;
pub(super) mod move_picker;
