//! Variables of the source language, and where code keeps them.
//!
//! In: the bytes of a module with debug information. Out: for a function, a line and a name the [`VariablePlace`] where code that begins the line finds the value.
//! Invariants: it is read apart from lowering, for those who ask about values. Several places at one line are the first one; code of a line that is inlined belongs to the
//! function that it is in.

mod place;
mod read;

use crate::places::dwarf::{LineRow, rows};
use crate::sections::sections;
use crate::{text, validate};
use place::SourceVariable;
pub use place::{VariableBase, VariablePlace};
use std::ops::Range;

/// The variables of a module.
#[derive(Default)]
pub struct Variables {
    all: Vec<SourceVariable>,
    /// The addresses of each function that has code, from the first one that is not imported.
    functions: Vec<Range<u64>>,
    imported: u32,
    /// The file and line of code from an address on.
    lines: Vec<LineRow>,
}

/// The meaning of a name at a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownVariable {
    /// Its place.
    At(VariablePlace),
    /// There is such a variable, and its value is nowhere.
    Nowhere,
}

impl Variables {
    /// Those of a module; none of what is no valid one, or has no debug information.
    pub fn of(bytes: &[u8]) -> Variables {
        if !text::is_binary(bytes) || validate::validate(bytes).is_err() {
            return Variables::default();
        }
        let sections = sections(bytes);
        let address = |offset: u64| offset.saturating_sub(sections.code);
        let functions = sections.bodies.iter().map(|body| address(body.range().start)..address(body.range().end));
        Variables {
            all: read::variables(&sections.debug),
            functions: functions.collect(),
            imported: sections.imported_functions.len() as u32,
            lines: rows(&sections.debug, sections.bodies.len()),
        }
    }

    /// The meaning of a name where code of a function begins a line; `None` if no variable has it there.
    pub fn find(&self, function: u32, (file, line): (&str, u32), name: &str) -> Option<KnownVariable> {
        let mut is_known = false;
        for address in self.addresses(function, file, line) {
            let Some(variable) = self.visible(address).filter(|variable| variable.name == name).last() else {
                continue;
            };
            is_known = true;
            if let Some((_, place)) = variable.places.iter().find(|(range, _)| range.contains(&address)) {
                return Some(KnownVariable::At(*place));
            }
        }
        is_known.then_some(KnownVariable::Nowhere)
    }

    /// The names that mean something there, in order.
    pub fn names(&self, function: u32, (file, line): (&str, u32)) -> Vec<String> {
        let visible = self.addresses(function, file, line).flat_map(|address| self.visible(address));
        let mut names: Vec<String> = visible.map(|variable| variable.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The addresses at which a line begins in a function.
    fn addresses<'a>(&'a self, function: u32, file: &'a str, line: u32) -> impl Iterator<Item = u64> + 'a {
        let code = function.checked_sub(self.imported).and_then(|at| self.functions.get(at as usize));
        let code = code.cloned().unwrap_or_default();
        let from = self.lines.partition_point(|row| row.address < code.start);
        let is_it = move |row: &&LineRow| {
            row.place.as_ref().is_some_and(|place| (place.file.name.as_str(), place.line) == (file, line))
        };
        let of_function = self.lines[from..].iter().take_while(move |row| row.address < code.end);
        of_function.filter(is_it).map(|row| row.address)
    }

    /// The variables that are visible at an address, those of inner scopes last.
    fn visible(&self, address: u64) -> impl Iterator<Item = &SourceVariable> {
        let is_visible = move |variable: &&SourceVariable| {
            variable.scope.is_empty() || variable.scope.iter().any(|range| range.contains(&address))
        };
        self.all.iter().filter(is_visible)
    }
}
