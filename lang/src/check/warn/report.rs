//! Warnings of names: from their uses to messages.
//!
//! In: the definitions of an input and its errors. Out: warnings. Invariants: where something is wrong, the uses in it
//! are not all known, so only locals of other parts are reported; a fix does not change what the program does.

use hashbrown::{HashMap, HashSet};

use super::super::Checker;
use super::super::unit::Unit;
use super::fix::with_fix;
use super::imports::Imported;
use super::names::{LocalKind, LocalName, Uses};
use super::{Warning, shared_files};
use crate::ast::{Mutability, Name, Stmt, StmtKind};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::{FileId, Span};

impl Checker<'_> {
    /// Warns of names that nothing uses, and of `var`s that nothing assigns.
    pub(super) fn report_names(&mut self, unit: &Unit, imports: &[Imported], errors: &[Span]) {
        for warning in self.name_warnings(unit, imports, errors) {
            self.warn(warning);
        }
    }

    fn name_warnings(&self, unit: &Unit, imports: &[Imported], errors: &[Span]) -> Vec<Diagnostic> {
        let mut uses = Uses::new(self.env);
        uses.unit(unit);
        let mut found = self.locals(&uses.locals, errors);
        if errors.is_empty() {
            let shared = shared_files(unit, imports);
            found.extend(self.report_imports(unit, imports, &uses));
            found.extend(self.globals(unit, &uses, &shared));
            found.extend(definitions(unit, &uses, &shared));
        }
        found
    }

    fn locals(&self, locals: &[LocalName], errors: &[Span]) -> Vec<Diagnostic> {
        let inside =
            |part: Span, error: &Span| part.file == error.file && part.start <= error.end && error.start <= part.end;
        let is_right = |local: &&LocalName| !errors.iter().any(|error| inside(local.part, error));
        let mut found = Vec::new();
        // The names that one statement declares with `var`.
        let mut together: HashMap<Span, Vec<&LocalName>> = HashMap::new();
        for local in locals.iter().filter(is_right) {
            if let LocalKind::Variable(Mutability::Variable) = local.kind {
                together.entry(local.statement).or_default().push(local);
            }
            let is_prescribed = self.warnings.prescribed.contains(&local.name.span);
            if !local.is_read && !local.name.text.starts_with('_') && !is_prescribed {
                let unused = self.unused(&local.name, local.kind, local.is_assigned);
                found.push(match local.hides {
                    Some(hidden) => bound_anew(unused, &local.name, hidden),
                    None => unused,
                });
            }
        }
        for (statement, names) in together {
            if names.iter().all(|local| !local.is_assigned && !local.is_changed)
                && names.iter().any(|local| local.is_read)
            {
                found.extend(self.never_assigned(&names[0].name, statement));
            }
        }
        found
    }

    fn unused(&self, name: &Name, kind: LocalKind, assigned: bool) -> Diagnostic {
        let text = name.text.to_string();
        let what = match kind {
            LocalKind::Param => return with_fix(Warning::UnusedParam(text), name.span, self.underscored(name)),
            LocalKind::Constant => "constant",
            LocalKind::Message => "message",
            LocalKind::LoopVariable => "loop variable",
            LocalKind::Variable(_) => "variable",
        };
        let fix = match kind {
            LocalKind::LoopVariable => {
                let edits = vec![Edit { span: name.span, text: "_".to_owned() }];
                Some(Fix { title: "write `_` if that is meant".to_owned(), edits })
            }
            _ if assigned => None,
            _ => self.underscored(name),
        };
        with_fix(Warning::UnusedVariable { what, name: text, assigned }, name.span, fix)
    }

    fn never_assigned(&self, name: &Name, statement: Span) -> Option<Diagnostic> {
        let word = Span { end: statement.start + 3, ..statement };
        if self.sources.snippet(statement).get(..3) != Some("var") {
            return None;
        }
        let fix = Fix { title: "write `let`".to_owned(), edits: vec![Edit { span: word, text: "let".to_owned() }] };
        Some(with_fix(Warning::NeverAssigned(name.text.to_string()), name.span, Some(fix)))
    }

    /// Warns of top-level variables.
    fn globals(&self, unit: &Unit, uses: &Uses<'_>, shared: &HashSet<FileId>) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let files = unit.files.iter().filter(|file| !shared.contains(&file.file));
        for (_, Stmt { kind, span }) in files.flat_map(|file| &file.stmts) {
            let (names, kind) = match kind {
                StmtKind::Let(item) => (item.binder.names(), LocalKind::Variable(item.mutability)),
                _ => continue,
            };
            let names: Vec<&Name> = names.into_iter().filter(|name| !name.is_wildcard()).collect();
            for name in names.iter().filter(|name| !uses.is_read(name.span) && !name.text.starts_with('_')) {
                found.push(self.unused(name, kind, uses.is_assigned(name.span)));
            }
            let is_assigned = names.iter().any(|name| uses.is_assigned(name.span) || uses.is_changed(name.span));
            if let LocalKind::Variable(Mutability::Variable) = kind
                && !is_assigned
                && let Some(first) = names.iter().find(|name| uses.is_read(name.span))
            {
                found.extend(self.never_assigned(first, *span));
            }
        }
        let consts = unit.consts.iter().filter(|item| !shared.contains(&item.name.span.file));
        for item in consts.filter(|item| !uses.is_read(item.name.span) && !item.name.text.starts_with('_')) {
            found.push(self.unused(&item.name, LocalKind::Constant, false));
        }
        found
    }
}

/// The warning of a name in a pattern that was perhaps meant to be compared with; renaming it is no fix then.
fn bound_anew(unused: Diagnostic, name: &Name, hidden: Span) -> Diagnostic {
    let name = name.as_str();
    let help = format!("to compare with `{name}`, make that a `const`, or write a guard: `n if n == {name} => ...`");
    let text = format!("the pattern binds a new `{name}`, and does not compare with this one");
    Diagnostic { fix: None, help: Some(help), ..unused.with_label(hidden, text) }
}

/// Functions, structs and enums that neither the statements nor `main` come to.
fn definitions(unit: &Unit, uses: &Uses<'_>, shared: &HashSet<FileId>) -> Vec<Diagnostic> {
    let fns = unit.fns.iter().map(|(item, _)| &item.name);
    let structs = unit.structs.iter().map(|item| &item.name);
    let enums = unit.enums.iter().map(|item| &item.name);
    let is_shared = |name: &&Name| shared.contains(&name.span.file);
    let is_root = |name: &&Name| name.as_str() == "main" || name.text.starts_with('_') || is_shared(name);
    let roots = fns.clone().chain(structs.clone()).chain(enums.clone()).filter(is_root);
    let consts = unit.consts.iter().map(|item| item.name.span);
    let reached = uses.reached(roots.map(|name| name.span).chain(consts));
    let is_unused = |name: &&Name| !reached.contains(&name.span);
    let of =
        |what, name: &Name| Diagnostic::warning(Warning::UnusedType { what, name: name.text.to_string() }, name.span);
    let unused_fns = fns.filter(is_unused);
    unused_fns
        .map(|name| Diagnostic::warning(Warning::UnusedFunction(name.text.to_string()), name.span))
        .chain(structs.filter(is_unused).map(|name| of("struct", name)))
        .chain(enums.filter(is_unused).map(|name| of("enum", name)))
        .collect()
}
