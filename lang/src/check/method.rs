//! Calls with a dot, variants of enums and names of imports: what a dot behind a name can mean.
//!
//! In: `base.name` and arguments, if it is called. Out: a call, a value or an error. Invariant: what stands before the
//! dot is checked once: where it becomes an argument, a stand-in takes its place in the syntax tree.

use super::blueprint::TemplateItem;
use super::body::{Body, Outcome, Want};
use super::builtin_names;
use super::environment::{Def, DefKind, Origin, TemplateId};
use super::error::{CheckError, counts_phrase};
use super::infer::Bindings;
use super::report::{Checked, Reported};
use super::{Checker, call::Callable};
use crate::ast::{self, Name, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Shape, Type, TypeRef};
use crate::source::Span;
use crate::tast::{Expr, ExprKind};

impl Checker<'_> {
    /// The definition of `name` in the file that is imported as `module`.
    pub(super) fn member(&mut self, module: &Name, name: &Name) -> Checked<Def> {
        let def = self.env.lookup(module.as_str(), module.span.file);
        let Some(Def { kind: DefKind::Module(file), .. }) = def else {
            let error = CheckError::UnknownName(module.text.to_string());
            let help = "a name before a dot in a type is that of an import: `import \"file.hw\" as name`";
            return Err(self.report(Diagnostic::error(error, module.span).with_help(help)));
        };
        if let Some(def) = self.env.member_of(file, name.as_str()) {
            return Ok(def);
        }
        let (module, text) = (module.text.to_string(), name.text.to_string());
        let near = self.env.names_of(file).iter().filter(|(_, def)| def.span.file == file);
        let help = self.did_you_mean(&text, near.map(|(name, _)| &**name));
        let mut error = Diagnostic::error(CheckError::UnknownMember { module, name: text }, name.span);
        error.help = help;
        Err(self.report(error))
    }
}

/// The meaning of a name before a dot that is no value.
pub(super) enum Qualifier {
    Enum(TemplateId),
    Module,
}

