//! The definitions of an input: its structs, constants, globals and functions.
//!
//! In: a [`Unit`]. Out: an environment in which every name of it has its meaning. Invariant: the names
//! of structs are known before any type is resolved, and signatures before any body is looked at.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::environment::{ConstInfo, Def, DefKind, FuncInfo, Mentions, ParamInfo, TemplateItem};
use super::error::CheckError;
use super::replace::Outdated;
use super::types::Use;
use super::unit::Unit;
use super::{Checker, Role};
use crate::ast::{self, Name};
use crate::ir::module::MOST_PARAMS;
use crate::ir::{EntryPoint, FuncRef, Global, RecordRef, Type};
use crate::source::Span;

impl Checker<'_> {
    /// Gives structs, constants and globals their ids and names.
    pub(super) fn declare_data(&mut self, unit: &Unit, outdated: &Outdated) {
        for item in unit.structs.iter().chain(&outdated.structs) {
            let kind = match item.type_params.is_empty() {
                true => DefKind::Struct(self.env.add_struct(item.clone())),
                false => DefKind::Template(self.add_template(TemplateItem::Struct(item.clone()))),
            };
            self.define(&item.name, kind);
        }
        for item in unit.enums.iter().chain(&outdated.enums) {
            self.check_params(&item.type_params);
            let id = self.add_template(TemplateItem::Enum(item.clone()));
            self.define(&item.name, DefKind::Template(id));
        }
        for item in unit.consts.iter().chain(&outdated.consts) {
            let info = ConstInfo { item: item.clone(), value: None, names: HashSet::new() };
            let id = self.env.consts.push(info);
            self.new_consts.push(id);
            self.define(&item.name, DefKind::Const(id));
        }
        for (alias, file) in &unit.modules {
            self.define(alias, DefKind::Module(*file));
        }
        for item in &unit.globals {
            let global = self.env.add_global(item.name.text.clone(), item.name.span, item.mutability);
            self.positions.insert(global, item.position);
            if let Some(earlier) = self.define(&item.name, DefKind::Global(global)) {
                self.shadowed.insert(item.name.text.clone(), earlier);
            }
        }
    }

    pub(super) fn define(&mut self, name: &Name, kind: DefKind) -> Option<Def> {
        self.env.define(name, kind)
    }

    /// The global that a top-level statement defines, if its name was not taken.
    pub(super) fn global_of(&self, name: &Name) -> Option<Global> {
        match self.env.lookup(name.as_str(), name.span.file) {
            Some(Def { span, kind: DefKind::Global(global) }) if span == name.span => Some(global),
            _ => None,
        }
    }

    /// Reports type parameters of one name.
    pub(super) fn check_params(&mut self, params: &[Name]) {
        for (at, param) in params.iter().enumerate() {
            if let Some(first) = params[..at].iter().find(|first| first.text == param.text) {
                self.duplicate("a type parameter", param, first.span);
            }
        }
    }

    /// Resolves the types of the fields.
    pub(super) fn declare_fields(&mut self, unit: &Unit, outdated: &Outdated) {
        for item in &unit.structs {
            self.fields_of(item);
        }
        for item in &unit.enums {
            self.variants_of(item);
        }
        for item in &outdated.structs {
            self.reports.set_context(Some(outdated.context(&item.name)));
            self.fields_of(item);
        }
        self.reports.set_context(None);
    }

    fn fields_of(&mut self, item: &ast::Struct) {
        if !item.type_params.is_empty() {
            return self.check_params(&item.type_params);
        }
        let Some(Def { kind: DefKind::Struct(record), .. }) = self.env.lookup(item.name.as_str(), item.name.span.file)
        else {
            unreachable!("a struct is declared before its fields");
        };
        for field in &item.fields {
            self.field(record, field);
        }
    }

    /// Sees that the variants of an enum have names of their own; one without type parameters is made at once.
    fn variants_of(&mut self, item: &Arc<ast::Enum>) {
        for (at, variant) in item.variants.iter().enumerate() {
            if variant.name.is_wildcard() {
                self.error(CheckError::Nameless("a variant"), variant.name.span);
            }
            if let Some(first) = item.variants[..at].iter().find(|first| first.name.text == variant.name.text) {
                self.duplicate("a variant", &variant.name, first.name.span);
            }
        }
        let def = self.env.lookup(item.name.as_str(), item.name.span.file);
        if let Some(Def { kind: DefKind::Template(id), .. }) = def
            && item.type_params.is_empty()
        {
            let _ = self.record_of_template(id, Vec::new(), item.name.span);
        }
    }

    pub(super) fn field(&mut self, record: RecordRef, field: &ast::FieldDecl) {
        if field.name.is_wildcard() {
            self.error(CheckError::Nameless("a field"), field.name.span);
            return;
        }
        if let Some(&first) = self.env.records[record].index.get(&field.name.text) {
            let first = self.env.records[record].fields[first as usize].span;
            self.duplicate("a field", &field.name, first);
            return;
        }
        let mut names = std::mem::take(&mut self.env.records[record].names);
        let ty = self.resolve(&field.ty, Use::Storage, &mut names);
        self.env.records[record].names = names;
        self.env.add_field(record, field.name.as_str(), ty, field.name.span);
    }

    /// The signature of a function as its callers see it.
    pub(super) fn signature(&mut self, item: &Arc<ast::Fn>) -> FuncInfo {
        let mut names = HashSet::new();
        let mut seen: HashMap<Arc<str>, Span> = HashMap::new();
        let mut params = Vec::new();
        for param in &item.params {
            if !param.name.is_wildcard() {
                if let Some(&first) = seen.get(&param.name.text) {
                    self.duplicate("a parameter", &param.name, first);
                }
                seen.insert(param.name.text.clone(), param.name.span);
            }
            let ty = self.resolve(&param.ty, Use::Value, &mut names);
            params.push(ParamInfo { ty, span: param.span });
        }
        if let Some(beyond) = item.params.get(MOST_PARAMS) {
            self.error(CheckError::TooManyParams, beyond.span);
        }
        let result = item.result.as_ref().map(|ty| self.resolve(ty, Use::Value, &mut names)).transpose();
        let mentions = Mentions { names, ..Mentions::default() };
        FuncInfo { name: item.name.text.clone(), params, result, item: Some(item.clone()), mentions }
    }

    /// The `main` of the root, if there is one and it can be run.
    pub(super) fn entry_point(&mut self, unit: &Unit) -> Option<EntryPoint> {
        let (item, _) = unit.fns.iter().find(|(item, role)| *role == Role::Root && item.name.as_str() == "main")?;
        let func = self.func_of(item)?;
        let info = &self.env.funcs[func];
        let basic = self.env.basic;
        let takes_args = match info.params.as_slice() {
            [] => Some(false),
            [param] => match param.ty {
                Ok(ty) => (*self.env.type_of(ty) == Type::Array(basic.str)).then_some(true),
                Err(_) => return None,
            },
            _ => None,
        };
        let returns_status = match info.result {
            Ok(None) => Some(false),
            Ok(Some(ty)) => (ty == basic.int).then_some(true),
            Err(_) => return None,
        };
        match (takes_args, returns_status) {
            (Some(takes_args), Some(returns_status)) => Some(EntryPoint { func, takes_args, returns_status }),
            _ => {
                self.error(CheckError::BadMain, item.name.span);
                None
            }
        }
    }

    /// The id that a function of this input was given.
    pub(super) fn func_of(&self, item: &ast::Fn) -> Option<FuncRef> {
        match self.env.lookup(item.name.as_str(), item.name.span.file)?.kind {
            DefKind::Fn(func) => Some(func),
            DefKind::Struct(_)
            | DefKind::Template(_)
            | DefKind::Const(_)
            | DefKind::Global(_)
            | DefKind::Module(_) => None,
        }
    }
}
