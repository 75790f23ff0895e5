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
//! A function value may be any function of its type whose value is taken: paths cross its calls through a choice among these ([`values`]),
//! or wait there, and then these functions are entries (`[MR98]` 9.2.3).
//! A call of a function without paths is no call site; what such a function calls is entered as from outside. Functions that are not
//! reached have no paths, but run where a value outlived the bodies that took it: their callers count on what they pass.
//! Every id is that of a path of the program, whoever reports it: counts of all functions are added.
//! Invariant: numbers fit [`ID_BITS`], or the program is refused with how many there are.

mod cuts;
mod deferred_increments;
mod graphs;
mod numbered;
mod procedures;
mod results;
mod segments;
mod steps;
mod values;

use std::sync::Arc;

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};

use super::counted;
use super::cut_strategy::CutStrategy;
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
use numbered::Numbered;
use procedures::Procedures;
use segments::Segments;
use values::Values;

pub use graphs::{CallPlace, Callee, ProgramBody, ProgramGraphs};
pub use results::{CrossPath, CrossRow, CrossVertex, ProgramResults};

/// Most paths of a program.
const MOST_PATHS: u128 = 1 << ID_BITS;

/// Call sites that paths do not cross, beside the recursive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// None.
    Nothing,
    /// Those of the strategy, and the coldest of the others, until numbers fit.
    Strategy(CutStrategy),
}

/// The plan of a whole program.
#[derive(Debug)]
pub struct ProgramPlan {
    segments: PrimaryMap<ProcedureId, Segments>,
    supergraph: Supergraph,
    numbering: InterNumbering,
    values: Values,
    functions: PrimaryMap<ProcedureId, FunctionPlan>,
    without_paths: Vec<ProcedureId>,
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
    let cuts = match cut {
        Cut::Nothing => None,
        Cut::Strategy(strategy) => Some(Cuts::new(&graphs.bodies, strategy)),
    };
    let crossed = Values::find(graphs, &procedures, cuts.as_ref());
    let of = Parts { graphs, segments: &segments, procedures: &procedures, cuts: cuts.as_ref() };
    let (supergraph, numbering, values) = with_values(of, base, crossed, settings.path_limit)?;
    procedures.enter_by(&supergraph, &numbering);
    let paths = u64::try_from(numbering.num_paths()).expect("numbers fit");
    // One counter more, for what functions without paths pass.
    let stream = counted::stream(paths + 1, settings, ARRAY_MAX_PATHS);
    let decoder: Arc<dyn Decoder> = Arc::new(OfProgram { paths, table: counted::table(stream) });
    let of = Numbered { supergraph: &supergraph, numbering: &numbering, procedures: &procedures, values: &values };
    let mut with_numbers = EntitySet::new();
    numbering.calls().topological().iter().for_each(|function| _ = with_numbers.insert(*function));
    let mut functions = PrimaryMap::new();
    for (function, body) in graphs.bodies.iter() {
        let plan = match with_numbers.contains(function) {
            true => steps::with_paths(of, function, body, &segments[function]),
            false => steps::without_paths(body, &procedures, paths as i64),
        };
        let (graph, plan, decoder) = (body.graph.clone(), Arc::new(plan), Arc::clone(&decoder));
        functions.push(FunctionPlan { graph, plan, stream, decoder });
    }
    Ok(ProgramPlan { segments, supergraph, numbering, values, functions, without_paths })
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

/// Parts that a supergraph is made of.
#[derive(Clone, Copy)]
struct Parts<'a> {
    graphs: &'a ProgramGraphs,
    segments: &'a PrimaryMap<ProcedureId, Segments>,
    procedures: &'a Procedures,
    cuts: Option<&'a Cuts<'a>>,
}

