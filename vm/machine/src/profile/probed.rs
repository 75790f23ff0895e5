//! A planned function in compiled code: its probes, and the memory that they write to in place.
//!
//! In: a function's plan. Out: probes for the compiler; what their code counted in place.
//!
//! Here, and only here, the [`Stream`] of a plan becomes a [`Report`]. Another form of reports is a stream that a scheme chooses, a
//! report that its probe writes, an arm here, and a method of the scheme's sink: neither who plans nor who reads the results sees it.
//! Invariant: what code writes to stays where it is as long as this lives.

use super::burst_cells::BurstCells;
use super::consumer::function_id;
use super::reentry::Reentry;
use super::run_cells::{CellsId, RunCells};
use super::slab_tables::SlabTables;
use super::words::{FoldCells, Words, address, words};
use crate::collector::Iterations;
use cranelift_entity::EntityRef;
use holloway_ir::FuncRef;
use holloway_jit::probes::{PathProbes, RegionMemory, Report, Switch};
use holloway_jit::run_cell::COUNT;
use holloway_jit::slab_table::{MOST_PERIOD, MOST_RUNS, RUN_SLAB, period};
use holloway_profiler::forest::slab::Packing;
use holloway_profiler::graph::Node;
use holloway_profiler::persistence::{PathIndex, Runs};
use holloway_profiler::repeat::Repeats;
use holloway_profiler::scheme::{Collected, FunctionPlan, Stream};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Memory in which code of all functions counts.
#[derive(Debug, Default)]
pub struct InPlace {
    /// The tables of slabs.
    pub tables: SlabTables,
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
    /// A counter for each path.
    counters: Words,
    folds: FoldCells,
    /// The cell of each region, or those of histories by their start block.
    cells: Vec<CellsId>,
}

impl Probed {
    /// Probes for a plan, with what it counts in place.
    pub fn new(
        (func, reentry): (FuncRef, Reentry),
        plan: FunctionPlan,
        InPlace { tables, runs, bursts }: &mut InPlace,
    ) -> Probed {
        match plan.stream {
            Stream::Bursts(k) => Probed::sampling((func, reentry), plan, k, bursts),
            Stream::Array(paths) => Probed::counting(func, plan, paths),
            Stream::Slabs(k) => Probed::gathering(func, plan, k, tables),
            Stream::Tally => Probed::tallying(func, plan, tables),
            Stream::Windows(k) => Probed::folding(func, plan, k, runs),
            Stream::Branches => Probed::recording(func, plan, runs),
            Stream::Packed(packing) => Probed::packing(func, plan, packing),
            Stream::Lone => Probed::streaming(func, plan, true, None),
            Stream::Activations => Probed::streaming(func, plan, false, None),
        }
    }

    /// Probes that write no more once a switch is off, for a plan of activations.
    pub fn switched(func: FuncRef, plan: FunctionPlan, switch: Switch) -> Probed {
        assert_eq!(plan.stream, Stream::Activations, "only activations are switched off");
        Probed::streaming(func, plan, false, Some(switch))
    }

    fn counting(func: FuncRef, plan: FunctionPlan, paths: u64) -> Probed {
        let counters = words(paths as usize);
        let repeats = Repeats::find(&plan.graph, &plan.plan);
        let report = Report::Count(address(&counters));
        Probed { counters, ..Probed::reporting(func, plan, report, repeats) }
    }

    fn gathering(func: FuncRef, plan: FunctionPlan, k: u32, tables: &mut SlabTables) -> Probed {
        let num_paths = plan.num_paths().expect("sequences are of numbered paths");
        let repeats = Repeats::find(&plan.graph, &plan.plan);
        // A run has room for an id before it, for so many iterations, and for the index of so many loops.
        let fits = num_paths < 1 << (RUN_SLAB - 1) && period(k) <= MOST_PERIOD && repeats.iter().count() < MOST_RUNS;
        let repeats = if fits { repeats } else { Repeats::default() };
        let ids: Vec<u64> = repeats.iter().map(|repeat| repeat.id.b as u64).collect();
        Probed::reporting(func, plan, Report::Slabs(tables.add(func, k, num_paths, ids), period(k)), repeats)
    }

    fn sampling((func, reentry): (FuncRef, Reentry), plan: FunctionPlan, k: u32, bursts: &mut BurstCells) -> Probed {
        // Which paths are recorded depends on the order in which those of all activations end.
        let repeats = match reentry {
            Reentry::Never => Repeats::find(&plan.graph, &plan.plan),
            Reentry::Possible => Repeats::without_calls(&plan.graph, &plan.plan),
        };
        let sample = plan.decoder.sample().expect("a plan with bursts has a sample");
        Probed::reporting(func, plan, Report::Bursts(bursts.add((func, reentry), k, sample)), repeats)
    }

    fn tallying(func: FuncRef, plan: FunctionPlan, tables: &mut SlabTables) -> Probed {
        let num_paths = plan.num_paths().expect("only numbered paths are counted");
        Probed::reporting(func, plan, Report::Tally(tables.add_tally(func, num_paths)), Repeats::default())
    }

