//! Specializations of a loop: a trace, or a loop for each of its states.
//!
//! In: what [`choose`](super::choose) or chance has chosen. Out: a [`Formed`] body, once: [`Specialized`] keeps it from weighing
//! to compiling.
//! Invariant: a specialization and a body say all that forming depends on.

use super::form::{Formed, form};
use super::spec::{Declined, TraceShape, TraceSpec};
use super::split::{Split, split};
use holloway_lang::ir::{Block, Function};
use std::sync::Arc;

/// Form that a loop is wanted in.
#[derive(Clone, Debug, PartialEq)]
pub enum Specialization {
    /// Straight copies of paths, of that shape.
    Trace(TraceSpec, TraceShape),
    /// A loop for each state.
    Split(Split),
}

impl Specialization {
    /// The header of the loop.
    pub fn header(&self) -> Block {
        match self {
            Specialization::Trace(spec, _) => spec.header,
            Specialization::Split(split) => split.header,
        }
    }

    /// Forms it.
    pub fn form(&self, body: &Function) -> Result<Formed, Declined> {
        match self {
            Specialization::Trace(spec, shape) => form(body, spec, *shape),
            Specialization::Split(wanted) => split(body, wanted),
        }
    }
}

/// A specialization with the body that was formed of it.
#[derive(Clone, Debug)]
pub struct Specialized {
    /// The body that it was formed on.
    pub of: Arc<Function>,
    /// The specialization.
    pub specialization: Specialization,
    /// The body.
    pub formed: Arc<Formed>,
}

impl Specialized {
    /// Forms a specialization.
    pub fn form(of: &Arc<Function>, specialization: Specialization) -> Result<Specialized, Declined> {
        let formed = Arc::new(specialization.form(of)?);
        Ok(Specialized { of: Arc::clone(of), specialization, formed })
    }
}
