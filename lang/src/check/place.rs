//! Elements, slices and fields, read and assigned; variables as targets of assignments. Invariant: the target of an
//! assignment is declared with `var`, or is an element or field.

use super::body::{Because, Body, VarKind, Want};
use super::environment::DefKind;
use super::error::CheckError;
use super::report::{Checked, Reported};
use super::scope::Local;
use super::{builtin, operator::is_none};
use crate::ast::{self, Bound, Mutability, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{Elem, RecordRef, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Expr, ExprKind, Place, PlaceKind, Sliceable};

impl Body<'_, '_> {
    pub(super) fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Checked<Expr> {
        let (base, elem, ty, index) = self.element(base, index)?;
        Ok(Expr { kind: ExprKind::Index { base: Box::new(base), elem, index: Box::new(index) }, ty, span })
    }

    /// The parts of `base[index]` and the type of its value.
    fn element(&mut self, base: &ast::Expr, index: &ast::Expr) -> Checked<(Expr, Elem, TypeRef, Expr)> {
        let value = self.infer(base, Want::Any);
        let int = self.cx.env.basic.int;
        let index = self.check(index, int, None);
        let value = value?;
        let (elem, ty) = match *self.type_of(value.ty) {
            Type::Str => (Elem::Char, int),
            Type::Array(of) => (self.cx.env.module.elem(of), self.cx.env.read_type(of)),
            _ => return Err(self.not_a_sequence(base, value.ty)),
        };
        Ok((value, elem, ty, index?))
    }

    fn not_a_sequence(&mut self, expr: &ast::Expr, ty: TypeRef) -> Reported {
        let error = CheckError::Expected { what: "an array or a string", found: self.type_name(ty) };
        let mut error = Diagnostic::error(error, expr.span);
        error.help = self.unwrap_help(expr, ty);
        self.report(error)
    }

    /// Help for an optional that stands in place of its content.
    pub(super) fn unwrap_help(&self, expr: &ast::Expr, ty: TypeRef) -> Option<String> {
        self.cx.env.content(ty)?;
        Some(format!("`{}!` unwraps it, `if let` looks first", self.cx.operand_text(expr)))
    }

    pub(super) fn slice(
        &mut self,
        base: &ast::Expr,
        start: Option<&ast::Expr>,
        end: Option<&ast::Expr>,
        bound: Bound,
        span: Span,
    ) -> Checked<Expr> {
        let value = self.infer(base, Want::Any);
        let int = self.cx.env.basic.int;
        let mut limit = |limit: Option<&ast::Expr>| limit.map(|limit| self.check(limit, int, None)).transpose();
        let (start, end) = (limit(start), limit(end));
        let value = value?;
        let of = match self.type_of(value.ty) {
            Type::Str => Sliceable::Str,
            Type::Array(_) => Sliceable::Array,
            _ => return Err(self.not_a_sequence(base, value.ty)),
        };
        let (start, end, ty) = (start?.map(Box::new), end?.map(Box::new), value.ty);
        Ok(Expr { kind: ExprKind::Slice { base: Box::new(value), of, start, end, bound }, ty, span })
    }

    pub(super) fn field(&mut self, base: &ast::Expr, name: &Name, span: Span) -> Checked<Expr> {
        let (object, record, field, ty, _) = self.field_of(base, name)?;
        Ok(Expr { kind: ExprKind::Field { object: Box::new(object), record, field }, ty, span })
    }

    /// The parts of `base.name`, the type of its value and the span of the field's declaration.
    fn field_of(&mut self, base: &ast::Expr, name: &Name) -> Checked<(Expr, RecordRef, u32, TypeRef, Span)> {
        let object = self.infer(base, Want::Any)?;
        let Type::Record(record) = *self.type_of(object.ty) else {
            return Err(self.no_fields(base, object.ty, name));
        };
        let info = &self.cx.env.records[record];
        let Some(&field) = info.index.get(&name.text) else { return Err(self.unknown_field(record, name, Some(base))) };
        let field_info = &info.fields[field as usize];
        let (ty, span) = (field_info.ty?, field_info.span);
        Ok((object, record, field, self.cx.env.read_type(ty), span))
    }

    fn no_fields(&mut self, base: &ast::Expr, ty: TypeRef, name: &Name) -> Reported {
        let error = CheckError::Expected { what: "a struct", found: self.type_name(ty) };
        let error = Diagnostic::error(error, base.span);
        let text = name.as_str();
        let object = self.cx.short_text(base);
        let help = match self.type_of(ty) {
            Type::Array(_) | Type::Str if matches!(text, "length" | "size" | "count" | "len") => {
                Some(format!("write `len({object})`"))
            }
            _ if self.is_callable(text) => Some(format!("there are no methods: write `{text}({object}, ...)`")),
            _ => self.unwrap_help(base, ty),
        };
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        })
    }

    /// Reports a field that `record` does not have; `base` where it was read from something.
    pub(super) fn unknown_field(&mut self, record: RecordRef, name: &Name, base: Option<&ast::Expr>) -> Reported {
        let info = &self.cx.env.records[record];
        let kind = CheckError::UnknownField { record: info.item.name.text.to_string(), field: name.text.to_string() };
        let error = Diagnostic::error(kind, name.span).with_label(info.item.name.span, "the struct is defined here");
        let near = self.cx.did_you_mean(name.as_str(), info.index.keys().map(|name| &**name));
        let help = near.or_else(|| {
            let object = self.cx.short_text(base?);
            let text = name.as_str();
            self.is_callable(text).then(|| format!("there are no methods: write `{text}({object}, ...)`"))
        });
        self.report(match help {
            Some(help) => error.with_help(help),
            None => error,
        })
    }

    fn is_callable(&self, name: &str) -> bool {
        let def = self.cx.env.names.get(name);
        def.map_or_else(|| builtin::is_builtin(name), |def| matches!(def.kind, DefKind::Fn(_)))
    }

    pub(super) fn unwrap(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.infer(operand, Want::Any)?;
        match self.cx.env.content(value.ty) {
            Some(ty) => Ok(Expr { kind: ExprKind::Unwrap(Box::new(value)), ty, span }),
            None => {
                let error = CheckError::Expected { what: "an optional", found: self.type_name(value.ty) };
                let help = "it is never `none`: leave out the `!`";
                Err(self.report(Diagnostic::error(error, operand.span).with_help(help)))
            }
        }
    }

    /// The target of an assignment, the type of the value it takes, and the place that fixes this type.
    pub(super) fn place(&mut self, target: &ast::Expr) -> Checked<(Place, TypeRef, Because)> {
        let target = target.unparenthesized();
        let span = target.span;
        let (kind, ty, because) = match &target.kind {
            ast::ExprKind::Name(name) => self.variable(name)?,
            ast::ExprKind::Index { base, index } => {
                let (array, elem, ty, index) = self.element(base, index)?;
                if array.ty == self.cx.env.basic.str {
                    let error = Diagnostic::error(CheckError::ByteOfString, span);
                    return Err(
                        self.report(error.with_help("`bytes(s)` gives an array, `text(b, 0, len(b))` a string"))
                    );
                }
                (PlaceKind::Index { array: Box::new(array), elem, index: Box::new(index) }, ty, None)
            }
            ast::ExprKind::Field { base, name } => {
                let (object, record, field, ty, declared) = self.field_of(base, name)?;
                let because = Some((declared, "the field is declared here"));
                (PlaceKind::Field { object: Box::new(object), record, field }, ty, because)
            }
            _ => unreachable!("the parser accepts names, elements and fields as targets"),
        };
        debug_assert!(!is_none(target), "`none` is no target");
        Ok((Place { kind, span }, ty, because))
    }

    fn variable(&mut self, name: &Name) -> Checked<(PlaceKind, TypeRef, Because)> {
        match self.scopes.get(name.as_str()) {
            Some(Local::Var(var)) => {
                let info = &self.vars[var];
                let because = Some((info.span, "the variable is declared here"));
                if info.mutability == Mutability::Variable {
                    return Ok((PlaceKind::Var(var), info.ty, because));
                }
                let (what, help) = fixed_words(self.kinds[var], name.as_str());
                Err(self.fixed(name, what, info.span, Some(help)))
            }
            Some(Local::Const { span, .. }) => Err(self.fixed(name, "a constant", span, None)),
            Some(Local::Unknown(reported)) => Err(reported),
            None => self.outer_variable(name),
        }
    }

    fn outer_variable(&mut self, name: &Name) -> Checked<(PlaceKind, TypeRef, Because)> {
        let Some(def) = self.lookup(name) else {
            let text = name.text.to_string();
            if builtin::is_builtin(&text) {
                let error = CheckError::Fixed { name: text, what: "a built-in" };
                return Err(self.error(error, name.span));
            }
            let near = self.cx.did_you_mean(&text, self.value_names());
            let help = near.unwrap_or_else(|| format!("declare it first: `var {text} = ...`"));
            return Err(self.report(Diagnostic::error(CheckError::UnknownName(text), name.span).with_help(help)));
        };
        let DefKind::Global(global) = def.kind else {
            return Err(self.fixed(name, def.kind.describe(), def.span, None));
        };
        if self.cx.env.globals[global].mutability == Mutability::Fixed {
            let (what, help) = fixed_words(VarKind::Declared, name.as_str());
            return Err(self.fixed(name, what, def.span, Some(help)));
        }
        let ty = self.mention_global(global, name.span)?;
        Ok((PlaceKind::Global(global), ty, Some((def.span, "the variable is declared here"))))
    }

    fn fixed(&mut self, name: &Name, what: &'static str, declared: Span, help: Option<String>) -> Reported {
        let error = CheckError::Fixed { name: name.text.to_string(), what };
        let mut error = Diagnostic::error(error, name.span).with_label(declared, "it is declared here");
        error.help = help;
        self.report(error)
    }
}

/// The phrase for a variable that cannot be assigned, and the suggested correction.
fn fixed_words(kind: VarKind, name: &str) -> (&'static str, String) {
    let copy = format!("copy it first: `var {name} = {name}`");
    match kind {
        VarKind::Declared => ("declared with `let`", format!("declare it with `var {name}`")),
        VarKind::Parameter => ("a parameter", copy),
        VarKind::LoopVariable => ("the variable of a `for`", "use `while` and a `var` to steer the loop".to_owned()),
        VarKind::Content => ("bound by `let`", copy),
        VarKind::Message => ("bound by `catch`", copy),
    }
}
