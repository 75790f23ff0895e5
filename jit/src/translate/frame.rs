//! Where the locals of a function live.
//!
//! In the baseline tier a local that is used in one block only, after its assignment there, stays a
//! CLIF value; every other local has a fixed slot of the frame, which keeps single-pass register
//! allocation linear and gives on-stack replacement a known place. In the optimized tier they are
//! variables of Cranelift's SSA builder.

use super::Translator;
use crate::emit::clif_type;
use crate::tier::Tier;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, types};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
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
        let mut frame = Frame { places: SecondaryMap::new(), values: SecondaryMap::new(), slot: None };
        match tier {
            Tier::Baseline => frame.place_in_slots(body, builder),
            Tier::Optimized => {
                for (local, decl) in body.locals.iter() {
                    frame.places[local] = Place::Variable(builder.declare_var(clif_type(decl.scalar)));
                }
            }
        }
        frame
    }

    fn place_in_slots(&mut self, body: &Function, builder: &mut FunctionBuilder<'_>) {
        let mut size = 0;
        for local in locals_across_blocks(body) {
            self.places[local] = Place::Slot(size);
            size += 8;
        }
        if size > 0 {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size as u32, 3);
            self.slot = Some(builder.create_sized_stack_slot(data));
        }
    }

    /// Values do not outlive their block.
    pub(super) fn start_block(&mut self) {
        self.values.clear();
    }
}

/// Parameters and locals that some block uses before it assigns them.
fn locals_across_blocks(body: &Function) -> Vec<Local> {
    let mut assigned_in: SecondaryMap<Local, PackedOption<Block>> = SecondaryMap::new();
    let mut across = vec![false; body.locals.len()];
    for (block, data) in body.blocks.iter() {
        let mut used = |operand: Operand, assigned_in: &SecondaryMap<Local, PackedOption<Block>>| {
            if let Operand::Local(local) = operand
                && assigned_in[local].expand() != Some(block)
            {
                across[local.index()] = true;
            }
        };
        for inst in &data.insts {
            inst.operands(|operand| used(operand, &assigned_in));
            if let Some(dst) = inst.dst() {
                assigned_in[dst] = block.into();
            }
        }
        if let Some(operand) = data.term.operand() {
            used(operand, &assigned_in);
        }
    }
    body.params.iter().for_each(|param| across[param.index()] = true);
    body.locals.keys().filter(|local| across[local.index()]).collect()
}

impl Translator<'_> {
    /// The value of a local.
    pub(super) fn get(&mut self, local: Local) -> clif::Value {
        match self.frame.places[local] {
            Place::Value => self.frame.values[local].expect("a block-local value is assigned before its use"),
            Place::Slot(offset) => {
                let slot = self.frame.slot.expect("locals in slots have a slot");
                let ty = clif_type(self.body.scalar(local));
                self.emit.builder.ins().stack_load(types::I64, ty, slot, offset)
            }
            Place::Variable(variable) => self.emit.builder.use_var(variable),
        }
    }

    /// Assigns a local.
    pub(super) fn set(&mut self, local: Local, value: clif::Value) {
        match self.frame.places[local] {
            Place::Value => self.frame.values[local] = value.into(),
            Place::Slot(offset) => {
                let slot = self.frame.slot.expect("locals in slots have a slot");
                self.emit.builder.ins().stack_store(types::I64, value, slot, offset);
            }
            Place::Variable(variable) => self.emit.builder.def_var(variable, value),
        }
    }
}
