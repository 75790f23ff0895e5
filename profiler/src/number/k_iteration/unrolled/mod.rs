//! Paths of several iterations of all loops of a nest at once, numbered over the whole loop-unrolled DAG.
//!
//! In: a reducible graph and a k for each loop. Out: [`UnrolledNumbering`]: a weight for each edge in each copy of its source, such that each
//! valid path has its own id in `0..num_paths`; and the paths of ids.
//!
//! `[RS09]` section 5: "k-iteration profiling of nested loops needs multiple sets of edge weights for the inner loop - one of each iteration of
//! the outer loop". Its algorithms assume that there are no nests. So a node has a copy for each combination of iterations of the loops around
//! it, and an inner loop begins with its first iteration whenever it is entered. The requirements of section 2 hold of each loop:
//! - a path that starts at a loop's head *owes* iterations of this loop: it may neither leave the loop nor end before iteration k;
//! - a path ends on a back edge of a loop in iteration k, whatever the iterations of the loops around it are.
//!
//! A node has further copies for paths that owe iterations. What is invalid is no edge there, so that the weights need no compensation.
//! If loops around loops have k = 1, ids are those of [`super::number_mixed`].
//!
//! Phases: 1. copies, from the starts of paths on; 2. numbers, in reverse topological order; 3. bases of the starts.
//! Invariant: from a copy without owed iterations every path is valid, and a copy with some has a step only if a valid path takes it.

mod count;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::HashMap;

use super::{KError, KStartKind, goes_on};
use crate::graph::{DepthFirst, EdgeId, EdgeKind, Graph, LoopId, LoopNest, Node};
use crate::number::ball_larus::StepKind;
use crate::path_id::{Path, PathEnd, PathStart};
use crate::persistence::Irreducible;
use crate::settings::k_iteration::MAX_VERSIONS;

pub use count::{UnrolledCounts, UnrolledPaths};

/// A copy of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CopyId(u32);
entity_impl!(CopyId);

/// A node in certain iterations of the loops around it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeCopy {
    /// The node.
    pub node: Node,
    /// The iteration of each loop around it, outer first; 1 where a loop's iterations are not told apart.
    pub iterations: Vec<u32>,
    /// The loop at whose head the path started, as long as it has iterations left.
    pub owes: Option<LoopId>,
}

/// One continuation of paths at a copy.
#[derive(Clone, Copy, Debug)]
struct UnrolledStep {
    kind: StepKind,
    val: u64,
    to: Option<CopyId>,
}

#[derive(Clone, Copy, Debug)]
struct UnrolledStart {
    at: CopyId,
    kind: KStartKind,
    base: u64,
}

/// The numbered paths of a loop-unrolled DAG.
#[derive(Clone, Debug)]
pub struct UnrolledNumbering {
    nest: LoopNest,
    k: SecondaryMap<LoopId, u32>,
    copies: PrimaryMap<CopyId, NodeCopy>,
    steps: SecondaryMap<CopyId, Vec<UnrolledStep>>,
    starts: Vec<UnrolledStart>,
    num_paths: u64,
}

/// The weight of an edge in one copy of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnrolledWeight {
    /// The iterations, as in [`NodeCopy`].
    pub iterations: Vec<u32>,
    /// The head at which the path started, as long as it owes iterations of that loop.
    pub owes: Option<Node>,
    /// The addend.
    pub val: u64,
}

/// Numbers at most `limit` paths of a graph; `k_of` gives the number of iterations of each loop by its header.
pub fn number_unrolled(graph: &Graph, k_of: impl Fn(Node) -> u32, limit: u64) -> Result<UnrolledNumbering, KError> {
    let order = DepthFirst::new(graph);
    let nest = LoopNest::of(graph);
    if let Some(edge) = nest.irreducible() {
        let ends = graph.edge(edge);
        return Err(KError::Irreducible(Irreducible { edge, from: ends.from, to: ends.to }));
    }
    let mut k: SecondaryMap<LoopId, u32> = SecondaryMap::with_default(1);
    for (id, each) in nest.iter() {
        k[id] = if goes_on(graph, &nest, id) { k_of(each.header) } else { 1 };
    }
    let unroller = Unroller { graph, nest: &nest, k: &k, copies: PrimaryMap::new(), ids: HashMap::new() };
    let starts = unroller.starts(&order);
    unroller.number(starts, limit).ok_or(KError::TooManyPaths(None)).map(|(copies, steps, starts, num_paths)| {
        UnrolledNumbering { copies, steps, starts, num_paths, nest: nest.clone(), k: k.clone() }
    })
}

/// Continuation of a path along an edge.
enum Way {
    To(NodeCopy),
    Ends,
    /// No path with what it owes takes the edge.
    Invalid,
}

type Numbered = (PrimaryMap<CopyId, NodeCopy>, SecondaryMap<CopyId, Vec<UnrolledStep>>, Vec<UnrolledStart>, u64);

