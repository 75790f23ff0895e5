//! Paths that span up to k iterations of a loop, numbered statically.
//!
//! In: a reducible graph and k, or a k for each loop in mixed mode. Out: [`KNumbering`]: values for each edge and
//! iteration such that each valid path has its own id in `0..num_paths`.
//!
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling
//! Algorithm", CGO 2009.
//! Notation: `num_paths`, `invalid_paths`, `val`, `cval` as in Algorithm 1, indexed by node and iteration `i` in
//! `1..=k`: node `v` in iteration `i` is node `v^i` of the loop-unrolled DAG. A path that starts at a loop's head (by
//! the dummy edge `delta_start`) must not leave the loop before iteration k: such paths are invalid, and `val - cval`
//! numbers the others without gaps.
//!
//! ```text
//!    Start ---> 1 ---> 2^1 ... 5^1 ---> 2^2 ... 5^2 ---> End      k = 2: the loop of 2 and 5, unrolled;
//!      +---------------^  \              (delta_end) \            delta_start leads to 2^1 only,
//!        delta_start       6                          6           delta_end from 5^2 only
//! ```
//!
//! Loops that contain loops are for [`nest`], which collapses the inner ones.
//!
//! Phases: 1. choose the loops with iterations (`eligible`): innermost ones, as in section 5; back edges of all others,
//! and failure edges, cut paths as in [`super::dag`]; 2. Algorithm 1 in reverse topological order, each loop k times;
//! 3. bases of the starts.
//! Order, as in Figure 2: an activation's start before those by `delta_start`, a node's own edges before `delta_end`.
//! For k = 1 the ids are Ball-Larus ids in that order.
//!
//! Invariant: within a node and iteration the values of the steps increase, by `val` and, among valid steps, by `val -
//! cval`.

pub mod choose;
pub mod increments;
pub mod nest;
pub mod unrolled;

mod collapse;
mod identify;
mod instrument;

use crate::settings::k_iteration::MAX_VERSIONS;
use std::fmt;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};

use super::ball_larus::{MAX_PATHS, StepKind};
use crate::graph::{DepthFirst, Dominators, EdgeId, EdgeKind, Graph, Loop, LoopId, LoopNest, Node};
use crate::hash::KeyMap;
use crate::persistence::Irreducible;

pub use identify::KPath;

/// One continuation of paths at a node in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KStep {
    /// Its kind.
    pub kind: StepKind,
    /// Its value, the addend of an id.
    pub val: u64,
    /// The compensation: `val - cval` is added if the path started at the head of the innermost loop.
    pub cval: u64,
    /// The next node and iteration; `None` if the path ends.
    to: Option<(Node, u32)>,
    reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Stays in the innermost loop, or there is none.
    Within,
    /// Leaves the innermost loop: invalid for a path that started at its head and has iterations left.
    Leaves,
}

/// Kinds of starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KStartKind {
    /// At the entry, after a failure, or after a back edge that cuts paths: the path may end anywhere.
    Free,
    /// At a loop's head after an iteration: the path spans k iterations.
    Head,
}

/// A node at which paths start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KStart {
    /// The node.
    pub node: Node,
    /// The kind of the start.
    pub kind: KStartKind,
    /// The least id of the paths with this start.
    pub base: u64,
}

/// Number of paths and steps of a node in one iteration.
#[derive(Clone, Debug, Default)]
struct Version {
    steps: Vec<KStep>,
    num_paths: u128,
    invalid_paths: u128,
}

/// The numbered k-iteration paths of a graph.
#[derive(Clone, Debug)]
pub struct KNumbering {
    nest: LoopNest,
    /// The loop with iterations around each node.
    around: SecondaryMap<Node, PackedOption<LoopId>>,
    k: SecondaryMap<LoopId, u32>,
    cut: EntitySet<EdgeId>,
    versions: SecondaryMap<Node, Vec<Version>>,
    starts: Vec<KStart>,
    base: KeyMap<(Node, KStartKind), u64>,
    first: u64,
    end: u64,
}

