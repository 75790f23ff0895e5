//! Several names for the parts of a tuple: `let`, `var`, `for` and assignments with a tuple on the left.
//!
//! In: a binder or a tuple of targets, and a value. Out: statements that give each name or place its part. Invariant:
//! the value is evaluated whole before the first part is stored.

use super::body::{Body, Want};
use super::environment::Collection;
use super::error::CheckError;
use super::frame::VarKind;
use super::report::Checked;
use super::target::{AssignTarget, Entry};
use crate::ast::{self, Binder, BinderKind, Mutability};
use crate::diagnostic::Diagnostic;
use crate::ir::{Elem, TypeRef};
use crate::source::Span;
use crate::tast::{Binding, Block, Completion, Expr, Place, PlaceKind, Stmt, StmtKind, VarId};

impl Body<'_, '_> {
    /// Gives the names of a binder the parts of `value`.
    pub(super) fn bind_parts(
        &mut self,
        binder: &Binder,
        value: Expr,
        mutability: Mutability,
        kind: VarKind,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let span = binder.span;
        match &binder.kind {
            BinderKind::Name(name) if name.is_wildcard() => Ok(()),
            BinderKind::Name(name) => {
                let binding = match self.global_named(name) {
                    Some(global) => {
                        self.cx.env.set_global_type(global, Ok(value.ty));
                        Binding::Global(global)
                    }
                    None => Binding::Var(self.declare(name, Ok(value.ty), mutability, kind)?),
                };
                stmts.push(Stmt { kind: StmtKind::Let { binding, value }, span });
                Ok(())
            }
            BinderKind::Tuple(parts) => {
                let types = self.part_types(value.ty, parts.len(), span);
                let types = match types {
                    Ok(types) => types,
                    Err(reported) => {
                        self.declare_unknown(binder, mutability, kind, reported);
                        return Err(reported);
                    }
                };
                let var = self.keep(value, stmts);
                let mut failed = Ok(());
                for (at, (part, ty)) in (0..).zip(parts.iter().zip(types)) {
                    let value = self.field_value(self.var_value(var, span), at, ty, part.span);
                    if let Err(reported) = self.bind_parts(part, value, mutability, kind, stmts) {
                        failed = Err(reported);
                    }
                }
                failed
            }
        }
    }

    /// Declares the names of a binder whose value is wrong, so that their uses are silent.
    pub(super) fn declare_unknown(
        &mut self,
        binder: &Binder,
        mutability: Mutability,
        kind: VarKind,
        reported: super::report::Reported,
    ) {
        for name in binder.names() {
            match self.global_named(name) {
                Some(global) => self.cx.env.set_global_type(global, Err(reported)),
                None => {
                    let _ = self.declare(name, Err(reported), mutability, kind);
                }
            }
        }
    }

