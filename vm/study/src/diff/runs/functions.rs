//! Which function of one side is which of the other.
//!
//! In: the functions of both. Out: a key for each, the same for those that belong together: first by name, told apart by order where several
//! have one; then by body, for those that were renamed. Invariant: every function has a key, and no two of one side have the same.

use crate::run::record::Function;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A function on both sides: its name and its number among those of that name.
pub(super) type Key = (String, usize);

/// The relation between functions of two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// One name and one body.
    Same,
    /// One name, and bodies that differ.
    Changed,
    /// One body, and names that differ.
    Renamed,
    /// Only the first side has it.
    Gone,
    /// Only the second side has it.
    New,
}

/// The functions of two sides.
pub(super) struct Matches {
    /// By key.
    sides: [BTreeMap<Key, Function>; 2],
    /// Keys on the second side of functions that were renamed, and the ones on the first.
    renamed: BTreeMap<Key, Key>,
}

impl Matches {
    pub(super) fn of(functions: [&[Function]; 2]) -> Matches {
        let sides = functions.map(by_key);
        let keys = sides.each_ref().map(|side| side.keys().cloned().collect::<BTreeSet<_>>());
        let mut renamed = BTreeMap::new();
        let mut gone: Vec<&Key> = keys[0].difference(&keys[1]).collect();
        for new in keys[1].difference(&keys[0]) {
            let is_it = |old: &&Key| sides[0][*old].hash == sides[1][new].hash;
            if let Some(at) = gone.iter().position(is_it) {
                renamed.insert(new.clone(), gone.remove(at).clone());
            }
        }
        Matches { sides, renamed }
    }

    /// The key of a function of either side, of whichever run.
    pub(super) fn key(&self, function: &Function) -> Key {
        let is_it = |found: &Function| {
            (&found.name, &found.file, found.line) == (&function.name, &function.file, function.line)
        };
        let of_side = |side: usize| self.sides[side].iter().find(|(_, found)| is_it(found)).map(|(key, _)| key);
        let key = of_side(1).or_else(|| of_side(0)).cloned().unwrap_or_else(|| (function.name.clone(), 0));
        self.renamed.get(&key).cloned().unwrap_or(key)
    }

    /// The function with a key, on a side.
    pub(super) fn function(&self, side: usize, key: &Key) -> Option<&Function> {
        let renamed = || self.renamed.iter().find(|(_, old)| *old == key).and_then(|(new, _)| self.sides[1].get(new));
        match side {
            0 => self.sides[0].get(key),
            _ => renamed().or_else(|| self.sides[1].get(key)),
        }
    }

    pub(super) fn name(&self, key: &Key) -> String {
        match [0, 1].map(|side| self.function(side, key)) {
            [Some(a), Some(b)] if a.name != b.name => format!("{}, now {}", a.name, b.name),
            _ if key.1 > 0 => format!("{} ({})", key.0, key.1 + 1),
            _ => key.0.clone(),
        }
    }

    pub(super) fn matched(&self, key: &Key) -> Match {
        match [0, 1].map(|side| self.function(side, key)) {
            [Some(a), Some(b)] if a.name != b.name => Match::Renamed,
            [Some(a), Some(b)] if a.hash != b.hash => Match::Changed,
            [Some(_), None] => Match::Gone,
            [None, Some(_)] => Match::New,
            [Some(_), Some(_)] | [None, None] => Match::Same,
        }
    }
}

/// Functions in the order of the text, as the order in which they are compiled differs from run to run.
fn by_key(functions: &[Function]) -> BTreeMap<Key, Function> {
    let mut sorted: Vec<&Function> = functions.iter().collect();
    sorted.sort_by_key(|function| (&function.file, function.line));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut keys = BTreeMap::new();
    for function in sorted {
        let nth = counts.entry(&function.name).or_default();
        keys.insert((function.name.clone(), *nth), function.clone());
        *nth += 1;
    }
    keys
}
