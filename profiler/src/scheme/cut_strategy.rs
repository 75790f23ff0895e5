//! Strategies by which hybrid paths do not cross call sites, as an option of a scheme.
//!
//! In: what a user wrote. Out: a [`CutStrategy`]. Invariant: a strategy is a plain value; `program/cuts.rs` carries it out.

use crate::graph::Node;
use crate::scheme::interned::Interned;

static LISTS: Interned<CutCall> = Interned::new();

/// One call, as the text of the program has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutCall {
    /// Name of the function that calls.
    pub caller: String,
    /// Its block.
    pub block: Node,
    /// The calls before it in the block.
    pub number: u32,
}

/// A choice of call sites that are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CutStrategy {
    /// None but the coldest, until numbers fit.
    #[default]
    Coldest,
    /// All: each function for itself.
    All,
    /// Those of functions of other files (the paper's second strategy).
    OtherFiles,
    /// Those of functions that other files name, which have no file scope (the first).
    Exported,
    /// Those of functions that call others (the third).
    NonLeaves,
    /// These, as at Example 8.1.
    Listed(&'static [CutCall]),
}

impl CutStrategy {
    /// The strategy that cuts these calls.
    pub fn listed(calls: Vec<CutCall>) -> CutStrategy {
        CutStrategy::Listed(LISTS.get(calls))
    }
}
