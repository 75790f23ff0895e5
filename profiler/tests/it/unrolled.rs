//! Paths of several iterations of all loops of a nest at once, against the requirements of section 2 of `[RS09]`, read literally.
//!
//! In: random graphs with nests, a k for each loop, and executions. Out: failed properties. Every path is followed by itself, from its start on, by
//! its blocks and how often each loop came round: no copies, no weights. `HOLLOWAY_GRAPHS` is the number of graphs.

use std::collections::{BTreeMap, BTreeSet};

use holloway_profiler::graph::{EdgeId, EdgeKind, ExitKind, Graph, LoopId, LoopNest, Node};
use holloway_profiler::number::k_iteration::nest::{Iterations, number_nest};
use holloway_profiler::number::k_iteration::unrolled::{
    UnrolledCounts, UnrolledNumbering, UnrolledPaths, number_unrolled,
};
use holloway_profiler::number::k_iteration::{KStartKind, loops_to_iterate, number_mixed};
use holloway_profiler::path_id::PathEnd;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::common::{Activation, Run, activation_of, cases, runs, structured_runs, tally};

/// Start, blocks and end.
type Piece = (bool, Vec<Node>, u8);

fn digit(end: PathEnd) -> u8 {
    match end {
        PathEnd::Return => 0,
        PathEnd::Cut => 1,
        PathEnd::DeadEnd => 2,
        PathEnd::Failure => 3,
        PathEnd::Left => unreachable!("no loop has paths of its own"),
    }
}

/// Definitions, by the loops of the graph.
struct Defined<'a> {
    graph: &'a Graph,
    nest: LoopNest,
    k: BTreeMap<LoopId, u32>,
}

/// A path, and how often each loop around its last block came round since it was entered.
#[derive(Clone, Debug)]
struct Walk {
    /// The loop at whose head it started, behind a back edge, until it is left.
    head_of: Option<LoopId>,
    iterations: BTreeMap<LoopId, u32>,
    blocks: Vec<Node>,
}

