//! One IR instruction to SSA: accesses are split into the length, the check and the access.

use super::{Builder, Frame};
use crate::opt::ssa::{Block, Mem, Op, Value};
use holloway_lang::ir::{BinaryOp, Elem, Inst, Operand, Scalar};

impl Builder<'_> {
    /// Translates an instruction at the end of `at`; gives the block that the next one goes to.
    pub(super) fn inst(&mut self, frame: &Frame<'_>, at: Block, inst: &Inst, site: u32) -> Block {
        if let Inst::Call { dst, func, args } = inst {
            return self.with_call_steps(frame, at, Some(*func), |to| to.call(frame, at, (*dst, *func, args), site));
        }
        if let Inst::CallIndirect { dst, callee, sig, args } = inst {
            let call = |to: &mut Self| to.call_indirect(frame, at, (*dst, *sig), (*callee, args), site);
            let known = self.known_callee(frame, at, *callee);
            return self.with_call_steps(frame, at, known, call);
        }
        let value = match inst {
            Inst::Copy { src, .. } => Some(self.operand(frame, at, *src)),
            Inst::Binary { op, lhs, rhs, .. } => Some(self.binary(frame, at, *op, *lhs, *rhs, site)),
            Inst::Unwrap { src, .. } => {
                let value = self.operand(frame, at, *src);
                self.func.push(at, Op::CheckSome, [value], None, site);
                Some(value)
            }
            Inst::ElemGet { elem, array, index, .. } => {
                let mut place = self.element(frame, at, *array, *index, site);
                if *elem == Elem::Char {
                    let base = self.func.push(at, Op::Load(Mem::Base), [place[0]], Some(Scalar::Ref), site);
                    place[0] = base.expect("a load has a result");
                }
                let read = self.func.push(at, Op::Load(Mem::Elem(*elem)), place, Some(elem.scalar()), site);
                self.note_range(read, self.range_of_elements(frame, *array).filter(|_| *elem == Elem::Int));
                read
            }
            Inst::ElemSet { elem, array, index, src } => {
                let mut args = self.element(frame, at, *array, *index, site);
                let value = self.operand(frame, at, *src);
                args.push(self.stored(at, *elem, value, site));
                self.func.push(at, Op::Store(Mem::Elem(*elem)), args, None, site)
            }
            Inst::FieldSet { object: of, record, field, src } => {
                let object = self.operand(frame, at, *of);
                let value = self.operand(frame, at, *src);
                let value = self.stored(at, self.module.field_elem(*record, *field), value, site);
                self.note_allocations(frame, *of, object);
                self.func.push(at, Op::Store(Mem::Field(*record, *field)), [object, value], None, site)
            }
            Inst::NewRecord { record, fields, .. } => {
                let args: Vec<Value> = fields
                    .iter()
                    .enumerate()
                    .map(|(field, src)| {
                        let value = self.operand(frame, at, *src);
                        self.stored(at, self.module.field_elem(*record, field as u32), value, site)
                    })
                    .collect();
                self.func.push(at, Op::NewRecord(*record), args, Some(Scalar::Ref), site)
            }
            Inst::Len { object, .. } => {
                let value = self.operand(frame, at, *object);
                Some(self.length(frame, at, (*object, value), site))
            }
            _ => self.plain(frame, at, inst, site),
        };
        if let Some(dst) = inst.dst() {
            let value = value.expect("an instruction with a destination has a value");
            self.func.blocks[at].term_site = site;
            self.assign(frame, at, dst, value);
            self.note_assignment(frame, at, dst, value, site);
        }
        at
    }

    /// An instruction that becomes one of SSA, operand by operand.
    fn plain(&mut self, frame: &Frame<'_>, at: Block, inst: &Inst, site: u32) -> Option<Value> {
        let mut operands = Vec::new();
        inst.operands(|operand| operands.push(operand));
        let args: Vec<Value> = operands.into_iter().map(|operand| self.operand(frame, at, operand)).collect();
        let result = inst.dst().map(|dst| frame.body.scalar(dst));
        let mut range = None;
        let op = match inst {
            Inst::Unary { op, .. } => Op::Unary(*op),
            Inst::Select { .. } => Op::Select,
            Inst::Load { access, offset, .. } => Op::LinearLoad(*access, *offset),
            Inst::Store { access, offset, .. } => Op::LinearStore(*access, *offset),
            Inst::GlobalGet { global, .. } => {
                range = self.arrays.and_then(|arrays| arrays.global(*global));
                Op::Load(Mem::Global(*global))
            }
            Inst::GlobalSet { global, .. } => Op::Store(Mem::Global(*global)),
            Inst::Builtin { builtin, .. } => {
                return self.func.push(at, Op::Builtin(*builtin), args, builtin.result(), site);
            }
            Inst::FieldGet { object, record, field, .. } => {
                self.note_allocations(frame, *object, args[0]);
                range = self.arrays.and_then(|arrays| arrays.field(*record, *field));
                Op::Load(Mem::Field(*record, *field))
            }
            Inst::NewArray { elem, .. } => Op::NewArray(*elem),
            Inst::ArrayOf { elem, .. } => Op::ArrayOf(*elem),
            Inst::CatchMessage { .. } => Op::CatchMessage,
            Inst::Copy { .. }
            | Inst::Binary { .. }
            | Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::NewRecord { .. }
            | Inst::FieldSet { .. }
            | Inst::ElemGet { .. }
            | Inst::ElemSet { .. }
            | Inst::Len { .. }
            | Inst::Unwrap { .. } => {
                unreachable!("{inst} is not plain")
            }
        };
        let value = self.func.push(at, op, args, result, site);
        self.note_range(value, range);
        value
    }

    fn binary(&mut self, frame: &Frame<'_>, at: Block, op: BinaryOp, lhs: Operand, rhs: Operand, site: u32) -> Value {
        let (x, y) = (self.operand(frame, at, lhs), self.operand(frame, at, rhs));
        let result = op.result();
        if op.can_fail() && !matches!(self.func.as_int(y), Some(divisor) if divisor != 0) {
            self.func.push(at, Op::CheckZero, [y], None, site);
        }
        let (op, args) = match (op, self.func.as_int(y)) {
            (BinaryOp::UintLt, _) => (Op::Below, [x, y]),
            (BinaryOp::WordRotl, Some(by)) if by & 31 != 0 => (Op::RotateWord, [x, self.func.int(by & 31)]),
            _ => (Op::Binary(op), [x, y]),
        };
        let value = self.func.push(at, op, args, Some(result), site);
        value.expect("an operator has a result")
    }

    /// The operands of an element's place, after the check of the index.
    fn element(&mut self, frame: &Frame<'_>, at: Block, array: Operand, index: Operand, site: u32) -> Vec<Value> {
        let (object, index) = (self.operand(frame, at, array), self.operand(frame, at, index));
        let len = self.length(frame, at, (array, object), site);
        self.note_allocations(frame, array, object);
        self.func.push(at, Op::CheckIndex, [index, len], None, site);
        vec![object, index]
    }

    /// Returns the value to store for another one: a byte is its low 8 bits, explicitly, so that a load can be replaced by it.
    fn stored(&mut self, at: Block, elem: Elem, value: Value, site: u32) -> Value {
        if elem != Elem::Byte {
            return value;
        }
        if let Some(constant) = self.func.as_int(value) {
            return self.func.int(constant & 0xff);
        }
        let mask = self.func.int(0xff);
        let masked = self.func.push(at, Op::Binary(BinaryOp::IntAnd), [value, mask], Some(Scalar::Int), site);
        masked.expect("an operator has a result")
    }
}
