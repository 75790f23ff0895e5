//! Recorded whole paths are the interpreter's block trace, from every tier: on the benchmark programs, on programs that fail in every
//! way, and on random programs.
//!
//! In: a program. Out: a file, read back and replayed beside the interpreter, so that no trace is in memory. `HOLLOWAY_PROGRAMS` and
//! `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`; with the first, the benchmark programs run at their middle size.

use super::common::interpret::watch;
use super::common::programs::{FAILURES, benchmarks_at, every_eighth, is_asked_for_more, seeds};
use super::common::{captured, engine, fuel, load, patient};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_lang::ir::{Block, FuncRef, Module};
use holloway_profiler::wpp::{Replay, TwppFile, WholePath};
use holloway_runtime::Limits;
use holloway_study::trace::{End, State, record};
use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

/// A replay that is compared with the interpreter's execution, block by block.
struct Compared<'a> {
    replay: Replay<'a>,
    /// Blocks that were entered.
    entered: u64,
    /// The first difference: what is entered, and what the replay holds.
    difference: Option<(BlockKey, Option<BlockKey>)>,
}

/// A function's number and a block's.
type BlockKey = (u32, u32);

impl Compared<'_> {
    fn next(&mut self) -> Option<BlockKey> {
        self.replay.forward().map(|event| (event.function.as_u32(), event.block.as_u32()))
    }
}

impl Observer for Compared<'_> {
    fn block(&mut self, func: FuncRef, block: Block) {
        if self.difference.is_none() {
            let (entered, replayed) = ((func.as_u32(), block.as_u32()), self.next());
            self.difference = (replayed != Some(entered)).then_some((entered, replayed));
            self.entered += 1;
        }
    }
}

/// A run, recorded into a file and read back; with its program. `None` if it took too long.
fn recorded(tier: TierChoice, source: &str, args: &[&str], limits: Limits) -> Option<(WholePath, Arc<Module>)> {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = folder.path().join("run.twpp");
    let mut engine = engine(Config { limits, ..captured(tier, args) });
    load(&mut engine, source);
    let listening = record(&mut engine, (&[], None), &file, None).expect("the file can be written");
    if engine.run().is_err_and(|error| error.to_string().contains("time")) {
        return None;
    }
    engine.executor_mut().settle();
    let ended = listening.get().finish(End::ByItself);
    assert!(matches!(ended, State::Recording), "{ended:?}");
    let mut file = TwppFile::open(BufReader::new(File::open(file).expect("it was written"))).expect("it opens");
    Some((file.whole().expect("it is whole"), Arc::clone(engine.module())))
}

fn check(tier: TierChoice, source: &str, args: &[&str], limits: Limits, what: &str) {
    let Some((path, module)) = recorded(tier, source, args, limits) else { return };
    let what = format!("{what}, {}", tier.name());
    assert!(path.complete, "{what}");
    let compared = Compared { replay: Replay::new(&path), entered: 0, difference: None };
    let mut compared = watch(&module, args, limits, compared);
    assert_eq!(compared.difference, None, "{what}: block {}\n{source}", compared.entered);
    assert_eq!((compared.entered, compared.next()), (path.events(), None), "{what}\n{source}");
}

const COMPILED: [TierChoice; 2] = [TierChoice::Baseline, TierChoice::Optimized];

#[test]
fn benchmark_programs_are_replayed() {
    let programs = if is_asked_for_more() { benchmarks_at("mid") } else { every_eighth(0) };
    // Each in one of the tiers: the interpreter takes its time.
    for (benchmark, tier) in programs.into_iter().zip(COMPILED.into_iter().cycle()) {
        check(tier, &benchmark.source, &[&benchmark.size], patient(), &benchmark.name);
    }
}

#[test]
fn failures_are_replayed() {
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        check(tier, FAILURES, &[], patient(), "failures");
    }
}

/// Fuel that ends many programs early, in the middle of calls.
#[test]
fn exhausted_runs_are_replayed() {
    for seed in 0..8 {
        for size in [Size::Small, Size::Medium] {
            let source = program(seed, size);
            for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
                check(tier, &source, &[], fuel(500 + 300 * seed), &format!("seed {seed}"));
            }
        }
    }
}

/// Fuel that runs out at each place where some is spent: entries and back edges.
#[test]
fn runs_end_in_the_same_block_wherever_fuel_runs_out() {
    let source = "fn inc(x: int) -> int { return x + 1 }
fn sum(n: int) -> int {
    var s = 0
    while s < n { s = inc(s) }
    return s
}
var s = 0
for i in 0..5 { s = inc(s) + sum(i) }
print(s)
";
    for units in 0..45 {
        for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
            check(tier, source, &[], fuel(units), &format!("{units} units"));
        }
    }
}

#[test]
fn random_programs_are_replayed() {
    let sizes: &[Size] = if is_asked_for_more() { &[Size::Small, Size::Medium] } else { &[Size::Small] };
    for seed in seeds(20) {
        for size in sizes {
            let source = program(seed, *size);
            let what = format!("seed {seed}");
            for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
                check(tier, &source, &[], patient(), &what);
            }
        }
    }
}
