//! Expressions: the dispatch, literals, names and arrays.
//!
//! In: an expression and what its surroundings [`Want`]. Out: a typed expression, or the statement that something
//! without a value amounts to. Invariant: a hint decides only what the expression leaves open (`none`, `[]`, elements
//! of an array); whether the type fits is for the caller to see.

use super::blueprint::TemplateItem;
use super::body::{Because, Body, Outcome, Want};
use super::environment::{Def, DefKind, TemplateId};
use super::error::CheckError;
use super::infer::Bindings;
use super::report::Checked;
use super::scope::Local;
use super::stmt::is_open;
use super::{SessionKind, builtin_names};
use crate::ast::{self, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{Elem, Signature, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Expr, ExprKind};

impl Body<'_, '_> {
    /// An expression that must have a value.
    pub(super) fn infer(&mut self, expr: &ast::Expr, want: Want) -> Checked<Expr> {
        match self.outcome(expr, want)? {
            Outcome::Value(value) => Ok(value),
            Outcome::Nothing(_, _, why) => Err(self.error(CheckError::NoValue(why), expr.span)),
        }
    }

    /// An expression that may turn out to have no value.
    pub(super) fn outcome(&mut self, expr: &ast::Expr, want: Want) -> Checked<Outcome> {
        match &expr.kind {
            ast::ExprKind::Paren(inner) => self.outcome(inner, want),
            ast::ExprKind::If(node) => self.if_value(node, expr.span, want),
            ast::ExprKind::Match(node) => self.match_value(node, expr.span, want),
            ast::ExprKind::Block(block) => self.block_value(block, want),
            ast::ExprKind::Call { callee, args } => self.call(expr, callee, args, want),
            _ => self.plain(expr, want).map(Outcome::Value),
        }
    }

    /// An expression of a kind that always has a value.
    fn plain(&mut self, expr: &ast::Expr, want: Want) -> Checked<Expr> {
        let span = expr.span;
        let basic = self.cx.env.basic;
        let literal = |kind, ty| Ok(Expr { kind, ty, span });
        match &expr.kind {
            ast::ExprKind::Int(n) => literal(ExprKind::Int(*n), basic.int),
            ast::ExprKind::Float(x) => literal(ExprKind::Float(*x), basic.float),
            ast::ExprKind::Bool(b) => literal(ExprKind::Bool(*b), basic.bool),
            ast::ExprKind::Byte(byte) => literal(ExprKind::Int(i64::from(*byte)), basic.int),
            ast::ExprKind::Str(bytes) => literal(ExprKind::Str(self.cx.env.string(bytes)), basic.str),
            ast::ExprKind::None => self.none(span, want),
            ast::ExprKind::Name(name) => self.name(name, want),
            ast::ExprKind::Unary { op, operand } => self.unary(*op, operand, span),
            ast::ExprKind::Binary { op, op_span, lhs, rhs } => self.binary(*op, *op_span, lhs, rhs, span),
            ast::ExprKind::Construct { module, name, fields } => {
                self.construct(module.as_ref(), name, fields, span, want)
            }
            ast::ExprKind::Pairs { name, pairs } => self.pairs(name, pairs, span, want),
            ast::ExprKind::Tuple(parts) => self.tuple(parts, span, want),
            ast::ExprKind::Part { base, part, part_span } => self.part(base, *part, *part_span, span),
            ast::ExprKind::Format(format) => self.format(format, span),
            ast::ExprKind::Closure(closure) => self.closure_value(closure, span, want),
            ast::ExprKind::Index { base, index } => self.index(base, index, span),
            ast::ExprKind::Slice { base, start, end, bound } => {
                self.slice(base, start.as_deref(), end.as_deref(), *bound, span)
            }
            ast::ExprKind::Field { base, name } => match self.qualified_value(base, name, span, want) {
                Some(value) => value,
                None => self.field(base, name, span),
            },
            ast::ExprKind::Unwrap(operand) => self.unwrap(operand, span),
            ast::ExprKind::Array(items) => self.array(items, span, want),
            ast::ExprKind::Repeat { value, count } => self.repeat(value, count, span, want),
            ast::ExprKind::Paren(_)
            | ast::ExprKind::If(_)
            | ast::ExprKind::Match(_)
            | ast::ExprKind::Block(_)
            | ast::ExprKind::Call { .. } => unreachable!("`outcome` takes these"),
        }
    }

    fn none(&mut self, span: Span, want: Want) -> Checked<Expr> {
        let ty = want.hint().and_then(|ty| match self.cx.env.content(ty) {
            Some(_) => Some(ty),
            None => self.cx.env.optional(ty),
        });
        match ty {
            Some(ty) => Ok(Expr { kind: ExprKind::None, ty, span }),
            None => {
                let error = Diagnostic::error(CheckError::TypeUnknown("none"), span);
                Err(self.report(error.with_help("give the type: `let x: str? = none`")))
            }
        }
    }

    /// The value of a name.
    fn name(&mut self, name: &Name, want: Want) -> Checked<Expr> {
        let span = name.span;
        if let Some(value) = self.stood_in(name.as_str()) {
            return Ok(value.clone());
        }
        match self.local(name.as_str()) {
            Some(Local::Var(var)) => return Ok(Expr { kind: ExprKind::Var(var), ty: self.vars[var].ty, span }),
            Some(Local::Const { value, .. }) => return Ok(self.literal(value?, span)),
            Some(Local::Unknown(reported)) => return Err(reported),
            None => {}
        }
        let Some(def) = self.lookup(name) else { return Err(self.unknown_value(name)) };
        self.value_of_def(name, def, want)
    }

    /// The value of a definition.
    pub(super) fn value_of_def(&mut self, name: &Name, def: Def, want: Want) -> Checked<Expr> {
        let span = name.span;
        match def.kind {
            DefKind::Global(global) => {
                let ty = self.mention_global(global, span)?;
                Ok(Expr { kind: ExprKind::Global(global), ty, span })
            }
            DefKind::Const(id) => match self.cx.env.consts[id].value {
                Some(value) => Ok(self.literal(value?, span)),
                // Constants are evaluated after those that they need, so it is not the operand of a constant.
                None => Err(self.error(CheckError::NotConstant, span)),
            },
            DefKind::Fn(func) => {
                self.mention_func(func, span);
                let info = &self.cx.env.funcs[func];
                info.params.iter().try_for_each(|param| param.ty.map(|_| ()))?;
                info.result?;
                Ok(self.func_value(func, span))
            }
            DefKind::Template(id) if matches!(self.cx.env.templates[id].item, TemplateItem::Fn(..)) => {
                self.template_value(id, name, want)
            }
            DefKind::Struct(_) | DefKind::Template(_) | DefKind::Module(_) => {
                let what = self.cx.describe(def.kind);
                let error = Diagnostic::error(CheckError::NotAValue { name: name.text.to_string(), what }, span);
                let help = match what {
                    "an enum" => format!("`{}.Variant` is a value of it", name.as_str()),
                    "an import" => format!("`{}.name` is one of its definitions", name.as_str()),
                    _ => format!("`{}(field: value, ...)` makes one", name.as_str()),
                };
                Err(self.report(error.with_label(def.span, "it is defined here").with_help(help)))
            }
        }
    }

    /// A function that is made for each set of types as a value: the place says which.
    fn template_value(&mut self, id: TemplateId, name: &Name, want: Want) -> Checked<Expr> {
        let TemplateItem::Fn(item, _) = self.cx.env.templates[id].item.clone() else {
            unreachable!("the caller has looked");
        };
        let mut bindings = Bindings::new(&item.type_params);
        let hint = want.hint().map(|ty| self.cx.env.content(ty).unwrap_or(ty));
        if let Some(Type::Func(sig)) = hint.map(|ty| self.type_of(ty).clone()) {
            let Signature { params, result } = self.cx.env.module.sigs[sig].clone();
            for (param, ty) in item.params.iter().zip(params) {
                self.unify(&mut bindings, &param.ty, ty);
            }
            if let (Some(written), Some(ty)) = (&item.result, result) {
                self.unify(&mut bindings, written, ty);
            }
        }
        let types = self.all_known(&bindings, name.as_str(), name.span)?;
        let func = self.cx.func_of_template(id, types, name.span)?;
        self.mention_func(func, name.span);
        Ok(self.func_value(func, name.span))
    }

    /// A closure whose place may say types.
    fn closure_value(&mut self, closure: &ast::Closure, span: Span, want: Want) -> Checked<Expr> {
        let hint = want.hint().map(|ty| self.cx.env.content(ty).unwrap_or(ty));
        match hint.map(|ty| self.type_of(ty).clone()) {
            Some(Type::Func(sig)) => {
                let Signature { params, result } = self.cx.env.module.sigs[sig].clone();
                let params: Vec<_> = params.into_iter().map(Some).collect();
                self.closure(closure, span, Some(&params), Some(result))
            }
            _ => self.closure(closure, span, None, None),
        }
    }

    /// `dict(key: value)` with keys that are no names.
    fn pairs(&mut self, name: &Name, pairs: &[(ast::Expr, ast::Expr)], span: Span, want: Want) -> Checked<Expr> {
        if name.as_str() == "dict" && self.is_free(name) {
            return self.dict_of(pairs, span, want);
        }
        for (key, value) in pairs {
            self.inspect(std::slice::from_ref(key));
            self.inspect(std::slice::from_ref(value));
        }
        let error = CheckError::NotAStruct { name: name.text.to_string(), what: "no dict" };
        Err(self.report(Diagnostic::error(error, name.span).with_help("only `dict` takes keys and values")))
    }

    /// Reports a name that is read but has no value.
    fn unknown_value(&mut self, name: &Name) -> super::report::Reported {
        let text = name.text.to_string();
        if builtin_names::is_builtin(&text) {
            let error = CheckError::NotAValue { name: text.clone(), what: "a built-in" };
            let help = format!("call it, `{text}(...)`, or wrap it in a function of your own");
            return self.report(Diagnostic::error(error, name.span).with_help(help));
        }
        let mut error = Diagnostic::error(CheckError::UnknownName(text), name.span);
        error.help = match name.as_str() {
            "null" | "nil" | "None" | "undefined" => Some("the absent value is called `none`".to_owned()),
            "True" => Some("did you mean `true`?".to_owned()),
            "False" => Some("did you mean `false`?".to_owned()),
            "_" | "ans" if self.cx.kind == SessionKind::Repl => {
                Some("it is the value that was shown last; nothing was shown yet".to_owned())
            }
            text => self.cx.variant_help(text).or_else(|| self.cx.did_you_mean(text, self.value_names())),
        };
        self.report(error)
    }

    /// Every name that has a value here.
    pub(super) fn value_names(&self) -> impl Iterator<Item = &str> {
        self.scopes
            .names()
            .chain(self.cx.env.names.keys().map(|name| &**name))
            .chain(builtin_names::NAMES.iter().copied())
    }

    fn array(&mut self, items: &[ast::Expr], span: Span, want: Want) -> Checked<Expr> {
        let of = want.hint().and_then(|ty| self.element_hint(ty));
        if items.is_empty() && of.is_none() {
            let error = Diagnostic::error(CheckError::TypeUnknown("[]"), span);
            return Err(self.report(error.with_help("give the type: `let a: [int] = []`")));
        }
        // The type of the elements: what the place says, or what the elements say together.
        let (of, items) = match of {
            Some(of) => {
                let ty = self.cx.env.read_type(of);
                let items: Vec<_> = items.iter().map(|item| self.check(item, ty, None)).collect();
                (of, items.into_iter().collect::<Checked<Vec<_>>>()?)
            }
            None => self.join_items(items)?,
        };
        let elem = self.cx.env.module.elem(of);
        let ty = self.cx.env.array(of);
        Ok(Expr { kind: ExprKind::Array { elem, items }, ty, span })
    }

    /// The elements of an array whose type nothing but they themselves can say.
    pub(super) fn join_items(&mut self, items: &[ast::Expr]) -> Checked<(TypeRef, Vec<Expr>)> {
        let mut join = Join::new(Want::Any, "the first element is here");
        let mut checked: Vec<Option<Checked<Expr>>> = items.iter().map(|_| None).collect();
        for at in open_last(items, is_open) {
            let item = self.infer(&items[at], join.want());
            let item = item.and_then(|value| join.add(self, &value, &items[at]).map(|()| value));
            checked[at] = Some(item);
        }
        let checked: Checked<Vec<_>> = checked.into_iter().flatten().collect();
        let checked = checked?;
        let ty = join.ty().expect("an array literal without hint has elements");
        Ok((ty, checked.into_iter().map(|item| self.cx.env.lift(item, ty)).collect()))
    }

    fn repeat(&mut self, value: &ast::Expr, count: &ast::Expr, span: Span, want: Want) -> Checked<Expr> {
        let of = want.hint().and_then(|ty| self.element_hint(ty));
        let value = match of {
            Some(of) => self.check(value, self.cx.env.read_type(of), None),
            None => self.infer(value, Want::Any),
        };
        let int = self.cx.env.basic.int;
        let count = self.check(count, int, None);
        let (value, count) = (value?, count?);
        let of = of.unwrap_or(value.ty);
        let elem: Elem = self.cx.env.module.elem(of);
        let ty = self.cx.env.array(of);
        Ok(Expr { kind: ExprKind::Repeat { elem, count: Box::new(count), value: Box::new(value) }, ty, span })
    }

    /// The element type of an array, optional or not.
    fn element_hint(&self, ty: TypeRef) -> Option<TypeRef> {
        let ty = self.cx.env.content(ty).unwrap_or(ty);
        match *self.type_of(ty) {
            Type::Array(of) => Some(of),
            _ => None,
        }
    }
}

/// The indices of `items`, those of open ones last: then the others say what type these have.
pub(super) fn open_last<T>(items: &[T], is_open: impl Fn(&T) -> bool) -> impl Iterator<Item = usize> {
    let (open, closed): (Vec<_>, Vec<_>) = (0..items.len()).partition(|&at| is_open(&items[at]));
    closed.into_iter().chain(open)
}

/// Finds the common type of alternatives: that of the first one, made optional if one of them is.
pub(super) struct Join {
    want: Want,
    ty: Option<(TypeRef, Span)>,
    label: &'static str,
}

impl Join {
    pub(super) fn new(want: Want, label: &'static str) -> Self {
        Self { want, ty: None, label }
    }

    /// The expectation for the next alternative.
    pub(super) fn want(&self) -> Want {
        match (self.want, self.ty) {
            (Want::Any | Want::Like(_), Some((ty, _))) => Want::Like(ty),
            (want, _) => want,
        }
    }

    /// The common type so far; the place's type if the place fixes it.
    pub(super) fn ty(&self) -> Option<TypeRef> {
        match self.want {
            Want::Exactly(ty) => self.ty.map(|_| ty),
            Want::Any | Want::Like(_) => self.ty.map(|(ty, _)| ty),
        }
    }

    /// Takes in the next alternative, `value`, which is that of `expr`.
    pub(super) fn add(&mut self, body: &mut Body<'_, '_>, value: &Expr, expr: &ast::Expr) -> Checked<()> {
        let Some((ty, first)) = self.ty else {
            self.ty = Some((value.ty, value.span));
            return Ok(());
        };
        if ty == value.ty || body.cx.env.content(ty) == Some(value.ty) {
            Ok(())
        } else if body.cx.env.content(value.ty) == Some(ty) {
            self.ty = Some((value.ty, first));
            Ok(())
        } else {
            let because: Because = Some((first, self.label));
            Err(body.mismatch(expr, ty, value.ty, because))
        }
    }
}
