//! `equal(a, b)`, which compares by parts, and `eprint`.

use super::body::{Body, Outcome, Want};
use super::builtin_names::BuiltinCall;
use super::environment::Collection;
use super::error::CheckError;
use super::report::Checked;
use crate::ir::{Builtin, Elem, Type};
use crate::source::Span;
use crate::tast::{Call, Callee, Expr, ExprKind, StmtKind};

impl Body<'_, '_> {
    /// `equal(a, b)`
    pub(super) fn equal(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let [lhs, rhs] = site.args else {
            self.inspect(site.args);
            let expected = super::error::count_phrase(2);
            let error = CheckError::ArgumentCount { callee: "equal".to_owned(), expected, found: site.args.len() };
            return Err(self.error(error, site.span));
        };
        let left = self.infer(lhs, Want::Any)?;
        let right = self.infer(rhs, Want::Like(left.ty))?;
        // One of the two may be the optional of the other.
        let ty = if self.cx.env.content(right.ty) == Some(left.ty) { right.ty } else { left.ty };
        let left = self.coerce(left, ty, lhs, None)?;
        let right = self.coerce(right, ty, rhs, Some((lhs.span, "the other operand fixes the type")))?;
        self.deep_equal(left, right, site.span).map(Outcome::Value)
    }

    fn deep_equal(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Checked<Expr> {
        use crate::ir::Shape;
        let ty = lhs.ty;
        let (name, types) = match *self.type_of(ty) {
            Type::Array(of) => ("deep_equal_array", vec![of]),
            Type::Optional(of) => ("deep_equal_optional", vec![of]),
            Type::Record(record) => match self.cx.env.module.records[record].shape {
                Shape::Struct | Shape::Tuple | Shape::Enum(_) => {
                    let template = self.cx.deep_template(ty);
                    return self.call_provided(template, vec![ty], vec![lhs, rhs], span);
                }
                Shape::List | Shape::Dict | Shape::Set => {
                    let (collection, types) = self.cx.env.collection_of(ty).expect("it is one of the built-in types");
                    let name = match collection {
                        Collection::List => "deep_equal_list",
                        Collection::Dict => "deep_equal_dict",
                        Collection::Set | Collection::Tuple => "deep_equal_set",
                    };
                    (name, types.to_vec())
                }
                Shape::Tag(_) | Shape::Closure | Shape::Box | Shape::Hidden => {
                    return self.equal_values(lhs, rhs, span);
                }
            },
            _ => return self.equal_values(lhs, rhs, span),
        };
        let template = self.cx.provided(name).expect("the prelude has it");
        self.call_provided(template, types, vec![lhs, rhs], span)
    }

    /// `eprint(a, b)`
    pub(super) fn eprint(&mut self, site: &BuiltinCall<'_>) -> Checked<Outcome> {
        let str = self.cx.env.basic.str;
        let mut parts = Vec::new();
        for arg in site.args {
            parts.push(match self.printable(arg) {
                Ok(Outcome::Value(value)) => Ok(self.display(value)),
                Ok(Outcome::Nothing(_, _, why)) => Err(self.error(CheckError::NoValue(why), arg.span)),
                Err(reported) => Err(reported),
            });
        }
        let parts = parts.into_iter().collect::<Checked<Vec<_>>>()?;
        let (int, strs, count) = (self.cx.env.basic.int, self.cx.env.array(str), parts.len() as i64);
        let text = match parts.len() {
            0 => Expr { kind: ExprKind::Str(self.cx.env.string(b"")), ty: str, span: site.span },
            _ => {
                let array = ExprKind::Array { elem: Elem::Ref, items: parts };
                let array = Expr { kind: array, ty: strs, span: site.span };
                let count = Expr { kind: ExprKind::Int(count), ty: int, span: site.span };
                let between = Expr { kind: ExprKind::Str(self.cx.env.string(b" ")), ty: str, span: site.span };
                let call = Call { callee: Callee::Builtin(Builtin::StrJoin), args: vec![array, count, between] };
                Expr { kind: ExprKind::Call(call), ty: str, span: site.span }
            }
        };
        let call = Call { callee: Callee::Builtin(Builtin::WriteError), args: vec![text] };
        Ok(super::builtin::effect(StmtKind::Call(call), site.name))
    }
}
