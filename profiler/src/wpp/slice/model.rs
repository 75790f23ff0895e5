//! The program and the execution that are sliced, as whoever knows the language gives them.
//!
//! In: from outside. Out: procedures with statements, each with the locations that it defines and uses; the execution as
//! activations along path traces; and for memory the cell of each access.
//!
//! Invariants, which the giver keeps:
//! - activations are numbered in the order in which they were entered, so a caller's number is less than its callees';
//! - the last statement of a block with several normal successors is the branch;
//! - a statement uses its locations before the activations that it calls begin, except [`Location::Result`], and defines what
//!   it defines after they have ended, except [`Location::Argument`].

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::graph::{Graph, Node};
use crate::wpp::dynamic_graph::DynamicGraph;

/// A procedure of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(u32);
entity_impl!(ProcedureId, "procedure");

/// One execution of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivationId(u32);
entity_impl!(ActivationId, "activation");

/// A path trace that one or more activations followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(u32);
entity_impl!(TraceId, "trace");

/// A variable of one activation, parameters included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "local");

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A set of memory cells that covers whatever an access may touch, and is disjoint from the others: the elements of arrays of one
/// type, a field of a record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellClass(u32);
entity_impl!(CellClass, "cells");

/// A statement of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The block.
    pub block: Node,
    /// The number of statements before it in the block.
    pub index: u32,
}

/// A place that holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A variable of the activation.
    Local(LocalId),
    /// A variable of the program.
    Global(GlobalId),
    /// A cell of memory. Which one depends on the execution: see [`Cells`].
    Cell {
        /// The cells that it may be.
        class: CellClass,
        /// Distinguishes the cells that one statement accesses.
        operand: u32,
    },
    /// Defined by a call: the value of the callee's parameter with this number.
    Argument(u32),
    /// Used by a call: the value that the last activation called by this statement returned.
    Result,
    /// Defined by a return.
    Returned,
}

/// An assignment that a statement makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The location that it sets.
    pub target: Location,
    /// The locations on which the value depends, among them those that select the target: an array and an index.
    pub uses: Vec<Location>,
}

/// A statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// Its assignments; no two set the same location.
    pub definitions: Vec<Definition>,
    /// The locations on which a decision depends that it makes: the outcome of a branch, the procedure that an indirect call
    /// enters, whether it fails.
    pub decides_on: Vec<Location>,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its control-flow graph.
    pub graph: Graph,
    /// The statements of its blocks.
    pub blocks: SecondaryMap<Node, Vec<Statement>>,
    /// The locals that hold its parameters on entry.
    pub parameters: Vec<LocalId>,
}

/// A position in an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The timestamp, from 1.
    pub time: u64,
    /// The block: the number of blocks before it in its dynamic basic block. It is 0 if timestamps count blocks.
    pub offset: u32,
    /// The statement: the number of statements before it in the block.
    pub statement: u32,
}

/// One execution of a procedure.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The path that it followed.
    pub trace: TraceId,
    /// The activation and the statement that called it; `None` if the host did.
    pub caller: Option<(ActivationId, Point)>,
    /// The statements that failed in it, in order. A block is left behind the failing statement, which makes no definition but
    /// those of arguments.
    pub failures: Vec<Point>,
}

/// A program and one execution of it.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The program.
    pub procedures: PrimaryMap<ProcedureId, Procedure>,
    /// The path traces, each of one procedure.
    pub traces: PrimaryMap<TraceId, DynamicGraph>,
    /// The activations in the order in which they were entered.
    pub activations: PrimaryMap<ActivationId, Activation>,
}

/// Execution of a statement in an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// The activation.
    pub activation: ActivationId,
    /// The block; it follows from the point.
    pub block: Node,
    /// The position.
    pub point: Point,
}

/// The memory cells that an execution accessed.
pub trait Cells {
    /// The cell that is operand `operand` of a statement's execution, as a number that no other cell has during the execution.
    /// `None` if there is none, as in a statement that failed.
    fn cell(&self, instance: Instance, operand: u32) -> Option<u64>;

    /// The cells that operand `operand` of a statement's execution reads: several if it reads many elements at once.
    fn cells(&self, instance: Instance, operand: u32) -> Vec<u64> {
        self.cell(instance, operand).into_iter().collect()
    }
}

/// Cells of an execution without any.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCells;

impl Cells for NoCells {
    fn cell(&self, _: Instance, _: u32) -> Option<u64> {
        None
    }
}

impl Point {
    /// A position where timestamps count blocks.
    pub fn at(time: u64, statement: u32) -> Point {
        Point { time, offset: 0, statement }
    }
}

impl Execution {
    /// The path trace of an activation.
    pub fn trace_of(&self, activation: ActivationId) -> &DynamicGraph {
        &self.traces[self.activations[activation].trace]
    }

    /// The procedure of an activation.
    pub fn procedure_of(&self, activation: ActivationId) -> &Procedure {
        &self.procedures[self.activations[activation].procedure]
    }

    /// The statement of an instance.
    pub fn statement_of(&self, instance: Instance) -> StatementId {
        let procedure = self.activations[instance.activation].procedure;
        StatementId { procedure, block: instance.block, index: instance.point.statement }
    }

    /// The instance at a point; `None` if no block is there.
    pub fn instance(&self, activation: ActivationId, point: Point) -> Option<Instance> {
        let block = self.trace_of(activation).block_at(point.time, point.offset)?;
        Some(Instance { activation, block, point })
    }
}

impl Activation {
    /// The failure in the block that is executed at the point's time and offset.
    fn failure_in_block(&self, point: Point) -> Option<Point> {
        let from = self.failures.partition_point(|failure| (failure.time, failure.offset) < (point.time, point.offset));
        self.failures.get(from).copied().filter(|failure| (failure.time, failure.offset) == (point.time, point.offset))
    }

    /// Returns whether the statement at `point` was executed and did not fail.
    pub(super) fn completes(&self, point: Point) -> bool {
        self.failure_in_block(point).is_none_or(|failure| point.statement < failure.statement)
    }

    /// Returns whether the statement at `point` was executed.
    pub(super) fn reaches(&self, point: Point) -> bool {
        self.failure_in_block(point).is_none_or(|failure| point.statement <= failure.statement)
    }
}
