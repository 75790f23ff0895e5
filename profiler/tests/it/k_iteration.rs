//! k-iteration paths against a naive record that keeps every pending path as a list of blocks.

use cranelift_entity::SecondaryMap;
use holloway_profiler::counts::PathCounts;
use holloway_profiler::graph::{EdgeId, EdgeKind, Graph, LoopId, LoopNest, Node};
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::number::k_iteration::increments::KPotentials;
use holloway_profiler::number::k_iteration::{KError, KNumbering, KStartKind, number_k, number_mixed};
use holloway_profiler::number::spanning_tree::static_weights;
use holloway_profiler::path_id::PathEnd;
use holloway_profiler::plan::{Action, IterationWeight, Markers};
use proptest::prelude::*;

use super::common::{
    Activation, End, Run, activation_of, cases, conformance, conformance_graph, execute, runs, spell, structured_runs,
    tally,
};
use super::without_itr;

type Found = std::collections::BTreeMap<(Vec<Node>, End), u64>;

/// A pending path and its iteration of the innermost loop.
#[derive(Clone, Debug)]
struct Pending {
    blocks: Vec<Node>,
    iteration: u32,
}

/// Returns whether a loop has iterations, by definition: it is innermost, and all members reach a normal back edge by
/// normal edges.
fn iterated(graph: &Graph, nest: &LoopNest, id: LoopId) -> bool {
    let members = &nest.get(id).members;
    let innermost = members.iter().all(|&m| nest.innermost(m) == Some(id));
    let reaches = |from: Node| {
        let mut seen = vec![false; graph.node_count()];
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            for edge in graph.normal_successors(node) {
                let to = graph.edge(edge).to;
                if to == nest.get(id).header {
                    return true;
                }
                if members.contains(&to) && !std::mem::replace(&mut seen[to.as_u32() as usize], true) {
                    work.push(to);
                }
            }
        }
        false
    };
    innermost && members.iter().all(|&m| reaches(m))
}

fn naive(
    graph: &Graph,
    nest: &LoopNest,
    k_of: impl Fn(Node) -> u32,
    activation: &Activation,
    found: &mut Vec<(Vec<Node>, End)>,
) {
    let around =
        |node: Node| nest.innermost(node).filter(|&id| k_of(nest.get(id).header) > 1 && iterated(graph, nest, id));
    let fresh = |node: Node| vec![Pending { blocks: vec![node], iteration: 1 }];
    // Oldest first.
    let mut pending = fresh(graph.entry());
    for &id in &activation.edges {
        let edge = graph.edge(id);
        let (from, to) = (around(edge.from), around(edge.to));
        let back = nest.chain(edge.from).any(|l| nest.get(l).header == edge.to);
        if edge.kind == EdgeKind::Failure {
            found.push((pending[0].blocks.clone(), End::Failure));
            pending = fresh(edge.to);
            continue;
        }
        if back && from.is_some() && from == to {
            if pending[0].iteration == k_of(edge.to) {
                found.push((pending.remove(0).blocks, End::Cut));
            }
            for path in &mut pending {
                path.iteration += 1;
                path.blocks.push(edge.to);
            }
            pending.extend(fresh(edge.to));
            continue;
        }
        if from.is_some() && (back || from != to) {
            pending.truncate(1);
            pending[0].iteration = 1;
        }
        if back {
            found.push((pending[0].blocks.clone(), End::Cut));
            pending = fresh(edge.to);
        } else if graph.is_block(edge.to) {
            pending.iter_mut().for_each(|path| path.blocks.push(edge.to));
        }
    }
    let end = if activation.aborted_in.is_some() { End::Failure } else { End::Whole };
    found.push((pending.swap_remove(0).blocks, end));
}

fn profiled(run: &Run, numbering: &KNumbering, potentials: &KPotentials) -> Found {
    let mut counts = PathCounts::new(numbering.num_paths());
    execute(run, &mut Machine::new(&run.graph, numbering.plan(&run.graph, potentials, Markers::Omit)), &mut counts);
    let mut found = Found::new();
    for (id, count) in counts.paths.taken() {
        let path = numbering.path_of(&run.graph, id).unwrap();
        let end = if path.end == PathEnd::Return { End::Whole } else { End::Cut };
        *found.entry((path.blocks, end)).or_insert(0) += count;
    }
    for (block, i, id, count) in counts.prefixes() {
        let path = numbering.prefix_of(&run.graph, block, i, id).unwrap();
        *found.entry((path.blocks, End::Failure)).or_insert(0) += count;
    }
    found
}

