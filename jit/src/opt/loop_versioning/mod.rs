//! Loop versioning for bounds checks of innermost loops, and for words that they rotate (`words.rs`).
//!
//! Tests ahead of the loop say whether every index that the loop can reach is in range. If so, a version of the loop without
//! those checks runs; if not, the loop as it was, which fails where the program says. Each test is a branch: a loop of few iterations
//! is entered often. [MMG00] split the iterations instead, and
//! [BGS00] removes only checks that a proof shows to be redundant (ABCD); a test needs no proof, and failing is rare.
//!
//! Requires: rotated loops, invariant motion before, no failure handlers. Preserves: everything; the test has no effects.
//!
//! An index is bounded if it is (1) affine in the loop's counter: then its values at the first and at the last value of
//! the counter bound it, provided that nothing wraps in a way that matters, see [`Along`]; (2) of a known range, as what is masked by a constant is;
//! (3) affine in a value of a known range, as a wrapped coordinate in a row is, whose ends bound it in the same way; or (4) the remainder of what is not
//! negative by an invariant. Nothing wraps if what goes in is small, and the greatest that can be made of it is below 2^63.
//!
//! [BGS00] R. Bodik, R. Gupta, V. Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand", PLDI 2000.
//! [MMG00] J. E. Moreira, S. P. Midkiff, M. Gupta, "From Flop to Megaflops: Java for Technical Computing", TOPLAS 22(2), 2000.

mod affine;
mod varying;
mod words;

use super::Changed;
use super::cfg::{Graph, Loop};
use super::correlated_values::{Walk, nonnegative, ranges_at_entry};
use super::counter::{Counter, Step, counter};
use super::loops;
use super::ssa::{Block, Def, Func, Inst, Op, Term, Value};
use super::version::{Wanted, version as versioned};
use super::visit::innermost;
use crate::range::{Range, WORD};
use crate::settings::loop_versioning::MAX_SIZE;
use affine::{Affine, SMALL, analyse};
use cranelift_entity::EntitySet;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};
use varying::{Varying, varying};
use words::{carried_words, rotations};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let mut known: Option<HashMap<Value, Range>> = None;
    innermost(func, |func, graph, l| version(func, graph, l, &mut known))
}

/// The condition under which a check goes.
enum Bounded {
    /// Affine in the counter.
    Affine(Affine),
    /// At most that.
    Below(i64),
    /// Affine in what varies.
    Varying(Affine, Range),
    /// At most an invariant, if that is not negative.
    AtMost(Value),
    /// Less than an invariant.
    LessThan(Value),
}

/// A check of an index, and the length.
struct Check {
    inst: Inst,
    index: Value,
    len: Value,
    /// True if every iteration that comes to its end makes it.
    is_always_made: bool,
}

/// Gives the header of the loop as it was. What is known of parameters is found out when it is first asked for:
/// versions leave it true.
fn version(func: &mut Func, graph: &Graph, l: &Loop, known: &mut Option<HashMap<Value, Range>>) -> Option<Block> {
    let size: usize = l.blocks.iter().map(|block| func.blocks[*block].insts.len()).sum();
    if size > MAX_SIZE {
        return None;
    }
    let inside_values = loops::defined(func, l);
    let invariant = |value: Value| !inside_values.contains(value);
    let counter = counter(func, l, &invariant);
    let mut found: Vec<(Check, Bounded)> = Vec::new();
    let mut left: Vec<Check> = Vec::new();
    for check in checks(func, graph, l, &invariant) {
        match counter.and_then(|counter| analyse(func, counter.param, check.index, &invariant)) {
            Some(affine) => found.push((check, Bounded::Affine(affine))),
            None => left.push(check),
        }
    }
    let mut words = Vec::new();
    let rotations = rotations(func, l);
    if !left.is_empty() || !rotations.is_empty() {
        let known = known.get_or_insert_with(|| nonnegative(func, graph));
        let bounded = |walk: &Walk<'_>, check: Check| Some((of_known_range(walk, &check, &invariant)?, check));
        let of_range = ranges_at_entry(func, graph, l, known, |walk| {
            left.into_iter().filter_map(|check| bounded(walk, check)).collect::<Vec<_>>()
        });
        found.extend(of_range.into_iter().map(|(bounded, check)| (check, bounded)));
        words = carried_words(func, graph, l, known, &rotations);
    }
    if !pays(loops::rounds(func, l), &found, words.len()) {
        return None;
    }
    let slow = versioned(func, graph, l, |func, before| tests(func, before, l.header, counter, (&found, &words)));
    for block in &l.blocks {
        func.blocks[*block].insts.retain(|inst| !found.iter().any(|(check, _)| check.inst == *inst));
    }
    Some(slow)
}

