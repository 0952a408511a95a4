//! The kinds of nodes, as types.

/// What kind of node it is, known at compile time.
pub(super) trait NodeKind {
    /// Is it on the principal variation: searched with an open window?
    const PV: bool;
    /// Is it the root?
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
