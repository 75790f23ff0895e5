//! Where the locals of a function live.
//!
//! A local that one block assigns before it uses it, and no other block uses, is a CLIF value there. All others are, in
//! the baseline tier, in fixed slots of the frame, which keeps single-pass register allocation linear and gives on-stack
//! replacement a known place; in the optimized tier they are variables of Cranelift's SSA builder.
//! Invariant: a value that stays one is used soon, see [`Reach`]; no allocator is given thousands that are live at once.

use super::{Translator, clif_type, trusted};
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, types};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::SecondaryMap;
use cranelift_frontend::{FunctionBuilder, Variable};
use holloway_lang::ir::{Block, Function, Local, Operand};

#[derive(Clone, Copy, Default)]
enum Place {
    #[default]
    Value,
    Slot(i32),
    Variable(Variable),
}

pub(super) struct Frame {
    places: SecondaryMap<Local, Place>,
    values: SecondaryMap<Local, PackedOption<clif::Value>>,
    slot: Option<clif::StackSlot>,
}

impl Frame {
    pub(super) fn new(body: &Function, tier: Tier, builder: &mut FunctionBuilder<'_>) -> Frame {
        let reach = reach(body);
        let mut frame = Frame { places: SecondaryMap::new(), values: SecondaryMap::new(), slot: None };
        let mut size = 0;
        for (local, decl) in body.locals.iter() {
            frame.places[local] = match (reach[local], tier) {
                (Reach::Across, Tier::Optimized) => Place::Variable(builder.declare_var(clif_type(decl.scalar))),
                (Reach::Within(breaks), _) if breaks <= longest_value(tier) => Place::Value,
                (Reach::Across | Reach::Within(_), _) => {
                    size += 8;
                    Place::Slot(size - 8)
                }
            };
        }
        if size > 0 {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size as u32, 3);
            frame.slot = Some(builder.create_sized_stack_slot(data));
        }
        frame
    }

    /// Values do not outlive their block.
    pub(super) fn start_block(&mut self) {
        self.values.clear();
    }
}

/// How far the uses of a local are from its assignments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Some block uses it before it assigns it; or it is a parameter.
    Across,
    /// Within the blocks that assign it. The most instructions between an assignment and a use that end a CLIF block,
    /// such as checks and calls.
    Within(u32),
}

impl Default for Reach {
    fn default() -> Self {
        Reach::Within(0)
    }
}

/// The most breaks between the assignment and the use of a value. Registers last for a few calls at most; the limits are
/// far above that, so that only long lists are stored to the frame and loaded from it.
fn longest_value(tier: Tier) -> u32 {
    match tier {
        Tier::Baseline => 16,
        Tier::Optimized => 256,
    }
}

/// Finds the reach of every local.
fn reach(body: &Function) -> SecondaryMap<Local, Reach> {
    let mut reach: SecondaryMap<Local, Reach> = SecondaryMap::with_capacity(body.locals.len());
    body.params.iter().for_each(|param| reach[*param] = Reach::Across);
    let mut assigned: SecondaryMap<Local, (PackedOption<Block>, u32)> = SecondaryMap::with_capacity(body.locals.len());
    for (block, data) in body.blocks.iter() {
        let mut breaks = 0;
        let mut used = |operand: Operand, assigned: &SecondaryMap<Local, (PackedOption<Block>, u32)>, breaks: u32| {
            let Operand::Local(local) = operand else { return };
            reach[local] = match (reach[local], assigned[local]) {
                (Reach::Within(most), (at, before)) if at.expand() == Some(block) => {
                    Reach::Within(most.max(breaks - before))
                }
                (Reach::Across | Reach::Within(_), _) => Reach::Across,
            };
        };
        for inst in &data.insts {
            inst.operands(|operand| used(operand, &assigned, breaks));
            breaks += u32::from(inst.can_fail());
            if let Some(dst) = inst.dst() {
                assigned[dst] = (block.into(), breaks);
            }
        }
        data.term.operand().iter().for_each(|operand| used(*operand, &assigned, breaks));
    }
    reach
}

impl Translator<'_> {
    /// The value of a local.
    pub(super) fn get(&mut self, local: Local) -> clif::Value {
        match self.frame.places[local] {
            Place::Value => self.frame.values[local].expect("a block-local value is assigned before its use"),
            Place::Slot(offset) => {
                let slot = self.frame.slot.expect("locals in slots have a slot");
                let ty = clif_type(self.body.scalar(local));
                self.builder.ins().stack_load(types::I64, ty, slot, offset)
            }
            Place::Variable(variable) => self.builder.use_var(variable),
        }
    }

    /// Assigns a local.
    pub(super) fn set(&mut self, local: Local, value: clif::Value) {
        match self.frame.places[local] {
            Place::Value => self.frame.values[local] = value.into(),
            Place::Slot(offset) => {
                let slot = self.frame.slot.expect("locals in slots have a slot");
                self.builder.ins().stack_store(types::I64, value, slot, offset);
            }
            Place::Variable(variable) => self.builder.def_var(variable, value),
        }
    }

    /// Loads from an absolute address plus an offset.
    pub(super) fn load_at(&mut self, ty: clif::Type, address: usize, offset: i32) -> clif::Value {
        let base = self.address(address);
        self.builder.ins().load(ty, trusted(), base, offset)
    }

    /// Stores to an absolute address plus an offset.
    pub(super) fn store_at(&mut self, value: clif::Value, address: usize, offset: i32) {
        let base = self.address(address);
        self.builder.ins().store(trusted(), value, base, offset);
    }
}
