//! Operations that only the prelude can name: records of collections, arrays of zeros, hashes, and operations of the runtime by
//! their names in IR text behind a `_`.

use super::body::{Body, Outcome, Want};
use super::builtin::effect;
use super::environment::Collection;
use super::report::Checked;
use crate::ast;
use crate::ir::{Builtin, Scalar, Shape, Type, TypeRef, UnaryOp};
use crate::source::Span;
use crate::tast::{Call, Callee, Expr, ExprKind, StmtKind};

impl Body<'_, '_> {
    /// A call of an intrinsic.
    pub(super) fn intrinsic(&mut self, name: &str, args: &[ast::Expr], span: Span, want: Want) -> Checked<Outcome> {
        let int = self.cx.env.basic.int;
        let hint = || want.hint().expect("the prelude says the type");
        let value = match name {
            "_zeros" => {
                let count = self.check(&args[0], int, None)?;
                self.zeros(hint(), count, span)
            }
            "_zero" => self.zero(hint(), span),
            "_display" => {
                let value = self.infer(&args[0], Want::Any)?;
                self.display(value)
            }
            "hash_of" => {
                let key = self.infer(&args[0], Want::Any)?;
                self.hash_of(key, span)?
            }
            "_make_list" => {
                let (data, count) = (self.infer(&args[0], Want::Any)?, self.check(&args[1], int, None)?);
                let Type::Array(of) = *self.type_of(data.ty) else { unreachable!("the data is an array") };
                let ty = self.cx.list_of(of);
                self.make_record(ty, vec![data, count], span)
            }
            "_make_dict" => {
                let arrays: Checked<Vec<Expr>> = args.iter().map(|array| self.infer(array, Want::Any)).collect();
                self.make_dict(arrays?, span)
            }
            "_make_set" => {
                let ty = hint();
                let (_, types) = self.cx.env.collection_of(ty).expect("the type is a set's");
                let types = vec![types[0], self.cx.env.basic.bool];
                let dict = self.cx.collection(Collection::Dict, types);
                let dict = self.cx.env.ty(Type::Record(dict));
                let dict = self.check(&args[0], dict, None)?;
                self.make_record(ty, vec![dict], span)
            }
            "_make_moves" => self.make_moves(span),
            _ => return self.operation(name, args, span),
        };
        Ok(Outcome::Value(value))
    }

    /// An empty dict of its arrays: keys, values, hashes, table.
    fn make_dict(&mut self, arrays: Vec<Expr>, span: Span) -> Expr {
        let [keys, values, hashes, table] = <[Expr; 4]>::try_from(arrays).expect("a dict has four arrays");
        let types = [&keys, &values].map(|array| match *self.type_of(array.ty) {
            Type::Array(of) => of,
            _ => unreachable!("keys and values are arrays"),
        });
        let record = self.cx.collection(Collection::Dict, types.to_vec());
        let moves = self.cx.env.module.records[record].fields.last().expect("a dict has fields").ty;
        let ty = self.cx.env.ty(Type::Record(record));
        let int = self.cx.env.basic.int;
        let zero = || Expr { kind: ExprKind::Int(0), ty: int, span };
        let moves = Expr { kind: ExprKind::None, ty: moves, span };
        self.make_record(ty, vec![keys, values, hashes, zero(), zero(), table, moves], span)
    }

    fn make_moves(&mut self, span: Span) -> Expr {
        let ty = self.cx.moves_type();
        let record = self.cx.env.record_of(ty).expect("it is a record");
        let fields = self.cx.env.module.records[record].fields.clone();
        let zero = Expr { kind: ExprKind::Int(0), ty: self.cx.env.basic.int, span };
        let places = self.zeros(fields[0].ty, zero, span);
        let next = Expr { kind: ExprKind::None, ty: fields[1].ty, span };
        self.make_record(ty, vec![places, next], span)
    }

    /// The hash of a key.
    fn hash_of(&mut self, key: Expr, span: Span) -> Checked<Expr> {
        let int = self.cx.env.basic.int;
        let number = match *self.type_of(key.ty) {
            Type::Str => {
                let call = Call { callee: Callee::Builtin(Builtin::StrHash), args: vec![key] };
                return Ok(Expr { kind: ExprKind::Call(call), ty: int, span });
            }
            Type::Int => key,
            Type::Bool => {
                Expr { kind: ExprKind::Unary { op: UnaryOp::BoolToInt, operand: Box::new(key) }, ty: int, span }
            }
            _ if matches!(self.cx.env.shape_of(key.ty), Some(Shape::Tag(_))) => Expr { ty: int, ..key },
            _ => {
                let (ty, template) = (key.ty, self.cx.hash_template(key.ty));
                return self.call_provided(template, vec![ty], vec![key], span);
            }
        };
        let template = self.cx.provided("hash_int").expect("the prelude has it");
        self.call_provided(template, Vec::new(), vec![number], span)
    }

    /// An operation of the runtime by its name in IR text.
    fn operation(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Checked<Outcome> {
        let builtin = name.strip_prefix('_').and_then(Builtin::from_name);
        let builtin = builtin.unwrap_or_else(|| panic!("the prelude names `{name}`, which is nothing"));
        let args = args.iter().map(|arg| self.infer(arg, Want::Any)).collect::<Checked<Vec<_>>>()?;
        let call = Call { callee: Callee::Builtin(builtin), args };
        let Some(result) = builtin.result() else { return Ok(effect(StmtKind::Call(call), name)) };
        let ty = self.result_type(builtin, result);
        Ok(Outcome::Value(Expr { kind: ExprKind::Call(call), ty, span }))
    }

    fn result_type(&mut self, builtin: Builtin, result: Scalar) -> TypeRef {
        let basic = self.cx.env.basic;
        match result {
            Scalar::Int => basic.int,
            Scalar::Float => basic.float,
            Scalar::Bool => basic.bool,
            Scalar::Func => unreachable!("no operation gives a function"),
            Scalar::Ref => match builtin {
                Builtin::StrWords | Builtin::StrSplit | Builtin::StrLines | Builtin::StrChars => {
                    self.cx.env.array(basic.str)
                }
                _ => basic.str,
            },
        }
    }
}
