//! A log processor whose filter is a program: `cargo run -p holloway --example log_filter`.
//!
//! In: lines of a log, and a filter in Holloway. Out: the lines that it keeps, and what it counted. Limits bound each call, and a filter
//! that fails on a line costs that line.

use holloway::{Config, Engine, Function, Holloway, Limits};
use std::error::Error;
use std::fmt::Write as _;

/// A line, taken apart.
#[derive(Holloway)]
struct Entry {
    level: String,
    service: String,
    millis: i64,
    text: String,
}

const FILTER: &str = r#"
var slow = 200
let seen: dict[str, int] = dict()

fn keep(e: Entry) -> bool {
    seen[e.service] = seen.get(e.service, 0) + 1
    if e.level == "ERROR" { return true }
    if severity(e.text) > 5 { return true }
    return e.millis / (e.millis - 13) >= 0 && e.millis > slow
}

fn summary() -> str {
    var parts = [""; 0].to_list()
    for (service, n) in seen { parts.push(f"{service}: {n}") }
    return parts.to_array().join(", ")
}
"#;

const LOG: &str = "INFO shop 35 basket opened
ERROR shop 12 payment refused
INFO mail 450 newsletter sent
WARN mail 13 strange delay
WARN disk 20 almost full
INFO shop 210 checkout";

/// Runs the filter over the log.
pub(crate) fn run() -> Result<String, Box<dyn Error>> {
    let limits = Limits { fuel: Some(100_000), time: None };
    let mut engine = Engine::new(Config { limits, ..Config::default() })?;
    engine.function("severity", |text: &str| if text.contains("full") { 9 } else { 1 })?;
    // Programs see the struct of the host by a function that takes or gives it.
    engine.function("describe", |entry: Entry| format!("{} {}", entry.service, entry.text))?;
    engine.load("filter.hw", FILTER)?;
    let keep: Function<(Entry,), bool> = engine.typed("keep")?;
    let mut report = String::new();
    for slow in [200, 400] {
        engine.set("slow", slow)?;
        for line in LOG.lines() {
            let mut words = line.splitn(4, ' ');
            let mut word = || words.next().unwrap_or_default().to_owned();
            let (level, service, millis, text) = (word(), word(), word().parse()?, word());
            match keep.call(&mut engine, (Entry { level, service, millis, text },)) {
                Ok(true) => writeln!(report, "{line}")?,
                Ok(false) => {}
                Err(error) => writeln!(report, "? {line}: {error}")?,
            }
        }
    }
    let summary: Function<(), String> = engine.typed("summary")?;
    writeln!(report, "{}", summary.call(&mut engine, ())?)?;
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run()?);
    Ok(())
}
