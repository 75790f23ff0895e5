//! The figures of `[NGF03]` about persistence.
//!
//! In: the persistence of each function. Out: [`RegionFigures`] of the loops that would be instrumented.
//!
//! `[NGF03]` 5.1 instruments the code covered by the most frequently executed back edges, about ten a program, fewer if
//! frequency drops off, and leaves out trivial loops with one path. Here: the [`MOST_REGIONS`] most executed loops of
//! the program that have more than one path and at least [`LEAST_SHARE`] of the executions of the first. An inner loop
//! is one place of the enclosing loop, as in section 4.2.
//!
//! Invariant: percentages are of executions and windows of these loops alone.

use crate::settings::{LEAST_SHARE, MOST_REGIONS};
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use holloway_profiler::graph::Graph;
use holloway_profiler::persistence::{Persistence, Region, RegionPlace, Regions};
use holloway_profiler::plan::BitRegister;

/// Figures of a program's hottest loops.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RegionFigures {
    /// Number of loops.
    pub regions: u64,
    /// Number of their possible paths.
    pub static_paths: f64,
    /// Number of their places, heads included.
    pub blocks: u64,
    /// Number of places of each loop, head included.
    pub sizes: Vec<u64>,
    /// Number of values that their registers can have.
    pub register_values: f64,
    /// Number of executions.
    pub executions: u64,
    /// Number of distinct paths that were counted; 0 if paths were not counted.
    pub taken_paths: u64,
    /// The sum of their counts.
    pub counted: u64,
    /// Number of executions in windows with a persistent path.
    pub persistent_executions: u64,
    /// Number of distinct persistent paths.
    pub persistent_paths: u64,
    /// Number of windows that ended.
    pub windows: u64,
    /// Number of windows with a persistent path.
    pub persistent_windows: u64,
    /// Number of places, summed over windows.
    pub places: u64,
    /// Number of places that no execution of the window passed, summed over windows.
    pub untaken: u64,
}

struct Loop<'a> {
    persistence: &'a Persistence,
    register: BitRegister,
    region: &'a Region,
    executions: u64,
    paths: f64,
}

impl RegionFigures {
    /// The figures of a program, from the persistence and the graph of each of its functions.
    pub fn of(functions: &[(&Persistence, &Graph)]) -> RegionFigures {
        let mut figures = RegionFigures::default();
        for each in hottest(functions) {
            let summary = each.persistence.summary(each.register);
            let places = each.region.places.len() as u64 + 1;
            figures.regions += 1;
            figures.static_paths += each.paths;
            figures.blocks += places;
            figures.sizes.push(places);
            figures.register_values += (each.region.places.len() as f64).exp2();
            if let Some(frequencies) = each.persistence.frequencies(each.register) {
                figures.taken_paths += frequencies.len() as u64;
                figures.counted += frequencies.paths().iter().map(|(_, count)| count).sum::<u64>();
            }
            figures.executions += each.executions;
            figures.persistent_executions += summary.persistent_executions();
            figures.persistent_paths += summary.persistent_paths().len() as u64;
            figures.windows += summary.windows;
            figures.persistent_windows += summary.persistent_windows;
            figures.places += places * summary.windows;
            figures.untaken += summary.untaken;
        }
        figures
    }

    /// Table 1: percentage of executions in windows with a persistent path.
    pub fn persistent_percent(&self) -> Option<f64> {
        percent(self.persistent_executions, self.executions)
    }

    /// Section 3.6: percentage of executions whose path was counted.
    pub fn counted_percent(&self) -> Option<f64> {
        percent(self.counted, self.executions)
    }

    /// Percentage of windows with a persistent path.
    pub fn persistent_windows_percent(&self) -> Option<f64> {
        percent(self.persistent_windows, self.windows)
    }

    /// Table 2: number of places of an average loop.
    pub fn average_blocks(&self) -> Option<f64> {
        (self.regions > 0).then(|| self.blocks as f64 / self.regions as f64)
    }

    /// Table 2: percentage of places that a window does not pass.
    pub fn untaken_percent(&self) -> Option<f64> {
        percent(self.untaken, self.places)
    }
}

fn percent(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

fn hottest<'a>(functions: &[(&'a Persistence, &'a Graph)]) -> Vec<Loop<'a>> {
    let mut loops = Vec::new();
    for &(persistence, graph) in functions {
        let regions = persistence.regions();
        for (register, region) in regions.iter().filter(|(_, region)| region.around.is_some()) {
            let executions = persistence.overall(register).executions;
            let paths = static_paths(regions, region, graph);
            if executions > 0 && paths > 1.0 {
                loops.push(Loop { persistence, register, region, executions, paths });
            }
        }
    }
    loops.sort_by_key(|each| std::cmp::Reverse(each.executions));
    let most = loops.first().map_or(0.0, |first| first.executions as f64);
    loops.truncate(MOST_REGIONS);
    loops.retain(|each| each.executions as f64 >= LEAST_SHARE * most);
    loops
}

/// Number of paths from a loop's head to its back edges, with an inner loop as one place.
fn static_paths(regions: &Regions, region: &Region, graph: &Graph) -> f64 {
    let nest = regions.nest();
    let Some(around) = region.around else { return 0.0 };
    let place = |node| match nest.chain(node).take_while(|&id| id != around).last() {
        None => RegionPlace::Block(node),
        Some(inner) => RegionPlace::Loop(nest.get(inner).header),
    };
    // Two edges between the same places set the same bits.
    let mut steps: BTreeMap<RegionPlace, BTreeSet<RegionPlace>> = BTreeMap::new();
    let mut last: BTreeSet<RegionPlace> = BTreeSet::new();
    for (_, edge) in graph.edges() {
        if !nest.contains(around, edge.from) || !nest.contains(around, edge.to) {
            continue;
        }
        let (from, to) = (place(edge.from), place(edge.to));
        if edge.to == nest.get(around).header {
            last.insert(from);
        } else if from != to {
            steps.entry(from).or_default().insert(to);
        }
    }
    let mut ways: BTreeMap<RegionPlace, f64> = BTreeMap::from([(region.head, 1.0)]);
    // Bits increase along each path.
    for from in std::iter::once(region.head).chain(region.places.iter().copied()) {
        let reached = ways.get(&from).copied().unwrap_or(0.0);
        for &to in steps.get(&from).into_iter().flatten() {
            *ways.entry(to).or_insert(0.0) += reached;
        }
    }
    last.iter().map(|place| ways.get(place).copied().unwrap_or(0.0)).sum()
}
