//! Locals read and assigned, each at its home in the frame.
//!
//! In: a local, or a value for one. Out: code at the builder's position.
//! Invariant: a slot of a reference holds one that is needed, or none.

use super::Translator;
use super::frame::Home;
use crate::emit::clif_type;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{Local, Scalar};

impl Translator<'_> {
    /// The value of a local.
    pub(super) fn get(&mut self, local: Local) -> clif::Value {
        match self.frame.places[local] {
            Home::Value => self.frame.values[local].expect("a block-local value is assigned before its use"),
            Home::Slot(offset) => {
                let slot = self.frame.slot.expect("locals in slots have a slot");
                let ty = clif_type(self.body.scalar(local));
                self.emit.builder.ins().stack_load(types::I64, ty, slot, offset)
            }
            Home::Variable(variable) => self.emit.builder.use_var(variable),
        }
    }

    /// Assigns a local.
    pub(super) fn set(&mut self, local: Local, value: clif::Value) {
        match self.frame.places[local] {
            Home::Value => self.frame.values[local] = value.into(),
            Home::Slot(offset) => {
                let slot = self.frame.slot.expect("locals in slots have a slot");
                self.emit.builder.ins().stack_store(types::I64, value, slot, offset);
            }
            Home::Variable(variable) => self.emit.builder.def_var(variable, value),
        }
    }

    /// Clears the slots of what dies with the present instruction.
    pub(super) fn clear_dying(&mut self) {
        for local in std::mem::take(&mut self.dying) {
            self.clear_slot(local);
        }
    }

    /// Clears the slots that are not parameters: what an earlier frame left there may be a reference.
    pub(super) fn clear_reference_slots(&mut self) {
        for local in self.body.locals.keys().skip(self.body.params.len()) {
            if self.body.scalar(local) == Scalar::Ref {
                self.clear_slot(local);
            }
        }
    }

    fn clear_slot(&mut self, local: Local) {
        match self.frame.places[local] {
            Home::Slot(_) => {
                let none = self.emit.int(0);
                self.set(local, none);
            }
            Home::Value | Home::Variable(_) => {}
        }
    }
}
