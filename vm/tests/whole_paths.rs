//! Recorded whole paths are the interpreter's block trace, from every tier: on the benchmark programs at their small size, on programs
//! that fail in every way, and on random programs.
//!
//! In: a program. Out: a file, read back and replayed. `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`.

use super::common::interpret::watch;
use super::common::programs::{FAILURES, benchmarks, is_asked_for_more, seeds};
use super::common::{captured, engine, fuel, load, seconds};
use crate::interp::Observer;
use crate::profile::Listening;
use crate::runtime::{Limits, Tape};
use crate::trace::{End, Recording, State, program_of};
use crate::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_lang::ir::{Block, FuncRef};
use holloway_profiler::wpp::{Replay, TwppFile, WholePath};
use std::fs::File;
use std::io::BufReader;

/// Every block that is entered, as its function's number and its own.
#[derive(Default)]
struct Blocks(Vec<(u32, u32)>);

impl Observer for Blocks {
    fn block(&mut self, func: FuncRef, block: Block) {
        self.0.push((func.as_u32(), block.as_u32()));
    }
}

/// A run, recorded into a file and read back; with the interpreter's trace. `None` if it took too long.
fn recorded(tier: TierChoice, source: &str, args: &[&str], limits: Limits) -> Option<(WholePath, Vec<(u32, u32)>)> {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let file = folder.path().join("run.twpp");
    let mut engine = engine(Config { limits, ..captured(tier, args) });
    load(&mut engine, source);
    let recording = Recording::new(program_of(&engine, &[]), &file, None).expect("the file can be written");
    engine.executor_mut().runtime_mut().tape = Tape::Recording(recording.answers());
    let listening = Listening::new(recording);
    engine.executor_mut().listen(&listening.shared());
    if engine.run().is_err_and(|error| error.to_string().contains("time")) {
        return None;
    }
    engine.executor_mut().settle();
    let ended = listening.get().finish(End::ByItself);
    assert!(matches!(ended, State::Recording), "{ended:?}");
    let trace = watch(engine.module(), args, limits, Blocks::default()).0;
    let mut file = TwppFile::open(BufReader::new(File::open(file).expect("it was written"))).expect("it opens");
    Some((file.whole().expect("it is whole"), trace))
}

fn check(tier: TierChoice, source: &str, args: &[&str], limits: Limits, what: &str) {
    let Some((path, trace)) = recorded(tier, source, args, limits) else { return };
    let name = tier.name();
    assert!(path.complete, "{what}, {name}");
    assert_eq!(path.events(), trace.len() as u64, "{what}, {name}\n{source}");
    let mut replay = Replay::new(&path);
    for (nth, expected) in trace.iter().enumerate() {
        let found = replay.forward().map(|event| (event.function.as_u32(), event.block.as_u32()));
        assert_eq!(found, Some(*expected), "{what}, {name}: event {nth}\n{source}");
    }
    assert_eq!(replay.forward(), None, "{what}, {name}");
}

const COMPILED: [TierChoice; 2] = [TierChoice::Baseline, TierChoice::Optimized];

#[test]
fn benchmark_programs_are_replayed() {
    // Each in one of the tiers: the interpreter takes its time.
    for (benchmark, tier) in benchmarks().into_iter().zip(COMPILED.into_iter().cycle()) {
        check(tier, &benchmark.source, &[&benchmark.size], seconds(60), &benchmark.name);
    }
}

#[test]
fn failures_are_replayed() {
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        check(tier, FAILURES, &[], seconds(60), "failures");
    }
}

/// Fuel that ends many programs early, in the middle of calls.
#[test]
fn exhausted_runs_are_replayed() {
    for seed in 0..20 {
        for size in [Size::Small, Size::Medium] {
            let source = program(seed, size);
            for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
                check(tier, &source, &[], fuel(500 + 300 * seed), &format!("seed {seed}"));
            }
        }
    }
}

#[test]
fn random_programs_are_replayed() {
    let sizes: &[Size] = if is_asked_for_more() { &[Size::Small, Size::Medium] } else { &[Size::Small] };
    for seed in seeds(60) {
        for size in sizes {
            let source = program(seed, *size);
            let what = format!("seed {seed}");
            for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
                check(tier, &source, &[], seconds(10), &what);
            }
        }
    }
}
