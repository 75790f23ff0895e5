//! Namespaces: the names of a file that is imported by a name of its own are its own, and those of what it imports.
//!
//! In: the files of an input, each with the namespace that loading gave it. Out: where a name is defined and looked up.
//! Invariant: a namespace is named by the file that was imported by a name; the program's has none. A file belongs to one
//! namespace, that of its first importer; later importers see that namespace.

use std::sync::Arc;

use super::environment::{Def, DefKind, Environment};
use super::{Checker, File};
use crate::ast::Name;
use crate::source::FileId;

impl Environment {
    /// The namespace that a file belongs to; none for the program's.
    pub(crate) fn namespace_of(&self, file: FileId) -> Option<FileId> {
        self.namespaces.get(&file).copied()
    }

    /// The definition of `name` in a namespace, of its own or of one that it sees.
    pub(crate) fn lookup_in(&self, namespace: Option<FileId>, name: &str) -> Option<Def> {
        let own = |namespace: Option<FileId>| match namespace {
            Some(root) => self.modules.get(&root).and_then(|names| names.get(name)).copied(),
            None => self.names.get(name).copied(),
        };
        let seen = || self.sees.get(&namespace).into_iter().flatten().find_map(|&seen| own(seen));
        let of_host = || self.host_files.iter().rev().find_map(|&file| own(Some(file)));
        own(namespace).or_else(seen).or_else(of_host)
    }

    /// The definition of `name` that the file which is imported as a module gives.
    pub(crate) fn member_of(&self, module: FileId, name: &str) -> Option<Def> {
        match self.namespace_of(module) {
            Some(namespace) => self.lookup_in(Some(namespace), name),
            // The file was imported without a name, too: its names are the program's.
            None => self.names.get(name).copied().filter(|def| def.span.file == module),
        }
    }

    /// The names that a module gives.
    pub(crate) fn members_of(&self, module: FileId) -> Vec<Arc<str>> {
        match self.namespace_of(module) {
            Some(namespace) => self.modules.get(&namespace).into_iter().flat_map(|names| names.keys().cloned()).collect(),
            None => self.names.iter().filter(|(_, def)| def.span.file == module).map(|(name, _)| name.clone()).collect(),
        }
    }

    /// Gives a name its meaning in the namespace of the file in which it stands; the earlier meaning comes out.
    pub(crate) fn define(&mut self, name: &Name, kind: DefKind) -> Option<Def> {
        let def = Def { span: name.span, kind };
        match self.namespace_of(name.span.file) {
            Some(root) => self.modules.entry(root).or_default().insert(name.text.clone(), def),
            None => self.names.insert(name.text.clone(), def),
        }
    }
}

impl Checker<'_> {
    /// Notes the namespaces of the files of an input, and what each sees.
    pub(super) fn open_namespaces(&mut self, files: &[File]) {
        for file in files {
            if let Some(root) = file.namespace {
                self.env.namespaces.insert(file.program.file, root);
                self.env.modules.entry(root).or_default();
            }
        }
        for file in files {
            let from = self.env.namespace_of(file.program.file);
            for (_, to) in file.imports.iter().filter(|(alias, _)| alias.is_none()) {
                let to = self.env.namespace_of(*to);
                if to != from {
                    self.env.sees.entry(from).or_default().push(to);
                }
            }
        }
    }
}
