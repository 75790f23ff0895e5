//! Specializations of a loop: its traces, in a shape, with the body that was formed of them.
//!
//! In: what [`choose`](super::choose), advice or chance has chosen. Out: a [`Formed`] body, formed once, from weighing to
//! compiling.
//! Invariant: spec, shape and body say all that forming depends on; what was formed of another body is not used.

use super::form::{Formed, form};
use super::spec::{Declined, TraceShape, TraceSpec};
use holloway_lang::ir::Function;
use std::sync::Arc;

/// Traces of one loop.
#[derive(Clone)]
pub struct Specialization {
    /// The traces.
    pub spec: TraceSpec,
    /// Shape of their code.
    pub shape: TraceShape,
    /// The body that they were formed on, and what came of it.
    formed: Option<(Arc<Function>, Arc<Formed>)>,
}

impl Specialization {
    /// Traces that are not formed yet.
    pub fn new(spec: TraceSpec, shape: TraceShape) -> Specialization {
        Specialization { spec, shape, formed: None }
    }

    /// Forms them on a body and keeps that.
    pub fn formed_on(self, body: &Arc<Function>) -> Result<Specialization, Declined> {
        let formed = Arc::new(form(body, &self.spec, self.shape)?);
        Ok(Specialization { formed: Some((Arc::clone(body), formed)), ..self })
    }

    /// The body that was formed of this very one.
    pub fn formed_of(&self, body: &Function) -> Option<&Arc<Formed>> {
        self.formed.as_ref().filter(|(of, _)| std::ptr::eq(&**of, body)).map(|(_, formed)| formed)
    }

    /// The body that was formed, with the one it was made from.
    pub fn formed(&self) -> Option<(&Arc<Function>, &Arc<Formed>)> {
        self.formed.as_ref().map(|(of, formed)| (of, formed))
    }
}

/// Two are equal if their traces and shapes are: nothing is decided by the body that was formed.
impl PartialEq for Specialization {
    fn eq(&self, other: &Specialization) -> bool {
        (&self.spec, self.shape) == (&other.spec, other.shape)
    }
}

impl std::fmt::Debug for Specialization {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Specialization").field("spec", &self.spec).field("shape", &self.shape).finish_non_exhaustive()
    }
}
