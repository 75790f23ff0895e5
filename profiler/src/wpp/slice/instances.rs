//! Dependences between executions of statements: the dynamic dependence graph, grown on demand.
//!
//! In: a part of an instance: one of its definitions, or its decision. Out: the parts of other instances on which it depends.
//!
//! A part is what depends on something: a call sets a parameter from one argument, and is not for this dependent on the others.
//!
//! Invariant: the dependences of a part ask one query a location, <[t], n>_V.

use super::Slicer;
use super::dependence::{Dependence, Part, uses};
use super::locals::left_edge;
use super::model::{ActivationId, Cells, Instance, Location, Point};
use super::order::cells_of;

impl<C: Cells> Slicer<'_, C> {
    /// The dependences of a part of an instance.
    pub(super) fn instance_sources(&mut self, instance: Instance, part: Part) -> Vec<Dependence<Instance>> {
        let execution = self.execution;
        let statement = &execution.procedure_of(instance.activation).blocks[instance.block];
        let statement = &statement[instance.point.statement as usize];
        let mut sources: Vec<Dependence<Instance>> =
            uses(statement, part).iter().flat_map(|&location| self.instance_data(instance, location)).collect();
        sources.extend(self.instance_control(instance).map(Dependence::Control));
        sources
    }

    /// The definition that set a location before an instance uses it; several if it reads many cells at once.
    pub(super) fn instance_data(&mut self, instance: Instance, location: Location) -> Vec<Dependence<Instance>> {
        self.queries += 1;
        let execution = self.execution;
        let found = match location {
            Location::Local(_) | Location::Returned | Location::Argument(_) => {
                let activation = instance.activation;
                let own = self.sites.latest_definition(execution, activation, location, instance.point);
                own.or_else(|| self.argument_of(instance, location))
            }
            Location::Global(_) | Location::Cell { .. } => {
                let cells = cells_of(self.cells, instance, location);
                let moment = self.tree.use_moment(execution, instance);
                let stores = self.stores(location);
                return cells.iter().map(|&cell| source_of(location, stores.last_before(cell, moment))).collect();
            }
            Location::Result => self.returned_to(instance),
        };
        vec![source_of(location, found)]
    }

    /// The failure that ended an activation.
    fn uncaught(&self, activation: ActivationId) -> Option<Point> {
        let &failure = self.execution.activations[activation].failures.last()?;
        left_edge(self.execution.trace_of(activation), failure).is_none().then_some(failure)
    }

    /// The definition by the call of the parameter that a local holds, as a dependence.
    pub(super) fn argument_source(&self, instance: Instance, location: Location) -> Dependence<Instance> {
        source_of(location, self.argument_of(instance, location))
    }

    /// The instance that decided that this one is executed; `None` for the statements of activations that the host called.
    pub(super) fn instance_control(&mut self, instance: Instance) -> Option<Instance> {
        self.queries += 1;
        let own = self.sites.decision(self.execution, instance);
        own.map(|decision| self.thrower(decision)).or_else(|| {
            let (caller, point) = self.execution.activations[instance.activation].caller?;
            self.execution.instance(caller, point)
        })
    }

    /// The innermost statement that failed, if a decision is the failure of a call; otherwise the decision.
    fn thrower(&self, decision: Instance) -> Instance {
        let execution = self.execution;
        let mut innermost = decision;
        while !execution.activations[innermost.activation].completes(innermost.point) {
            let callee = self.tree.callees(execution, innermost).next_back();
            let thrown = callee.and_then(|callee| execution.instance(callee, self.uncaught(callee)?));
            match thrown {
                Some(inner) => innermost = inner,
                None => break,
            }
        }
        innermost
    }

    /// The definition by the call of the parameter that a local holds.
    fn argument_of(&self, instance: Instance, location: Location) -> Option<(Instance, u32)> {
        let execution = self.execution;
        let Location::Local(local) = location else { return None };
        let parameters = &execution.procedure_of(instance.activation).parameters;
        let number = parameters.iter().position(|&parameter| parameter == local)? as u32;
        let (caller, point) = execution.activations[instance.activation].caller?;
        let call = execution.instance(caller, point)?;
        let statement = &execution.procedure_of(caller).blocks[call.block][point.statement as usize];
        let definition = statement.definitions.iter().position(|it| it.target == Location::Argument(number))?;
        Some((call, definition as u32))
    }

    /// The return of the last activation that an instance called.
    fn returned_to(&self, instance: Instance) -> Option<(Instance, u32)> {
        let callee = self.tree.callees(self.execution, instance).next_back()?;
        if self.uncaught(callee).is_some() {
            return None;
        }
        let end = Point { time: u64::MAX, offset: 0, statement: 0 };
        self.sites.latest_definition(self.execution, callee, Location::Returned, end)
    }
}

fn source_of(location: Location, found: Option<(Instance, u32)>) -> Dependence<Instance> {
    match found {
        Some((source, number)) => Dependence::Data(location, source, Part::Definition(number)),
        None => Dependence::Unset(location),
    }
}
