//! Stepping through tables counts what processing the ids one by one counts.

use super::*;

/// Walks the tables as compiled code does.
struct Walk<'a> {
    all: &'a mut Transitions,
    from: u64,
}

impl Walk<'_> {
    fn start(all: &mut Transitions, forest: u32) -> Walk<'_> {
        let root = all.forests[ForestId::from_u32(forest)].root;
        let from = all.get(Spot { table: root, slot: 0 }, MASK);
        Walk { all, from }
    }

    fn step(&mut self, symbol: u64) {
        self.from = self.all.step(self.from, symbol);
    }
}

/// Asserts the counts.
fn check(all: &Transitions, func: FuncRef, expected: &SlabForest, what: &str) {
    let found = all.forest(func).expect("it was added");
    assert_eq!(found.trie().sequences(), expected.trie().sequences(), "{what}");
}

/// Count of each sequence.
fn counts(all: &Transitions, func: FuncRef) -> Vec<u64> {
    all.forest(func).expect("it was added").trie().sequences().iter().map(|(_, n)| *n).collect()
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Ids of one activation as symbols: some as paths, some as a loop with what is before and behind it.
fn walk(all: &mut Transitions, ids: &[(u64, u64)], k: u32, state: &mut u64) {
    let mut walk = Walk::start(all, 0);
    let mut carried = 0;
    for &(id, times) in ids {
        if times > 1 {
            let first = if carried == 0 { Some(id) } else { None };
            if carried != 0 {
                walk.step(carried | id);
            }
            let (periods, rest) = split(times - 1, period(k));
            let counters = walk.all.forests[ForestId::from_u32(0)].periods;
            let counter = Spot { table: counters, slot: id as usize };
            walk.all.set(counter, COUNT, walk.all.get(counter, COUNT) + periods);
            carried = Symbol::Repeated { first, id, times: rest, last: Some(0) }.word();
        } else {
            walk.step(carried | id);
            carried = 0;
        }
    }
    if carried != 0 {
        match random(state) % 2 {
            0 => walk.step(carried | NO_PATH as u64),
            _ => {
                let from = walk.from;
                walk.all.leave(Unreported { carried, iterations: None, from });
            }
        }
    }
}

#[test]
fn walks_count_what_streams_count() {
    let func = FuncRef::from_u32(3);
    for k in 1..6 {
        for paths in [1, 2, 40, 3000] {
            let mut all = Transitions::default();
            let every: Vec<i64> = (0..paths as i64).collect();
            all.add(func, SlabForest::new(k, paths), &every);
            let mut expected = SlabForest::new(k, paths);
            let mut state = u64::from(k) * paths;
            for _ in 0..20 {
                let mut run = || (random(&mut state) % paths, (random(&mut state) % 30).max(1));
                let ids: Vec<(u64, u64)> = (0..50).map(|_| run()).collect();
                walk(&mut all, &ids, k, &mut state);
                expected.enter();
                ids.iter().for_each(|(id, times)| expected.process_bl_path_ids(&vec![*id; *times as usize]));
                expected.leave();
            }
            check(&all, func, &expected, &format!("k = {k}, {paths} paths"));
        }
    }
}

#[test]
fn iterations_that_a_failure_cuts_short_are_counted() {
    let func = FuncRef::from_u32(3);
    for k in 1..6 {
        for times in 1..30 {
            for carried in [0, Symbol::Repeated { first: None, id: 1, times: 2, last: Some(0) }.word()] {
                let mut all = Transitions::default();
                all.add(func, SlabForest::new(k, 4), &[2]);
                let from = Walk::start(&mut all, 0).from;
                all.leave(Unreported { carried, iterations: Some(Iterations { first: 3, id: 2, times }), from });
                let mut expected = SlabForest::new(k, 4);
                expected.process_bl_path_ids(if carried == 0 { &[] } else { &[1, 1] });
                expected.process_bl_path_id(3);
                expected.process_bl_path_ids(&vec![2; times as usize - 1]);
                check(&all, func, &expected, &format!("k = {k}, {times} times"));
            }
        }
    }
}

#[test]
fn symbols_that_no_table_can_tell_apart_have_slots_aside() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::default();
    all.add(func, SlabForest::new(1, 1 << 30), &[]);
    // Ids that the middle bits of the hash do not tell apart.
    let ids: Vec<u64> = (0..1 << 26).filter(|id| hash(*id) & 0x3f_ffe0 == hash(5) & 0x3f_ffe0).take(3).collect();
    assert_eq!(ids.len(), 3);
    for round in 0..4 {
        let mut walk = Walk::start(&mut all, 0);
        ids.iter().for_each(|id| (0..=round).for_each(|_| walk.step(*id)));
    }
    assert_eq!(all.rows.values().filter_map(|row| row.aside.as_ref()).map(|aside| aside.len()).sum::<usize>(), 2);
    assert_eq!(counts(&all, func), [10, 10, 10]);
}

