//! One compile request from IR to machine code.
//!
//! Phases: translate to CLIF; Cranelift; collect calls and sites. The code is linked when its
//! address is known, in [`Compiled::load`].

use crate::arrays::Arrays;
use crate::backend;
use crate::backend::timings::{self, Timings};
use crate::backend::workspace::Workspace;
use crate::body::osr::{self, Entry};
use crate::body::site::Site;
use crate::code::{CallSite, CodeMemory, FrameMap, Listing, LoadedCode, Origin, OutOfCodeMemory, Unlinked};
use crate::emit::linear::OUT_OF_BOUNDS;
use crate::emit::marks;
use crate::missed::MissedCall;
use crate::opt;
use crate::opt::assignments::Assignment;
use crate::opt::construct::Inlining;
use crate::opt::inlined::{InlineDecision, Inlined};
use crate::opt::remaining::Remaining;
use crate::request::{Env, FuelCounting, LoopPolls, Origins, Request, Text};
use crate::settings::compile::{MOST_COMPILED, MOST_OPTIMIZED, MOST_OPTIMIZED_AGAIN};
use crate::tier::Tier;
use crate::trace::form::Formed;
use crate::translate;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::{CodegenError, CompiledCode, FinalizedMachExceptionHandler, ir as clif};
use holloway_lang::ir::{Function, Module};
use std::ops::Range;
use std::sync::Arc;

/// The part of a compilation that makes CLIF.
const TRANSLATE: &str = "translate";

/// Traces cannot stand in the way of entering it.
pub(crate) const BY_CALLS: &str = "the function is entered by calls";

/// The function is too large, by our limit or Cranelift's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError(pub String);

/// Machine code that is not placed yet.
#[derive(Debug)]
pub struct Compiled {
    pub(crate) unlinked: Unlinked,
    slots: Vec<(clif::StackSlot, u32)>,
    /// Calls by rising offset.
    pub calls: Vec<CallSite>,
    /// The tier it is code of.
    pub tier: Tier,
    /// Distance from the frame pointer down to the stack pointer.
    pub frame_size: u32,
    /// Instructions.
    pub sites: Vec<Site>,
    /// The origins of its instructions, by rising offset, if they are kept.
    pub origins: Vec<Origin>,
    /// Calls that were inlined.
    pub inlined: Inlined,
    /// Decisions about calls of known functions.
    pub inlining: Vec<InlineDecision>,
    /// Calls that it makes because of its profile.
    pub missed: Vec<Arc<MissedCall>>,
    /// The places in the frame that on-stack replacement and the unwinder look at.
    pub frame: FrameMap,
    /// The time that each part took, if it was measured.
    pub timings: Timings,
    /// The CLIF, if asked for.
    pub clif: Option<String>,
    /// The assembly, if asked for.
    pub assembly: Option<Listing>,
}

/// Compiles one function; one that is too large to optimize as baseline code, whatever was requested.
pub fn compile(env: &Env, request: &Request) -> Result<Compiled, CompileError> {
    let (compiled, timings) = timings::measured(|| attempts(env, request));
    compiled.map(|compiled| Compiled { timings, ..compiled })
}

/// As [`compile`], while the program waits: without its parts' times, which take time themselves.
pub fn compile_unmeasured(env: &Env, request: &Request) -> Result<Compiled, CompileError> {
    timings::unmeasured(|| attempts(env, request))
}

fn attempts(env: &Env, request: &Request) -> Result<Compiled, CompileError> {
    match attempt(env, request)? {
        Some(compiled) => Ok(compiled),
        None => Ok(attempt(&Env { polls: LoopPolls::Tested, ..env.clone() }, request)?.expect("tests are as they are")),
    }
}

/// Nothing comes of code in which a branch in place cannot be one.
fn attempt(env: &Env, request: &Request) -> Result<Option<Compiled>, CompileError> {
    let size = request.whole().size();
    if size > MOST_COMPILED {
        return Err(CompileError(format!("its size is {size}, the largest is {MOST_COMPILED}")));
    }
    Workspace::with(|workspace| attempt_in(workspace, env, request))
}

fn attempt_in(workspace: &mut Workspace, env: &Env, request: &Request) -> Result<Option<Compiled>, CompileError> {
    let tier = if is_optimizable(&env.module, request.whole()) { request.tier } else { Tier::Baseline };
    // Fuel is counted by the iterations as they are written, which the optimizer changes.
    if tier == Tier::Optimized && env.fuel == FuelCounting::Off {
        return optimized(workspace, env, request);
    }
    let translated = timings::timed(TRANSLATE, || translate::translate(env, request, tier, workspace));
    let Some(mut compiled) = finish(workspace, translated.sites, tier, env, listed_by(env, request))? else {
        return Ok(None);
    };
    if let Some(slot) = translated.slot {
        let base = compiled.slot_offset(slot);
        compiled.frame.locals = translated.locals.iter().map(|(local, offset)| (*local, base + offset)).collect();
    }
    if let Some((slot, entry_site)) = translated.paths {
        compiled.frame.pending = vec![(None, compiled.slot_offset(slot))];
        compiled.frame.entry_site = Some(entry_site);
    }
    compiled.frame.leaving = request.leaving.with_points(true);
    Ok(Some(compiled))
}

