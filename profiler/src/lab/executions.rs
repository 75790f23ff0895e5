//! The executions that a scheme is evaluated on.
//!
//! In: the traces of a [`Lab`](super::input::Lab), and a stream of blocks. Out: their [`Step`]s, as often as they are asked for.
//!
//! Traces in names are converted once. A stream is read anew each time: the blocks of a long run of a program do not fit memory.
//! Invariant: nothing of a stream is kept here but its activations under way. A scheme keeps what it finds: paths and counts, and `tfp` a finding of
//! each window, which grows with the stream.

use super::error::LabError;
use super::input::{BlockEvent, BlockStream};
use super::procedure::Program;
use super::trace::{Activations, Calls, Follower, Step, Walk};
use crate::settings::lab::PATH_LIST_MAX;

/// Every execution.
pub(super) struct Executions<'a> {
    program: &'a Program,
    calls: Calls,
    named: Vec<Vec<Step>>,
    stream: Option<&'a dyn BlockStream>,
}

/// One execution.
pub(super) enum Execution<'a> {
    /// Its steps.
    Named(&'a [Step]),
    /// The stream that has its blocks.
    Streamed(&'a Program, Calls, &'a dyn BlockStream),
}

impl<'a> Executions<'a> {
    /// Converts the traces in names.
    pub(super) fn new(
        program: &'a Program,
        calls: Calls,
        traces: &[Vec<String>],
        stream: Option<&'a dyn BlockStream>,
    ) -> Result<Executions<'a>, LabError> {
        let steps = |(index, trace): (usize, &Vec<String>)| {
            let mut steps = Vec::new();
            let mut walk = Walk::new(program, calls);
            for block in trace {
                walk.go(program.block(block)?, &mut |step| steps.push(step))?;
            }
            if walk.end(&mut |step| steps.push(step)) { Ok(steps) } else { Err(LabError::EmptyTrace(index)) }
        };
        let named = traces.iter().enumerate().map(steps).collect::<Result<_, _>>()?;
        Ok(Executions { program, calls, named, stream })
    }

    /// Returns whether the graphs are those of a whole program: then a procedure that a scheme refuses does not hold up the others.
    pub(super) fn are_of_a_program(&self) -> bool {
        self.stream.is_some()
    }

    /// Most static paths of a procedure that are listed: none of a program, as those of all its procedures do not fit memory.
    pub(super) fn path_list_max(&self) -> u64 {
        if self.are_of_a_program() { 0 } else { PATH_LIST_MAX }
    }

    /// Each execution by itself.
    pub(super) fn each(&self) -> impl Iterator<Item = Execution<'_>> {
        let streamed = |stream: &'a dyn BlockStream| Execution::Streamed(self.program, self.calls, stream);
        self.named.iter().map(|steps| Execution::Named(steps)).chain(self.stream.map(streamed))
    }

    /// Has all of them followed.
    pub(super) fn follow<F: Follower>(&self, follower: &mut F) -> Result<(), LabError> {
        let mut activations = Activations::new(follower);
        self.each().try_for_each(|execution| execution.steps(&mut |step| activations.step(step)))
    }
}

impl Execution<'_> {
    /// Gives its steps to `each`.
    pub(super) fn steps(&self, each: &mut dyn FnMut(Step)) -> Result<(), LabError> {
        match *self {
            Execution::Named(steps) => {
                steps.iter().for_each(|&step| each(step));
                Ok(())
            }
            Execution::Streamed(program, calls, stream) => {
                let mut walk = Walk::new(program, calls);
                stream.read(program.blocks(), &mut |event| match event {
                    BlockEvent::Block(number) => walk.go(program.numbered(number)?, each),
                    BlockEvent::Cut => walk.cut(each),
                })?;
                if walk.end(each) { Ok(()) } else { Err(LabError::EmptyStream) }
            }
        }
    }
}
