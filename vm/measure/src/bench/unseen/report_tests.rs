//! Figures and layout, from made-up measurements.

use super::super::super::child::PeakMemory;
use super::super::super::gains::Specialized;
use super::super::super::race::{Fault, Outcome, Run, Series};
use super::super::json::json;
use super::super::results::Skipped;
use super::*;
use crate::extent::Rounds;
use holloway_aos::version::VersionState;

fn measured(milliseconds: [u64; 6]) -> Outcome {
    let run = |cpu: u64| Run {
        wall: Duration::from_millis(2 * cpu),
        cpu: Duration::from_millis(cpu),
        peak_memory: PeakMemory::Exactly(1),
    };
    Outcome::Measured(Series { runs: milliseconds.map(run).to_vec() })
}

fn version(line: u32, expected: f64, measured: Option<f64>) -> Specialized {
    Specialized {
        function: "run".to_owned(),
        line,
        form: "trace, forest".to_owned(),
        expected,
        measured: measured.map(|gain| (gain, (gain - 0.05, gain + 0.05))),
        outcome: VersionState::Live,
    }
}

fn program(name: &str, from: SizeOrigin, outcomes: [Outcome; 4], versions: Vec<Specialized>) -> Measured {
    let output = "42".to_owned();
    Measured { name: name.to_owned(), size: 300, from, output, outcomes: outcomes.to_vec(), versions }
}

/// Two programs, of which one gains, and one with a wrong output; and two that are left out.
fn unseen() -> Unseen {
    let gaining = [
        measured([500, 510, 500, 500, 500, 500]),
        measured([600, 600, 600, 600, 606, 600]),
        measured([400, 408, 440, 400, 400, 400]),
        measured([500, 500, 500, 500, 500, 500]),
    ];
    let losing = [
        measured([1000, 1000, 1000, 1000, 1000, 1000]),
        measured([1000, 1100, 1000, 1000, 1000, 1000]),
        measured([1100, 1210, 1100, 1100, 1100, 1100]),
        measured([1000, 1000, 1000, 1000, 1000, 1000]),
    ];
    let wrong = Fault::WrongChecksum { expected: "42".to_owned(), found: "43".to_owned() };
    let one_wrong = [measured([200; 6]), measured([300; 6]), Outcome::Failed(wrong), measured([250; 6])];
    let found = SizeOrigin::Found(Duration::from_millis(510));
    Unseen {
        folder: "programs".into(),
        compiler: "gcc",
        rounds: Rounds::new(6).unwrap(),
        programs: vec![
            program(
                "gaining",
                SizeOrigin::Expected,
                gaining,
                vec![version(3, 0.15, Some(0.25)), version(9, 0.1, None)],
            ),
            program("losing", found, losing, vec![version(7, 0.05, Some(-0.05))]),
            program("one_wrong", SizeOrigin::Given, one_wrong, vec![]),
        ],
        skipped: vec![Skipped { name: "broken".to_owned(), why: "its C program could not be built: oh no".to_owned() }],
        alone: vec!["alone".to_owned()],
    }
}

#[test]
fn tables() {
    insta::assert_snapshot!(text(&unseen()));
    assert_eq!(unseen().faults(), ["one_wrong: auto WRONG CHECKSUM: expected 42, printed 43"]);
}

#[test]
fn ratios_are_of_least_times_and_intervals_of_rounds() {
    let all = unseen();
    let (gaining, losing) = (&all.programs[0], &all.programs[1]);
    let near = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?}");
    near(gaining.ratio(Comparison::AutoToC), 0.8);
    near(gaining.ratio(Comparison::AutoToWithout), 0.8);
    near(losing.saved(), -0.1);
    let interval = gaining.interval(Comparison::AutoToWithout).unwrap();
    assert_eq!((interval.from, interval.to), (0.8, 0.88));
    // A disturbance of a whole round lengthens both.
    let interval = losing.interval(Comparison::AutoToOptimized).unwrap();
    assert!((interval.from - 1.1).abs() < 1e-9 && (interval.to - 1.1).abs() < 1e-9, "{interval:?}");
    assert_eq!(all.programs[2].ratio(Comparison::AutoToWithout), None);

    let summary = all.summary(Comparison::AutoToWithout).unwrap();
    near(Some(summary.mean), (0.8_f64 * 1.1).sqrt());
    assert_eq!(summary.worst, ("losing".to_owned(), 1.1));
    let by_rounds = summary.by_rounds.unwrap();
    near(Some(by_rounds.from), (0.8_f64 * 1.1).sqrt());
    near(Some(by_rounds.to), (0.88_f64 * 1.1).sqrt().max((0.816_f64 * 1.21).sqrt()));
    assert_eq!(all.gaining(), ["gaining"]);
    // With C there are three of the optimized tier.
    near(all.summary(Comparison::OptimizedToC).map(|summary| summary.mean), (1.2_f64 * 1.0 * 1.5).cbrt());
}

#[test]
fn programs_read_the_same() {
    let value = json(&unseen());
    let gaining = &value["programs"][0];
    assert_eq!(
        (&gaining["size"], &gaining["size_from"], &gaining["output"]),
        (&300.into(), &"expected".into(), &"42".into())
    );
    assert_eq!(gaining["results"]["auto"]["min"], 0.4);
    assert_eq!(gaining["results"]["gcc"]["cpu"][1], 0.51);
    assert_eq!(gaining["ratios"]["auto/without"]["interval"], serde_json::json!([0.8, 0.88]));
    assert_eq!(gaining["ratios"]["auto/without"]["confidence"], 0.96875);
    let wrong = &value["programs"][2];
    assert_eq!(wrong["results"]["auto"]["error"], "WRONG CHECKSUM: expected 42, printed 43");
    assert_eq!((&wrong["ratios"]["auto/gcc"], &wrong["saved"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(value["summary"]["auto/without"]["worst"]["program"], "losing");
    assert_eq!(value["gaining"]["programs"], serde_json::json!(["gaining"]));
    let agreement = &value["agreement"]["expected_measured"];
    assert_eq!((&agreement["pairs"], &agreement["correlation"]), (&2.into(), &serde_json::Value::Null));
    assert!((agreement["mean_absolute_error"].as_f64().unwrap() - 0.1).abs() < 1e-9);
    assert_eq!(value["skipped"][0]["name"], "broken");
    assert_eq!((&value["without_c"], &value["ok"]), (&serde_json::json!(["alone"]), &false.into()));
}

#[test]
fn a_folder_of_which_nothing_was_measured_is_a_fault() {
    let nothing = Unseen { programs: Vec::new(), ..unseen() };
    assert_eq!(nothing.faults(), ["no program was measured"]);
    let shown = text(&nothing);
    assert!(shown.contains("Not measured:\n  broken: its C program could not be built"), "{shown}");
    assert!(json(&nothing)["summary"]["auto/gcc"].is_null());
}
