//! Large and random object graphs, the latter against a shadow model.

use super::*;
use crate::runtime::rng::Rng;
use std::collections::HashMap;

/// The model of one object.
struct Shadow {
    kind: Kind,
    links: Vec<Option<u64>>,
    /// A number stored in the object if its kind has room for one.
    tag: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Node,
    Fork,
    Refs(usize),
    Text(usize),
    Ints(usize),
}

struct Model {
    world: World,
    rng: Rng,
    shadows: HashMap<u64, Shadow>,
    tags: u64,
}

impl Model {
    fn below(&mut self, bound: usize) -> usize {
        (self.rng.next_u64() % bound as u64) as usize
    }

    fn random_kind(&mut self) -> Kind {
        let long = [0, 5, 70, 700, 3_000][self.below(5)];
        match self.below(6) {
            0 | 1 => Kind::Node,
            2 => Kind::Fork,
            3 => Kind::Refs(self.below(long + 3)),
            4 => Kind::Text(self.below(8 * long + 3)),
            _ => Kind::Ints(self.below(long + 1) + 1),
        }
    }

    fn create(&mut self) -> u64 {
        let kind = self.random_kind();
        self.tags += 1;
        let tag = self.tags;
        let (object, links) = match kind {
            Kind::Node => (self.world.record(NODE), 1),
            Kind::Fork => (self.world.record(FORK), 3),
            Kind::Refs(len) => (self.world.array(Elem::Ref, len), len),
            Kind::Text(len) => (self.world.string(&vec![tag as u8; len]), 0),
            Kind::Ints(len) => (self.world.array(Elem::Int, len), 0),
        };
        let mut object = object.expect("the live data stay far below the limit");
        match kind {
            Kind::Node => object.set_field(1, tag),
            Kind::Fork => object.set_field(0, tag),
            Kind::Ints(_) => object.words_mut().fill(tag),
            Kind::Refs(_) | Kind::Text(_) => {}
        }
        // An address is known already only if its object has died and the memory was recycled.
        self.shadows.insert(object.word(), Shadow { kind, links: vec![None; links], tag });
        object.word()
    }

    fn object(&self, word: u64) -> Obj {
        let start = self.world.heap.object_at(word as usize);
        assert_eq!(start, Some(word as usize), "an object that can be reached is there");
        handle(word)
    }

    fn link(&mut self, from: u64, to: Option<u64>) {
        let links = self.shadows[&from].links.len();
        if links == 0 {
            return;
        }
        let at = self.below(links);
        self.shadows.get_mut(&from).expect("known").links[at] = to;
        let word = to.unwrap_or(0);
        match self.shadows[&from].kind {
            Kind::Node => self.object(from).set_field(0, word),
            Kind::Fork => self.object(from).set_field(1 + at as u32, word),
            Kind::Refs(_) => self.object(from).set_element(Elem::Ref, at, word),
            Kind::Text(_) | Kind::Ints(_) => unreachable!("no links"),
        }
    }

    /// Compares every object that roots reach with its shadow. Returns the bytes of their cells.
    fn check(&self) -> usize {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        let mut pending = self.world.roots.clone();
        while let Some(word) = pending.pop() {
            if word != 0 && !seen.contains_key(&word) {
                let shadow = &self.shadows[&word];
                seen.insert(word, self.compare(self.object(word), shadow));
                pending.extend(shadow.links.iter().flatten());
            }
        }
        seen.values().sum()
    }

    fn compare(&self, object: Obj, shadow: &Shadow) -> usize {
        let word = |link: &Option<u64>| link.unwrap_or(0);
        let links: Vec<u64> = shadow.links.iter().map(word).collect();
        let size = match shadow.kind {
            Kind::Node => {
                assert_eq!([object.field(0), object.field(1)], [links[0], shadow.tag]);
                abi::record_size(2)
            }
            Kind::Fork => {
                assert_eq!([1, 2, 3].map(|field| object.field(field)).to_vec(), links);
                assert_eq!(object.field(0), shadow.tag);
                abi::record_size(4)
            }
            Kind::Refs(len) => {
                assert_eq!(object.words(), links);
                16 + 8 * len
            }
            Kind::Text(len) => {
                assert_eq!(object.bytes(), vec![shadow.tag as u8; len]);
                24 + len
            }
            Kind::Ints(len) => {
                assert_eq!(object.words(), vec![shadow.tag; len]);
                16 + 8 * len
            }
        };
        Class::of(size).map_or(size.next_multiple_of(BLOCK_SIZE), Class::cell_size)
    }
}

fn random_graph(seed: u64, limit: usize, stress: u32, steps: usize) {
    let mut model =
        Model { world: World::new(limit, stress), rng: Rng::seeded(seed), shadows: HashMap::new(), tags: 0 };
    model.world.roots = vec![0; 24];
    for step in 0..steps {
        let slot = model.below(24);
        let other = model.below(24);
        let other = model.world.roots[other];
        match model.below(8) {
            0 => model.world.roots[slot] = 0,
            1..=4 => {
                let object = model.create();
                model.world.roots[slot] = object;
                if other != 0 && model.world.roots.contains(&other) {
                    model.link(object, Some(other));
                }
            }
            _ => {
                let from = model.world.roots[slot];
                if from != 0 {
                    model.link(from, (other != 0).then_some(other));
                }
            }
        }
        if step % 50 == 0 {
            model.check();
        }
        if step % 500 == 499 {
            model.world.collect();
            assert_eq!(model.world.live(), model.check(), "live bytes are exactly those of what roots reach");
        }
    }
    model.check();
    assert!(model.world.heap.stats().collections > 5);
}

#[test]
fn random_graphs_agree_with_their_shadows() {
    for seed in 0..8 {
        random_graph(seed, 64 << 20, 0, 8_000);
    }
}

#[test]
fn random_graphs_survive_a_collection_at_every_allocation() {
    for seed in 100..104 {
        random_graph(seed, 64 << 20, 1, 1_500);
    }
}

#[test]
fn a_list_of_ten_million_nodes_is_marked() {
    let mut world = World::new(512 << 20, 0);
    world.roots = vec![0];
    let nodes = 10_000_000;
    for at in 0..nodes {
        let node = world.record(NODE).expect("room");
        node.set_field(0, world.roots[0]);
        node.set_field(1, at);
        world.roots[0] = node.word();
    }
    world.collect();
    assert_eq!(world.live(), 32 * nodes as usize);
    let (mut at, mut node) = (nodes, world.roots[0]);
    while node != 0 {
        at -= 1;
        assert_eq!(handle(node).field(1), at);
        node = handle(node).field(0);
    }
    assert_eq!(at, 0);
}

#[test]
fn long_arrays_and_deep_trees_are_marked() {
    let mut world = World::new(512 << 20, 0);
    let array = world.array(Elem::Ref, 300_000).expect("room");
    world.roots.push(array.word());
    for at in 0..array.len() {
        let fork = world.record(FORK).expect("room");
        fork.set_field(1, array.word());
        fork.set_field(2, array.element(Elem::Ref, at.saturating_sub(1)));
        array.set_element(Elem::Ref, at, fork.word());
    }
    world.collect();
    assert_eq!(world.live(), 300_000 * 48 + (16_usize + 8 * 300_000).next_multiple_of(BLOCK_SIZE));
}
