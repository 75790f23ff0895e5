//! Closures: what they capture in a record, and the record that is their value; variables that they share.

use super::Lowering;
use crate::ir::field::{boxed, closure};
use crate::ir::{BinaryOp, FuncRef, Inst, Local, Operand, RecordRef, Scalar, SigRef, Terminator, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Expr, VarId};

impl Lowering<'_> {
    /// The value of a variable.
    pub(super) fn read_var(&mut self, span: Span, var: VarId, dst: Local) {
        let src = Operand::Local(self.var(var));
        match self.function.vars[var].cell {
            None => self.copy(span, dst, src),
            Some(record) => self.push(span, Inst::FieldGet { dst, object: src, record, field: boxed::CONTENT }),
        }
    }

    /// The value of a closure of the type `ty`.
    pub(super) fn closure(
        &mut self,
        span: Span,
        ty: TypeRef,
        func: FuncRef,
        captures: Option<RecordRef>,
        vars: &[VarId],
        dst: Local,
    ) {
        let Type::Func(sig) = self.module.types[ty] else { unreachable!("a closure has the type of a function") };
        let (record, _) = self.module.intern_closure(sig);
        let captured = match captures {
            None => Operand::NoneRef,
            Some(record) => {
                // A variable that is shared is its cell.
                let fields = vars.iter().map(|&var| Operand::Local(self.var(var))).collect();
                let object = self.temp(Scalar::Ref);
                self.push(span, Inst::NewRecord { dst: object, record, fields });
                Operand::Local(object)
            }
        };
        self.push(span, Inst::NewRecord { dst, record, fields: vec![Operand::Func(func), captured] });
    }

    pub(super) fn call_closure(
        &mut self,
        span: Span,
        callee: Operand,
        sig: SigRef,
        args: Vec<Operand>,
        dst: Option<Local>,
    ) {
        let (record, code_sig) = self.module.intern_closure(sig);
        let (code, captured) = self.parts(span, record, callee);
        let args = std::iter::once(captured).chain(args).collect();
        self.push(span, Inst::CallIndirect { dst, callee: code, sig: code_sig, args });
    }

    /// The code of a closure, and what it has captured.
    fn parts(&mut self, span: Span, record: RecordRef, closure: Operand) -> (Operand, Operand) {
        let (code, captured) = (self.temp(Scalar::Func), self.temp(Scalar::Ref));
        self.push(span, Inst::FieldGet { dst: code, object: closure, record, field: closure::CODE });
        self.push(span, Inst::FieldGet { dst: captured, object: closure, record, field: closure::CAPTURES });
        (Operand::Local(code), Operand::Local(captured))
    }

    /// Identity of two closures, optional or not: the same code with the same captured variables.
    pub(super) fn same_closure(&mut self, span: Span, lhs: &Expr, rhs: &Expr, dst: Local) {
        let ty = match self.module.types[lhs.ty] {
            Type::Optional(of) => of,
            _ => lhs.ty,
        };
        let Type::Func(sig) = self.module.types[ty] else { unreachable!("functions are compared") };
        let (record, _) = self.module.intern_closure(sig);
        let (lhs, rhs) = self.pair(lhs, rhs);
        let done = self.new_block();
        self.push(span, Inst::Binary { op: BinaryOp::RefEq, dst, lhs, rhs });
        self.unless(Operand::Local(dst), true, done);
        // One that is `none` is the same as no other.
        for side in [lhs, rhs] {
            let some = self.temp(Scalar::Bool);
            self.push(span, Inst::Binary { op: BinaryOp::RefNe, dst: some, lhs: side, rhs: Operand::NoneRef });
            self.unless(Operand::Local(some), false, done);
        }
        let (code, captured) = self.parts(span, record, lhs);
        let (other_code, other_captured) = self.parts(span, record, rhs);
        self.push(span, Inst::Binary { op: BinaryOp::FuncEq, dst, lhs: code, rhs: other_code });
        self.unless(Operand::Local(dst), false, done);
        self.push(span, Inst::Binary { op: BinaryOp::RefEq, dst, lhs: captured, rhs: other_captured });
        self.fall_into(done);
    }

    /// Goes to `done` if `cond` is `value`, else falls through.
    fn unless(&mut self, cond: Operand, value: bool, done: crate::ir::Block) {
        let next = self.new_block();
        let (then, otherwise) = if value { (done, next) } else { (next, done) };
        self.terminate(Terminator::Branch { cond, then, otherwise });
        self.builder.switch_to(next);
    }
}
