//! Plans of whole programs: one numbering of all functions, and a plan of each function from it.
//!
//! In: the graphs of a program's functions, with what they call ([`ProgramGraphs`]). Out: a [`ProgramPlan`]: a [`FunctionPlan`] for each
//! function, and the paths of the numbers that they report.
//!
//! ```text
//!   ProgramGraphs --segments--> Supergraph --InterNumbering--> ProgramPlan --steps--> FunctionPlan of each function
//!                                                                   |                       |  reports
//!                                                                   +------ results <-------+
//! ```
//!
//! Phases: 1. which functions run ([`reached`]); 2. those that have too many paths of their own have none; 3. the supergraph, whose entries
//! are the functions that something else than a direct call enters; 4. numbers; 5. plans ([`steps`]).
//!
//! A function value may be any function whose value is taken, so calls of values are cut, and these functions are entries (`[MR98]` 9.2.3).
//! A call of a function without paths is no call site; what such a function calls is entered as from outside. Functions that are not
//! reached have no paths, but run where a value outlived the bodies that took it: their callers count on what they pass.
//! Every id is that of a path of the program, whoever reports it: counts of all functions are added.
//! Invariant: numbers fit [`ID_BITS`], or the program is refused with how many there are.

mod cuts;
mod results;
mod segments;
mod steps;

use std::sync::Arc;

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use hashbrown::HashMap;

use super::counted;
use super::function_plan::{Collected, Decoder, FunctionPlan, NotProfiled};
use super::results::Results;
use super::settings::Settings;
use crate::counts::{PathCounts, Size, TableKind};
use crate::graph::{Call, Graph};
use crate::machine::Sink;
use crate::number::interprocedural::hybrid::cut_coldest;
use crate::number::interprocedural::{AtCut, Base, InterNumbering};
use crate::number::spanning_tree::static_weights;
use crate::plan::Plan;
use crate::settings::program::{ARRAY_MAX_PATHS, ID_BITS};
use crate::supergraph::{ProcedureId, SiteId, Supergraph};
use cuts::Cuts;
use segments::Segments;
use steps::Numbered;

pub use cuts::{CutCall, CutStrategy};
pub use results::{CrossPath, CrossRow, CrossVertex, ProgramResults};

/// Most paths of a program.
const MOST_PATHS: u128 = 1 << ID_BITS;

/// The callee of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function.
    Known(ProcedureId),
    /// A function value.
    Value,
}

/// One function.
#[derive(Clone, Debug)]
pub struct ProgramBody {
    /// Its name.
    pub name: String,
    /// The file that it is in.
    pub file: u32,
    /// Its graph.
    pub graph: Graph,
    /// The callees of its calls.
    pub callees: HashMap<Call, Callee>,
    /// The functions whose values it takes.
    pub values: Vec<ProcedureId>,
}

/// The functions of a program.
#[derive(Clone, Debug)]
pub struct ProgramGraphs {
    /// Every function.
    pub bodies: PrimaryMap<ProcedureId, ProgramBody>,
    /// Those that are called from outside, in the order in which they are.
    pub entries: Vec<ProcedureId>,
}

/// Call sites that paths do not cross, beside the recursive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// None.
    Nothing,
    /// Those of the strategy, and the coldest of the others, until numbers fit.
    Strategy(CutStrategy),
}

/// A call of a function.
pub type CallPlace = (ProcedureId, Call);

/// The plan of a whole program.
#[derive(Debug)]
pub struct ProgramPlan {
    segments: PrimaryMap<ProcedureId, Segments>,
    supergraph: Supergraph,
    numbering: InterNumbering,
    functions: PrimaryMap<ProcedureId, FunctionPlan>,
    without_paths: Vec<ProcedureId>,
}

/// Which functions have paths, and how they are entered.
#[derive(Debug, Default)]
struct Procedures {
    with_paths: EntitySet<ProcedureId>,
    /// Those that a call site that is not cut calls.
    crossed: EntitySet<ProcedureId>,
    /// Those in which a path may begin that a caller does not know.
    detaching: EntitySet<ProcedureId>,
}

impl Procedures {
    fn has_paths(&self, procedure: ProcedureId) -> bool {
        self.with_paths.contains(procedure)
    }

    fn is_crossed(&self, procedure: ProcedureId) -> bool {
        self.crossed.contains(procedure)
    }

    fn may_detach(&self, procedure: ProcedureId) -> bool {
        self.detaching.contains(procedure)
    }

    fn enter_by(&mut self, supergraph: &Supergraph, numbering: &InterNumbering) {
        for &caller in numbering.calls().topological().iter().rev() {
            if !numbering.surrogates(caller).is_empty() {
                self.detaching.insert(caller);
            }
            for &site in supergraph.sites(caller).iter().filter(|site| !numbering.calls().is_cut(**site)) {
                let callee = supergraph.site(site).callee;
                self.crossed.insert(callee);
                if self.detaching.contains(callee) {
                    self.detaching.insert(caller);
                }
            }
        }
    }
}

