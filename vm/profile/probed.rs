//! A planned function in compiled code: its probes, and the memory that they write to in place.
//!
//! In: a function's plan. Out: probes for the compiler; what their code counted in place.
//!
//! Here, and only here, the [`Stream`] of a plan becomes a [`Report`]. Another form of reports is a stream that a scheme chooses, a
//! report that its probe writes, an arm here, and a method of the scheme's sink: neither who plans nor who reads the results sees it.
//! Invariant: what code writes to stays where it is as long as this lives.

use super::consumer::function_id;
use super::slab_tables::SlabTables;
use super::words::{FoldCells, Words, address, words};
use crate::machine::Iterations;
use holloway_jit::probes::{PathProbes, Report, Switch};
use holloway_jit::slab_table::{MOST_PERIOD, MOST_RUNS, RUN_SLAB, period};
use holloway_lang::ir::FuncRef;
use holloway_profiler::repeat::Repeats;
use holloway_profiler::scheme::{FunctionPlan, Stream};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The plan of a function with what its code writes to in place.
pub struct Probed {
    /// The plan.
    pub plan: Arc<FunctionPlan>,
    /// The probes.
    pub probes: Arc<PathProbes>,
    /// A counter for each path.
    counters: Words,
    folds: FoldCells,
}

impl Probed {
    /// Probes for a plan; what it counts in tables is in `tables`.
    pub fn new(func: FuncRef, plan: FunctionPlan, tables: &mut SlabTables) -> Probed {
        match plan.stream {
            Stream::Array(paths) => Probed::counting(func, plan, paths),
            Stream::Slabs(k) => Probed::gathering(func, plan, k, tables),
            Stream::Tally => Probed::tallying(func, plan, tables),
            Stream::Lone | Stream::Folds => Probed::streaming(func, plan, true, None),
            Stream::Activations | Stream::Branches => Probed::streaming(func, plan, false, None),
        }
    }

    /// Probes that write no more once a switch is off, for a plan of activations.
    pub fn switched(func: FuncRef, plan: FunctionPlan, switch: Switch) -> Probed {
        assert_eq!(plan.stream, Stream::Activations, "only activations are switched off");
        Probed::streaming(func, plan, false, Some(switch))
    }

    fn counting(func: FuncRef, plan: FunctionPlan, paths: u64) -> Probed {
        let counters = words(paths as usize);
        // What is pending in a frame is either that of iterations or that of such loops.
        let repeats = match plan.plan.most_iterations() > 1 {
            true => Repeats::default(),
            false => Repeats::find(&plan.graph, &plan.plan),
        };
        let report = Report::Count(address(&counters));
        Probed { counters, ..Probed::reporting(func, plan, report, repeats) }
    }

    fn gathering(func: FuncRef, plan: FunctionPlan, k: u32, tables: &mut SlabTables) -> Probed {
        let num_paths = plan.num_paths().expect("sequences are of numbered paths");
        let repeats = Repeats::find(&plan.graph, &plan.plan);
        // A run has room for an id before it, for so many iterations, and for the index of so many loops.
        let fits = num_paths < 1 << (RUN_SLAB - 1) && period(k) <= MOST_PERIOD && repeats.iter().count() < MOST_RUNS;
        let repeats = if fits { repeats } else { Repeats::default() };
        let ids: Vec<u64> = repeats.iter().map(|repeat| repeat.id as u64).collect();
        Probed::reporting(func, plan, Report::Slabs(tables.add(func, k, num_paths, ids), period(k)), repeats)
    }

    fn tallying(func: FuncRef, plan: FunctionPlan, tables: &mut SlabTables) -> Probed {
        let num_paths = plan.num_paths().expect("only numbered paths are counted");
        Probed::reporting(func, plan, Report::Tally(tables.add_tally(func, num_paths)), Repeats::default())
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
        Probed { plan: Arc::new(plan), probes: Arc::new(probes), counters: words(0), folds: FoldCells::default() }
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

    /// Counts the iterations of a loop with one path.
    pub fn count(&self, Iterations { first, id, times }: Iterations) {
        self.counters[first as usize].fetch_add(1, Ordering::Relaxed);
        self.counters[id as usize].fetch_add(times - 1, Ordering::Relaxed);
    }
}
