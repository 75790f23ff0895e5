//! The files of an input taken apart: every name once.
//!
//! In: the files. Out: a [`Unit`]. Invariant: a name is claimed by one definition; others are reported and left out.

use std::sync::Arc;

use hashbrown::HashMap;

use super::error::CheckError;
use super::report::Reported;
use super::types::BUILTIN_TYPES;
use super::{Checker, File, Role, SessionKind};
use crate::ast::{self, Item, Name, StmtKind, TopLevel};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// The files of an input, sorted by the work that their parts need.
#[derive(Default)]
pub(super) struct Unit {
    pub(super) structs: Vec<Arc<ast::Struct>>,
    pub(super) enums: Vec<Arc<ast::Enum>>,
    pub(super) consts: Vec<Arc<ast::Const>>,
    pub(super) fns: Vec<(Arc<ast::Fn>, Role)>,
    pub(super) globals: Vec<GlobalItem>,
    pub(super) files: Vec<FileStmts>,
    /// The definition of each name of the program.
    pub(super) names: HashMap<Arc<str>, Claim>,
    /// The definition of each name of other namespaces.
    own_names: HashMap<(FileId, Arc<str>), Claim>,
    /// The names of imports, with the files.
    pub(super) modules: Vec<(Name, FileId)>,
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
    Enum,
    Const,
    Global,
    Module,
}

/// A top-level `let` or `var`.
pub(super) struct GlobalItem {
    pub(super) name: Name,
    pub(super) mutability: ast::Mutability,
    pub(super) position: u32,
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
        for File { program, role, imports, .. } in files {
            for (alias, file) in imports {
                if let Some(alias) = alias
                    && self.claim(&mut unit, &alias, Sort::Module).is_ok()
                {
                    unit.modules.push((alias, file));
                }
            }
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
            Item::Enum(item) => {
                if self.claim(unit, &item.name, Sort::Enum).is_ok() {
                    unit.enums.push(Arc::new(item));
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
        for name in item.binder.names() {
            if !name.is_wildcard() && self.claim(unit, name, Sort::Global).is_ok() {
                let (name, mutability) = (name.clone(), item.mutability);
                unit.globals.push(GlobalItem { name, mutability, position });
            }
        }
    }

    /// Claims a name for a definition.
    fn claim(&mut self, unit: &mut Unit, name: &Name, sort: Sort) -> Result<(), Reported> {
        if name.is_wildcard() {
            return Err(self.error(CheckError::Nameless("a definition"), name.span));
        }
        if matches!(sort, Sort::Struct | Sort::Enum) && BUILTIN_TYPES.contains(&name.as_str()) {
            return Err(self.error(CheckError::BuiltinType(name.text.to_string()), name.span));
        }
        let claim = Claim { span: name.span, sort };
        if let Some(root) = self.env.namespace_of(name.span.file) {
            return match unit.own_names.insert((root, name.text.clone()), claim) {
                Some(first) => Err(self.duplicate("defined", name, first.span)),
                None => Ok(()),
            };
        }
        let earlier = match self.kind {
            SessionKind::Program => self.env.names.get(&name.text).map(|def| def.span),
            SessionKind::Repl => None,
        };
        match earlier.or_else(|| unit.names.get(&name.text).map(|claim| claim.span)) {
            Some(first) => Err(self.duplicate("defined", name, first)),
            None => {
                unit.names.insert(name.text.clone(), claim);
                Ok(())
            }
        }
    }

    pub(super) fn duplicate(&mut self, what: &'static str, name: &Name, first: Span) -> Reported {
        let error = CheckError::Duplicate { what, name: name.text.to_string() };
        self.report(Diagnostic::error(error, name.span).with_label(first, "the first one is here"))
    }
}
