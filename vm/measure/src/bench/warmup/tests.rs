//! Results of runs, with made-up figures and with shell scripts in place of languages.

use super::super::child::CommandLine;
use super::*;
use crate::bench::select;

fn warmup(until_warm: u64, steady: u64) -> Warmup {
    let (until_warm, steady) = (Duration::from_micros(until_warm), Duration::from_micros(steady));
    Warmup { until_warm, steady, units: 100 }
}

fn made_up() -> WarmupResults {
    let wrong = Fault::WrongChecksum { expected: "1".to_owned(), found: "2".to_owned() };
    WarmupResults {
        tier: TierChoice::Auto,
        rounds: Rounds::new(3).unwrap(),
        run: Duration::from_secs(3),
        contenders: vec!["holloway", "java"],
        absent: vec!["pypy3"],
        programs: vec![
            ("fib", vec![Ok(vec![warmup(4000, 10), warmup(5000, 11), warmup(90_000, 12)]), Err(wrong)]),
            ("sieve", vec![Ok(vec![warmup(20_000, 44)]), Ok(vec![warmup(250_000, 1234)])]),
        ],
    }
}

#[test]
fn tables() {
    insta::assert_snapshot!(report::render(&made_up()), @"
    Holloway --tier auto, units of size small: medians of 3 runs of 3 s in turn

    Milliseconds from the start of the process until 90% of its steady speed

    program         holloway    java
    --------------------------------
    fib                  5.0  FAILED
    sieve               20.0   250.0
    --------------------------------
    geometric mean      10.0   250.0

    Milliseconds a unit at steady speed

    program         holloway    java
    --------------------------------
    fib                0.011  FAILED
    sieve              0.044   1.234
    --------------------------------
    geometric mean     0.022   1.234

    Not installed, left out: pypy3
    ");
}

#[test]
fn everything_is_in_the_json() {
    let value = report::json(&made_up());
    let own = &value["programs"][0]["results"]["holloway"];
    assert_eq!((own["until_warm"].as_f64(), own["steady"].as_f64()), (Some(0.005), Some(0.000_011)));
    assert_eq!((own["rounds"][2]["until_warm"].as_f64(), own["rounds"][0]["units"].as_u64()), (Some(0.09), Some(100)));
    assert_eq!(value["programs"][0]["results"]["java"]["error"], "WRONG CHECKSUM: expected 1, printed 2");
    assert_eq!(value["summary"]["java"]["until_warm"], 0.25);
    assert_eq!((value["ok"].as_bool(), value["absent"][0].as_str()), (Some(false), Some("pypy3")));
}

/// The outcomes, up to the first line of each, of scripts that run in place of contenders on fib, whose checksum is
/// 6765.
fn outcomes(scripts: &[&str]) -> Vec<String> {
    let fib = select(&["fib".to_owned()]).unwrap()[0];
    let recipe = |script: &&str| Recipe { build: None, run: CommandLine::new("/bin/sh", ["-c", script], "/") };
    let recipes: Vec<Recipe> = scripts.iter().map(recipe).collect();
    let config = WarmupConfig {
        programs: vec![fib],
        tier: TierChoice::Auto,
        disabled_passes: vec![],
        rounds: Rounds::new(2).unwrap(),
        run: Duration::ZERO,
        format: OutputFormat::Text,
        progress: Progress::Silent,
        executable: "/no/such".into(),
    };
    let outcomes = take_turns(&fib, &recipes, &config, &Children::default(), |_| {}).unwrap();
    outcomes.into_iter().map(|outcome| outcome.unwrap_err().to_string()).collect()
}

#[test]
fn what_goes_wrong_is_told() {
    let shown = outcomes(&["echo 6765; sleep 1000", "echo 'oh no' >&2; exit 3", "echo 1; sleep 1000"]);
    insta::assert_snapshot!(shown.join("\n"), @r"
    completed only 1 units of work
    ended with exit status: 3: oh no
    WRONG CHECKSUM: expected 6765, printed 1
    ");
}
