//! The state of checking one body: its variables, loops, scopes and mentions; and the questions that every part of the
//! checker asks of it: the meaning of a name, and if a value fits its place.
//!
//! In: a function, the top-level statements of a file, or a constant. Out: the parts of a [`tast::Function`].
//! Invariant: scopes are entered and left in pairs, whatever errors come between.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use hashbrown::HashSet;

use super::Checker;
use super::blueprint::Author;
use super::early_use::EarlyUse;
use super::environment::{ConstValue, Def, DefKind, Mentions};
use super::error::CheckError;
use super::fold::fold;
use super::frame::{Captured, Frame, OpenLoop, Owner, VarKind};
use super::report::{Checked, Reported};
use super::scope::{Local, Scopes};
use super::types::Use;
use crate::ast::{self, Mutability, Name};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::ir::{FuncRef, Global, Type, TypeRef};
use crate::source::{FileId, Span};
use crate::tast::{Completion, Expr, ExprKind, LoopInfo, LoopRef, StmtKind, Var, VarId};

/// The expectation that the surroundings have of an expression.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Want {
    /// Any type is accepted.
    Any,
    /// This type is likely, and decides where the expression leaves it open.
    Like(TypeRef),
    /// Any other type is refused.
    Exactly(TypeRef),
}

impl Want {
    /// The type that decides where the expression leaves it open.
    pub(super) fn hint(self) -> Option<TypeRef> {
        match self {
            Self::Any => None,
            Self::Like(ty) | Self::Exactly(ty) => Some(ty),
        }
    }
}

/// The outcome of checking an expression.
pub(super) enum Outcome {
    /// It has a value.
    Value(Expr),
    /// It has none and stands for this statement. The phrase says why.
    Nothing(Box<StmtKind>, Completion, String),
}

