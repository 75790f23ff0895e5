//! Calls and constructions.
//!
//! In: a callee and its arguments. Out: a call with a result, or a statement where there is none. Invariant: the
//! callee is the innermost meaning of its name: a local, a definition of the program, a built-in.

use super::body::{Body, Outcome, Want};
use super::builtin;
use super::environment::{Def, DefKind};
use super::error::{CheckError, count_phrase};
use super::report::{Checked, Reported};
use super::stmt::is_open;
use crate::ast::{self, FieldInit, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, RecordRef, Signature, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Call, Callee, Completion, Expr, ExprKind, StmtKind};

impl Body<'_, '_> {
    /// `callee(args)`, all of which is `expr`.
    pub(super) fn call(&mut self, expr: &ast::Expr, callee: &ast::Expr, args: &[ast::Expr]) -> Checked<Outcome> {
        if let ast::ExprKind::Name(name) = &callee.unparenthesized().kind
            && self.scopes.get(name.as_str()).is_none()
        {
            match self.lookup(name) {
                Some(Def { kind: DefKind::Fn(func), .. }) => return self.direct(func, name, args, expr.span),
                Some(Def { kind: DefKind::Struct(record), .. }) => {
                    return self.unnamed_fields(record, name, args, expr.span).map(Outcome::Value);
                }
                Some(Def { kind: DefKind::Const(_) | DefKind::Global(_), .. }) => {}
                None if builtin::is_builtin(name.as_str()) => return self.builtin(name, args, expr.span),
                None => {
                    let reported = self.unknown_function(name, args);
                    self.inspect(args);
                    return Err(reported);
                }
            }
        }
        self.indirect(callee, args, expr.span)
    }

    /// A call of a function of the program by its name.
    fn direct(&mut self, func: FuncRef, name: &Name, args: &[ast::Expr], span: Span) -> Checked<Outcome> {
        self.mention_func(func, name.span);
        let info = &self.cx.env.funcs[func];
        let params: Vec<_> = info.params.iter().map(|param| (param.ty, Some(param.span))).collect();
        let result = info.result;
        let args = self.arguments(name.as_str(), &params, args, span)?;
        Ok(called(Call { callee: Callee::Func(func), args }, result?, name.as_str(), span))
    }

