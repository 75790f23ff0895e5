//! The probes of baseline code: the actions of an edge plan, with the addresses they work on, the cells that note what
//! indirect calls call, and those that note how branches go.
//!
//! In: a plan over the function's graph, made concrete by the runtime. Out: what `translate` makes code of. The
//! interpreter carries the same plan out.

use hashbrown::HashMap;
use holloway_lang::ir::Block;

/// The probes of a function by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// The 64-bit counters, by their addresses, to which one is added after the prologue.
    pub entry: Vec<usize>,
    /// Those on edges between blocks.
    pub edges: HashMap<(Block, Block), Vec<usize>>,
    /// Those before the return of a block.
    pub returns: HashMap<Block, Vec<usize>>,
    /// The cells of indirect calls, by block and number of the instruction:
    /// [`TARGET_WORDS`](crate::observed::TARGET_WORDS) words at that address.
    pub targets: HashMap<(Block, usize), usize>,
    /// The cells of branches, by block: [`OUTCOME_WORDS`](crate::observed::outcomes::OUTCOME_WORDS) words at that
    /// address.
    pub outcomes: HashMap<Block, usize>,
}

impl Probes {
    /// The probes of an edge.
    pub fn on_edge(&self, from: Block, to: Block) -> &[usize] {
        self.edges.get(&(from, to)).map_or(&[], Vec::as_slice)
    }
}
