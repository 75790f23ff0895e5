//! Paths of several iterations in nests of loops, against a naive record that keeps the pending paths of each loop around.
//!
//! In: random graphs with nests, a k for each loop, and executions. Out: failed properties. `HOLLOWAY_GRAPHS` is the number of graphs.

use std::collections::BTreeMap;

use holloway_profiler::counts::{PathCounts, TableKind};
use holloway_profiler::graph::{EdgeId, EdgeKind, ExitKind, Graph, GraphBuilder, LoopId, LoopNest, Node};
use holloway_profiler::machine::Machine;
use holloway_profiler::number::k_iteration::nest::{Iterations, NestNumbering, NestPath, Placement, number_nest};
use holloway_profiler::number::k_iteration::{loops_to_iterate, number_mixed};
use holloway_profiler::number::spanning_tree::static_weights;
use holloway_profiler::path_id::PathEnd;
use holloway_profiler::plan::Markers;
use holloway_profiler::scheme::{LoopIterations, LoopK, Scheme, Unwound, edge_counts};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::common::{Activation, Run, activation_of, cases, execute, runs, structured_runs, tally};

/// Blocks, and a digit for the kind of end.
type Piece = (Vec<Node>, u8);

fn digit(end: PathEnd) -> u8 {
    match end {
        PathEnd::Return => 0,
        PathEnd::Cut => 1,
        PathEnd::Left => 2,
        PathEnd::Failure => 3,
        PathEnd::DeadEnd => 4,
    }
}

/// Definitions, by the loops of the whole graph.
struct Defined<'a> {
    graph: &'a Graph,
    nest: LoopNest,
    k: BTreeMap<Node, u32>,
}

/// A pending path and its iteration.
#[derive(Clone, Debug)]
struct Pending {
    blocks: Vec<Node>,
    iteration: u32,
}

fn fresh(node: Node) -> Vec<Pending> {
    vec![Pending { blocks: vec![node], iteration: 1 }]
}

impl Defined<'_> {
    /// Loops whose iterations are told apart: by the k that is given, if all members reach a normal back edge by normal edges.
    fn iterates(&self, id: LoopId) -> bool {
        let each = self.nest.get(id);
        let reaches = |from: Node| {
            let (mut seen, mut work) = (vec![from], vec![from]);
            while let Some(node) = work.pop() {
                for edge in self.graph.normal_successors(node) {
                    let to = self.graph.edge(edge).to;
                    if to == each.header {
                        return true;
                    }
                    if each.members.contains(&to) && !seen.contains(&to) {
                        seen.push(to);
                        work.push(to);
                    }
                }
            }
            false
        };
        self.k[&each.header] > 1 && each.members.iter().all(|&member| reaches(member))
    }

    /// The collapsed loops around a node, outer first.
    fn collapsed(&self, node: Node) -> Vec<LoopId> {
        let is_collapsed = |id: &LoopId| self.nest.get(*id).parent.is_some_and(|parent| self.iterates(parent));
        let mut chain: Vec<LoopId> = self.nest.chain(node).filter(is_collapsed).collect();
        chain.reverse();
        chain
    }

    /// The loop with iterations around a node at a level of collapsed loops, where a deeper one stands for its members.
    fn around(&self, node: Node, level: usize) -> Option<LoopId> {
        let around = match self.collapsed(node).get(level) {
            Some(&deeper) => self.nest.get(deeper).parent,
            None => self.nest.innermost(node),
        };
        around.filter(|&id| self.iterates(id) && (level == 0 || self.nest.contains(id, node)))
    }

    fn naive(&self, activation: &Activation, found: &mut Vec<Piece>) {
        let entry = self.graph.entry();
        // Of each level the pending paths, oldest first.
        let mut levels = vec![fresh(entry)];
        for &id in &activation.edges {
            let edge = self.graph.edge(id);
            let (from, to) = (self.collapsed(edge.from), self.collapsed(edge.to));
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let is_failure = edge.kind == EdgeKind::Failure;
            while levels.len() - 1 > common {
                let mut pending = levels.pop().expect("a level for each loop around");
                let end = if is_failure { PathEnd::Failure } else { PathEnd::Left };
                if !is_failure {
                    pass(&mut pending, edge.from);
                }
                found.push((pending.swap_remove(0).blocks, digit(end)));
            }
            let pending = levels.last_mut().expect("the function is a level");
            if is_failure {
                found.push((pending[0].blocks.clone(), digit(PathEnd::Failure)));
                *pending = fresh(edge.to);
            } else {
                pass(pending, edge.from);
                self.step(pending, (edge.from, edge.to, common), found);
            }
            if to.len() > common {
                levels.push(fresh(edge.to));
            }
        }
        let end = if activation.aborted_in.is_some() { PathEnd::Failure } else { PathEnd::Return };
        while let Some(mut pending) = levels.pop() {
            found.push((pending.swap_remove(0).blocks, digit(end)));
        }
    }

    fn step(&self, pending: &mut Vec<Pending>, (from, to, level): (Node, Node, usize), found: &mut Vec<Piece>) {
        let (inside, target) = (self.around(from, level), self.around(to, level));
        let back = self.nest.chain(from).any(|id| self.nest.get(id).header == to);
        if back && inside.is_some() && inside == target {
            if pending[0].iteration == self.k[&to] {
                found.push((pending.remove(0).blocks, digit(PathEnd::Cut)));
            }
            for path in pending.iter_mut() {
                path.iteration += 1;
                path.blocks.push(to);
            }
            pending.extend(fresh(to));
            return;
        }
        if inside.is_some() && (back || inside != target) {
            pending.truncate(1);
            pending[0].iteration = 1;
        }
        if back {
            found.push((pending[0].blocks.clone(), digit(PathEnd::Cut)));
            *pending = fresh(to);
        } else if self.graph.is_block(to) {
            pending.iter_mut().for_each(|path| path.blocks.push(to));
        }
    }
}

