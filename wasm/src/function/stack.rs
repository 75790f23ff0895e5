//! The operand stack, which exists during lowering alone.
//!
//! In: pushes and pops. Out: operands, most of which no instruction has moved. Invariants: an entry is a constant, a local of the program, or the slot of
//! its depth and scalar, which no other entry is; so that a function has few locals. Truth values stay as they are until something wants
//! an `i32`. Temporaries are slots above all entries that the operator began with.

use super::Lowering;
use super::slots::{MOST_READERS, kind};
use holloway_ir::{BinaryOp, Inst, Local, Operand, Scalar, UnaryOp};

impl Lowering<'_> {
    /// The slot of a depth and a scalar.
    pub(super) fn slot(&mut self, depth: usize, scalar: Scalar) -> Local {
        let slots = &mut self.stack.slots;
        slots.resize(slots.len().max(depth + 1), [None; 4]);
        *slots[depth][kind(scalar)].get_or_insert_with(|| self.builder.local(scalar, None))
    }

    /// A local for a value that does not outlast the operator.
    pub(super) fn temporary(&mut self, scalar: Scalar) -> Local {
        self.stack.temporary += 1;
        self.slot(self.stack.temporary - 1, scalar)
    }

    pub(super) fn push(&mut self, operand: Operand) {
        if self.is_local(operand) {
            if self.stack.readers.len() == MOST_READERS {
                self.save_locals();
            }
            self.stack.readers.push(self.stack.depth());
        }
        self.stack.entries.push(operand);
    }

    /// Pushes the result that the next instruction assigns.
    pub(super) fn push_slot(&mut self, scalar: Scalar) -> Local {
        let slot = self.slot(self.stack.depth(), scalar);
        self.push(Operand::Local(slot));
        slot
    }

    /// Pops an entry as it is.
    pub(super) fn pop_any(&mut self) -> Operand {
        let popped = self.stack.entries.pop().expect("the stack of a valid function is not empty");
        self.stack.forget_readers();
        popped
    }

    /// Pops an entry as a value of that scalar.
    pub(super) fn pop(&mut self, scalar: Scalar) -> Operand {
        let operand = self.pop_any();
        self.converted(operand, self.stack.depth(), scalar)
    }

    pub(super) fn pop_int(&mut self) -> Operand {
        self.pop(Scalar::Int)
    }

    /// Pops so many entries, which are of these scalars.
    pub(super) fn pop_all(&mut self, scalars: impl DoubleEndedIterator<Item = Scalar>) -> Vec<Operand> {
        let mut popped: Vec<Operand> = scalars.rev().map(|scalar| self.pop(scalar)).collect();
        popped.reverse();
        popped
    }

    /// Returns whether the entry so far from the top is a truth value.
    pub(super) fn is_bool(&self, from_top: usize) -> bool {
        let entry = self.stack.entry(self.stack.depth() - 1 - from_top);
        self.builder.operand_scalar(entry) == Scalar::Bool
    }

    /// Converts what was the entry of a depth between integers and truth values.
    pub(super) fn converted(&mut self, operand: Operand, depth: usize, to: Scalar) -> Operand {
        match (operand, self.builder.operand_scalar(operand), to) {
            (Operand::Bool(value), _, Scalar::Int) => Operand::Int(value.into()),
            (Operand::Int(value), _, Scalar::Bool) => Operand::Bool(value != 0),
            (_, Scalar::Bool, Scalar::Int) => {
                let dst = self.slot(depth, Scalar::Int);
                self.builder.push(Inst::Unary { op: UnaryOp::BoolToInt, dst, src: operand });
                Operand::Local(dst)
            }
            (_, Scalar::Int, Scalar::Bool) => {
                let dst = self.slot(depth, Scalar::Bool);
                self.builder.push(Inst::Binary { op: BinaryOp::IntNe, dst, lhs: operand, rhs: Operand::Int(0) });
                Operand::Local(dst)
            }
            (_, from, to) => {
                assert_eq!(from, to, "the operands of a valid function have their types");
                operand
            }
        }
    }

    /// Returns whether it is a local of the program.
    fn is_local(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Local(local) if self.locals.contains(local))
    }

    /// Copies entries that are a local of the program, which is about to be assigned, into their slots.
    pub(super) fn save_readers(&mut self, local: Local) -> Vec<Inst> {
        let is_reader = |depth: &usize| self.stack.entries[*depth] == Operand::Local(local);
        let (readers, others): (Vec<usize>, Vec<usize>) = self.stack.readers.iter().copied().partition(is_reader);
        self.stack.readers = others;
        readers.into_iter().map(|depth| self.save(depth)).collect()
    }

    /// Copies all entries that are locals of the program into their slots: what follows may run any number of times.
    pub(super) fn save_locals(&mut self) {
        for depth in std::mem::take(&mut self.stack.readers) {
            let copy = self.save(depth);
            self.builder.push(copy);
        }
    }

    fn save(&mut self, depth: usize) -> Inst {
        let src = self.stack.entries[depth];
        let dst = self.slot(depth, self.builder.operand_scalar(src));
        self.stack.entries[depth] = Operand::Local(dst);
        Inst::Copy { dst, src }
    }

    /// Assigns to a local of the program what was just popped: by the instruction that made it, where it is the last one.
    pub(super) fn assign(&mut self, local: Local, src: Operand) {
        let copies = self.save_readers(local);
        let is_made_last = match (src, self.builder.last_mut()) {
            (Operand::Local(slot), Some(last)) if !self.locals.contains(slot) => last.dst() == Some(slot),
            _ => false,
        };
        if is_made_last {
            copies.into_iter().for_each(|copy| self.builder.push_before_last(copy));
            let last = self.builder.last_mut().expect("it was there");
            *last.dst_mut().expect("it assigns the slot") = local;
        } else {
            copies.into_iter().for_each(|copy| self.builder.push(copy));
            self.builder.push(Inst::Copy { dst: local, src });
        }
    }
}
