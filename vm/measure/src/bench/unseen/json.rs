//! The programs of a folder as JSON.
//!
//! `bench --unseen DIR --json`: `{"folder", "compiler", "rounds", "programs": [{"name", "size", "size_from": "given",
//! "expected" or "found", "output", "results": {contestant: {"cpu": [by round], "wall": [by round], "min": least CPU
//! time} or {"error": text}}, "ratios": {comparison: {"value", "interval": [from, to] or null, "confidence"} or null},
//! "saved": by path-driven versions, or null, "versions": as of `--ablation`}], "summary": {comparison:
//! {"geometric_mean", "by_rounds", "by_programs": [from, to] or null, "worst": {"program", "value"}} or null},
//! "gaining": {"least", "programs": [names]}, "agreement": as of `--ablation`, "skipped": [{"name", "why"}],
//! "without_c": [names], "faults": [text], "ok"}`. Times are in seconds. Contestants are `gcc`, `optimized`, `auto` and
//! `without`; comparisons are `optimized/gcc`, `auto/gcc`, `auto/optimized` and `auto/without`.

use serde_json::{Map, Value, json};

use super::super::gains::{Specialized, agreements};
use super::super::race::{Outcome, Run};
use super::super::statistics::Interval;
use super::contestant::{Comparison, Contestant};
use super::results::{Measured, SizeOrigin, Skipped, Unseen};
use crate::settings::TOLD_GAIN;

/// The results for programs.
pub fn json(unseen: &Unseen) -> Value {
    let skipped = |Skipped { name, why }: &Skipped| json!({ "name": name, "why": why });
    let faults = unseen.faults();
    json!({
        "folder": unseen.folder.display().to_string(),
        "compiler": unseen.compiler,
        "rounds": unseen.rounds,
        "programs": unseen.programs.iter().map(program).collect::<Vec<_>>(),
        "summary": by_comparison(|comparison| summary(unseen, comparison)),
        "gaining": { "least": TOLD_GAIN, "programs": unseen.gaining() },
        "agreement": agreements(&unseen.gains()),
        "skipped": unseen.skipped.iter().map(skipped).collect::<Vec<_>>(),
        "without_c": unseen.alone,
        "faults": faults,
        "ok": faults.is_empty(),
    })
}

fn by_comparison(value: impl Fn(Comparison) -> Value) -> Map<String, Value> {
    Comparison::ALL.into_iter().map(|comparison| (comparison.name(), value(comparison))).collect()
}

fn program(measured: &Measured) -> Value {
    let results: Map<String, Value> = Contestant::ALL
        .into_iter()
        .zip(&measured.outcomes)
        .map(|(contestant, outcome)| (contestant.name().to_owned(), result(outcome)))
        .collect();
    let ratio = |comparison| {
        let interval = measured.interval(comparison);
        let confidence = interval.map(|interval| interval.confidence);
        let with = |value: f64| json!({ "value": value, "interval": interval.map(ends), "confidence": confidence });
        measured.ratio(comparison).map_or(Value::Null, with)
    };
    json!({
        "name": measured.name,
        "size": measured.size,
        "size_from": match measured.from {
            SizeOrigin::Given => "given",
            SizeOrigin::Expected => "expected",
            SizeOrigin::Found(_) => "found",
        },
        "output": measured.output,
        "results": results,
        "ratios": by_comparison(ratio),
        "saved": measured.saved(),
        "versions": measured.versions.iter().map(Specialized::json).collect::<Vec<_>>(),
    })
}

fn result(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Failed(fault) => json!({ "error": fault.to_string() }),
        Outcome::Absent => Value::Null,
        Outcome::Measured(series) => {
            let seconds = |time: &dyn Fn(&Run) -> f64| series.runs.iter().map(time).collect::<Vec<f64>>();
            json!({
                "cpu": seconds(&|run| run.cpu.as_secs_f64()),
                "wall": seconds(&|run| run.wall.as_secs_f64()),
                "min": series.least_cpu().as_secs_f64(),
            })
        }
    }
}

fn summary(unseen: &Unseen, comparison: Comparison) -> Value {
    unseen.summary(comparison).map_or(Value::Null, |summary| {
        let (program, value) = summary.worst;
        json!({
            "geometric_mean": summary.mean,
            "by_rounds": summary.by_rounds.map(ends),
            "by_programs": summary.by_programs.map(ends),
            "worst": { "program": program, "value": value },
        })
    })
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.from, interval.to]
}