/// Returns whether a function is small enough for optimized code.
pub fn is_optimizable(module: &Module, body: &Function) -> bool {
    body.size() <= if module.is_optimized() { MOST_OPTIMIZED_AGAIN } else { MOST_OPTIMIZED }
}

/// Returns whether a function is small enough for code that counts paths, or has traces, for which all passes run.
pub fn is_traceable(body: &Function) -> bool {
    body.size() <= MOST_OPTIMIZED
}

/// The SSA form of a request, after all passes.
pub(crate) fn ssa(module: &Module, arrays: &Arrays, request: &Request) -> Result<opt::ssa::Func, CompileError> {
    with_input(module, Some(arrays), request, |input| opt::pipeline::optimize(input, &request.passes))
}

/// The assignments of named locals of a function that is entered by calls, with what the optimizer makes of each. No machine
/// code is made.
pub fn assignments(module: &Module, request: &Request) -> Vec<Assignment> {
    assert!(
        request.traces.is_none() && request.entry == Entry::Call,
        "assignments are those of the function as it is written"
    );
    with_input(module, None, request, |input| opt::pipeline::optimize_recorded(input, &request.passes).1)
        .expect(BY_CALLS)
}

/// The loads and operations of the source that optimized code of a function has, inlined ones among them.
pub fn remaining(module: &Module, arrays: &Arrays, request: &Request) -> Vec<Remaining> {
    opt::remaining::remaining(module, &ssa(module, arrays, request).expect(BY_CALLS))
}

fn with_input<R>(
    module: &Module,
    arrays: Option<&Arrays>,
    request: &Request,
    optimize: impl FnOnce(&opt::construct::Input<'_>) -> R,
) -> Result<R, CompileError> {
    let whole = match &request.traces {
        None => osr::Shape::plain(request.whole()),
        Some(traces) => with_traces(traces.formed()),
    };
    let shape = match request.entry {
        Entry::Call => whole,
        Entry::Header(header) => {
            let headers = osr::Headers::compute(request.whole());
            let outermost = headers.state(header).and_then(|state| whole.header(header, state));
            osr::peel(whole, outermost.ok_or_else(|| CompileError("its traces cannot be entered there".to_owned()))?)
        }
    };
    let leaves_out = |pass: &str| request.passes.leaves_out(pass);
    let inlining = if leaves_out(opt::pipeline::INLINE) {
        Inlining::Off
    } else if leaves_out(opt::pipeline::INLINE_OBSERVED) {
        Inlining::Static
    } else {
        Inlining::Observed
    };
    let input = opt::construct::Input {
        module,
        arrays: arrays.filter(|_| !leaves_out(opt::pipeline::ARRAYS)),
        func: request.func,
        body: request.whole(),
        expanded: &request.expanded,
        shape: &shape,
        entry: request.entry,
        leaving: request.leaving,
        paths: &request.paths,
        traces: request.traces.as_deref(),
        inlined_traces: &request.inlined_traces,
        not_inlined: &request.not_inlined,
        progress: request.progress.as_deref(),
        observed: &request.observed,
        inlining,
    };
    Ok(optimize(&input))
}

/// A body with traces, to compile.
pub(crate) fn with_traces(formed: &Formed) -> osr::Shape {
    osr::Shape {
        entry: formed.body.entry(),
        origins: formed.origins.blocks.values().copied().collect(),
        cold: formed.origins.cold.clone(),
        body: formed.body.clone(),
        peeled: Vec::new(),
    }
}

fn optimized(workspace: &mut Workspace, env: &Env, request: &Request) -> Result<Option<Compiled>, CompileError> {
    let ssa = ssa(&env.module, &env.arrays, request)?;
    let slot = timings::timed(TRANSLATE, || opt::clif::translate(env, request.func, &ssa, workspace));
    let Some(mut compiled) = finish(workspace, ssa.sites, Tier::Optimized, env, listed_by(env, request))? else {
        return Ok(None);
    };
    if let Some(slot) = slot {
        let base = compiled.slot_offset(slot);
        compiled.frame.pending = ssa.pending.iter().map(|(at, slot)| (*at, base + 8 * slot)).collect();
    }
    compiled.frame.gathers = true;
    compiled.inlined = ssa.inlined;
    compiled.inlining = ssa.inlining;
    compiled.frame.entry_site = Some(ssa.entry_site);
    compiled.frame.leaving = request.leaving.with_points(ssa.has_osr_points);
    compiled.missed = ssa.missed;
    Ok(Some(compiled))
}

/// The SSA form of a function as text, after the pass that the request's options name.
pub fn ssa_text(env: &Env, request: &Request) -> String {
    let ssa = ssa(&env.module, &env.arrays, request).expect(BY_CALLS);
    opt::print::function(&env.module, &ssa, opt::print::Sites::Hidden)
}

/// The environment that names the addresses of a listing, if one is wanted.
fn listed_by<'a>(env: &'a Env, request: &Request) -> Option<&'a Env> {
    (request.text == Text::Keep).then_some(env)
}

