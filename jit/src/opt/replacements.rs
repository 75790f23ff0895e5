//! Values that others take the place of.
//!
//! In: pairs of a value and another one. Out: the function with every use replaced; chains of replacements are followed.
//! Invariant: nothing replaces itself, by whatever chain.

use super::ssa::{Func, Value};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

/// The value that replaces each of some values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replacements {
    next: SecondaryMap<Value, PackedOption<Value>>,
    replaced: Vec<Value>,
}

impl Replacements {
    /// None, with room for the values of a function.
    pub(super) fn new(func: &Func) -> Replacements {
        let mut next = SecondaryMap::new();
        next.resize(func.values.len());
        Replacements { next, replaced: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// Replaces a value by another one, whatever replaced it before.
    pub(super) fn insert(&mut self, old: Value, new: Value) {
        if self.next[old].is_none() {
            self.replaced.push(old);
        }
        self.next[old] = new.into();
    }

    /// Returns whether a value is replaced.
    pub(super) fn contains(&self, value: Value) -> bool {
        self.next[value].is_some()
    }

    /// The value that stands for another one in the end: the value itself, if nothing replaces it.
    pub(super) fn resolve(&self, mut value: Value) -> Value {
        while let Some(next) = self.next[value].expand() {
            value = next;
        }
        value
    }

    /// Replaces the values everywhere.
    pub(super) fn apply(&self, func: &mut Func) {
        if self.is_empty() {
            return;
        }
        if let Some(record) = &mut func.record {
            record.replaced(&self.replaced, |value| self.resolve(value));
        }
        let resolve = |value: &mut Value| *value = self.resolve(*value);
        for data in func.blocks.values_mut() {
            for inst in &data.insts {
                func.insts[*inst].args.iter_mut().for_each(resolve);
            }
            data.term.operand_mut().into_iter().for_each(resolve);
            for target in data.term.targets_mut() {
                target.args.iter_mut().for_each(resolve);
            }
        }
    }
}

impl Extend<(Value, Value)> for Replacements {
    fn extend<T: IntoIterator<Item = (Value, Value)>>(&mut self, pairs: T) {
        pairs.into_iter().for_each(|(old, new)| self.insert(old, new));
    }
}
