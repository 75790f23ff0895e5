//! Executions with addresses are the recorded ones.
//!
//! In: programs, and paths as they may have been recorded. Out: the same activations; or an error that names the difference.

use super::programs::TestProgram;
use crate::common::programs::{FAILURES, seeds};
use cranelift_entity::EntityRef;
use holloway_generator::{Size, program};
use holloway_interp::{Observer, TraceEvent, TraceRecorder};
use holloway_lang::ir::{Block, FuncRef};
use holloway_study::trace::execution::{ExecutionError, RecordedPath, execute};

/// Records the blocks of a run with their functions.
#[derive(Default)]
struct Blocks(Vec<(FuncRef, Block)>);

impl Observer for Blocks {
    fn block(&mut self, func: FuncRef, block: Block) {
        self.0.push((func, block));
    }
}

fn recorded(program: &TestProgram) -> Vec<(FuncRef, Block)> {
    program.watch(Blocks::default()).0
}

#[test]
fn activations_follow_the_interpreters_trace() {
    let sources = seeds(7).map(|seed| program(seed, Size::Small)).chain([FAILURES.to_owned()]);
    for source in sources {
        let program = TestProgram::new(&source);
        let blocks = recorded(&program);
        let run = execute(&mut program.runtime(""), Some(RecordedPath::Blocks(&mut blocks.iter().copied())))
            .expect("it is the same");
        assert_eq!(run.blocks, blocks.len() as u64);
        // The open activations, each with its steps so far.
        let (mut open, mut next) = (Vec::new(), 0);
        let mut steps = 0;
        for event in program.watch(TraceRecorder::default()).events {
            match event {
                TraceEvent::Enter(func) => {
                    let id = holloway_profiler::wpp::slice::ActivationId::new(next);
                    assert_eq!(run.execution.activations[id].procedure.index(), func.index());
                    open.push((id, 0_u64));
                    next += 1;
                }
                TraceEvent::Block(block) => {
                    let (id, time) = open.last_mut().expect("an activation is open");
                    *time += 1;
                    let found = run.execution.trace_of(*id).block_at(*time, 0);
                    assert_eq!(found.map(|node| node.index()), Some(block.index()), "{source}");
                    steps += 1;
                }
                TraceEvent::Leave | TraceEvent::Abort => {
                    let (id, time) = open.pop().expect("an activation is open");
                    assert_eq!(run.execution.trace_of(id).len(), time);
                }
            }
        }
        assert_eq!((next, steps), (run.execution.activations.len(), run.blocks));
    }
}

#[test]
fn a_recording_that_ends_early_ends_the_execution() {
    let program = TestProgram::new("var n = 0\nwhile true { n += 1 }\n");
    let func = program.module().top_level[0];
    let body = program.module().function(func);
    let step = body.blocks.keys().nth(1).expect("there is a loop");
    let path = [(func, body.entry()), (func, step), (func, step), (func, step)];
    let path: Vec<_> = match recorded(&program)[..] {
        ref all if all.starts_with(&path) => path.to_vec(),
        ref all => all[..4].to_vec(),
    };
    let run = execute(&mut program.runtime(""), Some(RecordedPath::Blocks(&mut path.iter().copied())))
        .expect("it is the same");
    assert_eq!((run.blocks, run.execution.activations.len()), (4, 1));
}

#[test]
fn another_path_is_an_error_that_says_where() {
    let program = TestProgram::new("if input() == \"a\" { print(1) } else { print(2) }\n");
    let mut other = program.runtime("b\n");
    let path = recorded_with(&program, "a\n");
    let error = execute(&mut other, Some(RecordedPath::Blocks(&mut path.iter().copied())))
        .expect_err("another arm is executed");
    let ExecutionError::Differs { after, recorded, found } = error else { panic!("{error:?}") };
    assert_eq!(after, 1);
    assert!(recorded.is_some() && recorded != found);
    let longer: Vec<_> = path.iter().copied().chain(path.iter().copied()).collect();
    let error = execute(&mut program.runtime("a\n"), Some(RecordedPath::Blocks(&mut longer.iter().copied())))
        .expect_err("it ends");
    assert!(matches!(error, ExecutionError::Differs { found: None, .. }), "{error:?}");
}

/// The path of an execution with other input.
fn recorded_with(program: &TestProgram, input: &str) -> Vec<(FuncRef, Block)> {
    let run = program.execution(input);
    let (id, activation) = run.execution.activations.iter().next().expect("it ran");
    let func = FuncRef::new(activation.procedure.index());
    let graph = run.execution.trace_of(id);
    (1..=graph.len()).map(|time| (func, Block::new(graph.block_at(time, 0).expect("a step").index()))).collect()
}
