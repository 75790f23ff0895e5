//! Path numbering: ids, plans and regeneration against naive counts of the pieces of each trace.

use cranelift_entity::SecondaryMap;
use holloway_profiler::counts::PathCounts;
use holloway_profiler::graph::{EdgeId, ExitKind, Graph, Node};
use holloway_profiler::machine::Machine;
use holloway_profiler::number::bala::{BranchCounts, BranchHistories};
use holloway_profiler::number::ball_larus::{Canonical, Numbering, StepKind, number, number_with};
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::number::smart::{ByFrequency, number_smart};
use holloway_profiler::number::spanning_tree::static_weights;
use holloway_profiler::path_id::{PathEnd, all_paths, id_of, path_of, prefix_of};
use holloway_profiler::plan::{Action, Markers, Plan};
use proptest::prelude::*;

use super::common::{End, Run, components, conformance, conformance_graph, execute, pieces, runs, spell, tally};

type Pieces = std::collections::BTreeMap<(Vec<Node>, End), u64>;

fn naive(run: &Run, is_cut: impl Fn(EdgeId) -> bool) -> Pieces {
    tally(run.activations.iter().flat_map(|a| pieces(&run.graph, a, &is_cut)))
}

fn profiled(run: &Run, numbering: &Numbering, potentials: &Potentials) -> Pieces {
    let plan = numbering.plan(&run.graph, potentials, Markers::Omit);
    let mut counts = PathCounts::new(numbering.num_paths());
    execute(run, &mut Machine::new(&run.graph, plan), &mut counts);
    let mut result = Pieces::new();
    for (id, count) in counts.paths.taken() {
        let path = path_of(&run.graph, numbering, id).unwrap();
        let end = match path.end {
            PathEnd::Return => End::Whole,
            PathEnd::Cut => End::Cut,
            other => panic!("a complete path ends in {other:?}"),
        };
        // Different starts have different first blocks, so each entry is added to once.
        *result.entry((path.blocks, end)).or_insert(0) += count;
    }
    for (block, _, id, count) in counts.prefixes() {
        let path = prefix_of(&run.graph, numbering, block, id).unwrap();
        *result.entry((path.blocks, End::Failure)).or_insert(0) += count;
    }
    result
}

fn frequency(run: &Run) -> SecondaryMap<EdgeId, u64> {
    let mut frequency = SecondaryMap::new();
    for &edge in run.activations.iter().flat_map(|a| &a.edges) {
        frequency[edge] += 1;
    }
    frequency
}

fn check_ids(graph: &Graph, numbering: &Numbering) -> Result<(), TestCaseError> {
    let mut seen = std::collections::BTreeSet::new();
    for (id, path) in all_paths(graph, numbering).take(2000) {
        let start = *path.blocks.first().unwrap_or(&graph.exit());
        prop_assert_eq!(id_of(graph, numbering, start, &path.edges, path.end), Some(id));
        prop_assert!(seen.insert((path.blocks, path.end)), "two ids for one path");
    }
    prop_assert_eq!(path_of(graph, numbering, numbering.num_paths()), None);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(86))]

    #[test]
    fn canonical_counts_are_naive(run in runs(), seed in any::<u64>()) {
        let numbering = number(&run.graph);
        check_ids(&run.graph, &numbering)?;
        let expected = naive(&run, |e| numbering.dag().is_cut(e));
        prop_assert_eq!(&profiled(&run, &numbering, &Potentials::direct()), &expected);
        let mut weights = SecondaryMap::new();
        for (index, (id, _)) in run.graph.edges().enumerate() {
            weights[id] = seed.rotate_left(index as u32 * 7) % 16;
        }
        let chords = Potentials::chords(&run.graph, &numbering, &weights);
        prop_assert_eq!(&profiled(&run, &numbering, &chords), &expected);
        // Edges of a spanning forest add nothing: the number of edges with an addition is at most the dimension of the
        // cycle space.
        let interior: Vec<_> = run.graph.edges()
            .filter(|&(id, e)| numbering.val(&run.graph, id).is_some() && e.to != run.graph.exit())
            .map(|(_, e)| (e.from, e.to)).collect();
        let cycles = interior.len() + components(run.graph.node_count(), &interior) - run.graph.node_count();
        prop_assert!(additions(&numbering.plan(&run.graph, &chords, Markers::Omit)) <= cycles);
    }

    #[test]
    fn smart_counts_are_naive_and_the_hottest_way_is_free(run in runs()) {
        let frequency = frequency(&run);
        let numbering = number_smart(&run.graph, &frequency);
        check_ids(&run.graph, &numbering)?;
        prop_assert_eq!(numbering.num_paths(), number(&run.graph).num_paths());
        let expected = naive(&run, |e| numbering.dag().is_cut(e));
        prop_assert_eq!(profiled(&run, &numbering, &Potentials::direct()), expected);
        for node in run.graph.nodes().filter(|&n| !numbering.steps(n).is_empty()) {
            let hottest = numbering.dag().kept(&run.graph, node).max_by_key(|&e| frequency[e]);
            let ends: u64 = run.graph.normal_successors(node).filter(|&e| numbering.dag().is_cut(e)).map(|e| frequency[e]).sum();
            if hottest.is_none_or(|e| frequency[e] < ends) && ends > 0 {
                prop_assert_eq!(numbering.steps(node)[0].kind, StepKind::Cut);
            }
            if let Some(edge) = hottest.filter(|&e| frequency[e] > ends) {
                let kept = numbering.dag().kept(&run.graph, node);
                let tied = kept.filter(|&e| frequency[e] == frequency[edge]).count();
                prop_assert!(tied > 1 || numbering.val(&run.graph, edge) == Some(0));
            }
        }
    }

    #[test]
    fn truncated_counts_are_naive(run in runs(), limit in 20..60_u64) {
        let profile = frequency(&run);
        let canonical = number_with(&run.graph, &Canonical, limit);
        let smart = number_with(&run.graph, &ByFrequency { frequency: &profile }, limit);
        for numbering in [canonical, smart] {
            prop_assert!(numbering.num_paths() <= limit);
            prop_assert_eq!(numbering.truncated().is_empty(), number(&run.graph).num_paths() <= limit);
            check_ids(&run.graph, &numbering)?;
            let expected = naive(&run, |e| numbering.dag().is_cut(e));
            prop_assert_eq!(profiled(&run, &numbering, &Potentials::direct()), expected);
        }
    }

    #[test]
    fn branch_histories_are_naive(run in runs(), bits in 4..12_u32) {
        for bits in [bits, 63] {
            let histories = BranchHistories::with_bits(&run.graph, bits);
            let mut counts = BranchCounts::default();
            let plan = histories.plan(&run.graph, Markers::Omit);
            execute(&run, &mut Machine::new(&run.graph, plan), &mut counts);
            let mut found = Pieces::new();
            for (start, history, count) in counts.paths() {
                prop_assert!(64 - history.leading_zeros() <= 1 + bits);
                let path = histories.path_of(&run.graph, start, history).unwrap();
                let end = if path.end == PathEnd::Cut { End::Cut } else { End::Whole };
                // A block with two cut edges ends one path at either: two histories with one list of blocks.
                *found.entry((path.blocks, end)).or_insert(0) += count;
            }
            for (block, start, history, count) in counts.prefixes() {
                let path = histories.prefix_of(&run.graph, block, start, history).unwrap();
                *found.entry((path.blocks, End::Failure)).or_insert(0) += count;
            }
            prop_assert_eq!(found, naive(&run, |e| histories.dag().is_cut(e)));
        }
    }
}