/// A numbering whose paths cross as many calls of values as are not recursive, or none of them if numbers do not fit otherwise.
fn with_values(
    of: Parts<'_>,
    base: Base,
    mut values: Values,
    path_limit: Option<u64>,
) -> Result<(Supergraph, InterNumbering, Values), NotProfiled> {
    let mut joined = supergraph(of, &values);
    while let Some(fewer) = values.without_recursive(&joined, of.segments) {
        values = fewer;
        joined = supergraph(of, &values);
    }
    let limit = path_limit.map_or(MOST_PATHS, |limit| MOST_PATHS.min(limit.into()));
    let by_strategy = |supergraph: &Supergraph| of.cuts.map(|cuts| sites_of(supergraph, of, cuts));
    if !values.is_empty() {
        let first = by_strategy(&joined).unwrap_or_default();
        let numbering = InterNumbering::new(&joined, base, AtCut::Aside, &first);
        if let Ok(numbering) = numbering
            && numbering.num_paths() <= limit
        {
            return Ok((joined, numbering, values));
        }
        values = Values::none(of.graphs);
        joined = supergraph(of, &values);
    }
    let numbering = numbered(&joined, base, by_strategy(&joined).as_deref(), limit)?;
    Ok((joined, numbering, values))
}

fn supergraph(of: Parts<'_>, values: &Values) -> Supergraph {
    let Parts { graphs, segments, procedures, .. } = of;
    let has_paths = |function: &ProcedureId| procedures.has_paths(*function);
    let bodies = graphs.bodies.iter().map(|(function, body)| {
        let known = body.callees.iter().filter_map(|(call, callee)| {
            let direct = callee.known().filter(|callee| has_paths(&function) && has_paths(callee));
            Some((*call, direct.or_else(|| values.entered_by((function, *call)))?))
        });
        let sites = known.map(|(call, callee)| (segments[function].of_call(call), callee));
        (segments[function].graph.clone(), sites.collect())
    });
    let entered = values.entered_by_cut(graphs);
    let without = graphs.bodies.iter().filter(|(function, _)| !has_paths(function));
    let callees = without.flat_map(|(_, body)| body.callees.values());
    let mut from_outside: Vec<ProcedureId> = callees.filter_map(|callee| callee.known()).collect();
    from_outside.sort_unstable();
    let mut entries: Vec<ProcedureId> = Vec::new();
    for function in graphs.entries.iter().copied().chain(entered).chain(from_outside) {
        if has_paths(&function) && !entries.contains(&function) {
            entries.push(function);
        }
    }
    let bodies = bodies.chain(values.bodies());
    Supergraph::with_entries(bodies, entries).expect("a segment with a call leads to the next one")
}

/// The call sites that a strategy cuts.
fn sites_of(supergraph: &Supergraph, of: Parts<'_>, cuts: &Cuts<'_>) -> Vec<SiteId> {
    let sites = supergraph.procedures().flat_map(|procedure| supergraph.sites(procedure)).copied();
    let is_function = |procedure: ProcedureId| of.graphs.bodies.is_valid(procedure);
    let is_cut = |site: &SiteId| {
        let site = supergraph.site(*site);
        if !is_function(site.caller) || !is_function(site.callee) {
            return false;
        }
        let (block, number) = of.segments[site.caller].place(site.block);
        cuts.has(site.caller, Call { block, number }, site.callee)
    };
    sites.filter(is_cut).collect()
}

/// Numbers that fit; where call sites may be cut, these are, and others if it needs.
fn numbered(
    supergraph: &Supergraph,
    base: Base,
    cut: Option<&[SiteId]>,
    limit: u128,
) -> Result<InterNumbering, NotProfiled> {
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
            cut_coldest(supergraph, (base, AtCut::Aside), first, &executions, limit.ilog2())
                .or_else(|_| InterNumbering::new(supergraph, base, AtCut::Aside, &all_sites(supergraph)))
        }
    };
    let numbering = numbering.map_err(|_| NotProfiled::TooManyProgramPaths(None))?;
    match numbering.num_paths() {
        paths if paths <= limit => Ok(numbering),
        paths if paths > MOST_PATHS => Err(NotProfiled::TooManyProgramPaths(Some(paths))),
        paths => Err(NotProfiled::ProgramAbovePathLimit { paths, limit: limit as u64 }),
    }
}

fn all_sites(supergraph: &Supergraph) -> Vec<SiteId> {
    supergraph.procedures().flat_map(|procedure| supergraph.sites(procedure)).copied().collect()
}

impl ProgramPlan {
    /// The plan of a function.
    pub fn function(&self, function: ProcedureId) -> Option<&FunctionPlan> {
        self.functions.get(function)
    }

    /// Returns whether paths cross a call of a function value.
    pub fn crosses_value(&self, place: CallPlace) -> bool {
        self.values.entered_by(place).is_some()
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
