//! The k-slab forest and the k-IPF against counts of all n-grams.

use std::collections::BTreeMap;

use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::forest::sample::SampledForest;
use holloway_profiler::forest::trie::ChildKind;
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::number::ball_larus::number;
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::plan::Markers;
use proptest::prelude::*;

use super::common::{End, Run, activation_of, conformance, conformance_graph, execute, pieces, runs, tally};

/// An item of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Enter,
    Leave,
    Fail,
    Id(u64),
}

/// The ids of each activation, split at failures; with recursion activations interleave.
fn stretches(items: &[Item]) -> Vec<Vec<u64>> {
    let mut done = Vec::new();
    let mut stack: Vec<Vec<u64>> = vec![Vec::new()];
    for &item in items {
        match item {
            Item::Enter => stack.push(Vec::new()),
            Item::Leave => {
                if stack.len() > 1 {
                    done.push(stack.pop().unwrap());
                }
            }
            Item::Fail => done.push(std::mem::take(stack.last_mut().unwrap())),
            Item::Id(id) => stack.last_mut().unwrap().push(id),
        }
    }
    done.extend(stack);
    done
}

fn n_grams(stretches: &[Vec<u64>], k: usize) -> BTreeMap<Vec<u64>, u64> {
    tally(stretches.iter().flat_map(|s| (1..=k).flat_map(move |n| s.windows(n).map(<[u64]>::to_vec))))
}

fn feed(items: &[Item], sink: &mut impl Sink) {
    sink.enter();
    let mut depth = 1;
    for &item in items {
        match item {
            Item::Enter => {
                depth += 1;
                sink.enter();
            }
            Item::Leave if depth > 1 => {
                depth -= 1;
                sink.leave();
            }
            Item::Leave => {}
            Item::Fail => sink.prefix(holloway_profiler::graph::Node::from_u32(0), 0),
            Item::Id(id) => sink.path(id),
        }
    }
}

/// Feeds the items, consecutive ids as one slice.
fn feed_together(items: &[Item], sink: &mut impl Sink) {
    sink.enter();
    let mut depth = 1;
    for group in items.chunk_by(|a, b| matches!((a, b), (Item::Id(_), Item::Id(_)))) {
        match group {
            [Item::Id(_), ..] => {
                let id = |item: &Item| if let Item::Id(id) = item { *id } else { unreachable!("ids are grouped") };
                sink.paths(&group.iter().map(id).collect::<Vec<_>>());
            }
            [Item::Leave] if depth == 1 => {}
            [Item::Leave] => {
                depth -= 1;
                sink.leave();
            }
            [Item::Enter] => {
                depth += 1;
                sink.enter();
            }
            _ => sink.prefix(holloway_profiler::graph::Node::from_u32(0), 0),
        }
    }
}

fn items(labels: u64) -> impl Strategy<Value = Vec<Item>> {
    let item = prop_oneof![
        1 => Just(Item::Enter),
        1 => Just(Item::Leave),
        1 => Just(Item::Fail),
        12 => (0..labels).prop_map(Item::Id),
    ];
    prop::collection::vec(item, 0..200)
}

