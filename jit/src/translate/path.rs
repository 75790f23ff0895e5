//! Path probes of baseline code: plans that all code has to carry out, whatever its size, as paths run across calls or the order of all
//! activations is recorded.
//!
//! In: the steps of a plan. Out: loads and stores of registers that live in a slot of the frame, so that the unwinder finds them there.
//! The first two words are the path and the place in the block (twice the calls that have returned, and 1 if the next one is under way), as
//! in what optimized code has pending. Then completions, whether the path is detached, and saved path registers.
//! Invariant: the slot holds what the interpreter's registers do before every call.

use super::Translator;
use super::path_slot::{PATH, PLACE, offset_of};
use crate::graph_of::node_of;
use crate::opt::op::PassedWord;
use crate::probes::Report;
use crate::probes::across::{PathCode, Register};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{BinaryOp, Block};
use holloway_profiler::event::packing::Packing;
use holloway_profiler::event::{FunctionId, encode};
use holloway_profiler::graph::{Call, EdgeKind};
use holloway_profiler::plan::Action;
use holloway_profiler::scheme::Framing;
use std::sync::Arc;

impl Translator<'_> {
    pub(super) fn paths_at_entry(&mut self) {
        let Some(path) = &self.path else { return };
        let plan = Arc::clone(&path.probes.plan);
        self.set_place(0);
        self.path_steps(&plan.entry);
    }

    /// The start of a block: a handler goes on as the failure edges to it say, which are no code.
    pub(super) fn paths_at_start(&mut self, block: Block) {
        let Some(path) = &mut self.path else { return };
        path.calls = 0;
        let (graph, plan) = (Arc::clone(&path.probes.graph), Arc::clone(&path.probes.plan));
        let failure = graph.edges().find(|(_, edge)| edge.to == node_of(block) && edge.kind == EdgeKind::Failure);
        if let Some((edge, _)) = failure {
            self.set_place(0);
            self.path_steps(&plan.edges[edge]);
        }
        self.path_steps(&plan.blocks[node_of(block)]);
    }

    /// The end of a block with calls: the next block has none yet.
    pub(super) fn paths_at_end(&mut self) {
        if self.path.as_ref().is_some_and(|path| path.calls > 0) {
            self.set_place(0);
        }
    }

    pub(super) fn has_paths_on_edge(&self, from: Block, to: Block) -> bool {
        !self.steps_on_edge(from, to).is_empty()
    }

    pub(super) fn paths_on_edge(&mut self, from: Block, to: Block) {
        let steps = self.steps_on_edge(from, to);
        self.path_steps(&steps);
    }

    fn steps_on_edge(&self, from: Block, to: Block) -> Vec<Action> {
        let Some(path) = &self.path else { return Vec::new() };
        let edge = path.probes.graph.find_edge(node_of(from), node_of(to));
        path.probes.plan.edges[edge.expect("the graph is that of the body")].clone()
    }

    pub(super) fn paths_at_return(&mut self, block: Block) {
        let Some(path) = &self.path else { return };
        let (graph, plan) = (&path.probes.graph, Arc::clone(&path.probes.plan));
        let edge = graph.find_edge(node_of(block), graph.exit()).expect("a returning block has a return edge");
        self.path_steps(&plan.edges[edge]);
    }

    /// The steps before the next call of a block; gives those behind it to [`Translator::paths_after_call`].
    pub(super) fn paths_before_call(&mut self, block: Block) -> Vec<Action> {
        let Some(path) = &mut self.path else { return Vec::new() };
        let call = Call { block: node_of(block), number: path.calls };
        path.calls += 1;
        let steps = path.probes.plan.calls.get(&call).cloned().unwrap_or_default();
        self.set_place(2 * i64::from(call.number) + 1);
        self.path_steps(&steps.before);
        steps.after
    }

    pub(super) fn paths_after_call(&mut self, after: &[Action]) {
        let Some(path) = &self.path else { return };
        self.set_place(2 * i64::from(path.calls));
        self.path_steps(after);
    }

    fn set_place(&mut self, place: i64) {
        let place = self.emit.int(place);
        self.set_word(PLACE, place);
    }

    fn path_steps(&mut self, steps: &[Action]) {
        for step in steps {
            self.path_step(*step);
        }
    }

    fn path_step(&mut self, step: Action) {
        match step {
            Action::SetPath(value) => self.set_constant(PATH, value),
            Action::AddPath(value) => {
                let path = self.word(PATH);
                let path = self.emit.builder.ins().iadd_imm_s(path, value);
                self.set_word(PATH, path);
            }
            Action::FinishPath { add, restart } => {
                let path = self.word(PATH);
                let id = self.emit.builder.ins().iadd_imm_s(path, add);
                self.report(id);
                restart.into_iter().for_each(|start| self.set_constant(PATH, start));
            }
            Action::Pass { add } => {
                let path = self.word(PATH);
                let word = self.emit.builder.ins().iadd_imm_s(path, add);
                self.emit.pass(PassedWord::Path, word);
            }
            Action::Receive => {
                let word = self.emit.receive(PassedWord::Path);
                self.set_word(PATH, word);
            }
            Action::Across(step) => {
                let passed = self.cross(step);
                passed.into_iter().for_each(|id| self.report(id));
            }
            Action::Enter => self.mark(encode::enter),
            Action::Leave => self.mark(|_| encode::leave()),
            // The unwinder has reported it.
            Action::FinishPrefix { restart, .. } => {
                restart.into_iter().for_each(|start| self.set_constant(PATH, start));
            }
            other => unreachable!("no plan of baseline code has {other:?}"),
        }
    }

    fn report(&mut self, id: clif::Value) {
        let path = self.path.as_ref().expect("a step is that of a plan");
        match path.probes.report {
            Report::Array(array) => self.emit.count(array, id),
            Report::Table(table) => self.emit.tally(table, id, None),
            Report::Steps(_) | Report::Bursts(_) => unreachable!("baseline code has no sequences"),
            Report::Events(Framing::Activations(Some(packing))) => {
                let empty = self.emit.int(Packing::EMPTY as i64);
                let word = self.emit.pushed(packing, empty, id);
                self.emit.emit_words(&[word], None);
            }
            Report::Events(framing @ (Framing::Lone | Framing::Activations(None))) => {
                let is_lone = framing == Framing::Lone;
                let first = if is_lone { encode::lone(path.probes.function) as i64 } else { 0 };
                let word = self.emit.builder.ins().iadd_imm_s(id, first);
                self.emit.emit_words(&[word], None);
            }
        }
    }

    /// Marks the start or the end of an activation, where the order of all is recorded.
    fn mark(&mut self, word: impl Fn(FunctionId) -> u64) {
        let probes = &self.path.as_ref().expect("a step is that of a plan").probes;
        if !probes.is_lone() {
            let word = self.emit.int(word(probes.function) as i64);
            self.emit.emit_words(&[word], None);
        }
    }

    fn word(&mut self, offset: i32) -> clif::Value {
        let slot = self.path.as_ref().expect("a step is that of a plan").slot;
        self.emit.builder.ins().stack_load(types::I64, types::I64, slot, offset)
    }

    fn set_constant(&mut self, offset: i32, value: i64) {
        let value = self.emit.int(value);
        self.set_word(offset, value);
    }

    fn set_word(&mut self, offset: i32, value: clif::Value) {
        let slot = self.path.as_ref().expect("a step is that of a plan").slot;
        self.emit.builder.ins().stack_store(types::I64, value, slot, offset);
    }
}

impl PathCode for Translator<'_> {
    type Value = clif::Value;

    fn int(&mut self, value: i64) -> clif::Value {
        self.emit.int(value)
    }

    fn known(&self, _: clif::Value) -> Option<i64> {
        None
    }

    fn read(&mut self, from: Register) -> clif::Value {
        self.word(offset_of(from))
    }

    fn write(&mut self, to: Register, value: clif::Value) {
        self.set_word(offset_of(to), value);
    }

    fn binary(&mut self, op: BinaryOp, x: clif::Value, y: clif::Value) -> clif::Value {
        self.emit.binary(op, x, y, None)
    }

    fn select(&mut self, holds: clif::Value, then: clif::Value, otherwise: clif::Value) -> clif::Value {
        self.emit.builder.ins().select(holds, then, otherwise)
    }

    fn pass(&mut self, to: PassedWord, word: clif::Value) {
        self.emit.pass(to, word);
    }

    fn receive(&mut self, from: PassedWord) -> clif::Value {
        self.emit.receive(from)
    }
}
