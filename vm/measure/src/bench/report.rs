//! Results as tables for people.
//!
//! In: [`Results`] or [`StartupResults`]. Out: text. Faults appear in the tables as `FAILED`; [`faults`] describes
//! them. A program without a peer in the baseline's language is shown by its times.

use std::time::Duration;

use super::child::PeakMemory;
use super::race::Outcome;
use super::results::{ProgramResults, Results, StartupResults};
use holloway_study::report::columns::{NOTHING, Table};

const FAILED: &str = "FAILED";
const OWN: usize = 0;

/// The programs' times, and with peers also their ratios to the baseline.
pub fn render(results: &Results) -> String {
    let caption = format!(
        "Holloway --tier {}, size {}: least wall time of {} in turn",
        results.tier.name(),
        results.size.name(),
        rounds(results.rounds.get()),
    );
    let (caption, table) = match results.baseline {
        Some(baseline) => {
            let to = results.contenders[baseline];
            (format!("{caption}; with an x: as a ratio to {to}"), ratios(results, baseline))
        }
        None => (caption, times(results)),
    };
    format!("{caption}\n\n{}{}", table.render(), absent(&results.absent))
}

/// Start-up times of processes.
pub fn render_startup(results: &StartupResults) -> String {
    let mut table = Table::new(["", "least", "median", "runs"]);
    for (_, shown, outcome) in &results.entries {
        table.row(match outcome {
            Outcome::Measured(series) => {
                [shown.clone(), time(series.least()), time(series.median()), series.runs.len().to_string()]
            }
            Outcome::Failed(_) => [shown.clone(), FAILED.to_owned(), NOTHING.to_owned(), NOTHING.to_owned()],
            Outcome::Absent => [shown.clone(), NOTHING.to_owned(), NOTHING.to_owned(), NOTHING.to_owned()],
        });
    }
    let caption = format!("Wall time from start to end of a process, {} in turn", rounds(results.rounds.get()));
    format!("{caption}\n\n{}{}", table.render(), absent(&results.absent))
}

/// One line for each fault.
pub fn faults(results: &Results) -> Vec<String> {
    let line = |(program, contender, fault)| format!("{program}: {contender} {fault}");
    results.faults().map(line).collect()
}

/// The table without a baseline: times and memory.
fn times(results: &Results) -> Table {
    let others = || 1..results.contenders.len();
    let head = ["program", "size", "time", "median", "memory"].into_iter();
    let mut table = Table::new(head.chain(others().map(|contender| results.contenders[contender])));
    for program in &results.programs {
        let own = &program.outcomes[OWN];
        let median = own.series().map_or(NOTHING.to_owned(), |series| time(series.median()));
        let name = program.program.name.to_owned();
        let first = [name, program.workload.size.to_string(), least(program, OWN), median, memory(own)];
        table.row(first.into_iter().chain(others().map(|contender| least(program, contender))));
    }
    let all = || std::iter::once(OWN).chain(others());
    let seconds =
        |figure: Option<f64>| figure.map_or(NOTHING.to_owned(), |seconds| time(Duration::from_secs_f64(seconds)));
    summary(&mut table, results, &all().collect::<Vec<_>>(), seconds, |name, cells| {
        let mut cells = cells.into_iter();
        let own = cells.next().unwrap_or_default();
        [name, String::new(), own, String::new(), String::new()].into_iter().chain(cells).collect()
    });
    table
}

/// The table with a baseline: Holloway's time, the baseline's time, and every contender's ratio to it.
fn ratios(results: &Results, baseline: usize) -> Table {
    let compared: Vec<usize> = (0..results.contenders.len()).filter(|contender| *contender != baseline).collect();
    let head = ["program", "time", "memory", results.contenders[baseline]].into_iter();
    let mut table = Table::new(head.chain(compared.iter().map(|contender| results.contenders[*contender])));
    for program in &results.programs {
        let name = program.program.name.to_owned();
        let first = [name, least(program, OWN), memory(&program.outcomes[OWN]), least(program, baseline)];
        let cell = |contender: &usize| match (&program.outcomes[*contender], &program.outcomes[baseline]) {
            (Outcome::Failed(_), _) => FAILED.to_owned(),
            (Outcome::Measured(series), Outcome::Absent) => time(series.least()),
            _ => ratio(results.figure(program, *contender)),
        };
        table.row(first.into_iter().chain(compared.iter().map(cell)));
    }
    summary(&mut table, results, &compared, ratio, |name, cells| {
        [name, String::new(), String::new(), String::new()].into_iter().chain(cells).collect()
    });
    table
}

/// The last rows: geometric mean, worst figure, and its program.
fn summary(
    table: &mut Table,
    results: &Results,
    contenders: &[usize],
    show: impl Fn(Option<f64>) -> String,
    row: impl Fn(String, Vec<String>) -> Vec<String>,
) {
    let cells = |cell: &dyn Fn(usize) -> String| contenders.iter().map(|contender| cell(*contender)).collect();
    let worst = |contender| results.worst(contender);
    table.rule();
    table.row(row("geometric mean".to_owned(), cells(&|contender| show(results.geometric_mean(contender)))));
    table.row(row("worst".to_owned(), cells(&|contender| show(worst(contender).map(|(_, figure)| figure)))));
    let of = |contender| worst(contender).map_or(NOTHING, |(name, _)| name).to_owned();
    table.row(row("  of".to_owned(), cells(&of)));
}

fn least(program: &ProgramResults, contender: usize) -> String {
    match &program.outcomes[contender] {
        Outcome::Measured(series) => time(series.least()),
        Outcome::Failed(_) => FAILED.to_owned(),
        Outcome::Absent => NOTHING.to_owned(),
    }
}

/// The time in milliseconds below a second, in seconds from a second on.
fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 0.9999 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or(NOTHING.to_owned(), |ratio| format!("{ratio:.2}x"))
}

fn memory(outcome: &Outcome) -> String {
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    match outcome.series().map(|series| series.peak_memory()) {
        None => NOTHING.to_owned(),
        Some(PeakMemory::Exactly(bytes)) => format!("{:.1} MiB", mebibytes(bytes)),
        Some(PeakMemory::AtMost(bytes)) => format!("≤ {:.1} MiB", mebibytes(bytes)),
    }
}

fn rounds(count: u32) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

fn absent(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!("\nNot installed, left out: {}\n", names.join(", ")) }
}

#[cfg(test)]
#[path = "report_tests.rs"]
pub(super) mod tests;