/// The place that fixes an expected type, and its relation to the expression.
pub(super) type Because = Option<(Span, &'static str)>;

/// State of checking one body; see the module.
pub(super) struct Body<'c, 'a> {
    pub(super) cx: &'c mut Checker<'a>,
    pub(super) owner: Owner,
    file: FileId,
    pub(super) vars: PrimaryMap<VarId, Var>,
    pub(super) kinds: SecondaryMap<VarId, VarKind>,
    pub(super) loops: PrimaryMap<LoopRef, LoopInfo>,
    pub(super) open_loops: Vec<OpenLoop>,
    pub(super) scopes: Scopes,
    pub(super) mentions: Mentions,
    mentioned_funcs: HashSet<FuncRef>,
    mentioned_globals: HashSet<Global>,
    /// The functions around this one, outermost first, where it is a closure.
    pub(super) outer: Vec<Frame>,
    /// The variables of the function around it that it captures.
    pub(super) captures: Vec<Captured>,
    /// Values for which a name stands in.
    pub(super) stand_ins: Vec<Expr>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub(super) fn new(cx: &'c mut Checker<'a>, owner: Owner, file: FileId) -> Self {
        Self {
            cx,
            owner,
            file,
            vars: PrimaryMap::new(),
            kinds: SecondaryMap::new(),
            loops: PrimaryMap::new(),
            open_loops: Vec::new(),
            scopes: Scopes::default(),
            mentions: Mentions::default(),
            mentioned_funcs: HashSet::new(),
            mentioned_globals: HashSet::new(),
            outer: Vec::new(),
            captures: Vec::new(),
            stand_ins: Vec::new(),
        }
    }

    /// Returns true if this is a function of the prelude.
    pub(super) fn is_provided(&self) -> bool {
        self.cx.author == Author::Prelude
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.cx.report(diagnostic)
    }

    pub(super) fn error(&mut self, kind: impl Into<DiagnosticKind>, span: Span) -> Reported {
        self.cx.error(kind, span)
    }

    pub(super) fn type_of(&self, ty: TypeRef) -> &Type {
        self.cx.env.type_of(ty)
    }

    pub(super) fn type_name(&self, ty: TypeRef) -> String {
        self.cx.env.type_name(ty, self.cx.sources)
    }

    /// A type written in this body.
    pub(super) fn resolve(&mut self, written: &ast::TypeExpr) -> Checked<TypeRef> {
        self.cx.resolve(written, Use::Value, &mut self.mentions.names)
    }

    /// Declares a variable in the innermost scope; a type that is not known makes its uses silent.
    pub(super) fn declare(
        &mut self,
        name: &Name,
        ty: Checked<TypeRef>,
        mutability: Mutability,
        kind: VarKind,
    ) -> Checked<VarId> {
        let declared = ty.map(|ty| {
            let var = self.vars.push(Var { name: name.text.clone(), ty, mutability, cell: None, span: name.span });
            self.kinds[var] = kind;
            if !self.is_provided() {
                self.cx.marks.variable(name.span, ty);
            }
            var
        });
        let local = declared.map_or_else(Local::Unknown, Local::Var);
        self.scopes.define(&name.text, local);
        declared
    }

    /// Returns the top-level meaning of a name, on which the body then depends.
    pub(super) fn lookup(&mut self, name: &Name) -> Option<Def> {
        self.mentions.names.insert(name.text.clone());
        let def = self.cx.env.lookup(name.as_str(), self.file)?;
        if let (Some(now), DefKind::Global(global)) = (self.position(), def.kind)
            && self.cx.positions.get(&global).is_some_and(|&position| position >= now)
            && let Some(earlier) = self.cx.shadowed.get(&name.text)
        {
            // In the REPL `let x = x + 1` speaks of the old `x`.
            return Some(*earlier);
        }
        Some(def)
    }

    /// The position of the top-level statement that this is part of, closures in it too.
    fn position(&self) -> Option<u32> {
        match self.outer.first().map_or(&self.owner, Frame::owner) {
            Owner::TopLevel(position) => Some(*position),
            Owner::Fn { .. } | Owner::Constant | Owner::Closure { .. } => None,
        }
    }

    /// Records that the body may call `func`.
    pub(super) fn mention_func(&mut self, func: FuncRef, span: Span) {
        if let Some(position) = self.position() {
            self.cx.uses.push(EarlyUse { func, span, position });
        }
        if self.mentioned_funcs.insert(func) {
            self.mentions.funcs.push((func, span));
        }
    }

    /// Records that the body calls a function value.
    pub(super) fn mention_value_call(&mut self, span: Span) {
        if let Some(position) = self.position() {
            self.cx.value_calls.push((span, position));
        }
        self.mentions.value_call.get_or_insert(span);
    }

    /// Records that the body reads or writes `global`, and gives its type.
    pub(super) fn mention_global(&mut self, global: Global, span: Span) -> Checked<TypeRef> {
        if let Some(now) = self.position()
            && self.cx.positions.get(&global).is_some_and(|&position| position >= now)
        {
            let info = &self.cx.env.globals[global];
            let error = CheckError::UsedBefore { global: info.name.to_string(), chain: Vec::new() };
            let error = Diagnostic::error(error, span).with_label(info.span, "it is initialised here");
            return Err(self.report(error));
        }
        if self.mentioned_globals.insert(global) {
            self.mentions.globals.push((global, span));
        }
        match self.cx.env.globals[global].ty {
            Some(ty) => ty,
            // Only a constant is checked before the statements: reading a variable does not fit there.
            None => Err(self.error(CheckError::NotConstant, span)),
        }
    }

    /// Checks an expression whose type is fixed by its place.
    pub(super) fn check(&mut self, expr: &ast::Expr, ty: TypeRef, because: Because) -> Checked<Expr> {
        if matches!(expr.unparenthesized().kind, ast::ExprKind::None) && self.cx.env.content(ty).is_none() {
            let error = CheckError::Mismatch { expected: self.type_name(ty), found: "none".to_owned() };
            let mut error = Diagnostic::error(error, expr.span);
            error.labels.extend(because.map(|(span, text)| (span, text.to_owned())));
            return Err(self.report(error));
        }
        let value = self.infer(expr, Want::Exactly(ty))?;
        self.coerce(value, ty, expr, because)
    }

    /// Makes `value`, which is that of `expr`, fit a place of type `ty`: a `T` is accepted where `T?` is expected.
    pub(super) fn coerce(&mut self, value: Expr, ty: TypeRef, expr: &ast::Expr, because: Because) -> Checked<Expr> {
        if value.ty == ty || self.cx.env.content(ty) == Some(value.ty) {
            return Ok(self.cx.env.lift(value, ty));
        }
        Err(self.mismatch(expr, ty, value.ty, because))
    }

    /// Reports that `expr` has the type `found` where `expected` is needed.
    pub(super) fn mismatch(
        &mut self,
        expr: &ast::Expr,
        expected: TypeRef,
        found: TypeRef,
        because: Because,
    ) -> Reported {
        let names = (self.type_name(expected), self.type_name(found));
        let module = &self.cx.env.module;
        let same = module.type_name(expected) == module.type_name(found);
        let error = CheckError::Mismatch { expected: names.0, found: names.1 };
        let mut error = Diagnostic::error(error, expr.span);
        error.labels.extend(because.map(|(span, text)| (span, text.to_owned())));
        error.help = self.cx.conversion(expr, expected, found);
        if same {
            error.notes.push("a struct in it was redefined, and values of the earlier one keep their type".to_owned());
        }
        self.report(error)
    }

    /// The value of a `const`, at top level or in a function.
    pub(super) fn constant(&mut self, item: &ast::Const) -> Checked<ConstValue> {
        let value = match &item.ty {
            Some(written) => {
                let ty = self.resolve(written)?;
                self.check(&item.value, ty, Some((written.span, "the type is given here")))?
            }
            None => self.infer(&item.value, Want::Any)?,
        };
        match self.type_of(value.ty) {
            Type::Int | Type::Float | Type::Bool | Type::Str => {}
            Type::Byte | Type::Array(_) | Type::Record(_) | Type::Optional(_) | Type::Func(_) | Type::Code(_) => {
                let error = CheckError::ConstantType(self.type_name(value.ty));
                return Err(self.report(
                    Diagnostic::error(error, item.value.span)
                        .with_help("use `let`; a top-level `let` is seen everywhere"),
                ));
            }
        }
        fold(self.cx.env, &value).map_err(|(error, span)| {
            let help = match error {
                CheckError::NotConstant => Some("constants are made of literals, operators, constants and conversions"),
                _ => None,
            };
            let mut error = Diagnostic::error(error, span);
            error.help = help.map(str::to_owned);
            self.report(error)
        })
    }

    /// A constant as an expression.
    pub(super) fn literal(&self, value: ConstValue, span: Span) -> Expr {
        let kind = match value {
            ConstValue::Int(n) => ExprKind::Int(n),
            ConstValue::Float(x) => ExprKind::Float(x),
            ConstValue::Bool(b) => ExprKind::Bool(b),
            ConstValue::Str(s) => ExprKind::Str(s),
        };
        Expr { kind, ty: self.cx.env.const_type(value), span }
    }
}
