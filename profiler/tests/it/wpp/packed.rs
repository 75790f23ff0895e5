//! Ids that are packed into words, and paths that are repeated: the path is that of single ids.

use cranelift_entity::EntityRef;
use holloway_profiler::event::packing::Packing;
use holloway_profiler::event::{Event, FunctionId, Streams};
use holloway_profiler::graph::Node;
use holloway_profiler::machine::Sink;
use holloway_profiler::wpp::{BlockShape, FunctionShape, PathBlocks, Program, Recorder, WholePath};
use proptest::prelude::*;

use super::record::events;

/// Path n enters block 0, and then block n.
struct Pairs;

impl PathBlocks for Pairs {
    fn path(&self, id: u64) -> Option<Vec<Node>> {
        Some(vec![Node::new(0), Node::new(id as usize)])
    }

    fn prefix(&self, block: Node, _: u64) -> Option<Vec<Node>> {
        Some(vec![block])
    }
}

/// Numbers of paths: of the first, several ids are a part of a word; of the second, one.
const PATHS: [u64; 2] = [3, 30];

/// Activations of one function, each as runs of paths: an id, and how often.
fn recorded(activations: &[Vec<(u64, u64)>], packing: Option<Packing>) -> WholePath {
    let mut recorder = Recorder::new(Program::default());
    let blocks = (0..PATHS[1]).map(|_| BlockShape::default()).collect();
    let function = FunctionId::new(0);
    recorder.declare(function, FunctionShape { name: "f".into(), blocks }, packing, Box::new(Pairs));
    for activation in activations {
        let mut words = Vec::new();
        Event::Enter(function).write(&mut words);
        match packing {
            None => activation.iter().for_each(|(id, times)| words.extend((0..*times).map(|_| *id))),
            Some(packing) => pack(activation, packing, &mut words),
        }
        Event::Leave.write(&mut words);
        recorder.read(&words).expect("the words are those of events");
    }
    recorder.finish()
}

/// As code does: long runs are repeats, and the others are in words.
fn pack(activation: &[(u64, u64)], packing: Packing, words: &mut Vec<u64>) {
    let mut slab = Packing::EMPTY;
    for &(id, times) in activation {
        if times > 5 {
            words.push(packing.push(slab, id));
            Event::Repeat { id, count: times - 1 }.write(words);
            slab = Packing::EMPTY;
            continue;
        }
        for _ in 0..times {
            slab = packing.push(slab, id);
            if packing.is_full(slab) {
                words.push(std::mem::replace(&mut slab, Packing::EMPTY));
            }
        }
    }
    if slab != Packing::EMPTY {
        words.push(slab);
    }
}

proptest! {
    #[test]
    fn packed_paths_are_the_same(
        activations in prop::collection::vec(prop::collection::vec((0..PATHS[1], 1_u64..3000), 1..20), 1..6),
        rare in 0_u64..10,
        paths in prop::sample::select(&PATHS[..]),
    ) {
        let activations: Vec<Vec<(u64, u64)>> =
            activations.iter().map(|all| all.iter().map(|&(id, n)| (id % paths, if n % 10 > rare { n % 7 + 1 } else { n })).collect()).collect();
        let (single, packed) = (recorded(&activations, None), recorded(&activations, Some(Packing::widest(paths))));
        prop_assert!(events(&single) == events(&packed));
        let unique = |path: &WholePath| path.function(FunctionId::new(0)).map(|traces| traces.len());
        prop_assert_eq!(unique(&single), unique(&packed));
    }
}

/// More different words than have a piece each.
#[test]
fn words_that_never_recur_are_taken_part_by_part() {
    for paths in PATHS {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % paths
        };
        let activation: Vec<(u64, u64)> = (0..80_000).map(|_| (next(), 1)).collect();
        let packing = Some(Packing::widest(paths));
        let (single, packed) = (recorded(std::slice::from_ref(&activation), None), recorded(&[activation], packing));
        assert!(events(&single) == events(&packed));
    }
}

/// Two calls in the first block of each activation of one function; every combination of paths of the three activations, in two orders.
#[test]
fn activations_of_one_word_are_told_apart_by_their_calls() {
    let packing = Packing::widest(PATHS[0]);
    let [caller, callee] = [0, 1].map(FunctionId::new);
    let mut recorder = Recorder::new(Program::default());
    for (function, calls) in [(caller, 2), (callee, 0)] {
        let blocks = (0..PATHS[0]).map(|block| BlockShape { calls: if block == 0 { calls } else { 0 }, lines: None });
        let shape = FunctionShape { name: "f".into(), blocks: blocks.collect() };
        recorder.declare(function, shape, Some(packing), Box::new(Pairs));
    }
    let (mut words, mut expected) = (Vec::new(), Vec::new());
    for number in (0..27).chain((0..27).rev()) {
        let [own, first, second] = [number % 3, number / 3 % 3, number / 9].map(|id| id as usize);
        let word = |id: usize| packing.push(Packing::EMPTY, id as u64);
        Event::Enter(caller).write(&mut words);
        Event::Leaf { function: callee, word: word(first) }.write(&mut words);
        Event::Leaf { function: callee, word: word(second) }.write(&mut words);
        Event::Last { word: word(own) }.write(&mut words);
        expected.push((caller, Node::new(0)));
        expected.extend([0, first, 0, second].map(|block| (callee, Node::new(block))));
        expected.push((caller, Node::new(own)));
    }
    recorder.read(&words).expect("the words are those of events");
    let path = recorder.finish();
    // Each caller with a path and two calls is a node, and each callee with a path.
    assert_eq!(path.call_graph().len(), 27 + 3);
    assert_eq!(events(&path), expected);
}

struct Ignored;

impl Sink for Ignored {
    fn path(&mut self, _: u64) {}

    fn prefix(&mut self, _: Node, _: u64) {}
}

/// No slab is 0: with packed words it is an error, where it stands and as the only word of an activation.
#[test]
fn a_damaged_word_is_an_error() {
    let packing = Packing::widest(PATHS[0]);
    let function = FunctionId::new(0);
    let around = |word: u64| {
        let mut words = Vec::new();
        Event::Enter(function).write(&mut words);
        words.extend([packing.push(Packing::EMPTY, 1), word]);
        Event::Leave.write(&mut words);
        words
    };
    let mut alone = Vec::new();
    Event::Leaf { function, word: 0 }.write(&mut alone);
    for (words, is_read) in [(around(packing.push(Packing::EMPTY, 2)), true), (around(0), false), (alone, false)] {
        let mut recorder = Recorder::new(Program::default());
        let blocks = (0..PATHS[1]).map(|_| BlockShape::default()).collect();
        recorder.declare(function, FunctionShape { name: "f".into(), blocks }, Some(packing), Box::new(Pairs));
        assert_eq!(recorder.read(&words).is_ok(), is_read, "{words:x?}");
        let mut streams = Streams::default();
        streams.attach_packed(function, Ignored, Some(packing));
        assert_eq!(streams.read(&words).is_ok(), is_read, "{words:x?}");
    }
}
