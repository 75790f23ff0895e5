//! A planned function in compiled code: its probes, and the memory that they write to in place.
//!
//! In: a function's plan. Out: probes for the compiler; what their code counted in place.
//!
//! Here, and only here, the [`Stream`] of a plan becomes a [`Report`], which is the same in memory; and its loops with one path are found
//! for either. Who plans and who reads the results sees neither.
//! Invariant: what code writes to stays where it is as long as this lives.

use super::burst_cells::BurstCells;
use super::consumer::function_id;
use super::path_tables::PathTables;
use super::reentry::Reentry;
use super::run_cells::{CellsId, RunCells};
use super::step_tables::StepTables;
use super::words::{FoldCells, Words, address, words};
use crate::collector::Iterations;
use cranelift_entity::EntityRef;
use holloway_ir::FuncRef;
use holloway_jit::probes::{PathProbes, RegionMemory, Report, Switch};
use holloway_jit::run_cell::COUNT;
use holloway_profiler::graph::Node;
use holloway_profiler::persistence::{PathIndex, Regions, Runs};
use holloway_profiler::plan::BitRegister;
use holloway_profiler::repeat::Repeats;
use holloway_profiler::scheme::{Collected, Framing, FunctionPlan, Stream};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Memory in which code of all functions counts.
#[derive(Debug, Default)]
pub struct InPlace {
    /// The tables of paths.
    pub paths: PathTables,
    /// The steps in forests.
    pub steps: StepTables,
    /// The cells in which code folds executions.
    pub runs: RunCells,
    /// The cells by which it takes bursts.
    pub bursts: BurstCells,
}

/// The plan of a function with what its code writes to in place.
pub struct Probed {
    /// The plan.
    pub plan: Arc<FunctionPlan>,
    /// The probes.
    pub probes: Arc<PathProbes>,
    /// The address of what follows, and a counter for each path.
    counters: Words,
    folds: FoldCells,
    /// The cell of each region, or those of histories by their start block.
    cells: Vec<CellsId>,
}

impl Probed {
    /// Probes for a plan, with what it counts in place.
    pub fn new((func, reentry): (FuncRef, Reentry), plan: FunctionPlan, in_place: &mut InPlace) -> Probed {
        let mut repeats = repeats(&plan, reentry);
        let mut numbered = Arc::clone(&plan.plan);
        let mut counters = words(0);
        let report = match plan.stream {
            Stream::Array(paths) => {
                counters = words(1 + paths as usize);
                let array = address(&counters[1..]);
                counters[0].store(array as u64, Ordering::Relaxed);
                Report::Array(array)
            }
            Stream::Table => Report::Table(in_place.paths.add(func)),
            Stream::Steps(k) => {
                let num_paths = plan.num_paths().expect("only numbered paths are counted");
                let ids: Vec<u64> = repeats.iter().map(|repeat| repeat.id.b as u64).collect();
                let table = in_place.steps.add(func, k, num_paths, ids);
                numbered = Arc::new(plan.plan.scaled(table.scale() as i64));
                repeats = Repeats::find(&plan.graph, &numbered);
                Report::Steps(table)
            }
            Stream::Bursts(k) => {
                let sample = plan.decoder.sample().expect("a plan with bursts has a sample");
                Report::Bursts(in_place.bursts.add((func, reentry), k, sample))
            }
            Stream::Events(framing) => Report::Events(framing),
        };
        let folds = FoldCells::new(&plan.plan.registers);
        let in_events = folds.addresses().into_iter().map(RegionMemory::Events);
        let (regions, mut cells): (Vec<RegionMemory>, Vec<CellsId>) = match plan.decoder.regions() {
            Some((regions, k)) => {
                let registers = regions.iter().map(|(register, _)| register).zip(in_events);
                registers.map(|(register, wide)| region((&plan, regions), register, (k, wide), in_place)).unzip()
            }
            None => (in_events.collect(), Vec::new()),
        };
        let histories = plan.plan.keeps_histories().then(|| {
            // Below the leading 1 a history may have any bits; no window ends.
            let (of, first) = in_place.runs.add(plan.graph.nodes().count(), u64::MAX, 0);
            cells.push(of);
            first
        });
        let probes = PathProbes {
            graph: Arc::new(plan.graph.clone()),
            plan: numbered,
            function: function_id(func),
            report,
            regions,
            histories,
            switch: None,
            repeats,
        };
        Probed { plan: Arc::new(plan), probes: Arc::new(probes), counters, folds, cells }
    }

