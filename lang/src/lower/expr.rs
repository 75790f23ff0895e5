//! Expressions: each gives an [`Operand`], with the instructions before it in the current block.
//!
//! An operand that is a variable is not copied unless an expression evaluated after it may assign the
//! variable: only blocks inside expressions can.

use super::Lowering;
use crate::ast::Bound;
use crate::ir::{BinaryOp, Builtin, Elem, Inst, Local, Operand, RecordRef, Scalar, Terminator, TypeRef, UnaryOp};
use crate::source::Span;
use crate::tast::{Call, Callee, Comparison, Expr, ExprKind, Mutability, Sliceable};

impl Lowering<'_> {
    /// Evaluates an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Operand {
        match &expr.kind {
            ExprKind::Int(value) => Operand::Int(*value),
            ExprKind::Float(value) => Operand::Float(value.to_bits()),
            ExprKind::Bool(value) => Operand::Bool(*value),
            ExprKind::Str(id) => Operand::Str(*id),
            ExprKind::Func(func) => Operand::Func(*func),
            ExprKind::None => self.none_of(expr.ty).0,
            ExprKind::Var(var) if self.function.vars[*var].cell.is_none() => Operand::Local(self.var(*var)),
            ExprKind::Some(inner) => self.expr(inner),
            ExprKind::Call(call) => {
                let dst = self.temp_of(expr.ty);
                self.call(expr.span, call, Some(dst));
                Operand::Local(dst)
            }
            _ => {
                let dst = self.temp_of(expr.ty);
                self.expr_into(expr, dst);
                Operand::Local(dst)
            }
        }
    }

    /// The value `none` of an optional type, and the operator that tells others from it.
    pub(super) fn none_of(&self, ty: TypeRef) -> (Operand, BinaryOp) {
        match self.module.scalar(ty) {
            Scalar::Ref => (Operand::NoneRef, BinaryOp::RefNe),
            Scalar::Func => (Operand::NoneFunc, BinaryOp::FuncNe),
            Scalar::Int | Scalar::Float | Scalar::Bool => unreachable!("optional numbers and truth values are boxed"),
        }
    }

    /// Evaluates an expression into a local.
    pub(super) fn expr_into(&mut self, expr: &Expr, dst: Local) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::None
            | ExprKind::Func(_) => {
                let src = self.expr(expr);
                self.copy(span, dst, src);
            }
            ExprKind::Var(var) => self.read_var(span, *var, dst),
            ExprKind::Closure { func, captures, vars } => self.closure(span, expr.ty, *func, *captures, vars, dst),
            ExprKind::Once { global, value } => {
                self.push(span, Inst::GlobalGet { dst, global: *global });
                let (missing, done, there) = (self.new_block(), self.new_block(), self.temp(Scalar::Bool));
                let (lhs, rhs) = (Operand::Local(dst), Operand::NoneRef);
                self.push(span, Inst::Binary { op: BinaryOp::RefNe, dst: there, lhs, rhs });
                self.terminate(Terminator::Branch { cond: Operand::Local(there), then: done, otherwise: missing });
                self.builder.switch_to(missing);
                self.expr_into(value, dst);
                self.push(span, Inst::GlobalSet { global: *global, src: Operand::Local(dst) });
                self.fall_into(done);
            }
            ExprKind::ListIndex { list, record, elem, index } => {
                let (list, index) = self.pair(list, index);
                let array = self.list_data(span, *record, list, index);
                self.push(span, Inst::ElemGet { dst, elem: *elem, array, index });
            }
            ExprKind::Select(inner) => self.select_into(inner, Some(dst)),
            ExprKind::Some(inner) => self.expr_into(inner, dst),
            ExprKind::Global(global) => self.push(span, Inst::GlobalGet { dst, global: *global }),
            ExprKind::Unary { op, operand } => {
                let src = self.expr(operand);
                self.push(span, Inst::Unary { op: *op, dst, src });
            }
            ExprKind::Binary { op: BinaryOp::FuncEq, lhs, rhs } if self.module.closures => {
                self.same_closure(span, lhs, rhs, dst);
            }
            ExprKind::Binary { op: BinaryOp::FuncNe, lhs, rhs } if self.module.closures => {
                let same = self.temp(Scalar::Bool);
                self.same_closure(span, lhs, rhs, same);
                self.push(span, Inst::Unary { op: UnaryOp::BoolNot, dst, src: Operand::Local(same) });
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = self.pair(lhs, rhs);
                self.push(span, Inst::Binary { op: *op, dst, lhs, rhs });
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.short_circuit(expr, dst),
            ExprKind::StrCompare { op, lhs, rhs } => {
                let (lhs, rhs) = self.pair(lhs, rhs);
                self.str_compare(span, *op, lhs, rhs, dst);
            }
            ExprKind::Call(call) => self.call(span, call, Some(dst)),
            ExprKind::Construct { record, fields } => self.construct(span, *record, fields, dst),
            ExprKind::Index { base, elem, index } => {
                let (array, index) = self.pair(base, index);
                self.push(span, Inst::ElemGet { dst, elem: *elem, array, index });
            }
            ExprKind::Slice { base, of, start, end, bound } => {
                self.slice(span, (base, *of), start.as_deref(), end.as_deref(), *bound, dst);
            }
            ExprKind::Field { object, record, field } => {
                let object = self.expr(object);
                self.push(span, Inst::FieldGet { dst, object, record: *record, field: *field });
            }
            ExprKind::Unwrap(operand) => {
                let src = self.expr(operand);
                self.push(span, Inst::Unwrap { dst, src });
            }
            ExprKind::Len(object) => {
                let object = self.expr(object);
                self.push(span, Inst::Len { dst, object });
            }
            ExprKind::Array { elem, items } => {
                let items = self.operands(items);
                self.push(span, Inst::ArrayOf { dst, elem: *elem, items });
            }
            ExprKind::Repeat { elem, count, value } => self.repeat(span, *elem, count, value, dst),
            ExprKind::If(inner) => self.if_into(inner, Some(dst)),
            ExprKind::Match(inner) => self.match_into(span, inner, Some(dst)),
            ExprKind::Block(block) => self.block_into(block, Some(dst)),
        }
    }

    /// Evaluates two expressions in order.
    pub(super) fn pair(&mut self, first: &Expr, second: &Expr) -> (Operand, Operand) {
        let value = self.expr(first);
        let value = self.protect(first, value, std::slice::from_ref(second));
        (value, self.expr(second))
    }

    /// Evaluates expressions in order.
    pub(super) fn operands(&mut self, exprs: &[Expr]) -> Vec<Operand> {
        let mut operands = Vec::with_capacity(exprs.len());
        for (at, expr) in exprs.iter().enumerate() {
            let value = self.expr(expr);
            operands.push(self.protect(expr, value, &exprs[at + 1..]));
        }
        operands
    }

    /// Copies a variable's value where an expression evaluated later may change the variable.
    pub(super) fn protect(&mut self, expr: &Expr, value: Operand, later: &[Expr]) -> Operand {
        let mut inner = expr;
        while let ExprKind::Some(of) = &inner.kind {
            inner = of;
        }
        let ExprKind::Var(var) = inner.kind else { return value };
        let is_fixed = self.function.vars[var].mutability == Mutability::Fixed;
        if is_fixed || !later.iter().any(may_assign) {
            return value;
        }
        let dst = self.temp_of(expr.ty);
        self.copy(expr.span, dst, value);
        Operand::Local(dst)
    }

    pub(super) fn call(&mut self, span: Span, call: &Call, dst: Option<Local>) {
        match &call.callee {
            Callee::Func(func) => {
                let args = self.operands(&call.args);
                self.push(span, Inst::Call { dst, func: *func, args });
            }
            Callee::Value { value, sig } => {
                let callee = self.expr(value);
                let callee = self.protect(value, callee, &call.args);
                let args = self.operands(&call.args);
                match self.module.closures {
                    true => self.call_closure(span, callee, *sig, args, dst),
                    false => self.push(span, Inst::CallIndirect { dst, callee, sig: *sig, args }),
                }
            }
            Callee::Builtin(builtin) => {
                let args = self.operands(&call.args);
                self.push(span, Inst::Builtin { dst, builtin: *builtin, args });
            }
        }
    }

    fn str_compare(&mut self, span: Span, op: Comparison, lhs: Operand, rhs: Operand, dst: Local) {
        let args = vec![lhs, rhs];
        let order = match op {
            Comparison::Eq => {
                return self.push(span, Inst::Builtin { dst: Some(dst), builtin: Builtin::StrEq, args });
            }
            Comparison::Ne => {
                let equal = self.temp(Scalar::Bool);
                self.push(span, Inst::Builtin { dst: Some(equal), builtin: Builtin::StrEq, args });
                return self.push(span, Inst::Unary { op: UnaryOp::BoolNot, dst, src: Operand::Local(equal) });
            }
            Comparison::Lt => BinaryOp::IntLt,
            Comparison::Le => BinaryOp::IntLe,
            Comparison::Gt => BinaryOp::IntGt,
            Comparison::Ge => BinaryOp::IntGe,
        };
        let sign = self.temp(Scalar::Int);
        self.push(span, Inst::Builtin { dst: Some(sign), builtin: Builtin::StrCmp, args });
        self.push(span, Inst::Binary { op: order, dst, lhs: Operand::Local(sign), rhs: Operand::Int(0) });
    }

    /// Evaluates in written order, stores in order of declaration.
    fn construct(&mut self, span: Span, record: RecordRef, written: &[(u32, Expr)], dst: Local) {
        let mut fields = vec![Operand::NoneRef; written.len()];
        for (at, (field, value)) in written.iter().enumerate() {
            let operand = self.expr(value);
            let later = &written[at + 1..];
            let may_change = later.iter().any(|(_, expr)| may_assign(expr));
            fields[*field as usize] = match may_change {
                true => self.protect(value, operand, &later.iter().map(|(_, expr)| expr.clone()).collect::<Vec<_>>()),
                false => operand,
            };
        }
        self.push(span, Inst::NewRecord { dst, record, fields });
    }

    fn slice(
        &mut self,
        span: Span,
        (base, of): (&Expr, Sliceable),
        start: Option<&Expr>,
        end: Option<&Expr>,
        bound: Bound,
        dst: Local,
    ) {
        let object = self.expr(base);
        let object = [start, end]
            .into_iter()
            .flatten()
            .fold(object, |object, later| self.protect(base, object, std::slice::from_ref(later)));
        let from = match start {
            Some(expr) => {
                let from = self.expr(expr);
                end.map_or(from, |later| self.protect(expr, from, std::slice::from_ref(later)))
            }
            None => Operand::Int(0),
        };
        let to = match (end, bound) {
            (None, _) => {
                let len = self.temp(Scalar::Int);
                self.push(span, Inst::Len { dst: len, object });
                Operand::Local(len)
            }
            (Some(expr), Bound::Exclusive) => self.expr(expr),
            (Some(expr), Bound::Inclusive) => self.after(span, expr),
        };
        let builtin = match of {
            Sliceable::Str => Builtin::StrSlice,
            Sliceable::Array => Builtin::ArraySlice,
        };
        self.push(span, Inst::Builtin { dst: Some(dst), builtin, args: vec![object, from, to] });
    }

    /// The integer after an inclusive bound. After the largest comes the smallest, which no slice reaches.
    fn after(&mut self, span: Span, expr: &Expr) -> Operand {
        let last = self.expr(expr);
        let dst = self.temp(Scalar::Int);
        self.push(span, Inst::Binary { op: BinaryOp::IntAdd, dst, lhs: last, rhs: Operand::Int(1) });
        Operand::Local(dst)
    }

    /// One allocation where the value needs no evaluation for each element; else a loop that fills an array of zeroes.
    fn repeat(&mut self, span: Span, elem: Elem, count: &Expr, value: &Expr, dst: Local) {
        if value.is_repeatable() {
            let (len, fill) = self.pair(count, value);
            return self.push(span, Inst::NewArray { dst, elem, len, fill });
        }
        let len = self.expr(count);
        let len = self.protect(count, len, std::slice::from_ref(value));
        let array = self.temp(Scalar::Ref);
        self.push(span, Inst::NewArray { dst: array, elem, len, fill: zero(elem) });
        let index = self.temp(Scalar::Int);
        self.copy(span, index, Operand::Int(0));
        let (header, body, done) = (self.new_block(), self.new_block(), self.new_block());
        self.fall_into(header);
        let more = self.temp(Scalar::Bool);
        let at = Operand::Local(index);
        self.push(span, Inst::Binary { op: BinaryOp::IntLt, dst: more, lhs: at, rhs: len });
        self.terminate(Terminator::Branch { cond: Operand::Local(more), then: body, otherwise: done });
        self.builder.switch_to(body);
        let src = self.expr(value);
        self.push(span, Inst::ElemSet { elem, array: Operand::Local(array), index: at, src });
        self.push(span, Inst::Binary { op: BinaryOp::IntAdd, dst: index, lhs: at, rhs: Operand::Int(1) });
        self.jump(header);
        self.builder.switch_to(done);
        self.copy(span, dst, Operand::Local(array));
    }
}

/// The element of all zero bits.
fn zero(elem: Elem) -> Operand {
    match elem {
        Elem::Int | Elem::Byte | Elem::Char => Operand::Int(0),
        Elem::Float => Operand::Float(0),
        Elem::Bool => Operand::Bool(false),
        Elem::Ref => Operand::NoneRef,
        Elem::Func => Operand::NoneFunc,
    }
}

/// Returns true if evaluating an expression may assign a variable, that is, if a block stands in it.
pub(super) fn may_assign(expr: &Expr) -> bool {
    if matches!(expr.kind, ExprKind::If(_) | ExprKind::Match(_) | ExprKind::Select(_) | ExprKind::Block(_)) {
        return true;
    }
    let mut found = false;
    expr.for_each_operand(&mut |operand| found = found || may_assign(operand));
    found
}