impl Body<'_, '_> {
    /// The meaning of `base` as a name before a dot, where it is no value.
    pub(super) fn qualifier(&mut self, base: &ast::Expr) -> Option<(Qualifier, Name)> {
        let ast::ExprKind::Name(name) = &base.kind else { return None };
        if self.local(name.as_str()).is_some() {
            return None;
        }
        let qualifier = match self.lookup(name)?.kind {
            DefKind::Template(id) if matches!(self.cx.env.templates[id].item, TemplateItem::Enum(_)) => {
                Qualifier::Enum(id)
            }
            DefKind::Module(_) => Qualifier::Module,
            DefKind::Template(_) | DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_) => {
                return None;
            }
        };
        Some((qualifier, name.clone()))
    }

    /// The enum that `base`, an expression `module.name`, means, if it means one.
    fn qualified_enum(&mut self, base: &ast::Expr) -> Option<TemplateId> {
        let ast::ExprKind::Field { base: module, name } = &base.kind else { return None };
        let Some((Qualifier::Module, module)) = self.qualifier(module) else { return None };
        match self.cx.member(&module, name).ok()?.kind {
            DefKind::Template(id) if matches!(self.cx.env.templates[id].item, TemplateItem::Enum(_)) => Some(id),
            _ => None,
        }
    }

    /// `base.name` that is not called, where it is no field of a value.
    pub(super) fn qualified_value(
        &mut self,
        base: &ast::Expr,
        name: &Name,
        span: Span,
        want: Want,
    ) -> Option<Checked<Expr>> {
        if let Some(id) = self.qualified_enum(base) {
            return Some(self.variant(id, name, None, span, want));
        }
        match self.qualifier(base)? {
            (Qualifier::Enum(id), _) => Some(self.variant(id, name, None, span, want)),
            (Qualifier::Module, module) => {
                Some(self.cx.member(&module, name).and_then(|def| self.value_of_def(name, def, want)))
            }
        }
    }

    /// `base.name(args)`
    pub(super) fn dotted_call(
        &mut self,
        base: &ast::Expr,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
        want: Want,
    ) -> Checked<Outcome> {
        if let Some(id) = self.qualified_enum(base) {
            return self.variant(id, name, Some(args), span, want).map(Outcome::Value);
        }
        match self.qualifier(base) {
            Some((Qualifier::Enum(id), _)) => {
                return self.variant(id, name, Some(args), span, want).map(Outcome::Value);
            }
            Some((Qualifier::Module, module)) => {
                let def = self.cx.member(&module, name)?;
                return match self.callable(def) {
                    Some(callable) => self.call_named(callable, name, args, span, want),
                    None => {
                        let value = self.value_of_def(name, def, Want::Any)?;
                        self.call_value(value, name.as_str(), name.span, args, span)
                    }
                };
            }
            None => {}
        }
        let object = match self.infer(base, Want::Any) {
            Ok(object) => object,
            Err(reported) => {
                self.inspect(args);
                return Err(reported);
            }
        };
        self.cx.marks.receiver(name.span, object.ty);
        if let Some(record) = self.cx.env.record_of(object.ty)
            && let Some(&field) = self.cx.env.records[record].index.get(&name.text)
            && self.sees_fields(record)
        {
            let info = &self.cx.env.records[record].fields[field as usize];
            self.cx.marks.member(name.span, info.span);
            let ty = self.cx.env.read_type(info.ty?);
            let value = self.field_value(object, field, ty, base.span.to(name.span));
            return self.call_value(value, name.as_str(), name.span, args, span);
        }
        let found = object.ty;
        let all: Vec<ast::Expr> =
            std::iter::once(self.stand_in(object, base.span)).chain(args.iter().cloned()).collect();
        let callable = match self.lookup(name) {
            Some(def) => self.callable(def),
            None if builtin_names::is_builtin(name.as_str()) => Some(Callable::Builtin),
            None => None,
        };
        match callable {
            Some(Callable::Struct(_)) | None => {
                self.inspect(args);
                Err(self.no_method(base, name, args, found))
            }
            Some(callable) => self.call_named(callable, name, &all, span, want),
        }
    }

    fn no_method(&mut self, base: &ast::Expr, name: &Name, args: &[ast::Expr], found: TypeRef) -> Reported {
        let error = CheckError::NoMethod { of: self.type_name(found), name: name.text.to_string() };
        let mut error = Diagnostic::error(error, name.span);
        error.help = self
            .method_help(base, name.as_str(), args, found)
            .or_else(|| self.near_method(name.as_str(), args.len(), found))
            .or_else(|| self.unwrap_help(base, found));
        self.report(error)
    }

    /// The function with a similar name that takes a value of a type, and that many arguments behind it.
    fn near_method(&self, name: &str, count: usize, found: TypeRef) -> Option<String> {
        let takes = |kind| match kind {
            DefKind::Fn(func) => {
                let params = &self.cx.env.funcs[func].params;
                let first = params.first().and_then(|param| param.ty.ok());
                first.is_some_and(|ty| ty == found || self.cx.env.content(ty) == Some(found))
                    && params.len() == count + 1
            }
            DefKind::Template(id) => match &self.cx.env.templates[id].item {
                TemplateItem::Fn(item, _) => {
                    let first = item.params.first();
                    first.is_some_and(|param| self.has_form(&param.ty, found)) && item.params.len() == count + 1
                }
                TemplateItem::Struct(_) | TemplateItem::Enum(_) => false,
            },
            DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => false,
        };
        let own = self.cx.env.names.iter().filter(|(_, def)| takes(def.kind)).map(|(name, _)| &**name);
        let text = self.type_name(found);
        let built_in: Vec<&str> = crate::receivers::built_in(&text, Some(count + 1)).collect();
        self.cx.did_you_mean(name, own.chain(built_in))
    }

    /// The message about a wrong number of arguments, which are counted without what stands before a dot.
    pub(super) fn count_error(&self, callee: &str, expected: &[usize], args: &[ast::Expr], span: Span) -> Diagnostic {
        let is_dotted = match args.first().map(|arg| &arg.kind) {
            Some(ast::ExprKind::Name(name)) => self.stood_in(name.as_str()).is_some(),
            _ => false,
        };
        let before = usize::from(is_dotted && !expected.contains(&0));
        let counts: Vec<usize> = expected.iter().map(|count| count - before).collect();
        let (callee, expected, found) = (callee.to_owned(), counts_phrase(&counts), args.len() - before);
        let error = Diagnostic::error(CheckError::ArgumentCount { callee, expected, found }, span);
        match is_dotted && before == 0 {
            true => error.with_help("what stands before the dot is its first argument"),
            false => error,
        }
    }

    /// Returns true if the program may name the fields of a record.
    pub(super) fn sees_fields(&self, record: crate::ir::RecordRef) -> bool {
        matches!(self.cx.env.module.records[record].shape, Shape::Struct) || self.is_provided()
    }

    /// A stand-in for an expression that is checked already.
    pub(super) fn stand_in(&mut self, value: Expr, span: Span) -> ast::Expr {
        let text = format!("<{}>", self.stand_ins.len()).into();
        self.stand_ins.push(value);
        ast::Expr { kind: ast::ExprKind::Name(Name { text, span }), span }
    }

    /// The value that `name` stands in for, if it is a stand-in.
    pub(super) fn stood_in(&self, name: &str) -> Option<&Expr> {
        let index = name.strip_prefix('<')?.strip_suffix('>')?;
        self.stand_ins.get(index.parse::<usize>().ok()?)
    }

    /// `Enum.Variant` or `Enum.Variant(args)`
    fn variant(
        &mut self,
        id: TemplateId,
        name: &Name,
        args: Option<&[ast::Expr]>,
        span: Span,
        want: Want,
    ) -> Checked<Expr> {
        let TemplateItem::Enum(item) = self.cx.env.templates[id].item.clone() else {
            unreachable!("the caller has looked");
        };
        let Some(at) = item.variants.iter().position(|variant| variant.name.text == name.text) else {
            self.inspect(args.unwrap_or_default());
            return Err(self.unknown_variant(&item, name));
        };
        self.cx.marks.member(name.span, item.variants[at].name.span);
        let payloads = &item.variants[at].payloads;
        if args.is_none() && !payloads.is_empty() || args.is_some() && payloads.is_empty() {
            self.inspect(args.unwrap_or_default());
            let callee = format!("{}.{}", item.name.as_str(), name.as_str());
            let error = self.count_error(&callee, &[payloads.len()], args.unwrap_or_default(), span);
            let mut error = error.with_label(item.variants[at].span, "the variant is defined here");
            if payloads.is_empty() {
                error = error.with_help("leave out the parentheses");
            }
            return Err(self.report(error));
        }
        let args = args.unwrap_or_default();
        let text = format!("{}.{}", item.name.as_str(), name.as_str());
        let declared: Vec<_> = payloads.iter().map(|payload| Some(payload.span)).collect();
        self.expect_args(&text, &declared, args, span)?;
        let mut bindings = Bindings::new(&item.type_params);
        let whole = whole_type(&item);
        let params: Vec<&TypeExpr> = payloads.iter().collect();
        // Only a value of this enum says something of its parameters.
        let want = match want.hint().map(|ty| self.cx.env.content(ty).unwrap_or(ty)) {
            Some(ty) if self.is_made_of(ty, id) => Want::Like(ty),
            _ => Want::Any,
        };
        let values = self.infer_args(&mut bindings, &params, args, Some(&whole), want)?;
        let types = self.all_known(&bindings, item.name.as_str(), span)?;
        let record = self.cx.record_of_template(id, types, span)?;
        let ty = self.cx.env.ty(Type::Record(record));
        Ok(self.make_variant(ty, at, values, span))
    }

    fn is_made_of(&self, ty: TypeRef, id: TemplateId) -> bool {
        let record = self.cx.env.record_of(ty);
        record.is_some_and(|record| matches!(self.cx.env.records[record].origin, Origin::Template(of, _) if of == id))
    }

    /// The value of a variant: an int, or a record whose other fields are zero.
    fn make_variant(&mut self, ty: TypeRef, at: usize, values: Vec<Expr>, span: Span) -> Expr {
        let record = self.cx.env.record_of(ty).expect("an enum is a record");
        let int = self.cx.env.basic.int;
        let tag = |ty| Expr { kind: ExprKind::Int(at as i64), ty, span };
        let Shape::Enum(variants) = self.cx.env.module.records[record].shape.clone() else { return tag(ty) };
        let slots = variants[at].fields.clone();
        let count = self.cx.env.module.records[record].fields.len() as u32;
        let mut fields = vec![(0, tag(int))];
        fields.extend(slots.iter().copied().zip(values));
        for field in (1..count).filter(|field| !slots.contains(field)) {
            let ty = self.cx.env.module.records[record].fields[field as usize].ty;
            fields.push((field, self.zero(ty, span)));
        }
        let value = Expr { kind: ExprKind::Construct { record, fields }, ty, span };
        if !slots.is_empty() {
            return value;
        }
        let global = self.cx.env.single(record, at, self.cx.nowhere());
        Expr { kind: ExprKind::Once { global, value: Box::new(value) }, ty, span }
    }

    /// The value of all zero bits, which nothing reads as a value of the type.
    pub(super) fn zero(&self, ty: TypeRef, span: Span) -> Expr {
        use crate::ir::Elem;
        let kind = match self.cx.env.module.elem(ty) {
            Elem::Int | Elem::Byte | Elem::Char => ExprKind::Int(0),
            Elem::Float => ExprKind::Float(0.0),
            Elem::Bool => ExprKind::Bool(false),
            Elem::Ref | Elem::Func => ExprKind::None,
        };
        Expr { kind, ty, span }
    }

    pub(super) fn unknown_variant(&mut self, item: &ast::Enum, name: &Name) -> Reported {
        let error = CheckError::UnknownVariant { of: item.name.text.to_string(), variant: name.text.to_string() };
        let near = self.cx.did_you_mean(name.as_str(), item.variants.iter().map(|variant| variant.name.as_str()));
        let mut error = Diagnostic::error(error, name.span).with_label(item.name.span, "the enum is defined here");
        error.help = near;
        self.report(error)
    }
}

/// The type of an enum's values, with its own parameters in brackets.
fn whole_type(item: &ast::Enum) -> TypeExpr {
    let named = |name: &Name| TypeExpr { kind: TypeKind::Name(name.clone()), span: name.span };
    let kind = match item.type_params.is_empty() {
        true => TypeKind::Name(item.name.clone()),
        false => TypeKind::Applied {
            module: None,
            name: item.name.clone(),
            args: item.type_params.iter().map(named).collect(),
        },
    };
    TypeExpr { kind, span: item.name.span }
}
