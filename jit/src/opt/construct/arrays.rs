//! Arrays that something is known of wherever they are: their length, which values are tables, the ranges of what is
//! read, and where they are allocated.
//!
//! In: [`crate::arrays`] of the program. Out: lengths that are constants, the facts that the function notes of arrays,
//! their allocation sites, and the ranges that it notes of elements, fields, globals and results.
//! Invariant: a value that gets to a local is what the local's fact says at any time, as that is true of all that ever gets there.

use super::{Builder, Frame};
use crate::arrays::{BodyFacts, Fact};
use crate::opt::ssa::{Block, Mem, Op, Value};
use crate::range::Range;
use holloway_lang::ir::{Local, Operand, Scalar};

impl Builder<'_> {
    /// A value gets to a local.
    pub(super) fn assign(&mut self, frame: &Frame<'_>, at: Block, local: Local, value: Value) {
        self.write(at, frame.variable(local), value);
        if frame.body.scalar(local) == Scalar::Ref
            && let Some(fact) = self.fact(frame, Operand::Local(local)).filter(|fact| fact.table.is_some())
        {
            self.func.arrays.insert(value, fact);
        }
    }

    /// The length of an array: an operand, and its value.
    pub(super) fn length(
        &mut self,
        frame: &Frame<'_>,
        at: Block,
        (array, value): (Operand, Value),
        site: u32,
    ) -> Value {
        let Some(fact) = self.fact(frame, array) else {
            let len = self.func.push(at, Op::Load(Mem::Len), [value], Some(Scalar::Int), site);
            return len.expect("a load has a result");
        };
        let length = self.func.int(fact.length);
        self.func.arrays.insert(value, fact);
        length
    }

    /// Notes the range of a value, if it is known and one of an integer.
    pub(super) fn note_range(&mut self, value: Option<Value>, range: Option<Range>) {
        let is_int = |value: &Value| self.func.values[*value].scalar == Scalar::Int;
        if let Some(noted) = value.filter(is_int).zip(range) {
            self.func.ranges.extend([noted]);
        }
    }

    /// The range of what is in an array.
    pub(super) fn range_of_elements(&self, frame: &Frame<'_>, array: Operand) -> Option<Range> {
        let Operand::Local(local) = array else { return None };
        BodyFacts::new(self.arrays?, frame.func, frame.expanded.as_deref()).elements(local)
    }

    /// Notes where the object of an access is allocated, if that is known.
    pub(super) fn note_allocations(&mut self, frame: &Frame<'_>, object: Operand, value: Value) {
        let (Operand::Local(local), Some(arrays)) = (object, self.arrays) else { return };
        let facts = BodyFacts::new(arrays, frame.func, frame.expanded.as_deref());
        if !self.func.allocations.contains_key(&value)
            && let Some(sites) = facts.allocation_sites(local)
        {
            self.func.allocations.insert(value, sites.clone());
        }
    }

    fn fact(&self, frame: &Frame<'_>, array: Operand) -> Option<Fact> {
        let Operand::Local(local) = array else { return None };
        BodyFacts::new(self.arrays?, frame.func, frame.expanded.as_deref()).of(local).cloned()
    }
}
