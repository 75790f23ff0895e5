//! Functions, structs and enums that are made for each set of types: monomorphization.
//!
//! In: a definition with type parameters and the types that stand for them. Out: a function or a record of the module.
//! Invariant: for one set of types there is one; its body is checked once, with the parameters bound to the types.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::Checker;
use super::environment::{Author, FuncInfo, Made, Mentions, Origin, ParamInfo, Template, TemplateId, TemplateItem};
use super::error::CheckError;
use super::report::Checked;
use super::types::Use;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, FunctionKind, RecordRef, Shape, TypeRef, Variant};
use crate::settings::check::DEEPEST_MAKING;
use crate::source::Span;

/// A function that was made, and whose body is to be checked.
pub(super) struct MadeFunction {
    pub(super) func: FuncRef,
    pub(super) item: Arc<ast::Fn>,
    pub(super) author: Author,
    pub(super) bindings: HashMap<Arc<str>, TypeRef>,
    /// The use for which it was made first.
    pub(super) used: Span,
    /// Number of functions that were made for one another before it.
    pub(super) depth: usize,
}

impl Checker<'_> {
    /// Adds a template.
    pub(super) fn add_template(&mut self, item: TemplateItem) -> TemplateId {
        let words = words_of(self.sources.snippet(item.span()));
        self.env.templates.push(Template { item, made: HashMap::new(), words })
    }

    /// The record of a struct or an enum for these types.
    pub(super) fn record_of_template(&mut self, id: TemplateId, types: Vec<TypeRef>, used: Span) -> Checked<RecordRef> {
        if let Some(Made::Record(record)) = self.env.templates[id].made.get(&types) {
            return Ok(*record);
        }
        let item = self.env.templates[id].item.clone();
        if self.making >= DEEPEST_MAKING {
            return Err(self.error(CheckError::EndlessTypes(item.name().text.to_string()), used));
        }
        let bindings = bind(item.type_params(), &types);
        let outer = std::mem::replace(&mut self.bindings, bindings);
        self.making += 1;
        let record = match &item {
            TemplateItem::Struct(item) => self.make_struct(id, item, types),
            TemplateItem::Enum(item) => self.make_enum(id, item, types),
            TemplateItem::Fn(..) => unreachable!("a function makes no record"),
        };
        self.making -= 1;
        self.bindings = outer;
        Ok(record)
    }

    fn make_struct(&mut self, id: TemplateId, item: &Arc<ast::Struct>, types: Vec<TypeRef>) -> RecordRef {
        let name = self.applied_name(item.name.as_str(), &types);
        let record = self.env.add_record(name, Shape::Struct, Origin::Template(id, types.clone()));
        self.env.templates[id].made.insert(types, Made::Record(record));
        for field in &item.fields {
            self.field(record, field);
        }
        record
    }

    /// An enum's record: the index of the variant, then the payloads. Payloads of different variants share a field where
    /// they have one type.
    fn make_enum(&mut self, id: TemplateId, item: &Arc<ast::Enum>, types: Vec<TypeRef>) -> RecordRef {
        let name = self.applied_name(item.name.as_str(), &types);
        let is_tag = item.variants.iter().all(|variant| variant.payloads.is_empty());
        let shape = match is_tag {
            true => Shape::Tag(item.variants.iter().map(|variant| variant.name.text.to_string()).collect()),
            false => Shape::Enum(Vec::new()),
        };
        let record = self.env.add_record(name, shape, Origin::Template(id, types.clone()));
        self.env.templates[id].made.insert(types, Made::Record(record));
        if is_tag {
            return record;
        }
        let int = self.env.basic.int;
        self.env.add_field(record, "_tag", Ok(int), item.name.span);
        let mut variants = Vec::with_capacity(item.variants.len());
        for variant in &item.variants {
            let mut taken = HashSet::new();
            let mut fields = Vec::new();
            for payload in &variant.payloads {
                let mut names = HashSet::new();
                let ty = self.resolve(payload, Use::Value, &mut names);
                let free = |at: &u32| {
                    let field = &self.env.records[record].fields[*at as usize];
                    field.ty == ty && !taken.contains(at)
                };
                let count = self.env.records[record].fields.len() as u32;
                let at = (1..count).find(free).unwrap_or_else(|| {
                    self.env.add_field(record, &format!("_{count}"), ty, payload.span);
                    count
                });
                taken.insert(at);
                fields.push(at);
            }
            variants.push(Variant { name: variant.name.text.to_string(), fields });
        }
        self.env.module.records[record].shape = Shape::Enum(variants);
        record
    }

    /// The function for these types, made if it is new.
    pub(super) fn func_of_template(&mut self, id: TemplateId, types: Vec<TypeRef>, used: Span) -> Checked<FuncRef> {
        if let Some(Made::Fn(func)) = self.env.templates[id].made.get(&types) {
            return Ok(*func);
        }
        let TemplateItem::Fn(item, author) = self.env.templates[id].item.clone() else {
            unreachable!("a struct or an enum makes no function");
        };
        if self.making >= DEEPEST_MAKING {
            return Err(self.error(CheckError::EndlessTypes(item.name.text.to_string()), used));
        }
        let bindings = bind(&item.type_params, &types);
        let outer = std::mem::replace(&mut self.bindings, bindings.clone());
        let info = self.signature(&item);
        self.bindings = outer;
        let name = self.applied_name(item.name.as_str(), &types).into();
        let info = FuncInfo { name, item: None, ..info };
        let kind = match author {
            Author::Program => FunctionKind::Declared,
            Author::Prelude => FunctionKind::Provided,
        };
        let func = self.env.add_func(info, item.name.span, kind);
        self.env.templates[id].made.insert(types, Made::Fn(func));
        self.made.push(MadeFunction { func, item, author, bindings, used, depth: self.making + 1 });
        Ok(func)
    }

    /// Checks the bodies of functions that were made, and of those that these make.
    pub(super) fn check_made_functions(&mut self) {
        while let Some(made) = self.made.pop() {
            let MadeFunction { func, item, author, bindings, used, depth } = made;
            let outer = std::mem::replace(&mut self.bindings, bindings);
            self.making = depth;
            self.author = author;
            self.reports.set_use(Some((used, author)));
            self.check_function(func, &item);
            self.reports.set_use(None);
            self.author = Author::Program;
            self.making = 0;
            self.bindings = outer;
        }
    }

    /// `name[A, B]`
    fn applied_name(&self, name: &str, types: &[TypeRef]) -> String {
        if types.is_empty() {
            return name.to_owned();
        }
        let types: Vec<_> = types.iter().map(|&ty| self.env.module.type_name(ty)).collect();
        format!("{name}[{}]", types.join(", "))
    }

    /// Reports a parameter of a template that nothing fixes.
    pub(super) fn open_type_param(&mut self, of: &str, param: &str, span: Span) -> super::report::Reported {
        let error = CheckError::OpenTypeParam { of: of.to_owned(), param: param.to_owned() };
        let help = "write the type where the value goes: `let x: ... = ...`";
        self.report(Diagnostic::error(error, span).with_help(help))
    }

    /// A function that the compiler makes by itself, without a body yet.
    pub(super) fn add_made(&mut self, name: Arc<str>, params: &[TypeRef], result: Option<TypeRef>, span: Span, kind: FunctionKind) -> FuncRef {
        let params = params.iter().map(|&ty| ParamInfo { ty: Ok(ty), span }).collect();
        let info = FuncInfo { name, params, result: Ok(result), item: None, mentions: Mentions::default() };
        self.env.add_func(info, span, kind)
    }
}

/// The types that stand for type parameters.
pub(super) fn bind(params: &[ast::Name], types: &[TypeRef]) -> HashMap<Arc<str>, TypeRef> {
    params.iter().map(|param| param.text.clone()).zip(types.iter().copied()).collect()
}

/// Every name in a text, the texts of strings too: more than are needed does no harm.
fn words_of(text: &str) -> HashSet<Arc<str>> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(Arc::from).collect()
}
