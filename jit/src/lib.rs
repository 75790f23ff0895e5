//! IR to machine code, one compile request at a time. The only crate that names Cranelift's code generator.
//!
//! In: a [`Request`] (a function body, a tier, the probes to carry) and an [`Env`] (addresses of the
//! runtime). Out: [`Compiled`] code that becomes [`LoadedCode`] and that [`CodeMap`] explains.
//! Invariant: compiling reads nothing that running code changes, so it may happen on any thread.

pub mod arch;
pub mod arrays;
pub mod backend;
pub mod body;
pub mod code;
pub mod missed;
pub mod observed;
pub mod opt;
pub mod probes;
pub mod range;
pub mod request;
pub mod tier;
pub mod trace;
pub mod translate;

mod compile;
mod emit;
mod settings;

pub use backend::timings::Timings;
pub use body::osr::{Entry, Leaving};
pub use body::site::Site;
pub use body::{expand, osr, trivial};
pub use code::{
    CallSite, CodeMap, CodeMemory, CodeRange, FrameMap, Listed, Listing, LoadedCode, Origin, OutOfCodeMemory, Version,
    VersionId,
};
pub use compile::{
    CompileError, Compiled, assignments, compile, compile_unmeasured, is_optimizable, is_traceable, remaining, ssa_text,
};
pub use holloway_abi::{self as abi, PollSites, Reason, graph_of};
pub use observed::{convertible, outcomes, redundant};
pub use opt::assignments::{Assignment, ExecutedAt, Fate, Known, Position, When};
pub use opt::inlined::{InlineDecision, NotInlined};
pub use opt::remaining::Remaining;
pub use probes::{burst_cell, path_table, progress, run_cell, step_table};
pub use request::{Env, FuelCounting, LoopPolls, Origins, PollStubs, Request, Text};
pub use settings::compile::MOST_COMPILED;
pub use settings::inline::MAX_DEPTH;
pub use tier::Tier;
