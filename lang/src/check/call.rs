//! Calls and constructions.
//!
//! In: a callee and its arguments. Out: a call with a result, or a statement where there is none. Invariant: the
//! callee is the innermost meaning of its name: a local, a definition of the program, a built-in.

use super::blueprint::TemplateItem;
use super::body::{Body, Outcome, Want};
use super::builtin_names;
use super::environment::{Def, DefKind, Origin, TemplateId};
use super::error::CheckError;
use super::infer::{Bindings, called};
use super::report::{Checked, Reported};
use super::stmt::is_open;
use crate::ast::{self, FieldInit, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, RecordRef, Signature, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Call, Callee, Expr, ExprKind};

/// Something that a call by name calls.
#[derive(Clone, Copy)]
pub(super) enum Callable {
    Fn(FuncRef),
    Struct(RecordRef),
    Template(TemplateId),
    Builtin,
}

impl Body<'_, '_> {
    /// `callee(args)`, all of which is `expr`.
    pub(super) fn call(
        &mut self,
        expr: &ast::Expr,
        callee: &ast::Expr,
        args: &[ast::Expr],
        want: Want,
    ) -> Checked<Outcome> {
        match &callee.unparenthesized().kind {
            ast::ExprKind::Name(name) if self.local(name.as_str()).is_none() => match self.lookup(name) {
                Some(def) => {
                    if let Some(callable) = self.callable(def) {
                        return self.call_named(callable, name, args, expr.span, want);
                    }
                }
                None if self.is_provided() => {
                    if let Some(id) = self.cx.provided(name.as_str()) {
                        return self.generic(id, name.as_str(), args, expr.span, want);
                    }
                    return self.call_named(Callable::Builtin, name, args, expr.span, want);
                }
                None if builtin_names::is_builtin(name.as_str()) => {
                    return self.call_named(Callable::Builtin, name, args, expr.span, want);
                }
                None => {
                    let reported = self.unknown_function(name, args);
                    self.inspect(args);
                    return Err(reported);
                }
            },
            ast::ExprKind::Field { base, name } => return self.dotted_call(base, name, args, expr.span, want),
            _ => {}
        }
        self.indirect(callee, args, expr.span)
    }

    /// The definition as something that a call by its name calls.
    pub(super) fn callable(&self, def: Def) -> Option<Callable> {
        match def.kind {
            DefKind::Fn(func) => Some(Callable::Fn(func)),
            DefKind::Struct(record) => Some(Callable::Struct(record)),
            DefKind::Template(id) => Some(Callable::Template(id)),
            DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => None,
        }
    }

    /// A call of a definition, or of a built-in, by its name.
    pub(super) fn call_named(
        &mut self,
        callable: Callable,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
        want: Want,
    ) -> Checked<Outcome> {
        match callable {
            Callable::Fn(func) => self.direct(func, name, args, span),
            Callable::Struct(record) => self.unnamed_fields(record, name, args, span).map(Outcome::Value),
            Callable::Builtin => self.builtin(name, args, span, want),
            Callable::Template(id) => match self.cx.env.templates[id].item.clone() {
                TemplateItem::Fn(..) => self.generic(id, name.as_str(), args, span, want),
                TemplateItem::Struct(item) if args.is_empty() && item.fields.is_empty() => {
                    self.construct_template(id, &[], span, want).map(Outcome::Value)
                }
                TemplateItem::Struct(item) => {
                    self.inspect(args);
                    let fields: Vec<_> = item.fields.iter().map(|field| field.name.text.to_string()).collect();
                    Err(self.positional_fields(name, &fields, span))
                }
                TemplateItem::Enum(item) => {
                    self.inspect(args);
                    let variant = item.variants.first().map_or("Variant", |variant| variant.name.as_str());
                    let help = format!("name the variant: `{}.{variant}`", name.as_str());
                    let error = CheckError::NotAValue { name: name.text.to_string(), what: "an enum" };
                    Err(self.report(Diagnostic::error(error, name.span).with_help(help)))
                }
            },
        }
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
        if !matches!(self.type_of(value.ty), Type::Func(_)) {
            self.inspect(args);
            return Err(self.not_callable(callee, value.ty));
        }
        let text = self.cx.short_text(callee).to_owned();
        self.call_value(value, &text, callee.span, args, span)
    }

