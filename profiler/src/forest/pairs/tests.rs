//! Words counted in pairs give the forest of the ids, one by one, however activations take turns; and what happens when memory is used up.

use super::*;
use crate::forest::ipf::PathForest;
use std::collections::BTreeMap;

/// An activation, as code has it.
struct Gathered {
    name: u64,
    word: u64,
}

impl Gathered {
    fn new(name: u64) -> Gathered {
        Gathered { name, word: Packing::FIRST }
    }

    fn path(&mut self, pairs: &mut SlabPairs, id: u64) {
        self.word = pairs.packing().push(self.word, id);
        if pairs.packing().is_full(self.word) {
            if !pairs.later_word(self.name, self.word) {
                pairs.word(self.name, self.word, false);
            }
            self.word = Packing::LATER;
        }
    }

    /// As code does where a loop with one path is left; what is counted apart is not here.
    fn repeated(&mut self, pairs: &mut SlabPairs, first: u64, id: u64, others: u64) {
        self.word = pairs.packing().push(self.word, first);
        pairs.word(self.name, self.word, false);
        pairs.repeated(self.name, id, others);
        self.word = Packing::LATER;
    }

    fn end(&mut self, pairs: &mut SlabPairs) {
        if !pairs.packing().is_empty(self.word) {
            pairs.word(self.name, self.word, true);
        }
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Activations of ids below `num_paths`, most of them small; some ids many times.
    fn activations(&mut self, num_paths: u64) -> Vec<Vec<u64>> {
        let activation = |_| {
            let mut ids = Vec::new();
            for _ in 0..self.next() % 12 {
                let id = if self.next() % 4 > 0 { self.next() % num_paths.min(3) } else { self.next() % num_paths };
                let times = if self.next() % 5 == 0 { self.next() % 90 } else { 1 };
                ids.extend(std::iter::repeat_n(id, times as usize));
            }
            ids
        };
        (0..30).map(activation).collect()
    }
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

fn expected(activations: &[Vec<u64>], k: u32, num_paths: u64) -> SlabForest {
    let mut forest = SlabForest::new(k, num_paths);
    for ids in activations {
        forest.enter();
        forest.process_bl_path_ids(ids);
        forest.leave();
    }
    forest
}

#[test]
fn pairs_give_the_counts_of_all_sequences() {
    for k in [1, 2, 3, 4, 5, 8, 9, 11, 16, 70] {
        for num_paths in [1, 2, 3, 6, 20, 300, 1 << 20, 1 << 40, crate::forest::slab::MOST_PATHS] {
            let mut random = Random(u64::from(k) ^ num_paths);
            let streams = random.activations(num_paths);
            let mut pairs = SlabPairs::new(k, num_paths, usize::MAX);
            // Some at a time, which take turns; names are used again.
            for (group, streams) in streams.chunks(3).enumerate() {
                let mut under_way: Vec<(Gathered, &[u64])> =
                    (0..).zip(streams).map(|(name, ids)| (Gathered::new(name), ids.as_slice())).collect();
                while !under_way.is_empty() {
                    let nth = random.next() as usize % under_way.len();
                    let (gathered, ids) = &mut under_way[nth];
                    let (now, later) = ids.split_at(ids.len().min(1 + random.next() as usize % 40));
                    match now {
                        [first, id, others @ ..] if group % 2 == 0 && others.iter().all(|other| other == id) => {
                            gathered.repeated(&mut pairs, *first, *id, 1 + others.len() as u64);
                        }
                        _ => now.iter().for_each(|id| gathered.path(&mut pairs, *id)),
                    }
                    *ids = later;
                    if later.is_empty() {
                        under_way.swap_remove(nth).0.end(&mut pairs);
                    }
                }
            }
            let (found, operations) = pairs.forest();
            let by_id = expected(&streams, k, num_paths);
            assert_eq!(found.trie().sequences(), by_id.trie().sequences(), "k = {k}, {num_paths} paths");
            assert_eq!(PathForest::of(&found).sequences(), counted(&streams, k as usize), "k = {k}, {num_paths} paths");
            assert!(operations > 0 && found.lost() == 0);
        }
    }
}

#[test]
fn activations_under_way_are_in_the_forest() {
    let mut pairs = SlabPairs::new(4, 3, usize::MAX);
    let mut gathered = Gathered::new(0);
    let ids: Vec<u64> = (0..50).map(|nth| nth % 3).collect();
    ids.iter().for_each(|id| gathered.path(&mut pairs, *id));
    let read = 50 - pairs.packing().len(gathered.word) as usize;
    for _ in 0..2 {
        let found = pairs.forest().0;
        assert_eq!(PathForest::of(&found).sequences(), counted(&[ids[..read].to_vec()], 4));
    }
}

#[test]
fn whole_periods_count_the_same_nodes_each() {
    for k in [1, 2, 3, 4, 9] {
        let period = period(k);
        for times in 0..100 {
            let (periods, rest) = split(times, period);
            assert_eq!(periods * period + rest, times);
            assert!(rest < 3 * period && (periods == 0 || rest >= 2 * period));
            let mut pairs = SlabPairs::new(k, 5, usize::MAX);
            let mut gathered = Gathered::new(7);
            gathered.path(&mut pairs, 2);
            gathered.repeated(&mut pairs, 3, 1, rest);
            gathered.path(&mut pairs, 0);
            gathered.end(&mut pairs);
            let mut found = pairs.forest().0;
            found.count_periods(1, periods);
            let ids: Vec<u64> = [2, 3].into_iter().chain(std::iter::repeat_n(1, times as usize)).chain([0]).collect();
            assert_eq!(found.trie().sequences(), expected(&[ids], k, 5).trie().sequences(), "k = {k}, {times} times");
        }
    }
}

#[test]
fn slabs_without_room_are_lost_and_counted() {
    let mut pairs = SlabPairs::new(4, 1 << 20, 1 << 14);
    let mut gathered = Gathered::new(0);
    (0..10_000).for_each(|id| gathered.path(&mut pairs, id));
    let forest = pairs.forest().0;
    let counted: u64 = forest.trie().nodes().map(|node| forest.trie().count(node)).sum();
    let gathered = 10_000 - u64::from(pairs.packing().len(gathered.word));
    assert!(counted > 0 && forest.lost() > 0);
    assert_eq!(counted + forest.lost() / 4, gathered);
}
