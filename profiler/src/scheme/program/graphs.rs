//! The functions of a program, as plans of whole programs know them.
//!
//! In: what a front end has. Out: plain data.

use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;

use crate::graph::{Call, Graph};
use crate::supergraph::ProcedureId;

/// The callee of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function.
    Known(ProcedureId),
    /// A function value of this signature.
    Value(u32),
}

/// One function.
#[derive(Clone, Debug)]
pub struct ProgramBody {
    /// Its name.
    pub name: String,
    /// The file that it is in.
    pub file: u32,
    /// Its signature: values of equal ones may be called alike.
    pub signature: u32,
    /// Its graph.
    pub graph: Graph,
    /// The callees of its calls.
    pub callees: HashMap<Call, Callee>,
    /// The functions whose values it takes.
    pub values: Vec<ProcedureId>,
}

/// The functions of a program.
#[derive(Clone, Debug)]
pub struct ProgramGraphs {
    /// Every function.
    pub bodies: PrimaryMap<ProcedureId, ProgramBody>,
    /// Those that are called from outside, in the order in which they are.
    pub entries: Vec<ProcedureId>,
    /// Set if no code has run that is not in the bodies, so that they take all function values there are.
    pub values_are_known: bool,
}

/// A call of a function.
pub type CallPlace = (ProcedureId, Call);

impl Callee {
    /// The function, if it is known.
    pub(super) fn known(self) -> Option<ProcedureId> {
        match self {
            Callee::Known(callee) => Some(callee),
            Callee::Value(_) => None,
        }
    }
}