fn kinds() -> [ChildKind; 2] {
    [ChildKind::List, ChildKind::Dense(6)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_k_ipf_counts_every_n_gram(items in items(6), k in prop_oneof![1..6_u32, Just(11_u32), Just(64_u32), Just(1000_u32)]) {
        let expected = n_grams(&stretches(&items), k as usize);
        for kind in kinds() {
            let mut forest = SlabForest::with_children(k, kind);
            feed(&items, &mut forest);
            let mut together = SlabForest::with_children(k, kind);
            feed_together(&items, &mut together);
            prop_assert_eq!(together.trie().sequences(), forest.trie().sequences());
            let ipf = PathForest::of(&forest);
            prop_assert_eq!(ipf.sequences().into_iter().collect::<BTreeMap<_, _>>(), expected.clone());
            prop_assert_eq!(ipf.node_count(), expected.len());
            for least in [1, 2, 5] {
                let frequent: BTreeMap<_, _> =
                    expected.clone().into_iter().filter(|(_, count)| *count >= least).collect();
                let found: BTreeMap<_, _> = PathForest::frequent(&forest, least).sequences().into_iter().collect();
                prop_assert_eq!(found, frequent);
            }
            prop_assert_eq!(forest.lost(), 0);
            // Definition 3: at most 2k-2 levels.
            let deepest = forest.trie().sequences().iter().map(|(s, _)| s.len()).max().unwrap_or(0);
            prop_assert!(deepest <= (2 * k as usize).saturating_sub(2).max(1));
        }
    }

    #[test]
    fn programs_run_through_plan_and_forest(run in runs(), k in 1..7_u32) {
        let numbering = number(&run.graph);
        let plan = numbering.plan(&run.graph, &Potentials::direct(), Markers::Emit);
        let mut forest = SlabForest::new(k, numbering.num_paths());
        execute(&run, &mut Machine::new(&run.graph, plan), &mut forest);
        let found: BTreeMap<Named, u64> = PathForest::of(&forest)
            .sequences()
            .into_iter()
            .map(|(ids, n)| {
                let blocks = |&id: &u64| {
                    let path = holloway_profiler::path_id::path_of(&run.graph, &numbering, id).unwrap();
                    (path.blocks, path.end)
                };
                (ids.iter().map(blocks).map(|(b, e)| (b, format!("{e:?}"))).collect(), n)
            })
            .collect();
        prop_assert_eq!(found, naive_programs(&run, k as usize, |e| numbering.dag().is_cut(e)));
    }

    #[test]
    fn pruning_loses_no_more_than_it_says(items in items(6), k in 1..6_u32, limit in 100..3000_usize) {
        let expected = n_grams(&stretches(&items), k as usize);
        for kind in kinds() {
            let mut forest = SlabForest::with_children(k, kind).with_limit(limit);
            feed_together(&items, &mut forest);
            let ipf = PathForest::of(&forest);
            for (sequence, count) in ipf.sequences() {
                prop_assert!(count > 0 && count <= expected[&sequence]);
            }
            for (sequence, &count) in &expected {
                prop_assert!(ipf.count(sequence) + forest.lost() >= count, "{:?}", sequence);
            }
            prop_assert_eq!(forest.trie().sequences().len(), forest.node_count(), "no node without its parent");
            let single: u64 = expected.iter().filter(|(s, _)| s.len() == 1).map(|(_, &n)| n).sum();
            let kept: u64 = ipf.sequences().iter().filter(|(s, _)| s.len() == 1).map(|&(_, n)| n).sum();
            prop_assert_eq!(kept + forest.lost(), single, "each id is counted at one node");
            prop_assert!(forest.lost() == 0 || forest.pruned_nodes() > 0);
        }
    }

    #[test]
    fn a_sample_brackets_the_truth(items in (1..4_u64).prop_flat_map(items), k in 1..9_u32, burst in 1..20_u64, gap in 1..9_u64) {
        let expected = n_grams(&stretches(&items), k as usize);
        let mut sampled = SampledForest::new(SlabForest::new(k, 3), burst, gap);
        feed(&items, &mut sampled);
        let ipf = PathForest::of(sampled.forest());
        let estimator = sampled.estimator(&ipf);
        for (sequence, &count) in &expected {
            let estimate = estimator.estimate(sequence);
            prop_assert!(estimate.counted <= count && count <= estimate.at_most, "{:?}: {:?}", sequence, estimate);
            if sampled.recorded() == sampled.seen() {
                prop_assert_eq!(estimate.at_most, count, "nothing was left out");
            }
        }
        let ids = items.iter().filter(|i| matches!(i, Item::Id(_))).count() as u64;
        prop_assert_eq!(sampled.seen(), ids);
        prop_assert_eq!(ipf.sequences().iter().filter(|(s, _)| s.len() == 1).map(|&(_, n)| n).sum::<u64>(), sampled.recorded());
    }
}

/// The form of a random stream.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// One activation.
    Long,
    /// Activations of 1 to 20 ids.
    Short,
    /// One activation in phases, which bursts are short against.
    Phases,
}

