//! Executions beside their recordings, whole and cut short.

use holloway_profiler::graph::Node;
use holloway_profiler::wpp::{CheckedBlock, ReplayCheck, WholePath};
use proptest::prelude::*;

use super::execution::{Execution, Step, executions};
use super::record::recorded;

/// No graph has so many blocks.
fn elsewhere() -> Node {
    Node::from_u32(1 << 20)
}

/// The answer to each block, up to the first that is not part of the recorded run; one event may be at another block.
fn followed(path: &WholePath, execution: &Execution, change: Option<usize>) -> Vec<CheckedBlock> {
    let mut follower = ReplayCheck::new(path);
    let mut answers = Vec::new();
    for &step in &execution.steps {
        match step {
            Step::Enter(function) => follower.enter(function),
            Step::Leave => follower.leave(),
            Step::Block(event) => {
                let block = if change == Some(event) { elsewhere() } else { execution.events[event].1 };
                answers.push(follower.block(block));
                if matches!(answers[event], CheckedBlock::Over | CheckedBlock::Differs(_)) {
                    break;
                }
            }
        }
    }
    answers
}

/// The answer to one more block of the activation that ends with a step.
fn one_more(path: &WholePath, execution: &Execution, end: usize) -> CheckedBlock {
    let mut follower = ReplayCheck::new(path);
    for &step in &execution.steps[..end] {
        match step {
            Step::Enter(function) => follower.enter(function),
            Step::Leave => follower.leave(),
            Step::Block(event) => drop(follower.block(execution.events[event].1)),
        }
    }
    follower.block(elsewhere())
}

/// Returns whether the caller of the activation that ends with a step enters another one before there were so many events.
fn has_next_sibling(execution: &Execution, end: usize, events: usize) -> bool {
    let mut depth = 0;
    for pair in execution.steps[end + 1..].windows(2) {
        match pair {
            [Step::Enter(_), Step::Block(event)] if depth == 0 => return *event < events,
            [Step::Enter(_), _] => depth += 1,
            [Step::Leave, _] if depth == 0 => return false,
            [Step::Leave, _] => depth -= 1,
            _ => {}
        }
    }
    false
}

proptest! {
    #[test]
    fn an_activation_that_ended_has_no_more_blocks(execution in executions(), at in any::<prop::sample::Index>()) {
        prop_assume!(!execution.moments.is_empty());
        let moment = &execution.moments[at.index(execution.moments.len())];
        let mut recorder = execution.recorder();
        recorder.read(&execution.words[..moment.words]).unwrap();
        let ends = execution.steps.iter().enumerate().filter(|(_, step)| **step == Step::Leave).map(|(end, _)| end);
        let ended: Vec<usize> = ends.filter(|end| has_next_sibling(&execution, *end, moment.events)).collect();
        let is_over = |answer: CheckedBlock| answer == CheckedBlock::Over;
        let answers = recorder.snapshot(|path| ended.iter().map(|end| one_more(path, &execution, *end)).collect::<Vec<_>>());
        for answer in answers {
            prop_assert!(answer == CheckedBlock::Differs(None) || is_over(answer), "{answer:?}");
        }
    }

    #[test]
    fn a_whole_recording_is_followed_block_by_block(execution in executions(), change in any::<prop::sample::Index>()) {
        prop_assume!(!execution.events.is_empty());
        let path = recorded(&execution, 64);
        prop_assert_eq!(followed(&path, &execution, None), vec![CheckedBlock::Recorded; execution.events.len()]);
        let change = change.index(execution.events.len());
        let mut expected = vec![CheckedBlock::Recorded; change];
        expected.push(CheckedBlock::Differs(Some(execution.events[change])));
        prop_assert_eq!(followed(&path, &execution, Some(change)), expected);
    }

    #[test]
    fn a_recording_that_was_cut_short_is_followed_to_its_last_block(execution in executions(), at in any::<prop::sample::Index>()) {
        prop_assume!(!execution.moments.is_empty());
        let moment = &execution.moments[at.index(execution.moments.len())];
        let mut recorder = execution.recorder();
        recorder.read(&execution.words[..moment.words]).unwrap();
        let answers = recorder.snapshot(|path| followed(path, &execution, None));
        let is_known = |event: &usize| !moment.open.contains(event);
        let last = (0..moment.events).rev().find(is_known);
        let expected = (0..last.map_or(0, |last| last + 1)).map(|event| match is_known(&event) {
            true => CheckedBlock::Recorded,
            false => CheckedBlock::Missing,
        });
        let mut expected: Vec<CheckedBlock> = expected.collect();
        // There may be no further block.
        expected.extend((expected.len() < execution.events.len()).then_some(CheckedBlock::Over));
        prop_assert_eq!(answers, expected);
    }
}
