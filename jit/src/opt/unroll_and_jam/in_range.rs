//! Loads whose index is in range in every iteration of a nest that its counters allow.
//!
//! In: a nest's two loops, its counter, and loads without a check ahead of them. Out: whether their indices are between
//! 0 and the lengths of the arrays, whichever outer iteration it is.
//! Invariant: only what holds at the nest's entry and the bounds of its counters are asked. What an earlier iteration
//! checked, or found before it came to its end, does not count: iterations that are executed at once have not.

use super::super::cfg::{Graph, Loop};
use super::super::correlated_values::{Walk, ranges_at_entry};
use super::super::counter::{Counter, Step, counter};
use super::super::if_combine::array_of;
use super::super::loops;
use super::super::op::{Mem, Op};
use super::super::simplify;
use super::super::ssa::{Func, Inst, Value};
use crate::range::Range;
use hashbrown::HashMap;

/// Returns whether all of the loads are such ones.
pub(super) fn are_in_range(
    func: &mut Func,
    graph: &Graph,
    (outer, inner): (&Loop, &Loop),
    of_outer: Counter,
    loads: &[Inst],
) -> bool {
    if loads.is_empty() {
        return true;
    }
    let mut accesses = Vec::new();
    for load in loads {
        let (array, index) = (array_of(func, func.insts[*load].args[0]), func.insts[*load].args[1]);
        let length = simplify::length(func, array);
        accesses.push((array, index, length));
    }
    let inside = loops::defined(func, inner);
    let of_inner = counter(func, inner, &|value| !inside.contains(value));
    let mut ranges = HashMap::new();
    for (l, counter) in [Some((outer, of_outer)), of_inner.map(|counter| (inner, counter))].into_iter().flatten() {
        let found = ranges_at_entry(func, graph, outer, &ranges, |walk| counted(walk, graph, l, counter));
        ranges.extend(found.map(|range| (counter.param, range)));
    }
    ranges_at_entry(func, graph, outer, &ranges, |walk| {
        let is_within = |index: Value, length: Value| {
            let (index, length) = (walk.range(index, 0), walk.range(length, 0));
            index.least >= 0 && index.most < length.least
        };
        let starts_at_0 = |counter: Counter| ranges.get(&counter.param).is_some_and(|range| range.least >= 0);
        let is_counted = |counter: Counter, array: Value, index: Value, length: Option<Value>| {
            let up = matches!(counter.step, Step::Known(1..)) && counter.slack < 0 && starts_at_0(counter);
            let is_bound = length.is_some_and(|length| walk.func.same(length, counter.bound));
            up && index == counter.param && (is_bound || is_length(walk.func, counter.bound, array))
        };
        let holds = |(array, index, length): &(Value, Value, Option<Value>)| {
            length.is_some_and(|length| is_within(*index, length)) || is_counted(of_outer, *array, *index, *length)
        };
        accesses.iter().all(holds)
    })
}

/// The range of a counter by what it starts with and its bound, if it does not wrap.
fn counted(walk: &Walk<'_>, graph: &Graph, l: &Loop, counter: Counter) -> Option<Range> {
    let entering = graph.preds[l.header].iter().filter(|pred| !l.blocks.contains(pred));
    let into = entering.flat_map(|pred| walk.func.blocks[*pred].term.targets()).filter(|to| to.block == l.header);
    let first = into.map(|to| walk.range(counter.among(walk.func, to), 0)).reduce(Range::hull)?;
    let bound = walk.range(counter.bound, 0);
    let Step::Known(step) = counter.step else { return None };
    let range = match step > 0 {
        true => Range { most: first.most.max(bound.most.checked_add(counter.slack)?), ..first },
        false => Range { least: first.least.min(bound.least.checked_add(counter.slack)?), ..first },
    };
    // The step beyond must not wrap.
    range.least.checked_add(step).and(range.most.checked_add(step)).map(|_| range)
}

/// Returns whether a value is the length of an array.
pub(super) fn is_length(func: &Func, value: Value, of: Value) -> bool {
    let data = func.def_inst(value).map(|inst| &func.insts[inst]);
    data.is_some_and(|data| data.op == Op::Load(Mem::Len) && data.args[0] == of)
}
