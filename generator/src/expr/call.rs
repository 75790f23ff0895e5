//! Calls, direct and through function values.

use super::Ex;
use crate::r#gen::{Function, Gen};
use crate::ty::Ty;

impl Gen {
    /// A call of a function of the program with result `ty`.
    pub(super) fn call_for(&mut self, ty: &Ty, depth: u32) -> Option<Ex> {
        let fits: Vec<usize> = (0..self.functions.len())
            .filter(|&at| self.functions[at].result.as_ref() == Some(ty) && self.callable(&self.functions[at]))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let function = self.functions[*self.rng.pick(&fits)].clone();
        Some(self.call(&function, depth - 1))
    }

    /// A call of `function` with arguments of the given depth.
    pub(crate) fn call(&mut self, function: &Function, depth: u32) -> Ex {
        self.note_call(function);
        let args: Vec<_> = function.params.iter().map(|ty| self.value(ty.read(), depth)).collect();
        Ex::atom(format!("{}({})", function.name, args.join(", ")))
    }

    /// A call of a visible function value with result `ty`.
    pub(super) fn indirect_call_for(&mut self, ty: &Ty, depth: u32) -> Option<Ex> {
        if !self.may_call_values() {
            return None;
        }
        let signatures = &self.types.signatures;
        let fits: Vec<usize> = (0..signatures.len()).filter(|&id| signatures[id].result.as_ref() == Some(ty)).collect();
        if fits.is_empty() {
            return None;
        }
        let id = *self.rng.pick(&fits);
        self.indirect_call(id, depth - 1)
    }

    /// A call of a visible function value of that signature.
    pub(crate) fn indirect_call(&mut self, id: usize, depth: u32) -> Option<Ex> {
        let callee = self.path(&Ty::Fn(id))?;
        self.note_indirect_call();
        let params = self.types.signatures[id].params.clone();
        let args: Vec<_> = params.iter().map(|ty| self.value(ty.read(), depth)).collect();
        Some(Ex::atom(format!("{}({})", callee.text, args.join(", "))))
    }
}