    /// A call of a value, which is written as `text`.
    pub(super) fn call_value(
        &mut self,
        value: Expr,
        text: &str,
        callee: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Outcome> {
        let Type::Func(sig) = *self.type_of(value.ty) else {
            self.inspect(args);
            let error = CheckError::Expected { what: "a function", found: self.type_name(value.ty) };
            let help = self.cx.env.content(value.ty).map(|_| format!("`{text}!` unwraps it, `if let` looks first"));
            let mut error = Diagnostic::error(error, callee);
            error.help = help;
            return Err(self.report(error));
        };
        let Signature { params, result } = self.cx.env.module.sigs[sig].clone();
        let params: Vec<_> = params.into_iter().map(|ty| (Ok(ty), None)).collect();
        let args = self.arguments(text, &params, args, span)?;
        self.mention_value_call(span);
        let callee = Callee::Value { value: Box::new(value), sig };
        Ok(called(Call { callee, args }, result, text, span))
    }

    fn not_callable(&mut self, callee: &ast::Expr, ty: TypeRef) -> Reported {
        let error = CheckError::Expected { what: "a function", found: self.type_name(ty) };
        let mut error = Diagnostic::error(error, callee.span);
        error.help = self.unwrap_help(callee, ty);
        if let ast::ExprKind::Name(name) = &callee.unparenthesized().kind
            && builtin_names::is_builtin(name.as_str())
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
            let mut error = self.count_error(callee, &[params.len()], args, span);
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
            "append" | "push_back" if !args.is_empty() => {
                let rest: Vec<&str> = args.iter().map(|arg| self.cx.short_text(arg)).collect();
                Some(format!("write `push({})`; a list grows, an array has a fixed length", rest.join(", ")))
            }
            "range" => Some("write `for i in 0..n`".to_owned()),
            "clone" | "dup" if args.len() == 1 => {
                let ty = self.infer(&args[0], Want::Any).map(|value| value.ty).ok();
                ty.and_then(|ty| self.copy_help(&arg, ty))
            }
            _ => self.cx.variant_help(&text).or_else(|| self.cx.did_you_mean(&text, self.value_names())),
        };
        self.report(error)
    }

    /// `Name(field: value, ...)`
    pub(super) fn construct(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        inits: &[FieldInit],
        span: Span,
        want: Want,
    ) -> Checked<Expr> {
        if module.is_none() && name.as_str() == "dict" && self.is_free(name) {
            let pairs: Vec<_> = inits.iter().map(|init| (name_expr(&init.name), init.value.clone())).collect();
            return self.dict_of(&pairs, span, want);
        }
        let record = match self.struct_named(module, name) {
            Ok(Callable::Struct(record)) => record,
            Ok(Callable::Template(id)) => return self.construct_template(id, inits, span, want),
            Ok(_) => unreachable!("these construct nothing"),
            Err(reported) => {
                inits.iter().for_each(|init| self.inspect(std::slice::from_ref(&init.value)));
                return Err(reported);
            }
        };
        self.construct_record(record, inits, span)
    }

    fn construct_record(&mut self, record: RecordRef, inits: &[FieldInit], span: Span) -> Checked<Expr> {
        if self.cx.env.opaque.contains(&record) {
            let name = self.cx.env.module.records[record].name.clone();
            let error = Diagnostic::error(CheckError::NotAValue { name, what: "a type of the host" }, span);
            return Err(self.report(error.with_help("its values come from functions of the host")));
        }
        let mut given: Vec<Option<Span>> = vec![None; self.cx.env.records[record].fields.len()];
        let mut fields = Vec::with_capacity(inits.len());
        for init in inits {
            fields.push(self.field_init(record, init, &mut given));
        }
        // A field of another name is the one that is missing.
        let is_known = |init: &FieldInit| self.cx.env.records[record].index.contains_key(&init.name.text);
        if inits.iter().all(is_known) {
            self.all_fields(record, &given, span)?;
        }
        let ty = self.cx.env.ty(Type::Record(record));
        let fields = fields.into_iter().collect::<Checked<_>>()?;
        Ok(Expr { kind: ExprKind::Construct { record, fields }, ty, span })
    }

    /// Returns true if neither a variable nor a definition has the name, so that it is a built-in's.
    pub(super) fn is_free(&mut self, name: &Name) -> bool {
        self.local(name.as_str()).is_none() && self.lookup(name).is_none()
    }

    fn is_enum(&mut self, name: &Name) -> bool {
        match self.lookup(name).map(|def| def.kind) {
            Some(DefKind::Template(id)) => matches!(self.cx.env.templates[id].item, TemplateItem::Enum(_)),
            _ => false,
        }
    }

