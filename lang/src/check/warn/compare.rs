//! Comparisons and conditions whose outcome is known.
//!
//! In: operands and conditions as they are checked. Out: warnings. Invariant: a float may differ from itself, so a
//! thing that holds one is never reported as compared with itself.

use super::super::body::Body;
use super::super::environment::{Collection, Environment};
use super::super::fold::fold;
use super::Warning;
use crate::ast::{self, BinaryOp as Op, ExprKind as Ast};
use crate::diagnostic::Diagnostic;
use crate::ir::{Shape, Type, TypeRef, UnaryOp};
use crate::source::Span;
use crate::tast::{Expr, ExprKind};

use super::super::environment::ConstValue;

impl Body<'_, '_> {
    /// Looks at the operands of an operator, which have the type `ty`.
    pub(in crate::check) fn watch_operands(
        &mut self,
        op: Op,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        ty: TypeRef,
        span: Span,
    ) {
        if !self.cx.warns() || !op.is_comparison() {
            return;
        }
        if let (Op::Eq | Op::Ne, Some(what)) = (op, self.by_identity(ty))
            && let Some((new, other)) = [(lhs, rhs), (rhs, lhs)].into_iter().find(|(new, _)| is_new(new))
        {
            let warning = Warning::IdentityOfNew { what: what.to_owned(), value: op == Op::Ne };
            let not = if op == Op::Ne { "!" } else { "" };
            let help = match is_empty(new) {
                true => format!("`len({}) {} 0` asks for its length", self.cx.short_text(other), op.symbol()),
                false => {
                    let (lhs, rhs) = (self.cx.short_text(lhs), self.cx.short_text(rhs));
                    format!("`{not}equal({lhs}, {rhs})` compares what they hold")
                }
            };
            return self.cx.warn(Diagnostic::warning(warning, span).with_help(help));
        }
        if names_something(lhs) && same(lhs, rhs) {
            let warning = Warning::SameOperands { text: self.cx.short_text(lhs).to_owned(), op: op.symbol() };
            match self.holds_float(ty) {
                true => self.cx.clear(&warning, span),
                false => self.cx.warn(Diagnostic::warning(warning, span)),
            }
        }
    }

    /// Looks at a condition.
    pub(in crate::check) fn watch_condition(&mut self, expr: &ast::Expr, value: &Expr) {
        if self.cx.warns()
            && let Some(outcome) = settled(self.cx.env, value)
        {
            self.cx.warn(Diagnostic::warning(Warning::SettledCondition(outcome), expr.span));
        }
    }

    /// The kind of value of which `==` compares the identity.
    fn by_identity(&self, ty: TypeRef) -> Option<&'static str> {
        let ty = self.cx.env.content(ty).unwrap_or(ty);
        if let Type::Array(_) = self.type_of(ty) {
            return Some("an array");
        }
        match self.cx.env.collection_of(ty) {
            Some((Collection::List, _)) => return Some("a list"),
            Some((Collection::Dict, _)) => return Some("a dict"),
            Some((Collection::Set, _)) => return Some("a set"),
            Some((Collection::Tuple, _)) | None => {}
        }
        matches!(self.cx.env.shape_of(ty), Some(Shape::Struct)).then_some("a struct")
    }

    fn holds_float(&self, ty: TypeRef) -> bool {
        let ty = self.cx.env.content(ty).unwrap_or(ty);
        match self.cx.env.collection_of(ty) {
            Some((Collection::Tuple, types)) => types.iter().any(|&ty| self.holds_float(ty)),
            Some(_) => false,
            None => matches!(self.type_of(ty), Type::Float) || matches!(self.cx.env.shape_of(ty), Some(Shape::Enum(_))),
        }
    }
}

/// The value that a condition always has.
fn settled(env: &mut Environment, value: &Expr) -> Option<bool> {
    match &value.kind {
        ExprKind::And(lhs, rhs) => match (settled(env, lhs), settled(env, rhs)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        ExprKind::Or(lhs, rhs) => match (settled(env, lhs), settled(env, rhs)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        ExprKind::Unary { op: UnaryOp::BoolNot, operand } => settled(env, operand).map(|value| !value),
        _ => match fold(env, value) {
            Ok(ConstValue::Bool(value)) => Some(value),
            Ok(ConstValue::Int(_) | ConstValue::Float(_) | ConstValue::Str(_)) | Err(_) => None,
        },
    }
}

/// Returns true if an expression makes an object that nothing else can know.
fn is_new(expr: &ast::Expr) -> bool {
    match &expr.unparenthesized().kind {
        Ast::Array(_) | Ast::Repeat { .. } | Ast::Construct { .. } | Ast::Pairs { .. } | Ast::Slice { .. } => true,
        Ast::Call { callee, .. } => match &callee.kind {
            Ast::Name(name) => matches!(name.as_str(), "list" | "dict" | "set"),
            _ => false,
        },
        _ => false,
    }
}

fn is_empty(expr: &ast::Expr) -> bool {
    match &expr.unparenthesized().kind {
        Ast::Array(items) | Ast::Call { args: items, .. } => items.is_empty(),
        _ => false,
    }
}

/// Returns true if an expression has a name in it, so that its value is not simply the one that is written.
fn names_something(expr: &ast::Expr) -> bool {
    match &expr.unparenthesized().kind {
        Ast::Name(_) => true,
        Ast::Unary { operand, .. } => names_something(operand),
        Ast::Binary { lhs, rhs, .. } => names_something(lhs) || names_something(rhs),
        Ast::Field { base, .. } | Ast::Part { base, .. } | Ast::Index { base, .. } => names_something(base),
        Ast::Call { args, .. } => args.iter().any(names_something),
        _ => false,
    }
}

/// Returns true if two expressions are the same words and give the same value one after the other.
fn same(one: &ast::Expr, other: &ast::Expr) -> bool {
    match (&one.unparenthesized().kind, &other.unparenthesized().kind) {
        (Ast::Name(one), Ast::Name(other)) => one.text == other.text,
        (Ast::Int(one), Ast::Int(other)) => one == other,
        (Ast::Bool(one), Ast::Bool(other)) => one == other,
        (Ast::Byte(one), Ast::Byte(other)) => one == other,
        (Ast::Str(one), Ast::Str(other)) => one == other,
        (Ast::Unary { op, operand }, Ast::Unary { op: op2, operand: operand2 }) => op == op2 && same(operand, operand2),
        (Ast::Binary { op, lhs, rhs, .. }, Ast::Binary { op: op2, lhs: lhs2, rhs: rhs2, .. }) => {
            op == op2 && same(lhs, lhs2) && same(rhs, rhs2)
        }
        (Ast::Field { base, name }, Ast::Field { base: base2, name: name2 }) => {
            name.text == name2.text && same(base, base2)
        }
        (Ast::Part { base, part, .. }, Ast::Part { base: base2, part: part2, .. }) => {
            part == part2 && same(base, base2)
        }
        (Ast::Index { base, index }, Ast::Index { base: base2, index: index2 }) => {
            same(base, base2) && same(index, index2)
        }
        _ => false,
    }
}