fn check(run: &Run, k_of: impl Fn(Node) -> u32 + Copy) -> Result<(), TestCaseError> {
    let nest = LoopNest::of(&run.graph);
    let numbering = match number_mixed(&run.graph, k_of, 1 << 40) {
        Ok(numbering) => numbering,
        Err(KError::Irreducible(_)) => return Ok(()),
        Err(KError::TooManyPaths(_)) => panic!("the graphs are small"),
    };
    let mut pieces = Vec::new();
    for activation in &run.activations {
        naive(&run.graph, &nest, k_of, activation, &mut pieces);
    }
    let expected = tally(pieces);
    prop_assert_eq!(&profiled(run, &numbering, &KPotentials::direct()), &expected);
    let chords = KPotentials::chords(&run.graph, &numbering, &static_weights(&run.graph));
    prop_assert_eq!(&profiled(run, &numbering, &chords), &expected);
    for potentials in [KPotentials::direct(), chords] {
        without_itr::check(run, numbering.plan(&run.graph, &potentials, Markers::Omit))?;
    }
    // A perfect numbering: each id below the number of paths has its own path.
    let mut seen = std::collections::BTreeSet::new();
    for id in 0..numbering.num_paths().min(3000) {
        let path = numbering.path_of(&run.graph, id).unwrap();
        prop_assert!(seen.insert((path.start, path.blocks, path.end)), "two ids for one path");
    }
    prop_assert_eq!(numbering.path_of(&run.graph, numbering.num_paths()), None);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(86)))]

    #[test]
    fn structured_programs(run in structured_runs(), k in 1..6_u32) {
        check(&run, |_| k)?;
    }

    #[test]
    fn reducible_graphs_with_failures(run in runs(), k in 1..5_u32) {
        prop_assert_eq!(matches!(number_k(&run.graph, 2), Err(KError::Irreducible(_))), LoopNest::of(&run.graph).irreducible().is_some());
        check(&run, |_| k)?;
    }

    #[test]
    fn each_loop_has_its_k(run in structured_runs(), ks in prop::array::uniform4(1..5_u32)) {
        check(&run, |header| ks[header.as_u32() as usize % 4])?;
    }

    #[test]
    fn one_iteration_is_ball_larus(run in runs()) {
        if let Ok(numbering) = number_k(&run.graph, 1) {
            prop_assert_eq!(numbering.num_paths(), holloway_profiler::number::ball_larus::number(&run.graph).num_paths());
        }
    }
}

fn figure_1() -> (Graph, Vec<String>) {
    conformance_graph(&conformance("ball-larus-roy-fig1")["cfg"])
}

#[test]
fn figure_2_lists() {
    let example = conformance("ball-larus-roy-fig1");
    let (graph, names) = figure_1();
    for (k, list) in [(1, "acyclic_paths"), (2, "two_iteration_paths")] {
        let numbering = number_k(&graph, k).unwrap();
        let ours: Vec<String> = (0..numbering.num_paths())
            .map(|id| spell(&numbering.path_of(&graph, id).unwrap().blocks, &names))
            .collect();
        assert_eq!(serde_json::json!(ours), example[list]);
    }
    for (k, count) in example["number_of_paths"].as_object().unwrap() {
        assert_eq!(number_k(&graph, k.parse().unwrap()).unwrap().num_paths(), count.as_u64().unwrap(), "k = {k}");
    }
}

/// Table 1: 26 paths of which 3 are invalid.
#[test]
fn table_1_values() {
    let (graph, names) = figure_1();
    let numbering = number_k(&graph, 2).unwrap();
    let node = |name: &str| Node::from_u32(names.iter().position(|n| n == name).unwrap() as u32);
    let values = |from: &str, to: &str, i: u32| {
        let edge = graph.find_edge(node(from), node(to)).unwrap();
        numbering.values(&graph, edge, i)
    };
    assert_eq!(values("4", "6", 2), Some((2, 0)));
    assert_eq!(values("5", "2", 2), None, "the last iteration has no back edge");
    assert_eq!(values("5", "6", 1), Some((5, 0)));
    assert_eq!(values("4", "6", 1), Some((6, 1)));
    assert_eq!(values("2", "4", 1), Some((6, 1)));
    let starts: Vec<(KStartKind, u64)> = numbering.starts().iter().map(|s| (s.kind, s.base)).collect();
    assert_eq!(starts, [(KStartKind::Free, 0), (KStartKind::Head, 13)]);
    let table = &conformance("ball-larus-roy-fig1")["table1_final"];
    let valid = table["numPaths(S)"].as_u64().unwrap() - table["invalidPaths(S)"].as_u64().unwrap();
    assert_eq!(numbering.num_paths(), valid);
}

#[derive(Default)]
struct Order(Vec<u64>);

impl Sink for Order {
    fn path(&mut self, id: u64) {
        self.0.push(id);
    }
}

