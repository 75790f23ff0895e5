//! Files: what is read is what was written, and one function is read alone.

use std::io::Cursor;

use holloway_profiler::event::FunctionId;
use holloway_profiler::wpp::{Effort, SourceText, TwppFile, stages, write};
use proptest::prelude::*;

use super::execution::{NaiveTrace, executions};
use super::record::{events, recorded};
use crate::common::tally;

proptest! {
    #[test]
    fn a_file_holds_the_whole_path(execution in executions(), fast in any::<bool>()) {
        let mut path = recorded(&execution, 64);
        path.program.sources.push(SourceText { name: "a.hw".into(), text: "fn main() {}\n".into() });
        path.program.arguments.push("7".into());
        path.program.inputs = vec![1, 2, 255];
        let mut bytes = Vec::new();
        let blocks = write(&path, if fast { Effort::Fast } else { Effort::Best }, &mut bytes).unwrap();
        let mut file = TwppFile::open(Cursor::new(&bytes)).unwrap();
        prop_assert_eq!((file.is_complete(), file.events(), file.len()), (true, blocks, bytes.len() as u64));
        prop_assert_eq!(blocks, path.events());
        let whole = file.whole().unwrap();
        prop_assert_eq!(&whole.program, &path.program);
        prop_assert_eq!(events(&whole), execution.events.clone());
        prop_assert_eq!(stages(&whole), stages(&path));
        let naive = tally(execution.traces.clone());
        for entry in file.functions().to_vec() {
            let index = entry.function.as_u32() as usize;
            let extracted = file.extract(entry.function).unwrap();
            prop_assert!(extracted.is_sorted_by(|a, b| a.calls >= b.calls));
            prop_assert_eq!(extracted.len(), naive.keys().filter(|trace| trace.function == index).count());
            for trace in extracted {
                let key = NaiveTrace { function: index, blocks: trace.blocks };
                prop_assert_eq!(naive.get(&key), Some(&trace.calls));
            }
        }
    }
}

#[test]
fn stages_add_up() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = executions();
    for _ in 0..20 {
        let execution = proptest::strategy::Strategy::new_tree(&strategy, &mut runner).unwrap();
        let execution = proptest::strategy::ValueTree::current(&execution);
        let path = recorded(&execution, 64);
        let (sizes, functions) = stages(&path);
        assert_eq!(sizes.raw, 4 * execution.events.len() as u64);
        assert_eq!(sizes.calls_raw, 4 * execution.traces.len() as u64);
        assert_eq!(functions.iter().map(|sizes| sizes.calls).sum::<u64>(), execution.traces.len() as u64);
        assert_eq!(sizes.unique, 4 * functions.iter().map(|sizes| sizes.blocks).sum::<u64>());
    }
}

#[test]
fn a_function_that_was_not_called_is_not_there() {
    let path = holloway_profiler::wpp::WholePath::default();
    let mut bytes = Vec::new();
    write(&path, Effort::Best, &mut bytes).unwrap();
    let mut file = TwppFile::open(Cursor::new(bytes)).unwrap();
    assert!(file.is_empty() && file.find("main").unwrap().is_none());
    assert!(file.extract(FunctionId::from_u32(0)).is_err());
}