    fn struct_named(&mut self, module: Option<&Name>, name: &Name) -> Checked<Callable> {
        let text = name.text.to_string();
        let def = match module {
            Some(module) if self.is_enum(module) => {
                let text = format!("{}.{}", module.as_str(), name.as_str());
                let error = CheckError::NotAStruct { name: text.clone(), what: "a variant" };
                let help = format!("its payloads have no names: `{text}(...)`");
                return Err(self.report(Diagnostic::error(error, name.span).with_help(help)));
            }
            Some(module) => Some(self.cx.member(module, name)?),
            None if self.local(name.as_str()).is_some() => None,
            None => self.lookup(name),
        };
        let (what, declared) = match def {
            None if module.is_none() && self.local(name.as_str()).is_some() => ("a variable", None),
            Some(Def { kind: DefKind::Struct(record), .. }) => return Ok(Callable::Struct(record)),
            Some(Def { kind: DefKind::Template(id), .. })
                if matches!(self.cx.env.templates[id].item, TemplateItem::Struct(_)) =>
            {
                return Ok(Callable::Template(id));
            }
            Some(def) => (self.cx.describe(def.kind), Some(def.span)),
            None if builtin_names::is_builtin(name.as_str()) => ("a built-in", None),
            None => {
                let structs = self.cx.env.names.iter().filter(|(_, def)| matches!(def.kind, DefKind::Struct(_)));
                let help = self.cx.did_you_mean(&text, structs.map(|(name, _)| &**name));
                let mut error = Diagnostic::error(CheckError::UnknownType(text), name.span);
                error.help = help;
                return Err(self.report(error));
            }
        };
        let help = "only the fields of a struct are named; give the arguments in their order";
        let mut error = Diagnostic::error(CheckError::NotAStruct { name: text, what }, name.span).with_help(help);
        error.labels.extend(declared.map(|span| (span, "it is defined here".to_owned())));
        Err(self.report(error))
    }

    /// `Name(field: value, ...)` of a struct that is made for each set of types.
    fn construct_template(&mut self, id: TemplateId, inits: &[FieldInit], span: Span, want: Want) -> Checked<Expr> {
        let TemplateItem::Struct(item) = self.cx.env.templates[id].item.clone() else {
            unreachable!("the caller has looked");
        };
        let mut bindings = Bindings::new(&item.type_params);
        let known: Vec<_> = inits
            .iter()
            .filter_map(|init| {
                let field = item.fields.iter().find(|field| field.name.text == init.name.text)?;
                Some((&field.ty, init))
            })
            .collect();
        let params: Vec<_> = known.iter().map(|(ty, _)| *ty).collect();
        let values: Vec<_> = known.iter().map(|(_, init)| init.value.clone()).collect();
        if let Some(hint) = want.hint() {
            let hint = self.cx.env.content(hint).unwrap_or(hint);
            if let Some(record) = self.cx.env.record_of(hint)
                && let Origin::Template(of, types) = self.cx.env.records[record].origin.clone()
                && of == id
            {
                bindings.fix(&types);
            }
        }
        let values = self.infer_args(&mut bindings, &params, &values, None, Want::Any)?;
        let stand_ins: Vec<_> = values
            .into_iter()
            .map(|value| {
                let span = value.span;
                self.stand_in(value, span)
            })
            .collect();
        let types = self.all_known(&bindings, item.name.as_str(), span)?;
        let record = self.cx.record_of_template(id, types, span)?;
        let mut stand_ins = stand_ins.into_iter();
        let inits: Vec<FieldInit> = inits
            .iter()
            .map(|init| match item.fields.iter().any(|field| field.name.text == init.name.text) {
                true => FieldInit { value: stand_ins.next().expect("one a known field"), ..init.clone() },
                false => init.clone(),
            })
            .collect();
        self.construct_record(record, &inits, span)
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
        self.cx.marks.member(init.name.span, info.span);
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
    fn all_fields(&mut self, record: RecordRef, given: &[Option<Span>], span: Span) -> Checked<()> {
        let decls = &self.cx.env.module.records[record].fields;
        let missing = given.iter().zip(decls).filter(|(given, _)| given.is_none());
        let fields: Vec<String> = missing.map(|(_, decl)| decl.name.clone()).collect();
        if fields.is_empty() {
            return Ok(());
        }
        let declared = self.cx.env.struct_item(record).map(|item| item.name.clone());
        let record = declared.as_ref().map_or_else(String::new, |name| name.text.to_string());
        let mut error = Diagnostic::error(CheckError::MissingFields { record, fields }, span);
        error.labels.extend(declared.map(|name| (name.span, "the struct is defined here".to_owned())));
        Err(self.report(error))
    }

    /// Checks `Name(args)` of a struct: right only if there is no field to name.
    fn unnamed_fields(&mut self, record: RecordRef, name: &Name, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        if args.is_empty() {
            return self.construct_record(record, &[], span);
        }
        self.inspect(args);
        let decls = &self.cx.env.module.records[record].fields;
        let fields: Vec<String> = decls.iter().map(|decl| decl.name.clone()).collect();
        Err(self.positional_fields(name, &fields, span))
    }

    fn positional_fields(&mut self, name: &Name, fields: &[String], span: Span) -> Reported {
        let example: Vec<String> = fields.iter().map(|field| format!("{field}: ...")).collect();
        let help = format!("write `{}({})`", name.as_str(), example.join(", "));
        let error = Diagnostic::error(CheckError::PositionalFields(name.text.to_string()), span);
        self.report(error.with_help(help))
    }
}

/// A name as an expression.
fn name_expr(name: &Name) -> ast::Expr {
    ast::Expr { kind: ast::ExprKind::Name(name.clone()), span: name.span }
}