impl Defined<'_> {
    fn start(&self, node: Node, head_of: Option<LoopId>) -> Walk {
        let iterations = self.nest.chain(node).map(|id| (id, 1)).collect();
        Walk { head_of: head_of.filter(|id| self.k[id] > 1), iterations, blocks: vec![node] }
    }

    /// Starts behind a back edge, if `edge` is one.
    fn behind(&self, edge: EdgeId) -> Option<Walk> {
        let ends = self.graph.edge(edge);
        let id = self.nest.chain(ends.from).find(|id| self.nest.get(*id).header == ends.to)?;
        Some(self.start(ends.to, Some(id)))
    }

    /// "Any path that starts with the loop-head of loop L must iterate through L exactly k times."
    fn owes(&self, walk: &Walk) -> bool {
        walk.head_of.is_some_and(|id| walk.iterations[&id] < self.k[&id])
    }

    /// One edge further; `Err` if the path ends before it, or with `None` if it is invalid.
    fn step(&self, walk: &Walk, edge: EdgeId) -> Result<Walk, Option<PathEnd>> {
        let ends = self.graph.edge(edge);
        let mut walk = walk.clone();
        let left: Vec<LoopId> =
            walk.iterations.keys().copied().filter(|id| !self.nest.contains(*id, ends.to)).collect();
        if self.owes(&walk) && left.iter().any(|id| Some(*id) == walk.head_of) {
            return Err(None);
        }
        for id in left {
            walk.iterations.remove(&id);
            walk.head_of = walk.head_of.filter(|head_of| *head_of != id);
        }
        let back = walk.iterations.keys().copied().find(|id| self.nest.get(*id).header == ends.to);
        if let Some(id) = back {
            // "Any path that terminates at the loop-tail of loop L must also iterate through L exactly k times."
            if walk.iterations[&id] == self.k[&id] {
                return Err((!self.owes(&walk)).then_some(PathEnd::Cut));
            }
            *walk.iterations.get_mut(&id).expect("it is around") += 1;
        }
        for id in self.nest.chain(ends.to) {
            walk.iterations.entry(id).or_insert(1);
        }
        if self.graph.is_block(ends.to) {
            walk.blocks.push(ends.to);
        }
        Ok(walk)
    }

    /// End of the path that starts before these edges; none if it is invalid, or if a failure finds it so.
    fn follow(&self, mut walk: Walk, edges: &[EdgeId], aborted: bool) -> Option<Piece> {
        let is_head = walk.head_of.is_some();
        for &edge in edges {
            if self.graph.edge(edge).kind == EdgeKind::Failure {
                return (!self.owes(&walk)).then_some((is_head, walk.blocks, digit(PathEnd::Failure)));
            }
            walk = match self.step(&walk, edge) {
                Ok(walk) => walk,
                Err(end) => return end.map(|end| (is_head, walk.blocks, digit(end))),
            };
        }
        let end = if aborted { PathEnd::Failure } else { PathEnd::Return };
        (!self.owes(&walk)).then_some((is_head, walk.blocks, digit(end)))
    }

    fn naive(&self, activation: &Activation) -> Vec<Piece> {
        let aborted = activation.aborted_in.is_some();
        let mut pieces = Vec::new();
        pieces.extend(self.follow(self.start(self.graph.entry(), None), &activation.edges, aborted));
        for (at, &edge) in activation.edges.iter().enumerate() {
            let start = match self.graph.edge(edge).kind {
                EdgeKind::Failure => Some(self.start(self.graph.edge(edge).to, None)),
                EdgeKind::Normal => self.behind(edge),
            };
            pieces.extend(start.and_then(|start| self.follow(start, &activation.edges[at + 1..], aborted)));
        }
        pieces
    }

    /// Every valid path from a start, by search.
    fn search(&self, walk: &Walk, is_head: bool, found: &mut BTreeSet<Piece>) {
        let last = *walk.blocks.last().expect("a path has a block");
        let mut out = self.graph.normal_successors(last).peekable();
        if out.peek().is_none() && !self.owes(walk) {
            let end = if last == self.graph.exit() { PathEnd::Return } else { PathEnd::DeadEnd };
            found.insert((is_head, walk.blocks.clone(), digit(end)));
        }
        for edge in out {
            match self.step(walk, edge) {
                Ok(walk) if self.graph.edge(edge).to == self.graph.exit() => {
                    found.insert((is_head, walk.blocks, digit(PathEnd::Return)));
                }
                Ok(walk) => self.search(&walk, is_head, found),
                Err(Some(end)) => {
                    found.insert((is_head, walk.blocks.clone(), digit(end)));
                }
                Err(None) => {}
            }
        }
    }

    fn all(&self) -> BTreeSet<Piece> {
        let mut found = BTreeSet::new();
        self.search(&self.start(self.graph.entry(), None), false, &mut found);
        for (id, edge) in self.graph.edges() {
            let start = match edge.kind {
                EdgeKind::Failure => Some(self.start(edge.to, None)),
                EdgeKind::Normal => self.behind(id),
            };
            if let Some(start) = start {
                self.search(&start, start.head_of.is_some(), &mut found);
            }
        }
        found
    }
}

fn defined<'a>(graph: &'a Graph, k: &BTreeMap<Node, u32>) -> Defined<'a> {
    let nest = LoopNest::of(graph);
    let iterated = loops_to_iterate(graph);
    let of = |header: Node| if iterated.contains(&header) { k[&header] } else { 1 };
    let k = nest.iter().map(|(id, each)| (id, of(each.header))).collect();
    Defined { graph, nest, k }
}

fn ks(graph: &Graph, seed: u32) -> BTreeMap<Node, u32> {
    let headers = LoopNest::of(graph).iter().map(|(_, each)| each.header).collect::<Vec<_>>();
    headers.into_iter().map(|header| (header, 1 + (seed >> (2 * (header.as_u32() % 16))) % 4)).collect()
}

fn counted(run: &Run, numbering: &UnrolledNumbering) -> BTreeMap<Piece, u64> {
    let graph = &run.graph;
    let mut counts = UnrolledCounts::default();
    for activation in &run.activations {
        let mut paths = UnrolledPaths::start(numbering, graph);
        activation.edges.iter().for_each(|&edge| paths.take(graph, numbering, edge, &mut counts));
        match activation.aborted_in {
            Some(_) => paths.abort(&mut counts),
            None => paths.leave(&mut counts),
        }
    }
    let mut found = BTreeMap::new();
    let paths = counts.paths.iter().map(|(&id, &count)| (numbering.path_of(graph, id).unwrap(), count));
    let prefixes =
        counts.prefixes.iter().map(|(&(at, id), &count)| (numbering.prefix_of(graph, at, id).unwrap(), count));
    for ((path, kind), count) in paths.chain(prefixes) {
        *found.entry((kind == KStartKind::Head, path.blocks, digit(path.end))).or_insert(0) += count;
    }
    found
}