/// Reasons for which a graph has no k-iteration numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KError {
    /// A loop has two entries.
    Irreducible(Irreducible),
    /// There are more paths than the limit: so many, if they can be numbered at all.
    TooManyPaths(Option<u128>),
}

impl fmt::Display for KError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KError::Irreducible(error) => error.fmt(f),
            KError::TooManyPaths(_) => write!(f, "there are too many k-iteration paths"),
        }
    }
}

impl std::error::Error for KError {}

/// Numbers paths of up to `k` iterations of each innermost loop.
pub fn number_k(graph: &Graph, k: u32) -> Result<KNumbering, KError> {
    number_mixed(graph, |_| k, MAX_PATHS)
}

/// The headers of all loops whose iterations can be told apart, with inner loops collapsed.
pub fn loops_to_iterate(graph: &Graph) -> Vec<Node> {
    let nest = LoopNest::of(graph);
    nest.iter().filter(|(id, _)| goes_on(graph, &nest, *id)).map(|(_, each)| each.header).collect()
}

/// Mixed mode (section 5): `k_of` gives the number of iterations of each innermost loop by its header, 1 for an acyclic one.
pub fn number_mixed(graph: &Graph, k_of: impl Fn(Node) -> u32, limit: u64) -> Result<KNumbering, KError> {
    number_from(graph, k_of, (0, limit))
}

/// The same with ids from `first` on, below `limit`.
fn number_from(graph: &Graph, k_of: impl Fn(Node) -> u32, (first, limit): (u64, u64)) -> Result<KNumbering, KError> {
    let order = DepthFirst::new(graph);
    let nest = LoopNest::new(graph, &order, &Dominators::new(graph, &order));
    if let Some(edge) = nest.irreducible() {
        let ends = graph.edge(edge);
        return Err(KError::Irreducible(Irreducible { edge, from: ends.from, to: ends.to }));
    }
    let mut numbering = KNumbering {
        around: SecondaryMap::new(),
        k: SecondaryMap::new(),
        cut: EntitySet::new(),
        versions: SecondaryMap::new(),
        starts: Vec::new(),
        base: KeyMap::default(),
        first,
        end: first,
        nest,
    };
    numbering.choose_loops(graph, &order, k_of);
    let versions: u64 = order.reverse_postorder().iter().map(|&node| u64::from(numbering.iterations(node))).sum();
    if versions > MAX_VERSIONS.max(graph.node_count() as u64) {
        return Err(KError::TooManyPaths(None));
    }
    numbering.path_numbering(graph, &order).ok_or(KError::TooManyPaths(None))?;
    let paths = numbering.place_starts(graph, &order).ok_or(KError::TooManyPaths(None))?;
    let end = paths.checked_add(first.into()).and_then(|end| u64::try_from(end).ok());
    numbering.end = end.filter(|end| *end <= limit).ok_or(KError::TooManyPaths(Some(paths)))?;
    Ok(numbering)
}

/// Returns whether a loop without inner loops may have iterations.
fn eligible(graph: &Graph, nest: &LoopNest, id: LoopId) -> bool {
    nest.is_innermost(id) && goes_on(graph, nest, id)
}

/// Returns whether every member of a loop reaches a normal back edge by normal edges. A path at any member can then continue for as many
/// iterations as it must.
fn goes_on(graph: &Graph, nest: &LoopNest, id: LoopId) -> bool {
    let around = nest.get(id);
    let normal = |&e: &EdgeId| graph.edge(e).kind == EdgeKind::Normal;
    let mut reaches = EntitySet::new();
    let mut work: Vec<Node> = around.back_edges.iter().copied().filter(normal).map(|e| graph.edge(e).from).collect();
    while let Some(node) = work.pop() {
        if nest.contains(id, node) && reaches.insert(node) && node != around.header {
            work.extend(graph.predecessors(node).iter().copied().filter(normal).map(|e| graph.edge(e).from));
        }
    }
    around.members.iter().all(|&member| reaches.contains(member))
}

