//! Optimized code that is run executes assignments where the record says.
//!
//! A program is run before all passes, which gives the blocks of each activation, and after them. Whenever optimized code
//! enters a block, each assignment must have been executed as often as the record makes it by the blocks alone, and a variable
//! that is current must have the value that it has in the source program. Assignments
//! that only some copies of a block execute are left out, and so are the versions that run where a test fails.

use super::told;
use crate::common::loops;
use crate::common::{Program, seeds};
use crate::interp::{End, Functions, Limits, LoggedStep, run_logged};
use cranelift_entity::EntitySet;
use holloway_generator::{Size, minimize};
use holloway_jit::opt::assignments::{Assignment, ExecutedAt, Fate, When};
use holloway_jit::opt::cfg::Graph;
use holloway_jit::opt::construct::Inlining;
use holloway_jit::opt::pipeline::{BUILD, Options};
use holloway_jit::opt::ssa::Func;
use holloway_jit::osr::Entry;
use holloway_lang::ir::{Block, FuncRef, Function, Inst, Local, Scalar};
use std::collections::BTreeMap;

/// Programs that take longer are not compared.
const LIMITS: Limits = Limits { steps: 300_000, osr_every: 0 };

/// The comparison.
#[derive(Default, Debug)]
struct Compared {
    points: u64,
    /// Executions of assignments that are not in place.
    moved: u64,
    /// Values of current variables.
    current: u64,
}

/// The steps of each activation.
fn by_activation(log: &[LoggedStep]) -> BTreeMap<u64, Vec<LoggedStep>> {
    let mut found: BTreeMap<u64, Vec<LoggedStep>> = BTreeMap::new();
    log.iter().for_each(|step| found.entry(step.activation).or_default().push(*step));
    found
}

/// The first point at which the record is wrong.
fn difference(program: &Program, compared: &mut Compared) -> Option<String> {
    // Which blocks are cold otherwise depends on the profile.
    let options = Options { disabled: vec!["layout".to_owned()], ..Options::default() };
    let built = Options { disabled: Vec::new(), until: Some(BUILD.to_owned()), ..Options::default() };
    let ids = || program.module.funcs.keys();
    let plain: Functions = ids().map(|id| ((id, Entry::Call), program.recorded(id, Inlining::Off, &built).0)).collect();
    let (before, log) = run_logged(&program.module, &plain, LIMITS);
    if before.end == End::GivenUp {
        return None;
    }
    let mut listed: BTreeMap<FuncRef, Vec<Assignment>> = BTreeMap::new();
    let mut optimized = Functions::new();
    for id in ids() {
        let (func, assignments) = program.recorded(id, Inlining::Off, &options);
        listed.insert(id, assignments);
        optimized.insert((id, Entry::Call), func);
    }
    let (after, optimized_log) = run_logged(&program.module, &optimized, LIMITS);
    assert!(after == before || after.end == End::GivenUp, "a record changes nothing");
    let sources = by_activation(&log);
    for (activation, steps) in by_activation(&optimized_log) {
        let id = steps[0].func;
        let source = &plain[&(id, Entry::Call)];
        let body = program.module.function(id);
        let mut trace: Vec<Block> = Vec::new();
        let mut assigned: Vec<Assigned> = Vec::new();
        for step in sources[&activation].iter().filter(|step| step.block != source.entry) {
            if step.at == 0 {
                trace.push(source.blocks[step.block].origin.block);
            }
            assigned.extend(Assigned::by(source, step, trace.len() - 1));
        }
        // A block that fails is left in its middle.
        let handles = |block: &Block| matches!(body.blocks[*block].insts.first(), Some(Inst::CatchMessage { .. }));
        let until = trace.iter().position(handles).unwrap_or(trace.len());
        let trace = trace[..until].to_vec();
        let mut walk = Walk::new(body, &optimized[&(id, Entry::Call)], &listed[&id], trace);
        walk.assigned = assigned;
        if let Some(problem) = walk.follow(&steps, compared) {
            return Some(format!(
                "{id}, activation {activation}: {problem}\n{}",
                told(&program.module, id, &listed[&id])
            ));
        }
    }
    None
}

/// An execution of an assignment.
#[derive(Clone, Copy)]
struct Assigned {
    /// The number of blocks that the source program executed before the one of the assignment.
    time: usize,
    assignment: usize,
    value: Option<u64>,
}

