//! Warnings: parts of a program that runs, but that are not what they seem.
//!
//! In: marks that the checker leaves where it knows types (`compare`, `bytes`, and the arms of matches), and the syntax
//! trees with the environment that they made (`names`, `imports`). Out: diagnostics of severity warning, in source
//! order. Invariants: nothing of the prelude is ever reported; a body that is checked for several sets of types is
//! reported once, and what one set clears is not reported for another; without a wish for warnings nothing is done.
//!
//! The pass over the trees resolves names by itself, as the checker does, because uses matter that the checker does not
//! make: bodies of generic functions that nothing calls, and reads told apart from assignments.

mod bytes;
mod compare;
mod effects;
mod fix;
mod imports;
mod kind;
mod meanings;
mod names;
mod noted;
mod report;
mod walk;

use hashbrown::HashSet;

pub use kind::Warning;
pub(super) use meanings::Meanings;

use super::attention::Warnings;
use super::blueprint::Author;
use super::unit::Unit;
use super::{Checker, File, Role};
use crate::diagnostic::{Diagnostic, Edit, Fix, MAX_DIAGNOSTICS};
use crate::settings::check::KEPT;
use crate::source::{FileId, Span};

impl Checker<'_> {
    /// Returns true if what is being checked can be warned about.
    pub(super) fn warns(&self) -> bool {
        self.warnings.is_wanted && self.author == Author::Program
    }

    /// Records a warning, unless it is known.
    pub(super) fn warn(&mut self, diagnostic: Diagnostic) {
        if !self.warns() || self.warnings.found.len() >= KEPT {
            return;
        }
        if self.warnings.seen.insert((diagnostic.kind.code(), diagnostic.span)) {
            self.warnings.found.push(diagnostic);
        }
    }

    /// Notes that there is nothing to warn of at a place, whatever other sets of types say.
    pub(super) fn clear(&mut self, warning: &Warning, span: Span) {
        if self.warns() {
            self.warnings.cleared.insert((warning.code(), span));
        }
    }

    /// A statement behind one that always leaves.
    pub(super) fn unreachable(&mut self, span: Span) {
        self.warn(Diagnostic::warning(Warning::Unreachable, span));
    }

    /// An arm of a match, and the knowledge of whether a value comes to it.
    pub(super) fn arm_is_reached(&mut self, is_reached: bool, arm: &crate::ast::Arm) {
        let (Some(first), Some(last)) = (arm.patterns.first(), arm.patterns.last()) else { return };
        let span = first.span.to(last.span);
        match is_reached {
            true => self.clear(&Warning::UnreachedArm, span),
            false => self.warn(Diagnostic::warning(Warning::UnreachedArm, span)),
        }
    }

    /// The imports of an input, before it is taken apart.
    pub(super) fn imports_to_watch(&self, files: &[File]) -> Vec<imports::Imported> {
        if self.warnings.is_wanted { imports::imports_of(files) } else { Vec::new() }
    }

    /// Completes the warnings, which come out in source order.
    pub(super) fn all_warnings(&mut self, unit: &Unit, imports: &[imports::Imported]) -> Vec<Diagnostic> {
        if !self.warnings.is_wanted {
            return Vec::new();
        }
        let errors = self.reports.spans();
        self.report_names(unit, imports, &errors);
        if errors.is_empty() {
            self.report_ignored();
            self.report_main(unit);
        }
        let Warnings { found, cleared, .. } = std::mem::take(&mut self.warnings);
        let is_left = |found: &Diagnostic| !cleared.contains(&(found.kind.code(), found.span));
        let mut found: Vec<_> = found.into_iter().filter(is_left).collect();
        found.sort_by_key(|warning| (warning.span.file, warning.span.start, warning.span.end));
        if found.len() > MAX_DIAGNOSTICS {
            found.truncate(MAX_DIAGNOSTICS);
            if let Some(last) = found.last_mut() {
                last.notes.push("there are more warnings, which are left out".to_owned());
            }
        }
        found
    }

    /// Warns of calls of the program's `main` among the statements that run before it.
    fn report_main(&mut self, unit: &Unit) {
        use crate::ast::{ExprKind, StmtKind};
        let is_root = |role: Role| role == Role::Root;
        let Some(root) = unit.files.iter().find(|file| is_root(file.role)) else { return };
        let is_main = |item: &crate::ast::Fn| item.name.as_str() == "main" && item.name.span.file == root.file;
        let Some((item, _)) = unit.fns.iter().find(|(item, _)| is_main(item)) else { return };
        for (_, stmt) in &root.stmts {
            let StmtKind::Expr(expr) = &stmt.kind else { continue };
            let ExprKind::Call { callee, .. } = &expr.unparenthesized().kind else { continue };
            if matches!(&callee.unparenthesized().kind, ExprKind::Name(name) if name.as_str() == "main") {
                let warning = Diagnostic::warning(Warning::MainTwice, stmt.span);
                let warning = warning.with_label(item.name.span, "it is defined here");
                self.warn(warning.with_help("remove the call"));
            }
        }
    }

    /// The fix that gives a name that nothing reads an underscore, unless the new name is taken.
    fn underscored(&self, name: &crate::ast::Name) -> Option<Fix> {
        let new = format!("_{}", name.as_str());
        let text = &self.sources.file(name.span.file).text;
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let is_taken = text
            .match_indices(&new)
            .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + new.len()..].starts_with(is_part));
        let edits = vec![Edit { span: name.span, text: new.clone() }];
        (!is_taken).then(|| Fix { title: format!("name it `{new}` if that is meant"), edits })
    }
}

/// The files of an input of which others may use all names: those that are imported, and a root that is a library.
fn shared_files(unit: &Unit, imports: &[imports::Imported]) -> HashSet<FileId> {
    use crate::ast::StmtKind;
    let mut shared: HashSet<FileId> = imports.iter().map(|import| import.target).collect();
    let runs = |stmt: &crate::ast::Stmt| !matches!(stmt.kind, StmtKind::Let(_) | StmtKind::Const(_));
    for file in &unit.files {
        let has_statements = file.stmts.iter().any(|(_, stmt)| runs(stmt));
        let mut fns = unit.fns.iter().filter(|(item, _)| item.name.span.file == file.file);
        let has_main = fns.clone().any(|(item, _)| item.name.as_str() == "main");
        let defines = fns.next().is_some()
            || unit.structs.iter().any(|item| item.name.span.file == file.file)
            || unit.enums.iter().any(|item| item.name.span.file == file.file);
        if file.role == Role::Imported || !has_statements && !has_main && defines {
            shared.insert(file.file);
        }
    }
    shared
}