/// Two ids that share a place in tables of up to 64 slots.
fn two_alike() -> [u64; 2] {
    let alike = |a: u64, b: u64| (hash(a) ^ hash(b)) & (63 * SLOT) == 0;
    let pair = (0..1000).flat_map(|a| (0..a).map(move |b| [b, a])).find(|[b, a]| alike(*a, *b));
    pair.expect("there are more ids than places")
}

#[test]
fn activations_that_are_within_each_other_do_not_meet() {
    let func = FuncRef::from_u32(0);
    let [one, other] = two_alike();
    for k in 1..5 {
        let mut all = Transitions::default();
        all.add(func, SlabForest::new(k, 1000), &[]);
        let mut expected = SlabForest::new(k, 1000);
        for _ in 0..100 {
            // The slot that an activation has at hand while it waits for another one.
            let start = Walk::start(&mut all, 0).from;
            let outer = all.behind(named(start), one);
            all.set(outer, COUNT, all.get(outer, COUNT) + 1);
            let mut inner = Walk::start(&mut all, 0);
            [other, 3, one].into_iter().for_each(|id| inner.step(id));
            let mut outer = Walk { from: all.get(outer, MASK), all: &mut all };
            [other, one].into_iter().for_each(|id| outer.step(id));
            for ids in [[other, 3, one], [one, other, one]] {
                expected.enter();
                expected.process_bl_path_ids(&ids);
                expected.leave();
            }
        }
        check(&all, func, &expected, &format!("k = {k}"));
    }
}

#[test]
fn a_table_grows_for_what_is_asked_for_often() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::default();
    all.add(func, SlabForest::new(1, 1000), &[]);
    let mut walk = Walk::start(&mut all, 0);
    (0..1000).for_each(|_| two_alike().into_iter().for_each(|id| walk.step(id)));
    assert!(all.rows.values().all(|row| row.aside.is_none()));
    assert_eq!(counts(&all, func), [1000, 1000]);
}

#[test]
fn a_slot_of_an_outgrown_table_still_leads_on() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::default();
    let (root, _) = all.add(func, SlabForest::new(2, 100), &[]);
    let from = Walk::start(&mut all, 0).from;
    let first = all.find(from, 7);
    (0..50).for_each(|id| Walk::start(&mut all, 0).step(id));
    let from = Walk::start(&mut all, 0).from;
    let now = all.find(from, 7);
    assert_ne!(first, now);
    assert_eq!(root, all.address(all.forests[ForestId::from_u32(0)].root) as usize);
}

#[test]
fn what_has_no_room_is_lost_and_said() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::with_slots(100);
    all.add(func, SlabForest::new(8, 1000), &[]);
    let mut walk = Walk::start(&mut all, 0);
    (0..1000).for_each(|id| walk.step(id));
    let forest = all.forest(func).expect("it was added");
    let counted: u64 = forest.trie().nodes().map(|node| forest.trie().count(node)).sum();
    assert!(counted < 100);
    assert_eq!(forest.lost(), 8 * (1000 - counted));
}
