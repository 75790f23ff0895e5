//! Evaluation of a scheme on the lab's procedures.
//!
//! In: a [`Lab`], and a stream of blocks beside its traces. Out: its [`LabResult`].
//!
//! Invariant: every result has edge counts, and beside them the findings of its scheme alone.

use super::error::LabError;
use super::executions::Executions;
use super::input::{BlockStream, Lab};
use super::procedure::Program;
use super::result::LabResult;
use super::scheme::LabScheme;
use super::trace::Calls;
use super::{calling_contexts, contexts, edges, interprocedural, path_traces, registered, unrolled};
use crate::graph::Graph;
use crate::scheme::NotProfiled;

/// Runs the scheme of `lab` on its traces.
pub fn evaluate(lab: &Lab) -> Result<LabResult, LabError> {
    evaluated(lab, None)
}

/// Runs the scheme of `lab` on its traces, and on one that is read as a stream.
pub fn evaluate_stream(lab: &Lab, stream: &dyn BlockStream) -> Result<LabResult, LabError> {
    evaluated(lab, Some(stream))
}

fn evaluated(lab: &Lab, stream: Option<&dyn BlockStream>) -> Result<LabResult, LabError> {
    let mut program = Program::new(lab)?;
    program.make_reducible(|graph| refuses_irreducible(&lab.scheme, graph));
    let calls = match &lab.scheme {
        LabScheme::Registered(_) | LabScheme::Mixed(..) | LabScheme::Unrolled(..) | LabScheme::Context => {
            Calls::MayBeLeftOut
        }
        LabScheme::CallingContexts | LabScheme::Interprocedural { .. } => Calls::AreFollowed,
    };
    let executions = Executions::new(&program, calls, &lab.traces, stream)?;
    let mut functions = edges::count_edges(&program, &executions)?;
    let mut contexts = Vec::new();
    let across = match &lab.scheme {
        LabScheme::Registered(scheme) => {
            registered::evaluate(*scheme, &program, &executions, &mut functions)?;
            if scheme.records_order() && stream.is_none() {
                path_traces::evaluate(&program, &executions, &mut functions)?;
            }
            None
        }
        LabScheme::Mixed(scheme, loops) => {
            let scheme = registered::with_loops(*scheme, &program, loops)?;
            registered::evaluate(scheme, &program, &executions, &mut functions)?;
            None
        }
        LabScheme::Unrolled(scheme, loops) => {
            let scheme = registered::with_loops(*scheme, &program, loops)?;
            unrolled::evaluate(scheme, &program, &executions, &mut functions)?;
            None
        }
        LabScheme::CallingContexts => {
            contexts = calling_contexts::evaluate(&program, &executions)?;
            None
        }
        LabScheme::Context => {
            contexts::evaluate(&program, &executions, &mut functions)?;
            None
        }
        LabScheme::Interprocedural { base, cut, at_cut } => {
            Some(interprocedural::evaluate((*base, *at_cut), cut, &program, &executions, &mut functions)?)
        }
    };
    Ok(LabResult { scheme: lab.scheme.clone(), functions, across, contexts })
}

/// Returns whether a scheme refuses a graph since a loop has several entries.
fn refuses_irreducible(scheme: &LabScheme, graph: &Graph) -> bool {
    match scheme {
        LabScheme::Registered(scheme) => {
            matches!(scheme.plan(graph.clone(), None), Some(Err(NotProfiled::Irreducible(_))))
        }
        LabScheme::Mixed(..) | LabScheme::Unrolled(..) | LabScheme::Context => true,
        LabScheme::CallingContexts | LabScheme::Interprocedural { .. } => false,
    }
}
