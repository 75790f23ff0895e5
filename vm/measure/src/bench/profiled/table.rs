//! The table and the JSON of `bench --scheme`.
//!
//! In: the outcome of each program. Out: a row each, and the geometric mean. Invariant: a fault is shown in place of figures.

use serde_json::{Value, json};

use super::{Outcome, Profiled, ProfiledConfig};
use crate::bench::statistics::geometric_mean;
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::text::{grouped, plural};

/// The table for people.
pub fn text(config: &ProfiledConfig, outcomes: &[Outcome]) -> String {
    let k = config.scheme.k().map(|k| format!(" --k {k}")).unwrap_or_default();
    let numbering = if config.scheme.takes_frequencies() { " --numbering smart" } else { "" };
    let with = match config.scheme.counts_edges() {
        true => "baseline code, which always counts,",
        false => "optimized code with probes",
    };
    let mut out = format!(
        "{}{k}{numbering}, size {}, least of {}: {with} beside optimized code without; time of compilation left out\n\n",
        config.scheme.name(),
        config.size.name(),
        plural(config.rounds.get() as usize, "round")
    );
    let mut table = Table::new(["program", "without", "with", "ratio", "counters", "KiB", "hottest"]).with_text_in(6);
    for (program, outcome) in outcomes {
        match outcome {
            Ok(found) => table.row(row(found)),
            Err(_) => table.row([program.name, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING]),
        }
    }
    let ratios = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).map(Profiled::ratio);
    if let Some(mean) = geometric_mean(ratios) {
        table.rule();
        table.row(["geometric mean".to_owned(), String::new(), String::new(), format!("{mean:.2}")]);
    }
    out.push_str(&table.render());
    out
}

fn row(found: &Profiled) -> [String; 7] {
    [
        found.program.name.to_owned(),
        format!("{:.3} s", found.without),
        format!("{:.3} s", found.with),
        format!("{:.2}", found.ratio()),
        grouped(found.profile.entries as usize),
        grouped(found.profile.bytes.div_ceil(1024) as usize),
        found.profile.hottest.clone(),
    ]
}

/// The same for programs.
pub fn json(config: &ProfiledConfig, outcomes: &[Outcome]) -> Value {
    let program = |(program, outcome): &Outcome| match outcome {
        Ok(found) => json!({
            "name": program.name,
            "seconds_without": found.without,
            "seconds_with": found.with,
            "ratio": found.ratio(),
            "counters": found.profile.entries,
            "bytes": found.profile.bytes,
            "hottest": found.profile.hottest,
        }),
        Err(fault) => json!({ "name": program.name, "fault": fault }),
    };
    let ratios = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).map(Profiled::ratio);
    json!({
        "scheme": config.scheme.name(),
        "k": config.scheme.k(),
        "numbering": if config.scheme.takes_frequencies() { "smart" } else { "source" },
        "size": config.size.name(),
        "rounds": config.rounds.get(),
        "geometric_mean": geometric_mean(ratios),
        "programs": outcomes.iter().map(program).collect::<Vec<_>>(),
    })
}
