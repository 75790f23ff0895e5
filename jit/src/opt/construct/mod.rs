//! IR to SSA, on the fly [BBHLMZ13]; calls of small functions are replaced by their bodies on the way.
//!
//! [BBHLMZ13]: M. Braun, S. Buchwald, S. Hack, R. Leissa, C. Mallon, A. Zwinkau, "Simple and Efficient Construction of
//! Static Single Assignment Form", CC 2013.
//!
//! In: a body, which may be entered at a loop header, the module, path probes. Out: a [`Func`]. Phases for each body, inlined
//! ones too: (1) make a block for each IR block; (2) translate blocks in reverse postorder, reading locals through
//! [`Builder::read`]; (3) seal what is left. An edge that carries probes or can be left at is a block of its own.
//! A block is sealed when all blocks before it are translated; until then its parameters are incomplete.
//! Invariant: a local that some handler may read is a slot; all others are values.

mod across;
mod arrays;
mod assignments;
mod budget;
mod call_steps;
mod counter;
mod early;
mod fold;
mod frame;
mod guarded;
mod inline;
mod inst;
mod iteration;
mod known;
mod locals;
mod missed;
mod passing;
mod pending;
mod probe;
mod register;
mod repeat;
mod sample;
mod step;
mod transfer;
mod variables;

pub use assignments::build_recorded;

use super::assignments::Record;
use super::source_loops::SourceLoop;
use super::ssa::{Args, Block, Func, Origin, Target, Term, Value};
use crate::arrays::Arrays;
use crate::body::expand::{Expanded, ExpandedBodies, Observation};
use crate::body::osr::{Entry, Headers, Leaving, Shape};
use crate::body::site::Site;
use crate::observed::Observed;
use crate::probes::Paths;
use crate::probes::progress::{CountedLoop, Progress};
use crate::trace::{Counted, InlinedTraces, Traces};
use budget::Budget;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use frame::{Frame, Inlined, InstPlace, code_origin};
use hashbrown::HashMap;
use holloway_lang::ir::{self, Cfg, FuncRef, Function, Local, LoopId, Loops, Module, Operand};
use holloway_lang::source::Span;
use std::rc::Rc;
use std::sync::Arc;
use variables::{Kept, Passed, Probed, Variable};

/// The function to build, and what it is built with.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The program.
    pub module: &'a Module,
    /// The facts about its arrays, if they may be used.
    pub arrays: Option<&'a Arrays>,
    /// The function.
    pub func: FuncRef,
    /// Its body.
    pub body: &'a Function,
    /// The body as it is compiled.
    pub shape: &'a Shape,
    /// The entry.
    pub entry: Entry,
    /// The OSR exits.
    pub leaving: Leaving,
    /// The path probes it carries.
    pub paths: &'a Paths,
    /// The traces that the shape has.
    pub traces: Option<&'a Traces>,
    /// The expanded bodies by which functions are compiled; `body` is the function's.
    pub expanded: &'a ExpandedBodies,
    /// The traces that functions have where they are inlined.
    pub inlined_traces: &'a InlinedTraces,
    /// The functions that are not inlined.
    pub not_inlined: &'a [FuncRef],
    /// The loop whose iterations it counts.
    pub progress: Option<&'a Progress>,
    /// The profiles.
    pub observed: &'a Observed,
    /// The rule by which calls become the bodies of their callees.
    pub inlining: Inlining,
}

/// The rule by which calls become the bodies of their callees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inlining {
    /// By their size and the profile.
    Observed,
    /// By their size.
    Static,
    /// Never.
    Off,
}

/// Builds the SSA form of a function.
pub fn build(input: &Input<'_>) -> Func {
    built(input, None)
}

/// The places that count the progress of a version.
fn counted_loop(input: &Input<'_>, progress: &Progress) -> CountedLoop {
    match progress.inlined {
        None => progress.counted(input.body, input.traces).in_copies(&input.shape.peeled),
        Some(func) => {
            let expanded = input.expanded.of(func).map(|expanded| &*expanded.body);
            let body = expanded.unwrap_or_else(|| input.module.function(func));
            progress.counted(body, input.inlined_traces.of(func).map(|traces| &**traces))
        }
    }
}