impl KNumbering {
    fn choose_loops(&mut self, graph: &Graph, order: &DepthFirst, k_of: impl Fn(Node) -> u32) {
        let is_chosen = |id: LoopId, header: Node| k_of(header) > 1 && eligible(graph, &self.nest, id);
        let chosen: Vec<(LoopId, Node)> = self
            .nest
            .iter()
            .map(|(id, each)| (id, each.header))
            .filter(|&(id, header)| is_chosen(id, header))
            .collect();
        for (id, header) in chosen {
            self.k[id] = k_of(header);
            for &member in &self.nest.get(id).members {
                self.around[member] = id.into();
            }
        }
        for &edge in order.back_edges() {
            if graph.edge(edge).kind == EdgeKind::Normal && !self.is_iteration(graph, edge) {
                self.cut.insert(edge);
            }
        }
    }

    /// Algorithm 1. The last iteration of a loop is numbered with the rest of the graph, the earlier ones when the
    /// loop's head is reached. `None` past 128 bits.
    fn path_numbering(&mut self, graph: &Graph, order: &DepthFirst) -> Option<()> {
        for &node in order.reverse_postorder().iter().rev() {
            let k = self.iterations(node);
            self.versions[node] = vec![Version::default(); k as usize];
            self.number_version(graph, node, k)?;
            let Some(id) = self.around[node].expand().filter(|&id| self.nest.get(id).header == node) else { continue };
            let members = self.nest.get(id).members.clone();
            for i in (1..k).rev() {
                for &member in members.iter().rev() {
                    self.number_version(graph, member, i)?;
                }
            }
        }
        Some(())
    }

    /// Values of steps are right unless there turn out to be too many paths.
    fn number_version(&mut self, graph: &Graph, u: Node, i: u32) -> Option<()> {
        let k = self.iterations(u);
        let mut version = Version::default();
        for (kind, to) in self.ways(graph, u, i) {
            let reach = match to {
                Some((v, _)) if self.around[v] == self.around[u] => Reach::Within,
                _ => Reach::Leaves,
            };
            let (further, invalid) = match to {
                Some((v, j)) => {
                    let there = &self.versions[v][j as usize - 1];
                    (there.num_paths, if reach == Reach::Leaves { there.num_paths } else { there.invalid_paths })
                }
                None => (1, 1),
            };
            let (val, cval) = (version.num_paths, version.invalid_paths);
            version.steps.push(KStep { kind, val: val as u64, cval: cval as u64, to, reach });
            version.num_paths = val.checked_add(further)?;
            if i < k {
                version.invalid_paths = cval + invalid;
            }
        }
        self.versions[u][i as usize - 1] = version;
        Some(())
    }

    /// The steps of `u` in iteration `i`, in numbering order, without `Ignored` ones.
    fn ways(&self, graph: &Graph, u: Node, i: u32) -> Vec<(StepKind, Option<(Node, u32)>)> {
        let mut ways = Vec::new();
        let mut ends = false;
        for edge in graph.normal_successors(u) {
            let v = graph.edge(edge).to;
            if self.is_iteration(graph, edge) {
                if i < self.iterations(u) {
                    ways.push((StepKind::Edge(edge), Some((v, i + 1))));
                } else {
                    ends = true;
                }
            } else if self.cut.contains(edge) {
                ends = true;
            } else {
                let same = self.around[u].is_some() && self.around[u] == self.around[v];
                ways.push((StepKind::Edge(edge), Some((v, if same { i } else { 1 }))));
            }
        }
        if ends {
            ways.push((StepKind::Cut, None));
        }
        if ways.is_empty() {
            ways.push((StepKind::Stop, None));
        }
        ways
    }

