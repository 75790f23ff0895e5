//! The parts of folding in place: the paths of regions, their indices, and runs of executions that are taken over.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntityRef;
use holloway_profiler::graph::{ExitKind, Graph, Node};
use holloway_profiler::machine::Sink;
use holloway_profiler::persistence::{Ending, Keep, PathIndex, Persistence, RegionPlace, Regions, RunPath, Runs};
use holloway_profiler::plan::BitRegister;
use holloway_profiler::repeat::Repeats;
use proptest::prelude::*;

use super::common::{runs, structured_runs};

/// The bits of every execution of a region, by a search of all pairs of a node and the bits on the way to it.
fn naive_paths(graph: &Graph, regions: &Regions, register: BitRegister) -> BTreeSet<Vec<u64>> {
    let (nest, region) = (regions.nest(), regions.get(register));
    let around = region.around;
    let within = |node: Node| graph.is_block(node) && around.is_none_or(|id| nest.contains(id, node));
    let place = |node: Node| match nest.chain(node).take_while(|&id| Some(id) != around).last() {
        None => RegionPlace::Block(node),
        Some(inner) => RegionPlace::Loop(nest.get(inner).header),
    };
    let start = around.map_or(graph.entry(), |id| nest.get(id).header);
    let mut found = BTreeSet::new();
    let mut left = vec![(start, vec![0; regions.words(register) as usize])];
    let mut seen: BTreeSet<(Node, Vec<u64>)> = left.iter().cloned().collect();
    while let Some((node, bits)) = left.pop() {
        if around.is_none() && graph.exit_kind() == ExitKind::Block && node == graph.exit() {
            found.insert(bits.clone());
        }
        for &edge in graph.successors(node) {
            let to = graph.edge(edge).to;
            if around.is_some() && to == start || around.is_none() && graph.is_return(edge) && !within(to) {
                found.insert(bits.clone());
            } else if within(to) {
                let mut bits = bits.clone();
                if let Some(bit) = region.places.iter().position(|known| *known == place(to)) {
                    bits[bit / 64] |= 1 << (bit % 64);
                }
                if seen.insert((to, bits.clone())) {
                    left.push((to, bits));
                }
            }
        }
    }
    found
}

fn check_paths(graph: &Graph) -> Result<(), TestCaseError> {
    let Ok(regions) = Regions::new(graph) else { return Ok(()) };
    for (register, _) in regions.iter() {
        let naive = naive_paths(graph, &regions, register);
        let found = regions.paths(graph, register, u64::MAX).expect("there is no limit");
        prop_assert_eq!(found.len(), naive.len(), "a path is found once");
        prop_assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), naive.clone());
        let count = naive.len() as u64;
        prop_assert_eq!(regions.paths(graph, register, count).is_some(), true);
        prop_assert_eq!(count > 0 && regions.paths(graph, register, count - 1).is_some(), false);
        prop_assert_eq!(regions.single_path(graph, register), naive.into_iter().next().filter(|_| count == 1));
    }
    for repeat in Repeats::of_regions(graph, &regions).iter() {
        let register = BitRegister::new(repeat.id.b as usize);
        prop_assert_eq!(regions.loop_at(repeat.header), Some(register));
        prop_assert_eq!(naive_paths(graph, &regions, register).len(), 1);
    }
    Ok(())
}

/// State of a region after some executions, by definition.
fn naive_runs(all: &[u64], k: usize) -> Runs {
    let runs: Vec<&[u64]> = all.chunk_by(|a, b| a == b).collect();
    let (last, before) = runs.split_last().expect("there are executions");
    let ended = &all[..all.len() - last.len()];
    let windows = ended.chunks_exact(k);
    let mut paths: BTreeMap<u64, RunPath> = BTreeMap::new();
    for &bits in ended {
        paths.entry(bits).or_insert(RunPath { bits, executions: 0, persistent: 0 }).executions += 1;
    }
    let mut taken = 0;
    for window in windows.clone() {
        match window.iter().all(|bits| *bits == window[0]) {
            true => paths.get_mut(&window[0]).expect("it was counted").persistent += k as u64,
            false => taken += u64::from(window.iter().fold(0, |or, bits| or | bits).count_ones()),
        }
    }
    let lengths = || before.iter().map(|run| run.len() as u64);
    let rest = windows.remainder();
    Runs {
        executions: rest.len() as u64,
        or: rest.iter().fold(0, |or, bits| or | bits),
        bounds: lengths().min().zip(lengths().max()),
        taken,
        paths: paths.into_values().collect(),
        present: (last[0], last.len() as u64),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(134))]

    #[test]
    fn paths_of_regions_of_random_graphs(run in runs()) {
        check_paths(&run.graph)?;
    }

    #[test]
    fn paths_of_regions_of_structured_graphs(run in structured_runs()) {
        check_paths(&run.graph)?;
    }

    /// The sum of weights has the bits of the path, and an index that no other path has.
    #[test]
    fn an_index_tells_paths_apart(paths in prop::collection::btree_set(any::<u64>(), 1..40), places in 1..60_usize) {
        let paths: Vec<u64> = paths.into_iter().map(|path| path & ((1 << places) - 1)).collect::<BTreeSet<_>>().into_iter().collect();
        if let Some(index) = PathIndex::find(places, &paths) {
            prop_assert!(index.len() >= paths.len() && index.len().is_power_of_two());
            for &path in &paths {
                let passed = (0..places as u32).filter(|bit| path >> bit & 1 == 1);
                let register = passed.fold(index.start, |sum, bit| sum.wrapping_add(index.weight(bit)));
                prop_assert_eq!(register & index.places(), path);
                prop_assert_eq!(index.bits((register >> index.shift) as usize), Some(path));
                prop_assert!(register != u64::MAX);
            }
        } else {
            prop_assert!(places > 51 || paths.len() > 16, "few paths of few places have an index");
        }
    }

    /// Taking over what code folded is the same as recording each execution.
    #[test]
    fn runs_are_taken_over(rows in prop::collection::vec((0..6_u64, 1..30_u64), 1..16), k in 1..12_u64) {
        let pairs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)];
        let graph = Graph::from_pairs(6, &pairs, 0, 5, ExitKind::Block).unwrap();
        let regions = Regions::new(&graph).unwrap();
        let register = regions.loop_at(Node::from_u32(1)).unwrap();
        let make = || {
            let mut persistence = Persistence::keeping(Keep::Summary, regions.clone(), k, Ending::Fixed);
            persistence.monitor_all(&graph);
            persistence.count_paths();
            persistence
        };
        let (mut recorded, mut resumed) = (make(), make());
        rows.iter().for_each(|&(bits, count)| recorded.folds(register, &[bits], count));
        let all: Vec<u64> = rows.iter().flat_map(|&(bits, count)| vec![bits; count as usize]).collect();
        resumed.resume(register, &naive_runs(&all, k as usize));
        prop_assert_eq!(recorded.executions(register), resumed.executions(register));
        let (mut summary, mut other) = (recorded.summary(register).clone(), resumed.summary(register).clone());
        prop_assert_eq!(summary.persistent_paths(), other.persistent_paths());
        prop_assert_eq!(&mut summary, &mut other);
        prop_assert_eq!(recorded.overall(register), resumed.overall(register));
        let (current, of) = (recorded.current(register), resumed.current(register));
        prop_assert_eq!((current.executions, current.or, current.untaken), (of.executions, of.or, of.untaken));
        let paths = |of: &Persistence| of.frequencies(register).unwrap().paths();
        prop_assert_eq!(paths(&recorded), paths(&resumed));
    }
}
