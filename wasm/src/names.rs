//! The names of functions, locals and globals.
//!
//! In: the name section, which may be missing or malformed, imports and exports. Out: a name for each function, no two alike, as
//! profiles and advice go by names; and one for each local and global, by which questions for values mean them. Invariant: a malformed section is the same as
//! none.

use crate::sections::Sections;
use hashbrown::{HashMap, HashSet};
use wasmparser::{ExternalKind, Name, NameMap};

/// The names of a module.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) functions: Vec<String>,
    pub(crate) globals: Vec<String>,
    /// By function and local.
    locals: HashMap<(u32, u32), String>,
}

impl Names {
    /// The names of a module.
    pub(crate) fn of(sections: &Sections<'_>) -> Names {
        let mut names = Names::default();
        let mut functions = HashMap::new();
        let mut globals = HashMap::new();
        for (function, import) in sections.imported_functions.iter().enumerate() {
            functions.insert(function as u32, format!("{}.{}", import.module, import.name));
        }
        for export in &sections.exports {
            match export.kind {
                ExternalKind::Func => drop(functions.entry(export.index).or_insert_with(|| export.name.to_owned())),
                ExternalKind::Global => drop(globals.entry(export.index).or_insert_with(|| export.name.to_owned())),
                _ => {}
            }
        }
        for name in sections.names.clone().into_iter().flatten().flatten() {
            match name {
                Name::Function(map) => read(map, |index, name| drop(functions.insert(index, name))),
                Name::Global(map) => read(map, |index, name| drop(globals.insert(index, name))),
                Name::Local(maps) => {
                    for map in maps.into_iter().flatten() {
                        read(map.names, |index, name| drop(names.locals.insert((map.index, index), name)));
                    }
                }
                _ => {}
            }
        }
        names.functions = distinct(functions, sections.functions.len(), |index| format!("func[{index}]"));
        names.globals = distinct(globals, sections.globals.len(), |index| format!("global{index}"));
        names
    }

    /// The name of a local: its own, or one that its index makes.
    pub(crate) fn local(&self, function: u32, local: u32) -> String {
        self.locals.get(&(function, local)).cloned().unwrap_or_else(|| format!("local{local}"))
    }
}

fn read(map: NameMap<'_>, mut each: impl FnMut(u32, String)) {
    for naming in map.into_iter().flatten() {
        if !naming.name.is_empty() {
            each(naming.index, naming.name.to_owned());
        }
    }
}

/// A name for each index: its own, or what its index makes, with the index where another has that, too.
fn distinct(mut names: HashMap<u32, String>, count: usize, made: impl Fn(u32) -> String) -> Vec<String> {
    let mut taken = HashSet::new();
    (0..count as u32)
        .map(|index| {
            let mut name = names.remove(&index).unwrap_or_else(|| made(index));
            while !taken.insert(name.clone()) {
                name = format!("{name}[{index}]");
            }
            name
        })
        .collect()
}
