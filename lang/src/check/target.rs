//! Targets of assignments, as they are once they are checked.

use super::body::Because;
use crate::ir::TypeRef;
use crate::tast::{Expr, Place};

/// The target of an assignment.
pub(super) enum AssignTarget {
    /// A place, the type of the value it takes, and the place that fixes this type.
    Place(Place, TypeRef, Because),
    Entry(Entry),
}

/// An entry of a dict, and the type of the dict's values.
pub(super) struct Entry {
    pub(super) dict: Expr,
    pub(super) key: Expr,
    pub(super) ty: TypeRef,
}