    /// Returns the number of all paths; `None` past 128 bits.
    fn place_starts(&mut self, graph: &Graph, order: &DepthFirst) -> Option<u128> {
        let mut paths = self.place_start(graph.entry(), KStartKind::Free, 0)?;
        for &edge in order.back_edges() {
            let kind = if self.is_iteration(graph, edge) { KStartKind::Head } else { KStartKind::Free };
            paths = self.place_start(graph.edge(edge).to, kind, paths)?;
        }
        for &node in order.reverse_postorder() {
            for &edge in graph.successors(node) {
                if graph.edge(edge).kind == EdgeKind::Failure {
                    paths = self.place_start(graph.edge(edge).to, KStartKind::Free, paths)?;
                }
            }
        }
        Some(paths)
    }

    /// Returns the number of paths with this start and those before.
    fn place_start(&mut self, node: Node, kind: KStartKind, before: u128) -> Option<u128> {
        if self.base(node, kind).is_some() {
            return Some(before);
        }
        let base = self.first.wrapping_add(before as u64);
        self.starts.push(KStart { node, kind, base });
        self.base.insert((node, kind), base);
        let first = &self.versions[node][0];
        before.checked_add(match kind {
            KStartKind::Free => first.num_paths,
            KStartKind::Head => first.num_paths - first.invalid_paths,
        })
    }

    /// Returns whether `edge` is a back edge that starts the next iteration of a loop with iterations.
    pub fn is_iteration(&self, graph: &Graph, edge: EdgeId) -> bool {
        let ends = graph.edge(edge);
        let within = self.around[ends.from].expand().filter(|_| ends.kind == EdgeKind::Normal);
        within.is_some_and(|id| self.nest.get(id).header == ends.to)
    }

    /// Returns true if the back edge `edge` ends a path before it and starts another behind it.
    pub fn is_cut(&self, edge: EdgeId) -> bool {
        self.cut.contains(edge)
    }

    /// The number of iterations that are distinguished at `node`.
    pub fn iterations(&self, node: Node) -> u32 {
        self.around[node].expand().map_or(1, |id| self.k[id])
    }

    /// The loops with iterations: their headers and k.
    pub fn loops(&self) -> impl Iterator<Item = (Node, u32)> {
        let around = |(id, each): (LoopId, &Loop)| (self.k[id] > 1).then_some((each.header, self.k[id]));
        self.nest.iter().filter_map(around)
    }

    /// Number of paths; every id is below it, but in parts of a nest.
    pub fn num_paths(&self) -> u64 {
        self.end - self.first
    }

    /// The ids.
    pub fn ids(&self) -> std::ops::Range<u64> {
        self.first..self.end
    }

    /// The steps of `node` in iteration `i`, counted from 1.
    pub fn steps(&self, node: Node, i: u32) -> &[KStep] {
        &self.versions[node][i as usize - 1].steps
    }

    /// `val` and `cval` of an edge in iteration `i`; `None` if the edge is on no path.
    pub fn values(&self, graph: &Graph, edge: EdgeId, i: u32) -> Option<(u64, u64)> {
        self.step_of(graph, edge, i).map(|step| (step.val, step.cval))
    }

    /// The step along an edge in iteration `i`. Edges come first among the steps of a node, as they are numbered in
    /// the graph.
    fn step_of(&self, graph: &Graph, edge: EdgeId, i: u32) -> Option<&KStep> {
        let steps = &self.versions[graph.edge(edge).from].get(i as usize - 1)?.steps;
        let step = steps.get(steps.partition_point(|step| matches!(step.kind, StepKind::Edge(other) if other < edge)));
        step.filter(|step| step.kind == StepKind::Edge(edge))
    }

    /// The nodes at which paths start, by increasing base.
    pub fn starts(&self) -> &[KStart] {
        &self.starts
    }

    fn base(&self, node: Node, kind: KStartKind) -> Option<u64> {
        self.base.get(&(node, kind)).copied()
    }
}
