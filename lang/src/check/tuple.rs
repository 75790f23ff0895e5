//! Tuples: their parts, and the comparisons of values that have parts.

use super::body::{Body, Want};
use super::environment::{Collection, TemplateId};
use super::error::CheckError;
use super::report::Checked;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Shape, Type, TypeRef, UnaryOp};
use crate::source::Span;
use crate::tast::{Call, Callee, Comparison, Expr, ExprKind};

impl Body<'_, '_> {
    /// `(a, b)`
    pub(super) fn tuple(&mut self, parts: &[ast::Expr], span: Span, want: Want) -> Checked<Expr> {
        let hints: Option<Vec<TypeRef>> = want.hint().and_then(|ty| {
            let ty = self.cx.env.content(ty).unwrap_or(ty);
            match self.cx.env.collection_of(ty) {
                Some((Collection::Tuple, types)) if types.len() == parts.len() => Some(types.to_vec()),
                _ => None,
            }
        });
        let values: Vec<_> = parts
            .iter()
            .enumerate()
            .map(|(at, part)| match &hints {
                Some(hints) => {
                    let value = self.infer(part, Want::Like(hints[at]))?;
                    // A part of another type makes another tuple, which is told as a whole.
                    let fits = value.ty == hints[at] || self.cx.env.content(hints[at]) == Some(value.ty);
                    Ok(if fits { self.cx.env.lift(value, hints[at]) } else { value })
                }
                None => self.infer(part, Want::Any),
            })
            .collect();
        let values = values.into_iter().collect::<Checked<Vec<_>>>()?;
        let ty = self.cx.tuple_type(values.iter().map(|value| value.ty).collect(), span)?;
        Ok(self.make_record(ty, values, span))
    }

    /// A record of the type `ty` with these fields.
    pub(super) fn make_record(&self, ty: TypeRef, values: Vec<Expr>, span: Span) -> Expr {
        let record = self.cx.env.record_of(ty).expect("the type is a record's");
        let fields = (0..).zip(values).collect();
        Expr { kind: ExprKind::Construct { record, fields }, ty, span }
    }

    /// `base.0`
    pub(super) fn part(&mut self, base: &ast::Expr, part: u32, part_span: Span, span: Span) -> Checked<Expr> {
        let object = self.infer(base, Want::Any)?;
        let found = match self.cx.env.collection_of(object.ty) {
            Some((Collection::Tuple, types)) => types.get(part as usize).copied().ok_or(types.len()),
            _ => {
                let error = CheckError::Expected { what: "a tuple", found: self.type_name(object.ty) };
                let mut error = Diagnostic::error(error, base.span);
                error.help = self.unwrap_help(base, object.ty);
                return Err(self.report(error));
            }
        };
        match found {
            Ok(ty) => Ok(self.field_value(object, part, ty, span)),
            Err(count) => {
                let error = CheckError::NoPart { of: self.type_name(object.ty), part };
                let help = format!("its parts are `.0` to `.{}`", count - 1);
                Err(self.report(Diagnostic::error(error, part_span).with_help(help)))
            }
        }
    }

    /// A field of a value that is a record.
    pub(super) fn field_value(&self, object: Expr, field: u32, ty: TypeRef, span: Span) -> Expr {
        let record = self.cx.env.record_of(object.ty).expect("the value is a record");
        Expr { kind: ExprKind::Field { object: Box::new(object), record, field }, ty, span }
    }