/// Feeds a random stream of ids 0 and 1 to both.
fn feed_random(shape: Shape, seed: u64, sampled: &mut SampledForest, whole: &mut SlabForest) {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * seed + 1);
    let mut left = 0;
    for at in 0..20_000 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if let (Shape::Short, 0) = (shape, left) {
            left = 1 + (random >> 20) % 20;
            if at > 0 {
                sampled.leave();
                whole.leave();
            }
            sampled.enter();
            whole.enter();
        }
        left = left.saturating_sub(1);
        let rare = match shape {
            Shape::Phases if at / 4000 % 2 == 1 => random >> 40 & 1 == 0,
            _ => random >> 40 & 3 == 0,
        };
        sampled.path(u64::from(rare));
        whole.process_bl_path_id(u64::from(rare));
    }
}

/// Over many random streams the mean estimate is the truth, and the truth lies within two standard errors as often as it should:
/// for short bursts and sequences up to their length, and for long bursts, whose error must not be far too wide either.
#[test]
fn samples_are_unbiased_and_their_errors_honest() {
    let long = [(7, 3, 6), (7, 3, 1), (3, 9, 2), (6, 14, 6), (100, 900, 3), (1000, 1000, 2)];
    let other = [(7, 3, 6), (5, 15, 5), (100, 900, 3)];
    let of_shape = |shape, of: &[(u64, u64, usize)]| of.iter().map(|lengths| (shape, *lengths)).collect::<Vec<_>>();
    let cases = [of_shape(Shape::Long, &long), of_shape(Shape::Short, &other), of_shape(Shape::Phases, &other[..2])];
    for (shape, (burst, gap, length)) in cases.concat() {
        let sequence = vec![0; length];
        let (mut ratios, mut errors, mut squares, mut within) = (0.0, 0.0, 0.0, 0);
        const STREAMS: usize = 200;
        for seed in 0..STREAMS as u64 {
            let mut sampled = SampledForest::new(SlabForest::new(6, 2), burst, gap);
            let mut whole = SlabForest::new(6, 2);
            feed_random(shape, seed, &mut sampled, &mut whole);
            let truth = PathForest::of(&whole).count(&sequence) as f64;
            let ipf = PathForest::of(sampled.forest());
            let estimate = sampled.estimator(&ipf).estimate(&sequence);
            ratios += estimate.estimate / truth;
            errors += estimate.standard_error / truth;
            squares += (estimate.estimate / truth - 1.0).powi(2);
            within += usize::from((estimate.estimate - truth).abs() <= 2.0 * estimate.standard_error);
        }
        let streams = STREAMS as f64;
        let (bias, claimed, actual) = (ratios / streams - 1.0, errors / streams, (squares / streams).sqrt());
        let what = format!(
            "{shape:?}, {burst}/{gap}, {length}: bias {bias}, claimed error {claimed}, actual {actual}, {within} within"
        );
        assert!(bias.abs() < 3.0 * actual / streams.sqrt() + 1e-3, "{what}");
        assert!((0.6 * actual..1.8 * actual).contains(&claimed), "{what}");
        assert!(within >= STREAMS * 8 / 10, "{what}");
    }
}

type Named = Vec<(Vec<holloway_profiler::graph::Node>, String)>;

fn naive_programs(
    run: &Run,
    k: usize,
    is_cut: impl Fn(holloway_profiler::graph::EdgeId) -> bool,
) -> BTreeMap<Named, u64> {
    let mut stretches: Vec<Named> = Vec::new();
    for activation in &run.activations {
        let mut stretch = Vec::new();
        for (blocks, end) in pieces(&run.graph, activation, &is_cut) {
            match end {
                End::Whole => stretch.push((blocks, "Return".to_string())),
                End::Cut => stretch.push((blocks, "Cut".to_string())),
                End::Failure => stretches.push(std::mem::take(&mut stretch)),
            }
        }
        stretches.push(stretch);
    }
    tally(stretches.iter().flat_map(|s| (1..=k).flat_map(move |n| s.windows(n).map(<[_]>::to_vec))))
}

fn expected_sequences(list: &serde_json::Value) -> Vec<(Vec<u64>, u64)> {
    serde_json::from_value(list.clone()).unwrap()
}

