//! Placement of the additions to a path number on the fewest and coldest edges of a function, where they are functions of completions.
//!
//! In: a function of a numbered program. Out: [`DeferredIncrements`]: at each segment, the function of completions that the path register lacks to the
//! number. An edge `u -> w` then adds `rho + lacks(u) - lacks(w)`, which is nothing on the edges of a maximum spanning forest.
//!
//! `[MR98]` 5.5.1 sums coefficients in `t1` and constants in `t2`, which are pushed to infrequently executed edges as by `[BL96]` (there
//! [`crate::number::increments`]). Pairs of both are moved here as one: what holds of sums of numbers holds of sums of functions. The
//! multiplication by the completions is not put off as there, to calls, reports and returns: these are more frequent than the additions that
//! are left, of which most have no coefficient.
//!
//! The number is needed at the entry, at returns, and around calls that paths cross: these are the root of the forest, where nothing is lacked. So is
//! the end of a path before a back edge, unless that is colder than another edge. Starts of paths set the register, and take what is lacked with them.
//! Invariant: segments of a block that no crossed call divides lack the same, as no edge of the block is between them.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::numbered::{Numbered, scaled};
use super::segments::Segments;
use crate::graph::{Edge, EdgeKind, Node};
use crate::number::ball_larus::StepKind;
use crate::number::spanning_forest::UnionFind;
use crate::number::spanning_tree::static_weights;
use crate::plan::across::Scaled;
use crate::supergraph::ProcedureId;

/// The functions that the path register lacks.
#[derive(Clone, Debug, Default)]
pub(super) struct DeferredIncrements(SecondaryMap<Node, Scaled>);

/// An edge of the forest, from one segment to another, or to the root.
#[derive(Clone, Copy)]
struct Link {
    from: Node,
    to: Option<Node>,
    adds: Scaled,
}

impl DeferredIncrements {
    /// Places the additions of a function.
    pub(super) fn new(of: Numbered<'_>, procedure: ProcedureId, segments: &Segments) -> DeferredIncrements {
        let graph = of.supergraph.graph(procedure);
        let root = Node::new(graph.node_count());
        let mut sets = UnionFind::new(graph.node_count() + 1);
        let mut at_root = vec![graph.entry(), graph.exit()];
        for &site in of.supergraph.sites(procedure).iter().filter(|site| !of.numbering.calls().is_cut(**site)) {
            let site = of.supergraph.site(site);
            at_root.extend([site.block, graph.edge(site.edge).to]);
        }
        at_root.iter().for_each(|&node| _ = sets.union(root, node));
        let mut forest: SecondaryMap<Node, Vec<Link>> = SecondaryMap::new();
        for link in links(of, procedure, segments) {
            let to = link.to.unwrap_or(root);
            if sets.union(link.from, to) {
                forest[link.from].push(link);
                forest[to].push(link);
            }
        }
        let mut deferred = DeferredIncrements::default();
        let mut known: SecondaryMap<Node, bool> = SecondaryMap::new();
        deferred.spread(&forest, [vec![root], at_root].concat(), &mut known);
        for node in graph.nodes() {
            if !known[node] {
                deferred.spread(&forest, vec![node], &mut known);
            }
        }
        deferred
    }

    /// Follows the forest from segments that lack nothing.
    fn spread(
        &mut self,
        forest: &SecondaryMap<Node, Vec<Link>>,
        roots: Vec<Node>,
        known: &mut SecondaryMap<Node, bool>,
    ) {
        roots.iter().for_each(|&root| known[root] = true);
        let mut work = roots;
        while let Some(node) = work.pop() {
            for link in &forest[node] {
                let (other, there) = match link.to {
                    Some(to) if link.from == node => (to, self.of(node).plus(link.adds)),
                    // The root lacks nothing.
                    to => (link.from, to.map_or(Scaled::NOTHING, |to| self.of(to)).minus(link.adds)),
                };
                if !known[other] {
                    known[other] = true;
                    self.0[other] = there;
                    work.push(other);
                }
            }
        }
    }

    /// The function that is lacked at a segment.
    pub(super) fn of(&self, segment: Node) -> Scaled {
        self.0[segment]
    }
}

/// The edges that the forest may have, the hottest first; of equally hot ones those that add nothing themselves.
fn links(of: Numbered<'_>, procedure: ProcedureId, segments: &Segments) -> Vec<Link> {
    let (graph, order) = (of.supergraph.graph(procedure), of.supergraph.order(procedure));
    let weights = static_weights(graph);
    let mut links: Vec<(u64, Link)> = Vec::new();
    let rho = |from: Node, kind: StepKind| {
        let steps = of.numbering.steps(procedure, from);
        steps.iter().find(|step| step.kind == kind).map(|step| scaled(step.rho))
    };
    let is_within_block = |edge: &Edge| {
        let ((from, before), (to, behind)) = (segments.place(edge.from), segments.place(edge.to));
        from == to && before + 1 == behind
    };
    let ways = graph.edges().filter(|(_, edge)| edge.kind == EdgeKind::Normal && order.is_reachable(edge.from));
    let (back, forward): (Vec<_>, Vec<_>) = ways.partition(|(id, _)| order.is_back_edge(*id));
    for (id, edge) in back {
        let ends = rho(edge.from, StepKind::Cut).map(|adds| Link { from: edge.from, to: None, adds });
        links.extend(ends.map(|link| (weights[id], link)));
    }
    for (id, edge) in forward {
        let weight = if is_within_block(edge) { u64::MAX } else { weights[id] };
        let adds = rho(edge.from, StepKind::Edge(id));
        links.extend(adds.map(|adds| (weight, Link { from: edge.from, to: Some(edge.to), adds })));
    }
    links.sort_by_key(|(weight, link)| (std::cmp::Reverse(*weight), link.adds != Scaled::NOTHING));
    links.into_iter().map(|(_, link)| link).collect()
}
