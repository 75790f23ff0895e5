//! The homes of a function's locals.
//!
//! In the baseline tier a local that is used in one block only, soon after its assignment there, stays a
//! CLIF value, also a parameter that is used in the first block only; every other local has a fixed slot of the frame, which keeps single-pass register
//! allocation linear and gives on-stack replacement a known place. So has a reference that is needed
//! during or after an instruction that may collect: a place that the register allocator spills to
//! could not be cleared when the reference is no longer needed (see `ir::stale`). In the optimized
//! tier locals are variables of Cranelift's SSA builder.

use crate::emit::clif_type;
use crate::settings::translate::LONGEST_VALUE;
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{StackSlotData, StackSlotKind};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
use cranelift_frontend::{FunctionBuilder, Variable};
use holloway_lang::ir::{Block, Function, Inst, Local, Operand, Scalar, stale};

#[derive(Clone, Copy, Default)]
pub(super) enum Home {
    #[default]
    Value,
    Slot(i32),
    Variable(Variable),
}

pub(super) struct Frame {
    pub(super) places: SecondaryMap<Local, Home>,
    pub(super) values: SecondaryMap<Local, PackedOption<clif::Value>>,
    pub(super) slot: Option<clif::StackSlot>,
}

impl Frame {
    /// Homes in a tier's code, where the first block may go on with what the prologue has.
    pub(super) fn new(body: &Function, (tier, goes_on): (Tier, bool), builder: &mut FunctionBuilder<'_>) -> Frame {
        let mut frame = Frame { places: SecondaryMap::new(), values: SecondaryMap::new(), slot: None };
        match tier {
            Tier::Baseline => frame.place_in_slots(body, goes_on, builder),
            Tier::Optimized => {
                for (local, decl) in body.locals.iter() {
                    frame.places[local] = Home::Variable(builder.declare_var(clif_type(decl.scalar)));
                }
            }
        }
        frame
    }

    fn place_in_slots(&mut self, body: &Function, goes_on: bool, builder: &mut FunctionBuilder<'_>) {
        let mut size = 0;
        for local in locals_in_slots(body, goes_on) {
            self.places[local] = Home::Slot(size);
            size += 8;
        }
        if size > 0 {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size as u32, 3);
            self.slot = Some(builder.create_sized_stack_slot(data));
        }
    }

    /// The locals that live in the frame, with their offsets in its slot.
    pub(super) fn locals(&self, body: &Function) -> (Option<clif::StackSlot>, Vec<(Local, u32)>) {
        let place = |local: Local| match self.places[local] {
            Home::Slot(offset) => Some((local, offset as u32)),
            Home::Value | Home::Variable(_) => None,
        };
        (self.slot, body.locals.keys().filter_map(place).collect())
    }

    /// Values do not outlive their block.
    pub(super) fn start_block(&mut self) {
        self.values.clear();
    }
}

/// The last assignment of a local: the block, and how many of its instructions before may collect or end a CLIF block.
#[derive(Clone, Copy, Default)]
struct Assigned {
    block: PackedOption<Block>,
    collections: u32,
    breaks: u32,
}

/// Locals that some block uses before it assigns them or long after, and references that live through a collection. Parameters are assigned by the
/// prologue, behind which the first block may go on; the poll there may collect.
fn locals_in_slots(body: &Function, goes_on: bool) -> Vec<Local> {
    let mut assigned: SecondaryMap<Local, Assigned> = SecondaryMap::new();
    let mut in_slot = vec![false; body.locals.len()];
    for param in &body.params {
        in_slot[param.index()] = !goes_on || body.scalar(*param) == Scalar::Ref;
        assigned[*param].block = body.entry().into();
    }
    for (block, data) in body.blocks.iter() {
        let mut now = Assigned { block: block.into(), collections: 0, breaks: 0 };
        let mut used = |operand: Operand, now: Assigned, assigned: &SecondaryMap<Local, Assigned>| {
            if let Operand::Local(local) = operand {
                let at = assigned[local];
                let outlives = body.scalar(local) == Scalar::Ref && at.collections < now.collections;
                let is_far = at.breaks + LONGEST_VALUE < now.breaks;
                in_slot[local.index()] |= at.block != now.block || outlives || is_far;
            }
        };
        for inst in &data.insts {
            let before = now;
            now.collections += u32::from(stale::can_collect(inst));
            let read_at = if reads_after_collecting(inst) { now } else { before };
            inst.operands(|operand| used(operand, read_at, &assigned));
            now.breaks += u32::from(inst.can_fail());
            if let Some(dst) = inst.dst() {
                assigned[dst] = now;
            }
        }
        if let Some(operand) = data.term.operand() {
            used(operand, now, &assigned);
        }
    }
    body.locals.keys().filter(|local| in_slot[local.index()]).collect()
}

/// Returns whether it allocates an object first and then stores its operands there.
fn reads_after_collecting(inst: &Inst) -> bool {
    matches!(inst, Inst::NewRecord { .. } | Inst::ArrayOf { .. })
}