/// True iff a version makes fewer tests than it saves checks each time that the loop is entered. What is tested is
/// computed besides.
fn pays(rounds: Option<f64>, found: &[(Check, Bounded)], words: usize) -> bool {
    let tests = |(_, bounded): &(Check, Bounded)| match bounded {
        Bounded::Below(_) => 1,
        Bounded::Affine(affine) | Bounded::Varying(affine, _) => 2 + affine.leaves.len(),
        Bounded::AtMost(_) | Bounded::LessThan(_) => 2,
    };
    let (saved, tests) = (found.len() + words, found.iter().map(tests).sum::<usize>() + words);
    saved > 0 && rounds.is_none_or(|rounds| rounds * saved as f64 > 2.0 * tests as f64)
}

/// The checks of a loop against lengths that are the same in every iteration.
fn checks(func: &Func, graph: &Graph, l: &Loop, invariant: &impl Fn(Value) -> bool) -> Vec<Check> {
    let mut found = Vec::new();
    for block in &l.blocks {
        let is_always_made = l.latches.iter().all(|latch| graph.dominates(*block, *latch));
        for inst in &func.blocks[*block].insts {
            let data = &func.insts[*inst];
            if data.op == Op::CheckIndex && invariant(data.args[1]) {
                found.push(Check { inst: *inst, index: data.args[0], len: data.args[1], is_always_made });
            }
        }
    }
    found
}

/// The condition under which a check goes whose index is not affine in the counter, as far as its range is known. One
/// that takes more than a comparison of constants is for checks that are always made: a loop may make few iterations.
fn of_known_range(walk: &Walk<'_>, check: &Check, invariant: &impl Fn(Value) -> bool) -> Option<Bounded> {
    if let Some(bound) = bound(walk, check.index, invariant).filter(|_| check.is_always_made) {
        return Some(bound);
    }
    let Varying { value, range } = varying(walk, check.index, invariant)?;
    if value != check.index {
        if !check.is_always_made {
            return None;
        }
        let affine = analyse(walk.func, value, check.index, invariant)?;
        return Some(Bounded::Varying(affine, range));
    }
    let may_hold = range.least >= 0 && walk.func.as_int(check.len).is_none_or(|len| range.most < len);
    may_hold.then_some(Bounded::Below(range.most))
}

/// The invariant that an index is bounded by, as a remainder of what is not negative, or masked by it.
fn bound(walk: &Walk<'_>, index: Value, invariant: &impl Fn(Value) -> bool) -> Option<Bounded> {
    let data = &walk.func.insts[walk.func.def_inst(index)?];
    let &[x, y] = data.args.as_slice() else { return None };
    let is_unknown = |value: Value| invariant(value) && walk.func.as_int(value).is_none();
    match data.op {
        Op::Binary(BinaryOp::IntRem) if is_unknown(y) && walk.range(x, 0).least >= 0 => Some(Bounded::LessThan(y)),
        Op::Binary(BinaryOp::IntAnd) if is_unknown(y) => Some(Bounded::AtMost(y)),
        Op::Binary(BinaryOp::IntAnd) if is_unknown(x) => Some(Bounded::AtMost(x)),
        _ => None,
    }
}

/// Appends the tests to `block`, of checks and of the parameters that must be words; gives their conditions.
fn tests(
    func: &mut Func,
    block: Block,
    header: Block,
    counter: Option<Counter>,
    (found, words): (&[(Check, Bounded)], &[usize]),
) -> Vec<Wanted> {
    let site = func.blocks[block].term_site;
    let mut test = Test { func, block, site, wanted: Vec::new(), small: EntitySet::new() };
    let is_affine = found.iter().any(|(_, bounded)| matches!(bounded, Bounded::Affine(_)));
    let ends = counter.filter(|_| is_affine).map(|counter| test.ends(header, counter));
    for (Check { len, .. }, bounded) in found {
        match bounded {
            Bounded::Below(most) => {
                let most = test.func.int(*most);
                test.and_below(most, *len);
            }
            Bounded::AtMost(most) => test.and_below(*most, *len),
            Bounded::LessThan(bound) => {
                let one = test.func.int(-1);
                let most = test.push(Op::Binary(BinaryOp::IntAdd), [*bound, one], Scalar::Int);
                test.and_below(most, *len);
            }
            Bounded::Varying(affine, range) => {
                if !affine.goes_along() {
                    affine.leaves.iter().for_each(|value| test.and_small(*value));
                }
                for at in [range.least, range.most] {
                    let at = test.func.int(at);
                    let index = affine.at(test.func, test.block, test.site, at);
                    test.and_below(index, *len);
                }
            }
            Bounded::Affine(affine) => {
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
    for at in words {
        let (value, beyond) = (test.entering(header, *at), test.func.int(WORD.most + 1));
        test.and_below(value, beyond);
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
        Step::Known(1 | -1) if affine.goes_along() && counter.is_strict => Along::Shifted,
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
        let first = self.entering(header, at as usize);
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

    /// The value of a parameter of the header in the first iteration.
    fn entering(&self, header: Block, at: usize) -> Value {
        let Term::Jump(to) = &self.func.blocks[self.block].term else { unreachable!("a preheader jumps") };
        debug_assert_eq!(to.block, header, "the preheader leads to the header");
        to.args[at]
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
