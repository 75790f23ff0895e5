//! Conversion of traces to steps.
//!
//! In: the blocks of a trace. Out: [`Step`]s, each of the innermost live activation.
//!
//! A step is the first of these that applies: an edge within the procedure; from a call block to the callee's entry;
//! from the callee's exit to the return site, which takes the caller's edge from the call block there. So a trace may
//! leave out the callee's blocks, unless calls are followed. Behind a callee that was cut its caller goes on at the return site.
//!
//! Invariant: every [`Step::Enter`] has its return or abort; activations that a trace leaves live are aborted,
//! innermost first. So a [`Step::Enter`] without an activation under way starts the next trace.

use super::error::LabError;
use super::procedure::Program;
use crate::graph::{EdgeId, Node};
use crate::supergraph::ProcedureId;

/// One step of the innermost activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A new activation starts.
    Enter(ProcedureId),
    /// It takes an edge.
    Take(EdgeId),
    /// It returned: it is at the exit.
    Return,
    /// It ends in the middle of a block.
    Abort(Node),
}

/// Follows the activations of traces, each with a state of its own.
pub(super) trait Follower {
    /// The state of an activation.
    type Activation;
    /// A new activation starts.
    fn enter(&mut self, procedure: ProcedureId) -> Self::Activation;
    /// It takes an edge.
    fn take(&mut self, procedure: ProcedureId, activation: &mut Self::Activation, edge: EdgeId);
    /// It returns.
    fn leave(&mut self, procedure: ProcedureId, activation: Self::Activation);
    /// It ends in the middle of a block.
    fn abort(&mut self, procedure: ProcedureId, activation: Self::Activation, block: Node);
}

/// Follows the activations of traces with a follower.
pub(super) struct Activations<'a, F: Follower> {
    follower: &'a mut F,
    stack: Vec<(ProcedureId, F::Activation)>,
}

impl<'a, F: Follower> Activations<'a, F> {
    /// None is under way.
    pub(super) fn new(follower: &'a mut F) -> Activations<'a, F> {
        Activations { follower, stack: Vec::new() }
    }

    /// The innermost activation takes a step.
    pub(super) fn step(&mut self, step: Step) {
        let (follower, stack) = (&mut *self.follower, &mut self.stack);
        match (step, stack.last_mut()) {
            (Step::Enter(procedure), _) => stack.push((procedure, follower.enter(procedure))),
            (Step::Take(edge), Some((procedure, activation))) => follower.take(*procedure, activation, edge),
            (Step::Return | Step::Abort(_), Some(_)) => {
                let (procedure, activation) = stack.pop().expect("there is one");
                match step {
                    Step::Abort(block) => follower.abort(procedure, activation, block),
                    Step::Enter(_) | Step::Take(_) | Step::Return => follower.leave(procedure, activation),
                }
            }
            (Step::Take(_) | Step::Return | Step::Abort(_), None) => panic!("a step belongs to an activation"),
        }
    }
}

/// The treatment of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// A trace may pass from a call block to the return site.
    MayBeLeftOut,
    /// A call block leads to the callee only.
    AreFollowed,
}

/// A trace under way.
pub(super) struct Walk<'a> {
    program: &'a Program,
    calls: Calls,
    stack: Vec<(ProcedureId, Node)>,
    /// Set if the last activation was cut, so that its caller goes on behind the call.
    is_cut: bool,
}

impl<'a> Walk<'a> {
    /// Starts before the first block.
    pub(super) fn new(program: &'a Program, calls: Calls) -> Walk<'a> {
        Walk { program, calls, stack: Vec::new(), is_cut: false }
    }

    /// Goes to the next block.
    pub(super) fn go(&mut self, to: (ProcedureId, Node), each: &mut dyn FnMut(Step)) -> Result<(), LabError> {
        let program = self.program;
        let Some(&before) = self.stack.last() else {
            if to != (program.main, program.procedures[program.main].graph.entry()) {
                return Err(LabError::WrongStart(program.in_traces(to)));
            }
            self.stack.push(to);
            each(Step::Enter(program.main));
            return Ok(());
        };
        self.step(before, to, each).map_err(|refused| match refused {
            Refused::NoEdge => LabError::NoEdge(program.in_traces(before), program.in_traces(to)),
            Refused::Returned => LabError::AfterReturn(program.in_traces(to)),
            Refused::CallLeftOut => LabError::CallLeftOut(program.in_traces(before), program.in_traces(to)),
        })?;
        self.is_cut = false;
        Ok(())
    }

    /// Cuts the innermost activation.
    pub(super) fn cut(&mut self, each: &mut dyn FnMut(Step)) -> Result<(), LabError> {
        let at = self.stack.pop().ok_or(LabError::CutBeforeStart)?;
        if self.stack.is_empty() {
            return Err(LabError::CutMain(self.program.in_traces(at)));
        }
        self.is_cut = true;
        each(Step::Abort(at.1));
        Ok(())
    }

    /// Ends the trace; false if it had no block.
    pub(super) fn end(mut self, each: &mut dyn FnMut(Step)) -> bool {
        let started = !self.stack.is_empty();
        while let Some((procedure, at)) = self.stack.pop() {
            let returned = at == self.program.procedures[procedure].graph.exit();
            each(if returned { Step::Return } else { Step::Abort(at) });
        }
        started
    }

    fn step(
        &mut self,
        (procedure, at): (ProcedureId, Node),
        to: (ProcedureId, Node),
        each: &mut dyn FnMut(Step),
    ) -> Result<(), Refused> {
        let procedures = &self.program.procedures;
        let named = &procedures[procedure];
        let call = named.call(at);
        if to.0 == procedure
            && (self.calls == Calls::MayBeLeftOut || self.is_cut || call.is_none())
            && let Some(edge) = named.edge_to(at, to.1)
        {
            each(Step::Take(edge));
            self.move_to(named.graph.edge(edge).to);
            return Ok(());
        }
        if let Some((callee, site)) = call {
            if to != (callee, procedures[callee].graph.entry()) {
                return Err(if to == (procedure, site) { Refused::CallLeftOut } else { Refused::NoEdge });
            }
            each(Step::Enter(callee));
            self.stack.push(to);
            return Ok(());
        }
        if at != named.graph.exit() {
            return Err(Refused::NoEdge);
        }
        let [.., (caller, call), _] = self.stack[..] else { return Err(Refused::Returned) };
        let around = &procedures[caller];
        let (_, site) = around.call(call).expect("it has called");
        let edge = around.edge_to(call, site).expect("a call block has an edge to its return site");
        if to != (caller, site) {
            return Err(Refused::NoEdge);
        }
        each(Step::Return);
        each(Step::Take(edge));
        self.stack.pop();
        self.move_to(around.graph.edge(edge).to);
        Ok(())
    }

    fn move_to(&mut self, block: Node) {
        self.stack.last_mut().expect("an activation is under way").1 = block;
    }
}

enum Refused {
    NoEdge,
    Returned,
    CallLeftOut,
}
