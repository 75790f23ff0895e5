//! `G*_fin` as the paper draws it: a graph whose edges are labelled with parentheses.
//!
//! In: a supergraph, a base and cut call sites. Out: a [`Labelled`] graph; every path of it that is unbalanced-left, or
//! unbalanced-right-left, by search; and the same graph with procedures duplicated, as in Figure 6, for Ball and Larus's
//! numbering. Nothing here uses the functions psi and rho or the library's call graph.
//!
//! Invariant: edges are in numbering order, so that the search finds the paths in the order of their numbers.

use std::collections::{BTreeMap, BTreeSet};

use holloway_profiler::graph::{EdgeId, EdgeKind, ExitKind, Graph, GraphBuilder, Node};
use holloway_profiler::number::interprocedural::{Arrival, AtCut, Base, InterEnd, InterPath, PathVertex};
use holloway_profiler::supergraph::{ProcedureId, SiteId, Supergraph};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Vertex {
    EntryGlobal,
    ExitGlobal,
    Entry(ProcedureId),
    GEntry(ProcedureId),
    /// With the kind of end that the edge to it stands for.
    GExit(ProcedureId, InterEnd),
    Block(ProcedureId, Node),
    Return(SiteId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Paren {
    Procedure(ProcedureId),
    Site(SiteId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    E,
    Left(Paren),
    Right(Paren),
}

/// The vertex that each node of a graph with duplicates copies, and the way by which paths reach it.
pub(super) type Copies = BTreeMap<Node, (Vertex, Arrival)>;

/// The graph.
pub(super) struct Labelled<'a> {
    supergraph: &'a Supergraph,
    base: Base,
    at_cut: AtCut,
    edges: BTreeMap<Vertex, Vec<(Vertex, Label, Arrival)>>,
}

/// The back edges of a procedure, by a recursive search.
pub(super) fn back_edges(graph: &Graph) -> Vec<EdgeId> {
    fn visit(graph: &Graph, node: Node, open: &mut Vec<Node>, done: &mut BTreeSet<Node>, found: &mut Vec<EdgeId>) {
        open.push(node);
        for &edge in graph.successors(node) {
            let to = graph.edge(edge).to;
            if open.contains(&to) {
                found.push(edge);
            } else if !done.contains(&to) {
                visit(graph, to, open, done, found);
            }
        }
        open.pop();
        done.insert(node);
    }
    let mut found = Vec::new();
    visit(graph, graph.entry(), &mut Vec::new(), &mut BTreeSet::new(), &mut found);
    found
}

/// The recursive call sites, by a recursive search from main, and the procedures that it finds.
pub(super) fn recursive_sites(supergraph: &Supergraph) -> (BTreeSet<SiteId>, BTreeSet<ProcedureId>) {
    fn visit(
        supergraph: &Supergraph,
        at: ProcedureId,
        open: &mut Vec<ProcedureId>,
        done: &mut BTreeSet<ProcedureId>,
        found: &mut BTreeSet<SiteId>,
    ) {
        open.push(at);
        for &site in supergraph.sites(at) {
            let callee = supergraph.site(site).callee;
            if open.contains(&callee) {
                found.insert(site);
            } else if !done.contains(&callee) {
                visit(supergraph, callee, open, done, found);
            }
        }
        open.pop();
        done.insert(at);
    }
    let (mut found, mut done) = (BTreeSet::new(), BTreeSet::new());
    visit(supergraph, supergraph.main(), &mut Vec::new(), &mut done, &mut found);
    (found, done)
}

impl<'a> Labelled<'a> {
    pub(super) fn new(supergraph: &'a Supergraph, base: Base, at_cut: AtCut, further: &[SiteId]) -> Labelled<'a> {
        let (mut cut, reached) = recursive_sites(supergraph);
        cut.extend(further);
        let mut graph = Labelled { supergraph, base, at_cut, edges: BTreeMap::new() };
        let sites: Vec<SiteId> = reached.iter().flat_map(|&p| supergraph.sites(p)).copied().collect();
        let main = supergraph.main();
        let called: BTreeSet<ProcedureId> =
            sites.iter().filter(|site| cut.contains(site)).map(|&site| supergraph.site(site).callee).collect();
        let roots = [main].into_iter().chain(called.into_iter().filter(|&p| p != main));
        for root in roots {
            let paren = Paren::Procedure(root);
            graph.add(Vertex::EntryGlobal, Vertex::Entry(root), Label::Left(paren), Arrival::Start);
            let exit = Vertex::Block(root, supergraph.graph(root).exit());
            graph.add(exit, Vertex::ExitGlobal, Label::Right(paren), Arrival::Edge);
        }
        for &procedure in &reached {
            graph.procedure(procedure, &cut);
        }
        for &site in sites.iter().filter(|site| !cut.contains(site)) {
            graph.call(site);
        }
        graph
    }

    fn add(&mut self, from: Vertex, to: Vertex, label: Label, arrival: Arrival) {
        self.edges.entry(from).or_default().push((to, label, arrival));
    }

    /// Transformations 0 to 2, and the summary edges of Transformation 3.
    fn procedure(&mut self, procedure: ProcedureId, cut: &BTreeSet<SiteId>) {
        let graph = self.supergraph.graph(procedure);
        let back = back_edges(graph);
        self.add(Vertex::Entry(procedure), Vertex::Block(procedure, graph.entry()), Label::E, Arrival::Edge);
        let surrogates_of = match self.base {
            Base::Context => Vertex::Entry(procedure),
            Base::Piecewise => {
                self.add(Vertex::EntryGlobal, Vertex::GEntry(procedure), Label::E, Arrival::Start);
                Vertex::GEntry(procedure)
            }
        };
        let mut targets = Vec::new();
        let cut_here = self.supergraph.sites(procedure).iter().filter(|site| cut.contains(site));
        let split = cut_here.filter(|_| self.at_cut == AtCut::Split).map(|&site| self.supergraph.site(site).edge);
        let starts: Vec<Node> = back.iter().copied().chain(split).map(|edge| graph.edge(edge).to).collect();
        for to in starts {
            if !targets.contains(&to) {
                targets.push(to);
                self.add(surrogates_of, Vertex::Block(procedure, to), Label::E, Arrival::Surrogate);
            }
        }
        for node in graph.nodes() {
            let crossed = self.supergraph.site_at(procedure, node).is_some_and(|site| !cut.contains(&site));
            let from = Vertex::Block(procedure, node);
            if crossed || node == graph.exit() {
                continue;
            }
            let calls = self.supergraph.site_at(procedure, node).is_some();
            if calls && self.at_cut == AtCut::Split {
                self.add(from, Vertex::GExit(procedure, InterEnd::Cut), Label::E, Arrival::Edge);
                continue;
            }
            if graph.successors(node).is_empty() {
                self.add(from, Vertex::GExit(procedure, InterEnd::DeadEnd), Label::E, Arrival::Edge);
            }
            if graph.successors(node).iter().any(|edge| back.contains(edge)) {
                self.add(from, Vertex::GExit(procedure, InterEnd::Cut), Label::E, Arrival::Edge);
            }
            for edge in graph.successors(node).iter().filter(|edge| !back.contains(edge)) {
                let to = graph.edge(*edge).to;
                self.add(from, Vertex::Block(procedure, to), Label::E, Arrival::Edge);
            }
        }
    }

    fn call(&mut self, id: SiteId) {
        let site = self.supergraph.site(id);
        let (caller, callee) = (self.supergraph.graph(site.caller), self.supergraph.graph(site.callee));
        let (from, exit) = (Vertex::Block(site.caller, site.block), Vertex::Block(site.callee, callee.exit()));
        self.add(from, Vertex::Entry(site.callee), Label::Left(Paren::Site(id)), Arrival::Call);
        self.add(exit, Vertex::Return(id), Label::Right(Paren::Site(id)), Arrival::Return(id));
        let to = match back_edges(caller).contains(&site.edge) {
            true => Vertex::GExit(site.caller, InterEnd::CutAfterCall(id)),
            false => Vertex::Block(site.caller, caller.edge(site.edge).to),
        };
        self.add(Vertex::Return(id), to, Label::E, Arrival::Return(id));
    }

    fn steps(&self, vertex: Vertex) -> &[(Vertex, Label, Arrival)] {
        if let Vertex::GExit(..) = vertex {
            return &[(Vertex::ExitGlobal, Label::E, Arrival::Edge)];
        }
        self.edges.get(&vertex).map_or(&[], Vec::as_slice)
    }

    /// The open parentheses after an edge; `None` if the path is none of the base's.
    fn after(&self, open: &[Paren], label: Label) -> Option<Vec<Paren>> {
        let mut open = open.to_vec();
        match label {
            Label::E => {}
            Label::Left(paren) => open.push(paren),
            Label::Right(paren) => match open.pop() {
                Some(last) if last != paren => return None,
                None if self.base == Base::Context => return None,
                Some(_) | None => {}
            },
        }
        Some(open)
    }

    /// Every path from `Entry_global` to `Exit_global`; `None` if there are more than `most`, or the search takes too long.
    pub(super) fn paths(&self, most: usize) -> Option<Vec<InterPath>> {
        let mut found = Vec::new();
        let mut work = most * 60;
        let mut path = Vec::new();
        self.search(Vertex::EntryGlobal, &[], &mut path, most, &mut work, &mut found).then_some(found)
    }

    fn search(
        &self,
        at: Vertex,
        open: &[Paren],
        path: &mut Vec<(Vertex, Arrival)>,
        most: usize,
        work: &mut usize,
        found: &mut Vec<InterPath>,
    ) -> bool {
        if at == Vertex::ExitGlobal {
            found.push(self.listed(path));
            return found.len() <= most;
        }
        if *work == 0 {
            return false;
        }
        *work -= 1;
        for &(to, label, arrival) in self.steps(at) {
            let Some(open) = self.after(open, label) else { continue };
            path.push((to, arrival));
            if !self.search(to, &open, path, most, work, found) {
                return false;
            }
            path.pop();
        }
        true
    }

    /// The blocks of a path, and its end. The entry block stands for `Entry_P`.
    pub(super) fn listed(&self, path: &[(Vertex, Arrival)]) -> InterPath {
        let mut vertices: Vec<PathVertex> = Vec::new();
        let mut end = InterEnd::Return;
        let mut before = Vertex::EntryGlobal;
        for &(vertex, arrival) in path {
            match vertex {
                Vertex::Entry(procedure) => {
                    let block = self.supergraph.graph(procedure).entry();
                    vertices.push(PathVertex { procedure, block, arrival });
                }
                Vertex::Block(procedure, block) => {
                    let own = matches!(before, Vertex::Entry(_)) && arrival == Arrival::Edge;
                    if !own {
                        vertices.push(PathVertex { procedure, block, arrival });
                    }
                }
                Vertex::GExit(_, kind) => end = kind,
                Vertex::EntryGlobal | Vertex::ExitGlobal | Vertex::GEntry(_) | Vertex::Return(_) => {}
            }
            before = vertex;
        }
        InterPath { vertices, end }
    }

    /// Figure 6: a copy of each procedure for each string of open parentheses. Returns the graph with its copies; `None` if it
    /// has more than `most` nodes.
    pub(super) fn duplicated(&self, most: usize) -> Option<(Graph, Copies)> {
        type State = (Vertex, Vec<Paren>, Arrival);
        let mut builder = GraphBuilder::default();
        let mut nodes: BTreeMap<State, Node> = BTreeMap::new();
        let first = (Vertex::EntryGlobal, Vec::new(), Arrival::Start);
        let entry = builder.node();
        let exit = builder.node();
        nodes.insert(first.clone(), entry);
        let mut edges = Vec::new();
        let mut pending = vec![first];
        while let Some(state) = pending.pop() {
            if nodes.len() > most {
                return None;
            }
            for &(to, label, arrival) in self.steps(state.0) {
                let Some(open) = self.after(&state.1, label) else { continue };
                let from = nodes[&state];
                if to == Vertex::ExitGlobal {
                    edges.push((from, exit));
                    continue;
                }
                let next = (to, open, arrival);
                let known = nodes.get(&next).copied();
                let node = known.unwrap_or_else(|| builder.node());
                if known.is_none() {
                    nodes.insert(next.clone(), node);
                    pending.push(next);
                }
                edges.push((from, node));
            }
        }
        // Searched states come in another order than blocks, but a state's edges stay in order.
        for (from, to) in edges {
            builder.edge(from, to, EdgeKind::Normal);
        }
        let graph = builder.finish(entry, exit, ExitKind::Synthetic).expect("states with different arrivals differ");
        Some((graph, nodes.into_iter().map(|((vertex, _, arrival), node)| (node, (vertex, arrival))).collect()))
    }
}
