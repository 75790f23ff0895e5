//! Inference of type arguments: calls of functions, structs and enums that are made for each set of types.
//!
//! In: a template and the arguments of a call. Out: the types that stand for its parameters, and the typed arguments.
//! Invariant: arguments say types before the place does, and those that are open (`none`, `[]`, a closure without
//! types) come last, when the others have said what they can.

use std::sync::Arc;

use hashbrown::HashMap;

use super::blueprint::{Author, TemplateItem};
use super::body::{Body, Outcome, Want};
use super::environment::{Collection, DefKind, Origin, TemplateId};
use super::error::CheckError;
use super::report::Checked;
use super::stmt::is_open;
use super::types::Use;
use crate::ast::{self, Name, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, Signature, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Call, Callee, Completion, Expr, ExprKind, StmtKind};

/// The types that are known to stand for type parameters.
pub(super) struct Bindings<'n> {
    params: &'n [Name],
    known: HashMap<Arc<str>, TypeRef>,
}

impl<'n> Bindings<'n> {
    pub(super) fn new(params: &'n [Name]) -> Self {
        Self { params, known: HashMap::new() }
    }

    /// Fixes all parameters.
    pub(super) fn fix(&mut self, types: &[TypeRef]) {
        self.known = super::template::bind(self.params, types);
    }

    fn is_param(&self, name: &str) -> bool {
        self.params.iter().any(|param| param.as_str() == name)
    }

    /// The parameters that are not known.
    fn open(&self) -> impl Iterator<Item = &'n Name> {
        self.params.iter().filter(|param| !self.known.contains_key(&param.text))
    }

    /// Returns true if every parameter in `ty` is known.
    fn closes(&self, ty: &TypeExpr) -> bool {
        match &ty.kind {
            TypeKind::Name(name) => !self.is_param(name.as_str()) || self.known.contains_key(&name.text),
            TypeKind::Array(of) | TypeKind::Optional(of) | TypeKind::Paren(of) => self.closes(of),
            TypeKind::Tuple(parts) | TypeKind::Applied { args: parts, .. } => {
                parts.iter().all(|part| self.closes(part))
            }
            TypeKind::Fn { params, result } => {
                params.iter().all(|param| self.closes(param))
                    && result.as_ref().is_none_or(|result| self.closes(result))
            }
        }
    }
}

impl Body<'_, '_> {
    /// A call of a function that is made for each set of types.
    pub(super) fn generic(
        &mut self,
        id: TemplateId,
        name: &str,
        args: &[ast::Expr],
        span: Span,
        want: Want,
    ) -> Checked<Outcome> {
        let TemplateItem::Fn(item, author) = self.cx.env.templates[id].item.clone() else {
            unreachable!("the caller has looked");
        };
        let params: Vec<&TypeExpr> = item.params.iter().map(|param| &param.ty).collect();
        let declared: Vec<Option<Span>> = item.params.iter().map(|param| Some(param.span)).collect();
        self.expect_args(name, &declared, args, span)?;
        let has_key = author == Author::Prelude && matches!(name, "sort_by" | "min_by" | "max_by");
        if has_key {
            self.takes_key(name, args.last().expect("it takes a function"))?;
        }
        let mut bindings = Bindings::new(&item.type_params);
        let args = self.infer_args(&mut bindings, &params, args, item.result.as_ref(), want)?;
        let types = self.all_known(&bindings, name, span)?;
        if has_key {
            self.has_ordered_key(name, args.last().expect("it takes a function"))?;
        }
        let func = self.cx.func_of_template(id, types, span)?;
        self.call_func(func, name, args, span)
    }

