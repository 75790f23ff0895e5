//! Dynamic slices: the statements that had an effect on a value.
//!
//! In: an [`Execution`] over timestamp-annotated dynamic control-flow graphs, its [`Cells`], and a [`Criterion`]. Out: a [`Slice`]: the
//! statements, and for each the dependences that brought it in.
//!
//! `[AH90]` H. Agrawal, J. R. Horgan, "Dynamic program slicing", PLDI 1990.
//! `[ZG01]` section 4.3.2 computes their three slices from one representation, on demand.
//!
//! A slice is the transitive closure of two dependences. *Data*: a use depends on the definition that set the location last; a
//! parameter on the call, the result of a call on the return. *Control*: a statement depends on the nearest earlier branch that
//! decided on its block, by post-dominance on the edges without failures where there are others; in a handler, on the statement that
//! failed, in the innermost activation; otherwise on the call. The approaches differ in what they tell apart:
//! 1. [`Approach::Nodes`]: dependences of the program text, between statements that were executed;
//! 2. [`Approach::Edges`]: dependences that were exercised, between statements;
//! 3. [`Approach::Instances`]: dependences that were exercised, between executions of statements.
//!
//! Each slice is a subset of the one before. The statement of the criterion and its control dependence are not in it unless
//! a dependence leads there.
//!
//! Invariant: dependences are computed when a slice first needs them. Those between statements are kept for later slices: the dynamic dependence
//! graph grows with the requests [ZG01 4.3.2]. Those between executions are not: they would take far more memory than the execution.
//!
//! Approximation: approach 1 takes every definition of a global, or of a cell of the same class, for one that may reach a use.

mod closure;
mod control;
mod dependence;
mod edges;
mod executed;
pub mod forward;
mod instances;
mod locals;
mod model;
mod nodes;
mod order;
mod ways_on;

use std::collections::{BTreeMap, BTreeSet};

use dependence::{Dependence, Part};
use executed::Executed;
use locals::Sites;
use order::{CallTree, Stores, class_of};

pub use model::{
    Activation, ActivationId, CellClass, Cells, Definition, Execution, GlobalId, Instance, LocalId, Location, NoCells,
    Point, Procedure, ProcedureId, Statement, StatementId, TraceId,
};

/// An algorithm of [AH90].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Approach {
    /// Approach 1: marks the executed nodes of the program dependence graph.
    Nodes,
    /// Approach 2: marks its executed edges.
    Edges,
    /// Approach 3: tells the executions of a node apart.
    Instances,
}

/// A value that is asked about: that of a location just before a statement is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// The activation.
    pub activation: ActivationId,
    /// The position of the statement in it.
    pub point: Point,
    /// A local, a global, or a cell that the statement at that position accesses.
    pub location: Location,
}

/// A dependence by which a statement is in a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It sets a location that is used.
    Data {
        /// The location, in the terms of the user.
        location: Location,
        /// The statement that uses it; `None` for the criterion.
        user: Option<StatementId>,
    },
    /// It decides on a statement of the slice: as a branch, a call or a failure.
    Control {
        /// The statement.
        of: StatementId,
    },
}

/// The statements on which a value depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// The statements, each with the dependences by which it is in.
    pub statements: BTreeMap<StatementId, BTreeSet<Reason>>,
    /// Locations that no statement of the execution set, with their users: values from before it.
    pub unset: BTreeSet<(Location, Option<StatementId>)>,
    /// Number of queries <T, n>_V that were asked; those with a cached answer are not among them.
    pub queries: u64,
    /// Most parts of executions that were known and not yet asked for their dependences at one time: what approach 3 has in memory.
    pub most_pending: usize,
}

/// The dependences of one execution, as far as slices have asked for them.
#[derive(Clone, Debug)]
pub struct Slicer<'e, C> {
    execution: &'e Execution,
    cells: &'e C,
    sites: Sites,
    tree: CallTree,
    executed: Executed,
    stores: BTreeMap<Location, Stores>,
    edges: BTreeMap<(StatementId, Part), Vec<Dependence<StatementId>>>,
    nodes: BTreeMap<(StatementId, Part), Vec<Dependence<StatementId>>>,
    queries: u64,
}

impl<'e, C: Cells> Slicer<'e, C> {
    /// A slicer of an execution, with nothing computed but tables of the program text and of the calls.
    pub fn new(execution: &'e Execution, cells: &'e C) -> Slicer<'e, C> {
        let tree = CallTree::new(execution);
        Slicer {
            execution,
            cells,
            sites: Sites::new(execution),
            executed: Executed::new(execution, &tree),
            tree,
            stores: BTreeMap::new(),
            edges: BTreeMap::new(),
            nodes: BTreeMap::new(),
            queries: 0,
        }
    }

    /// The slice of a value. `None` if the criterion's point is not in the execution.
    pub fn slice(&mut self, criterion: Criterion, approach: Approach) -> Option<Slice> {
        let asked_before = self.queries;
        let execution = self.execution;
        let instance = execution.instance(criterion.activation, criterion.point)?;
        let statement = execution.statement_of(instance);
        let mut slice = match approach {
            Approach::Nodes => {
                let first = self.node_data(statement, criterion.location);
                self.close(first, Self::node_sources)
            }
            Approach::Edges => {
                let first = self.instance_data(instance, criterion.location);
                let first = first.into_iter().map(|source| self.of_statements(source)).collect();
                self.close(first, Self::edge_sources)
            }
            Approach::Instances => {
                let first = self.instance_data(instance, criterion.location);
                self.close_backward(first)
            }
        };
        slice.queries = self.queries - asked_before;
        Some(slice)
    }

    /// The definitions of a global, or of the cells of a class.
    fn stores(&mut self, location: Location) -> &Stores {
        let (execution, cells, tree) = (self.execution, self.cells, &self.tree);
        let class = class_of(location);
        self.stores.entry(class).or_insert_with(|| Stores::new(execution, cells, tree, class))
    }
}