fn figure_3_forest(k: u32, kind: ChildKind) -> SlabForest {
    let example = conformance("kblpp-fig3");
    let mut forest = SlabForest::with_children(k, kind);
    for item in example["stream"].as_array().unwrap() {
        match item.as_u64() {
            Some(id) => forest.process_bl_path_id(id),
            None => forest.restart(),
        }
    }
    forest
}

#[test]
fn figures_3_and_5() {
    let example = conformance("kblpp-fig3");
    for kind in [ChildKind::List, ChildKind::Dense(8)] {
        let forest = figure_3_forest(4, kind);
        assert_eq!(forest.trie().sequences(), expected_sequences(&example["slab_forest"]));
        assert_eq!(PathForest::of(&forest).sequences(), expected_sequences(&example["k_ipf"]));
        for (k, nodes) in example["k_ipf_node_counts"].as_object().unwrap() {
            let ipf = PathForest::of(&figure_3_forest(k.parse().unwrap(), kind));
            assert_eq!(ipf.node_count() as u64, nodes.as_u64().unwrap(), "k = {k}");
        }
    }
}

#[test]
fn figure_3_from_blocks() {
    let example = conformance("kblpp-fig3");
    let (graph, names) = conformance_graph(&example["cfg"]);
    let ids: Vec<u64> = example["stream"].as_array().unwrap().iter().filter_map(|i| i.as_u64()).collect();
    let spelled: Vec<&str> = ids.iter().map(|id| example["path_ids"][id.to_string()].as_str().unwrap()).collect();
    let blocks: Vec<&str> = spelled.iter().flat_map(|s| s.split('-')).collect();
    assert_eq!(blocks.len(), 44);
    let run = Run { activations: vec![activation_of(&graph, &names, &blocks)], graph };
    let numbering = number(&run.graph);
    let plan = numbering.plan(&run.graph, &Potentials::direct(), Markers::Emit);
    let mut forest = SlabForest::new(4, numbering.num_paths());
    execute(&run, &mut Machine::new(&run.graph, plan), &mut forest);
    let ipf = PathForest::of(&forest);
    assert_eq!(ipf.sequences(), expected_sequences(&example["k_ipf"]));
    assert_eq!(ipf.count(&[2, 0, 0, 2]), 3);
}

/// Deviation: `join_subtree` tests `d > 0` in the paper, which would give sequences of k + 1 ids.
#[test]
fn no_sequence_is_longer_than_k() {
    let mut forest = SlabForest::new(2, 3);
    for id in [0, 1, 2] {
        forest.process_bl_path_id(id);
    }
    let expected: [(Vec<u64>, u64); 5] = [(vec![0], 1), (vec![0, 1], 1), (vec![1], 1), (vec![1, 2], 1), (vec![2], 1)];
    assert_eq!(PathForest::of(&forest).sequences(), expected);
}

#[test]
fn the_hot_child_moves_to_the_front() {
    let mut forest = SlabForest::with_children(2, ChildKind::List);
    for id in [0, 1, 0, 2, 0, 3, 0, 1] {
        forest.process_bl_path_id(id);
    }
    let trie = forest.trie();
    let children: Vec<u64> = trie.children(trie.find(&[0]).unwrap()).map(|c| trie.label(c)).collect();
    assert_eq!(children, [1, 3, 2]);
}

/// Two activations: the first ends with a rare id, the second has only hot ids but comes late, so that its nodes are
/// new.
#[test]
fn pruning_keeps_the_hot_and_the_bound() {
    let mut forest = SlabForest::with_children(3, ChildKind::List).with_limit(4096);
    for round in 0..5_000_u64 {
        let base = if round < 1_000 { 0 } else { 10_000 * (round % 2) };
        forest.enter();
        for id in [0, 1, 0, 1, 0] {
            forest.process_bl_path_id(base + id);
        }
        if base == 0 {
            forest.process_bl_path_id(2 + round % 977);
        }
        forest.leave();
        assert!(forest.bytes() <= 4096);
    }
    let ipf = PathForest::of(&forest);
    assert!(forest.lost() > 0);
    for (base, truth) in [(0, 6_000), (10_000, 4_000)] {
        let hot = ipf.count(&[base, base + 1, base]);
        assert_eq!(hot, truth, "only what is cold was lost");
    }
}
