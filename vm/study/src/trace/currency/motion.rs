//! The motions of one variable's assignments, along the path of an activation.
//!
//! In: a function, one of its locals, and the path of an activation with its failures. Out: for points of that path an
//! [`Answer`]: the assignment whose value a debugger of the optimized code would show, and the one whose value is right.
//!
//! The path is told to `holloway_profiler::wpp::currency` as a trace of *events*: a node of its own for each place at which
//! either program assigns the variable, and for each point that is asked about. So a preheader is a node although it is no block of
//! the IR, and a block that fails in its middle has fewer nodes.
//!
//! An assignment that some copies of a block have and others do not ([`When::Sometimes`]) is tried both ways. Where the answers
//! differ, the variable is not called current.

use super::events::{Event, EventNodes, OtherPlace, Path, PathPoint, along};
use holloway_jit::{Assignment, ExecutedAt, Fate, Known, Request, Tier, When};
use holloway_lang::ir::{Block, Cfg, Dominators, FuncRef, Function, Local, Module};
use holloway_profiler::wpp::currency::{AssignmentId, BlockPosition, Motion, MotionRecord, Placement};
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Assignments of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignedAt {
    /// The call, which gives a parameter its value.
    Entry,
    /// An instruction.
    Inst(Block, usize),
}

/// The answer at one point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The variable has the value that the source program would have given it.
    pub is_current: bool,
    /// It has in some copies of blocks, if not in all.
    pub may_be_current: bool,
    /// The answer does not depend on which copies of blocks were executed.
    pub is_certain: bool,
    /// The assignment whose value a debugger would show, in those copies where the variable is not current if there are some; `None` before there is
    /// one.
    pub held: Option<AssignedAt>,
    /// The same in the other copies.
    pub held_otherwise: Option<AssignedAt>,
    /// The assignment whose value is right; `None` before there is one.
    pub expected: Option<AssignedAt>,
    /// The right value, if the optimizer knew it when it deleted that assignment.
    pub known: Option<KnownValue>,
}

/// A value that a deleted assignment would have had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownValue {
    /// This constant.
    Constant(String),
    /// The value of another assignment of the function.
    SameAs(AssignedAt),
}

/// All assignments of a variable, and what became of them.
#[derive(Clone, Debug)]
pub struct VariableMotions {
    dominators: Dominators,
    /// A parameter is assigned by the call.
    is_param: bool,
    all: Vec<Assignment>,
    /// Those of the variable, by position in `all`.
    own: Vec<usize>,
}

/// Which copies of a block are executed that differ in whether they have an assignment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    WithAssignment,
    WithoutAssignment,
}

impl VariableMotions {
    /// The motions that the optimizer makes of a local's assignments.
    pub fn new(module: &Module, func: FuncRef, local: Local) -> VariableMotions {
        let body = module.function(func);
        let request = Request::new(func, Arc::clone(body), Tier::Optimized);
        VariableMotions::of(body, local, holloway_jit::assignments(module, &request))
    }

    /// Those of a list of assignments.
    pub fn of(body: &Function, local: Local, all: Vec<Assignment>) -> VariableMotions {
        let own = (0..all.len()).filter(|at| all[*at].local == local).collect();
        let dominators = Dominators::compute(&Cfg::compute(body));
        VariableMotions { dominators, is_param: body.params.contains(&local), all, own }
    }

    /// The answers at points of a path, in the order of the points. In the blocks of `failures`, which come by rising step, the
    /// instruction that failed and those behind it are not executed.
    pub fn answers(&self, blocks: &[Block], failures: &[PathPoint], points: &[PathPoint]) -> Vec<Answer> {
        let path = Path { blocks, failures, points };
        let with = self.decide(path, Copies::WithAssignment);
        if !self.places().any(|(_, _, place)| place.when == When::Sometimes) {
            return with;
        }
        let without = self.decide(path, Copies::WithoutAssignment);
        let both = with.into_iter().zip(without);
        both.map(|(with, without)| {
            let is_certain = with == without;
            let may_be_current = with.is_current || without.is_current;
            let (shown, other) = if with.is_current { (without, with) } else { (with, without) };
            let is_current = shown.is_current && other.is_current;
            Answer { is_certain, is_current, may_be_current, held_otherwise: other.held, ..shown }
        })
        .collect()
    }

    /// The places of the variable's assignments, each with its assignment and its number.
    fn places(&self) -> impl Iterator<Item = (usize, usize, &ExecutedAt)> {
        let places = |at: usize| match &self.all[at].fate {
            Fate::Executed(places) => places.as_slice(),
            Fate::Deleted { .. } => &[],
        };
        self.own.iter().flat_map(move |at| places(*at).iter().enumerate().map(|(nth, place)| (*at, nth, place)))
    }

