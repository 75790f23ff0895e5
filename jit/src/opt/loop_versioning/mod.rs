//! Loop versioning for bounds checks of innermost loops.
//!
//! Tests ahead of the loop say whether every index that the loop can reach is in range. If so, a version of the loop without
//! those checks runs; if not, the loop as it was, which fails where the program says. Each test is a branch: a loop of few iterations
//! is entered often. [MMG00] split the iterations instead, and
//! [BGS00] removes only checks that a proof shows to be redundant (ABCD); a test needs no proof, and failing is rare.
//!
//! Requires: rotated loops, invariant motion before, no failure handlers. Preserves: everything; the test has no effects.
//!
//! An index is bounded if it is (1) affine in the loop's counter: then its values at the first and at the last value of
//! the counter bound it, provided that nothing wraps in a way that matters, see [`Along`]; or (2) masked by a constant, or a
//! byte. Nothing wraps if what goes in is small, and the greatest that can be made of it is below 2^63.
//!
//! [BGS00] R. Bodik, R. Gupta, V. Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand", PLDI 2000.
//! [MMG00] J. E. Moreira, S. P. Midkiff, M. Gupta, "From Flop to Megaflops: Java for Technical Computing", TOPLAS 22(2), 2000.

mod affine;

use super::Changed;
use super::cfg::{Graph, Loop};
use super::counter::{Counter, Step, counter};
use super::loops;
use super::ssa::{Block, Def, Func, Inst, Mem, Op, Term, Value};
use super::version::{Wanted, version as versioned};
use super::visit::innermost;
use crate::settings::loop_versioning::MAX_SIZE;
use affine::{Affine, SMALL, analyse};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{BinaryOp, Elem, Scalar};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    innermost(func, version)
}

/// A check that may go, and what must hold for it.
enum Bounded {
    Affine(Affine, Value),
    Below(i64, Value),
}

/// Gives the header of the loop as it was.
fn version(func: &mut Func, graph: &Graph, l: &Loop) -> Option<Block> {
    let size: usize = l.blocks.iter().map(|block| func.blocks[*block].insts.len()).sum();
    let inside_values = loops::defined(func, l);
    let invariant = |value: Value| !inside_values.contains(value);
    let counter = counter(func, l, &invariant);
    let mut found: Vec<(Inst, Bounded)> = Vec::new();
    for inst in l.blocks.iter().flat_map(|block| &func.blocks[*block].insts) {
        let data = &func.insts[*inst];
        if data.op != Op::CheckIndex || !invariant(data.args[1]) {
            continue;
        }
        let (index, len) = (data.args[0], data.args[1]);
        if let Some(most) = greatest(func, index) {
            found.push((*inst, Bounded::Below(most, len)));
        } else if let Some(affine) = counter.and_then(|counter| analyse(func, counter.param, index, &invariant)) {
            found.push((*inst, Bounded::Affine(affine, len)));
        }
    }
    if found.is_empty() || size > MAX_SIZE || !pays(loops::rounds(func, l), &found) {
        return None;
    }
    let slow = versioned(func, graph, l, |func, before| tests(func, before, l.header, counter, &found));
    for block in &l.blocks {
        func.blocks[*block].insts.retain(|inst| !found.iter().any(|(check, _)| check == inst));
    }
    Some(slow)
}

/// True iff a version makes fewer tests than it saves checks each time that the loop is entered. What is tested is computed besides.
fn pays(rounds: Option<f64>, found: &[(Inst, Bounded)]) -> bool {
    let tests = |(_, bounded): &(Inst, Bounded)| match bounded {
        Bounded::Below(..) => 1,
        Bounded::Affine(affine, _) => 2 + affine.leaves.len(),
    };
    let tests: usize = found.iter().map(tests).sum();
    rounds.is_none_or(|rounds| rounds * found.len() as f64 > 2.0 * tests as f64)
}

/// The greatest an index can be whatever it is made of, if its least is at least 0.
fn greatest(func: &Func, index: Value) -> Option<i64> {
    let data = &func.insts[func.def_inst(index)?];
    match data.op {
        Op::Binary(BinaryOp::IntAnd) => {
            let masks = data.args.iter().filter_map(|arg| func.as_int(*arg)).filter(|mask| *mask >= 0);
            masks.min()
        }
        Op::Binary(BinaryOp::IntUshr) => {
            func.as_int(data.args[1]).filter(|by| (1..64).contains(by)).map(|by| (u64::MAX >> by) as i64)
        }
        Op::Load(Mem::Elem(Elem::Byte | Elem::Char)) => Some(255),
        _ => None,
    }
}

/// Appends the tests to `block`; gives their conditions.
fn tests(
    func: &mut Func,
    block: Block,
    header: Block,
    counter: Option<Counter>,
    found: &[(Inst, Bounded)],
) -> Vec<Wanted> {
    let site = func.blocks[block].term_site;
    let mut test = Test { func, block, site, wanted: Vec::new(), small: EntitySet::new() };
    let ends = counter.map(|counter| test.ends(header, counter));
    for (_, bounded) in found {
        match bounded {
            Bounded::Below(most, len) => {
                let most = test.func.int(*most);
                test.and_below(most, *len);
            }
            Bounded::Affine(affine, len) => {
                let (counter, (first, last)) = counter.zip(ends).expect("an affine index has a counter");
                match along(counter, affine) {
                    Along::Itself => {}
                    Along::Shifted => test.and_near(first, last, counter),
                    Along::Unknown => {
                        test.and_small(counter.bound);
                        affine.leaves.iter().chain([&first, &last]).for_each(|value| test.and_small(*value));
                    }
                }
                for at in [first, last] {
                    let index = affine.at(test.func, test.block, test.site, at);
                    test.and_below(index, *len);
                }
            }
        }
    }
    test.wanted
}