/// A collapsed loop is left by another block than its header.
fn pass(pending: &mut [Pending], by: Node) {
    for path in pending.iter_mut().filter(|path| path.blocks.last() != Some(&by)) {
        path.blocks.push(by);
    }
}

fn profiled(run: &Run, numbering: &NestNumbering, placement: Placement<'_>) -> BTreeMap<Piece, u64> {
    let mut counts = PathCounts::new(numbering.num_paths());
    execute(run, &mut Machine::new(&run.graph, numbering.plan(&run.graph, placement, Markers::Omit)), &mut counts);
    let mut found = BTreeMap::new();
    for (id, count) in counts.paths.taken() {
        let path = numbering.path_of(&run.graph, id).unwrap().path;
        *found.entry((path.blocks, digit(path.end))).or_insert(0) += count;
    }
    for (block, i, id, count) in counts.prefixes() {
        let path = numbering.prefix_of(&run.graph, block, i, id).unwrap().path;
        *found.entry((path.blocks, digit(path.end))).or_insert(0) += count;
    }
    found
}

fn numbered(graph: &Graph, k: &BTreeMap<Node, u32>) -> Option<NestNumbering> {
    number_nest(graph, Iterations { asked: |header| k.get(&header).copied(), innermost: 1 }, 1 << 40).ok()
}

fn ks(graph: &Graph, seed: u32) -> BTreeMap<Node, u32> {
    let headers = LoopNest::of(graph).iter().map(|(_, each)| each.header).collect::<Vec<_>>();
    headers.into_iter().map(|header| (header, 1 + (seed >> (2 * (header.as_u32() % 16))) % 4)).collect()
}

/// Every id has a path, no two the same, and a path goes along edges but where a collapsed loop is.
fn check_paths(graph: &Graph, numbering: &NestNumbering) -> Result<(), TestCaseError> {
    if numbering.num_paths() > 3_000 {
        return Ok(());
    }
    let headers: Vec<Node> = numbering.collapsed().map(|(header, _)| header).collect();
    let parts: Vec<_> = numbering.collapsed().map(|(_, ids)| ids).collect();
    let mut seen = std::collections::BTreeSet::new();
    for id in 0..numbering.num_paths() {
        let NestPath { path, start, .. } = numbering.path_of(graph, id).expect("ids are dense");
        let inside = parts.iter().position(|ids| ids.contains(&id));
        let other = if inside.is_some() { PathEnd::Return } else { PathEnd::Left };
        prop_assert_ne!(path.end, other);
        for pair in path.blocks.windows(2) {
            let is_edge = graph.find_edge(pair[0], pair[1]).is_some();
            prop_assert!(is_edge || headers.contains(&pair[0]), "{:?}", path.blocks);
        }
        prop_assert!(seen.insert((inside, start, path.blocks, digit(path.end))), "unique");
    }
    Ok(())
}

