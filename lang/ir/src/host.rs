//! Functions of the host, as the IR calls them.
//!
//! In: the number of a function, and the scalars of its operands and of its result. Out: an operation that every tier
//! carries out by one call of the runtime. Invariant: the operands fit the registers of a runtime call; a function with
//! more parameters gets them in a record.

use super::entity::HostRef;
use super::types::Scalar;

/// Operands that a call of the host takes.
pub const MOST_HOST_OPERANDS: usize = 4;

/// A call of a function of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostCall {
    /// The function.
    pub host: HostRef,
    params: [Option<Scalar>; MOST_HOST_OPERANDS],
    /// The scalar of the result, if it has one.
    pub result: Option<Scalar>,
}

impl HostCall {
    /// A call with such operands; none if there are too many.
    pub fn new(host: HostRef, params: &[Scalar], result: Option<Scalar>) -> Option<HostCall> {
        let mut all = [None; MOST_HOST_OPERANDS];
        for (at, param) in params.iter().enumerate() {
            *all.get_mut(at)? = Some(*param);
        }
        Some(HostCall { host, params: all, result })
    }

    /// The scalars of the operands.
    pub fn params(&self) -> Vec<Scalar> {
        self.params.iter().flatten().copied().collect()
    }
}

impl std::fmt::Display for HostCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let params: Vec<_> = self.params.iter().flatten().map(|scalar| scalar.name()).collect();
        write!(f, "{} ({})", self.host, params.join(", "))?;
        match self.result {
            Some(result) => write!(f, " -> {} ", result.name()),
            None => f.write_str(" "),
        }
    }
}
