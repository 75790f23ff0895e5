//! Results as JSON.
//!
//! `bench --json`: `{"tier", "size", "rounds", "contenders": [names], "baseline": name or null, "absent": [names],
//! "programs": [{"name", "size", "checksum", "results": {contender: result}}], "summary": {contender:
//! {"geometric_mean", "worst": {"program", "value"}}}, "ok"}`. A result is `{"seconds": [by round], "min", "median",
//! "peak_memory": bytes, "peak_memory_exact", "ratio": to the baseline or null}`, `{"error": text}`, or `{"absent": true}`
//! of a program that is not written in that language. The summary is over the ratios where there is a baseline, otherwise over the least times in seconds.
//!
//! `bench --startup --json`: `{"tier", "rounds", "absent", "startup": {contender: {"command", ...result}}, "ok"}`.

use serde_json::{Map, Value, json};

use super::child::PeakMemory;
use super::race::Outcome;
use super::results::{Results, StartupResults};

/// The JSON of `bench --json`.
pub fn results(results: &Results) -> Value {
    let contenders = || results.contenders.iter().enumerate();
    let programs: Vec<Value> = results
        .programs
        .iter()
        .map(|program| {
            let of_contender = |(at, name): (usize, &&str)| {
                let mut result = outcome(&program.outcomes[at]);
                if program.outcomes[at].series().is_some() {
                    let ratio = results.baseline.and_then(|_| results.figure(program, at));
                    result.insert("ratio".to_owned(), json!(ratio));
                }
                ((*name).to_owned(), Value::Object(result))
            };
            json!({
                "name": program.program.name,
                "size": program.workload.size,
                "checksum": program.workload.checksum,
                "results": contenders().map(of_contender).collect::<Map<_, _>>(),
            })
        })
        .collect();
    let summary = |(at, name): (usize, &&str)| {
        let worst = results.worst(at).map(|(program, value)| json!({ "program": program, "value": value }));
        ((*name).to_owned(), json!({ "geometric_mean": results.geometric_mean(at), "worst": worst }))
    };
    json!({
        "tier": results.tier.name(),
        "size": results.size.name(),
        "rounds": results.rounds,
        "contenders": results.contenders,
        "baseline": results.baseline.map(|at| results.contenders[at]),
        "absent": results.absent,
        "programs": programs,
        "summary": contenders().map(summary).collect::<Map<_, _>>(),
        "ok": results.faults().next().is_none(),
    })
}

/// The JSON of `bench --startup --json`.
pub fn startup(results: &StartupResults) -> Value {
    let entry = |(name, shown, measured): &(&'static str, String, Outcome)| {
        let mut result = outcome(measured);
        result.insert("command".to_owned(), json!(shown));
        ((*name).to_owned(), Value::Object(result))
    };
    json!({
        "tier": results.tier.name(),
        "rounds": results.rounds,
        "absent": results.absent,
        "startup": results.entries.iter().map(entry).collect::<Map<_, _>>(),
        "ok": results.faults().next().is_none(),
    })
}

fn outcome(outcome: &Outcome) -> Map<String, Value> {
    let value = match outcome {
        Outcome::Failed(fault) => json!({ "error": fault.to_string() }),
        Outcome::Absent => json!({ "absent": true }),
        Outcome::Measured(series) => {
            let seconds: Vec<f64> = series.runs.iter().map(|run| run.wall.as_secs_f64()).collect();
            let (peak_memory, exact) = match series.peak_memory() {
                PeakMemory::Exactly(bytes) => (bytes, true),
                PeakMemory::AtMost(bytes) => (bytes, false),
            };
            json!({
                "seconds": seconds,
                "min": series.least().as_secs_f64(),
                "median": series.median().as_secs_f64(),
                "peak_memory": peak_memory,
                "peak_memory_exact": exact,
            })
        }
    };
    match value {
        Value::Object(object) => object,
        _ => unreachable!("every arm is an object"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{beside_peers, failing};
    use super::*;

    #[test]
    fn everything_is_there() {
        let value = results(&beside_peers());
        assert_eq!(value["contenders"], json!(["holloway", "gcc -O2", "node"]));
        assert_eq!((&value["baseline"], &value["absent"]), (&json!("gcc -O2"), &json!(["java", "pypy3"])));
        let fib = &value["programs"][0];
        assert_eq!((&fib["name"], &fib["size"], &fib["checksum"]), (&json!("fib"), &json!(42), &json!(267_914_296)));
        let own = &fib["results"]["holloway"];
        assert_eq!(own["seconds"], json!([1.0, 1.5]));
        assert_eq!((&own["min"], &own["median"], &own["ratio"]), (&json!(1.0), &json!(1.25), &json!(2.0)));
        assert_eq!((&own["peak_memory"], &own["peak_memory_exact"]), (&json!(20 << 20), &json!(true)));
        assert_eq!(fib["results"]["gcc -O2"]["peak_memory_exact"], json!(false));
        assert_eq!(value["summary"]["holloway"]["worst"], json!({ "program": "fib", "value": 2.0 }));
        assert_eq!((&value["summary"]["gcc -O2"]["geometric_mean"], &value["ok"]), (&json!(1.0), &json!(true)));
    }

    #[test]
    fn faults_are_not_ok() {
        let value = results(&failing());
        assert_eq!((&value["ok"], &value["baseline"]), (&json!(false), &Value::Null));
        let error = &value["programs"][0]["results"]["holloway"];
        assert_eq!(*error, json!({ "error": "WRONG CHECKSUM: expected 267914296, printed 7" }));
        assert_eq!(value["summary"]["holloway"]["worst"]["program"], json!("sieve"));
    }
}