#[test]
fn table_2_trace() {
    let example = conformance("roy-trace-table2");
    let (graph, names) = figure_1();
    let mut blocks = vec!["1"];
    blocks.extend((0..100).flat_map(|_| ["2", "3", "5", "2", "4", "5"]));
    blocks.push("6");
    let run = Run { activations: vec![activation_of(&graph, &names, &blocks)], graph };
    let numbering = number_k(&run.graph, 2).unwrap();
    let mut order = Order::default();
    execute(
        &run,
        &mut Machine::new(&run.graph, numbering.plan(&run.graph, &KPotentials::direct(), Markers::Omit)),
        &mut order,
    );
    let named = |id: &u64| serde_json::json!([id, spell(&numbering.path_of(&run.graph, *id).unwrap().blocks, &names)]);
    let start: Vec<serde_json::Value> = order.0[..3].iter().map(named).collect();
    assert_eq!(serde_json::json!(start), example["identified_in_order_start"]);
    assert_eq!(named(order.0.last().unwrap()), example["identified_last"]);
    let counts = tally(order.0.iter().map(u64::to_string));
    assert_eq!(serde_json::json!(counts), example["counts"]);
}

/// Deviation: with Algorithm 3's flag the path that starts in the 2nd iteration would not be compensated for k = 3.
#[test]
fn three_iterations_are_compensated_from_the_first_edge() {
    let (graph, names) = figure_1();
    let blocks = ["1", "2", "3", "5", "2", "4", "5", "2", "4", "5", "2", "3", "5", "6"];
    let run = Run { activations: vec![activation_of(&graph, &names, &blocks)], graph };
    let numbering = number_k(&run.graph, 3).unwrap();
    let mut order = Order::default();
    execute(
        &run,
        &mut Machine::new(&run.graph, numbering.plan(&run.graph, &KPotentials::direct(), Markers::Omit)),
        &mut order,
    );
    let found: Vec<String> =
        order.0.iter().map(|&id| spell(&numbering.path_of(&run.graph, id).unwrap().blocks, &names)).collect();
    assert_eq!(found, ["1-2-3-5-2-4-5-2-4-5", "2-4-5-2-4-5-2-3-5-6"]);
}

/// The hot way through the loop, by 4, adds nothing to any accumulator, and the back edge only to the path that it ends.
#[test]
fn hot_edges_add_nothing() {
    let (graph, names) = figure_1();
    let node = |name: &str| Node::from_u32(names.iter().position(|known| known == name).expect("a node") as u32);
    let edge = |from: &str, to: &str| graph.find_edge(node(from), node(to)).expect("an edge");
    let mut weights: SecondaryMap<EdgeId, u64> = SecondaryMap::with_default(1);
    [edge("2", "4"), edge("4", "5")].into_iter().for_each(|hot| weights[hot] = 10);
    for k in 2..6 {
        let numbering = number_k(&graph, k).unwrap();
        let chords = KPotentials::chords(&graph, &numbering, &weights);
        let plan = numbering.plan(&graph, &chords, Markers::Omit);
        assert!(plan.edges[edge("2", "4")].is_empty() && plan.edges[edge("4", "5")].is_empty(), "k = {k}");
        assert!(!plan.edges[edge("2", "3")].is_empty() || !plan.edges[edge("3", "5")].is_empty(), "k = {k}");
        let [Action::AddIterations(table), Action::NextIteration { .. }] = plan.edges[edge("5", "2")][..] else {
            panic!("a path that ends lacks something")
        };
        let (_, others) = plan.iteration_weights[table].split_last().expect("a weight for each iteration");
        assert!(others.iter().all(|weight| *weight == IterationWeight::default()), "k = {k}: {others:?}");
    }
}

#[test]
fn too_many_paths_are_an_error() {
    let (graph, _) = figure_1();
    assert_eq!(number_mixed(&graph, |_| 3, 49).map(|numbering| numbering.num_paths()), Ok(49));
    assert_eq!(number_mixed(&graph, |_| 3, 48).unwrap_err(), KError::TooManyPaths(Some(49)));
    for k in [1000, u32::MAX] {
        assert_eq!(number_k(&graph, k).unwrap_err(), KError::TooManyPaths(None));
    }
    // Where ids do not suffice, their number is that of a numbering in 128 bits.
    let Err(KError::TooManyPaths(Some(paths))) = number_k(&graph, 100) else { panic!("{:?}", number_k(&graph, 100)) };
    assert!(paths > u64::MAX.into(), "{paths}");
    assert_eq!(number_mixed(&graph, |_| 100, paths.min(7) as u64).unwrap_err(), KError::TooManyPaths(Some(paths)));
}
