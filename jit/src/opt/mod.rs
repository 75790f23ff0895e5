//! The mid-level optimizer: IR to an SSA form, passes over it, and back out to CLIF.
//!
//! In: a function body, the module (for inlining), the sites' owner. Out: an [`ssa::Func`] that `clif` translates.
//! The road: [`construct`] -> the rows of [`pipeline::PASSES`] -> `clif`. Every pass is `run(func) -> Changed`; in debug
//! builds [`verify`] runs after each.
//! The form itself is in [`ssa`] and [`op`], with its text in `print` and [`parse`]; [`cfg`] computes its graph.
//! Passes share what copies blocks (`clone`), replaces values (`replacements`) and repairs the form ([`repair`]),
//! the visits of loops (`visit`, `loops`), selects between two ways (`choice`), and what is pending where branches move in
//! code with probes (`pending`). [`assignments`] is the record of what the passes make of each assignment, and
//! [`remaining`] lists the loads and operations of the source that are left in the end.
//! Invariants: a block remembers the IR block it came from; an instruction that can fail remembers its site; what can
//! fail or be seen from outside keeps its order.

mod alias;
pub mod assignments;
pub mod cfg;
mod choice;
pub(crate) mod clif;
pub mod clone;
mod congruent_params;
pub mod construct;
pub mod correlated_values;
pub mod count_merging;
mod counter;
pub mod dispatch_replication;
mod entities;
pub mod fall_through;
pub mod graph;
pub mod guess;
pub mod gvn;
pub mod if_combine;
pub mod if_conversion;
pub mod induction;
pub(crate) mod inlined;
pub mod jump_threading;
pub mod layout;
pub mod licm;
#[cfg(test)]
mod loop_tests;
pub mod loop_versioning;
mod loops;
mod memory_place;
pub mod narrow;
#[cfg(test)]
mod observed_tests;
pub mod op;
pub mod options;
pub mod parse;
mod pending;
pub mod pipeline;
pub mod pre_increment;
mod present;
pub mod print;
mod quiet;
pub mod range_tests;
pub mod reassociate;
pub mod redundant_loads;
mod registers;
pub mod remaining;
pub mod repair;
pub(crate) mod replacements;
pub mod rotate;
pub mod scalar_replace;
mod shares;
pub mod simplify;
pub mod source_loops;
pub mod ssa;
pub mod state_threading;
pub mod store_sinking;
pub mod store_to_load;
pub mod sweep;
mod thread;
pub mod unroll;
pub mod unroll_and_jam;
pub mod verify;
mod version;
mod visit;

/// The outcome of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The function is as it was.
    No,
    /// The function is another one.
    Yes,
}

impl Changed {
    /// `Yes` if either is.
    pub fn or(self, other: Changed) -> Changed {
        if self == Changed::Yes { self } else { other }
    }

    /// `Yes` if that holds.
    pub fn when(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}