/// Plans a program.
pub(super) fn plan_program(
    graphs: &ProgramGraphs,
    (base, cut): (Base, Cut),
    settings: &Settings,
) -> Result<ProgramPlan, NotProfiled> {
    let reached = reached(graphs);
    let mut segments = PrimaryMap::new();
    for body in graphs.bodies.values() {
        segments.push(Segments::new(&body.graph));
    }
    let mut procedures = Procedures::default();
    // If all calls are cut, the paths of the functions add up.
    let share = MOST_PATHS / (reached.len() as u128 + 1);
    let fits = |function: &ProcedureId| paths_alone(&segments[*function], base).is_some_and(|paths| paths <= share);
    let (with_paths, without_paths): (Vec<_>, Vec<_>) = reached.iter().copied().partition(fits);
    with_paths.iter().for_each(|function| _ = procedures.with_paths.insert(*function));
    if with_paths.is_empty() {
        return Err(NotProfiled::NoFunctionFits);
    }
    let supergraph = supergraph(graphs, &segments, &procedures);
    let by_strategy = match cut {
        Cut::Nothing => None,
        Cut::Strategy(strategy) => Some(sites_of(&supergraph, &segments, &Cuts::new(&graphs.bodies, strategy))),
    };
    let numbering = numbered(&supergraph, base, by_strategy.as_deref())?;
    procedures.enter_by(&supergraph, &numbering);
    let paths = u64::try_from(numbering.num_paths()).expect("numbers fit");
    // One counter more, for what functions without paths pass.
    let (stream, _) = counted::stream(paths + 1, settings, ARRAY_MAX_PATHS);
    let decoder: Arc<dyn Decoder> = Arc::new(OfProgram { paths, table: counted::table(stream) });
    let of = Numbered { supergraph: &supergraph, numbering: &numbering, procedures: &procedures };
    let mut with_numbers = EntitySet::new();
    numbering.calls().topological().iter().for_each(|function| _ = with_numbers.insert(*function));
    let mut functions = PrimaryMap::new();
    for (function, body) in graphs.bodies.iter() {
        let mut plan = match with_numbers.contains(function) {
            true => steps::with_paths(of, function, body, &segments[function]),
            false => steps::without_paths(body, &procedures, paths as i64),
        };
        plan.skipped = paths as i64;
        let (graph, plan, decoder) = (body.graph.clone(), Arc::new(plan), Arc::clone(&decoder));
        functions.push(FunctionPlan { graph, plan, stream, decoder });
    }
    Ok(ProgramPlan { segments, supergraph, numbering, functions, without_paths })
}

/// The functions that run, as far as calls and values tell. What took a value may have run before the entries do.
fn reached(graphs: &ProgramGraphs) -> Vec<ProcedureId> {
    let mut known = EntitySet::new();
    let mut work = graphs.entries.clone();
    work.extend(graphs.bodies.values().flat_map(|body| &body.values));
    while let Some(function) = work.pop() {
        if known.insert(function) {
            let body = &graphs.bodies[function];
            work.extend(body.callees.values().filter_map(|callee| callee.known()));
        }
    }
    graphs.bodies.keys().filter(|function| known.contains(*function)).collect()
}

/// Number of paths of a function that calls nothing.
fn paths_alone(segments: &Segments, base: Base) -> Option<u128> {
    let alone = ProcedureId::new(0);
    let supergraph = Supergraph::new([(segments.graph.clone(), Vec::new())], alone).expect("it calls nothing");
    Some(InterNumbering::new(&supergraph, base, AtCut::Aside, &[]).ok()?.num_paths())
}

fn supergraph(
    graphs: &ProgramGraphs,
    segments: &PrimaryMap<ProcedureId, Segments>,
    procedures: &Procedures,
) -> Supergraph {
    let has_paths = |function: &ProcedureId| procedures.has_paths(*function);
    let bodies = graphs.bodies.iter().map(|(function, body)| {
        let known = body.callees.iter().filter_map(|(call, callee)| Some((*call, callee.known()?)));
        let crossing = known.filter(|(_, callee)| has_paths(&function) && has_paths(callee));
        let sites = crossing.map(|(call, callee)| (segments[function].of_call(call), callee));
        (segments[function].graph.clone(), sites.collect())
    });
    let mut values: Vec<ProcedureId> = graphs.bodies.values().flat_map(|body| &body.values).copied().collect();
    values.sort_unstable();
    let without = graphs.bodies.iter().filter(|(function, _)| !has_paths(function));
    let callees = without.flat_map(|(_, body)| body.callees.values());
    let mut from_outside: Vec<ProcedureId> = callees.filter_map(|callee| callee.known()).collect();
    from_outside.sort_unstable();
    let mut entries: Vec<ProcedureId> = Vec::new();
    for function in graphs.entries.iter().copied().chain(values).chain(from_outside) {
        if has_paths(&function) && !entries.contains(&function) {
            entries.push(function);
        }
    }
    Supergraph::with_entries(bodies, entries).expect("a segment with a call leads to the next one")
}

