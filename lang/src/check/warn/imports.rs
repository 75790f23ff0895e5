//! Imports that are not used.
//!
//! In: the imports of an input, and which file uses names of which. Out: warnings, each with the fix that removes the
//! import. Invariant: an import that runs statements is used, whether or not a name is.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::super::unit::Unit;
use super::super::{Checker, File};
use super::names::Uses;
use super::{Warning, with_fix};
use crate::ast::{self, Item, TopLevel};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::{FileId, Span};

/// An import of an input.
pub(in crate::check) struct Imported {
    pub(super) import: ast::Import,
    /// The file in which it stands.
    pub(super) importer: FileId,
    /// The file that it names.
    pub(super) target: FileId,
}

/// The imports of files, whose targets loading has noted in order.
pub(super) fn imports_of(files: &[File]) -> Vec<Imported> {
    let mut all = Vec::new();
    for file in files {
        let items = file.program.body.iter().filter_map(|part| match part {
            TopLevel::Item(Item::Import(import)) => Some(import),
            TopLevel::Item(Item::Fn(_) | Item::Struct(_) | Item::Enum(_) | Item::Const(_)) | TopLevel::Stmt(_) => None,
        });
        for (import, (_, target)) in items.zip(&file.imports) {
            all.push(Imported { import: import.clone(), importer: file.program.file, target: *target });
        }
    }
    all
}

impl Checker<'_> {
    /// Warns of imports that nothing needs.
    pub(super) fn report_imports(&self, unit: &Unit, imports: &[Imported], uses: &Uses<'_>) -> Vec<Diagnostic> {
        let mut targets: HashMap<FileId, Vec<FileId>> = HashMap::new();
        for import in imports {
            targets.entry(import.importer).or_default().push(import.target);
        }
        let running: HashSet<FileId> =
            unit.files.iter().filter(|file| !file.stmts.is_empty()).map(|file| file.file).collect();
        let mut found = Vec::new();
        for import in imports {
            let reached = reached(&targets, import.target);
            if reached.iter().any(|file| running.contains(file)) {
                continue;
            }
            let is_used = match &import.import.alias {
                Some(alias) => alias.is_wildcard() || uses.is_read(alias.span),
                None => uses.files().any(|(user, of)| {
                    // Another file may see the names only because this one imports them.
                    let sees = user == import.importer || !reached.contains(&user);
                    sees && reached.contains(&of)
                }),
            };
            if !is_used {
                let name: Arc<str> = match &import.import.alias {
                    Some(alias) => alias.text.clone(),
                    None => import.import.path.as_str().into(),
                };
                let edits = vec![Edit { span: self.whole_line(import.import.span), text: String::new() }];
                let fix = Fix { title: "remove the import".to_owned(), edits };
                found.push(with_fix(Warning::UnusedImport(name.to_string()), import.import.span, Some(fix)));
            }
        }
        found
    }

    /// The line of a span that is alone on it, with its end; else the span, with a `;` behind it.
    fn whole_line(&self, span: Span) -> Span {
        let text = &self.sources.file(span.file).text;
        let (start, end) = (span.start as usize, span.end as usize);
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[end..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', ';']).len();
        let newline = ["\r\n", "\n"].into_iter().find(|newline| rest[blanks..].starts_with(newline));
        let ends = newline.is_some() || rest.len() == blanks;
        match ends && text[line..start].trim().is_empty() {
            true => Span::new(span.file, line as u32, (end + blanks + newline.map_or(0, str::len)) as u32),
            false => Span::new(span.file, span.start, (end + blanks) as u32),
        }
    }
}

/// A file and all that it imports, and so on.
fn reached(targets: &HashMap<FileId, Vec<FileId>>, from: FileId) -> HashSet<FileId> {
    let mut found = HashSet::new();
    let mut pending = vec![from];
    while let Some(file) = pending.pop() {
        if found.insert(file) {
            pending.extend(targets.get(&file).into_iter().flatten());
        }
    }
    found
}
