//! Tests of a loop's state, where it is not known: on the way into the loops of its values, and behind what may have changed it.
//!
//! In: what is tested. Out: the instructions of that test.
//!
//! ```text
//!   present? -> in range? -> v1? -> v2? -> ... -> the loop as it was       into the loops
//!   present? -> in range? -> v?  -> the loop as it was                     behind a disturbance, in the loop of v
//! ```
//!
//! The loop may be entered by executions that never read the place, so whether it is there is tested too: the object, and of an array its
//! length. What a local refers to is the same in the whole loop, so within it that is known; a global may refer to another object.
//! Invariant: no test fails or writes anything.

use crate::trace::state::{Holder, State};
use cranelift_entity::PrimaryMap;
use holloway_lang::ir::{BinaryOp, Block, Inst, Local, LocalDecl, Operand, Scalar};

/// A test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Check {
    /// There is an object.
    Present,
    /// The array has such an element.
    InRange,
    /// The state has the value of that position.
    Equal(u32),
}

/// The way that is sought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Aim {
    /// Into the loop of any value.
    Enter,
    /// On in the loop of one, at a block.
    Stay(u32, Block),
}

/// Instructions of a test, with the locals that they need.
pub(super) struct Code<'a> {
    pub(super) locals: &'a mut PrimaryMap<Local, LocalDecl>,
    pub(super) insts: Vec<Inst>,
}

impl Code<'_> {
    /// The local that tells how a test went.
    pub(super) fn test(&mut self, check: Check, state: State, values: &[i64]) -> Local {
        match check {
            Check::Present => {
                let object = self.object(state);
                self.binary(BinaryOp::RefNe, object, Operand::NoneRef)
            }
            Check::InRange => {
                let State::Element { index, .. } = state else { unreachable!("only an array has elements") };
                let (dst, object) = (self.local(Scalar::Int), self.object(state));
                self.insts.push(Inst::Len { dst, object });
                let below = self.binary(BinaryOp::IntLt, index, Operand::Local(dst));
                if matches!(index, Operand::Int(_)) {
                    return below;
                }
                let above = self.binary(BinaryOp::IntGe, index, Operand::Int(0));
                self.binary(BinaryOp::BoolAnd, Operand::Local(above), Operand::Local(below))
            }
            Check::Equal(at) => {
                let state = self.load(state);
                self.binary(BinaryOp::IntEq, state, Operand::Int(values[at as usize]))
            }
        }
    }

    fn local(&mut self, scalar: Scalar) -> Local {
        self.locals.push(LocalDecl { scalar, name: None })
    }

    fn binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> Local {
        let dst = self.local(Scalar::Bool);
        self.insts.push(Inst::Binary { op, dst, lhs, rhs });
        dst
    }

    /// The object that the state is in.
    fn object(&mut self, state: State) -> Operand {
        match state.holder().expect("only what is in an object is tested to be there") {
            Holder::Local(local) => Operand::Local(local),
            Holder::Global(global) => {
                let dst = self.local(Scalar::Ref);
                self.insts.push(Inst::GlobalGet { dst, global });
                Operand::Local(dst)
            }
        }
    }

    /// The value of the state.
    fn load(&mut self, state: State) -> Operand {
        if let State::Local(local) = state {
            return Operand::Local(local);
        }
        let dst = self.local(Scalar::Int);
        let inst = match state {
            State::Local(_) => unreachable!("a local is not loaded"),
            State::Global(global) => Inst::GlobalGet { dst, global },
            State::Field { record, field, .. } => Inst::FieldGet { dst, object: self.object(state), record, field },
            State::Element { elem, index, .. } => Inst::ElemGet { dst, elem, array: self.object(state), index },
        };
        self.insts.push(inst);
        Operand::Local(dst)
    }
}