fn check_edges(run: &Run, k: BTreeMap<Node, u32>) -> Result<(), TestCaseError> {
    let loops = k.into_iter();
    let loops = loops.map(|(header, k)| LoopK { function: String::new(), header, latch: None, k }).collect();
    let mut scheme = Scheme::named("k-iter").and_then(|scheme| scheme.with_k(1).ok()).expect("it takes a k");
    (scheme.settings.path_limit, scheme.settings.table) = (Some(u64::MAX), Some(TableKind::Hash));
    scheme.settings.loops = LoopIterations::new(loops);
    let Ok(plan) = scheme.plan(run.graph.clone(), None).expect("it counts paths") else { return Ok(()) };
    let mut collected = plan.decoder.collector();
    let mut machine = Machine::new(&run.graph, (*plan.plan).clone());
    execute(run, &mut machine, &mut collected);
    let unwound = Unwound { failures: machine.failures(), aborts: machine.aborts() };
    let taken: BTreeMap<EdgeId, u64> = tally(run.activations.iter().flat_map(|a| a.edges.clone()));
    let told = edge_counts(&plan, &collected.results(&run.graph), &unwound);
    for ((id, _), told) in run.graph.edges().zip(told) {
        if let Some(count) = told {
            prop_assert_eq!(count, taken.get(&id).copied().unwrap_or(0), "{}", id);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..ProptestConfig::with_cases(cases(86)) })]

    #[test]
    fn counts_are_naive_counts(run in prop_oneof![1 => runs(), 3 => structured_runs()], seed in any::<u32>()) {
        let k = ks(&run.graph, seed);
        let Some(numbering) = numbered(&run.graph, &k) else { return Ok(()) };
        let defined = Defined { graph: &run.graph, nest: LoopNest::of(&run.graph), k };
        let mut pieces = Vec::new();
        run.activations.iter().for_each(|activation| defined.naive(activation, &mut pieces));
        let expected = tally(pieces);
        prop_assert_eq!(&profiled(&run, &numbering, Placement::Direct), &expected);
        let weights = static_weights(&run.graph);
        prop_assert_eq!(&profiled(&run, &numbering, Placement::Chords(&weights)), &expected);
        check_paths(&run.graph, &numbering)?;
    }

    /// Counts of edges that paths tell are those of the run.
    #[test]
    fn edges_have_their_counts(run in prop_oneof![runs(), structured_runs()], seed in any::<u32>()) {
        let k = ks(&run.graph, seed);
        check_edges(&run, k)?;
    }

    /// Without a loop of several iterations around another, ids are those of one graph.
    #[test]
    fn innermost_loops_are_numbered_as_before(run in prop_oneof![runs(), structured_runs()], k in 1..5_u32) {
        let one = number_mixed(&run.graph, |_| k, 1 << 40);
        let Ok(nest) = number_nest(&run.graph, Iterations { asked: |_| None, innermost: k }, 1 << 40) else {
            prop_assert!(one.is_err());
            return Ok(());
        };
        let one = one.expect("both number a reducible graph");
        prop_assert_eq!(one.num_paths(), nest.num_paths());
        for id in 0..one.num_paths().min(500) {
            let path = one.path_of(&run.graph, id).unwrap().blocks;
            prop_assert_eq!(path, nest.path_of(&run.graph, id).unwrap().path.blocks);
        }
    }
}

/// 1 -> 2 -> 3 -> 4 -> 5, 4 -> 3, 4 -> 2: an outer loop of 2, 3 and 4 around that of 3 and 4.
fn two_loops() -> (Graph, Vec<String>) {
    let pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (3, 2), (3, 1)];
    let graph = Graph::from_pairs(5, &pairs, 0, 4, ExitKind::Block).unwrap();
    (graph, (1..=5).map(|n| n.to_string()).collect())
}

/// Three loops, of 1 to 4, of 2 to 4, and of 3 and 4, and a handler of what fails in block 4, which goes on in block `on`.
fn three_loops_with_a_handler(on: usize) -> (Graph, Vec<Node>) {
    let mut builder = GraphBuilder::default();
    let nodes: Vec<Node> = (0..7).map(|_| builder.node()).collect();
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 6), (4, 3), (4, 2), (4, 1), (5, on)] {
        builder.edge(nodes[from], nodes[to], EdgeKind::Normal);
    }
    builder.edge(nodes[4], nodes[5], EdgeKind::Failure);
    let graph = builder.finish(nodes[0], nodes[6], ExitKind::Block).expect("a graph");
    (graph, nodes)
}