#[test]
fn figure_3_numbers() {
    let example = conformance("kblpp-fig3");
    let (graph, names) = conformance_graph(&example["cfg"]);
    let numbering = number(&graph);
    assert_eq!(numbering.num_paths(), 8);
    for (id, path) in all_paths(&graph, &numbering) {
        assert_eq!(spell(&path.blocks, &names), example["path_ids"][id.to_string()].as_str().unwrap());
    }
    let first = graph.successors(graph.entry())[0];
    assert_eq!(numbering.printed_val(&graph, first), Some(4), "the surrogate entry -> B is numbered first");
}

#[test]
fn acyclic_paths_of_roy_figure_1() {
    let example = conformance("ball-larus-roy-fig1");
    let (graph, names) = conformance_graph(&example["cfg"]);
    let numbering = number(&graph);
    assert_eq!(numbering.num_paths(), example["number_of_paths"]["1"].as_u64().unwrap());
    let mut ours: Vec<String> = all_paths(&graph, &numbering).map(|(_, p)| spell(&p.blocks, &names)).collect();
    let mut theirs: Vec<&str> =
        example["acyclic_paths"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
    ours.sort();
    theirs.sort_unstable();
    assert_eq!(ours, theirs);
}

/// A chain of `count` diamonds.
fn diamonds(count: usize) -> Graph {
    let mut pairs = Vec::new();
    for i in 0..count {
        let at = 3 * i;
        pairs.extend([(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)]);
    }
    Graph::from_pairs(3 * count + 1, &pairs, 0, 3 * count, ExitKind::Block).unwrap()
}

#[test]
fn ids_past_the_limit_are_truncated_and_reported() {
    let fits = number(&diamonds(62));
    assert_eq!((fits.num_paths(), fits.truncated().len()), (1 << 62, 0));
    let graph = diamonds(200);
    let numbering = number(&graph);
    assert!(numbering.num_paths() < 1 << 63);
    assert!((1..=12).contains(&numbering.truncated().len()), "{:?}", numbering.truncated());
    let last = path_of(&graph, &numbering, numbering.num_paths() - 1).unwrap();
    let start = last.blocks[0];
    assert_eq!(id_of(&graph, &numbering, start, &last.edges, last.end), Some(numbering.num_paths() - 1));
}

#[test]
fn a_chain_of_a_hundred_thousand_blocks_does_not_overflow_the_stack() {
    let count = 100_000;
    let mut pairs: Vec<_> = (0..count - 1).map(|i| (i, i + 1)).collect();
    pairs.push((count - 2, 1));
    let graph = Graph::from_pairs(count, &pairs, 0, count - 1, ExitKind::Synthetic).unwrap();
    let numbering = number(&graph);
    assert_eq!(numbering.num_paths(), 4);
    let weights = static_weights(&graph);
    Potentials::chords(&graph, &numbering, &weights);
    assert_eq!(path_of(&graph, &numbering, 0).unwrap().blocks.len(), count - 2);
}

fn additions(plan: &Plan) -> usize {
    plan.edges.values().flatten().filter(|step| matches!(step, Action::AddPath(_))).count()
}

#[test]
fn chords_need_no_more_additions_and_an_edge_carries_one_step() {
    let graph = diamonds(5);
    let numbering = number(&graph);
    let direct = numbering.plan(&graph, &Potentials::direct(), Markers::Omit);
    let chords = Potentials::chords(&graph, &numbering, &static_weights(&graph));
    let chords = numbering.plan(&graph, &chords, Markers::Omit);
    assert_eq!(additions(&direct), 5);
    assert!(additions(&chords) <= 5);
    assert!(chords.edges.values().chain(direct.edges.values()).all(|list| list.len() <= 1));
}
