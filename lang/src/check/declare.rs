//! The definitions of an input: its structs, constants, globals and functions.
//!
//! In: a [`Unit`]. Out: an environment in which every name of it has its meaning. Invariant: the names
//! of structs are known before any type is resolved, and signatures before any body is looked at.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::environment::{ConstInfo, Def, DefKind, FieldInfo, FuncInfo, Mentions, ParamInfo};
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
            let record = self.env.add_record(item.clone());
            self.define(&item.name, DefKind::Struct(record));
        }
        for item in unit.consts.iter().chain(&outdated.consts) {
            let info = ConstInfo { item: item.clone(), value: None, names: HashSet::new() };
            let id = self.env.consts.push(info);
            self.new_consts.push(id);
            self.define(&item.name, DefKind::Const(id));
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
        self.env.names.insert(name.text.clone(), Def { span: name.span, kind })
    }

    /// The global that a top-level statement defines, if its name was not taken.
    pub(super) fn global_of(&self, item: &ast::Let) -> Option<Global> {
        match self.env.names.get(&item.name.text) {
            Some(Def { span, kind: DefKind::Global(global) }) if *span == item.name.span => Some(*global),
            _ => None,
        }
    }

    /// Resolves the types of the fields.
    pub(super) fn declare_fields(&mut self, unit: &Unit, outdated: &Outdated) {
        for item in &unit.structs {
            self.fields_of(item);
        }
        for item in &outdated.structs {
            self.reports.set_context(Some(outdated.context(&item.name)));
            self.fields_of(item);
        }
        self.reports.set_context(None);
    }

    fn fields_of(&mut self, item: &ast::Struct) {
        let Some(Def { kind: DefKind::Struct(record), .. }) = self.env.names.get(&item.name.text).copied() else {
            unreachable!("a struct is declared before its fields");
        };
        for field in &item.fields {
            self.field(record, field);
        }
    }

    fn field(&mut self, record: RecordRef, field: &ast::FieldDecl) {
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
        let info = &mut self.env.records[record];
        info.names = names;
        info.index.insert(field.name.text.clone(), info.fields.len() as u32);
        info.fields.push(FieldInfo { ty, span: field.name.span });
        let decl = crate::ir::FieldDecl { name: field.name.text.to_string(), ty: ty.unwrap_or(self.env.basic.int) };
        self.env.module.records[record].fields.push(decl);
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
            DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_) => None,
        }
    }
}
