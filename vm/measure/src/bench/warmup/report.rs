//! Warm-up results as text and as JSON.
//!
//! `bench --warmup --json`: `{"tier", "rounds", "run_seconds", "contenders": [names], "absent": [names], "programs":
//! [{"name", "results": {contender: {"until_warm", "steady", "rounds": [{"until_warm", "steady", "units"}]} or
//! {"error": text}}}], "summary": {contender: {"until_warm", "steady"}}, "ok"}`. Times are in seconds; those outside of
//! rounds are medians, those of the summary geometric means over the programs.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Warmup, WarmupResults};
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::text::plural;

/// Two tables: the time until warm, and the steady time.
pub fn render(results: &WarmupResults) -> String {
    let tier = results.tier.name();
    let run = results.run.as_secs_f64();
    let rounds = results.rounds.get();
    let absent = match results.absent.as_slice() {
        [] => String::new(),
        names => format!("\nNot installed, left out: {}\n", names.join(", ")),
    };
    format!(
        "Holloway --tier {tier}, units of size small: medians of {} of {run} s in turn\n\n\
         Milliseconds from the start of the process until 90% of its steady speed\n\n{}\n\
         Milliseconds a unit at steady speed\n\n{}{absent}",
        plural(rounds as usize, "run"),
        table(results, |warmup| warmup.until_warm, 1),
        table(results, |warmup| warmup.steady, 3),
    )
}

fn table(results: &WarmupResults, figure: fn(Warmup) -> Duration, digits: usize) -> String {
    let contenders = || 0..results.contenders.len();
    let show = |seconds: f64| format!("{:.digits$}", seconds * 1e3);
    let mut table = Table::new(std::iter::once("program").chain(results.contenders.iter().copied()));
    for (program, (name, _)) in results.programs.iter().enumerate() {
        let cell = |contender| {
            let measured = results.medians(program, contender);
            measured.map_or("FAILED".to_owned(), |warmup| show(figure(warmup).as_secs_f64()))
        };
        table.row(std::iter::once((*name).to_owned()).chain(contenders().map(cell)));
    }
    table.rule();
    let mean = |contender| results.mean(contender, figure).map_or(NOTHING.to_owned(), show);
    table.row(std::iter::once("geometric mean".to_owned()).chain(contenders().map(mean)));
    table.render()
}

/// The results as JSON.
pub fn json(results: &WarmupResults) -> Value {
    let by_contender = |value: &dyn Fn(usize) -> Value| -> Map<String, Value> {
        results.contenders.iter().enumerate().map(|(at, name)| ((*name).to_owned(), value(at))).collect()
    };
    let program = |(at, (name, _)): (usize, &(&str, _))| json!({ "name": name, "results": by_contender(&|contender| outcome(results, at, contender)) });
    let summary = |contender| {
        let mean = |figure| results.mean(contender, figure);
        json!({ "until_warm": mean(|warmup| warmup.until_warm), "steady": mean(|warmup| warmup.steady) })
    };
    json!({
        "tier": results.tier.name(),
        "rounds": results.rounds,
        "run_seconds": results.run.as_secs_f64(),
        "contenders": results.contenders,
        "absent": results.absent,
        "programs": results.programs.iter().enumerate().map(program).collect::<Vec<_>>(),
        "summary": by_contender(&summary),
        "ok": results.faults().next().is_none(),
    })
}

fn outcome(results: &WarmupResults, program: usize, contender: usize) -> Value {
    let times = |warmup: &Warmup| {
        let (until_warm, steady) = (warmup.until_warm.as_secs_f64(), warmup.steady.as_secs_f64());
        json!({ "until_warm": until_warm, "steady": steady, "units": warmup.units })
    };
    match (&results.programs[program].1[contender], results.medians(program, contender)) {
        (Err(fault), _) => json!({ "error": fault.to_string() }),
        (Ok(rounds), medians) => {
            let medians = medians.expect("rounds are not empty");
            let rounds: Vec<Value> = rounds.iter().map(times).collect();
            let (until_warm, steady) = (medians.until_warm.as_secs_f64(), medians.steady.as_secs_f64());
            json!({ "until_warm": until_warm, "steady": steady, "rounds": rounds })
        }
    }
}
