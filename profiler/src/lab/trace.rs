//! Conversion of traces to steps.
//!
//! In: a trace of names. Out: [`Step`]s, each of the innermost live activation.
//!
//! A step is the first of these that applies: an edge within the procedure; from a call block to the callee's entry;
//! from the callee's exit to the return site, which takes the caller's edge from the call block there. So a trace may
//! leave out the callee's blocks, unless calls are followed.
//!
//! Invariant: every [`Step::Enter`] has its return or abort; activations that a trace leaves live are aborted,
//! innermost first.

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

/// Has the steps of a trace followed.
pub(super) fn run<F: Follower>(follower: &mut F, steps: &[Step]) {
    let mut stack: Vec<(ProcedureId, F::Activation)> = Vec::new();
    for &step in steps {
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

/// The steps of trace number `index`.
pub(super) fn follow(program: &Program, calls: Calls, index: usize, trace: &[String]) -> Result<Vec<Step>, LabError> {
    let (first, rest) = trace.split_first().ok_or(LabError::EmptyTrace(index))?;
    let start = program.block(first)?;
    if start != (program.main, program.procedures[program.main].graph.entry()) {
        return Err(LabError::WrongStart(first.clone()));
    }
    let mut steps = vec![Step::Enter(program.main)];
    let mut stack = vec![start];
    let mut before = first;
    for text in rest {
        let to = program.block(text)?;
        step(program, calls, &mut stack, to, &mut steps).map_err(|refused| match refused {
            Refused::NoEdge => LabError::NoEdge(before.clone(), text.clone()),
            Refused::Returned => LabError::AfterReturn(text.clone()),
            Refused::CallLeftOut => LabError::CallLeftOut(before.clone(), text.clone()),
        })?;
        before = text;
    }
    while let Some((procedure, at)) = stack.pop() {
        let returned = at == program.procedures[procedure].graph.exit();
        steps.push(if returned { Step::Return } else { Step::Abort(at) });
    }
    Ok(steps)
}

enum Refused {
    NoEdge,
    Returned,
    CallLeftOut,
}

fn step(
    program: &Program,
    calls: Calls,
    stack: &mut Vec<(ProcedureId, Node)>,
    to: (ProcedureId, Node),
    steps: &mut Vec<Step>,
) -> Result<(), Refused> {
    let &(procedure, at) = stack.last().expect("the first activation is under way");
    let named = &program.procedures[procedure];
    let call = named.calls.get(&at);
    if to.0 == procedure
        && (calls == Calls::MayBeLeftOut || call.is_none())
        && let Some(edge) = named.graph.find_edge(at, to.1)
    {
        steps.push(Step::Take(edge));
        stack.last_mut().expect("as above").1 = to.1;
        return Ok(());
    }
    if let Some(&(callee, site)) = call {
        if to != (callee, program.procedures[callee].graph.entry()) {
            return Err(if to == (procedure, site) { Refused::CallLeftOut } else { Refused::NoEdge });
        }
        steps.push(Step::Enter(callee));
        stack.push(to);
        return Ok(());
    }
    if at != named.graph.exit() {
        return Err(Refused::NoEdge);
    }
    let [.., (caller, call), _] = stack[..] else { return Err(Refused::Returned) };
    let (_, site) = program.procedures[caller].calls[&call];
    let edge =
        program.procedures[caller].graph.find_edge(call, site).expect("a call block has an edge to its return site");
    if to != (caller, site) {
        return Err(Refused::NoEdge);
    }
    steps.extend([Step::Return, Step::Take(edge)]);
    stack.pop();
    stack.last_mut().expect("the caller is under way").1 = site;
    Ok(())
}