    /// Refuses a name twice in a binder of locals.
    pub(super) fn expect_names_once(&mut self, binder: &Binder) -> Checked<()> {
        let names: Vec<_> = binder.names().into_iter().filter(|name| !name.is_wildcard()).collect();
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.text == name.text)
                && self.global_named(first).is_none()
            {
                return Err(self.cx.duplicate("bound", name, first.span));
            }
        }
        Ok(())
    }

    /// The types of a tuple's parts.
    fn part_types(&mut self, ty: TypeRef, count: usize, span: Span) -> Checked<Vec<TypeRef>> {
        match self.cx.env.collection_of(ty) {
            Some((Collection::Tuple, types)) if types.len() == count => Ok(types.to_vec()),
            Some((Collection::Tuple, types)) => {
                let of = types.len();
                let error = CheckError::BadPattern { pattern: "this tuple of names", of: self.type_name(ty) };
                let help = format!("it has {of} parts, and there are {count} names");
                Err(self.report(Diagnostic::error(error, span).with_help(help)))
            }
            _ => {
                let error = CheckError::BadPattern { pattern: "a tuple of names", of: self.type_name(ty) };
                Err(self.error(error, span))
            }
        }
    }

    /// Puts a value into a variable.
    pub(super) fn keep(&mut self, value: Expr, stmts: &mut Vec<Stmt>) -> VarId {
        let span = value.span;
        let var = self.hidden_var(value.ty, span);
        stmts.push(Stmt { kind: StmtKind::Let { binding: Binding::Var(var), value }, span });
        var
    }

    /// `let (a, b) = e` of locals, or of globals at top level.
    pub(super) fn let_parts(&mut self, item: &ast::Let, span: Span) -> Checked<StmtKind> {
        let (value, ty) = self.first_value(item);
        let mut stmts = Vec::new();
        let value = value.and_then(|value| self.expect_names_once(&item.binder).map(|()| value));
        match (value, ty) {
            (Ok(value), _) => self.bind_parts(&item.binder, value, item.mutability, VarKind::Declared, &mut stmts)?,
            (Err(reported), _) => {
                self.declare_unknown(&item.binder, item.mutability, VarKind::Declared, reported);
                return Err(reported);
            }
        }
        Ok(StmtKind::Block(in_order(stmts, span)))
    }

    /// `(a, b) = e`: the operands of the targets, then the value, then the stores from left to right.
    pub(super) fn assign_parts(&mut self, targets: &[ast::Expr], value: &ast::Expr, span: Span) -> Checked<StmtKind> {
        let mut stmts = Vec::new();
        let mut places = Vec::new();
        let wanted = match self.targets(targets, &mut places, &mut stmts) {
            Ok(wanted) => Wanted::Parts(wanted),
            Err(reported) => {
                self.inspect(std::slice::from_ref(value));
                return Err(reported);
            }
        };
        let value = self.wanted_value(&wanted, value, span)?;
        let var = self.keep(value, &mut stmts);
        let value = self.var_value(var, span);
        self.store_parts(targets, value, &mut places.into_iter(), &mut stmts);
        Ok(StmtKind::Block(in_order(stmts, span)))
    }

    /// Evaluates the operands of targets; their places come out in order, and what the parts are to be.
    fn targets(
        &mut self,
        targets: &[ast::Expr],
        places: &mut Vec<Evaluated>,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<Vec<Wanted>> {
        let mut wanted = Vec::new();
        let mut failed = Ok(());
        for target in targets {
            match self.target_place(target.unparenthesized(), places, stmts) {
                Ok(one) => wanted.push(one),
                Err(reported) => failed = Err(reported),
            }
        }
        failed.map(|()| wanted)
    }

    fn target_place(
        &mut self,
        target: &ast::Expr,
        places: &mut Vec<Evaluated>,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<Wanted> {
        if is_wildcard(target) {
            return Ok(Wanted::Anything);
        }
        if let ast::ExprKind::Tuple(parts) = &target.kind {
            return self.targets(parts, places, stmts).map(Wanted::Parts);
        }
        match self.assign_target(target)? {
            AssignTarget::Entry(Entry { dict, key, ty }) => {
                let dict = self.keep(dict, stmts);
                let key = self.keep(key, stmts);
                places.push(Evaluated::Entry { dict, key, span: target.span });
                Ok(Wanted::Type(ty))
            }
            AssignTarget::Place(place, ty, _) => {
                let place = self.fixed_place(place, stmts);
                places.push(Evaluated::Place(place));
                Ok(Wanted::Type(ty))
            }
        }
    }

    /// The value for targets. Parts that `_` drops have the type that they have by themselves.
    fn wanted_value(&mut self, wanted: &Wanted, value: &ast::Expr, span: Span) -> Checked<Expr> {
        if let Some(ty) = self.wanted_type(wanted, span)? {
            return self.check(value, ty, None);
        }
        let (Wanted::Parts(parts), ast::ExprKind::Tuple(values)) = (wanted, &value.unparenthesized().kind) else {
            let value_span = value.span;
            let value = self.infer(value, Want::Any)?;
            if !self.fits(wanted, value.ty) {
                let error =
                    CheckError::Mismatch { expected: self.wanted_text(wanted), found: self.type_name(value.ty) };
                return Err(self.error(error, value_span));
            }
            return Ok(value);
        };
        if parts.len() != values.len() {
            self.inspect(values);
            let found = format!("({})", vec!["_"; values.len()].join(", "));
            let error = CheckError::Mismatch { expected: self.wanted_text(wanted), found };
            return Err(self.error(error, value.span));
        }
        let values: Vec<_> =
            parts.iter().zip(values).map(|(part, value)| self.wanted_value(part, value, span)).collect();
        let values = values.into_iter().collect::<Checked<Vec<_>>>()?;
        let ty = self.cx.tuple_type(values.iter().map(|value| value.ty).collect(), value.span)?;
        Ok(self.make_record(ty, values, value.span))
    }

    /// The type that a value must have, if no part of it is dropped.
    fn wanted_type(&mut self, wanted: &Wanted, span: Span) -> Checked<Option<TypeRef>> {
        match wanted {
            Wanted::Anything => Ok(None),
            Wanted::Type(ty) => Ok(Some(*ty)),
            Wanted::Parts(parts) => {
                let types =
                    parts.iter().map(|part| self.wanted_type(part, span)).collect::<Checked<Option<Vec<_>>>>()?;
                types.map(|types| self.cx.tuple_type(types, span)).transpose()
            }
        }
    }

    fn fits(&self, wanted: &Wanted, ty: TypeRef) -> bool {
        match (wanted, self.cx.env.collection_of(ty)) {
            (Wanted::Anything, _) => true,
            (Wanted::Type(wanted), _) => *wanted == ty,
            (Wanted::Parts(parts), Some((Collection::Tuple, types))) => {
                parts.len() == types.len() && parts.iter().zip(types).all(|(part, &ty)| self.fits(part, ty))
            }
            (Wanted::Parts(_), _) => false,
        }
    }

    fn wanted_text(&self, wanted: &Wanted) -> String {
        match wanted {
            Wanted::Anything => "_".to_owned(),
            Wanted::Type(ty) => self.type_name(*ty),
            Wanted::Parts(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.wanted_text(part)).collect();
                format!("({})", parts.join(", "))
            }
        }
    }

    /// A place whose operands are in variables.
    fn fixed_place(&mut self, place: Place, stmts: &mut Vec<Stmt>) -> Place {
        let span = place.span;
        let mut fixed = |operand: Box<Expr>| {
            let operand_span = operand.span;
            let var = self.keep(*operand, stmts);
            Box::new(self.var_value(var, operand_span))
        };
        let kind = match place.kind {
            kind @ (PlaceKind::Var(_) | PlaceKind::Global(_)) => kind,
            PlaceKind::Index { array, elem, index } => {
                PlaceKind::Index { array: fixed(array), elem, index: fixed(index) }
            }
            PlaceKind::ListIndex { list, record, elem, index } => {
                PlaceKind::ListIndex { list: fixed(list), record, elem, index: fixed(index) }
            }
            PlaceKind::Field { object, record, field } => PlaceKind::Field { object: fixed(object), record, field },
        };
        Place { kind, span }
    }

    fn store_parts(
        &mut self,
        targets: &[ast::Expr],
        value: Expr,
        places: &mut impl Iterator<Item = Evaluated>,
        stmts: &mut Vec<Stmt>,
    ) {
        let types: Vec<TypeRef> = match self.cx.env.collection_of(value.ty) {
            Some((_, types)) => types.to_vec(),
            None => unreachable!("the value was checked to be a tuple"),
        };
        for (at, (target, ty)) in (0..).zip(targets.iter().zip(types)) {
            let target = target.unparenthesized();
            if is_wildcard(target) {
                continue;
            }
            let part = self.field_value(value.clone(), at, ty, target.span);
            if let ast::ExprKind::Tuple(inner) = &target.kind {
                self.store_parts(inner, part, places, stmts);
                continue;
            }
            let (kind, span) = match places.next().expect("one place a target") {
                Evaluated::Place(place) => {
                    let span = place.span;
                    (StmtKind::Assign { place, value: part }, span)
                }
                Evaluated::Entry { dict, key, span } => {
                    let (dict, key) = (self.var_value(dict, span), self.var_value(key, span));
                    match self.dict_store(dict, key, part, span) {
                        Ok(kind) => (kind, span),
                        Err(_) => continue,
                    }
                }
            };
            stmts.push(Stmt { kind, span });
        }
    }

    /// The storage of a type's values in arrays.
    pub(super) fn elem(&self, ty: TypeRef) -> Elem {
        self.cx.env.module.elem(ty)
    }
}

/// The demand of a target on its part of the value.
enum Wanted {
    /// `_` drops it.
    Anything,
    Type(TypeRef),
    Parts(Vec<Wanted>),
}

fn is_wildcard(target: &ast::Expr) -> bool {
    matches!(&target.kind, ast::ExprKind::Name(name) if name.is_wildcard())
}

/// A target whose operands are evaluated.
enum Evaluated {
    Place(Place),
    Entry { dict: VarId, key: VarId, span: Span },
}

/// Statements as one.
pub(super) fn in_order(stmts: Vec<Stmt>, span: Span) -> Block {
    Block { stmts, value: None, completion: Completion::Falls, span }
}
