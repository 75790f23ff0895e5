//! Functions of two sides of runs, each with its counterpart.
//!
//! In: the runs of both sides. Out: a number for each function, the same for those that belong together, by `pairing`. Functions are paired in the order
//! of the text, as the order in which they are compiled differs from run to run.
//! Invariant: every function of every run has a number, and functions of one side that differ have different ones.

use crate::diff::pairing::{Named, counterparts};
use crate::run::Run;
use crate::run::record::Function;
use holloway_aos::input::BodyHash;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

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

/// A function in the text of its program.
type Place = (String, u32, String, BodyHash);

fn place(function: &Function) -> Place {
    (function.file.clone(), function.line, function.name.clone(), function.hash)
}

/// The functions of two sides.
pub(super) struct Matches {
    /// By number.
    all: Vec<[Option<Function>; 2]>,
    /// The number of each function of each side.
    numbers: [HashMap<Place, usize>; 2],
}

impl Matches {
    pub(super) fn of(sides: [&[Run]; 2]) -> Matches {
        let [first, second] = sides.map(|runs| {
            let all: BTreeMap<Place, Function> = runs
                .iter()
                .flat_map(|run| &run.functions)
                .map(|function| (place(function), function.clone()))
                .collect();
            all.into_values().collect::<Vec<_>>()
        });
        let named = |function: &Function| (function.name.clone(), function.hash);
        let names = [&first, &second].map(|all| all.iter().map(named).collect::<Vec<_>>());
        let [of_first, of_second] = names.each_ref().map(|all| {
            all.iter().map(|(name, hash)| Named { name: name.as_str(), body: Some(*hash) }).collect::<Vec<_>>()
        });
        let mut matches = Matches { all: Vec::new(), numbers: [HashMap::new(), HashMap::new()] };
        for function in first {
            matches.numbers[0].insert(place(&function), matches.all.len());
            matches.all.push([Some(function), None]);
        }
        for (function, counterpart) in second.into_iter().zip(counterparts(&of_first, &of_second)) {
            let number = counterpart.unwrap_or(matches.all.len());
            matches.numbers[1].insert(place(&function), number);
            match counterpart {
                Some(number) => matches.all[number][1] = Some(function),
                None => matches.all.push([None, Some(function)]),
            }
        }
        matches
    }

    /// The number of a function of a side.
    pub(super) fn number(&self, side: usize, function: &Function) -> usize {
        self.numbers[side][&place(function)]
    }

    /// The function with a number, on a side.
    pub(super) fn function(&self, side: usize, number: usize) -> Option<&Function> {
        self.all[number][side].as_ref()
    }

    /// The name of a function: both, where it was renamed; with its line, where others have the same.
    pub(super) fn name(&self, number: usize) -> String {
        let is_namesake = |name: &str| {
            let names = self.all.iter().filter(|sides| sides.iter().flatten().any(|function| function.name == name));
            names.count() > 1
        };
        match &self.all[number] {
            [Some(a), Some(b)] if a.name != b.name => format!("{}, now {}", a.name, b.name),
            [Some(function), _] | [None, Some(function)] if is_namesake(&function.name) => {
                format!("{}:{}", function.name, function.line)
            }
            [Some(function), _] | [None, Some(function)] => function.name.clone(),
            [None, None] => unreachable!("a number is of a function"),
        }
    }

    pub(super) fn matched(&self, number: usize) -> Match {
        match &self.all[number] {
            [Some(a), Some(b)] if a.name != b.name => Match::Renamed,
            [Some(a), Some(b)] if a.hash != b.hash => Match::Changed,
            [Some(_), None] => Match::Gone,
            [None, _] => Match::New,
            [Some(_), Some(_)] => Match::Same,
        }
    }
}
