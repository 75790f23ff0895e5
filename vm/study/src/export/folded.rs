//! Folded stacks: a line for each stack, outermost function first, then its weight in microseconds.
//!
//! In: a [`Run`]. Out: what `flamegraph.pl`, `inferno-flamegraph` and speedscope read, sorted. Invariant: the weights add up to those of the samples,
//! rounded once: what a line is rounded by goes to the next one.

use super::stacks::{Names, Place, places, weights};
use crate::run::Run;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The stacks of a run.
pub(super) fn text(run: &Run) -> String {
    let names = Names::of(run);
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for (stack, _, nanos) in weights(run) {
        let stack: Vec<String> = places(run, stack).into_iter().map(|place| name(run, &names, place)).collect();
        *lines.entry(stack.join(";")).or_default() += nanos;
    }
    let micros = |nanos: u64| (nanos + 500) / 1000;
    let (mut text, mut so_far) = (String::new(), 0);
    for (stack, nanos) in lines {
        let weight = micros(so_far + nanos) - micros(so_far);
        so_far += nanos;
        if weight > 0 {
            writeln!(text, "{stack} {weight}").expect("strings take all text");
        }
    }
    text
}

/// The name of a place in a folded stack, where some characters have a meaning.
pub(super) fn name(run: &Run, names: &Names, place: Place) -> String {
    let mark = |c: char| if c == ';' { ':' } else { c };
    names.place(run, place).chars().map(|c| if c.is_control() { ' ' } else { mark(c) }).collect()
}
