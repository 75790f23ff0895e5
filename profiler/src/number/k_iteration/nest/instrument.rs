//! Instrumentation of a nest: the plans of its parts, joined.
//!
//! In: a numbering of all parts, and edge weights. Out: one [`Plan`]. An edge that leaves collapsed loops ends the path of each, innermost first, and
//! takes back what was put aside; then it is an edge of the part that it stays in; and if it enters a collapsed loop, the accumulators are
//! put aside and a path begins there. A failure ends the paths of the loops that it leaves, and that of the part which catches it.
//! Invariant: what is put aside at a depth is that of the part of that depth around the present block.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::super::collapse::{Part, PartId};
use super::super::increments::KPotentials;
use super::super::instrument::unfinished;
use super::NestNumbering;
use crate::graph::{Edge, EdgeId, EdgeKind, Graph, Node};
use crate::plan::{Action, IterationTable, IterationWeight, Markers, Plan};

/// A placement of additions.
#[derive(Clone, Copy, Debug)]
pub enum Placement<'a> {
    /// Each edge adds its own values.
    Direct,
    /// On edges outside of a maximum spanning forest by these weights.
    Chords(&'a SecondaryMap<EdgeId, u64>),
}

impl NestNumbering {
    /// The plan that reports each path's id at its end.
    pub fn plan(&self, graph: &Graph, placement: Placement<'_>, markers: Markers) -> Plan {
        let mut potentials: PrimaryMap<PartId, KPotentials> = PrimaryMap::new();
        let mut plans: PrimaryMap<PartId, Plan> = PrimaryMap::new();
        for (id, part) in self.parts.iter() {
            let numbering = &self.numberings[id];
            let of_part = match placement {
                Placement::Direct => KPotentials::direct(),
                Placement::Chords(weights) => KPotentials::chords(&part.graph, numbering, &part.weights(weights)),
            };
            plans.push(numbering.plan(&part.graph, &of_part, Markers::Omit));
            potentials.push(of_part);
        }
        let values: Vec<_> = self.numberings.values().zip(potentials.values()).collect();
        let plan = Plan { unfinished: unfinished(&values), ..Plan::default() };
        let mut joined = Joined { of: self, plans, plan };
        joined.join(graph);
        joined.plan.mark_activations(graph, markers);
        joined.plan
    }
}

struct Joined<'a> {
    of: &'a NestNumbering,
    plans: PrimaryMap<PartId, Plan>,
    plan: Plan,
}

impl Joined<'_> {
    fn join(&mut self, graph: &Graph) {
        // No collapsed loop begins at the entry: the loop around it would have the same header.
        let function = PartId::new(0);
        self.plan.entry = self.taken(function, &self.plans[function].entry.clone());
        for (id, &edge) in graph.edges() {
            let mut steps = match edge.kind {
                EdgeKind::Normal => self.along(edge),
                EdgeKind::Failure => self.caught(edge),
            };
            if let Some(entered) = self.of.parts.entered(edge) {
                steps.push(Action::PutAside { depth: self.of.parts.get(entered).depth - 1 });
                let entry = self.plans[entered].entry.clone();
                steps.extend(self.taken(entered, &entry));
            }
            self.plan.edges[id] = steps;
        }
        for node in graph.nodes() {
            let around: Vec<(PartId, Node)> = self.of.parts.chain(node).collect();
            self.plan.aborts[node] = self.cut_short(&around);
        }
    }

    fn along(&mut self, edge: Edge) -> Vec<Action> {
        let mut steps = Vec::new();
        let (left, (stays, at)) = self.of.parts.left(edge);
        for (part, at) in left {
            let of = self.of.parts.get(part);
            steps.extend(self.edge_steps(part, (at, edge.from, of.graph.exit())));
            steps.push(take_back(of));
        }
        steps.extend(self.edge_steps(stays, (at, edge.from, edge.to)));
        steps
    }

    /// The steps of a part's edges from a node, by the block by which a collapsed loop is left, to another.
    fn edge_steps(&mut self, part: PartId, (from, by, to): (Node, Node, Node)) -> Vec<Action> {
        let edges: Vec<EdgeId> = self.of.parts.get(part).edges(from, by, to).collect();
        let steps: Vec<Action> = edges.iter().flat_map(|&edge| self.plans[part].edges[edge].clone()).collect();
        self.taken(part, &steps)
    }

    fn caught(&mut self, edge: Edge) -> Vec<Action> {
        let (left, (stays, at)) = self.of.parts.left(edge);
        let mut steps = self.cut_short(&left);
        let graph = &self.of.parts.get(stays).graph;
        let mut out = graph.successors(at).iter().copied();
        let is_it = |id: &EdgeId| graph.edge(*id) == Edge { from: at, ..edge };
        let own = out.find(is_it).expect("a part has its edges");
        let own = self.plans[stays].edges[own].clone();
        steps.extend(self.taken(stays, &own));
        steps
    }

    /// Reports what a failure cuts short in these parts, innermost first.
    fn cut_short(&mut self, parts: &[(PartId, Node)]) -> Vec<Action> {
        let mut steps = Vec::new();
        for &(part, at) in parts {
            let aborts = self.plans[part].aborts[at].clone();
            steps.extend(self.taken(part, &aborts));
            let of = self.of.parts.get(part);
            if of.parent.is_some() {
                steps.push(take_back(of));
            }
        }
        steps
    }

    /// Steps of a part's plan with the tables of the joined one. Additions in a row become one.
    fn taken(&mut self, part: PartId, steps: &[Action]) -> Vec<Action> {
        let mut taken = Vec::with_capacity(steps.len());
        for &step in steps {
            let Action::AddIterations(table) = step else {
                taken.push(step);
                continue;
            };
            let weights = &self.plans[part].iteration_weights[table];
            if let Some(&Action::AddIterations(before)) = taken.last() {
                add_to(&mut self.plan.iteration_weights, before, weights);
            } else {
                taken.push(Action::AddIterations(self.plan.iteration_weights.push(weights.clone())));
            }
        }
        taken
    }
}

fn take_back(part: &Part) -> Action {
    Action::TakeBack { depth: part.depth - 1 }
}

fn add_to(
    tables: &mut PrimaryMap<IterationTable, Vec<IterationWeight>>,
    table: IterationTable,
    weights: &[IterationWeight],
) {
    for (sum, weight) in tables[table].iter_mut().zip(weights) {
        sum.val = sum.val.wrapping_add(weight.val);
        sum.compensated = sum.compensated.wrapping_add(weight.compensated);
    }
}
