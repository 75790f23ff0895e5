//! A program that takes the place of itself while its globals keep their values.
//!
//! In: the new text of a file of the program. Out: the additions, or what does not fit. The text is checked twice: as a
//! whole, without the definitions of the old text; then without what stays, with the old one's globals.
//!
//! Invariants: a global of both texts keeps its value, and has the type and the mutability that it had; structs and enums
//! whose definitions are the same stay, so that values of them go on. Of the new text's statements only those run that
//! define new globals; of the parts of a tuple, only those get a value that have a new name. A function whose signature is the same keeps its id, so function values call the new body.

use super::load;
use super::{Added, Definition, Input, Loader, Session, SessionKind};
use crate::ast::{Item, Stmt, StmtKind, TopLevel};
use crate::check::environment::{Def, DefKind, Environment};
use crate::check::{self, Attention, File, Role};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use hashbrown::HashSet;
use std::sync::Arc;

/// Reasons for which a program is not replaced. Nothing has changed then.
#[derive(Debug)]
pub enum ReloadError {
    /// The new text has errors.
    Diagnostics(Vec<Diagnostic>),
    /// A global would have another type, or other mutability.
    Global {
        /// Its name.
        name: String,
        /// The place of its new definition.
        span: Span,
        /// Its head, or that of a struct or enum in its type, as it was.
        was: String,
        /// The same as it would be.
        now: String,
    },
}

impl Session {
    /// Replaces the text of the file that was added under the input's name.
    pub fn reload(&mut self, input: Input<'_>, loader: &mut dyn Loader) -> Result<Added, ReloadError> {
        let of_program = |id: &FileId| !self.env.host_files.contains(id);
        let named = self.sources.files().filter(|(_, file)| file.name == input.name).map(|(id, _)| id);
        let old: HashSet<FileId> = named.filter(of_program).collect();
        let mut loaded = self.loaded.clone();
        let refused = ReloadError::Diagnostics;
        let files = load::load(&input, &mut self.sources, loader, &mut loaded, self.kind).map_err(refused)?;
        let whole = self.as_if_new(&old, &files).map_err(refused)?;
        self.compare_globals(&old, &whole)?;

        let mut env = self.env.clone();
        let defined: HashSet<Arc<str>> = files.iter().filter(|file| file.role == Role::Root).flat_map(names).collect();
        env.names.retain(|name, def| !old.contains(&def.span.file) || defined.contains(name));
        let files = files.into_iter().map(|file| self.without_what_stays(file, &old, &whole)).collect();
        let output =
            check::check(&mut env, &mut self.sources, SessionKind::Repl, Attention::Errors, files).map_err(refused)?;
        let added = self.take(env, loaded, output);
        self.publish();
        Ok(added)
    }

    /// The environment that the new text makes without the old one.
    fn as_if_new(&mut self, old: &HashSet<FileId>, files: &[File]) -> Result<Environment, Vec<Diagnostic>> {
        let mut env = self.env.clone();
        env.names.retain(|_, def| !old.contains(&def.span.file));
        let files = files.iter().map(File::clone).collect();
        check::check(&mut env, &mut self.sources, SessionKind::Repl, Attention::Errors, files)?;
        Ok(env)
    }

    fn definition_in(&self, env: &Environment, name: &str, def: Def) -> Definition {
        env.definition(name, def, &self.sources)
    }

    /// Compares the globals of both texts, with the structs and enums that their types name.
    fn compare_globals(&self, old: &HashSet<FileId>, whole: &Environment) -> Result<(), ReloadError> {
        for (name, def) in self.env.names.iter().filter(|(_, def)| old.contains(&def.span.file)) {
            let Some(new) = whole.names.get(name).filter(|_| matches!(def.kind, DefKind::Global(_))) else { continue };
            let (was, now) = (self.definition_in(&self.env, name, *def), self.definition_in(whole, name, *new));
            let differs = |was: Definition, now: Definition| ReloadError::Global {
                name: name.to_string(),
                span: new.span,
                was: was.head,
                now: now.head,
            };
            if was.head != now.head {
                return Err(differs(was, now));
            }
            let mut words: Vec<String> = words(&was.head);
            let mut seen: HashSet<String> = HashSet::new();
            while let Some(word) = words.pop() {
                let (Some(was), Some(now)) = (self.env.names.get(&*word), whole.names.get(&*word)) else { continue };
                if !is_data(was.kind) || !seen.insert(word.clone()) {
                    continue;
                }
                let (was, now) = (self.definition_in(&self.env, &word, *was), self.definition_in(whole, &word, *now));
                if was.head != now.head {
                    return Err(differs(was, now));
                }
                words.extend(self::words(&was.head));
            }
        }
        Ok(())
    }

    /// A file of the new text without the definitions that stay, and without statements that define nothing new.
    fn without_what_stays(&self, mut file: File, old: &HashSet<FileId>, whole: &Environment) -> File {
        if file.role != Role::Root {
            return file;
        }
        let stays = |name: &Arc<str>| {
            let (Some(was), Some(now)) = (self.env.names.get(name), whole.names.get(name)) else { return false };
            let is_same =
                || self.definition_in(&self.env, name, *was).head == self.definition_in(whole, name, *now).head;
            old.contains(&was.span.file)
                && match was.kind {
                    DefKind::Global(_) => true,
                    kind => is_data(kind) && is_same(),
                }
        };
        file.program.body.retain_mut(|part| match part {
            TopLevel::Item(Item::Struct(item)) => !stays(&item.name.text),
            TopLevel::Item(Item::Enum(item)) => !stays(&item.name.text),
            TopLevel::Item(Item::Fn(_) | Item::Const(_) | Item::Import(_)) => true,
            TopLevel::Stmt(Stmt { kind: StmtKind::Let(item), .. }) => {
                item.binder.leave_out(&stays);
                item.binder.names().iter().any(|name| !name.is_wildcard())
            }
            TopLevel::Stmt(_) => false,
        });
        file
    }
}

/// True if a name means a type.
fn is_data(kind: DefKind) -> bool {
    match kind {
        DefKind::Struct(_) | DefKind::Template(_) => true,
        DefKind::Fn(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => false,
    }
}

/// The names that a file defines.
fn names(file: &File) -> Vec<Arc<str>> {
    let of = |part: &TopLevel| match part {
        TopLevel::Item(Item::Fn(item)) => vec![item.name.text.clone()],
        TopLevel::Item(Item::Struct(item)) => vec![item.name.text.clone()],
        TopLevel::Item(Item::Enum(item)) => vec![item.name.text.clone()],
        TopLevel::Item(Item::Const(item)) => vec![item.name.text.clone()],
        TopLevel::Item(Item::Import(import)) => import.alias.iter().map(|name| name.text.clone()).collect(),
        TopLevel::Stmt(Stmt { kind: StmtKind::Let(item), .. }) => {
            item.binder.names().iter().map(|name| name.text.clone()).collect()
        }
        TopLevel::Stmt(_) => Vec::new(),
    };
    file.program.body.iter().flat_map(of).collect()
}

/// The words of a definition's head.
fn words(head: &str) -> Vec<String> {
    head.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
}
