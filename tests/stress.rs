//! Under stress, versions of functions come and go at random while a program runs: compiled in any tier, entered by calls and
//! in the middle of loops, left at loop headers. It must not show: output, failure, span and call stack are those of the
//! reference interpreter.
//!
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`.

use holloway::runtime::{Limits, Sink};
use holloway::{Config, Engine, RunError, TierChoice};
use holloway_generator::{Size, program};
use std::fs;
use std::path::Path;

struct Seen {
    shown: String,
    transfers: u64,
}

fn run(tier: TierChoice, stress: Option<u64>, source: &str, args: &[&str]) -> Seen {
    let config = Config {
        tier,
        stress,
        output: Sink::Captured(Vec::new()),
        args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        limits: Limits { fuel: None, time: Some(std::time::Duration::from_secs(20)) },
        ..Config::default()
    };
    let mut engine = Engine::new(config).expect("memory");
    engine.load("program.hw", source).expect("the program compiles");
    let ended = match engine.run() {
        Ok(status) => format!("status {status}"),
        Err(RunError::Failure(failure)) => format!("{failure:?}"),
        Err(other) => format!("{other:?}"),
    };
    let output = String::from_utf8_lossy(&engine.take_output()).into_owned();
    Seen { shown: format!("{output}\n{ended}"), transfers: engine.executor_mut().transfers() }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_programs_do_not_notice() {
    let first = number("HOLLOWAY_FIRST_SEED", 0);
    let mut transfers = 0;
    for seed in first..first + number("HOLLOWAY_PROGRAMS", 30) {
        let source = program(seed, Size::default());
        let expected = run(TierChoice::Interp, None, &source, &[]);
        let found = run(TierChoice::Auto, Some(seed), &source, &[]);
        assert_eq!(found.shown, expected.shown, "seed {seed}:\n{source}");
        transfers += found.transfers;
    }
    assert!(transfers > 0, "no activation ever moved");
}

#[test]
fn the_benchmark_programs_do_not_notice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-programs");
    let expected = fs::read_to_string(folder.join("expected.json")).expect("the file is there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("the file is JSON");
    let mut moved = 0;
    for (nth, (name, entry)) in expected.as_object().expect("an entry for each program").iter().enumerate() {
        let size = entry["sizes"]["small"].to_string();
        let source = fs::read_to_string(folder.join(format!("{name}.hw"))).expect("the program is there");
        let seen = run(TierChoice::Auto, Some(nth as u64), &source, &[&size]);
        let checksum = entry["checksums"][&size].to_string();
        assert_eq!(seen.shown, format!("{checksum}\n\nstatus 0"), "{name}");
        moved += u64::from(seen.transfers > 0);
    }
    assert!(moved > 15, "activations moved in {moved} programs only");
}
