//! Names to the files that define them.
//!
//! In: a path, and the module that it stands in. Out: the modules that define what it may name: a module, a type and a
//! function may share a name. Invariant: names of other crates lead nowhere.

use super::modules::Module;
use std::collections::{BTreeMap, BTreeSet};

/// The modules of a crate, in which names are looked up.
pub(super) struct Names<'a> {
    modules: &'a [Module],
    /// The modules with the functions and constants of a type, by the type's own module, its name and theirs.
    implemented: BTreeMap<(usize, &'a str, &'a str), BTreeSet<usize>>,
}

/// A thing that a path names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Named<'a> {
    Module(usize),
    /// An item of a module, by its name there.
    Item(usize, &'a str),
    /// A thing of another crate, or none.
    Elsewhere,
}

/// Names that are being looked up in modules, since imports may lead in circles.
type Asked<'a> = BTreeSet<(usize, &'a str)>;

impl<'a> Names<'a> {
    pub(super) fn new(modules: &'a [Module]) -> Names<'a> {
        let mut names = Names { modules, implemented: BTreeMap::new() };
        for (at, module) in modules.iter().enumerate() {
            for (of, functions) in &module.impls {
                for found in names.named(at, of, &mut Asked::new()) {
                    let Named::Item(module, of) = found else { continue };
                    for function in functions {
                        names.implemented.entry((module, of, function)).or_default().insert(at);
                    }
                }
            }
        }
        names
    }

    /// The modules that define the items which a path of a module names; a module is no item.
    pub(super) fn defining(&self, at: usize, path: &'a [String]) -> BTreeSet<usize> {
        let items = self.named(at, path, &mut Asked::new()).into_iter().filter_map(|named| match named {
            Named::Item(module, _) => Some(module),
            Named::Module(_) | Named::Elsewhere => None,
        });
        items.collect()
    }

    /// The modules that a path names, and those that define the items which it names.
    pub(super) fn modules_of(&self, at: usize, path: &'a [String]) -> BTreeSet<usize> {
        let found = self.named(at, path, &mut Asked::new()).into_iter().filter_map(|named| match named {
            Named::Item(module, _) | Named::Module(module) => Some(module),
            Named::Elsewhere => None,
        });
        found.collect()
    }

    fn named(&self, at: usize, path: &'a [String], asked: &mut Asked<'a>) -> BTreeSet<Named<'a>> {
        let Some((first, rest)) = path.split_first() else { return BTreeSet::new() };
        let mut found = match first.as_str() {
            "crate" => BTreeSet::from([Named::Module(0)]),
            "self" => BTreeSet::from([Named::Module(at)]),
            "super" => self.parent(at),
            name => self.in_module(at, name, asked),
        };
        if found.is_empty() {
            found.insert(Named::Elsewhere);
        }
        for name in rest {
            // A function has nothing behind a double colon, and a type has no namesake among modules.
            if found.iter().any(|named| matches!(named, Named::Module(_))) {
                found.retain(|named| matches!(named, Named::Module(_)));
            }
            found = found.into_iter().flat_map(|named| self.step(named, name, asked)).collect();
        }
        found
    }

    /// The things that a name behind a double colon may name.
    fn step(&self, named: Named<'a>, name: &'a str, asked: &mut Asked<'a>) -> BTreeSet<Named<'a>> {
        match named {
            Named::Module(module) if name == "super" => self.parent(module),
            Named::Module(module) => {
                let found = self.in_module(module, name, asked);
                // What a macro defines has no item of its own.
                if found.is_empty() { BTreeSet::from([Named::Item(module, name)]) } else { found }
            }
            Named::Elsewhere => BTreeSet::from([named]),
            // A variant, or what a type has wherever that is implemented.
            Named::Item(module, of) => {
                let implemented = self.implemented.get(&(module, of, name)).into_iter().flatten();
                let found = implemented.map(|module| Named::Item(*module, name));
                found.chain([named]).collect()
            }
        }
    }

    fn parent(&self, at: usize) -> BTreeSet<Named<'a>> {
        self.modules[at].parent.map(Named::Module).into_iter().collect()
    }

    /// The things that a module has under a name, of its own and by its imports.
    fn in_module(&self, at: usize, name: &'a str, asked: &mut Asked<'a>) -> BTreeSet<Named<'a>> {
        let module = &self.modules[at];
        let mut found: BTreeSet<Named> = module.children.get(name).copied().map(Named::Module).into_iter().collect();
        if module.items.contains(name) {
            found.insert(Named::Item(at, name));
        }
        if at == 0 {
            let macros =
                self.modules.iter().enumerate().filter(|(_, module)| module.exported.iter().any(|it| it == name));
            found.extend(macros.map(|(module, _)| Named::Item(module, name)));
        }
        if !asked.insert((at, name)) {
            return found;
        }
        for import in module.uses.iter().filter(|import| import.name.as_deref() == Some(name)) {
            found.extend(self.named(at, &import.path, asked));
        }
        // What is named goes before what comes with a glob.
        if found.is_empty() {
            for import in module.uses.iter().filter(|import| import.name.is_none()) {
                for from in self.named(at, &import.path, asked) {
                    match from {
                        Named::Module(from) => found.extend(self.in_module(from, name, asked)),
                        Named::Elsewhere => _ = found.insert(Named::Elsewhere),
                        // The variants of a type.
                        Named::Item(..) => {}
                    }
                }
            }
        }
        asked.remove(&(at, name));
        found
    }
}
