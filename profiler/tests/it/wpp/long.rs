//! Activations that are longer than a piece of a sequence, in blocks and in calls.

use std::io::Cursor;

use cranelift_entity::EntityRef;
use holloway_profiler::event::{ActivationSink, FunctionId};
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::{
    BlockShape, Checks, Effort, FunctionShape, PathBlocks, Program, Recorder, Replay, TwppFile, WholePath, stages,
    write,
};

use super::record::events;

/// More than two pieces.
const STEPS: u64 = 150_000;

/// Each block is a path of its own.
struct Blocks;

fn main_id() -> FunctionId {
    FunctionId::new(0)
}

fn leaf_id() -> FunctionId {
    FunctionId::new(1)
}

impl PathBlocks for Blocks {
    fn path(&self, id: u64) -> Option<Vec<Node>> {
        Some(vec![Node::new(id as usize)])
    }

    fn prefix(&self, block: Node, _: u64) -> Option<Vec<Node>> {
        Some(vec![block])
    }
}

/// The block at a step: block 1 with a call now and then, else one of a few hundred.
fn block_at(step: u64) -> u64 {
    let mixed = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    if mixed.is_multiple_of(2) { 1 } else { 2 + mixed % 300 }
}

fn record(steps: u64, recorder: &mut Recorder, expected: &mut Vec<(FunctionId, Node)>) {
    for step in 0..steps {
        let block = block_at(step);
        expected.push((main_id(), Node::new(block as usize)));
        if block == 1 {
            assert!(recorder.enter(leaf_id()) && recorder.paths(&[step % 5]) && recorder.leave());
            expected.push((leaf_id(), Node::new(step as usize % 5)));
        }
        assert!(recorder.paths(&[block]));
    }
}

fn recorder() -> Recorder {
    let mut recorder = Recorder::new(Program::default());
    let shape = |name: &str, calling: usize| {
        let block = |block| BlockShape { calls: u32::from(block == calling), lines: None };
        FunctionShape { name: name.into(), blocks: (0..400).map(block).collect() }
    };
    recorder.declare(main_id(), shape("main", 1), None, Box::new(Blocks));
    recorder.declare(leaf_id(), shape("leaf", 999), None, Box::new(Blocks));
    recorder
}

fn reopened(path: &WholePath, effort: Effort) -> WholePath {
    let mut bytes = Vec::new();
    write(path, effort, &mut bytes).unwrap();
    TwppFile::open(Cursor::new(bytes)).unwrap().whole().unwrap()
}

#[test]
fn a_long_activation_is_kept_in_pieces() {
    let (mut recorder, mut expected) = (recorder(), Vec::new());
    recorder.enter(main_id());
    record(STEPS, &mut recorder, &mut expected);
    let snapshot = recorder.snapshot(|path| reopened(path, Effort::Fast));
    assert!(!snapshot.complete && events(&snapshot) == expected);
    assert!(recorder.bytes() < 2_000_000, "{} bytes", recorder.bytes());
    recorder.leave();
    let path = recorder.finish();
    assert!(path.complete && events(&path) == expected);
    let read = reopened(&path, Effort::Best);
    assert_eq!(stages(&read), stages(&path));
    let middle = expected.len() as u64 / 2;
    let next = Replay::at(&read, middle).next().unwrap();
    assert_eq!((next.function, next.block), expected[middle as usize]);
}

#[test]
fn equal_long_activations_are_one() {
    let (mut recorder, mut expected) = (recorder(), Vec::new());
    for _ in 0..3 {
        recorder.enter(main_id());
        record(STEPS, &mut recorder, &mut expected);
        recorder.leave();
    }
    let path = recorder.finish();
    assert_eq!((path.function(main_id()).unwrap().len(), path.call_graph().len()), (1, 6));
    assert_eq!(
        (path.calls().function(main_id()), path.calls().function(leaf_id())),
        (3, expected.len() as u64 - 3 * STEPS)
    );
}

/// A loop over 7 paths has 7 different stretches, by where they begin; in between comes another path.
#[test]
fn equal_stretches_are_kept_once() {
    const STRETCHES: u64 = 12;
    let block_at = |step: u64| if step == 400_000 { 300 } else { 2 + step % 7 };
    let (mut recorder, mut expected) = (recorder(), Vec::new());
    recorder.enter(main_id());
    for step in 0..STRETCHES * 65_536 + 1_000 {
        expected.push((main_id(), Node::new(block_at(step) as usize)));
        assert!(recorder.paths(&[block_at(step)]));
    }
    recorder.leave();
    let path = recorder.finish();
    let (mut bytes, mut again) = (Vec::new(), Vec::new());
    write(&path, Effort::Fast, &mut bytes).unwrap();
    let read = TwppFile::open(Cursor::new(&bytes)).unwrap().whole().unwrap();
    assert!(events(&read) == expected, "the path is another one");
    assert_eq!(stages(&read), stages(&path));
    write(&read, Effort::Fast, &mut again).unwrap();
    assert_eq!(again, bytes, "what was read is written as it was");
    assert!(bytes.len() < 700, "{} bytes", bytes.len());
}

#[test]
fn damaged_stretches_are_errors() {
    let mut recorder = recorder();
    recorder.enter(main_id());
    (0..200_000_u64).for_each(|step| assert!(recorder.paths(&[2 + step % 3])));
    recorder.leave();
    let mut bytes = Vec::new();
    write(&recorder.finish(), Effort::Fast, &mut bytes).unwrap();
    let mut errors = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        // Whatever is read without checksums is a path, if not the one that was written.
        let read = TwppFile::open_with(Cursor::new(damaged), Checks::Ignore).and_then(|mut file| file.whole());
        errors += usize::from(read.is_err());
    }
    assert!(errors > bytes.len() / 3, "{errors} of {}", bytes.len());
}