impl Assigned {
    fn by(func: &Func, step: &LoggedStep, time: usize) -> Option<Assigned> {
        let inst = func.blocks[step.block].insts.get(step.at)?;
        let assignment = func.record.as_ref().expect("it was recorded").assignment_of(*inst)?;
        Some(Assigned { time, assignment, value: step.result })
    }
}

/// One activation.
struct Walk<'a> {
    body: &'a Function,
    func: &'a Func,
    assignments: &'a [Assignment],
    /// The blocks of the source program that it executes.
    trace: Vec<Block>,
    /// Blocks that are somewhere in optimized code.
    present: EntitySet<Block>,
    /// The assignments that the source program executes.
    assigned: Vec<Assigned>,
}

impl<'a> Walk<'a> {
    fn new(body: &'a Function, func: &'a Func, assignments: &'a [Assignment], trace: Vec<Block>) -> Walk<'a> {
        let record = func.record.as_ref().expect("it was recorded");
        let mut present = EntitySet::new();
        for block in Graph::of(func).rpo.iter().copied().filter(|block| !func.blocks[*block].cold) {
            // A branch may be converted although its empty block stays, for other ways there.
            let does_something = |block: &Block| {
                let insts = &body.blocks[*block].insts;
                insts.iter().any(|inst| !matches!(inst, Inst::Copy { .. }))
            };
            record.blocks_of(block).filter(does_something).for_each(|block| _ = present.insert(block));
        }
        Walk { body, func, assignments, trace, present, assigned: Vec::new() }
    }

    fn follow(&self, steps: &[LoggedStep], compared: &mut Compared) -> Option<String> {
        let record = self.func.record.as_ref().expect("it was recorded");
        let mut executed = vec![0_u64; self.assignments.len()];
        let mut instructed: Vec<bool> = vec![false; self.assignments.len()];
        for inst in self.func.insts.keys() {
            record.assignment_of(inst).into_iter().for_each(|at| instructed[at] = true);
        }
        let mut reached = 0;
        let mut made: Vec<Assigned> = Vec::new();
        for step in steps {
            let data = &self.func.blocks[step.block];
            if step.at == 0 {
                if data.cold || self.func.is_handler(step.block) {
                    return None;
                }
                let mut first = None;
                for block in record.blocks_of(step.block).filter(|block| self.present.contains(*block)) {
                    let Some(at) = self.next(reached, block) else { break };
                    if at.is_err() {
                        return Some(format!("{block} is executed, not {}", self.trace[reached]));
                    }
                    let at = at.unwrap_or_default();
                    first.get_or_insert(at);
                    reached = at + 1;
                }
                if let Some(time) = first {
                    compared.points += 1;
                    let problem = self.compare(time, &executed, &instructed);
                    if let Some(problem) = problem.or_else(|| self.compare_values(time, &made, compared)) {
                        return Some(problem);
                    }
                }
            }
            made.extend(Assigned::by(self.func, step, reached));
            let stands_for = data.insts.get(step.at).and_then(|inst| record.assignment_of(*inst));
            if let Some(at) = stands_for {
                executed[at] += 1;
                compared.moved += u64::from(!self.assignments[at].is_in_place());
            }
        }
        None
    }

    /// The next time at which a block is executed, if no other one that is there is executed before.
    fn next(&self, from: usize, block: Block) -> Option<Result<usize, ()>> {
        let at = (from..self.trace.len()).find(|at| self.present.contains(self.trace[*at]))?;
        Some(if self.trace[at] == block { Ok(at) } else { Err(()) })
    }

    /// Compares executions before a time with those that the record tells of.
    fn compare(&self, time: usize, executed: &[u64], instructed: &[bool]) -> Option<String> {
        for (at, assignment) in self.assignments.iter().enumerate().filter(|(at, _)| instructed[*at]) {
            let expected = match &assignment.fate {
                Fate::Deleted { .. } => 0,
                Fate::Executed(places) => {
                    let sometimes = places.iter().any(|at| at.when == When::Sometimes);
                    // A select decides.
                    if sometimes || assignment.is_in_place() && !self.present.contains(assignment.block) {
                        continue;
                    }
                    places.iter().map(|at| self.executions(at, time)).sum()
                }
            };
            if expected != executed[at] {
                let block = self.trace[time];
                return Some(format!(
                    "before step {time} in {block}, assignment {at} is executed {} times, not {expected}",
                    executed[at]
                ));
            }
        }
        None
    }

    /// Compares the values of current variables before a time.
    fn compare_values(&self, time: usize, made: &[Assigned], compared: &mut Compared) -> Option<String> {
        let source: Vec<&Assigned> = self.assigned.iter().take_while(|assigned| assigned.time < time).collect();
        for (local, decl) in self.body.locals.iter().filter(|(_, decl)| decl.scalar != Scalar::Ref) {
            // Which copies were executed is not to be told from the blocks.
            if self.has_place(local, |when| *when == When::Sometimes) {
                continue;
            }
            let of_local = |assigned: &Assigned| self.assignments[assigned.assignment].local == local;
            let held = made.iter().rev().find(|made| of_local(made));
            let right = source.iter().rev().find(|assigned| of_local(assigned));
            let Some((held, right)) = held.zip(right).filter(|(held, right)| held.assignment == right.assignment)
            else {
                continue;
            };
            let count = |all: &mut dyn Iterator<Item = &Assigned>| {
                all.filter(|assigned| assigned.assignment == held.assignment).count()
            };
            let is_current = match self.assignments[held.assignment].is_in_place() {
                true => count(&mut made.iter()) == count(&mut source.iter().copied()),
                // It was executed ahead, for what followed: in the block that was entered last, or in a preheader behind that.
                false if self.has_place(local, |when| matches!(when, When::Entering(_))) => right.time >= held.time,
                false => right.time + 1 >= held.time,
            };
            compared.current += u64::from(is_current);
            if is_current && held.value.zip(right.value).is_some_and(|(held, right)| held != right) {
                let name = decl.name.as_deref().unwrap_or_default();
                return Some(format!(
                    "before step {time}, {name} is current, with {:?} for {:?}",
                    held.value, right.value
                ));
            }
        }
        None
    }

    /// Returns whether some place of a local's assignments is executed like that.
    fn has_place(&self, local: Local, is: impl Fn(&When) -> bool) -> bool {
        let places = |assignment: &'a Assignment| match &assignment.fate {
            Fate::Executed(places) => places.as_slice(),
            Fate::Deleted { .. } => &[],
        };
        let own = self.assignments.iter().filter(|assignment| assignment.local == local);
        own.flat_map(places).any(|place| is(&place.when))
    }

