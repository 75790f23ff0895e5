//! Names of loops in the code of a function. Invariant: the loops of a function that is inlined at several calls are
//! one loop each: they have one profile and one specialization.

use holloway_ir::{Block, FuncRef};

/// A loop in the code of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct LoopKey {
    /// The inlined function whose loop it is; `None` if it is the function's own.
    pub callee: Option<FuncRef>,
    /// Its header.
    pub header: Block,
}

impl LoopKey {
    /// A loop of the function itself.
    pub fn own(header: Block) -> LoopKey {
        LoopKey { callee: None, header }
    }

    /// The header of a loop of the function itself, which activations can enter.
    pub fn own_header(self) -> Option<Block> {
        self.callee.is_none().then_some(self.header)
    }
}

impl From<Block> for LoopKey {
    fn from(header: Block) -> LoopKey {
        LoopKey::own(header)
    }
}
