//! The record that construction starts and the passes keep true.
//!
//! In: notes from construction, and from the operations of the SSA form that several passes share. Out: enough to read
//! the fates off at any time. A *segment* is what is left of a block as construction made it, or of a copy of it: a block
//! that others were merged into has several. An instruction is at *home* in a segment; one that is found in a block
//! without its segment was moved, and gets a home there.
//! Invariants: a block's segments are executed in their order whenever the block is. The record knows the function by the
//! names of its parts alone, so that the function can keep it; `blocks.rs` reads what is in them.

use super::AssignmentId;
use crate::opt::entities::{Block, Inst, Value};
use crate::opt::graph::Loop;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_lang::ir::{self, Local};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// A part of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Segment(u32);
entity_impl!(Segment, "segment");

/// The form of an assignment in the SSA form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// That instruction, which computes the value or stores it.
    Inst(Inst),
    /// None: it names a value that is there anyway. The move that stands for it is where the assignment was.
    Copy,
}

/// An assignment as construction found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted {
    pub(crate) local: Local,
    /// Its place in the IR.
    pub(crate) block: ir::Block,
    pub(crate) index: usize,
    /// The block that it was translated in.
    pub(crate) at: Block,
    pub(crate) means: Means,
    /// The value, or what replaced it.
    pub(crate) value: Value,
    /// The pass that deleted it.
    pub(crate) deleted: Option<&'static str>,
}

/// The home of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) segment: Segment,
    /// As in [`super::Position`].
    pub(super) index: usize,
    pub(super) order: u32,
}

/// The loop that a preheader was made for.
#[derive(Clone, Debug)]
pub(super) struct Entered {
    pub(super) first: ir::Block,
    pub(super) blocks: Vec<ir::Block>,
}

/// Assignments on their way through the passes.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub(super) noted: PrimaryMap<AssignmentId, Noted>,
    /// The assignment that an instruction stands for.
    pub(super) of_inst: SecondaryMap<Inst, PackedOption<AssignmentId>>,
    pub(super) home: SecondaryMap<Inst, Option<Home>>,
    /// The segments of each block.
    pub(super) segments: SecondaryMap<Block, SmallVec<[Segment; 2]>>,
    /// The block that a segment is, or is a copy of.
    pub(super) origin: PrimaryMap<Segment, Block>,
    /// Parameters and selects that merge values of locals.
    pub(super) merges: HashMap<Value, SmallVec<[Local; 1]>>,
    pub(super) entered: HashMap<Block, Entered>,
    /// The blocks of each loop of the IR, outer loops before inner ones.
    pub(super) loops: Vec<BTreeSet<ir::Block>>,
    /// Segments that go on with a block whose own segments are executed too.
    pub(super) tails: EntitySet<Segment>,
    /// For each site the instruction of the function itself, which is the call if the site is in an inlined one.
    pub(super) places: Vec<(ir::Block, usize)>,
    /// The number of instructions of each IR block.
    pub(super) lengths: SecondaryMap<ir::Block, usize>,
    /// The IR block of each block as construction made it.
    pub(super) block_of: SecondaryMap<Block, PackedOption<ir::Block>>,
}

impl Record {
    /// The IR blocks that a block executes, in order; a block that a pass made may execute none.
    pub fn blocks_of(&self, block: Block) -> impl Iterator<Item = ir::Block> + '_ {
        let whole = self.segments[block].iter().filter(|segment| !self.tails.contains(**segment));
        whole.map(|segment| self.ir_block(*segment))
    }

    /// The assignment that an instruction stands for, by its position in the list.
    pub fn assignment_of(&self, inst: Inst) -> Option<usize> {
        self.of_inst[inst].expand().map(EntityRef::index)
    }

    /// Notes an assignment.
    pub(crate) fn assigned(&mut self, noted: Noted) {
        let id = self.noted.push(noted);
        if let Means::Inst(inst) = noted.means {
            self.of_inst[inst] = id.into();
        }
    }

    /// Returns whether an instruction stands for an assignment already.
    pub(crate) fn is_taken(&self, inst: Inst) -> bool {
        self.of_inst[inst].is_some()
    }

    /// Notes that a value merges those of a local.
    pub(crate) fn merged_local(&mut self, value: Value, local: Local) {
        let locals = self.merges.entry(value).or_default();
        if !locals.contains(&local) {
            locals.push(local);
        }
    }

    /// Notes that a pass deleted copies.
    pub(crate) fn delete_copies(&mut self, pass: &'static str, is_gone: impl Fn(&Noted) -> bool) {
        let gone = self.noted.values_mut().filter(|noted| noted.means == Means::Copy && is_gone(noted));
        gone.for_each(|noted| noted.deleted = Some(pass));
    }

    /// Values were replaced everywhere, each by what it resolves to.
    pub(crate) fn replaced(&mut self, replaced: &[Value], resolve: impl Fn(Value) -> Value) {
        for noted in self.noted.values_mut() {
            noted.value = resolve(noted.value);
        }
        let moved: Vec<(Value, SmallVec<[Local; 1]>)> =
            replaced.iter().filter_map(|old| Some((resolve(*old), self.merges.get(old)?.clone()))).collect();
        for (value, locals) in moved {
            locals.into_iter().for_each(|local| self.merged_local(value, local));
        }
    }

    /// A select chooses what a parameter got.
    pub(crate) fn selected(&mut self, select: Value, param: Value) {
        for local in self.merges.get(&param).cloned().unwrap_or_default() {
            self.merged_local(select, local);
        }
    }

    /// A block took the instructions of another one over, behind its own.
    pub(crate) fn merged(&mut self, block: Block, emptied: Block) {
        let taken = std::mem::take(&mut self.segments[emptied]);
        self.segments[block].extend(taken);
    }

    /// A block is executed behind another one whenever that is, whatever it was made of.
    pub(crate) fn speculated(&mut self, block: Block, behind: Block) {
        let Some(last) = self.segments[behind].last().copied() else { return };
        self.block_of[block] = self.ir_block(last).into();
        let tail = self.origin.push(block);
        self.tails.insert(tail);
        self.segments[block] = std::iter::once(tail).collect();
    }

    /// A block was made that control enters a loop through.
    pub(crate) fn preheader(&mut self, block: Block, l: &Loop) {
        let segments = l.blocks.iter().flat_map(|inside| &self.segments[*inside]);
        let left: BTreeSet<ir::Block> = segments.map(|segment| self.ir_block(*segment)).collect();
        // The loop has blocks of which nothing is left, too, such as the branches that became selects.
        let around = self.loops.iter().rev().find(|around| left.is_subset(around));
        let blocks = around.unwrap_or(&left).iter().copied().collect();
        let order = std::iter::once(&l.header).chain(&l.blocks);
        let first = order.flat_map(|inside| &self.segments[*inside]).next();
        if let Some(first) = first {
            let first = self.ir_block(*first);
            self.entered.insert(block, Entered { first, blocks });
        }
    }

    /// The IR block that a segment is of.
    pub(super) fn ir_block(&self, segment: Segment) -> ir::Block {
        self.block_of[self.origin[segment]].expect("construction made it")
    }
}