    /// A call of a function value.
    fn indirect(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Checked<Outcome> {
        let value = match self.infer(callee, Want::Any) {
            Ok(value) => value,
            Err(reported) => {
                self.inspect(args);
                return Err(reported);
            }
        };
        let Type::Func(sig) = *self.type_of(value.ty) else {
            self.inspect(args);
            return Err(self.not_callable(callee, value.ty));
        };
        let Signature { params, result } = self.cx.env.module.sigs[sig].clone();
        let params: Vec<_> = params.into_iter().map(|ty| (Ok(ty), None)).collect();
        let text = self.cx.short_text(callee).to_owned();
        let args = self.arguments(&text, &params, args, span)?;
        let callee = Callee::Value { value: Box::new(value), sig };
        Ok(called(Call { callee, args }, result, &text, span))
    }

    fn not_callable(&mut self, callee: &ast::Expr, ty: TypeRef) -> Reported {
        let error = CheckError::Expected { what: "a function", found: self.type_name(ty) };
        let mut error = Diagnostic::error(error, callee.span);
        error.help = self.unwrap_help(callee, ty);
        if let ast::ExprKind::Name(name) = &callee.unparenthesized().kind
            && builtin::is_builtin(name.as_str())
        {
            error.notes.push(format!("this `{0}` hides the built-in `{0}`", name.as_str()));
        }
        self.report(error)
    }

    /// Arguments for parameters of the given types, each with its place where there is one.
    pub(super) fn arguments(
        &mut self,
        callee: &str,
        params: &[(Checked<TypeRef>, Option<Span>)],
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Vec<Expr>> {
        let mut checked = Vec::with_capacity(args.len());
        for (&(ty, declared), arg) in params.iter().zip(args) {
            let because = declared.map(|span| (span, "the parameter is declared here"));
            checked.push(match ty {
                Ok(ty) => self.check(arg, ty, because),
                Err(reported) => {
                    self.inspect(std::slice::from_ref(arg));
                    Err(reported)
                }
            });
        }
        if params.len() != args.len() {
            self.inspect(args.get(params.len()..).unwrap_or_default());
            let error = CheckError::ArgumentCount {
                callee: callee.to_owned(),
                expected: count_phrase(params.len()),
                found: args.len(),
            };
            let mut error = Diagnostic::error(error, span);
            // The first parameter that got nothing.
            if let Some((_, Some(declared))) = params.get(args.len()) {
                error = error.with_label(*declared, "nothing is given for this parameter");
            }
            return Err(self.report(error));
        }
        checked.into_iter().collect()
    }

    /// Looks for errors inside expressions whose types do not matter any more.
    pub(super) fn inspect(&mut self, exprs: &[ast::Expr]) {
        for expr in exprs.iter().filter(|expr| !is_open(expr)) {
            let _ = self.infer(expr, Want::Any);
        }
    }

    fn unknown_function(&mut self, name: &Name, args: &[ast::Expr]) -> Reported {
        let text = name.text.to_string();
        let arg = args.first().map_or("...", |arg| self.cx.short_text(arg)).to_owned();
        let mut error = Diagnostic::error(CheckError::UnknownName(text.clone()), name.span);
        error.help = match text.as_str() {
            "byte" => Some(format!("a byte reads as an `int`; write `{arg} & 255`")),
            "println" | "printf" | "puts" | "echo" => Some(format!("write `print({arg})`")),
            "panic" | "throw" | "error" | "raise" => Some("write `fail \"message\"`".to_owned()),
            "string" | "String" | "to_string" => Some(format!("write `str({arg})`")),
            "length" | "size" => Some(format!("write `len({arg})`")),
            "range" => Some("write `for i in 0..n`".to_owned()),
            _ => self.cx.did_you_mean(&text, self.value_names()),
        };
        self.report(error)
    }

    /// `Name(field: value, ...)`
    pub(super) fn construct(&mut self, name: &Name, inits: &[FieldInit], span: Span) -> Checked<Expr> {
        let record = match self.struct_named(name) {
            Ok(record) => record,
            Err(reported) => {
                inits.iter().for_each(|init| self.inspect(std::slice::from_ref(&init.value)));
                return Err(reported);
            }
        };
        let mut given: Vec<Option<Span>> = vec![None; self.cx.env.records[record].fields.len()];
        let mut fields = Vec::with_capacity(inits.len());
        for init in inits {
            fields.push(self.field_init(record, init, &mut given));
        }
        self.all_fields(record, name, &given, span)?;
        let ty = self.cx.env.ty(Type::Record(record));
        let fields = fields.into_iter().collect::<Checked<_>>()?;
        Ok(Expr { kind: ExprKind::Construct { record, fields }, ty, span })
    }

    fn struct_named(&mut self, name: &Name) -> Checked<RecordRef> {
        let text = name.text.to_string();
        let (what, declared) = if self.scopes.get(name.as_str()).is_some() {
            ("a variable", None)
        } else {
            match self.lookup(name) {
                Some(Def { kind: DefKind::Struct(record), .. }) => return Ok(record),
                Some(def) => (def.kind.describe(), Some(def.span)),
                None if builtin::is_builtin(name.as_str()) => ("a built-in", None),
                None => {
                    let structs = self.cx.env.names.iter().filter(|(_, def)| matches!(def.kind, DefKind::Struct(_)));
                    let help = self.cx.did_you_mean(&text, structs.map(|(name, _)| &**name));
                    let mut error = Diagnostic::error(CheckError::UnknownType(text), name.span);
                    error.help = help;
                    return Err(self.report(error));
                }
            }
        };
        let help = "only the fields of a struct are named; give the arguments in their order";
        let mut error = Diagnostic::error(CheckError::NotAStruct { name: text, what }, name.span).with_help(help);
        error.labels.extend(declared.map(|span| (span, "it is defined here".to_owned())));
        Err(self.report(error))
    }

    /// Checks one `field: value`, and records it in `given`.
    fn field_init(&mut self, record: RecordRef, init: &FieldInit, given: &mut [Option<Span>]) -> Checked<(u32, Expr)> {
        let Some(&field) = self.cx.env.records[record].index.get(&init.name.text) else {
            let reported = self.unknown_field(record, &init.name, None);
            self.inspect(std::slice::from_ref(&init.value));
            return Err(reported);
        };
        let twice = given[field as usize].replace(init.name.span);
        let info = &self.cx.env.records[record].fields[field as usize];
        let because = Some((info.span, "the field is declared here"));
        let value = match info.ty {
            Ok(ty) => self.check(&init.value, self.cx.env.read_type(ty), because),
            Err(reported) => {
                self.inspect(std::slice::from_ref(&init.value));
                Err(reported)
            }
        };
        if let Some(first) = twice {
            let error = CheckError::Duplicate { what: "given", name: init.name.text.to_string() };
            return Err(
                self.report(Diagnostic::error(error, init.name.span).with_label(first, "the first one is here"))
            );
        }
        Ok((field, value?))
    }

    /// Reports the fields that a construction leaves out.
    fn all_fields(&mut self, record: RecordRef, name: &Name, given: &[Option<Span>], span: Span) -> Checked<()> {
        let info = &self.cx.env.records[record];
        let decls = &self.cx.env.module.records[record].fields;
        let missing = given.iter().zip(decls).filter(|(given, _)| given.is_none());
        let fields: Vec<String> = missing.map(|(_, decl)| decl.name.clone()).collect();
        if fields.is_empty() {
            return Ok(());
        }
        let error = CheckError::MissingFields { record: name.text.to_string(), fields };
        let error = Diagnostic::error(error, span).with_label(info.item.name.span, "the struct is defined here");
        Err(self.report(error))
    }

    /// Checks `Name(args)` of a struct: right only if there is no field to name.
    fn unnamed_fields(&mut self, record: RecordRef, name: &Name, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        if args.is_empty() {
            return self.construct(name, &[], span);
        }
        self.inspect(args);
        let decls = &self.cx.env.module.records[record].fields;
        let example: Vec<String> = decls.iter().map(|decl| format!("{}: ...", decl.name)).collect();
        let help = format!("write `{}({})`", name.as_str(), example.join(", "));
        let error = Diagnostic::error(CheckError::PositionalFields(name.text.to_string()), span);
        Err(self.report(error.with_help(help)))
    }
}

/// The outcome of a call with that result.
fn called(call: Call, result: Option<TypeRef>, callee: &str, span: Span) -> Outcome {
    match result {
        Some(ty) => Outcome::Value(Expr { kind: ExprKind::Call(call), ty, span }),
        None => {
            Outcome::Nothing(Box::new(StmtKind::Call(call)), Completion::Falls, format!("`{callee}` has no result"))
        }
    }
}
