//! Random programs: each compiles, ends in time, and does the same in every tier.
//!
//! In: `holloway-generator`'s programs of consecutive seeds. Out: a failed test that shows the seed, what differs, and
//! the program reduced to what still differs. `HOLLOWAY_SEEDS=5000` runs more of them, `HOLLOWAY_FIRST_SEED=1000` others.

use holloway::engine::{Config, Engine, FunctionEdges, LoadError, RunError};
use holloway::config::TierChoice;
use holloway::runtime::{Limits, Sink};
use holloway_generator::{Size, minimize, program};

/// Far more calls and loop iterations than any program makes: one that makes more does not end.
const FUEL: u64 = 4_000_000;

/// All that can be seen of a run.
#[derive(PartialEq, Debug)]
struct Seen {
    output: Vec<u8>,
    /// The status, or the failure with its place and stack.
    end: String,
    /// Exact counts, of tiers that count.
    edges: Option<Vec<FunctionEdges>>,
}

/// Runs a program; `None` if it does not compile.
fn run(text: &str, tier: TierChoice) -> Option<Seen> {
    let config = Config {
        tier,
        output: Sink::Captured(Vec::new()),
        limits: Limits { fuel: Some(FUEL), time: None },
        ..Config::default()
    };
    let mut engine = Engine::new(config).expect("there is memory for an engine");
    engine.executor_mut().count_edges();
    match engine.load("generated.hw", text) {
        Ok(()) => {}
        Err(LoadError::Diagnostics(_)) => return None,
        Err(error @ LoadError::Io(..)) => panic!("{error}"),
    }
    let end = match engine.run() {
        Ok(status) => format!("status {status}"),
        Err(RunError::Exit(status)) => format!("exit {status}"),
        Err(RunError::Failure(failure)) => {
            let place = engine.sources().place(failure.span);
            let stack: Vec<_> = failure.stack.iter().map(|frame| engine.sources().place(frame.at)).collect();
            format!("{:?} at {place}, called from {stack:?}", failure.kind)
        }
        Err(error @ RunError::Setup(_)) => panic!("{error}"),
    };
    let counts = matches!(tier, TierChoice::Interp | TierChoice::Baseline);
    let edges = counts.then(|| engine.edge_profile());
    Some(Seen { output: engine.take_output(), end, edges })
}

/// How the tiers differ on a program, if they do.
fn difference(text: &str) -> Option<String> {
    let reference = run(text, TierChoice::Interp)?;
    for tier in [TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto] {
        let seen = run(text, tier)?;
        let part = if seen.end != reference.end {
            format!("it ended with {}, not {}", seen.end, reference.end)
        } else if seen.output != reference.output {
            let at = seen.output.iter().zip(&reference.output).take_while(|(a, b)| a == b).count();
            let near = |output: &[u8]| String::from_utf8_lossy(&output[at.saturating_sub(40)..]).chars().take(90).collect::<String>();
            format!("it printed {:?}, not {:?}", near(&seen.output), near(&reference.output))
        } else if seen.edges.is_some() && seen.edges != reference.edges {
            "its edge counts differ".to_owned()
        } else {
            continue;
        };
        return Some(format!("{tier:?}: {part}"));
    }
    None
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// The seeds to try: `default` many unless the environment says otherwise.
fn seeds(default: u64) -> impl Iterator<Item = u64> {
    let first = number("HOLLOWAY_FIRST_SEED", 0);
    first..first + number("HOLLOWAY_SEEDS", default)
}

fn check_agreement(size: Size, default: u64) {
    for seed in seeds(default) {
        let text = program(seed, size);
        if let Some(found) = difference(&text) {
            let reduced = minimize(&text, |text| difference(text).is_some());
            let left = difference(&reduced).unwrap_or_default();
            panic!("{size:?} program {seed}: {found}\nreduced ({left}):\n{reduced}");
        }
    }
}

#[test]
fn every_program_compiles() {
    for seed in seeds(700) {
        for size in [Size::Small, Size::Medium, Size::Large] {
            let mut engine = Engine::new(Config::default()).expect("there is memory for an engine");
            if let Err(error) = engine.load("generated.hw", program(seed, size)) {
                panic!("{size:?} program {seed}: {error}");
            }
        }
    }
}

#[test]
fn every_program_ends_and_a_fair_part_fails() {
    let (mut failed, mut all) = (0, 0);
    for seed in seeds(300) {
        let seen = run(&program(seed, Size::Medium), TierChoice::Interp).expect("it compiles");
        assert!(!seen.end.contains("Exhausted"), "program {seed} does not end");
        assert!(!seen.end.contains("StackOverflow"), "program {seed} recurses too deep");
        failed += u64::from(!seen.end.starts_with("status") && !seen.end.starts_with("exit"));
        all += 1;
    }
    assert!((all / 10..all / 2).contains(&failed), "{failed} of {all} programs fail");
}

#[test]
fn tiers_agree_on_small_programs() {
    check_agreement(Size::Small, 150);
}

#[test]
fn tiers_agree_on_medium_programs() {
    check_agreement(Size::Medium, 60);
}

#[test]
fn tiers_agree_on_large_programs() {
    check_agreement(Size::Large, 15);
}
