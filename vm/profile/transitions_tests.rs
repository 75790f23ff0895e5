//! Stepping through tables counts what processing the ids one by one counts.

use super::*;
use holloway_jit::steps::repeated;

/// Walks the tables as compiled code does.
struct Walk<'a> {
    all: &'a mut Transitions,
    from: u64,
}

impl Walk<'_> {
    fn start(all: &mut Transitions, forest: u32) -> Walk<'_> {
        let root = all.forests[ForestId::from_u32(forest)].root;
        let from = all.get(root, 0, MASK);
        Walk { all, from }
    }

    fn step(&mut self, symbol: u64) {
        self.from = self.all.step(self.from, symbol);
    }
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn walks_count_what_streams_count() {
    let func = FuncRef::from_u32(3);
    for k in 1..6 {
        for paths in [1, 2, 40, 3000] {
            let mut all = Transitions::default();
            all.add(func, SlabForest::new(k, paths));
            let mut expected = SlabForest::new(k, paths);
            let mut state = u64::from(k) * paths;
            for _ in 0..20 {
                let mut walk = Walk::start(&mut all, 0);
                expected.enter();
                for _ in 0..50 {
                    let id = random(&mut state) % paths;
                    let times = random(&mut state) % 30;
                    if times < 2 {
                        walk.step(id);
                        expected.process_bl_path_id(id);
                    } else {
                        walk.step(repeated(id as i64) as u64 + times);
                        expected.process_bl_path_ids(&vec![id; times as usize]);
                    }
                }
                expected.leave();
            }
            let found = all.forest(func).expect("it was added");
            assert_eq!(found.trie().sequences(), expected.trie().sequences(), "k = {k}, {paths} paths");
        }
    }
}

#[test]
fn symbols_that_no_table_can_tell_apart_are_set_aside_with_their_counts() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::default();
    all.add(func, SlabForest::new(1, 1 << 30));
    // Ids that the middle bits of the hash do not tell apart.
    let ids: Vec<u64> = (0..1 << 26).filter(|id| hash(*id) & 0x3f_ffe0 == hash(5) & 0x3f_ffe0).take(3).collect();
    assert_eq!(ids.len(), 3);
    for round in 0..4 {
        let mut walk = Walk::start(&mut all, 0);
        ids.iter().for_each(|id| (0..=round).for_each(|_| walk.step(*id)));
    }
    assert!(!all.aside.is_empty());
    let counts: Vec<u64> = all.forest(func).expect("it was added").trie().sequences().iter().map(|(_, n)| *n).collect();
    assert_eq!(counts, [10, 10, 10]);
}

#[test]
fn a_slot_of_an_outgrown_table_still_leads_on() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::default();
    let root = all.add(func, SlabForest::new(2, 100));
    let first = all.find(Walk::start(&mut all, 0).from, 7);
    (0..50).for_each(|id| Walk::start(&mut all, 0).step(id));
    let now = all.find(Walk::start(&mut all, 0).from, 7);
    assert_ne!(first, now);
    assert_eq!(root, all.address(all.forests[ForestId::from_u32(0)].root) as usize);
}

#[test]
fn what_has_no_room_is_lost_and_said() {
    let func = FuncRef::from_u32(0);
    let mut all = Transitions::with_slots(100);
    all.add(func, SlabForest::new(8, 1000));
    let mut walk = Walk::start(&mut all, 0);
    (0..1000).for_each(|id| walk.step(id));
    let forest = all.forest(func).expect("it was added");
    let counted: u64 = forest.trie().nodes().map(|node| forest.trie().count(node)).sum();
    assert!(counted < 100);
    assert_eq!(forest.lost(), 8 * (1000 - counted));
}
