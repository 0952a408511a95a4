//! Node types as marker types, for each of which the search is monomorphised. Start at
//! [`NodeKind`].

/// The type of a node, known at compile time.
pub(super) trait NodeKind {
    /// Whether it is a PV node, searched with an open window.
    const PV: bool;
    /// Whether it is the root.
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