fn built(input: &Input<'_>, record: Option<Box<Record>>) -> Func {
    let empty = Func {
        has_polls: input.paths.0.is_some(),
        has_osr_points: input.leaving != Leaving::Never,
        record,
        ..Func::new(input.body.result)
    };
    let headers = match (input.entry, input.leaving) {
        (Entry::Call, Leaving::Never) => Headers::default(),
        _ => Headers::compute(input.body),
    };
    let mut variables = PrimaryMap::new();
    let passed = Passed::declare(&mut variables);
    let mut builder = Builder {
        module: input.module,
        arrays: input.arrays,
        func: empty,
        variables,
        passed,
        own: SecondaryMap::new(),
        current: HashMap::new(),
        incomplete: HashMap::new(),
        sealed: SecondaryMap::new(),
        preds: SecondaryMap::new(),
        budget: match input.inlining {
            Inlining::Observed | Inlining::Static => Budget::new(input.body),
            Inlining::Off => Budget::none(),
        },
        calls: vec![input.func],
        headers,
        leaving: input.leaving,
        paths: input.paths,
        probed: Vec::new(),
        expanded: input.expanded,
        inlined_traces: input.inlined_traces,
        not_inlined: input.not_inlined,
        progress: input.progress.map(|progress| counted_loop(input, progress)),
        inlining: input.inlining,
        here: (input.func, input.body.entry(), 0),
        observed: input.observed,
        hottest: hottest(input),
        may_be_stuck: input.traces.is_some() || !input.inlined_traces.is_empty(),
    };
    builder.func.has_profile = input.observed.of(input.func).is_some();
    builder.function(input);
    if input.leaving == Leaving::IfOutdated && !builder.may_be_stuck {
        builder.drop_osr_points();
    }
    builder.func
}

/// Returns the executions of the hottest block of the function.
fn hottest(input: &Input<'_>) -> f64 {
    let counts = input.observed.of(input.func);
    let most = counts.and_then(|counts| input.body.blocks.keys().map(|block| counts.executions(block)).max());
    most.unwrap_or(0) as f64
}

struct Builder<'a> {
    module: &'a Module,
    arrays: Option<&'a Arrays>,
    func: Func,
    variables: PrimaryMap<Variable, Kept>,
    /// Words on the way to an inlined body, or back.
    passed: Passed,
    /// The local of the function itself that a variable is.
    own: SecondaryMap<Variable, PackedOption<Local>>,
    /// [BBHLMZ13] `currentDef`.
    current: HashMap<(Block, Variable), Value>,
    /// [BBHLMZ13] `incompletePhis`.
    incomplete: HashMap<Block, Vec<(Variable, Value)>>,
    sealed: SecondaryMap<Block, bool>,
    /// Blocks with an edge to a block, each as often as it has one.
    preds: SecondaryMap<Block, Vec<Block>>,
    budget: Budget,
    /// The functions being inlined into each other, outermost first.
    calls: Vec<FuncRef>,
    /// The headers with OSR points, and their frame states.
    headers: Headers,
    leaving: Leaving,
    paths: &'a Paths,
    /// The pending state of the bodies being translated, outermost first.
    probed: Vec<Rc<Probed>>,
    /// The expanded bodies of functions.
    expanded: &'a ExpandedBodies,
    /// The traces of inlined functions.
    inlined_traces: &'a InlinedTraces,
    /// The functions that are not inlined.
    not_inlined: &'a [FuncRef],
    /// The loop whose iterations are counted, in the function itself.
    progress: Option<CountedLoop>,
    inlining: Inlining,
    /// The instruction being translated.
    here: InstPlace,
    observed: &'a Observed,
    /// The most executions of a block of the function itself.
    hottest: f64,
    /// True if code in a loop relies on a profile that may come to be out of date.
    may_be_stuck: bool,
}