    /// The places in some copies of the program.
    fn executed(&self, copies: Copies) -> impl Iterator<Item = (usize, Event, &ExecutedAt)> {
        let places = self.places();
        let executed =
            places.filter(move |(_, _, place)| copies == Copies::WithAssignment || place.when != When::Sometimes);
        executed.map(|(at, nth, place)| match place.position == self.all[at].written_at() {
            true => (at, Event::Assigned(at), place),
            false => (at, Event::Placed(at, nth), place),
        })
    }

    fn decide(&self, path: Path<'_>, copies: Copies) -> Vec<Answer> {
        let mut written: BTreeMap<Block, Vec<(usize, Event)>> = BTreeMap::new();
        for at in &self.own {
            let Assignment { block, index, .. } = self.all[*at];
            written.entry(block).or_default().push((index, Event::Assigned(*at)));
        }
        let elsewhere = self.executed(copies).filter(|(_, event, _)| matches!(event, Event::Placed(..)));
        let others: Vec<OtherPlace<'_>> = elsewhere.map(|(_, event, at)| OtherPlace { event, at }).collect();
        let entry = self.is_param.then_some((Event::Entry, None));
        let trace: Vec<_> = entry.into_iter().chain(along(path, &written, &others)).collect();
        let mut nodes = EventNodes::default();
        let graph = DynamicGraph::of_trace(trace.iter().map(|(event, _)| nodes.node(*event)));
        let (record, assignments) = self.record(&mut nodes, copies);
        let point = BlockPosition { block: nodes.node(Event::Point), position: 0 };
        let mut answers: Vec<(usize, Answer)> = Vec::new();
        for ((_, nth), time) in trace.iter().zip(1..) {
            let Some(nth) = nth else { continue };
            let answer = record.at(&graph, point, time).expect("the point is executed then");
            let of = |id: AssignmentId| assignments[id.as_u32() as usize];
            let expected = answer.expected.map(|instance| of(instance.assignment));
            let held = answer.held.map(|instance| self.assigned_at(of(instance.assignment)));
            let found = Answer {
                is_current: answer.is_current(),
                may_be_current: answer.is_current(),
                is_certain: true,
                held,
                held_otherwise: held,
                expected: expected.map(|assignment| self.assigned_at(assignment)),
                known: expected.flatten().and_then(|assignment| self.known(assignment)),
            };
            answers.push((*nth, found));
        }
        answers.sort_by_key(|(nth, _)| *nth);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// The record of motions over the nodes of events, and the assignment of each of its ids; the parameter's is `None`.
    fn record(&self, nodes: &mut EventNodes, copies: Copies) -> (MotionRecord, Vec<Option<usize>>) {
        let mut record = MotionRecord::default();
        let mut assignments = Vec::new();
        let mut ids: BTreeMap<usize, AssignmentId> = BTreeMap::new();
        let mut at = |event: Event| BlockPosition { block: nodes.node(event), position: 0 };
        if self.is_param {
            let assignment = record.assignments.push(at(Event::Entry));
            record.placements.push(Placement { assignment, at: at(Event::Entry), motion: Motion::Kept });
            assignments.push(None);
        }
        for own in &self.own {
            ids.insert(*own, record.assignments.push(at(Event::Assigned(*own))));
            assignments.push(Some(*own));
        }
        for (own, event, place) in self.executed(copies) {
            let motion = motion(&self.all[own], place, &self.dominators);
            record.placements.push(Placement { assignment: ids[&own], at: at(event), motion });
        }
        (record, assignments)
    }

    fn assigned_at(&self, assignment: Option<usize>) -> AssignedAt {
        match assignment {
            None => AssignedAt::Entry,
            Some(at) => AssignedAt::Inst(self.all[at].block, self.all[at].index),
        }
    }

    fn known(&self, assignment: usize) -> Option<KnownValue> {
        match self.all[assignment].fate {
            Fate::Deleted { known: Some(Known::Constant(constant)), .. } => {
                Some(KnownValue::Constant(constant.to_string()))
            }
            Fate::Deleted { known: Some(Known::SameAs(other)), .. } => {
                Some(KnownValue::SameAs(self.assigned_at(Some(other))))
            }
            Fate::Deleted { known: None, .. } | Fate::Executed(_) => None,
        }
    }
}

/// The way in which an assignment came to one of its places.
fn motion(assignment: &Assignment, place: &ExecutedAt, dominators: &Dominators) -> Motion {
    let (from, to) = (assignment.written_at(), place.position);
    let is_earlier = match from.block == to.block {
        true => to < from,
        false => dominators.dominates(to.block, from.block),
    };
    match &place.when {
        When::Entering(_) => Motion::Hoisted,
        When::Always | When::Sometimes if to == from => Motion::Kept,
        When::Always | When::Sometimes if is_earlier => Motion::Hoisted,
        When::Always | When::Sometimes => Motion::Sunk,
    }
}
