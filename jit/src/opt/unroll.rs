//! Unrolling of small innermost counted loops [DH79].
//!
//! ```text
//!   before -> L: body, test -> L          before: enough? -> M: body ... body, enough? -> M
//!                        \-> after                      \-> L              \-> test -> L: as it was
//! ```
//!
//! A test ahead says that the next iterations all take place, so that a run of copies of the body needs no test in between; the
//! loop as it was executes the remaining ones. A loop of a small known trip count becomes that many copies.
//!
//! Requires: rotated loops, no failure handlers. Preserves: the order of effects and how often each is executed. Polls are
//! made where back edges are, so a run has one; so it is with OSR points.
//!
//! [DH79] J. J. Dongarra, A. R. Hinds, "Unrolling Loops in FORTRAN", Software: Practice and Experience 9(3), 1979.

use super::Changed;
use super::cfg::{Graph, Loop};
use super::clone::{Copies, clone_blocks};
use super::counter::{Counter, Run, Step, counter, test};
use super::loops;
use super::quiet::is_quiet;
use super::repair::repair;
use super::ssa::{Args, Block, Def, Func, Op, Target, Term, Value};
use super::version;
use super::visit::innermost;
use crate::settings::unroll::{MAX_BLOCKS, MAX_COPIES, MAX_COPIES_UNKNOWN, MAX_FUNCTION, MAX_LOADS, MAX_SIZE};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    innermost(func, |func, graph, l| {
        let size: usize = graph.rpo.iter().map(|block| func.blocks[*block].insts.len()).sum();
        if size > MAX_FUNCTION {
            return None;
        }
        let plan = plan(func, graph, l)?;
        Some(unroll(func, graph, l, &plan))
    })
}

/// The way in which a loop is unrolled.
#[derive(Clone, Copy, Debug)]
struct Plan {
    counter: Counter,
    /// The block at whose end the loop goes on or is left.
    test: Block,
    step: i64,
    copies: usize,
    /// The trip count, if it is known.
    trip_count: Option<usize>,
}

impl Plan {
    /// The trip count is that of the copies.
    fn is_whole(self) -> bool {
        self.trip_count == Some(self.copies)
    }

    /// The runs leave no iterations over.
    fn is_even(self) -> bool {
        self.trip_count.is_some_and(|trip_count| trip_count.is_multiple_of(self.copies))
    }
}

fn plan(func: &Func, graph: &Graph, l: &Loop) -> Option<Plan> {
    let test = test(func, l)?;
    let exits = func.blocks[test].term.targets().filter(|to| !l.blocks.contains(&to.block)).count();
    let insts = || loops::insts(func, l).map(|data| data.op);
    if func.blocks[l.header].cold || blocks(func, l) > MAX_BLOCKS || exits != 1 || !insts().all(is_quiet) {
        return None;
    }
    let inside = loops::defined(func, l);
    let counter = counter(func, l, &|value| !inside.contains(value))?;
    let Step::Known(step) = counter.step else { return None };
    let trip_count = trip_count(func, graph, l, counter, step);
    let size = (insts().filter(|op| !op.is_declaration()).count() + l.blocks.len()).max(1);
    let most = MAX_SIZE / size;
    let loads = insts().filter(|op| matches!(op, Op::Load(_))).count().max(1);
    let stores = insts().any(|op| matches!(op, Op::Store(_)));
    let run = if stores { most } else { most.min(MAX_LOADS / loads) };
    let copies = match trip_count {
        Some(trip_count) if trip_count <= most.min(MAX_COPIES) => trip_count,
        Some(trip_count) => {
            let most = run.min(MAX_COPIES);
            (most.div_ceil(2)..=most).rev().find(|copies| trip_count.is_multiple_of(*copies)).unwrap_or(most)
        }
        // A run is made twice at least, or what is left over is most of it.
        None => {
            loops::rounds(func, l).map_or(usize::MAX, |rounds| (rounds / 2.0) as usize).min(run).min(MAX_COPIES_UNKNOWN)
        }
    };
    (copies >= 2 || trip_count == Some(copies)).then_some(Plan { counter, test, step, copies, trip_count })
}

/// The blocks of a loop that do something or branch: edges on which probes only say what is pending are no code.
fn blocks(func: &Func, l: &Loop) -> usize {
    let is_code = |block: &&Block| {
        let data = &func.blocks[**block];
        !matches!(data.term, Term::Jump(_)) || data.insts.iter().any(|inst| !func.insts[*inst].op.is_declaration())
    };
    l.blocks.iter().filter(is_code).count()
}

