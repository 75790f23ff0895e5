//! Arithmetic, bit, logical and ordering operators. Invariant: both operands of a chosen operation have exactly the
//! type that it asks for; nothing is converted silently.

use super::body::{Body, Want};
use super::environment::Collection;
use super::error::CheckError;
use super::report::Checked;
use super::suggest::is_character;
use crate::ast::{self, BinaryOp as Op, ExprKind as Ast, UnaryOp as Un};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Builtin, Type, TypeRef, UnaryOp};
use crate::source::Span;
use crate::tast::{Call, Callee, Comparison, Expr, ExprKind};

impl Body<'_, '_> {
    pub(super) fn unary(&mut self, op: Un, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.infer(operand, Want::Any)?;
        let ty = value.ty;
        let op_of_type = match (op, self.type_of(ty)) {
            (Un::Neg, Type::Int) => UnaryOp::IntNeg,
            (Un::Neg, Type::Float) => UnaryOp::FloatNeg,
            (Un::Not, Type::Bool) => UnaryOp::BoolNot,
            (Un::BitNot, Type::Int) => UnaryOp::IntNot,
            (Un::Neg | Un::Not | Un::BitNot, found) => {
                let help = match (op, found) {
                    (Un::Not, Type::Int) => Some("`~` flips the bits; `x == 0` asks whether it is zero"),
                    (Un::Not, Type::Optional(_)) => Some("`x == none` asks whether it is absent"),
                    (Un::BitNot, Type::Bool) => Some("`!` is the logical complement"),
                    _ => None,
                };
                let error = CheckError::BadOperand { op: op.symbol(), operand: self.type_name(ty) };
                let mut error = Diagnostic::error(error, span);
                error.help = help.map(str::to_owned);
                return Err(self.report(error));
            }
        };
        // A negative number is a literal for `lower`, as it is for the reader.
        let kind = match (op_of_type, &value.kind) {
            (UnaryOp::IntNeg, ExprKind::Int(n)) => ExprKind::Int(n.wrapping_neg()),
            (UnaryOp::FloatNeg, ExprKind::Float(x)) => ExprKind::Float(-x),
            _ => ExprKind::Unary { op: op_of_type, operand: Box::new(value) },
        };
        Ok(Expr { kind, ty, span })
    }

    pub(super) fn binary(
        &mut self,
        op: Op,
        op_span: Span,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        if let Op::And | Op::Or = op {
            return self.logical(op, lhs, rhs, span);
        }
        if let Op::Eq | Op::Ne = op {
            return self.equality(op, op_span, lhs, rhs, span);
        }
        let left = self.infer(lhs, Want::Any);
        let want = match &left {
            Ok(left) if self.cx.env.record_of(left.ty).is_some() => Want::Like(left.ty),
            _ => Want::Any,
        };
        let right = self.infer(rhs, want);
        let (left, right) = (left?, right?);
        if left.ty != right.ty {
            return Err(self.bad_operands(op, op_span, (lhs, left.ty), (rhs, right.ty)));
        }
        let ty = left.ty;
        self.watch_operands(op, lhs, rhs, ty, span);
        if op.is_comparison() && self.cx.env.record_of(ty).is_some() {
            return match self.order_values(op, left, right, span) {
                Some(ordered) => ordered,
                None => Err(self.bad_operands(op, op_span, (lhs, ty), (rhs, ty))),
            };
        }
        if let (Op::Add, Some((Collection::List, types))) = (op, self.cx.env.collection_of(ty)) {
            let types = types.to_vec();
            let template = self.cx.provided("list_concat").expect("the prelude has it");
            return self.call_provided(template, types, vec![left, right], span);
        }
        // The prelude orders truth values, too: false comes first.
        if self.is_provided() && ty == self.cx.env.basic.bool && op.is_comparison() {
            let int = self.cx.env.basic.int;
            let number = |value: Expr| {
                let span = value.span;
                Box::new(Expr {
                    kind: ExprKind::Unary { op: UnaryOp::BoolToInt, operand: Box::new(value) },
                    ty: int,
                    span,
                })
            };
            let op = self.ordering(op, int).expect("ints have an order");
            let kind = ExprKind::Binary { op, lhs: number(left), rhs: number(right) };
            return Ok(Expr { kind, ty: self.cx.env.basic.bool, span });
        }
        if ty == self.cx.env.basic.str {
            return self.string_binary(op, op_span, left, right, span);
        }
        let arithmetic = self.arithmetic(op, ty).map(|op| (op, ty));
        match arithmetic.or_else(|| self.ordering(op, ty).map(|op| (op, self.cx.env.basic.bool))) {
            Some((op, ty)) => {
                Ok(Expr { kind: ExprKind::Binary { op, lhs: Box::new(left), rhs: Box::new(right) }, ty, span })
            }
            None => Err(self.bad_operands(op, op_span, (lhs, ty), (rhs, ty))),
        }
    }