    /// The executions of a place before a block is entered.
    fn executions(&self, at: &ExecutedAt, time: usize) -> u64 {
        let is_at = |step: &usize| self.trace[*step] == at.position.block;
        match &at.when {
            When::Always | When::Sometimes => (0..time).filter(is_at).count() as u64,
            When::Entering(region) => {
                let enters = |step: &usize| {
                    let before = self.trace[..*step].iter().rev().take_while(|block| **block != at.position.block);
                    let mut outside = before.peekable();
                    let first = !self.trace[..*step].contains(&at.position.block);
                    first || outside.any(|block| !region.contains(block))
                };
                (0..=time).filter(is_at).filter(enters).count() as u64
            }
        }
    }
}

fn check(program: &Program, seed: u64, compared: &mut Compared) {
    let Some(why) = difference(program, compared) else { return };
    let differs = |source: &str| {
        let program = Program::of_source(source.to_owned(), seed);
        program.is_some_and(|program| difference(&program, &mut Compared::default()).is_some())
    };
    let small = minimize(&program.source, differs);
    let why_small =
        Program::of_source(small.clone(), seed).and_then(|program| difference(&program, &mut Compared::default()));
    panic!("seed {seed}: {why}\nsmallest program:\n{small}\n{}", why_small.unwrap_or_default());
}

#[test]
fn assignments_are_executed_where_the_record_says() {
    let mut compared = Compared::default();
    seeds(60).for_each(|seed| check(&Program::random(seed, Size::Small), seed, &mut compared));
    assert!(compared.points > 10_000 && compared.moved > 100 && compared.current > 10_000, "{compared:?}");
}

#[test]
fn assignments_of_loops_are_executed_where_the_record_says() {
    let mut compared = Compared::default();
    for seed in seeds(200) {
        let program = Program::of_source(loops::program(seed), seed).expect("the program is correct");
        check(&program, seed, &mut compared);
    }
    assert!(compared.points > 10_000 && compared.moved > 100 && compared.current > 10_000, "{compared:?}");
}
