//! The passes in order.
//!
//! In: what is to be optimized, and passes to leave out. Out: the function after all passes, or after one of them.
//! Invariant: each row has a name of its own. A pass that runs again has a name that starts with that of its first row.
//! `docs/passes.md` describes every pass.

use super::assignments::Assignment;
use super::construct::Input;
use super::ssa::Func;
use super::{
    Changed, construct, correlated_values, count_merging, dispatch_replication, fall_through, guess, gvn, if_combine,
    if_conversion, induction, jump_threading, layout, licm, loop_versioning, narrow, pre_increment, range_tests,
    reassociate, redundant_loads, rotate, scalar_replace, simplify, state_threading, store_sinking, store_to_load,
    sweep, unroll, unroll_and_jam, verify,
};
use crate::backend::timings;

pub use super::options::{ARRAYS, BUILD, INLINE, INLINE_OBSERVED, Options};

/// A row of the table.
pub struct Pass {
    /// Its name, for `--after` and `--disable-pass`.
    pub name: &'static str,
    run: fn(&mut Func) -> Changed,
}

impl Pass {
    /// Runs it over a function.
    pub fn run(&self, func: &mut Func) -> Changed {
        (self.run)(func)
    }
}

/// Every pass, in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass { name: "simplify", run: simplify::run },
    Pass { name: "sweep", run: sweep::run },
    Pass { name: "scalar-replace", run: scalar_replace::run },
    Pass { name: "gvn", run: gvn::run },
    Pass { name: "correlated-values", run: correlated_values::run },
    Pass { name: "simplify-known", run: simplify::run },
    Pass { name: "sweep-known", run: sweep::run },
    Pass { name: "gvn-known", run: gvn::run },
    Pass { name: "correlated-values-known", run: correlated_values::run },
    Pass { name: "simplify-straight", run: simplify::run },
    Pass { name: "sweep-straight", run: sweep::run },
    Pass { name: "jump-threading", run: jump_threading::run },
    Pass { name: "sweep-threaded", run: sweep::run },
    Pass { name: "guess", run: guess::run },
    Pass { name: "range-tests", run: range_tests::run },
    Pass { name: "if-combine", run: if_combine::run },
    Pass { name: "if-conversion", run: if_conversion::run },
    Pass { name: "sweep-selects", run: sweep::run },
    Pass { name: "pre-increment", run: pre_increment::run },
    Pass { name: "rotate", run: rotate::run },
    Pass { name: "sweep-rotated", run: sweep::run },
    Pass { name: "licm", run: licm::run },
    Pass { name: "store-to-load-forwarding", run: store_to_load::run },
    Pass { name: "induction", run: induction::run },
    Pass { name: "unroll-and-jam", run: unroll_and_jam::run },
    Pass { name: "loop-versioning", run: loop_versioning::run },
    Pass { name: "redundant-loads", run: redundant_loads::run },
    Pass { name: "simplify-versions", run: simplify::run },
    Pass { name: "gvn-versions", run: gvn::run },
    Pass { name: "correlated-values-versions", run: correlated_values::run },
    Pass { name: "simplify-rotated", run: simplify::run },
    Pass { name: "licm-versions", run: licm::run },
    Pass { name: "sweep-versions", run: sweep::run },
    Pass { name: "unroll", run: unroll::run },
    Pass { name: "sweep-unrolled", run: sweep::run },
    Pass { name: "reassociate", run: reassociate::run },
    Pass { name: "narrow", run: narrow::run },
    Pass { name: "simplify-unrolled", run: simplify::run },
    Pass { name: "gvn-unrolled", run: gvn::run },
    Pass { name: "sweep-last", run: sweep::run },
    Pass { name: "merge-counts", run: count_merging::run },
    Pass { name: "state-threading", run: state_threading::run },
    Pass { name: "dispatch-replication", run: dispatch_replication::run },
    Pass { name: "sweep-states", run: sweep::run },
    Pass { name: "store-sinking", run: store_sinking::run },
    Pass { name: "sweep-sunk", run: sweep::run },
    Pass { name: "fall-through", run: fall_through::run },
    Pass { name: "layout", run: layout::run },
];

/// The passes that find something in code which another compiler has optimized; the others run on its traces alone.
const AGAIN: &[&str] = &[
    "simplify",
    "sweep",
    "gvn",
    "sweep-known",
    "state-threading",
    "dispatch-replication",
    "sweep-states",
    "fall-through",
    "layout",
];

/// Builds and optimizes a function.
pub fn optimize(input: &Input<'_>, options: &Options) -> Func {
    optimized(input, options, timings::timed(BUILD, || construct::build(input)))
}

/// Builds and optimizes a plain function that is entered by calls; gives its assignments of named locals too.
pub fn optimize_recorded(input: &Input<'_>, options: &Options) -> (Func, Vec<Assignment>) {
    let func = optimized(input, options, construct::build_recorded(input));
    let assignments = func.record.as_ref().expect("it is kept").assignments(&func);
    (func, assignments)
}

fn optimized(input: &Input<'_>, options: &Options, mut func: Func) -> Func {
    func.redundant = options.redundant.sites(&func.sites);
    check(input, &func, BUILD);
    let is_plain = input.traces.is_none() && input.inlined_traces.is_empty();
    let is_wanted = |pass: &Pass| !(is_plain && input.module.is_optimized()) || AGAIN.contains(&pass.name);
    let passes = if options.until.as_deref() == Some(BUILD) { &[] } else { PASSES };
    // Those that found nothing to do, and would not now either.
    let mut idle: Vec<&Pass> = Vec::new();
    for pass in passes {
        if !options.leaves_out(pass.name)
            && is_wanted(pass)
            && !idle.iter().any(|other| std::ptr::fn_addr_eq(other.run, pass.run))
        {
            match timings::timed(pass.name, || pass.run(&mut func)) {
                Changed::No => idle.push(pass),
                Changed::Yes => idle.clear(),
            }
            note(&mut func, pass.name);
            check(input, &func, pass.name);
        }
        if options.until.as_deref() == Some(pass.name) {
            break;
        }
    }
    func
}

/// Tells the record what a pass did.
fn note(func: &mut Func, pass: &'static str) {
    if let Some(mut record) = func.record.take() {
        record.after(func, pass);
        func.record = Some(record);
    }
}

fn check(input: &Input<'_>, func: &Func, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(problem) = verify::verify(input.module, func)
    {
        panic!("after `{pass}`, `{}`: {problem}", input.body.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opt::options::COPYING;

    #[test]
    fn passes_that_are_named_are_rows() {
        let is_row = |name: &&str| PASSES.iter().any(|pass| pass.name == *name);
        assert!(COPYING.iter().chain(AGAIN).all(is_row));
    }
}
