//! Recording against the naive record: replay in both directions and from anywhere, snapshots, and search.

use holloway_profiler::event::{Event, FunctionId, decode, encode};
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::{BlockEvent, Effort, Replay, WholePath, find, write};
use proptest::prelude::*;

use super::execution::{Execution, executions};
use crate::common::tally;

pub(super) fn recorded(execution: &Execution, buffer: usize) -> WholePath {
    let mut recorder = execution.recorder();
    execution.words.chunks(buffer).for_each(|words| recorder.read(words).unwrap());
    recorder.finish()
}

fn plain(event: BlockEvent) -> (FunctionId, Node) {
    (event.function, event.block)
}

/// Every event, forward; then backward, and the two must agree.
pub(super) fn events(path: &WholePath) -> Vec<(FunctionId, Node)> {
    let forward: Vec<BlockEvent> = Replay::new(path).collect();
    let mut end = Replay::at_end(path);
    let mut backward: Vec<BlockEvent> = std::iter::from_fn(|| end.previous()).collect();
    backward.reverse();
    assert_eq!(forward, backward);
    assert_eq!((forward.len() as u64, end.position()), (path.events(), 0));
    forward.into_iter().map(plain).collect()
}

fn naive_find(execution: &Execution, function: usize, blocks: &[Node]) -> u64 {
    let of = execution.traces.iter().filter(|trace| trace.function == function);
    of.map(|trace| trace.blocks.windows(blocks.len()).filter(|window| *window == blocks).count() as u64).sum()
}

/// The words as code writes them where an activation ends: a leaf is one word, and a last word has the end in it.
fn shortened(words: &[u64]) -> Vec<u64> {
    let mut events = Vec::new();
    let mut rest = words;
    while let Some((event, used)) = decode(rest).unwrap() {
        events.push(event);
        rest = &rest[used..];
    }
    let (mut short, mut rest) = (Vec::new(), events.as_slice());
    while let [event, ..] = rest {
        let (event, used) = match *rest {
            [Event::Enter(function), Event::Path(word), Event::Leave, ..] if word < encode::MOST_LEAF_WORD => {
                (Event::Leaf { function, word }, 3)
            }
            [Event::Path(word), Event::Leave, ..] if word < encode::MOST_LAST_WORD => (Event::Last { word }, 2),
            _ => (*event, 1),
        };
        event.write(&mut short);
        rest = &rest[used..];
    }
    short
}

proptest! {
    #[test]
    fn activations_end_in_one_word_or_in_two(execution in executions(), buffer in 1..40_usize) {
        let short = shortened(&execution.words);
        let mut recorder = execution.recorder();
        short.chunks(buffer).for_each(|words| recorder.read(words).unwrap());
        let (path, plain) = (recorder.finish(), recorded(&execution, buffer));
        prop_assert!(path.complete);
        prop_assert_eq!(events(&path), execution.events.clone());
        let bytes = |path| {
            let mut bytes = Vec::new();
            write(path, Effort::Fast, &mut bytes).unwrap();
            bytes
        };
        prop_assert_eq!(bytes(&path), bytes(&plain));
    }

    #[test]
    fn replay_is_the_execution(execution in executions(), buffer in 1..40_usize) {
        let path = recorded(&execution, buffer);
        prop_assert!(path.complete);
        prop_assert_eq!(events(&path), execution.events.clone());
        let naive = tally(execution.traces.clone());
        for (function, traces) in path.functions() {
            let counts = path.calls();
            let index = function.as_u32() as usize;
            prop_assert_eq!(traces.len() as usize, naive.keys().filter(|trace| trace.function == index).count());
            for trace in 0..traces.len() {
                let blocks = traces.blocks(trace).collect();
                let key = super::execution::NaiveTrace { function: index, blocks };
                prop_assert_eq!(naive.get(&key), Some(&counts.of(function, trace)));
            }
        }
    }

    #[test]
    fn replay_starts_anywhere_and_turns_around(execution in executions(), at in any::<prop::sample::Index>(), back in 0..30_usize) {
        let path = recorded(&execution, 64);
        let at = at.index(execution.events.len() + 1);
        let mut replay = Replay::at(&path, at as u64);
        prop_assert_eq!(replay.position(), at as u64);
        let start = at.saturating_sub(back);
        for &event in execution.events[start..at].iter().rev() {
            prop_assert_eq!(replay.previous().map(plain), Some(event));
        }
        prop_assert_eq!(replay.map(plain).collect::<Vec<_>>(), execution.events[start..].to_vec());
    }

    #[test]
    fn a_snapshot_lacks_only_paths_that_have_not_ended(execution in executions(), at in any::<prop::sample::Index>()) {
        prop_assume!(!execution.moments.is_empty());
        let moment = &execution.moments[at.index(execution.moments.len())];
        let mut recorder = execution.recorder();
        recorder.read(&execution.words[..moment.words]).unwrap();
        let known = (0..moment.events).filter(|event| !moment.open.contains(event));
        let known: Vec<_> = known.map(|event| execution.events[event]).collect();
        let snapshot = recorder.snapshot(|path| (path.complete, events(path)));
        prop_assert_eq!(snapshot, (false, known));
        // The recorder goes on as if nothing had been looked at.
        recorder.read(&execution.words[moment.words..]).unwrap();
        let path = recorder.finish();
        prop_assert_eq!(events(&path), execution.events.clone());
        let plain = recorded(&execution, 64);
        prop_assert_eq!(path.call_graph().len(), plain.call_graph().len());
    }

    #[test]
    fn search_finds_what_a_walk_finds(execution in executions(), trace in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), len in 1..4_usize) {
        prop_assume!(!execution.traces.is_empty());
        let path = recorded(&execution, 64);
        let trace = &execution.traces[trace.index(execution.traces.len())];
        let from = from.index(trace.blocks.len());
        let blocks = &trace.blocks[from..trace.blocks.len().min(from + len)];
        let function = FunctionId::from_u32(trace.function as u32);
        let found = find(&path, function, blocks, 1000);
        let count = naive_find(&execution, trace.function, blocks);
        prop_assert_eq!((found.count, found.first.len() as u64), (count, count));
        for occurrence in found.first {
            let mut replay = Replay::at(&path, occurrence.event);
            let last = replay.previous().unwrap();
            prop_assert_eq!((last.block, last.step), (blocks[blocks.len() - 1], occurrence.step + blocks.len() as u64 - 1));
        }
    }
}

#[test]
fn words_outside_their_place_are_errors() {
    use holloway_profiler::event::Event;
    let execution = Execution::default();
    let words = |event: Event<'_>| {
        let mut words = Vec::new();
        event.write(&mut words);
        words
    };
    assert!(execution.recorder().read(&words(Event::Enter(FunctionId::from_u32(7)))).is_err());
    assert!(execution.recorder().read(&words(Event::Leave)).is_err());
    assert!(execution.recorder().read(&[3]).is_err());
}
