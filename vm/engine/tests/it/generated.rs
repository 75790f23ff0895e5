//! Assumptions of `agreement` about random programs: they compile, they end, and neither all nor none of them fail.
//!
//! In: `holloway-generator`'s programs of consecutive seeds; `HOLLOWAY_PROGRAMS=5000` tries that many and
//! `HOLLOWAY_FIRST_SEED` sets the first, as in `tests/agreement.rs`. Out: a failed test that names the seed.

use super::common::programs::seeds;
use super::common::{captured, engine, fuel};
use holloway::{Config, Engine, RunError, TierChoice};
use holloway_generator::{Size, program};

/// Far more calls and loop iterations than any program makes: one that makes more does not end.
const FUEL: u64 = 4_000_000;
/// Far more output than a test wants to compare.
const OUTPUT: usize = 4 << 20;

fn loaded(seed: u64, size: Size) -> Engine {
    let mut engine = engine(Config { limits: fuel(FUEL), ..captured(TierChoice::Interp, &[]) });
    if let Err(error) = engine.load("generated.hw", program(seed, size)) {
        panic!("{size:?} program {seed}: {error}");
    }
    engine
}

#[test]
fn every_program_compiles() {
    for seed in seeds(66) {
        for size in [Size::Small, Size::Medium, Size::Large] {
            drop(loaded(seed, size));
        }
    }
}

#[test]
fn every_program_ends_and_a_fair_part_fails() {
    let (mut failed, mut all, mut caught) = (0, 0, 0);
    for seed in seeds(100) {
        let mut engine = loaded(seed, Size::Medium);
        match engine.run() {
            Ok(_) | Err(RunError::Exit(_)) => {}
            Err(RunError::Failure(failure)) => {
                let message = failure.kind.to_string();
                let is_limit = ["out of fuel", "out of time", "stack overflow"].contains(&message.as_str());
                assert!(!is_limit, "program {seed}: {message}");
                failed += 1;
            }
            Err(error @ RunError::Setup(_)) => panic!("program {seed}: {error}"),
        }
        let output = engine.take_output();
        assert!(output.len() < OUTPUT, "program {seed} prints {} bytes", output.len());
        caught += u64::from(output.windows(7).any(|bytes| bytes == b"caught "));
        all += 1;
    }
    assert!((all / 10..all / 2).contains(&failed), "{failed} of {all} programs fail");
    assert!(caught > all / 4, "{caught} of {all} programs tell of a failure that they caught");
}