/// The call sites that a strategy cuts.
fn sites_of(supergraph: &Supergraph, segments: &PrimaryMap<ProcedureId, Segments>, cuts: &Cuts<'_>) -> Vec<SiteId> {
    let sites = supergraph.procedures().flat_map(|procedure| supergraph.sites(procedure)).copied();
    let is_cut = |site: &SiteId| {
        let site = supergraph.site(*site);
        let (block, number) = segments[site.caller].place(site.block);
        cuts.has(site.caller, Call { block, number }, site.callee)
    };
    sites.filter(is_cut).collect()
}

/// Numbers that fit; where call sites may be cut, these are, and others if it needs.
fn numbered(supergraph: &Supergraph, base: Base, cut: Option<&[SiteId]>) -> Result<InterNumbering, NotProfiled> {
    let numbering = match cut {
        None => InterNumbering::new(supergraph, base, AtCut::Aside, &[]),
        Some(first) => {
            let mut executions = SecondaryMap::new();
            for procedure in supergraph.procedures() {
                let weights = static_weights(supergraph.graph(procedure));
                supergraph
                    .sites(procedure)
                    .iter()
                    .for_each(|&site| executions[site] = weights[supergraph.site(site).edge]);
            }
            cut_coldest(supergraph, (base, AtCut::Aside), first, &executions, ID_BITS)
        }
    };
    let numbering = numbering.map_err(|_| NotProfiled::TooManyProgramPaths(None))?;
    match numbering.num_paths() {
        paths if paths <= MOST_PATHS => Ok(numbering),
        paths => Err(NotProfiled::TooManyProgramPaths(Some(paths))),
    }
}

impl Callee {
    fn known(self) -> Option<ProcedureId> {
        match self {
            Callee::Known(callee) => Some(callee),
            Callee::Value => None,
        }
    }
}

impl ProgramPlan {
    /// The plan of a function.
    pub fn function(&self, function: ProcedureId) -> Option<&FunctionPlan> {
        self.functions.get(function)
    }

    /// The plan of a function that is no part of the program, and does not run.
    pub fn not_run(&self, graph: Graph) -> FunctionPlan {
        let any = self.functions.values().next().expect("a program has functions");
        FunctionPlan { graph, plan: Arc::new(Plan::default()), ..any.clone() }
    }

    /// The functions that have too many paths of their own, so that paths do not lead through them.
    pub fn without_paths(&self) -> &[ProcedureId] {
        &self.without_paths
    }

    /// Number of paths of the program.
    pub fn num_paths(&self) -> u64 {
        self.numbering.num_paths() as u64
    }

    /// The calls that paths do not cross: the recursive ones, and those cut to make numbers fit.
    pub fn cut_calls(&self) -> (Vec<CallPlace>, Vec<CallPlace>) {
        let calls = self.numbering.calls();
        let sites =
            calls.topological().iter().flat_map(|&p| self.supergraph.sites(p)).filter(|&&site| calls.is_cut(site));
        let (recursive, further): (Vec<&SiteId>, Vec<&SiteId>) = sites.partition(|&&site| calls.is_recursive(site));
        let calls = |sites: Vec<&SiteId>| sites.into_iter().map(|&site| self.call_at(site)).collect();
        (calls(recursive), calls(further))
    }

    fn call_at(&self, site: SiteId) -> CallPlace {
        let site = self.supergraph.site(site);
        let (block, number) = self.segments[site.caller].place(site.block);
        (site.caller, Call { block, number })
    }
}

/// Reads nothing: ids are those of the program.
#[derive(Debug)]
struct OfProgram {
    paths: u64,
    table: TableKind,
}

impl Decoder for OfProgram {
    fn collector(&self) -> Box<dyn Collected> {
        Box::new(Reported { paths: self.paths, counts: PathCounts::of_kind(self.table, self.paths) })
    }

    /// With the id that is nobody's.
    fn num_paths(&self) -> Option<u64> {
        Some(self.paths + 1)
    }
}

/// Counts of the program's paths that one function reported.
#[derive(Clone, Debug)]
struct Reported {
    paths: u64,
    counts: PathCounts,
}

impl Sink for Reported {
    fn path(&mut self, id: u64) {
        self.counted(id, 1);
    }

    fn counted(&mut self, id: u64, count: u64) {
        if id < self.paths {
            self.counts.paths.add(id, count);
        }
    }
}

impl Collected for Reported {
    fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    fn size(&self) -> Size {
        self.counts.size()
    }

    fn results(&self, _: &Graph) -> Results {
        Results { is_of_program: true, table: Some(self.counts.paths.kind()), ..Results::default() }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        self.counts.paths.taken()
    }
}