    fn folding(func: FuncRef, plan: FunctionPlan, k: u64, runs: &mut RunCells) -> Probed {
        let folds = FoldCells::new(&plan.plan.registers);
        let regions = plan.decoder.regions().expect("executions are those of regions");
        let (mut cells, mut memory) = (Vec::new(), Vec::new());
        for ((register, region), wide) in regions.iter().zip(folds.addresses()) {
            // No register of fewer than 64 places has all bits set.
            let (fits, free) = (region.places.len() < 64, u64::MAX);
            let (of, made) = if regions.single_path(&plan.graph, register).is_some() {
                let (of, cell) = runs.add(1, k, free);
                (of, RegionMemory::Counter(cell + COUNT as usize))
            } else if let Some(index) = PathIndex::of(regions, &plan.graph, register).map(Arc::new) {
                let (of, cell) = runs.add_indexed(k, Arc::clone(&index));
                (of, RegionMemory::Indexed(cell, index))
            } else {
                let (of, cell) = runs.add(1, k, free);
                (of, if fits { RegionMemory::Cell(cell) } else { RegionMemory::Stream(wide) })
            };
            cells.push(of);
            memory.push(made);
        }
        let repeats = Repeats::of_regions(&plan.graph, regions);
        let reporting = Probed::reporting(func, plan, Report::Regions(memory), repeats);
        Probed { folds, cells, ..reporting }
    }

    fn recording(func: FuncRef, plan: FunctionPlan, runs: &mut RunCells) -> Probed {
        // Below the leading 1 a history may have any bits; no window ends.
        let (cells, first) = runs.add(plan.graph.nodes().count(), u64::MAX, 0);
        let reporting = Probed::reporting(func, plan, Report::Histories(first), Repeats::default());
        Probed { cells: vec![cells], ..reporting }
    }

    fn packing(func: FuncRef, plan: FunctionPlan, packing: Packing) -> Probed {
        let repeats = Repeats::find(&plan.graph, &plan.plan);
        Probed::reporting(func, plan, Report::Packed(packing), repeats)
    }

    fn streaming(func: FuncRef, plan: FunctionPlan, lone: bool, switch: Option<Switch>) -> Probed {
        let folds = FoldCells::new(&plan.plan.registers);
        let report = Report::Stream { lone, folds: folds.addresses(), switch };
        Probed { folds, ..Probed::reporting(func, plan, report, Repeats::default()) }
    }

    fn reporting(func: FuncRef, plan: FunctionPlan, report: Report, repeats: Repeats) -> Probed {
        let probes = PathProbes {
            graph: Arc::new(plan.graph.clone()),
            plan: Arc::clone(&plan.plan),
            function: function_id(func),
            report,
            repeats,
        };
        let (counters, folds) = (words(0), FoldCells::default());
        Probed { plan: Arc::new(plan), probes: Arc::new(probes), counters, folds, cells: Vec::new() }
    }

    /// Takes the runs of equal executions that are still counted in place, as events.
    pub fn take_folds(&self) -> Vec<u64> {
        self.folds.take(self.probes.function)
    }

    /// Paths that were counted in place, with their counts.
    pub fn counts(&self) -> Vec<(u64, u64)> {
        let counts = self.counters.iter().map(|count| count.load(Ordering::Relaxed));
        (0..).zip(counts).filter(|&(_, count)| count > 0).collect()
    }

    /// Adds the executions that its code folded in place to what was collected.
    pub fn add_runs(&self, runs: &RunCells, collected: &mut dyn Collected) {
        let all = self.cells.iter().flat_map(|cells| runs.runs(*cells));
        match &self.probes.report {
            Report::Regions(memory) => {
                let regions = self.plan.decoder.regions().expect("executions are those of regions");
                for (((register, _), memory), runs) in regions.iter().zip(memory).zip(all) {
                    match memory {
                        RegionMemory::Counter(_) => {
                            let bits = regions.single_path(&self.plan.graph, register).expect("it has a single path");
                            collected.folds(register, &bits, runs.present.1);
                        }
                        RegionMemory::Cell(_) | RegionMemory::Indexed(..) => collected.folded(register, &runs),
                        RegionMemory::Stream(_) => {}
                    }
                }
            }
            Report::Histories(_) => {
                all.enumerate().for_each(|(start, runs)| add_histories(Node::new(start), &runs, collected));
            }
            Report::Count(_)
            | Report::Tally(_)
            | Report::Slabs(..)
            | Report::Bursts(_)
            | Report::Packed(_)
            | Report::Stream { .. } => {}
        }
    }

    /// Counts the iterations of a loop with one path.
    pub fn count(&self, Iterations { first, id, times }: Iterations) {
        self.counters[first as usize].fetch_add(1, Ordering::Relaxed);
        self.counters[id as usize].fetch_add(times - 1, Ordering::Relaxed);
    }
}

/// Adds the histories of the paths that start in a block.
fn add_histories(start: Node, runs: &Runs, collected: &mut dyn Collected) {
    let ended = runs.paths.iter().map(|path| (path.bits, path.executions));
    let all = ended.chain([runs.present]).filter(|(_, count)| *count > 0);
    all.for_each(|(history, count)| collected.counted_branches(start, history, count));
}
