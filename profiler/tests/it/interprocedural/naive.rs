//! Naive counts of interprocedural paths: each path is kept as its vertices, and copied where the scheme says so.
//!
//! In: events. Out: counts of whole paths and of prefixes. Invariant: no numbers are used, nor the library's call graph.

use std::collections::{BTreeMap, BTreeSet};

use holloway_profiler::number::interprocedural::{Arrival, AtCut, Base, InterEnd, InterPath, PathVertex};
use holloway_profiler::supergraph::{ProcedureId, SiteId, Supergraph};

use super::labelled::{back_edges, recursive_sites};
use super::supergraphs::Event;

#[derive(Default)]
pub(super) struct Naive {
    pub(super) paths: BTreeMap<InterPath, u64>,
    pub(super) prefixes: BTreeMap<InterPath, u64>,
}

impl Naive {
    fn cut_short(&mut self, vertices: Vec<PathVertex>) {
        if !vertices.is_empty() {
            let prefix = InterPath { vertices, end: InterEnd::Failure };
            *self.prefixes.entry(prefix).or_default() += 1;
        }
    }
}

struct Activation {
    procedure: ProcedureId,
    /// The path with the entry as its last vertex.
    on_entry: Vec<PathVertex>,
    /// The call site that the path crossed into it; `None` if it was called at a cut site, or is main.
    site: Option<SiteId>,
}

pub(super) fn count(
    supergraph: &Supergraph,
    (base, at_cut): (Base, AtCut),
    further: &[SiteId],
    executions: &[Vec<Event>],
) -> Naive {
    let (mut cut, _) = recursive_sites(supergraph);
    cut.extend(further);
    let mut naive = Naive::default();
    for events in executions {
        execute(supergraph, (base, at_cut), &cut, events, &mut naive);
    }
    naive
}

fn execute(
    supergraph: &Supergraph,
    (base, at_cut): (Base, AtCut),
    cut: &BTreeSet<SiteId>,
    events: &[Event],
    naive: &mut Naive,
) {
    let mut aside: Vec<Vec<PathVertex>> = Vec::new();
    let mut stack: Vec<Activation> = Vec::new();
    let mut path: Vec<PathVertex> = Vec::new();
    let enter = |stack: &mut Vec<Activation>, path: &mut Vec<PathVertex>, procedure, arrival, site| {
        path.push(PathVertex { procedure, block: supergraph.graph(procedure).entry(), arrival });
        stack.push(Activation { procedure, on_entry: path.clone(), site });
    };
    enter(&mut stack, &mut path, supergraph.main(), Arrival::Start, None);
    let mut returned = None;
    for &event in events {
        match event {
            Event::Call(site) if cut.contains(&site) => {
                let before = std::mem::take(&mut path);
                if at_cut == AtCut::Split {
                    let whole = InterPath { vertices: before, end: InterEnd::Cut };
                    *naive.paths.entry(whole).or_default() += 1;
                } else {
                    aside.push(before);
                }
                enter(&mut stack, &mut path, supergraph.site(site).callee, Arrival::Start, None);
            }
            Event::Call(site) => enter(&mut stack, &mut path, supergraph.site(site).callee, Arrival::Call, Some(site)),
            Event::Leave => {
                let left = stack.pop().unwrap();
                if left.site.is_none() {
                    let whole = InterPath { vertices: std::mem::take(&mut path), end: InterEnd::Return };
                    *naive.paths.entry(whole).or_default() += 1;
                    path = aside.pop().unwrap_or_default();
                }
                returned = left.site;
                continue;
            }
            Event::Take(edge) => {
                let activation = stack.last().unwrap();
                let (procedure, graph) = (activation.procedure, supergraph.graph(activation.procedure));
                let from = graph.edge(edge).from;
                let split = at_cut == AtCut::Split
                    && supergraph.site_at(procedure, from).is_some_and(|site| cut.contains(&site));
                let mut arrival = returned.map_or(Arrival::Edge, Arrival::Return);
                if split {
                    path = if base == Base::Context { activation.on_entry.clone() } else { Vec::new() };
                    arrival = Arrival::Surrogate;
                } else if back_edges(graph).contains(&edge) {
                    let end = returned.map_or(InterEnd::Cut, InterEnd::CutAfterCall);
                    let whole = InterPath { vertices: std::mem::take(&mut path), end };
                    *naive.paths.entry(whole).or_default() += 1;
                    if base == Base::Context {
                        path = activation.on_entry.clone();
                    }
                    arrival = Arrival::Surrogate;
                }
                path.push(PathVertex { procedure, block: graph.edge(edge).to, arrival });
            }
            Event::Fail => {
                naive.cut_short(std::mem::take(&mut path));
                if stack.pop().unwrap().site.is_none() {
                    path = aside.pop().unwrap_or_default();
                }
            }
            Event::Resume(edge) => {
                naive.cut_short(std::mem::take(&mut path));
                let Activation { procedure, on_entry, .. } = stack.last().unwrap();
                path = if base == Base::Context { on_entry.clone() } else { Vec::new() };
                let block = supergraph.graph(*procedure).edge(edge).to;
                path.push(PathVertex { procedure: *procedure, block, arrival: Arrival::Surrogate });
            }
            Event::Abort => {
                aside.drain(..).chain([std::mem::take(&mut path)]).for_each(|open| naive.cut_short(open));
            }
        }
        returned = None;
    }
}
