//! `==` and `!=`: numbers and truth values by value, strings by bytes, arrays, structs and functions by identity, an
//! optional with `none`, a `T` or a `T?`. Invariant: operands stay in their order, whichever of them says the type.

use super::body::{Body, Want};
use super::error::CheckError;
use super::operator::is_none;
use super::report::Checked;
use super::stmt::is_open;
use crate::ast::{self, BinaryOp as Op};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Comparison, Expr, ExprKind};

impl Body<'_, '_> {
    pub(super) fn equality(
        &mut self,
        op: Op,
        op_span: Span,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        // `none == x` and `[] == x`: the right operand says the type.
        let (left, right) = if is_open(lhs) && !is_open(rhs) {
            let right = self.infer(rhs, Want::Any)?;
            (self.beside((op, op_span), lhs, right.ty)?, right)
        } else {
            match self.infer(lhs, Want::Any) {
                Ok(left) => {
                    let right = self.beside((op, op_span), rhs, left.ty)?;
                    (left, right)
                }
                Err(reported) => {
                    self.inspect(std::slice::from_ref(rhs));
                    return Err(reported);
                }
            }
        };
        let (a, b) = (left.ty, right.ty);
        if a == b || self.cx.env.content(b) == Some(a) || self.cx.env.content(a) == Some(b) {
            self.watch_operands(op, lhs, rhs, a, span);
        }
        let is_absent = |value: &Expr| matches!(value.kind, ExprKind::None);
        if (a == b || self.cx.env.content(a) == Some(b) || self.cx.env.content(b) == Some(a))
            && self.has_parts_to_compare(a)
            && !is_absent(&left)
            && !is_absent(&right)
        {
            let ty = if self.cx.env.content(b) == Some(a) { b } else { a };
            let (left, right) = (self.cx.env.lift(left, ty), self.cx.env.lift(right, ty));
            let equal = self.equal_values(left, right, span)?;
            return Ok(if op == Op::Eq { equal } else { self.not(equal) });
        }
        if a != b && self.cx.env.content(a) != Some(b) && self.cx.env.content(b) != Some(a) {
            return Err(self.bad_operands(op, op_span, (lhs, a), (rhs, b)));
        }
        let kind = self.equality_kind(op == Op::Eq, a, Box::new(left), Box::new(right));
        Ok(Expr { kind, ty: self.cx.env.basic.bool, span })
    }

    /// The operand beside one of type `other`.
    fn beside(&mut self, (op, op_span): (Op, Span), expr: &ast::Expr, other: TypeRef) -> Checked<Expr> {
        if is_none(expr) && self.cx.env.content(other).is_none() {
            let ty = self.type_name(other);
            let help = format!("a value of type `{ty}` is never `none`");
            let error = CheckError::BadOperands { op: op.symbol(), lhs: ty, rhs: "none".to_owned() };
            return Err(self.report(Diagnostic::error(error, op_span).with_help(help)));
        }
        self.infer(expr, Want::Like(other))
    }

    /// Returns true if values of the type, optional or not, are compared by their parts, or if their optionals are boxed.
    fn has_parts_to_compare(&self, ty: TypeRef) -> bool {
        use crate::ir::Shape;
        if let Some(content) = self.cx.env.content(ty) {
            return self.cx.env.box_of(content).is_some() || self.has_parts_to_compare(content);
        }
        matches!(self.cx.env.shape_of(ty), Some(Shape::Tuple | Shape::Enum(_) | Shape::Tag(_)))
    }

    fn equality_kind(&self, eq: bool, ty: TypeRef, lhs: Box<Expr>, rhs: Box<Expr>) -> ExprKind {
        let content = match self.cx.env.content(ty) {
            // Beside `none` all that matters is the reference.
            Some(content) if self.cx.env.box_of(content).is_some() => {
                let op = if eq { BinaryOp::RefEq } else { BinaryOp::RefNe };
                return ExprKind::Binary { op, lhs, rhs };
            }
            Some(content) => content,
            None => ty,
        };
        let (same, different) = match self.type_of(content) {
            Type::Int | Type::Byte => (BinaryOp::IntEq, BinaryOp::IntNe),
            Type::Float => (BinaryOp::FloatEq, BinaryOp::FloatNe),
            Type::Bool => (BinaryOp::BoolEq, BinaryOp::BoolNe),
            Type::Str => {
                let op = if eq { Comparison::Eq } else { Comparison::Ne };
                return ExprKind::StrCompare { op, lhs, rhs };
            }
            Type::Array(_) | Type::Record(_) => (BinaryOp::RefEq, BinaryOp::RefNe),
            Type::Func(_) | Type::Code(_) => (BinaryOp::FuncEq, BinaryOp::FuncNe),
            Type::Optional(_) => unreachable!("optionals are not nested"),
        };
        ExprKind::Binary { op: if eq { same } else { different }, lhs, rhs }
    }
}