struct Unroller<'a> {
    graph: &'a Graph,
    nest: &'a LoopNest,
    k: &'a SecondaryMap<LoopId, u32>,
    copies: PrimaryMap<CopyId, NodeCopy>,
    ids: HashMap<NodeCopy, CopyId>,
}

impl Unroller<'_> {
    /// The starts, in the order of [`super::number_mixed`].
    fn starts(&self, order: &DepthFirst) -> Vec<(NodeCopy, KStartKind)> {
        let mut starts = vec![(self.start(self.graph.entry(), None), KStartKind::Free)];
        for &edge in order.back_edges() {
            let ends = self.graph.edge(edge);
            let of = self.nest.innermost(ends.to).filter(|&id| self.k[id] > 1 && ends.kind == EdgeKind::Normal);
            let kind = if of.is_some() { KStartKind::Head } else { KStartKind::Free };
            starts.push((self.start(ends.to, of), kind));
        }
        for &node in order.reverse_postorder() {
            let failures = self.graph.successors(node).iter().map(|&edge| self.graph.edge(edge));
            for to in failures.filter(|edge| edge.kind == EdgeKind::Failure).map(|edge| edge.to) {
                starts.push((self.start(to, None), KStartKind::Free));
            }
        }
        starts
    }

    fn start(&self, node: Node, owes: Option<LoopId>) -> NodeCopy {
        NodeCopy { node, iterations: vec![1; self.nest.depth(node) as usize], owes }
    }

    fn number(mut self, starts: Vec<(NodeCopy, KStartKind)>, limit: u64) -> Option<Numbered> {
        let mut steps: SecondaryMap<CopyId, Vec<UnrolledStep>> = SecondaryMap::new();
        let mut num_paths: SecondaryMap<CopyId, Option<u64>> = SecondaryMap::new();
        let (mut numbered, mut sum): (Vec<UnrolledStart>, u64) = (Vec::new(), 0);
        for (copy, kind) in starts {
            let at = self.id(&copy);
            if numbered.iter().any(|start| start.at == at) {
                continue;
            }
            // Depth first: a copy is numbered when those behind it are.
            let mut work = vec![at];
            while let Some(&copy) = work.last() {
                if num_paths[copy].is_some() {
                    work.pop();
                    continue;
                }
                let ways = self.ways(copy);
                let open = ways.iter().filter_map(|(_, to)| to.filter(|to| num_paths[*to].is_none()));
                let before = work.len();
                work.extend(open);
                if work.len() == before {
                    work.pop();
                    num_paths[copy] = Some(weigh(&mut steps[copy], ways, &num_paths, limit)?);
                }
                if self.copies.len() as u64 > MAX_VERSIONS {
                    return None;
                }
            }
            numbered.push(UnrolledStart { at, kind, base: sum });
            sum = sum.checked_add(num_paths[at].expect("it was numbered")).filter(|sum| *sum <= limit)?;
        }
        Some((self.copies, steps, numbered, sum))
    }

    fn id(&mut self, copy: &NodeCopy) -> CopyId {
        if let Some(&id) = self.ids.get(copy) {
            return id;
        }
        let id = self.copies.push(copy.clone());
        self.ids.insert(copy.clone(), id);
        id
    }

    /// The continuations of a copy, in numbering order, by the copies that they lead to.
    fn ways(&mut self, id: CopyId) -> Vec<(StepKind, Option<CopyId>)> {
        let copy = self.copies[id].clone();
        let (mut ways, mut ends, mut is_last) = (Vec::new(), false, true);
        for edge in self.graph.normal_successors(copy.node).collect::<Vec<_>>() {
            is_last = false;
            match self.along(&copy, edge) {
                Way::To(to) => ways.push((StepKind::Edge(edge), Some(self.id(&to)))),
                Way::Ends => ends = true,
                Way::Invalid => {}
            }
        }
        if ends {
            ways.push((StepKind::Cut, None));
        }
        if is_last && copy.owes.is_none() {
            ways.push((StepKind::Stop, None));
        }
        ways
    }

    fn along(&self, copy: &NodeCopy, edge: EdgeId) -> Way {
        let to = self.graph.edge(edge).to;
        let chain = |node: Node| -> Vec<LoopId> {
            let mut chain: Vec<LoopId> = self.nest.chain(node).collect();
            chain.reverse();
            chain
        };
        let (from_loops, to_loops) = (chain(copy.node), chain(to));
        let common = from_loops.iter().zip(&to_loops).take_while(|(a, b)| a == b).count();
        if copy.owes.is_some_and(|owed| from_loops[common..].contains(&owed)) {
            return Way::Invalid;
        }
        let mut iterations = copy.iterations[..common].to_vec();
        let around = from_loops[..common].last().copied().filter(|&id| self.nest.get(id).header == to);
        let Some(id) = around else {
            iterations.resize(to_loops.len(), 1);
            return Way::To(NodeCopy { node: to, iterations, owes: copy.owes });
        };
        let i = iterations.last_mut().expect("the loop is around both ends");
        if *i == self.k[id] {
            return if copy.owes.is_some() { Way::Invalid } else { Way::Ends };
        }
        *i += 1;
        let owes = copy.owes.filter(|&owed| owed != id || *i < self.k[id]);
        Way::To(NodeCopy { node: to, iterations, owes })
    }
}