/// Runs Cranelift over the function of a workspace, as far as [`attempt`]s go; lists its code if there is an environment to name addresses by.
fn finish(
    workspace: &mut Workspace,
    sites: Vec<Site>,
    tier: Tier,
    env: &Env,
    listed: Option<&Env>,
) -> Result<Option<Compiled>, CompileError> {
    let context = &mut workspace.context;
    let isa = backend::isa(tier);
    let clif = listed.map(|_| context.func.display().to_string());
    context.compile(&**isa, &mut ControlPlane::default()).map_err(|error| match error.inner {
        CodegenError::Verifier(problems) => panic!("invalid CLIF: {problems}\n{}", error.func.display()),
        other => CompileError(other.to_string()),
    })?;
    let code = context.take_compiled_code().expect("compiling left code");
    let layout = code.buffer.frame_layout().expect("code has a frame layout");
    let Some(unlinked) = Unlinked::of(&code, &context.func, tier) else { return Ok(None) };
    let assembly = listed.map(|listed| unlinked.list(listed, origins(&code, &unlinked).collect()));
    let origins = match env.origins {
        Origins::Kept => without_gaps(
            origins(&code, &unlinked).filter_map(|(range, site)| Some(Origin { range, site: site? })).collect(),
        ),
        Origins::Left => Vec::new(),
    };
    Ok(Some(Compiled {
        calls: calls(&code, &unlinked),
        origins,
        unlinked,
        tier,
        frame_size: layout.frame_to_fp_offset,
        slots: layout.stackslots.iter().map(|(slot, data)| (slot, data.offset)).collect(),
        frame: FrameMap::default(),
        inlined: Inlined::default(),
        inlining: Vec::new(),
        missed: Vec::new(),
        sites,
        timings: Timings::default(),
        clif,
        assembly,
    }))
}

/// Ranges of instructions with the sites they come from, if any, in order.
fn origins(code: &CompiledCode, unlinked: &Unlinked) -> impl Iterator<Item = (Range<u32>, Option<u32>)> {
    code.buffer.get_srclocs_sorted().iter().map(|range| {
        let moved = unlinked.moved(range.start)..unlinked.moved(range.end);
        (moved, (!range.loc.is_default()).then(|| marks::site(range.loc)))
    })
}

/// Origins up to the next one: moves and jumps that Cranelift adds between instructions have none of their own, and
/// belong to what they follow.
fn without_gaps(mut origins: Vec<Origin>) -> Vec<Origin> {
    for next in 1..origins.len() {
        origins[next - 1].range.end = origins[next].range.start;
    }
    origins
}

/// The return address by which the code map knows an instruction that faults: inside of it, where no call returns to.
fn fault_return(pc: u32) -> u32 {
    pc + 1
}

fn calls(code: &CompiledCode, unlinked: &Unlinked) -> Vec<CallSite> {
    let locations = code.buffer.get_srclocs_sorted();
    let site_of = |pc: u32| {
        let at = locations.partition_point(|range| range.end <= pc);
        locations.get(at).filter(|range| range.start <= pc).map_or(0, |range| marks::site(range.loc))
    };
    let handler = |handlers: &[FinalizedMachExceptionHandler]| match handlers {
        [] => None,
        [FinalizedMachExceptionHandler::Default(offset)] => Some(unlinked.moved(*offset)),
        other => unreachable!("calls have one default handler, not {other:?}"),
    };
    let mut calls: Vec<CallSite> = code
        .buffer
        .call_sites()
        .map(|call| CallSite {
            ret: unlinked.moved(call.ret_addr),
            site: site_of(call.ret_addr - 1),
            handler: handler(call.exception_handlers),
        })
        .collect();
    calls.extend(code.buffer.traps().iter().filter(|trap| trap.code == OUT_OF_BOUNDS).map(|trap| CallSite {
        ret: fault_return(unlinked.moved(trap.offset)),
        site: site_of(trap.offset),
        handler: None,
    }));
    calls.sort_unstable_by_key(|call| call.ret);
    calls
}

impl Compiled {
    /// Returns the distance of a stack slot from the stack pointer.
    fn slot_offset(&self, slot: clif::StackSlot) -> u32 {
        let found = self.slots.iter().find(|(known, _)| *known == slot);
        found.expect("a stack slot that is used has a place").1
    }

    /// Loads the code, whose polls in place lead to a stub; nothing leads to it yet.
    pub fn load(&self, memory: &CodeMemory, poll_stub: usize) -> Result<LoadedCode, OutOfCodeMemory> {
        self.unlinked.load(self.tier, memory, poll_stub)
    }

    /// The code as it runs in its place, polls disarmed.
    pub fn bytes(&self, loaded: &LoadedCode) -> Vec<u8> {
        self.unlinked.bytes(loaded)
    }

    /// Bytes of code.
    pub fn size(&self) -> usize {
        self.unlinked.size()
    }
}
