//! Slabs counted as code counts them give the forest of the ids, one by one; and what happens when memory is used up.

use super::*;
use holloway_profiler::forest::ipf::PathForest;
use std::collections::BTreeMap;

const FUNC: u32 = 3;

/// The words that code keeps for an activation.
struct Activation {
    state: u64,
    slab: u64,
}

impl Activation {
    fn new() -> Activation {
        Activation { state: FIRST_STATE, slab: Packing::EMPTY }
    }

    fn path(&mut self, all: &mut SlabTables, table: SlabTable, id: u64) {
        match table.numbers {
            None => self.slab = table.packing.push(self.slab, id),
            Some(_) => (self.state, self.slab) = all.put(table.header, (self.state, self.slab), id),
        }
        if table.packing.is_full(self.slab) {
            self.end(all, table);
        }
    }

    fn end(&mut self, all: &mut SlabTables, table: SlabTable) {
        if self.slab != Packing::EMPTY {
            (_, self.state) = all.count(table.header, (self.state, self.slab), 1);
            self.slab = Packing::EMPTY;
        }
    }
}

/// Activations of random ids below `num_paths`, most of them small; some ids many times.
fn activations(seed: u64, num_paths: u64) -> Vec<Vec<u64>> {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut activation = || {
        let mut ids = Vec::new();
        for _ in 0..next() % 12 {
            let id = if next() % 4 > 0 { next() % num_paths.min(3) } else { next() % num_paths };
            let times = if next() % 5 == 0 { next() % 90 } else { 1 };
            ids.extend(std::iter::repeat_n(id, times as usize));
        }
        ids
    };
    (0..120).map(|_| activation()).collect()
}

/// Every sequence of up to `k` ids with its count, in lexicographic order.
fn counted(activations: &[Vec<u64>], k: usize) -> Vec<(Vec<u64>, u64)> {
    let mut counts: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
    for ids in activations {
        for length in 1..=k {
            ids.windows(length).for_each(|sequence| *counts.entry(sequence.to_vec()).or_default() += 1);
        }
    }
    counts.into_iter().collect()
}

#[test]
fn slabs_give_the_counts_of_all_sequences() {
    for k in [1, 2, 3, 4, 5, 8, 9, 11, 16] {
        for num_paths in [1, 2, 3, 6, 20, 300, 1 << 12, 1 << 18, 1 << 20, 1 << 40] {
            let streams = activations(u64::from(k) ^ num_paths, num_paths);
            let func = FuncRef::from_u32(FUNC);
            let mut all = SlabTables::default();
            let table = all.add(func, k, num_paths, Vec::new());
            let mut by_id = SlabForest::new(k, num_paths);
            for ids in &streams {
                let mut activation = Activation::new();
                ids.iter().for_each(|id| activation.path(&mut all, table, *id));
                activation.end(&mut all, table);
                by_id.enter();
                by_id.process_bl_path_ids(ids);
                by_id.leave();
            }
            let found = all.slabs(func).expect("it has a table").forest;
            assert_eq!(found.trie().sequences(), by_id.trie().sequences(), "k = {k}, {num_paths} paths");
            assert_eq!(PathForest::of(&found).sequences(), counted(&streams, k as usize), "k = {k}, {num_paths} paths");
        }
    }
}

#[test]
fn iterations_are_counted_as_if_gathered_one_by_one() {
    for k in [1, 2, 4, 9, 16] {
        for num_paths in [3, 300, 1 << 12, 1 << 34] {
            for times in (1..200).step_by(7) {
                let func = FuncRef::from_u32(FUNC);
                let mut all = SlabTables::default();
                let table = all.add(func, k, num_paths, vec![2, 1]);
                let mut by_id = SlabForest::new(k, num_paths);
                for before in 0..5 {
                    let mut activation = Activation::new();
                    let ids = [2, 0, 0, 2, 2];
                    ids[..before].iter().for_each(|id| activation.path(&mut all, table, *id));
                    all.count_run(
                        table.header,
                        (activation.state, activation.slab),
                        Iterations { first: 0, id: 1, times },
                    );
                    by_id.enter();
                    by_id.process_bl_path_ids(&ids[..before]);
                    by_id.process_bl_path_id(0);
                    by_id.process_bl_path_ids(&vec![1; times as usize - 1]);
                    by_id.leave();
                }
                let found = all.slabs(func).expect("it has a table").forest;
                assert_eq!(found.trie().sequences(), by_id.trie().sequences(), "k = {k}, {num_paths} paths, {times}");
            }
        }
    }
}

#[test]
fn slabs_without_room_are_lost_and_counted() {
    let func = FuncRef::from_u32(FUNC);
    let mut all = SlabTables::with_bytes(2 * FIRST_SLOTS * SLOT as usize);
    let table = all.add(func, 4, 1 << 20, Vec::new());
    let mut activation = Activation::new();
    (0..10_000).for_each(|id| activation.path(&mut all, table, id));
    let forest = all.slabs(func).expect("it has a table").forest;
    let counted: u64 = forest.trie().nodes().map(|node| forest.trie().count(node)).sum();
    let gathered = 10_000 - u64::from(table.packing.len(activation.slab));
    assert!(counted > 0 && forest.lost() > 0);
    assert!(counted + forest.lost() >= gathered, "{counted} + {}", forest.lost());
}

#[test]
fn numbers_of_paths_take_of_the_same_bytes_and_where_none_are_left_slabs_are_of_ids() {
    let (k, num_paths) = (4, 1 << 12);
    let slots = FIRST_SLOTS * SLOT as usize;
    let bytes = PathNumbers::bytes(num_paths);
    let mut all = SlabTables::with_bytes(bytes + slots + bytes - 1);
    let mut has_numbers = || all.add(FuncRef::from_u32(FUNC), k, num_paths, Vec::new()).numbers.is_some();
    assert!(has_numbers(), "there is room for these");
    assert!(!has_numbers(), "a byte is missing");
    assert_eq!(all.left, bytes - 1 - slots);
}