    /// A call of a function whose arguments are there.
    pub(super) fn call_func(&mut self, func: FuncRef, name: &str, args: Vec<Expr>, span: Span) -> Checked<Outcome> {
        self.mention_func(func, span);
        let info = &self.cx.env.funcs[func];
        let result = info.result?;
        info.params.iter().try_for_each(|param| param.ty.map(|_| ()))?;
        let params: Vec<TypeRef> = info.params.iter().filter_map(|param| param.ty.ok()).collect();
        let args = args.into_iter().zip(params).map(|(arg, ty)| self.cx.env.lift(arg, ty)).collect();
        Ok(called(Call { callee: Callee::Func(func), args }, result, name, span))
    }

    /// Reports a wrong number of arguments.
    pub(super) fn expect_args(
        &mut self,
        callee: &str,
        declared: &[Option<Span>],
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<()> {
        if declared.len() == args.len() {
            return Ok(());
        }
        let mut error = self.count_error(callee, &[declared.len()], args, span);
        if let Some(Some(declared)) = declared.get(args.len()) {
            error = error.with_label(*declared, "nothing is given for this parameter");
        }
        Err(self.report(error))
    }

    /// Checks arguments and finds what they, and the place of the result, say of the type parameters.
    pub(super) fn infer_args(
        &mut self,
        bindings: &mut Bindings<'_>,
        params: &[&TypeExpr],
        args: &[ast::Expr],
        result: Option<&TypeExpr>,
        want: Want,
    ) -> Checked<Vec<Expr>> {
        let mut checked: Vec<Option<Checked<Expr>>> = args.iter().map(|_| None).collect();
        let (late, early): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(|&at| self.is_late(&args[at]));
        for at in early {
            checked[at] = Some(self.infer_arg(bindings, params[at], &args[at]));
        }
        if let (Some(result), Some(hint)) = (result, want.hint()) {
            self.unify_open(bindings, result, hint);
        }
        for at in late {
            checked[at] = Some(self.infer_arg(bindings, params[at], &args[at]));
        }
        let checked: Checked<Vec<_>> = checked.into_iter().flatten().collect();
        // What was inferred alone must fit what all say together.
        let fit = |(value, (param, arg)): (Expr, (&&TypeExpr, &ast::Expr))| match bindings.closes(param) {
            true => {
                let ty = self.resolve_bound(param, bindings)?;
                self.coerce(value, ty, arg, None)
            }
            false => Ok(value),
        };
        checked?.into_iter().zip(params.iter().zip(args)).map(fit).collect()
    }

    fn infer_arg(&mut self, bindings: &mut Bindings<'_>, param: &TypeExpr, arg: &ast::Expr) -> Checked<Expr> {
        if bindings.closes(param) {
            let ty = self.resolve_bound(param, bindings)?;
            return self.check(arg, ty, None);
        }
        let value = match (&arg.unparenthesized().kind, &param.kind) {
            (ast::ExprKind::Closure(closure), TypeKind::Fn { params, .. }) => {
                let expected: Vec<Option<TypeRef>> =
                    params.iter().map(|ty| self.resolve_if_known(ty, bindings)).collect::<Checked<_>>()?;
                self.closure(closure, arg.span, Some(&expected), None)?
            }
            _ => self.infer(arg, Want::Any)?,
        };
        self.unify(bindings, param, value.ty);
        if !self.has_form(param, value.ty) {
            let error =
                CheckError::Mismatch { expected: self.written_text(bindings, param), found: self.type_name(value.ty) };
            let mut error = Diagnostic::error(error, arg.span);
            error.help = self.unwrap_help(arg, value.ty);
            return Err(self.report(error));
        }
        Ok(value)
    }

    /// Returns true if `ty` is made as `written` is, whatever stands for its parameters.
    pub(super) fn has_form(&self, written: &TypeExpr, ty: TypeRef) -> bool {
        match &written.kind {
            TypeKind::Name(_) => true,
            TypeKind::Paren(inner) => self.has_form(inner, ty),
            TypeKind::Optional(of) => self.has_form(of, self.cx.env.content(ty).unwrap_or(ty)),
            TypeKind::Array(of) => matches!(*self.type_of(ty), Type::Array(part) if self.has_form(of, part)),
            TypeKind::Tuple(parts) => match self.cx.env.collection_of(ty) {
                Some((Collection::Tuple, types)) => self.have_form(parts, types),
                _ => false,
            },
            TypeKind::Applied { name, args, .. } => {
                let named = super::collection::collection_named(name.as_str()).map(|(collection, _)| collection);
                match self.cx.env.record_of(ty).map(|record| &self.cx.env.records[record].origin) {
                    Some(Origin::Collection(found, types)) => named == Some(*found) && self.have_form(args, types),
                    Some(Origin::Template(_, types)) => self.have_form(args, types),
                    Some(Origin::Hidden | Origin::Struct(_)) | None => false,
                }
            }
            TypeKind::Fn { params, result } => {
                let Type::Func(sig) = *self.type_of(ty) else { return false };
                let Signature { params: types, result: given } = &self.cx.env.module.sigs[sig];
                self.have_form(params, types)
                    && match (result, given) {
                        (Some(result), Some(given)) => self.has_form(result, *given),
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    }
            }
        }
    }

    fn have_form(&self, written: &[TypeExpr], types: &[TypeRef]) -> bool {
        written.len() == types.len() && written.iter().zip(types).all(|(written, &ty)| self.has_form(written, ty))
    }

    /// A type as it is written, with the types that are known in place of its parameters.
    fn written_text(&self, bindings: &Bindings<'_>, written: &TypeExpr) -> String {
        let all = |parts: &[TypeExpr]| {
            parts.iter().map(|part| self.written_text(bindings, part)).collect::<Vec<_>>().join(", ")
        };
        match &written.kind {
            TypeKind::Name(name) => match bindings.known.get(&name.text) {
                Some(&ty) => self.type_name(ty),
                None => name.text.to_string(),
            },
            TypeKind::Paren(inner) => format!("({})", self.written_text(bindings, inner)),
            TypeKind::Optional(of) => format!("{}?", self.written_text(bindings, of)),
            TypeKind::Array(of) => format!("[{}]", self.written_text(bindings, of)),
            TypeKind::Tuple(parts) => format!("({})", all(parts)),
            TypeKind::Applied { name, args, .. } => format!("{}[{}]", name.as_str(), all(args)),
            TypeKind::Fn { params, result } => {
                let result = result.as_ref().map(|result| format!(" -> {}", self.written_text(bindings, result)));
                format!("fn({}){}", all(params), result.unwrap_or_default())
            }
        }
    }

    /// Returns true if an argument says little of its type, so that others come first.
    pub(super) fn is_late(&mut self, arg: &ast::Expr) -> bool {
        match &arg.unparenthesized().kind {
            ast::ExprKind::Closure(closure) => closure.params.iter().any(|param| param.ty.is_none()),
            ast::ExprKind::Name(name) => self.local(name.as_str()).is_none() && self.is_generic(name),
            ast::ExprKind::Field { .. } => self.is_open_variant(arg),
            _ => is_open(arg),
        }
    }

    fn is_generic(&mut self, name: &Name) -> bool {
        match self.lookup(name).map(|def| def.kind) {
            Some(DefKind::Template(id)) => !self.cx.env.templates[id].item.type_params().is_empty(),
            _ => false,
        }
    }

    /// Returns true if an argument is a variant without payload of an enum with type parameters.
    fn is_open_variant(&mut self, arg: &ast::Expr) -> bool {
        let ast::ExprKind::Field { base, .. } = &arg.unparenthesized().kind else { return false };
        let ast::ExprKind::Name(name) = &base.kind else { return false };
        self.local(name.as_str()).is_none() && self.is_generic(name)
    }

    fn resolve_if_known(&mut self, ty: &TypeExpr, bindings: &Bindings<'_>) -> Checked<Option<TypeRef>> {
        match bindings.closes(ty) {
            true => self.resolve_bound(ty, bindings).map(Some),
            false => Ok(None),
        }
    }

    /// The type that `written`, whose parameters are all known, stands for.
    pub(super) fn resolve_bound(&mut self, written: &TypeExpr, bindings: &Bindings<'_>) -> Checked<TypeRef> {
        let outer = std::mem::replace(&mut self.cx.bindings, bindings.known.clone());
        let ty = self.cx.resolve(written, Use::Value, &mut self.mentions.names);
        self.cx.bindings = outer;
        ty
    }

    /// The types of all parameters, in order.
    pub(super) fn all_known(&mut self, bindings: &Bindings<'_>, of: &str, span: Span) -> Checked<Vec<TypeRef>> {
        if let Some(open) = bindings.open().next() {
            return Err(self.cx.open_type_param(of, open.as_str(), span));
        }
        Ok(bindings.params.iter().map(|param| bindings.known[&param.text]).collect())
    }

    /// As [`Body::unify`], but for parameters that nothing has fixed yet.
    pub(super) fn unify_open(&mut self, bindings: &mut Bindings<'_>, written: &TypeExpr, ty: TypeRef) {
        if bindings.open().next().is_some() {
            self.unify(bindings, written, ty);
        }
    }

    /// Takes from `ty` what it says of the parameters in `written`; what does not fit is seen later, when the types are
    /// compared.
    pub(super) fn unify(&mut self, bindings: &mut Bindings<'_>, written: &TypeExpr, ty: TypeRef) {
        match &written.kind {
            TypeKind::Name(name) if bindings.is_param(name.as_str()) => {
                bindings.known.entry(name.text.clone()).or_insert(ty);
            }
            TypeKind::Name(_) => {}
            TypeKind::Paren(inner) => self.unify(bindings, inner, ty),
            TypeKind::Optional(of) => {
                let content = self.cx.env.content(ty).unwrap_or(ty);
                self.unify(bindings, of, content);
            }
            TypeKind::Array(of) => {
                if let Type::Array(element) = *self.type_of(ty) {
                    self.unify(bindings, of, element);
                }
            }
            TypeKind::Tuple(parts) => self.unify_parts(bindings, parts, Some(Collection::Tuple), ty),
            TypeKind::Applied { name, args, .. } => {
                let named = super::collection::collection_named(name.as_str()).map(|(collection, _)| collection);
                self.unify_parts(bindings, args, named, ty);
            }
            TypeKind::Fn { params, result } => {
                let Type::Func(sig) = *self.type_of(ty) else { return };
                let Signature { params: types, result: given } = self.cx.env.module.sigs[sig].clone();
                for (param, ty) in params.iter().zip(types) {
                    self.unify(bindings, param, ty);
                }
                if let (Some(result), Some(given)) = (result, given) {
                    self.unify(bindings, result, given);
                }
            }
        }
    }

    fn unify_parts(
        &mut self,
        bindings: &mut Bindings<'_>,
        parts: &[TypeExpr],
        collection: Option<Collection>,
        ty: TypeRef,
    ) {
        let Some(record) = self.cx.env.record_of(ty) else { return };
        let types = match &self.cx.env.records[record].origin {
            Origin::Collection(found, types) if collection == Some(*found) => types.clone(),
            Origin::Template(_, types) if collection.is_none() => types.clone(),
            Origin::Collection(..) | Origin::Template(..) | Origin::Hidden | Origin::Struct(_) => return,
        };
        for (part, ty) in parts.iter().zip(types) {
            self.unify(bindings, part, ty);
        }
    }
}

/// The outcome of a call with that result.
pub(super) fn called(call: Call, result: Option<TypeRef>, callee: &str, span: Span) -> Outcome {
    match result {
        Some(ty) => Outcome::Value(Expr { kind: ExprKind::Call(call), ty, span }),
        None => {
            Outcome::Nothing(Box::new(StmtKind::Call(call)), Completion::Falls, format!("`{callee}` has no result"))
        }
    }
}
