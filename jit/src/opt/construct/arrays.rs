//! Arrays that something is known of wherever they are: their length, which values are tables, the ranges of what is read, and where they are allocated.
//!
//! In: [`crate::arrays`] of the program. Out: lengths that are constants, the values of which the function notes that they are tables, or of which
//! allocation sites, and the ranges that it notes of elements, fields, globals and results.
//! Invariant: a value that gets to a local is what the local's fact says at any time, as that is true of all that ever gets there.

use super::{Builder, Frame};
use crate::arrays::{BodyFacts, Fact};
use crate::opt::ssa::{Block, Mem, Op, Value};
use holloway_lang::ir::{Elem, FuncRef, Inst, Local, Operand, Scalar};

impl Builder<'_> {
    /// A value gets to a local.
    pub(super) fn assign(&mut self, frame: &Frame<'_>, at: Block, local: Local, value: Value) {
        self.write(at, frame.variable(local), value);
        if frame.body.scalar(local) == Scalar::Ref
            && let Some(table) = self.fact(frame, Operand::Local(local)).and_then(|fact| fact.table)
        {
            self.func.tables.insert(value, table);
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
        let Some(Fact { length, table }) = self.fact(frame, array) else {
            let len = self.func.push(at, Op::Load(Mem::Len), [value], Some(Scalar::Int), site);
            return len.expect("a load has a result");
        };
        if let Some(table) = table {
            self.func.tables.insert(value, table);
        }
        self.func.int(length)
    }

    /// Notes the range of what a call of a function gives.
    pub(super) fn note_result(&mut self, func: FuncRef, result: Option<Value>) {
        let range = self.arrays.and_then(|arrays| arrays.result(func));
        self.func.ranges.extend(result.zip(range));
    }

    /// Notes the range of what an instruction reads.
    pub(super) fn note_range(&mut self, frame: &Frame<'_>, inst: &Inst, read: Option<Value>) {
        let (Some(arrays), Some(read)) = (self.arrays, read) else { return };
        let range = match inst {
            Inst::ElemGet { elem: Elem::Int, array: Operand::Local(array), .. } => {
                BodyFacts::new(arrays, frame.func, frame.expanded.as_deref()).elements(*array)
            }
            Inst::FieldGet { record, field, .. } => arrays.field(*record, *field),
            Inst::GlobalGet { global, .. } => arrays.global(*global),
            Inst::ElemGet { .. }
            | Inst::Call { .. }
            | Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::GlobalSet { .. }
            | Inst::CallIndirect { .. }
            | Inst::Builtin { .. }
            | Inst::NewRecord { .. }
            | Inst::FieldSet { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemSet { .. }
            | Inst::Len { .. }
            | Inst::Unwrap { .. }
            | Inst::CatchMessage { .. } => None,
        };
        if let Some(range) = range.filter(|_| self.func.values[read].scalar == Scalar::Int) {
            self.func.ranges.insert(read, range);
        }
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
