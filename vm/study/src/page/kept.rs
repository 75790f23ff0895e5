//! The functions and versions that a page holds, by their places in it.
//!
//! In: a run, and where its time went. Out: [`Kept`]. The hottest come first, then those that something was decided about.
//! Invariant: what is not kept has no place; whoever refers to it says nothing, or counts it with the others.

use super::limits::{MOST_FUNCTIONS, MOST_VERSIONS};
use crate::run::{Run, Spent, Time};
use holloway_aos::event::Subject;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The functions and versions of a page.
pub(super) struct Kept {
    /// Indices into the run's functions, the hottest first.
    pub(super) functions: Vec<u32>,
    /// Indices into the run's versions, the hottest first.
    pub(super) versions: Vec<u32>,
    of_function: HashMap<u32, u32>,
    of_version: HashMap<u32, u32>,
    /// Versions of the run by their ids.
    ids: HashMap<u32, u32>,
    /// Functions of the run by file, line and name.
    places: HashMap<(String, u32, String), u32>,
}

impl Kept {
    pub(super) fn of(run: &Run, time: &Time) -> Kept {
        let ids: HashMap<u32, u32> =
            run.versions.iter().enumerate().map(|(at, version)| (version.id, at as u32)).collect();
        let place = |(at, function): (usize, &crate::run::record::Function)| {
            ((function.file.clone(), function.line, function.name.clone()), at as u32)
        };
        let places: HashMap<_, _> = run.functions.iter().enumerate().map(place).collect();
        let subjects = || run.events.iter().map(|event| &event.subject);
        let decided: HashSet<u32> = subjects().filter_map(|subject| function_of(&places, subject)).collect();
        let named: HashSet<u32> = subjects().filter_map(|subject| ids.get(&subject.version?)).copied().collect();
        let spent = |all: Vec<(u32, Spent)>| all.into_iter().collect::<BTreeMap<u32, Spent>>();
        let by_function = spent(time.functions.iter().map(|found| (found.function, found.spent)).collect());
        let by_version = spent(time.versions.iter().map(|found| (found.version, found.spent)).collect());
        let functions = hottest(run.functions.len(), &by_function, &decided, MOST_FUNCTIONS);
        let versions = hottest(run.versions.len(), &by_version, &named, MOST_VERSIONS);
        let turned = |kept: &[u32]| kept.iter().enumerate().map(|(at, of)| (*of, at as u32)).collect();
        let (of_function, of_version) = (turned(&functions), turned(&versions));
        Kept { functions, versions, of_function, of_version, ids, places }
    }

    /// The place of a function of the run.
    pub(super) fn function(&self, function: u32) -> Option<u32> {
        self.of_function.get(&function).copied()
    }

    /// The place of a version of the run.
    pub(super) fn version(&self, version: u32) -> Option<u32> {
        self.of_version.get(&version).copied()
    }

    /// The place of the version with an id.
    pub(super) fn version_of_id(&self, id: u32) -> Option<u32> {
        self.version(*self.ids.get(&id)?)
    }

    /// The place of the function that an event is about.
    pub(super) fn subject(&self, subject: &Subject) -> Option<u32> {
        self.function(function_of(&self.places, subject)?)
    }
}

fn function_of(places: &HashMap<(String, u32, String), u32>, subject: &Subject) -> Option<u32> {
    let key = (subject.file.clone()?, subject.line?, subject.function.clone()?);
    places.get(&key).copied()
}

/// The hottest of so many things, then those that are named, then the others in order.
fn hottest(count: usize, spent: &BTreeMap<u32, Spent>, named: &HashSet<u32>, most: usize) -> Vec<u32> {
    let mut all: Vec<u32> = (0..count as u32).collect();
    let key = |of: &u32| {
        let spent = spent.get(of).copied().unwrap_or_default();
        (spent.own, spent.inclusive, named.contains(of))
    };
    all.sort_by(|a, b| {
        let (own_a, inclusive_a, named_a) = key(a);
        let (own_b, inclusive_b, named_b) = key(b);
        own_b.total_cmp(&own_a).then(inclusive_b.total_cmp(&inclusive_a)).then(named_b.cmp(&named_a)).then(a.cmp(b))
    });
    all.truncate(most);
    all
}