/// The relation of an index to the counter on its way from the first value to the last, which both are tested to be in range.
enum Along {
    /// It is the counter but for a constant: in range, the counter is far from where it wraps.
    Itself,
    /// It differs by what may be anything, but a counter that does not wrap takes it from one end straight to the other,
    /// provided that these are less than 2^63 apart.
    Shifted,
    /// It does if nothing wraps.
    Unknown,
}

fn along(counter: Counter, affine: &Affine) -> Along {
    match counter.step {
        Step::Known(_) if affine.goes_along() && affine.leaves.is_empty() => Along::Itself,
        // The value that is tested stays short of the bound, so the next one does not wrap.
        Step::Known(by @ (1 | -1)) if affine.goes_along() && counter.slack == -by => Along::Shifted,
        Step::Known(_) | Step::Positive(_) => Along::Unknown,
    }
}

struct Test<'a> {
    func: &'a mut Func,
    block: Block,
    site: u32,
    wanted: Vec<Wanted>,
    /// Values tested for their magnitude already.
    small: EntitySet<Value>,
}

impl Test<'_> {
    /// The first value of the counter and the last that an iteration can start with.
    fn ends(&mut self, header: Block, counter: Counter) -> (Value, Value) {
        let Def::Param(_, at) = self.func.values[counter.param].def else { unreachable!("a counter is a parameter") };
        let Term::Jump(to) = &self.func.blocks[self.block].term else { unreachable!("a preheader jumps") };
        debug_assert_eq!(to.block, header, "the preheader leads to the header");
        let first = to.args[at as usize];
        if let Step::Positive(by) = counter.step {
            let zero = self.func.int(0);
            let positive = self.push(Op::Binary(BinaryOp::IntLt), [zero, by], Scalar::Bool);
            self.and(positive);
            self.and_small(by);
            self.and_small(counter.bound);
        }
        let slack = self.func.int(counter.slack);
        let limit = self.push(Op::Binary(BinaryOp::IntAdd), [counter.bound, slack], Scalar::Int);
        (first, self.last(first, limit, counter))
    }

    /// The last value of a counter up to a limit. Steps that are a power of two leave the bits below as they are at first, even if something wraps.
    fn last(&mut self, first: Value, limit: Value, counter: Counter) -> Value {
        match counter.step {
            Step::Known(by) if by.unsigned_abs() > 1 && by.unsigned_abs().is_power_of_two() => {
                let (one, other) = if by > 0 { (limit, first) } else { (first, limit) };
                let distance = self.push(Op::Binary(BinaryOp::IntSub), [one, other], Scalar::Int);
                let mask = self.func.int(by.abs() - 1);
                let beyond = self.push(Op::Binary(BinaryOp::IntAnd), [distance, mask], Scalar::Int);
                let op = if by > 0 { BinaryOp::IntSub } else { BinaryOp::IntAdd };
                self.push(Op::Binary(op), [limit, beyond], Scalar::Int)
            }
            Step::Known(_) | Step::Positive(_) => limit,
        }
    }

    fn push(&mut self, op: Op, args: impl IntoIterator<Item = Value>, scalar: Scalar) -> Value {
        self.func.push(self.block, op, args, Some(scalar), self.site).expect("it has a result")
    }

    fn and(&mut self, cond: Value) {
        self.wanted.push((cond, true));
    }

    fn and_below(&mut self, index: Value, len: Value) {
        let below = self.push(Op::Below, [index, len], Scalar::Bool);
        self.and(below);
    }

    /// The ends of the counter are less than 2^63 apart, or it does not get from one to the other at all.
    fn and_near(&mut self, first: Value, last: Value, counter: Counter) {
        let is_positive = |value: Value| self.func.as_int(value).is_some_and(|value| value >= 0);
        let least = if matches!(counter.step, Step::Known(..0)) { last } else { first };
        if is_positive(least) {
            return;
        }
        let most = if least == first { last } else { first };
        let distance = self.push(Op::Binary(BinaryOp::IntSub), [most, least], Scalar::Int);
        let zero = self.func.int(0);
        let near = self.push(Op::Binary(BinaryOp::IntLe), [zero, distance], Scalar::Bool);
        self.and(near);
    }

    /// Its magnitude is at most [`SMALL`].
    fn and_small(&mut self, value: Value) {
        if self.func.as_int(value).is_some_and(|value| value.unsigned_abs() <= SMALL) || !self.small.insert(value) {
            return;
        }
        let (half, whole) = (self.func.int(SMALL as i64), self.func.int(2 * SMALL as i64));
        let moved = self.push(Op::Binary(BinaryOp::IntAdd), [value, half], Scalar::Int);
        self.and_below(moved, whole);
    }
}
