//! Evaluation of a scheme on the lab's procedures.
//!
//! In: a [`Lab`]. Out: its [`LabResult`].
//!
//! Invariant: every result has edge counts, and beside them the findings of its scheme alone.

use super::error::LabError;
use super::input::Lab;
use super::procedure::Program;
use super::result::LabResult;
use super::scheme::LabScheme;
use super::trace::{Calls, Step, follow};
use super::{contexts, edges, interprocedural, registered};

/// Runs the scheme of `lab` on its traces.
pub fn evaluate(lab: &Lab) -> Result<LabResult, LabError> {
    let program = Program::new(lab)?;
    let calls = match &lab.scheme {
        LabScheme::Registered(_) | LabScheme::Context => Calls::MayBeLeftOut,
        LabScheme::Interprocedural { .. } => Calls::AreFollowed,
    };
    let traces = lab.traces.iter().enumerate().map(|(index, trace)| follow(&program, calls, index, trace));
    let traces: Vec<Vec<Step>> = traces.collect::<Result<_, _>>()?;
    let mut functions = edges::count_edges(&program, &traces);
    let across = match &lab.scheme {
        LabScheme::Registered(scheme) => {
            registered::evaluate(*scheme, &program, &traces, &mut functions)?;
            None
        }
        LabScheme::Context => {
            contexts::evaluate(&program, &traces, &mut functions)?;
            None
        }
        LabScheme::Interprocedural { base, cut, at_cut } => {
            Some(interprocedural::evaluate((*base, *at_cut), cut, &program, &traces, &mut functions)?)
        }
    };
    Ok(LabResult { scheme: lab.scheme.clone(), functions, across })
}
