//! IR to machine code, one compile request at a time. The only crate that names Cranelift's code generator.
//!
//! In: a [`Request`] (a function body, a tier, the probes to carry) and an [`Env`] (addresses of the
//! runtime). Out: [`Compiled`] code that becomes [`LoadedCode`] and that [`CodeMap`] explains.
//! Invariant: compiling reads nothing that running code changes, so it may happen on any thread.

pub mod abi;
pub mod arch;
pub mod arrays;
pub mod backend;
pub mod burst_cell;
pub mod code_map;
pub mod code_memory;
pub mod convertible;
pub mod edge_probes;
pub mod expand;
pub mod few_trips;
pub mod graph_of;
pub mod observed;
pub mod opt;
pub mod osr;
pub mod outcomes;
pub mod probes;
pub mod progress;
pub mod redundant;
pub mod request;
pub mod run_cell;
pub mod slab_table;
pub mod tier;
pub mod trace;
pub mod translate;
pub mod trivial;

mod compile;
mod emit;
mod listing;
mod load;
mod placement;
mod poll_in_place;
mod poll_sites;
mod settings;
mod site;
mod timings;
mod workspace;

pub use code_map::{CallSite, CodeMap, FrameMap, Version, VersionId};
pub use code_memory::{CodeMemory, CodeRange, OutOfCodeMemory};
pub use compile::{
    CompileError, Compiled, assignments, compile, compile_unmeasured, is_optimizable, remaining, ssa_text,
};
pub use listing::{Listed, Listing};
pub use load::LoadedCode;
pub use opt::assignments::{Assignment, ExecutedAt, Fate, Known, Position, When};
pub use opt::remaining::Remaining;
pub use osr::{Entry, Leaving};
pub use poll_sites::{PollSites, Reason};
pub use request::{Env, FuelCounting, LoopPolls, PollStubs, Request, Text};
pub use settings::compile::MOST_COMPILED;
pub use settings::inline::MAX_DEPTH;
pub use site::Site;
pub use tier::Tier;
pub use timings::Timings;