    /// Probes that write no more once a switch is off, for a plan of events.
    pub fn switched(func: FuncRef, plan: FunctionPlan, switch: Switch) -> Probed {
        assert!(matches!(plan.stream, Stream::Events(_)), "only events are switched off");
        let mut probed = Probed::new((func, Reentry::Possible), plan, &mut InPlace::default());
        Arc::make_mut(&mut probed.probes).switch = Some(switch);
        probed
    }

    /// Takes the runs of equal executions that are still counted in place, as events.
    pub fn take_folds(&self) -> Vec<u64> {
        self.folds.take(self.probes.function)
    }

    /// Paths that were counted in place, with their counts.
    pub fn counts(&self) -> Vec<(u64, u64)> {
        let counts = self.counters.iter().skip(1).map(|count| count.load(Ordering::Relaxed));
        (0..).zip(counts).filter(|&(_, count)| count > 0).collect()
    }

    /// Adds the executions that its code folded in place to what was collected.
    pub fn add_runs(&self, runs: &RunCells, collected: &mut dyn Collected) {
        let all = self.cells.iter().flat_map(|cells| runs.runs(*cells));
        let Some((regions, _)) = self.plan.decoder.regions() else {
            return all.enumerate().for_each(|(start, runs)| add_histories(Node::new(start), &runs, collected));
        };
        for (((register, _), memory), runs) in regions.iter().zip(&self.probes.regions).zip(all) {
            match memory {
                RegionMemory::Counter(_) => {
                    let bits = regions.single_path(&self.plan.graph, register).expect("it has a single path");
                    collected.folds(register, &bits, runs.present.1);
                }
                RegionMemory::Cell(..) => collected.folded(register, &runs),
                RegionMemory::Events(_) => {}
            }
        }
    }

    /// Counts the iterations of a loop with one path.
    pub fn count(&self, Iterations { first, id, times }: Iterations) {
        self.counters[1 + first as usize].fetch_add(1, Ordering::Relaxed);
        self.counters[1 + id as usize].fetch_add(times - 1, Ordering::Relaxed);
    }
}

/// The loops with one path whose iterations are reported together, whatever takes the reports.
fn repeats(plan: &FunctionPlan, reentry: Reentry) -> Repeats {
    if let Some((regions, _)) = plan.decoder.regions() {
        return Repeats::of_regions(&plan.graph, regions);
    }
    let all = || Repeats::find(&plan.graph, &plan.plan);
    match plan.stream {
        Stream::Array(_) | Stream::Table | Stream::Steps(_) => all(),
        Stream::Events(Framing::Activations(Some(_))) => all(),
        // Which paths are recorded depends on the order in which those of all activations end.
        Stream::Bursts(_) => match reentry {
            Reentry::Never => all(),
            Reentry::Possible => Repeats::without_calls(&plan.graph, &plan.plan),
        },
        // A word each, as paths may pause at any of them.
        Stream::Events(Framing::Activations(None) | Framing::Lone) => Repeats::default(),
    }
}

/// Memory for the executions of a region, in windows of `k`; `wide` if it has too many places for one word.
fn region(
    (plan, regions): (&FunctionPlan, &Regions),
    register: BitRegister,
    (k, wide): (u64, RegionMemory),
    InPlace { runs, .. }: &mut InPlace,
) -> (RegionMemory, CellsId) {
    let has_one_path = regions.single_path(&plan.graph, register).is_some();
    let index = if has_one_path { None } else { PathIndex::of(regions, &plan.graph, register).map(Arc::new) };
    let (of, cell) = match &index {
        Some(index) => runs.add_indexed(k, Arc::clone(index)),
        // No register of fewer than 64 places has all bits set.
        None => runs.add(1, k, u64::MAX),
    };
    let memory = match has_one_path {
        true => RegionMemory::Counter(cell + COUNT as usize),
        false if regions.get(register).places.len() < 64 => RegionMemory::Cell(cell, index),
        false => wide,
    };
    (memory, of)
}

/// Adds the histories of the paths that start in a block.
fn add_histories(start: Node, runs: &Runs, collected: &mut dyn Collected) {
    let ended = runs.paths.iter().map(|path| (path.bits, path.executions));
    let all = ended.chain([runs.present]).filter(|(_, count)| *count > 0);
    all.for_each(|(history, count)| collected.counted_branches(start, history, count));
}