/// Prefixes that a failure in block 4 leaves behind, in the second iteration of all loops; the handler goes on in block `on`.
fn prefixes_of_a_failure(on: usize, is_caught: bool) -> Vec<Vec<u32>> {
    let (graph, nodes) = three_loops_with_a_handler(on);
    let k = BTreeMap::from([(nodes[1], 3), (nodes[2], 3), (nodes[3], 3)]);
    let numbering = numbered(&graph, &k).expect("a few paths");
    let mut blocks = vec![0, 1, 2, 3, 4, 1, 2, 3, 4, 2, 3, 4, 3, 4];
    match on {
        _ if !is_caught => {}
        6 => blocks.extend([5, 6]),
        _ => blocks.extend([5].into_iter().chain(on..=4).chain([6])),
    }
    let between = |pair: &[usize]| {
        let mut edges = graph.edges().filter(|(_, edge)| (edge.from, edge.to) == (nodes[pair[0]], nodes[pair[1]]));
        edges.next().expect("an edge").0
    };
    let edges = blocks.windows(2).map(between).collect();
    let aborted_in = (!is_caught).then_some(nodes[4]);
    let run = Run { activations: vec![Activation { edges, aborted_in }], graph };
    let defined = Defined { graph: &run.graph, nest: LoopNest::of(&run.graph), k };
    let mut pieces = Vec::new();
    defined.naive(&run.activations[0], &mut pieces);
    let weights = static_weights(&run.graph);
    for placement in [Placement::Direct, Placement::Chords(&weights)] {
        assert_eq!(profiled(&run, &numbering, placement), tally(pieces.iter().cloned()), "goes on in {on}");
    }
    let failed = pieces.into_iter().filter(|(_, end)| *end == digit(PathEnd::Failure));
    failed.map(|(blocks, _)| blocks.into_iter().map(Node::as_u32).collect()).collect()
}

/// Also of several loops at once, and where the failure is caught outside of them.
#[test]
fn a_failure_leaves_a_prefix_of_each_loop_that_it_ends() {
    let all = [vec![3, 4, 3, 4], vec![2, 3, 4, 2, 3], vec![0, 1, 2, 4, 1, 2]];
    assert_eq!(prefixes_of_a_failure(6, false), all);
    assert_eq!(prefixes_of_a_failure(6, true), all);
    assert_eq!(prefixes_of_a_failure(1, true), all);
    // The path around the middle loop goes on behind it.
    assert_eq!(prefixes_of_a_failure(2, true), all[..2]);
}

#[test]
fn an_outer_loop_has_the_paths_of_an_innermost_one() {
    let (graph, names) = two_loops();
    let k = BTreeMap::from([(Node::from_u32(1), 2), (Node::from_u32(2), 2)]);
    let numbering = numbered(&graph, &k).unwrap();
    // The outer loop: once to the exit; twice, to the exit or back; and of paths that begin at 2 those of two iterations. The inner one: the same.
    assert_eq!(numbering.num_paths(), 5 + 5);
    let blocks = ["1", "2", "3", "4", "3", "4", "3", "4", "2", "3", "4", "2", "3", "4", "5"];
    let run = Run { activations: vec![activation_of(&graph, &names, &blocks)], graph };
    let spelled = |found: BTreeMap<Piece, u64>| -> Vec<String> {
        let name = |node: &Node| names[node.as_u32() as usize].clone();
        let line = |((blocks, _), count): (Piece, u64)| {
            format!("{count} {}", blocks.iter().map(name).collect::<Vec<_>>().join("-"))
        };
        found.into_iter().map(line).collect()
    };
    assert_eq!(
        spelled(profiled(&run, &numbering, Placement::Direct)),
        ["1 1-2-3-4-2-3-4", "1 2-3-4-2-3-4-5", "2 3-4", "1 3-4-3-4", "1 3-4-3-4"]
    );
    assert_eq!(loops_to_iterate(&run.graph), [Node::from_u32(1), Node::from_u32(2)]);
}

/// Of the two back edges that end paths in block 5, only what begins at their targets tells the counts.
#[test]
fn a_loop_that_is_entered_begins_a_path_beside_another() {
    let pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 2), (4, 3), (4, 1), (4, 5)];
    let graph = Graph::from_pairs(6, &pairs, 0, 5, ExitKind::Block).unwrap();
    let names: Vec<String> = (1..=6).map(|n| n.to_string()).collect();
    let blocks = ["1", "2", "3", "4", "5", "4", "5", "3", "4", "5", "2", "3", "4", "5", "4", "5", "6"];
    let run = Run { activations: vec![activation_of(&graph, &names, &blocks)], graph };
    let k = BTreeMap::from([(Node::from_u32(1), 2), (Node::from_u32(2), 1), (Node::from_u32(3), 1)]);
    check_edges(&run, k).unwrap();
}
