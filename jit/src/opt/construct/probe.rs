//! Path probes while SSA is built: registers are variables, reports are instructions.
//!
//! In: the plan of each body, inlined ones too. Out: steps at the entry, on edges, at the starts of blocks and before
//! returns; and before what can fail in a block, what is then pending ([`Probe::Pending`]), for the unwinder.

use super::frame::code_origin;
use super::step::{Step, steps_of};
use super::variables::{Kept, Passing, Probed};
use super::{Builder, Frame, Inlined};
use crate::body::osr::Entry;
use crate::graph_of::node_of;
use crate::opt::op::{Extent, PassedWord, PathSink, Probe};
use crate::opt::ssa::{Args, Block, Op, Term, Value};
use crate::probes::across::PathCode;
use crate::probes::{PENDING, Report};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{self, BinaryOp, FuncRef, Scalar};
use holloway_profiler::event::packing::Packing;
use holloway_profiler::event::{FunctionId, encode};
use holloway_profiler::graph::{EdgeId, EdgeKind};
use holloway_profiler::machine::NO_BRANCHES;
use holloway_profiler::plan::{Action, CutShort};
use holloway_profiler::scheme::Framing;
use std::cell::Cell;

impl Builder<'_> {
    /// The registers for a body, if it is profiled.
    pub(super) fn probed(&mut self, func: FuncRef, inlined: Option<Inlined>) -> Option<std::rc::Rc<Probed>> {
        let probes = self.paths.of(func)?;
        let mut register = || self.variables.push(Kept::Value(Scalar::Int));
        let (path, start, history) = (register(), register(), register());
        let (word, times, before) = (register(), register(), register());
        let iterations = (1..probes.plan.most_iterations()).map(|_| register()).collect();
        // Bits outlive a failure that is caught, so they are in memory where that can be.
        let is_caught = probes.graph.edges().any(|(_, edge)| edge.kind == EdgeKind::Failure);
        let mut bits_word = || {
            let kept = match is_caught {
                false => Kept::Value(Scalar::Int),
                true => {
                    self.func.slots.push(Scalar::Int);
                    Kept::Slot(self.func.slots.len() as u32 - 1, Scalar::Int)
                }
            };
            self.variables.push(kept)
        };
        let bits = probes.plan.registers.values().map(|words| (0..*words).map(|_| bits_word()).collect()).collect();
        let is_across = probes.plan.cut_short == CutShort::ByUnwinder;
        let completions = is_across.then(&mut bits_word);
        let saved = (0..probes.plan.saved_registers()).map(|_| bits_word()).collect();
        let detached = self.variables.push(Kept::Value(Scalar::Int));
        let completions = completions.unwrap_or(detached);
        let slot = self.func.slots.len() as u32;
        let words = PENDING.max(probes.plan.most_iterations() as usize);
        self.func.slots.extend(std::iter::repeat_n(Scalar::Int, words));
        let aside = self.aside(&probes);
        self.func.pending.push((inlined.map(|inlined| inlined.site), slot));
        let history_is_pending = probes.plan.keeps_histories();
        let node = Cell::new(probes.graph.entry());
        let probed = Probed {
            probes,
            path,
            start,
            history,
            iterations,
            bits,
            completions,
            detached,
            saved,
            aside,
            slot,
            history_is_pending,
            word,
            times,
            before,
            node,
            calls: Cell::new(0),
            is_calling: Cell::new(false),
            passing: Cell::new(inlined.map_or(Passing::InMemory, |inlined| inlined.passing)),
        };
        Some(std::rc::Rc::new(probed))
    }

    /// The steps of the entry, at the end of the block before.
    pub(super) fn enter(&mut self, frame: &Frame<'_>, at: Block, entry: Entry) {
        let Some(probed) = &frame.probed else { return };
        let zero = self.func.int(0);
        // A plan sets what it uses, but not on ways that it need not think of.
        let registers = [probed.path, probed.start, probed.history, probed.times, probed.before];
        for variable in registers.into_iter().chain(probed.bits.values().flatten().copied()) {
            self.write(at, variable, zero);
        }
        self.start_iterations(probed, at);
        self.start_word(probed, at);
        match entry {
            Entry::Call => self.actions(probed, at, &probed.probes.plan.entry.clone()),
            Entry::Header(header) => self.enter_at(frame, at, header),
        }
        let first = match entry {
            Entry::Call => probed.probes.graph.entry(),
            Entry::Header(header) => node_of(header),
        };
        if probed.probes.repeats.of(first).is_some() {
            self.enter_repeat(probed, at);
        }
    }

    /// No path has ended.
    fn start_word(&mut self, probed: &Probed, at: Block) {
        match probed.probes.report {
            Report::Bursts(cell) => self.begin_sample(probed, at, cell),
            Report::Steps(table) => self.set(at, probed.word, table.first as i64),
            Report::Array(_) | Report::Table(_) | Report::Events(_) => {
                self.set(at, probed.word, Packing::EMPTY as i64);
            }
        }
    }

    /// As if a back edge to the header had just been taken: by what such an edge leaves behind.
    fn enter_at(&mut self, frame: &Frame<'_>, at: Block, header: ir::Block) {
        let probed = frame.probed.as_ref().expect("the frame is profiled");
        let (graph, plan) = (&probed.probes.graph, &probed.probes.plan);
        let is_back = |id: &EdgeId| {
            let edge = graph.edge(*id);
            edge.to == node_of(header) && plan.edges[*id].iter().any(|step| leaves_a_start(*step))
        };
        let back = graph.edges().map(|(id, _)| id).find(is_back);
        let mut steps: Vec<Action> = plan.entry.iter().copied().filter(|step| *step == Action::Enter).collect();
        for step in back.into_iter().flat_map(|id| plan.edges[id].clone()) {
            match step {
                Action::FinishPath { restart: Some(start), .. } => steps.push(Action::SetPath(start)),
                Action::SetPath(start) => steps.push(Action::SetPath(start)),
                Action::FinishBranches { restart: Some(node) } => steps.push(Action::StartBranches(node)),
                _ => {}
            }
        }
        self.actions(probed, at, &steps);
    }

    /// The steps of a block's start, and what is pending in it.
    pub(super) fn start_block(&mut self, frame: &Frame<'_>, block: ir::Block, at: Block) {
        if let Some(probed) = &frame.probed {
            probed.node.set(node_of(frame.origin(block)));
            probed.calls.set(0);
            probed.is_calling.set(false);
            self.restart_after_failure(frame, block, at);
            let steps = probed.probes.plan.blocks[node_of(frame.origin(block))].clone();
            self.actions(probed, at, &steps);
        }
        self.note_pending(at);
        self.count_block(frame, block, at);
    }

    /// A handler starts with the registers as its failure edges leave them; these edges are no code.
    fn restart_after_failure(&mut self, frame: &Frame<'_>, block: ir::Block, at: Block) {
        let probed = frame.probed.as_ref().expect("the frame is profiled");
        let (graph, plan) = (&probed.probes.graph, &probed.probes.plan);
        let node = node_of(frame.origin(block));
        let failure = graph.edges().find(|(_, edge)| edge.to == node && edge.kind == EdgeKind::Failure);
        let Some((id, _)) = failure else { return };
        let zero = self.func.int(0);
        for variable in [probed.path, probed.start, probed.history] {
            self.write(at, variable, zero);
        }
        self.start_iterations(probed, at);
        self.start_word(probed, at);
        for step in plan.edges[id].clone() {
            let step = match step {
                Action::FinishPrefix { restart: Some(start), .. }
                | Action::FinishIterationPrefix { restart: Some(start), .. } => Action::SetPath(start),
                Action::FinishBranchPrefix { restart: Some(node), .. } => Action::StartBranches(node),
                Action::SetPath(_)
                | Action::Across(_)
                | Action::SetBit { .. }
                | Action::ClearBits(_)
                | Action::FoldBits(_)
                | Action::PutAside { .. } => step,
                _ => continue,
            };
            self.actions(probed, at, &[step]);
        }
        if probed.probes.repeats.of(node).is_some() {
            self.enter_repeat(probed, at);
        }
    }

    /// The block an edge leads to: the target, or a block for what happens on the way.
    pub(super) fn edge(
        &mut self,
        frame: &Frame<'_>,
        from: ir::Block,
        to: ir::Block,
        at: Block,
        edges: &mut Vec<(ir::Block, Block)>,
    ) -> Block {
        if let Some((_, block)) = edges.iter().find(|(known, _)| *known == to) {
            return *block;
        }
        let has_steps = self.edge_steps(frame, from, to).is_some();
        let is_guard = frame.counted.edges.contains_key(&(from, to));
        let is_counted = self.iterations(frame, from, to).is_some();
        let polls = self.polls(frame, from, to) || self.leaves(frame, from, to);
        if !has_steps && !is_guard && !is_counted && !polls {
            return frame.blocks[to.index()];
        }
        let data = &self.func.blocks[at];
        let (handler, site) = (data.handler, data.term_site);
        let block = self.func.new_block(code_origin(frame.inlined, frame.origin(from)), handler, site);
        self.func.blocks[block].cold = is_guard;
        self.func.blocks[block].seen = frame.seen_edge(from, to);
        self.sealed[block] = true;
        edges.push((to, block));
        block
    }

    /// Fills the block of an edge.
    pub(super) fn finish_edge(&mut self, frame: &Frame<'_>, from: ir::Block, to: ir::Block, edge: Block) {
        if let Some(probed) = &frame.probed {
            // What stops the program on an edge stops it in the target.
            probed.node.set(node_of(frame.origin(to)));
            probed.calls.set(0);
            probed.is_calling.set(false);
        }
        if let Some(steps) = self.edge_steps(frame, from, to) {
            let probed = frame.probed.as_ref().expect("the frame is profiled");
            self.steps(probed, edge, &steps);
        }
        self.note_pending(edge);
        self.count_edge(frame, from, to, edge);
        if self.leaves(frame, from, to) {
            self.transfer(frame, edge, to);
        } else if self.polls(frame, from, to) {
            self.func.push(edge, Op::Poll, [], None, frame.sites[to.index()]);
        }
        let target = super::Target { block: frame.blocks[to.index()], args: Args::new() };
        self.finish_block(edge, Term::Jump(target));
    }

    /// The steps before a return.
    pub(super) fn steps_at_return(&mut self, frame: &Frame<'_>, block: ir::Block, at: Block) {
        let Some(probed) = &frame.probed else { return };
        let graph = &probed.probes.graph;
        let out = graph.successors(node_of(frame.origin(block))).iter().copied();
        let edge = out.into_iter().find(|id| graph.is_return(*id)).expect("a returning block has a return edge");
        let steps = steps_of(&probed.probes, edge);
        self.steps(probed, at, &steps);
    }

    fn edge_steps(&self, frame: &Frame<'_>, from: ir::Block, to: ir::Block) -> Option<Vec<Step>> {
        let probes = &frame.probed.as_ref()?.probes;
        let (from, to) = (node_of(frame.origin(from)), node_of(frame.origin(to)));
        let is_it = |id: &EdgeId| {
            let edge = probes.graph.edge(*id);
            edge.to == to && edge.kind == EdgeKind::Normal
        };
        let id = probes.graph.successors(from).iter().copied().find(is_it)?;
        let steps = steps_of(probes, id);
        (!steps.is_empty()).then_some(steps)
    }

    pub(super) fn actions(&mut self, probed: &Probed, at: Block, actions: &[Action]) {
        let steps: Vec<Step> = actions.iter().copied().map(Step::Planned).collect();
        self.steps(probed, at, &steps);
    }

    fn steps(&mut self, probed: &Probed, at: Block, steps: &[Step]) {
        let mut words: Vec<Value> = Vec::new();
        for step in steps {
            match step {
                Step::Planned(action) => self.step(probed, at, *action, &mut words),
                Step::EnterRepeat => self.enter_repeat(probed, at),
                Step::Repeat => self.repeat(probed, at),
                Step::LeaveRepeat(repeat, edge) => self.leave_repeat(probed, at, (*repeat, *edge), &mut words),
                Step::LeaveLoop(added) => self.leave_loop(probed, at, *added),
            }
        }
        let is_marker = |step: &Step| matches!(step, Step::Planned(Action::Enter | Action::Leave));
        let has_markers = !probed.probes.is_lone() && steps.iter().any(is_marker);
        self.emit(at, words, switch(probed, has_markers));
    }

    fn emit(&mut self, at: Block, words: Vec<Value>, switch: Option<usize>) {
        if !words.is_empty() {
            let site = self.func.blocks[at].term_site;
            self.func.push(at, Op::Probe(Probe::Emit(switch)), words, None, site);
        }
    }

    fn step(&mut self, probed: &Probed, at: Block, step: Action, words: &mut Vec<Value>) {
        match step {
            Action::SetPath(value) => self.set(at, probed.path, value),
            Action::AddPath(value) => self.add_to(at, probed.path, value),
            Action::FinishPath { add, restart } => {
                let extent = if restart.is_some() { Extent::One } else { Extent::Last };
                let path = self.read(at, probed.path);
                self.finish_path(probed, at, (extent, path, add), words);
                if let Some(start) = restart {
                    self.set(at, probed.path, start);
                }
            }
            Action::Pass { add } => {
                let path = self.read(at, probed.path);
                let word = self.plus(at, path, add);
                self.pass_word(probed, at, PassedWord::Path, word);
            }
            Action::Receive => {
                let word = self.receive_word(probed, at, PassedWord::Path);
                self.write(at, probed.path, word);
            }
            Action::Enter => self.mark(probed, encode::enter, words),
            // The last word says so.
            Action::Leave if matches!(probed.probes.report, Report::Events(Framing::Activations(Some(_)))) => {}
            Action::Leave => self.mark(probed, |_| encode::leave(), words),
            Action::ClearBits(register) | Action::SetBit { register, .. } if probed.counter(register).is_some() => {}
            Action::ClearBits(register) => {
                self.clear_bits(probed, at, register);
            }
            Action::SetBit { register, word, bit } => self.set_bit(probed, at, register, (word, bit.into())),
            Action::FoldBits(register) => {
                self.fold(probed, at, register);
                self.clear_bits(probed, at, register);
            }
            Action::StartBranches(node) => self.start_branches(probed, at, node.index() as i64),
            Action::ShiftBranches { width, value } => {
                let before = self.read(at, probed.history);
                let width = self.func.int(i64::from(width));
                let shifted = self.binary_of(at, BinaryOp::IntShl, before, width);
                let value = self.func.int(value as i64);
                let after = self.binary_of(at, BinaryOp::IntOr, shifted, value);
                self.write(at, probed.history, after);
            }
            Action::FinishBranches { restart } => {
                self.finish_branches(probed, at);
                if let Some(node) = restart {
                    self.start_branches(probed, at, node.index() as i64);
                }
            }
            Action::AddIterations(table) => self.add_iterations(probed, at, table),
            Action::NextIteration { k, restart } => self.next_iteration(probed, at, (k, restart), words),
            Action::PutAside { depth } => self.put_aside(probed, at, depth),
            Action::TakeBack { depth } => self.take_back(probed, at, depth),
            Action::Across(step) => {
                let passed = self.registers(probed, at).cross(step);
                passed.into_iter().for_each(|id| self.finish_path(probed, at, (Extent::One, id, 0), words));
            }
            Action::Count(_)
            | Action::LeaveLoop
            | Action::FinishPrefix { .. }
            | Action::FinishIterationPrefix { .. }
            | Action::FinishBranchPrefix { .. } => unreachable!("no plan of optimized code has {step:?} here"),
        }
    }

    /// A path is complete, the last of its activation or not: the register with what is added.
    pub(super) fn finish_path(
        &mut self,
        probed: &Probed,
        at: Block,
        (extent, path, add): (Extent, Value, i64),
        words: &mut Vec<Value>,
    ) {
        let first = match probed.probes.report {
            Report::Events(Framing::Lone) => encode::lone(probed.probes.function) as i64,
            Report::Array(_) | Report::Table(_) | Report::Steps(_) | Report::Bursts(_) => 0,
            Report::Events(Framing::Activations(_)) => 0,
        };
        let id = self.plus(at, path, add.wrapping_add(first));
        self.report(probed, at, (extent, vec![id]), words);
    }

    /// Paths are complete, with the operands that [`Extent`] says: for counters and events alike.
    pub(super) fn report(
        &mut self,
        probed: &Probed,
        at: Block,
        (extent, ids): (Extent, Vec<Value>),
        words: &mut Vec<Value>,
    ) {
        let sink = match probed.probes.report {
            Report::Array(array) => PathSink::Array(array),
            Report::Table(table) => PathSink::Table(table),
            Report::Steps(table) => PathSink::Steps(table),
            Report::Bursts(cell) => {
                self.add_sampled(probed, at, (extent, &ids));
                PathSink::Bursts(cell.address, probed.tag_slot())
            }
            Report::Events(Framing::Activations(Some(packing))) => {
                self.emit(at, std::mem::take(words), None);
                PathSink::Words(packing, probed.probes.function)
            }
            Report::Events(Framing::Lone | Framing::Activations(None)) => return words.extend(ids),
        };
        let kept = sink.keeps_word().then(|| self.read(at, probed.word));
        let (probe, site) = (Probe::Paths(sink, extent), self.func.blocks[at].term_site);
        let operands: Vec<Value> = kept.into_iter().chain(ids).collect();
        let word = self.func.push(at, Op::Probe(probe), operands, probe.result(), site);
        match (word, probed.probes.report) {
            (Some(word), _) => self.write(at, probed.word, word),
            (None, Report::Bursts(cell)) if extent == Extent::Last => self.end_sample(probed, at, cell),
            (None, _) if kept.is_some() => self.start_word(probed, at),
            (None, _) => {}
        }
    }

    fn mark(&mut self, probed: &Probed, word: impl Fn(FunctionId) -> u64, words: &mut Vec<Value>) {
        if !probed.probes.is_lone() {
            words.push(self.func.int(word(probed.probes.function) as i64));
        }
    }

    fn start_branches(&mut self, probed: &Probed, at: Block, node: i64) {
        self.set(at, probed.start, node);
        self.set(at, probed.history, NO_BRANCHES as i64);
    }
}

/// Returns the address of the word that says whether paths, or markers too, are to be reported; `None` if they always are.
pub(super) fn switch(probed: &Probed, has_markers: bool) -> Option<usize> {
    probed.probes.switch.as_ref().map(|switch| switch.address(has_markers))
}

/// Returns whether a step on a back edge says where the next path starts.
fn leaves_a_start(step: Action) -> bool {
    matches!(
        step,
        Action::FinishPath { restart: Some(_), .. } | Action::FinishBranches { restart: Some(_) } | Action::FoldBits(_)
    )
}
