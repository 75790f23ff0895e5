//! Data-flow facts limited to what was executed.
//!
//! In: a program with its execution, and a [`FactQuestion`]. Out: a [`FactAnswer`]: how often the fact held just before the line was executed,
//! the number of queries that this took [ZG01 4.2], and for people the lines that made it hold.
//!
//! - *load*: the value of a global, an element or a field was loaded by the same expression before, and nothing has stored to it or changed
//!   the expression's operands since. A store kills, even of the same value, as in [ZG01 Figure 9].
//! - *expression*: the same operation on the same operands was computed before, and none of them has changed since.
//! - *definition*: a definition of the variable was executed before; the answer's sources are the lines of those that reach.
//!
//! - *load in hand* ([`loads_in_hand`]): the loaded value is that of an earlier load or store of the same address, by any expression of any activation.
//!
//! [`query`] asks backward along the path traces, as the paper does, of an execution that is kept; [`query_forward`]
//! executes the run again and keeps what it has computed and set, so the run may be as long as it likes.
//!
//! The first two are asked from the beginning of the activation on; what its callees do counts. Stores to memory are compared by the addresses of
//! the execution, but a load within an address (`p.a` in `p.a[i]`) is killed by any store that may alias: then the answer is a
//! lower bound, and not `is_exact`.

mod answer;
mod by_address;
mod counted;
mod definitions;
mod effects;
mod forward;
mod hottest;
mod load_facts;
mod problem;

use super::facts::expressions::Expression;
use super::facts::place::SourceLine;
pub use answer::availability;
pub use answer::query;
pub use by_address::loads_in_hand;
pub use forward::query_forward;
use holloway_lang::source::Span;
pub use hottest::{HotFact, Optimized, hottest};
pub use load_facts::LoadFacts;

/// A data-flow fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A load of the line is redundant.
    Load,
    /// An operation of the line is redundant.
    Expression,
    /// A definition reaches the line.
    Definition,
}

impl Fact {
    /// Returns whether an expression is one that the fact may be about. A definition is about none.
    pub(super) fn is_of(self, expression: &Expression) -> bool {
        match self {
            Fact::Load => expression.is_load(),
            Fact::Expression => expression.is_operation(),
            Fact::Definition => false,
        }
    }
}

/// A question for a fact.
#[derive(Clone, Copy, Debug)]
pub struct FactQuestion<'a> {
    /// The fact.
    pub fact: Fact,
    /// The line.
    pub at: SourceLine,
    /// The variable.
    pub variable: Option<&'a str>,
}

/// The answer to a question for a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactAnswer {
    /// Number of executions at which the fact was asked for.
    pub executions: u64,
    /// Number of those at which it held.
    pub holds: u64,
    /// Number of queries that were issued.
    pub queries: u64,
    /// The lines of the activation that made it hold, each with how often they did.
    pub sources: Vec<(SourceLine, u64)>,
    /// True if addresses decided on every store.
    pub is_exact: bool,
    /// The loads or operations of the line, in the order of the source; none of a definition.
    pub parts: Vec<FactPart>,
}

/// One load or operation of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactPart {
    /// Its source.
    pub span: Span,
    /// Number of its executions.
    pub executions: u64,
    /// Number of those at which the fact held.
    pub holds: u64,
}
