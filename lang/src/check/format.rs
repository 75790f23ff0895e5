//! Formatted strings: texts and values to one string.
//!
//! In: the pieces of `f"..."`. Out: an expression of type `str`. Invariant: a format fits its value: the runtime reads it
//! by the same functions.

use super::body::{Body, Outcome};
use super::error::CheckError;
use super::report::Checked;
use crate::ast::{self, Piece};
use crate::ir::format_spec::{self, FormattedType};
use crate::ir::{Builtin, Elem, Type};
use crate::source::Span;
use crate::tast::{Call, Callee, Expr, ExprKind};

impl Body<'_, '_> {
    /// `f"text {value:spec}"`
    pub(super) fn format(&mut self, format: &ast::Format, span: Span) -> Checked<Expr> {
        let str = self.cx.env.basic.str;
        let mut pieces = Vec::with_capacity(format.pieces.len());
        for piece in &format.pieces {
            pieces.push(match piece {
                Piece::Text(bytes) => Ok(Expr { kind: ExprKind::Str(self.cx.env.string(bytes)), ty: str, span }),
                Piece::Value { value, spec } => self.format_piece(value, spec.as_ref()),
            });
        }
        let mut pieces = pieces.into_iter().collect::<Checked<Vec<_>>>()?;
        let call = |builtin, args| Expr {
            kind: ExprKind::Call(Call { callee: Callee::Builtin(builtin), args }),
            ty: str,
            span,
        };
        Ok(match pieces.len() {
            0 => Expr { kind: ExprKind::Str(self.cx.env.string(b"")), ty: str, span },
            1 => Expr { span, ..pieces.remove(0) },
            2 => call(Builtin::StrConcat, pieces),
            count => {
                let int = self.cx.env.basic.int;
                let strs = self.cx.env.array(str);
                let parts = Expr { kind: ExprKind::Array { elem: Elem::Ref, items: pieces }, ty: strs, span };
                let count = Expr { kind: ExprKind::Int(count as i64), ty: int, span };
                let between = Expr { kind: ExprKind::Str(self.cx.env.string(b"")), ty: str, span };
                call(Builtin::StrJoin, vec![parts, count, between])
            }
        })
    }

    fn format_piece(&mut self, value: &ast::Expr, spec: Option<&(String, Span)>) -> Checked<Expr> {
        let value = match self.printable(value)? {
            Outcome::Value(value) => value,
            Outcome::Nothing(_, _, why) => return Err(self.error(CheckError::NoValue(why), value.span)),
        };
        let Some((text, span)) = spec else { return Ok(self.display(value)) };
        let ty = match self.type_of(value.ty) {
            Type::Int | Type::Byte => FormattedType::Int,
            Type::Float => FormattedType::Float,
            Type::Str => FormattedType::Str,
            _ => FormattedType::Other,
        };
        if let Err(error) = format_spec::parse(text).and_then(|spec| spec.fits(ty)) {
            return Err(self.error(CheckError::BadFormat(error.to_string()), *span));
        }
        let str = self.cx.env.basic.str;
        let spec = Expr { kind: ExprKind::Str(self.cx.env.string(text.as_bytes())), ty: str, span: *span };
        let span = value.span;
        let (builtin, value) = match ty {
            FormattedType::Int => (Builtin::FormatInt, value),
            FormattedType::Float => (Builtin::FormatFloat, value),
            FormattedType::Str => (Builtin::FormatStr, value),
            FormattedType::Other => (Builtin::FormatStr, self.display(value)),
        };
        let call = Call { callee: Callee::Builtin(builtin), args: vec![value, spec] };
        Ok(Expr { kind: ExprKind::Call(call), ty: str, span })
    }

    /// The text that `print` writes of a value.
    pub(super) fn display(&self, value: Expr) -> Expr {
        let (str, span) = (self.cx.env.basic.str, value.span);
        let builtin = match self.type_of(value.ty) {
            Type::Str => return value,
            Type::Int => Builtin::StrOfInt,
            Type::Float => Builtin::StrOfFloat,
            Type::Bool => Builtin::StrOfBool,
            _ => Builtin::Display(value.ty),
        };
        let call = Call { callee: Callee::Builtin(builtin), args: vec![value] };
        Expr { kind: ExprKind::Call(call), ty: str, span }
    }
}
