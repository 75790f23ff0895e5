//! Redundant loads: a version of an innermost loop without the loads that a recorded run found to be redundant [ZG01].
//!
//! ```text
//!   L: x = a[i]; a[i + n] = y; z = a[i] -> L          n != 0? -> L: x = a[i]; a[i + n] = y -> L, with x for z
//!                                                            \-> L: as it was
//! ```
//!
//! A load is redundant where the same place was accessed before in the same iteration, unless a store in between is to the same element. A test ahead of the
//! loop says that none is: the indices are always as far apart there, or the objects are different ones. Where a constant distance says so, no test
//! is needed. The advice only tells for which loads this is likely to hold; the tests prove it.
//!
//! Requires: rotated loops, no failure handlers. Preserves: everything; the tests have no effects, and only loads go.
//!
//! [ZG01] Y. Zhang, R. Gupta, "Timestamped Whole Program Path Representation and its Applications", PLDI 2001, section 4.3.1.

mod distance;
mod known;

use super::Changed;
use super::cfg::{Graph, Loop};
use super::loops;
use super::replacements::Replacements;
use super::ssa::{Block, Func, Inst, InstData, Mem, Op, Value};
use super::version::{Wanted, version};
use super::visit::innermost;
use crate::settings::loop_versioning::MAX_SIZE;
use crate::settings::redundant_loads::MAX_TESTS;
use distance::{Distance, distance};
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};
use known::known;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.redundant.is_empty() || func.has_handlers() {
        return Changed::No;
    }
    let mut changed = Changed::No;
    let versioned = innermost(func, |func, graph, l| {
        let found = Found::of(func, graph, l)?;
        changed = Changed::Yes;
        let made = (!found.tests.is_empty()).then(|| version(func, graph, l, |func, at| found.wanted(func, at)));
        for block in &l.blocks {
            func.blocks[*block].insts.retain(|inst| !found.loads.contains_key(inst));
        }
        let mut with = Replacements::new(func);
        with.extend(found.loads.iter().filter_map(|(load, known)| Some((func.insts[*load].result?, *known))));
        with.apply(func);
        Some(made.unwrap_or(l.header))
    });
    changed.or(versioned)
}

/// A test ahead of the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    /// Two objects are different ones.
    Different(Value, Value),
    /// A distance is not 0.
    Apart(Distance),
}

/// Loads that may go, each with the value that is known, and what must hold for it.
#[derive(Default)]
struct Found {
    loads: HashMap<Inst, Value>,
    tests: Vec<Test>,
}

impl Found {
    fn of(func: &Func, graph: &Graph, l: &Loop) -> Option<Found> {
        let size: usize = l.blocks.iter().map(|block| func.blocks[*block].insts.len()).sum();
        if func.blocks[l.header].cold || size > MAX_SIZE {
            return None;
        }
        let inside = loops::defined(func, l);
        let invariant = |value: Value| !inside.contains(value);
        let mut found = Found::default();
        for block in &l.blocks {
            for (at, inst) in func.blocks[*block].insts.iter().enumerate() {
                let load = &func.insts[*inst];
                let is_of_object = matches!(load.op, Op::Load(Mem::Elem(_) | Mem::Field(..)));
                if !is_of_object || !func.redundant.contains(&load.site) {
                    continue;
                }
                let Some((value, stores)) = known(func, graph, l, (*block, at)) else { continue };
                let apart = stores.iter().map(|store| ways_apart(func, &func.insts[*store], load, &invariant));
                let Some(ways) = apart.collect::<Option<Vec<WaysApart>>>() else { continue };
                let tests = with_tests(&found.tests, &ways);
                if tests.len() <= MAX_TESTS {
                    found.tests = tests;
                    found.loads.insert(*inst, value);
                }
            }
        }
        (!found.loads.is_empty()).then_some(found)
    }

    /// The conditions under which no store is to an element that is then read, computed at the end of a block.
    fn wanted(&self, func: &mut Func, block: Block) -> Vec<Wanted> {
        let site = func.blocks[block].term_site;
        let mut wanted = Vec::new();
        for test in &self.tests {
            wanted.push(match test {
                Test::Apart(distance) => (distance.is_not_0(func, block), true),
                Test::Different(a, b) => {
                    let same = Op::Binary(BinaryOp::RefEq);
                    let same = func.push(block, same, [*a, *b], Some(Scalar::Bool), site);
                    (same.expect("an operator has a result"), false)
                }
            });
        }
        wanted
    }
}

/// Tests of which each tells alone that a store is elsewhere; none if it always is.
type WaysApart = Vec<Test>;

/// The ways in which a store may be known to be elsewhere than a load; `None` if there are none.
fn ways_apart(func: &Func, store: &InstData, load: &InstData, invariant: &impl Fn(Value) -> bool) -> Option<WaysApart> {
    let (written, read) = (store.args[0], load.args[0]);
    let mut ways = Vec::new();
    if let Op::Load(Mem::Elem(_)) = load.op
        && let Some(distance) = distance(func, store.args[1], load.args[1], invariant)
    {
        match distance.constant() {
            Some(0) => {}
            Some(_) => return Some(Vec::new()),
            None => ways.push(Test::Apart(distance)),
        }
    }
    if invariant(written) && invariant(read) && !func.same(written, read) {
        ways.push(Test::Different(written.min(read), written.max(read)));
    }
    (!ways.is_empty()).then_some(ways)
}

/// Some tests with those that stores need: first where there is one way only, as that may do for others.
fn with_tests(tests: &[Test], stores: &[WaysApart]) -> Vec<Test> {
    let mut tests = tests.to_vec();
    let single = stores.iter().filter(|ways| ways.len() == 1);
    let several = stores.iter().filter(|ways| ways.len() > 1);
    for ways in single.chain(several) {
        if !ways.iter().any(|way| tests.contains(way)) {
            // The last one compares objects, which differ more often than indices.
            tests.extend(ways.last().cloned());
        }
    }
    tests
}
