//! The slot of a frame of baseline code that holds the registers of its path probes.
//!
//! In: the probes of a function. Out: the slot, and the offsets of its words.
//! Invariant: the first words are those that optimized code has pending, in their order.

use crate::probes::across::Register;
use crate::probes::{PENDING, PathProbes};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{StackSlotData, StackSlotKind};
use cranelift_entity::EntityRef;
use cranelift_frontend::FunctionBuilder;
use holloway_profiler::plan::CutShort;
use std::sync::Arc;

pub(super) const PATH: i32 = 0;
pub(super) const PLACE: i32 = 8;
const FIRST_SAVED: i32 = 32;

/// The probes of a function, and the slot of its registers.
pub(super) struct PathSlot {
    pub(super) probes: Arc<PathProbes>,
    pub(super) slot: clif::StackSlot,
    /// The calls of the present block that were translated.
    pub(super) calls: u32,
}

impl PathSlot {
    /// A slot for a plan that baseline code carries out; `None` for others, which only optimized code does.
    pub(super) fn new(probes: Option<Arc<PathProbes>>, builder: &mut FunctionBuilder<'_>) -> Option<PathSlot> {
        let probes = probes.filter(|probes| probes.plan.cut_short != CutShort::BySteps || probes.records_order())?;
        let words = PENDING.max(FIRST_SAVED as usize / 8 + probes.plan.saved_registers());
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * words as u32, 3);
        Some(PathSlot { probes, slot: builder.create_sized_stack_slot(data), calls: 0 })
    }
}

/// Returns the offset of a register.
pub(super) fn offset_of(register: Register) -> i32 {
    match register {
        Register::Path => PATH,
        Register::Completions => 16,
        Register::Detached => 24,
        Register::Saved(saved) => FIRST_SAVED + 8 * saved.index() as i32,
    }
}
