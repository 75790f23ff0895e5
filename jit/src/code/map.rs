//! From an address in compiled code back to the program: which version, which call, which block and
//! source position, and where a failure there goes on.
//!
//! In: versions as they are installed and freed. Out: lookups for unwinding, call stacks and sampling.
//! Invariant: ranges of live versions do not overlap.

use super::memory::CodeRange;
use crate::body::osr::{Entry, Leaving};
use crate::body::site::Site;
use crate::missed::MissedCall;
use crate::opt::inlined::InlineDecision;
use crate::probes::Paths;
use crate::probes::progress::Progress;
use crate::tier::Tier;
use crate::trace::{InlinedTraces, Traces};
use holloway_lang::ir::{FuncRef, Local};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Numbers the versions of compiled code of an engine, in order of installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VersionId(pub u32);

/// A call in compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Offset of the return address.
    pub ret: u32,
    /// The instruction it belongs to: an index into the version's sites.
    pub site: u32,
    /// Offset of the code that handles a failure of the call.
    pub handler: Option<u32>,
}

/// Instructions that come from one place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Their offsets.
    pub range: Range<u32>,
    /// The instruction they come from: an index into the version's sites.
    pub site: u32,
}

/// The places of what a frame keeps, by offset from its stack pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameMap {
    /// The OSR exits of the frame.
    pub leaving: Leaving,
    /// The locals of baseline code that live in the frame, by rising number.
    pub locals: Vec<(Local, u32)>,
    /// The pending state of a profiled body: the call that was inlined, as in [`Site::inlined_at`], and the place.
    pub pending: Vec<(Option<u32>, u32)>,
    /// True if ids and iterations may be pending there, not yet reported, besides the path register: as optimized code
    /// gathers them.
    pub gathers: bool,
    /// The site of the poll at the entry, before anything is pending.
    pub entry_site: Option<u32>,
}

/// One version of compiled code.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its number.
    pub id: VersionId,
    /// The function it is code of.
    pub func: FuncRef,
    /// The tier.
    pub tier: Tier,
    /// The entry: a call or an OSR entry.
    pub entry: Entry,
    /// The map of its frames.
    pub frame: FrameMap,
    /// The traces in it, whose counters it counts in.
    pub traces: Option<Arc<Traces>>,
    /// The traces of functions that are inlined into it.
    pub inlined_traces: InlinedTraces,
    /// The loop whose iterations it counts.
    pub progress: Option<Arc<Progress>>,
    /// The probes that functions have in it.
    pub paths: Paths,
    /// Its place in code memory.
    pub range: CodeRange,
    /// Distance from the frame pointer of its frames down to their stack pointer.
    pub frame_size: u32,
    /// Calls that it makes because of its profile.
    pub missed: Vec<Arc<MissedCall>>,
    /// Its calls by rising offset.
    pub calls: Vec<CallSite>,
    /// Its instructions.
    pub sites: Vec<Site>,
    /// The origins of its machine instructions, by rising offset; empty where they are not kept.
    pub origins: Vec<Origin>,
    /// The decisions about its calls of known functions; empty where origins are not kept.
    pub inlining: Vec<InlineDecision>,
}

impl Version {
    /// Iterations of the loop that it counts, if there is one.
    pub fn iterations(&self) -> Option<u64> {
        let progress = self.progress.as_ref()?;
        let traces = match progress.inlined {
            None => self.traces.as_ref(),
            Some(func) => self.inlined_traces.of(func),
        };
        Some(progress.iterations(traces.map(|traces| &**traces)))
    }

    /// Returns whether loops in it are specialized.
    pub fn has_traces(&self) -> bool {
        self.traces.is_some() || !self.inlined_traces.is_empty()
    }

    /// The name of its kind: the tier, `profiled` or `specialized`.
    pub fn kind(&self) -> &'static str {
        self.tier.kind(self.has_traces(), self.paths.of(self.func).is_some())
    }

    /// The instruction that the machine instruction at an address comes from, as an index into the sites, where it is kept.
    pub fn site_at(&self, pc: usize) -> Option<u32> {
        let offset = u32::try_from(pc - self.range.start).ok()?;
        let at = self.origins.partition_point(|origin| origin.range.end <= offset);
        self.origins.get(at).filter(|origin| origin.range.start <= offset).map(|origin| origin.site)
    }

    /// The call that returns to `pc`.
    pub fn call_returning_to(&self, pc: usize) -> Option<&CallSite> {
        let offset = u32::try_from(pc - self.range.start).ok()?;
        let at = self.calls.binary_search_by_key(&offset, |call| call.ret).ok()?;
        Some(&self.calls[at])
    }

    /// Returns the most activations that one of its frames can stand for.
    pub fn most_frames(&self) -> usize {
        let mut frames: Vec<usize> = Vec::with_capacity(self.sites.len());
        for site in &self.sites {
            // The site of a call stands before those of what is inlined there.
            let caller = site.inlined_at.map_or(0, |at| frames[at as usize]);
            frames.push(caller + 1);
        }
        frames.into_iter().max().unwrap_or(1)
    }

    /// The logical frames at a call, innermost first: the instruction and the calls that were
    /// inlined around it.
    pub fn frames(&self, call: &CallSite) -> impl Iterator<Item = Site> + '_ {
        self.frames_at(call.site)
    }

    /// The same at an instruction.
    pub fn frames_at(&self, site: u32) -> impl Iterator<Item = Site> + '_ {
        let first = self.sites.get(site as usize).copied();
        std::iter::successors(first, |site| site.inlined_at.map(|at| self.sites[at as usize]))
    }
}

/// All live versions by address.
#[derive(Debug, Default)]
pub struct CodeMap {
    by_start: BTreeMap<usize, Arc<Version>>,
}

impl CodeMap {
    /// Adds a version.
    pub fn insert(&mut self, version: Arc<Version>) {
        self.by_start.insert(version.range.start, version);
    }

    /// Removes the version that starts at `start`.
    pub fn remove(&mut self, start: usize) -> Option<Arc<Version>> {
        self.by_start.remove(&start)
    }

    /// The version whose code holds `pc`.
    pub fn find(&self, pc: usize) -> Option<&Arc<Version>> {
        let (_, version) = self.by_start.range(..=pc).next_back()?;
        (pc - version.range.start < version.range.len).then_some(version)
    }

    /// All live versions.
    pub fn versions(&self) -> impl Iterator<Item = &Arc<Version>> {
        self.by_start.values()
    }
}
