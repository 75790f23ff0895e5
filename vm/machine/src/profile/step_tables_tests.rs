//! Steps counted as code counts them give the forest of the ids, one by one; and what happens when memory is used up.

use super::*;
use holloway_jit::step_table::SLOT;
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use std::collections::BTreeMap;

const FUNC: u32 = 3;

/// A step as code counts it: in the slot if it is there, else by the runtime.
fn step(all: &mut StepTables, layout: StepTable, state: u64, item: u64) -> u64 {
    let rows = &all.tables[all.by_first[&layout.first]].rows;
    let slot = rows.slot(state, layout.slot(item) as u32);
    if slot.load_at(STATE) == state && (layout.is_direct() || slot.load_at(ITEM) == item) {
        slot.store_at(COUNT, slot.load_at(COUNT) + 1);
        return slot.load_at(NEXT);
    }
    all.count(layout.first, state, item * layout.scale())
}

/// The sequences of a function, with their counts.
fn sequences(all: &StepTables, func: FuncRef) -> Vec<(Vec<u64>, u64)> {
    all.forest(func).expect("it has a table").path_forest().sequences()
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
fn steps_give_the_counts_of_all_sequences() {
    for k in [2, 3, 4, 5, 8, 9, 11, 16] {
        for num_paths in [1, 2, 3, 6, 20, 300, 1 << 12, 1 << 18, 1 << 40] {
            let streams = activations(u64::from(k) ^ num_paths, num_paths);
            let func = FuncRef::from_u32(FUNC);
            let mut all = StepTables::default();
            let layout = all.add(func, k, num_paths, Vec::new());
            let mut by_id = SlabForest::new(k, num_paths);
            for ids in &streams {
                ids.iter().fold(layout.first as u64, |state, id| step(&mut all, layout, state, *id));
                by_id.enter();
                by_id.process_bl_path_ids(ids);
                by_id.leave();
            }
            let found = sequences(&all, func);
            assert_eq!(found, PathForest::of(&by_id).sequences(), "k = {k}, {num_paths} paths");
            assert_eq!(found, counted(&streams, k as usize), "k = {k}, {num_paths} paths");
        }
    }
}

#[test]
fn an_activation_goes_on_from_a_row_that_was_moved() {
    let func = FuncRef::from_u32(FUNC);
    let (k, paths) = (4, 40);
    let mut all = StepTables::default();
    let layout = all.add(func, k, paths, Vec::new());
    let mut by_id = SlabForest::new(k, paths);
    let waiting = step(&mut all, layout, layout.first as u64, 7);
    // The same state gets a slot for every path, and other states lie across it.
    for id in 0..paths {
        let state = step(&mut all, layout, layout.first as u64, 7);
        let state = step(&mut all, layout, state, id);
        step(&mut all, layout, state, id / 2);
        by_id.enter();
        by_id.process_bl_path_ids(&[7, id, id / 2]);
        by_id.leave();
    }
    assert_ne!(waiting, step(&mut all, layout, layout.first as u64, 7), "its row was moved");
    let behind = step(&mut all, layout, waiting, 39);
    step(&mut all, layout, behind, 19);
    for ids in [&[7, 39, 19][..], &[7]] {
        by_id.enter();
        by_id.process_bl_path_ids(ids);
        by_id.leave();
    }
    assert_eq!(sequences(&all, func), PathForest::of(&by_id).sequences());
}

#[test]
fn items_that_have_one_slot_are_counted_beside() {
    let func = FuncRef::from_u32(FUNC);
    let (k, paths) = (3, 1 << 40);
    let mut all = StepTables::default();
    let layout = all.add(func, k, paths, Vec::new());
    let others: Vec<u64> = (1..100_000).filter(|id| layout.slot(*id) == layout.slot(0)).take(3).collect();
    assert_eq!(others.len(), 3);
    let mut by_id = SlabForest::new(k, paths);
    for ids in [&[others[0], 0, others[1], others[2], 0, others[0]][..]; 4] {
        ids.iter().fold(layout.first as u64, |state, id| step(&mut all, layout, state, *id));
        by_id.enter();
        by_id.process_bl_path_ids(ids);
        by_id.leave();
    }
    assert_eq!(sequences(&all, func), PathForest::of(&by_id).sequences());
}

#[test]
fn iterations_are_counted_as_if_one_by_one() {
    for k in [2, 4, 9, 16] {
        for num_paths in [3, 300, 1 << 12, 1 << 34] {
            for times in (1..200).step_by(7) {
                let func = FuncRef::from_u32(FUNC);
                let mut all = StepTables::default();
                let layout = all.add(func, k, num_paths, vec![2, 1]);
                let mut by_id = SlabForest::new(k, num_paths);
                for before in 0..5 {
                    let ids = [2, 0, 0, 2, 2];
                    let first = layout.first as u64;
                    let state = ids[..before].iter().fold(first, |state, id| step(&mut all, layout, state, *id));
                    all.count_run(layout.first, state, Iterations { first: 0, id: layout.scale(), times });
                    by_id.enter();
                    by_id.process_bl_path_ids(&ids[..before]);
                    by_id.process_bl_path_id(0);
                    by_id.process_bl_path_ids(&vec![1; times as usize - 1]);
                    by_id.leave();
                }
                let expected = PathForest::of(&by_id).sequences();
                assert_eq!(sequences(&all, func), expected, "k = {k}, {num_paths} paths, {times}");
            }
        }
    }
}

#[test]
fn steps_without_room_are_lost_and_counted() {
    let func = FuncRef::from_u32(FUNC);
    let mut all = StepTables::bounded(200 * SLOT, MOST_STATES);
    let layout = all.add(func, 4, 100, Vec::new());
    (0..10_000).fold(layout.first as u64, |state, nth| step(&mut all, layout, state, nth * nth / 7 % 100));
    let forest = all.forest(func).expect("it has a table");
    let single = forest.path_forest().sequences().into_iter().filter(|(ids, _)| ids.len() == 1);
    let counted: u64 = single.map(|(_, count)| count).sum();
    assert!(counted > 0 && forest.lost() > 0);
    assert_eq!(counted + forest.lost(), 10_000);
}

#[test]
fn with_few_states_cold_sequences_are_counted_shorter() {
    let (k, paths) = (4, 6);
    let streams = activations(77, paths);
    let func = FuncRef::from_u32(FUNC);
    let mut all = StepTables::bounded(MOST_BYTES, 20);
    let layout = all.add(func, k, paths, Vec::new());
    for ids in &streams {
        if let [only] = ids[..] {
            // As code does for the only path of an activation.
            let slot = all.tables[TableId(0)].rows.slot(layout.first as u64, only as u32);
            slot.store_at(COUNT, slot.load_at(COUNT) + 1);
            continue;
        }
        ids.iter().fold(layout.first as u64, |state, id| step(&mut all, layout, state, *id));
    }
    let forest = all.forest(func).expect("it has a table");
    let (found, expected) = (sequences(&all, func), counted(&streams, k as usize));
    let find = |sequence: &[u64]| found.iter().find(|(known, _)| known == sequence).map_or(0, |(_, count)| *count);
    let mut missing = 0;
    for (sequence, count) in &expected {
        match sequence.len() {
            1 => assert_eq!(find(sequence), *count, "{sequence:?}"),
            length => {
                assert!(find(sequence) <= *count, "{sequence:?}");
                missing += if length == k as usize { count - find(sequence) } else { 0 };
            }
        }
    }
    assert!(missing > 0 && forest.lost() >= missing, "{missing} of {}", forest.lost());
    assert!(all.tables[TableId(0)].states.len() <= 20);
}
