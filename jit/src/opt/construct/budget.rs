//! The budget of inlining, in IR instructions.
//!
//! In: the function that calls are inlined into. Out: a [`Budget`]. Invariant: it only falls.

use crate::settings::inline::GROWTH;
use holloway_lang::ir::Function;

/// The budget for further inlining.
pub(super) struct Budget {
    pub(super) left: usize,
}

impl Budget {
    pub(super) fn none() -> Budget {
        Budget { left: 0 }
    }

    pub(super) fn new(body: &Function) -> Budget {
        Budget { left: GROWTH + body.size() / 2 }
    }
}
