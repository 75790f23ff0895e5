//! The graph of a crate's files, by the names that they use of each other, and its circles.
//!
//! In: the file of a crate's root. Out: [`FileGraph`], and the sets of files that need each other.
//!
//! The rule: a file needs another one if it names an item that the other defines, be it in an import, in a path or by a
//! bare name that a glob or a re-export brings in; inside macros, too. A name is followed through imports and re-exports
//! to the file that defines it, and only that file is needed.
//!
//! - A module that is named for the sake of an item in it is not needed: `mod child;` needs no child.
//! - A re-export of what a descendant defines is a signpost: the file with it does not need the descendant, and whoever
//!   follows it does. Once that file uses the name itself, it needs the descendant like any other file. So a driver in
//!   `mod.rs` that calls its children is in a circle with those that use a type which `mod.rs` defines.
//! - A re-export of anything else is a use of it.
//! - A function that is named by its type is followed to the `impl` that has it, too. A method that is called by a dot is
//!   not: the call does not say whose it is. Neither is a link in a comment.
//! - Code for tests alone is left out: it may look at everything.

mod modules;
mod names;
mod tests;

use modules::{Module, Use};
use names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The files of a crate, and what each takes from others.
pub(crate) struct FileGraph {
    /// The names that a file uses of others, by both.
    uses: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl FileGraph {
    /// That of the crate whose root is `file`, a path from `root`.
    pub(crate) fn of_crate(root: &Path, file: &str) -> FileGraph {
        let modules = modules::read(root, file);
        let names = Names::new(&modules);
        let mut uses: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> =
            modules.iter().map(|module| (module.file.clone(), BTreeMap::new())).collect();
        for (at, module) in modules.iter().enumerate() {
            let imports = module.uses.iter().filter(|import| !is_signpost(&modules, &names, at, import));
            for path in imports.map(|import| &import.path).chain(&module.mentions) {
                let files = names.defining(at, path).into_iter().map(|module| &modules[module].file);
                for file in files.filter(|file| **file != module.file) {
                    let needed = uses.get_mut(&module.file).expect("each file has an entry");
                    needed.entry(file.clone()).or_default().extend(path.last().cloned());
                }
            }
        }
        FileGraph { uses }
    }

    /// The sets of two and more files each of which needs all others, over some steps: the strongly connected components
    /// [Tarjan72].
    ///
    /// [Tarjan72] R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing 1(2), 1972.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let mut search =
            Search { graph: self, number: BTreeMap::new(), low: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
        for file in self.uses.keys() {
            if !search.number.contains_key(file.as_str()) {
                search.visit(file);
            }
        }
        search.found.sort();
        search.found
    }

    /// A circle for people: its files, and the names by which each needs others of it.
    pub(crate) fn describe(&self, circle: &[String]) -> String {
        let mut text = format!("{} files need each other:", circle.len());
        for from in circle {
            for (to, names) in self.uses[from].iter().filter(|(to, _)| circle.contains(to)) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                text += &format!("\n    {from} -> {to}: {}", names.join(", "));
            }
        }
        text
    }
}

/// True of a re-export of what is defined at or below the module that has it.
fn is_signpost(modules: &[Module], names: &Names<'_>, at: usize, import: &Use) -> bool {
    import.is_exported && names.modules_of(at, &import.path).iter().all(|found| is_within(modules, *found, at))
}

fn is_within(modules: &[Module], module: usize, above: usize) -> bool {
    module == above || modules[module].parent.is_some_and(|parent| is_within(modules, parent, above))
}

/// A depth-first search for circles.
struct Search<'a> {
    graph: &'a FileGraph,
    number: BTreeMap<&'a str, usize>,
    /// The least number that is known to be reached from a file.
    low: BTreeMap<&'a str, usize>,
    /// Files whose circle is not complete.
    stack: Vec<&'a str>,
    found: Vec<Vec<String>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, file: &'a str) {
        let number = self.number.len();
        self.number.insert(file, number);
        self.low.insert(file, number);
        self.stack.push(file);
        for next in self.graph.uses[file].keys().map(String::as_str) {
            if !self.number.contains_key(next) {
                self.visit(next);
                self.low.insert(file, self.low[file].min(self.low[next]));
            } else if self.stack.contains(&next) {
                self.low.insert(file, self.low[file].min(self.number[next]));
            }
        }
        if self.low[file] == number {
            let first = self.stack.iter().position(|open| *open == file).expect("it is there until it is found");
            let mut circle: Vec<String> = self.stack.drain(first..).map(str::to_owned).collect();
            circle.sort();
            if circle.len() > 1 {
                self.found.push(circle);
            }
        }
    }
}
