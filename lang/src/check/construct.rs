//! `list(...)`, `set(...)` and `dict(...)`: collections made of their parts.
//!
//! In: the parts and what the place asks for. Out: a record, or a call of the prelude that makes it. Invariant: parts
//! are evaluated in their order, whichever of them says the type.

use super::body::{Body, Want};
use super::environment::Collection;
use super::error::CheckError;
use super::expr::{Join, open_last};
use super::report::Checked;
use super::stmt::is_open;
use crate::ast;
use crate::ir::{Type, TypeRef};
use crate::source::Span;
use crate::tast::{Expr, ExprKind};

impl Body<'_, '_> {
    /// `list(a, b)`
    pub(super) fn list_of(&mut self, args: &[ast::Expr], span: Span, want: Want) -> Checked<Expr> {
        let hint = self.collection_hint(want, Collection::List).map(|types| types[0]);
        let (of, items) = self.parts("list", "T", hint, args, span)?;
        if *self.type_of(of) == Type::Byte {
            return Err(self.error(CheckError::ByteOutsideStorage, span));
        }
        let (ty, count) = (self.cx.list_of(of), items.len() as i64);
        let data = self.array_of(of, items, span);
        let int = self.cx.env.basic.int;
        Ok(self.make_record(ty, vec![data, Expr { kind: ExprKind::Int(count), ty: int, span }], span))
    }

    fn array_of(&mut self, of: TypeRef, items: Vec<Expr>, span: Span) -> Expr {
        let ty = self.cx.env.array(of);
        if items.is_empty() {
            return self.zeros(ty, Expr { kind: ExprKind::Int(0), ty: self.cx.env.basic.int, span }, span);
        }
        Expr { kind: ExprKind::Array { elem: self.elem(of), items }, ty, span }
    }

    /// An array of elements of all zero bits.
    pub(super) fn zeros(&self, ty: TypeRef, count: Expr, span: Span) -> Expr {
        let Type::Array(of) = *self.type_of(ty) else { unreachable!("the type is an array's") };
        let value = Box::new(self.zero(of, span));
        Expr { kind: ExprKind::Repeat { elem: self.elem(of), count: Box::new(count), value }, ty, span }
    }

    /// The type of the parts and the parts, whose type is `hint`, or what they say together.
    fn parts(
        &mut self,
        callee: &str,
        param: &str,
        hint: Option<TypeRef>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<(TypeRef, Vec<Expr>)> {
        match hint {
            Some(of) => {
                let items: Vec<_> = args.iter().map(|arg| self.check(arg, of, None)).collect();
                Ok((of, items.into_iter().collect::<Checked<_>>()?))
            }
            None if args.is_empty() => Err(self.cx.open_type_param(callee, param, span)),
            None => self.join_items(args),
        }
    }

    /// The types of the built-in type that the place asks for.
    fn collection_hint(&self, want: Want, collection: Collection) -> Option<Vec<TypeRef>> {
        let ty = want.hint()?;
        let ty = self.cx.env.content(ty).unwrap_or(ty);
        match self.cx.env.collection_of(ty) {
            Some((found, types)) if found == collection => Some(types.to_vec()),
            _ => None,
        }
    }

    /// `set(a, b)`
    pub(super) fn set_of(&mut self, args: &[ast::Expr], span: Span, want: Want) -> Checked<Expr> {
        let hint = self.collection_hint(want, Collection::Set).map(|types| types[0]);
        let (of, items) = self.parts("set", "T", hint, args, span)?;
        self.cx.key_type(of, span)?;
        let array = self.array_of(of, items, span);
        let template = self.cx.provided("set_of_array").expect("the prelude has it");
        self.call_provided(template, vec![of], vec![array], span)
    }

    /// `dict(k: v)`
    pub(super) fn dict_of(&mut self, pairs: &[(ast::Expr, ast::Expr)], span: Span, want: Want) -> Checked<Expr> {
        let hint = self.collection_hint(want, Collection::Dict);
        if pairs.is_empty() {
            let Some(types) = hint else { return Err(self.cx.open_type_param("dict", "K", span)) };
            let template = self.cx.provided("dict_new").expect("the prelude has it");
            return self.call_provided(template, types, Vec::new(), span);
        }
        let mut keys =
            Join::new(hint.as_ref().map_or(Want::Any, |types| Want::Exactly(types[0])), "the first key is here");
        let mut values =
            Join::new(hint.as_ref().map_or(Want::Any, |types| Want::Exactly(types[1])), "the first value is here");
        let mut checked: Vec<Option<Checked<(Expr, Expr)>>> = pairs.iter().map(|_| None).collect();
        for at in open_last(pairs, |(key, value)| is_open(key) || is_open(value)) {
            let (key, value) = &pairs[at];
            let k = self.joined(&mut keys, key);
            let v = self.joined(&mut values, value);
            checked[at] = Some(k.and_then(|k| Ok((k, v?))));
        }
        let checked = checked.into_iter().flatten().collect::<Checked<Vec<_>>>()?;
        let types = hint.unwrap_or_else(|| vec![keys.ty().expect("there is a key"), values.ty().expect("and a value")]);
        self.cx.key_type(types[0], span)?;
        let pair = self.cx.tuple_type(types.clone(), span)?;
        let items = checked.into_iter().map(|(k, v)| {
            let parts = vec![self.cx.env.lift(k, types[0]), self.cx.env.lift(v, types[1])];
            self.make_record(pair, parts, span)
        });
        let items: Vec<Expr> = items.collect();
        let (list, count) = (self.cx.list_of(pair), items.len() as i64);
        let data = self.array_of(pair, items, span);
        let int = self.cx.env.basic.int;
        let list = self.make_record(list, vec![data, Expr { kind: ExprKind::Int(count), ty: int, span }], span);
        let template = self.cx.provided("dict_of_list").expect("the prelude has it");
        self.call_provided(template, types, vec![list], span)
    }

    fn joined(&mut self, join: &mut Join, expr: &ast::Expr) -> Checked<Expr> {
        let value = match join.want() {
            Want::Exactly(ty) => self.check(expr, ty, None)?,
            want => self.infer(expr, want)?,
        };
        join.add(self, &value, expr)?;
        Ok(value)
    }
}
