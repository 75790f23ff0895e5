//! Expressions of structs, optionals and function values.

use std::rc::Rc;

use super::Ex;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    /// `S(field: value, ...)`, the fields in any order.
    pub(crate) fn construct(&mut self, id: usize, depth: u32) -> Ex {
        let record = &self.types.structs[id];
        let (name, mut fields) = (record.name.clone(), record.fields.clone());
        if self.rng.chance(40) {
            self.rng.shuffle(&mut fields);
        }
        self.spend(fields.len() as u64);
        let below = depth.saturating_sub(1);
        let fields: Vec<_> = fields
            .iter()
            .map(|(field, ty)| {
                let value = self.value(ty.read(), below);
                format!("{field}: {value}")
            })
            .collect();
        Ex::atom(format!("{name}({})", fields.join(", ")))
    }

    /// An optional: `none`, or something of its type.
    pub(super) fn optional(&mut self, inner: &Rc<Ty>, depth: u32) -> Ex {
        if self.rng.chance(25) {
            return Ex::atom("none");
        }
        let ex = self.expr(inner, depth);
        self.clipped(inner, ex)
    }

    /// The name of a function of that type: there is one by the time a value is needed.
    pub(crate) fn function_name(&mut self, signature: usize) -> Ex {
        let wanted = &self.types.signatures[signature];
        let fits: Vec<&str> = self
            .functions
            .iter()
            .filter(|f| f.params == wanted.params && f.result == wanted.result && self.is_value(f))
            .map(|f| f.name.as_str())
            .collect();
        Ex::atom(*self.rng.pick(&fits))
    }

    /// Returns true if `function` may become a value: then it makes no indirect call, so that no cycle of calls arises.
    fn is_value(&self, function: &crate::r#gen::Function) -> bool {
        let effects = function.effects;
        !effects.indirect
            && function.cost <= crate::r#gen::VALUE_COST
            && (!effects.fails || self.values_fail)
            && (!effects.globals || self.cx.allowed.globals)
            && !self.scope.hides(&function.name)
    }
}
