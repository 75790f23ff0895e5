//! Compilation requests: what to compile, and the addresses of what the code refers to.
//!
//! In: bodies, tiers, probes and profiles, from the engine. Out: a [`Request`] and an [`Env`] for [`crate::compile()`].
//! Invariant: a request holds all that its code depends on, so it may be compiled on any thread, later.

use crate::abi::{LinearAddresses, RuntimeCalls};
use crate::arrays::{Arrays, BodyFacts};
use crate::body::expand::ExpandedBodies;
use crate::body::osr::{Entry, Leaving};
use crate::observed::Observed;
use crate::opt::options::{ARRAYS, Options};
use crate::probes::Paths;
use crate::probes::edge_probes::Probes;
use crate::probes::progress::Progress;
use crate::tier::Tier;
use crate::trace::{InlinedTraces, Traces};
use holloway_lang::ir::{FuncRef, Function, Module, StrRef};
use std::sync::Arc;

/// Everything compiled code refers to by address.
#[derive(Clone, Debug)]
pub struct Env {
    /// The program.
    pub module: Arc<Module>,
    /// The facts about the program's arrays.
    pub arrays: Arc<Arrays>,
    /// The [`crate::abi::Context`].
    pub context: usize,
    /// The table of function entry addresses.
    pub table: usize,
    /// The array of globals, a word each.
    pub globals: usize,
    /// The linear memory and the tables, of a module of WebAssembly.
    pub linear: LinearAddresses,
    /// The string objects of the module's constants.
    pub strings: Arc<Vec<usize>>,
    /// The runtime's operations.
    pub runtime_calls: RuntimeCalls,
    /// The stubs of polls.
    pub poll_stubs: PollStubs,
    /// The fuel that calls and loop iterations count down, if they do.
    pub fuel: FuelCounting,
    /// The polls of optimized loops.
    pub polls: LoopPolls,
    /// The keeping of origins of instructions.
    pub origins: Origins,
}

/// Addresses that polls call, by where the polls are. What is there has no operand and keeps every register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollStubs {
    /// In prologues.
    pub entry: usize,
    /// On back edges, where frames cannot be left.
    pub edge: usize,
    /// At loop headers, where they can: [`crate::abi::Context::header`] tells which.
    pub header: usize,
}

/// The form of polls in optimized loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopPolls {
    /// An instruction without effect, made a call or a jump while a flag is raised, or, at an OSR point, while a frame is to be left.
    InPlace,
    /// A load and a branch. Wherever polls in place are too many to be changed often.
    Tested,
}

/// The keeping of origins: the sites that machine instructions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origins {
    /// Nothing but the sites of calls.
    Left,
    /// The site of each instruction: for whoever takes samples.
    Kept,
}

/// The counting of fuel in compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuelCounting {
    /// No limit is set.
    Off,
    /// One unit for each call and each loop iteration.
    On,
}

impl Env {
    /// The address of a string constant's object.
    pub fn string(&self, id: StrRef) -> usize {
        self.strings[id.as_u32() as usize]
    }
}

/// A compilation request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The function.
    pub func: FuncRef,
    /// Its body, which may be newer than the module's.
    pub body: Arc<Function>,
    /// With how much effort.
    pub tier: Tier,
    /// The entry; that of baseline code is a call.
    pub entry: Entry,
    /// The OSR exits: where it can be left for another version while it runs.
    pub leaving: Leaving,
    /// The edge counters to carry; baseline code only.
    pub probes: Probes,
    /// The path probes to carry; in baseline code those whose paths run across calls.
    pub paths: Paths,
    /// The profiles of the function and its callees; optimized code only.
    pub observed: Observed,
    /// Traces formed on the body; optimized code only.
    pub traces: Option<Arc<Traces>>,
    /// The expanded bodies by which it and functions that may be inlined are compiled: those that probes and traces are for; optimized code only.
    pub expanded: ExpandedBodies,
    /// Traces formed on the bodies of functions that may be inlined; optimized code only.
    pub inlined_traces: InlinedTraces,
    /// Functions that it calls and does not inline, as their own code is better than what it would make of them; optimized code only.
    pub not_inlined: Vec<FuncRef>,
    /// The loop whose iterations it counts; optimized code only.
    pub progress: Option<Arc<Progress>>,
    /// The passes that the optimizer leaves out.
    pub passes: Options,
    /// The CLIF and the assembly as text, if they are wanted.
    pub text: Text,
}

impl Request {
    /// The body that it is compiled by.
    pub fn whole(&self) -> &Arc<Function> {
        self.expanded.of(self.func).map_or(&self.body, |expanded| &expanded.body)
    }

    /// The facts about arrays by which it compiles a function, itself or an inlined one, if it may use them.
    pub fn facts<'a>(&'a self, arrays: &'a Arrays, func: FuncRef) -> Option<BodyFacts<'a>> {
        let expanded = self.expanded.of(func).map(Arc::as_ref);
        (!self.passes.leaves_out(ARRAYS)).then(|| BodyFacts::new(arrays, func, expanded))
    }

    /// The name of the kind of its code: the tier, `profiled` or `specialized`.
    pub fn kind(&self) -> &'static str {
        let has_traces = self.traces.is_some() || !self.inlined_traces.is_empty();
        self.tier.kind(has_traces, self.paths.of(self.func).is_some())
    }

    /// Plain code: entered by calls, never left, without probes.
    pub fn new(func: FuncRef, body: Arc<Function>, tier: Tier) -> Request {
        Request {
            func,
            body,
            tier,
            entry: Entry::Call,
            leaving: Leaving::Never,
            probes: Probes::default(),
            paths: Paths::default(),
            observed: Observed::default(),
            traces: None,
            expanded: ExpandedBodies::default(),
            inlined_traces: InlinedTraces::default(),
            not_inlined: Vec::new(),
            progress: None,
            passes: Options::default(),
            text: Text::Skip,
        }
    }
}

/// The stages that a compilation gives as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// No.
    Skip,
    /// For `dump`.
    Keep,
}