    /// `==` of two values of one type.
    pub(super) fn equal_values(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Checked<Expr> {
        let bool = self.cx.env.basic.bool;
        let ty = lhs.ty;
        let binary = |op, lhs, rhs| {
            Ok(Expr { kind: ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, ty: bool, span })
        };
        let texts = |lhs, rhs| {
            let kind = ExprKind::StrCompare { op: Comparison::Eq, lhs: Box::new(lhs), rhs: Box::new(rhs) };
            Ok(Expr { kind, ty: bool, span })
        };
        match *self.type_of(ty) {
            Type::Int | Type::Byte => binary(BinaryOp::IntEq, lhs, rhs),
            Type::Float => binary(BinaryOp::FloatEq, lhs, rhs),
            Type::Bool => binary(BinaryOp::BoolEq, lhs, rhs),
            Type::Str => texts(lhs, rhs),
            Type::Array(_) => binary(BinaryOp::RefEq, lhs, rhs),
            Type::Func(_) | Type::Code(_) => binary(BinaryOp::FuncEq, lhs, rhs),
            Type::Record(record) => match self.cx.env.module.records[record].shape {
                Shape::Tag(_) => binary(BinaryOp::IntEq, lhs, rhs),
                Shape::Tuple | Shape::Enum(_) => {
                    let template = self.cx.equal_template(ty);
                    self.call_provided(template, vec![ty], vec![lhs, rhs], span)
                }
                Shape::Struct
                | Shape::List
                | Shape::Dict
                | Shape::Set
                | Shape::Closure
                | Shape::Box
                | Shape::Hidden => binary(BinaryOp::RefEq, lhs, rhs),
            },
            Type::Optional(of) if self.is_by_identity(of) => binary(BinaryOp::RefEq, lhs, rhs),
            Type::Optional(of) => match *self.type_of(of) {
                Type::Str => texts(lhs, rhs),
                Type::Func(_) => binary(BinaryOp::FuncEq, lhs, rhs),
                _ => {
                    let template = self.cx.provided("deep_optional").expect("the prelude has it");
                    self.call_provided(template, vec![of], vec![lhs, rhs], span)
                }
            },
        }
    }

    /// Returns true if values of the type are equal where they are the same.
    fn is_by_identity(&self, ty: TypeRef) -> bool {
        match self.type_of(ty) {
            Type::Array(_) => true,
            Type::Record(record) => {
                !matches!(self.cx.env.module.records[*record].shape, Shape::Tag(_) | Shape::Tuple | Shape::Enum(_))
            }
            _ => false,
        }
    }

    /// The complement of a `bool`.
    pub(super) fn not(&self, value: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        Expr { kind: ExprKind::Unary { op: UnaryOp::BoolNot, operand: Box::new(value) }, ty, span }
    }

    /// A call of a function of the prelude whose types are known, with a result.
    pub(super) fn call_provided(
        &mut self,
        template: TemplateId,
        types: Vec<TypeRef>,
        args: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let func = self.cx.func_of_template(template, types, span)?;
        self.mention_func(func, span);
        let ty = self.cx.env.funcs[func].result?.expect("the function has a result");
        Ok(Expr { kind: ExprKind::Call(Call { callee: Callee::Func(func), args }), ty, span })
    }

    /// The ordering of two values of one type by `op`, where they have one.
    pub(super) fn order_values(
        &mut self,
        op: ast::BinaryOp,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Option<Checked<Expr>> {
        let ty = lhs.ty;
        if !self.has_order(ty) {
            return None;
        }
        let parts = match self.cx.env.collection_of(ty) {
            Some((Collection::Tuple, types)) => types.len(),
            _ => return None,
        };
        let template = self.cx.order_template(parts, op.symbol());
        Some(self.call_provided(template, vec![ty], vec![lhs, rhs], span))
    }

    /// Returns true if values of the type have an order.
    pub(super) fn has_order(&self, ty: TypeRef) -> bool {
        // Each type once: tuples of one tuple twice have more parts than can be counted.
        let mut types = vec![ty];
        let mut at = 0;
        while let Some(&ty) = types.get(at) {
            at += 1;
            match (self.type_of(ty), self.cx.env.collection_of(ty)) {
                (Type::Int | Type::Float | Type::Bool | Type::Byte | Type::Str, _) => {}
                (_, Some((Collection::Tuple, parts))) => {
                    for &part in parts {
                        if !types.contains(&part) {
                            types.push(part);
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }
}