    fn logical(&mut self, op: Op, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Checked<Expr> {
        let bool = self.cx.env.basic.bool;
        let (left, right) = (self.condition(lhs), self.condition(rhs));
        let (left, right) = (Box::new(left?), Box::new(right?));
        let kind = if op == Op::And { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
        Ok(Expr { kind, ty: bool, span })
    }

    /// A `bool` that decides something.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let bool = self.cx.env.basic.bool;
        let value = self.infer(expr, Want::Exactly(bool))?;
        if value.ty != bool && self.cx.env.content(value.ty).is_some() {
            let error = CheckError::Mismatch { expected: "bool".to_owned(), found: self.type_name(value.ty) };
            let help = format!("write `{} != none`, or bind it: `if let x = ...`", self.cx.operand_text(expr));
            return Err(self.report(Diagnostic::error(error, expr.span).with_help(help)));
        }
        self.coerce(value, bool, expr, None)
    }

    fn string_binary(&mut self, op: Op, op_span: Span, left: Expr, right: Expr, span: Span) -> Checked<Expr> {
        let (str, bool) = (self.cx.env.basic.str, self.cx.env.basic.bool);
        let comparison = match op {
            Op::Add => {
                let call = Call { callee: Callee::Builtin(Builtin::StrConcat), args: vec![left, right] };
                return Ok(Expr { kind: ExprKind::Call(call), ty: str, span });
            }
            Op::Lt => Comparison::Lt,
            Op::Le => Comparison::Le,
            Op::Gt => Comparison::Gt,
            Op::Ge => Comparison::Ge,
            Op::Or
            | Op::And
            | Op::Eq
            | Op::Ne
            | Op::BitOr
            | Op::BitXor
            | Op::BitAnd
            | Op::Shl
            | Op::Shr
            | Op::Ushr
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Rem => {
                let error = CheckError::BadOperand { op: op.symbol(), operand: "str".to_owned() };
                return Err(self.error(error, op_span));
            }
        };
        let kind = ExprKind::StrCompare { op: comparison, lhs: Box::new(left), rhs: Box::new(right) };
        Ok(Expr { kind, ty: bool, span })
    }

    /// The operation that `op` stands for on two operands of type `ty`, with a result of that type.
    pub(super) fn arithmetic(&self, op: Op, ty: TypeRef) -> Option<BinaryOp> {
        Some(match (self.type_of(ty), op) {
            (Type::Int, Op::Add) => BinaryOp::IntAdd,
            (Type::Int, Op::Sub) => BinaryOp::IntSub,
            (Type::Int, Op::Mul) => BinaryOp::IntMul,
            (Type::Int, Op::Div) => BinaryOp::IntDiv,
            (Type::Int, Op::Rem) => BinaryOp::IntRem,
            (Type::Int, Op::BitAnd) => BinaryOp::IntAnd,
            (Type::Int, Op::BitOr) => BinaryOp::IntOr,
            (Type::Int, Op::BitXor) => BinaryOp::IntXor,
            (Type::Int, Op::Shl) => BinaryOp::IntShl,
            (Type::Int, Op::Shr) => BinaryOp::IntShr,
            (Type::Int, Op::Ushr) => BinaryOp::IntUshr,
            (Type::Float, Op::Add) => BinaryOp::FloatAdd,
            (Type::Float, Op::Sub) => BinaryOp::FloatSub,
            (Type::Float, Op::Mul) => BinaryOp::FloatMul,
            (Type::Float, Op::Div) => BinaryOp::FloatDiv,
            (Type::Float, Op::Rem) => BinaryOp::FloatRem,
            (Type::Bool, Op::BitAnd) => BinaryOp::BoolAnd,
            (Type::Bool, Op::BitOr) => BinaryOp::BoolOr,
            (Type::Bool, Op::BitXor) => BinaryOp::BoolXor,
            _ => return None,
        })
    }

    /// The ordering that `op` stands for on two numbers of type `ty`.
    fn ordering(&self, op: Op, ty: TypeRef) -> Option<BinaryOp> {
        Some(match (self.type_of(ty), op) {
            (Type::Int, Op::Lt) => BinaryOp::IntLt,
            (Type::Int, Op::Le) => BinaryOp::IntLe,
            (Type::Int, Op::Gt) => BinaryOp::IntGt,
            (Type::Int, Op::Ge) => BinaryOp::IntGe,
            (Type::Float, Op::Lt) => BinaryOp::FloatLt,
            (Type::Float, Op::Le) => BinaryOp::FloatLe,
            (Type::Float, Op::Gt) => BinaryOp::FloatGt,
            (Type::Float, Op::Ge) => BinaryOp::FloatGe,
            _ => return None,
        })
    }

    /// Reports operands that do not go with `op` or with each other.
    pub(super) fn bad_operands(
        &mut self,
        op: Op,
        op_span: Span,
        (lhs, left): (&ast::Expr, TypeRef),
        (rhs, right): (&ast::Expr, TypeRef),
    ) -> super::report::Reported {
        let (left_name, right_name) = (self.type_name(left), self.type_name(right));
        let labels = [(lhs.span, format!("this is `{left_name}`")), (rhs.span, format!("this is `{right_name}`"))];
        let error = if left == right {
            CheckError::BadOperand { op: op.symbol(), operand: left_name }
        } else {
            CheckError::BadOperands { op: op.symbol(), lhs: left_name, rhs: right_name }
        };
        let mut error = Diagnostic::error(error, op_span);
        error.labels.extend(labels);
        error.help = self.operand_help(op, (lhs, left), (rhs, right));
        self.report(error)
    }

    fn operand_help(
        &self,
        op: Op,
        (lhs, left): (&ast::Expr, TypeRef),
        (rhs, right): (&ast::Expr, TypeRef),
    ) -> Option<String> {
        let convert = |expr, to, from| self.cx.conversion(expr, to, from);
        match (self.type_of(left), self.type_of(right)) {
            (Type::Float, Type::Int) => convert(rhs, left, right),
            (Type::Int, Type::Float) => convert(lhs, right, left),
            (Type::Str, Type::Int | Type::Float | Type::Bool) if op == Op::Add => convert(rhs, left, right),
            (Type::Int | Type::Float | Type::Bool, Type::Str) if op == Op::Add => convert(lhs, right, left),
            (Type::Optional(of), _) if *of == right => convert(lhs, right, left),
            (_, Type::Optional(of)) if *of == left => convert(rhs, left, right),
            (Type::Array(_), Type::Array(_)) if op == Op::Add => {
                Some("make an array of both lengths, then `copy` them into it".to_owned())
            }
            (Type::Int, Type::Str) if op.is_comparison() && is_character(lhs) => convert(lhs, right, left),
            (Type::Str, Type::Int) if op.is_comparison() && is_character(rhs) => convert(rhs, left, right),
            (Type::Str, Type::Int) if op == Op::Mul => Some(self.repeat_help(lhs, rhs)),
            (Type::Int, Type::Str) if op == Op::Mul => Some(self.repeat_help(rhs, lhs)),
            (Type::Int, Type::Str) if op.is_comparison() => {
                self.cx.byte_help(rhs).or_else(|| self.cx.piece_help(lhs, rhs)).or_else(|| convert(rhs, left, right))
            }
            (Type::Str, Type::Int) if op.is_comparison() => {
                self.cx.byte_help(lhs).or_else(|| self.cx.piece_help(rhs, lhs)).or_else(|| convert(lhs, right, left))
            }
            (Type::Bool, Type::Bool) if op == Op::Add => Some("`int(b)` gives 0 or 1".to_owned()),
            _ => None,
        }
    }

    fn repeat_help(&self, text: &ast::Expr, times: &ast::Expr) -> String {
        format!("write `repeat({}, {})`", self.cx.short_text(text), self.cx.short_text(times))
    }
}

/// Returns true if an expression is `none`, whose type the other operand says.
pub(super) fn is_none(expr: &ast::Expr) -> bool {
    matches!(expr.unparenthesized().kind, Ast::None)
}