/// Returns the trip count of a loop once it is entered, unless it is left otherwise.
pub(super) fn trip_count(func: &Func, graph: &Graph, l: &Loop, counter: Counter, step: i64) -> Option<usize> {
    let Def::Param(_, at) = func.values[counter.param].def else { unreachable!("a counter is a parameter") };
    let ways_in = graph.preds[l.header].iter().filter(|pred| !l.latches.contains(pred));
    let mut firsts = ways_in.flat_map(|pred| func.blocks[*pred].term.targets()).filter(|to| to.block == l.header);
    let first = i128::from(func.as_int(firsts.next()?.args[at as usize])?);
    let bound = i128::from(func.as_int(counter.bound)?);
    if firsts.next().is_some() {
        return None;
    }
    let step = i128::from(step);
    let way = bound + i128::from(counter.slack) - first;
    let further = if way.signum() == step.signum() { way / step } else { 0 };
    // A counter that wraps does not stop where it seems to.
    i64::try_from(first + (further + 1) * step).ok()?;
    usize::try_from(further + 1).ok()
}

/// Carries a plan out; gives the header of the copies.
fn unroll(func: &mut Func, graph: &Graph, l: &Loop, plan: &Plan) -> Block {
    let run = Run::followed_by(func, graph, l, (plan.counter, plan.step), plan.copies as i64 - 1);
    let before = loops::preheader(func, graph, l, &loops::blocks(l));
    let runs: Vec<Copies> = (0..plan.copies).map(|_| clone_blocks(func, &l.blocks)).collect();
    for copy in runs.iter().skip(1).flat_map(|copies| copies.blocks.values()) {
        let insts = std::mem::take(&mut func.blocks[*copy].insts);
        func.blocks[*copy].insts = insts.into_iter().filter(|inst| !func.insts[*inst].op.polls()).collect();
    }
    let headers: Vec<Block> = runs.iter().map(|copies| copies.blocks[&l.header]).collect();
    let latch = |at: usize| runs[at].blocks[&l.latches[0]];
    let test = |at: usize| runs[at].blocks[&plan.test];
    let last = plan.copies - 1;
    for at in 0..last {
        let (on, _) = ways(func, test(at), &runs[at]);
        func.blocks[test(at)].term = Term::Jump(on);
        let back = back(func, latch(at), headers[at]);
        func.blocks[latch(at)].term = Term::Jump(Target { block: headers[at + 1], args: back.args });
    }
    let (_, exit) = ways(func, test(last), &runs[last]);
    let back = back(func, latch(last), headers[last]);
    let Term::Jump(entering) = func.blocks[before].term.clone() else { unreachable!("a preheader jumps") };
    let into_run = |args: &[Value]| Target { block: headers[0], args: args.into() };
    if plan.is_whole() {
        func.blocks[before].term = Term::Jump(into_run(&entering.args));
        func.blocks[test(last)].term = Term::Jump(exit);
    } else {
        let limit = run.limit(func, before);
        let into = into_run(&entering.args);
        match plan.trip_count {
            Some(_) => func.blocks[before].term = Term::Jump(into),
            None => {
                let wanted = run.may_enter(func, before, limit, &entering);
                version::enter(func, before, wanted, &into, &entering);
            }
        }
        let rest = match (plan.is_even(), plan.test == l.latches[0]) {
            (true, true) => Some(exit),
            (false, true) => Some(rest(func, l, latch(last), headers[last])),
            // The test before the latch ends the loop.
            (true, false) => None,
            (false, false) => Some(Target { block: l.header, args: back.args.clone() }),
        };
        func.blocks[latch(last)].term = match rest {
            None => Term::Jump(into_run(&back.args)),
            Some(rest) => {
                let next = plan.counter.among(func, &back);
                let cond = run.may_start(func, latch(last), next, limit);
                Term::Branch { cond, then: into_run(&back.args), otherwise: rest }
            }
        };
    }
    let mut pairs: Vec<(Value, Value)> = runs.into_iter().flat_map(|copies| copies.values).collect();
    pairs.sort_unstable();
    repair(func, &pairs);
    headers[0]
}

/// The way on and the way out at the end of the copy of a loop's test.
fn ways(func: &Func, test: Block, copies: &Copies) -> (Target, Target) {
    let Term::Branch { then, otherwise, .. } = func.blocks[test].term.clone() else { unreachable!("a test branches") };
    let is_inside = copies.blocks.values().any(|block| *block == then.block);
    if is_inside { (then, otherwise) } else { (otherwise, then) }
}

/// The way back at the end of a copy's latch.
fn back(func: &Func, latch: Block, header: Block) -> Target {
    func.blocks[latch].term.targets().find(|to| to.block == header).expect("a latch goes back").clone()
}

/// The block that tests whether there are iterations left, as the latch did, and goes to the loop as it was if so.
fn rest(func: &mut Func, l: &Loop, latch: Block, header: Block) -> Target {
    let data = func.blocks[latch].clone();
    let block = func.new_block(data.origin, data.handler, data.term_site);
    func.blocks[block].term = data.term;
    for target in func.blocks[block].term.targets_mut() {
        if target.block == header {
            target.block = l.header;
        }
    }
    Target { block, args: Args::new() }
}