/// Gives the steps of a copy their values, without those that no valid path takes. Returns the number of its paths.
fn weigh(
    steps: &mut Vec<UnrolledStep>,
    ways: Vec<(StepKind, Option<CopyId>)>,
    num_paths: &SecondaryMap<CopyId, Option<u64>>,
    limit: u64,
) -> Option<u64> {
    let mut sum: u64 = 0;
    for (kind, to) in ways {
        let further = to.map_or(1, |to| num_paths[to].expect("what is behind was numbered"));
        if further > 0 {
            steps.push(UnrolledStep { kind, val: sum, to });
        }
        sum = sum.checked_add(further).filter(|sum| *sum <= limit)?;
    }
    Some(sum)
}

impl UnrolledNumbering {
    /// Number of paths; every id is below it.
    pub fn num_paths(&self) -> u64 {
        self.num_paths
    }

    /// Number of copies of nodes: the sets of weights, one for each node of the graph that is on paths.
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// The loops with iterations: their headers and k.
    pub fn loops(&self) -> impl Iterator<Item = (Node, u32)> {
        self.nest.iter().map(|(id, each)| (each.header, self.k[id])).filter(|(_, k)| *k > 1)
    }

    /// The weights of an edge, one for each copy of its source in which paths take it.
    pub fn weights(&self, graph: &Graph, edge: EdgeId) -> Vec<UnrolledWeight> {
        let from = graph.edge(edge).from;
        let weight = |(id, copy): (CopyId, &NodeCopy)| {
            let step = self.steps[id].iter().find(|step| step.kind == StepKind::Edge(edge))?;
            let owes = copy.owes.map(|id| self.nest.get(id).header);
            Some(UnrolledWeight { iterations: copy.iterations.clone(), owes, val: step.val })
        };
        let mut weights: Vec<UnrolledWeight> =
            self.copies.iter().filter(|(_, copy)| copy.node == from).filter_map(weight).collect();
        weights.sort_by(|a, b| (&a.owes, &a.iterations).cmp(&(&b.owes, &b.iterations)));
        weights
    }

    /// The path with this id, and the copies that it passes; `None` if the id is not below `num_paths`.
    fn passed(&self, graph: &Graph, id: u64) -> Option<(Path, KStartKind, Vec<CopyId>)> {
        if id >= self.num_paths {
            return None;
        }
        let start = self.starts[self.starts.partition_point(|start| start.base <= id) - 1];
        let (mut rest, mut at) = (id - start.base, start.at);
        let is_entry = start.kind == KStartKind::Free && self.copies[at].node == graph.entry();
        let kind = if is_entry { PathStart::Entry } else { PathStart::Restart };
        let mut path = Path { start: kind, blocks: Vec::new(), edges: Vec::new(), end: PathEnd::Return };
        let mut copies = Vec::new();
        loop {
            let node = self.copies[at].node;
            if graph.is_block(node) {
                path.blocks.push(node);
                copies.push(at);
            }
            let steps = &self.steps[at];
            let step = steps[steps.partition_point(|step| step.val <= rest) - 1];
            rest -= step.val;
            match (step.kind, step.to) {
                (StepKind::Edge(edge), Some(to)) => {
                    path.edges.push(edge);
                    at = to;
                    continue;
                }
                (StepKind::Stop, _) if node != graph.exit() => path.end = PathEnd::DeadEnd,
                (StepKind::Cut, _) => path.end = PathEnd::Cut,
                (StepKind::Stop | StepKind::Edge(_), _) => {}
            }
            return Some((path, start.kind, copies));
        }
    }

    /// The path with this id, and the kind of its start.
    pub fn path_of(&self, graph: &Graph, id: u64) -> Option<(Path, KStartKind)> {
        self.passed(graph, id).map(|(path, kind, _)| (path, kind))
    }

    /// The path that a failure in a copy cut short, from the id that was counted with it.
    ///
    /// The sum of values up to a copy is the id of the path that goes on with the first steps.
    pub fn prefix_of(&self, graph: &Graph, at: CopyId, id: u64) -> Option<(Path, KStartKind)> {
        let (mut path, kind, copies) = self.passed(graph, id)?;
        let length = copies.iter().position(|&copy| copy == at)? + 1;
        path.blocks.truncate(length);
        path.edges.truncate(length - 1);
        path.end = PathEnd::Failure;
        Some((path, kind))
    }
}