/// Ids are dense, each is that of another path, and all valid paths have one.
fn check_paths(defined: &Defined<'_>, numbering: &UnrolledNumbering) -> Result<(), TestCaseError> {
    if numbering.num_paths() > 1_000 {
        return Ok(());
    }
    let paths = (0..numbering.num_paths()).map(|id| numbering.path_of(defined.graph, id).expect("ids are dense"));
    let paths: Vec<Piece> =
        paths.map(|(path, kind)| (kind == KStartKind::Head, path.blocks, digit(path.end))).collect();
    let all: BTreeSet<Piece> = paths.iter().cloned().collect();
    prop_assert_eq!(all.len(), paths.len(), "unique");
    prop_assert_eq!(all, defined.all());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..ProptestConfig::with_cases(cases(86)) })]

    #[test]
    fn paths_are_those_of_the_definition(run in prop_oneof![1 => runs(), 3 => structured_runs()], seed in any::<u32>()) {
        let k = ks(&run.graph, seed);
        let Ok(numbering) = number_unrolled(&run.graph, |header| k[&header], 1 << 40) else { return Ok(()) };
        let defined = defined(&run.graph, &k);
        let expected = tally(run.activations.iter().flat_map(|activation| defined.naive(activation)));
        prop_assert_eq!(counted(&run, &numbering), expected);
        check_paths(&defined, &numbering)?;
    }

    /// Ids are those of mixed mode if loops around loops have acyclic paths.
    #[test]
    fn acyclic_outer_loops_are_mixed_mode(run in prop_oneof![runs(), structured_runs()], seed in any::<u32>()) {
        let mut k = ks(&run.graph, seed);
        let nest = LoopNest::of(&run.graph);
        for parent in nest.iter().filter_map(|(_, each)| each.parent) {
            k.insert(nest.get(parent).header, 1);
        }
        let Ok(mixed) = number_mixed(&run.graph, |header| k[&header], 1 << 40) else { return Ok(()) };
        let unrolled = number_unrolled(&run.graph, |header| k[&header], 1 << 40).expect("there are as many");
        prop_assert_eq!(mixed.num_paths(), unrolled.num_paths());
        for id in 0..mixed.num_paths().min(500) {
            let (path, kind) = unrolled.path_of(&run.graph, id).unwrap();
            let other = mixed.path_of(&run.graph, id).unwrap();
            prop_assert_eq!((path.blocks, path.end, kind), (other.blocks, other.end, other.start));
        }
    }
}

/// 1 -> 2 -> 3 -> 4 -> 5, 4 -> 3, 4 -> 2: an outer loop of 2, 3 and 4 around that of 3 and 4.
fn two_loops() -> (Graph, Vec<String>) {
    let pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (3, 2), (3, 1)];
    let graph = Graph::from_pairs(5, &pairs, 0, 4, ExitKind::Block).unwrap();
    (graph, (1..=5).map(|n| n.to_string()).collect())
}

fn spelled(names: &[String], found: BTreeMap<Piece, u64>) -> Vec<String> {
    let name = |node: &Node| names[node.as_u32() as usize].clone();
    let line = |((_, blocks, _), count): (Piece, u64)| {
        format!("{count} {}", blocks.iter().map(name).collect::<Vec<_>>().join("-"))
    };
    found.into_iter().map(line).collect()
}

/// Paths that span iterations of both loops, which no path does where the inner one is collapsed.
#[test]
fn paths_span_iterations_of_both_loops() {
    let (graph, names) = two_loops();
    let k = |_: Node| 2;
    let numbering = number_unrolled(&graph, k, 1 << 20).unwrap();
    let blocks = ["1", "2", "3", "4", "2", "3", "4", "3", "4", "2", "3", "4", "5"];
    let run = Run { activations: vec![activation_of(&graph, &names, &blocks)], graph };
    assert_eq!(spelled(&names, counted(&run, &numbering)), ["1 1-2-3-4-2-3-4-3-4", "1 2-3-4-3-4-2-3-4-5"]);
}

/// The price: sets of weights, and paths, grow with the product of all k of a nest.
#[test]
fn paths_grow_with_the_product() {
    let (graph, _) = two_loops();
    let numbers = |k: u32| {
        let unrolled = number_unrolled(&graph, |_| k, 1 << 40).expect("it fits");
        let collapsed = number_nest(&graph, Iterations { asked: |_| Some(k), innermost: k }, 1 << 40).expect("it fits");
        (collapsed.num_paths(), unrolled.num_paths(), unrolled.copies())
    };
    assert_eq!([1, 2, 3, 4].map(numbers), [(6, 6, 5), (10, 25, 19), (12, 148, 41), (14, 1284, 71)]);
}
