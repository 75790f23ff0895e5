//! The definitions of an input: every name once, then its structs, constants, globals and functions.
//!
//! In: the files. Out: a [`Unit`], and an environment in which every name of it has its meaning. Invariant: the names
//! of structs are known before any type is resolved, and signatures before any body is looked at.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::environment::{ConstInfo, Def, DefKind, FieldInfo, FuncInfo, Mentions, ParamInfo};
use super::error::CheckError;
use super::replace::Outdated;
use super::report::Reported;
use super::types::{BUILTIN_TYPES, Use};
use super::{Checker, File, Role, SessionKind};
use crate::ast::{self, Item, Name, StmtKind, TopLevel};
use crate::diagnostic::Diagnostic;
use crate::ir::module::MOST_PARAMS;
use crate::ir::{EntryPoint, FuncRef, Global, RecordRef, Type};
use crate::source::{FileId, Span};

/// The files of an input, sorted by the work that their parts need.
#[derive(Default)]
pub(super) struct Unit {
    pub(super) structs: Vec<Arc<ast::Struct>>,
    pub(super) consts: Vec<Arc<ast::Const>>,
    pub(super) fns: Vec<(Arc<ast::Fn>, Role)>,
    pub(super) globals: Vec<GlobalItem>,
    pub(super) files: Vec<FileStmts>,
    /// The definition of each name.
    pub(super) names: HashMap<Arc<str>, Claim>,
}

/// A name taken by a definition.
#[derive(Clone, Copy)]
pub(super) struct Claim {
    pub(super) span: Span,
    pub(super) sort: Sort,
}

/// The sorts of definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Fn,
    Struct,
    Const,
    Global,
}

/// A top-level `let` or `var`.
pub(super) struct GlobalItem {
    name: Name,
    mutability: ast::Mutability,
    position: u32,
}

/// The statements of one file.
pub(super) struct FileStmts {
    pub(super) file: FileId,
    pub(super) role: Role,
    /// Each with its position among all statements of the input.
    pub(super) stmts: Vec<(u32, ast::Stmt)>,
}

impl Checker<'_> {
    /// Takes the files apart. A definition whose name is taken is reported and left out.
    pub(super) fn collect(&mut self, files: Vec<File>) -> Unit {
        let mut unit = Unit::default();
        let mut position = 0;
        for File { program, role } in files {
            let mut stmts = Vec::new();
            // A file may have one `main` of its own, beside that of the program.
            let mut main = None;
            for part in program.body {
                match part {
                    TopLevel::Item(item) => self.collect_item(&mut unit, item, role, &mut main),
                    TopLevel::Stmt(stmt) => {
                        self.collect_global(&mut unit, &stmt, position);
                        stmts.push((position, stmt));
                        position += 1;
                    }
                }
            }
            unit.files.push(FileStmts { file: program.file, role, stmts });
        }
        unit
    }

    fn collect_item(&mut self, unit: &mut Unit, item: Item, role: Role, main: &mut Option<Span>) {
        match item {
            Item::Fn(item) if role == Role::Imported && item.name.as_str() == "main" => match *main {
                Some(first) => {
                    self.duplicate("defined", &item.name, first);
                }
                None => {
                    *main = Some(item.name.span);
                    unit.fns.push((Arc::new(item), role));
                }
            },
            Item::Fn(item) => {
                if self.claim(unit, &item.name, Sort::Fn).is_ok() {
                    // It is visible everywhere, so its position does not matter.
                    unit.fns.push((Arc::new(item), Role::Root));
                }
            }
            Item::Struct(item) => {
                if self.claim(unit, &item.name, Sort::Struct).is_ok() {
                    unit.structs.push(Arc::new(item));
                }
            }
            Item::Const(item) => {
                if self.claim(unit, &item.name, Sort::Const).is_ok() {
                    unit.consts.push(Arc::new(item));
                }
            }
            // The session has loaded the file.
            Item::Import(_) => {}
        }
    }

    fn collect_global(&mut self, unit: &mut Unit, stmt: &ast::Stmt, position: u32) {
        let StmtKind::Let(item) = &stmt.kind else { return };
        if !item.name.is_wildcard() && self.claim(unit, &item.name, Sort::Global).is_ok() {
            let (name, mutability) = (item.name.clone(), item.mutability);
            unit.globals.push(GlobalItem { name, mutability, position });
        }
    }

    /// Claims a name for a definition.
    fn claim(&mut self, unit: &mut Unit, name: &Name, sort: Sort) -> Result<(), Reported> {
        if name.is_wildcard() {
            return Err(self.error(CheckError::Nameless("a definition"), name.span));
        }
        if sort == Sort::Struct && BUILTIN_TYPES.contains(&name.as_str()) {
            return Err(self.error(CheckError::BuiltinType(name.text.to_string()), name.span));
        }
        let earlier = match self.kind {
            SessionKind::Program => self.env.names.get(&name.text).map(|def| def.span),
            SessionKind::Repl => None,
        };
        match earlier.or_else(|| unit.names.get(&name.text).map(|claim| claim.span)) {
            Some(first) => Err(self.duplicate("defined", name, first)),
            None => {
                unit.names.insert(name.text.clone(), Claim { span: name.span, sort });
                Ok(())
            }
        }
    }

    fn duplicate(&mut self, what: &'static str, name: &Name, first: Span) -> Reported {
        let error = CheckError::Duplicate { what, name: name.text.to_string() };
        self.report(Diagnostic::error(error, name.span).with_label(first, "the first one is here"))
    }

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