impl Builder<'_> {
    fn function(&mut self, input: &Input<'_>) {
        let shape = input.shape;
        let expanded = input.expanded.of(input.func).cloned();
        let sites = self.add_sites((input.func, &shape.body), Some(&shape.origins), None, expanded.as_deref());
        let at = shape.origin(shape.entry);
        let entry = self.func.new_block(Origin::own(at), None, sites[shape.entry.index()]);
        self.func.entry = entry;
        self.func.entry_site = self.func.sites.len() as u32;
        let first = self.func.sites[sites[shape.entry.index()] as usize];
        self.func.sites.push(first);
        self.sealed[entry] = true;
        let body = &shape.body;
        let params: Vec<Value> =
            body.params.iter().map(|param| self.func.add_param(entry, body.scalar(*param))).collect();
        self.func.params = params.iter().map(|param| self.func.values[*param].scalar).collect();
        let counted = input.traces.map(Traces::counted).unwrap_or_default().in_copies(body, &shape.peeled);
        let copied = Some((input.body, shape.origins.as_slice()));
        let frame = self.frame((body, expanded), sites, (shape.entry, copied, counted), None);
        for block in shape.cold.iter() {
            self.func.blocks[frame.blocks[block.index()]].cold = true;
        }
        match input.entry {
            Entry::Call => self.pass(&frame, entry, &params),
            Entry::Header(header) => self.load_state(&frame, entry, (input.body, header)),
        }
        self.enter(&frame, entry, input.entry);
        self.body(&frame, entry);
    }

    fn frame<'b>(
        &mut self,
        (body, expanded): (&'b Function, Option<Arc<Expanded>>),
        sites: Vec<u32>,
        (entry, origins, counted): (ir::Block, Option<(&'b Function, &'b [ir::Block])>, Counted),
        inlined: Option<Inlined>,
    ) -> Frame<'b> {
        let cfg = Cfg::entered_at(body, entry);
        let loops = Loops::of(&cfg);
        self.note_loops(body, &sites, &loops, inlined);
        let variables = self.declare(body, &cfg);
        if inlined.is_none() {
            variables.iter().for_each(|(local, variable)| self.note_own(local, *variable));
        }
        let own = |block: ir::Block| origins.map_or(block, |(_, origins)| origins[block.index()]);
        let origin = |block: ir::Block| code_origin(inlined, own(block));
        let blocks: Vec<Block> =
            body.blocks.keys().map(|block| self.func.new_block(origin(block), None, sites[block.index()])).collect();
        let outer_handler = inlined.and_then(|inlined| inlined.handler);
        for (block, data) in body.blocks.iter() {
            let own = data.handler.map(|handler| blocks[handler.index()]);
            self.func.blocks[blocks[block.index()]].handler = own.or(outer_handler);
        }
        let func = *self.calls.last().expect("some function is translated");
        let probed = self.probed(func, inlined);
        let counts = self.counts(func, inlined, expanded.as_deref());
        let frame = Frame {
            func,
            body,
            expanded,
            variables,
            blocks,
            sites,
            origins,
            counted,
            entry,
            cfg,
            loops,
            inlined,
            probed,
            counts,
        };
        for block in body.blocks.keys() {
            self.func.blocks[frame.blocks[block.index()]].seen = frame.seen(block);
        }
        frame
    }

    /// Notes which sites are in which loops of a body.
    fn note_loops(&mut self, body: &Function, sites: &[u32], loops: &Loops, inlined: Option<Inlined>) {
        let outside = inlined.and_then(|inlined| self.func.source_loops.around(&self.func.sites, inlined.site));
        let mut noted: SecondaryMap<LoopId, Option<SourceLoop>> = SecondaryMap::new();
        for (id, l) in loops.iter() {
            let parent = l.parent.map_or(outside, |parent| noted[parent]);
            noted[id] = Some(self.func.source_loops.add(sites[l.header.index()], parent));
        }
        for (block, data) in body.blocks.iter() {
            if let Some(around) = loops.innermost(block).and_then(|id| noted[id]) {
                let first = sites[block.index()];
                self.func.source_loops.put_around(first..first + data.insts.len() as u32 + 1, around);
            }
        }
    }

    /// Returns the profile of a body where it is inlined, and those of the bodies in it.
    fn counts(&self, func: FuncRef, inlined: Option<Inlined>, expanded: Option<&Expanded>) -> Vec<Observation> {
        let scaled = || {
            let counts = self.observed.of(func)?;
            let scale = match inlined {
                None => 1.0,
                Some(Inlined { seen, .. }) => counts.scale(seen.weight?)?,
            };
            Some((Arc::clone(counts), scale))
        };
        let own = Observation { counts: scaled(), in_rare_call: inlined.is_some_and(|inlined| inlined.seen.rare) };
        match expanded {
            None => vec![own],
            Some(expanded) => expanded.observations(own, self.observed),
        }
    }

    fn pass(&mut self, frame: &Frame<'_>, before: Block, args: &[Value]) {
        for (param, arg) in frame.body.params.iter().zip(args) {
            self.assign(frame, before, *param, *arg);
        }
    }

    /// Translates a body that is entered from the end of `before`, and ends that block with the jump into it.
    fn body(&mut self, frame: &Frame<'_>, before: Block) {
        let first = frame.blocks[frame.entry.index()];
        self.finish_block(before, Term::Jump(Target { block: first, args: Args::new() }));
        self.probed.extend(frame.probed.clone());
        let handlers = frame::handlers(&frame.cfg);
        for block in frame.cfg.reverse_postorder() {
            self.seal_if_ready(frame, &handlers, block);
            self.block(frame, block);
            for (to, _) in frame.cfg.succs(block) {
                self.seal_if_ready(frame, &handlers, *to);
            }
        }
        frame.blocks.iter().for_each(|block| self.seal(*block));
        if frame.probed.is_some() {
            self.probed.pop();
        }
    }

    fn add_sites(
        &mut self,
        (func, body): (FuncRef, &Function),
        origins: Option<&[ir::Block]>,
        inlined_at: Option<u32>,
        expanded: Option<&Expanded>,
    ) -> Vec<u32> {
        let calls = self.func.sites.len() as u32;
        self.func.sites.extend(expanded.iter().flat_map(|expanded| expanded.calls(calls, inlined_at)));
        self.func.inlined.calls += self.func.sites.len() as u32 - calls;
        let mut first = Vec::with_capacity(body.blocks.len());
        for (block, data) in body.blocks.iter() {
            first.push(self.func.sites.len() as u32);
            let block = origins.map_or(block, |origins| origins[block.index()]);
            let site = |span: Span| match expanded {
                None => Site { func, block, span, inlined_at, expanded: None.into() },
                Some(expanded) => expanded.site((block, span), calls, inlined_at),
            };
            let spans = data.spans.iter().chain(std::iter::once(&data.term_span));
            self.func.sites.extend(spans.map(|span| site(*span)));
            let Site { func, block, .. } = site(data.term_span);
            self.note_either_way(func, block);
        }
        first
    }

    /// Notes that the last site is that of a branch that goes either way, if it is.
    fn note_either_way(&mut self, func: FuncRef, block: ir::Block) {
        if self.observed.of(func).is_some_and(|counts| counts.goes_either_way(block)) {
            self.func.either_way.insert(self.func.sites.len() as u32 - 1);
        }
    }

    fn block(&mut self, frame: &Frame<'_>, block: ir::Block) {
        let data = &frame.body.blocks[block];
        let mut at = frame.blocks[block.index()];
        // What leads a handler in stays its first instruction.
        let is_handler = matches!(data.insts.first(), Some(ir::Inst::CatchMessage { .. }));
        if !is_handler {
            self.start_block(frame, block, at);
        }
        let added = self.added(frame, block);
        for (index, inst) in data.insts.iter().enumerate() {
            let place = frame.place(block);
            self.here = (place.func, place.block, place.first + index.saturating_sub(added));
            at = self.inst(frame, at, inst, frame.sites[block.index()] + index as u32);
            if index == 0 && is_handler {
                self.start_block(frame, block, at);
            }
        }
        let site = frame.sites[block.index()] + data.insts.len() as u32;
        self.func.blocks[at].term_site = site;
        self.terminator(frame, block, at, &data.term);
    }

    /// Instructions that a copy has in front of those of its origin.
    fn added(&self, frame: &Frame<'_>, block: ir::Block) -> usize {
        let Some((written, origins)) = frame.origins else { return 0 };
        let own = written.blocks[origins[block.index()]].insts.len();
        frame.body.blocks[block].insts.len().saturating_sub(own)
    }

    fn terminator(&mut self, frame: &Frame<'_>, block: ir::Block, at: Block, term: &ir::Terminator) {
        let mut edges: Vec<(ir::Block, Block)> = Vec::new();
        let mut plain = |to: ir::Block| {
            let block = self.edge(frame, block, to, at, &mut edges);
            Target { block, args: Args::new() }
        };
        let term = match term {
            ir::Terminator::Jump(to) => Term::Jump(plain(*to)),
            ir::Terminator::Branch { cond, then, otherwise } => {
                let (then, otherwise) = (plain(*then), plain(*otherwise));
                Term::Branch { cond: self.operand(frame, at, *cond), then, otherwise }
            }
            ir::Terminator::Switch { value, cases, default } => {
                let cases = cases.iter().map(|(case, to)| (*case, plain(*to))).collect();
                let default = plain(*default);
                Term::Switch { value: self.operand(frame, at, *value), cases, default }
            }
            ir::Terminator::Return(value) => {
                let value = value.map(|operand| self.operand(frame, at, operand));
                self.steps_at_return(frame, block, at);
                match frame.inlined {
                    None => Term::Return(value),
                    Some(Inlined { returns, .. }) => {
                        Term::Jump(Target { block: returns, args: value.into_iter().collect() })
                    }
                }
            }
            ir::Terminator::Fail { kind, message } => Term::Fail(*kind, self.operand(frame, at, *message)),
            ir::Terminator::Exit(status) => Term::Exit(self.operand(frame, at, *status)),
        };
        self.finish_block(at, term);
        for (to, edge) in edges {
            self.finish_edge(frame, block, to, edge);
        }
    }

    fn finish_block(&mut self, at: Block, term: Term) {
        for target in term.targets() {
            self.preds[target.block].push(at);
        }
        self.func.blocks[at].term = term;
    }

    fn operand(&mut self, frame: &Frame<'_>, at: Block, operand: Operand) -> Value {
        match operand {
            Operand::Local(local) => self.read(at, frame.variable(local)),
            constant => self.func.constant(constant),
        }
    }
}
