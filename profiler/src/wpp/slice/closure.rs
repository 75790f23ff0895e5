//! The transitive closures of dependences.
//!
//! In: the dependences of a criterion. Out: the [`Slice`].
//!
//! Statements are marked, since there are as many as the program has. Executions of statements are too many for that: they are taken latest
//! first. Every dependence leads to an earlier one, so that none that was taken is met again, and only those are in memory that were met and not
//! taken yet: the values that are live.
//!
//! Invariant: each part of a statement, or of its execution, is asked for its dependences once.

use std::collections::{BTreeSet, HashSet};

use super::Slicer;
use super::dependence::{Dependence, Part};
use super::model::{Cells, Instance, Location, StatementId};
use super::order::Moment;
use super::{Reason, Slice};

impl<C: Cells> Slicer<'_, C> {
    /// The closure of dependences between statements, of which `sources` gives those of a part.
    pub(super) fn close(
        &mut self,
        first: Vec<Dependence<StatementId>>,
        mut sources: impl FnMut(&mut Self, StatementId, Part) -> Vec<Dependence<StatementId>>,
    ) -> Slice {
        let mut slice = Slice::default();
        let mut seen = HashSet::new();
        let mut pending: Vec<(Dependence<StatementId>, Option<StatementId>)> =
            first.into_iter().map(|source| (source, None)).collect();
        while let Some((source, user)) = pending.pop() {
            let Some((at, part)) = slice.add(source, user, |at| at) else { continue };
            if seen.insert((at, part)) {
                pending.extend(sources(self, at, part).into_iter().map(|source| (source, Some(at))));
            }
        }
        slice
    }

    /// The closure of dependences between executions of statements.
    pub(super) fn close_backward(&mut self, first: Vec<Dependence<Instance>>) -> Slice {
        let execution = self.execution;
        let mut slice = Slice::default();
        let mut pending: BTreeSet<(Moment, Part)> = BTreeSet::new();
        let (mut met, mut user) = (first, None);
        loop {
            for source in met {
                if let Some((at, part)) = slice.add(source, user, |at| execution.statement_of(at)) {
                    pending.insert((self.part_moment(at, part), part));
                }
            }
            slice.most_pending = slice.most_pending.max(pending.len());
            let Some((moment, part)) = pending.pop_last() else { return slice };
            let (_, activation, point) = moment;
            let at = execution.instance(activation.0, point).expect("it was executed");
            met = self.instance_sources(at, part);
            user = Some(execution.statement_of(at));
        }
    }

    /// The moment at which a part of an instance happens: later than all on which it depends.
    fn part_moment(&self, instance: Instance, part: Part) -> Moment {
        let (execution, procedure) = (self.execution, self.execution.procedure_of(instance.activation));
        let is_behind_calls = match part {
            Part::Decision => false,
            Part::Definition(number) => {
                let statement = &procedure.blocks[instance.block][instance.point.statement as usize];
                !matches!(statement.definitions[number as usize].target, Location::Argument(_))
            }
        };
        match is_behind_calls {
            true => self.tree.definition_moment(execution, instance),
            false => self.tree.use_moment(execution, instance),
        }
    }
}

impl Slice {
    /// Adds the source of a dependence. Returns the part whose dependences are needed then.
    fn add<I: Copy>(
        &mut self,
        source: Dependence<I>,
        user: Option<StatementId>,
        statement: impl Fn(I) -> StatementId,
    ) -> Option<(I, Part)> {
        let (at, part, reason) = match source {
            Dependence::Data(location, by, part) => (by, part, Reason::Data { location, user }),
            Dependence::Control(by) => {
                let of = user.expect("nothing decides on the criterion");
                (by, Part::Decision, Reason::Control { of })
            }
            Dependence::Unset(location) => {
                self.unset.insert((location, user));
                return None;
            }
        };
        self.statements.entry(statement(at)).or_default().insert(reason);
        Some((at, part))
    }
}
