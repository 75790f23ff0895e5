//! The state of a machine, and the trait of the adaptive system, which sees it at polls. Each knows the other.
//!
//! The parts of the machine are functions on this state, each in a file of its own.
//! Invariant: while the adaptive system is asked, the machine has none, so that it is not asked again.

use super::code::CodeStore;
use super::collector::{Collector, Tables};
use super::depth::Depth;
use super::depth::Suspended;
use super::edge_profile::EdgeProfiles;
use super::guard::Guard;
use super::long_compilation::LongCompilation;
use super::stack::ProgramStack;
use hashbrown::HashMap;
use holloway_ir::{Block, FuncRef, Function};
use holloway_jit::osr::Headers;
use holloway_jit::probes::Paths;
use holloway_jit::{Leaving, Tier, Version};
use holloway_runtime::Runtime;
use holloway_runtime::failure::Unwind;
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// A runtime with compiled code.
pub struct Machine {
    /// Everything that programs use besides code.
    pub runtime: Runtime,
    /// The code.
    pub code: CodeStore,
    pub(super) long_compilation: LongCompilation,
    /// Counts of baseline code.
    pub profiles: EdgeProfiles,
    /// The tier that functions are compiled in at their first call.
    pub first_tier: Tier,
    /// The path probes that optimized code carries from its first call on.
    pub(super) paths: Paths,
    /// Receiver of path probes' reports.
    pub(super) collector: Option<Box<dyn Collector>>,
    /// Receiver of what they keep in place.
    pub(super) tables: Option<Box<dyn Tables>>,
    /// Of so many polls on back edges, one is looked into: more than 1 only where every poll is counted.
    pub edge_polls: u32,
    /// Polls that the present one stands for.
    pub present_polls: u32,
    /// Decides about recompilation.
    pub(super) adaptive_system: Option<Box<dyn AdaptiveSystem>>,
    /// OSR points of functions, each with the body that they are of.
    pub(super) headers: HashMap<FuncRef, (Arc<Function>, Headers)>,
    pub(super) stack: ProgramStack,
    /// The guard of the linear memory, if there is one.
    pub(super) guard: Option<Guard>,
    pub(super) depth: Depth,
    pub(super) osr_request: OsrRequest,
    /// Frames that were walked to find what is in use, or how deep calls are.
    pub walked_frames: u64,
    /// Polls that called the runtime.
    pub polls: PollCounts,
    /// The stack from which frames begin, should the host call the program back.
    pub(super) inner_top: usize,
    /// Frames that wait for calls of the host which call the program, outermost first.
    pub(super) suspended: Vec<Suspended>,
    /// The function that the host called last.
    pub(super) outermost: Option<FuncRef>,
    /// The program's end, between `leave` and the return of `call`.
    pub(super) ended: Option<Unwind>,
}

/// State of the present request for on-stack replacement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OsrRequest {
    /// Polls left of a request for any header.
    pub(super) polls: u32,
    /// Barriers since the last tick because another frame came by the header.
    pub(super) misdirected: u32,
    /// Ticks in a row that found a request not met and another frame running.
    pub(super) unmet: u32,
    /// Ticks left without a barrier.
    pub(super) pause: u32,
}

/// Polls that called the runtime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PollCounts {
    /// At entries of functions.
    pub entries: u64,
    /// On back edges.
    pub back_edges: u64,
}

/// Decides which versions there are. The machine knows no more of it; whoever installs one finds it again by its type.
pub trait AdaptiveSystem: Any + Send {
    /// A call from the host starts. Neither this nor [`AdaptiveSystem::stop`] waits, or asks anything of the system,
    /// once calls have been made.
    fn start(&mut self, machine: &mut Machine);
    /// Compiled code polls, because some flag is raised.
    fn poll(&mut self, machine: &mut Machine);
    /// The places at which code that is compiled at first calls can be left for another version.
    fn leaving(&self) -> Leaving {
        Leaving::AtHeaders
    }
    /// True iff versions of functions that become hot replace those of their first calls.
    fn recompiles(&self) -> bool {
        false
    }
    /// An activation was replaced on the stack.
    fn osr_taken(&mut self, machine: &mut Machine, transfer: &OsrTransition);
    /// The call ended.
    fn stop(&mut self, machine: &mut Machine);
    /// The calls so far are a run, of which the end is told.
    fn measure(&mut self, _: &Machine) {}
    /// The code of all functions is gone, and their bodies may be others now. No program is running.
    fn invalidated(&mut self);
}

/// One on-stack replacement.
#[derive(Clone, Debug)]
pub struct OsrTransition {
    /// The version that was left.
    pub from: Arc<Version>,
    /// The version that was entered.
    pub to: Arc<Version>,
    /// The header at which.
    pub header: Block,
    /// The time that it took in the machine: to find the state of the frame and the code, and to copy the one.
    pub took: Duration,
}
