//! The difference of runs as text.
//!
//! In: a difference, and the runs, for their sources. Out: lines; times in milliseconds, a side's spread where it has several runs.

use super::functions::Match;
use super::{LineChange, RunDifference, Spread};
use crate::report::columns::Table;
use crate::report::story::Lines;
use crate::report::text::{one_line, plural};
use crate::run::Run;
use std::fmt::Write as _;
use std::num::NonZeroUsize;

/// Versions that are named.
const NAMED: usize = 8;

/// The text, with so many rows of each table.
pub fn text(difference: &RunDifference, runs: [&Run; 2], top: Option<NonZeroUsize>, width: usize) -> String {
    let mut out = String::new();
    for (name, (side, cpu)) in ["a", "b"].iter().zip(difference.sides.iter().zip(&difference.cpu)) {
        let several = if side.runs > 1 { format!(" ({})", plural(side.runs, "run")) } else { String::new() };
        say(&mut out, format_args!("{name}: {}{several}, {} of CPU time", one_line(&side.program), shown(cpu)));
    }
    say(&mut out, format_args!("{}\n", slowdown(difference)));
    first(difference, &mut out);
    versions(difference, &mut out);
    functions(difference, top, &mut out);
    lines(difference, runs, top, width, &mut out);
    out
}

fn slowdown(difference: &RunDifference) -> String {
    let Some((part, is_sure)) = difference.slowdown() else {
        return "no CPU time is known of runs without samples".to_owned();
    };
    let verb = if part >= 0.0 { "longer" } else { "less" };
    let chance = if is_sure { "" } else { "; runs of one side differ as much" };
    format!("b takes {:.1}% {verb} than a{chance}", 100.0 * part.abs())
}

fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("strings take all text");
}

fn shown(spread: &Spread) -> String {
    let Spread { median, least, most, runs } = spread;
    match runs {
        0 | 1 => format!("{:.1} ms", median / 1e3),
        _ => format!("{:.1} ms ({:.1} to {:.1})", median / 1e3, least / 1e3, most / 1e3),
    }
}

fn first(difference: &RunDifference, out: &mut String) {
    match &difference.first {
        None => say(out, format_args!("the same was decided")),
        Some(parting) => {
            say(out, format_args!("first decision that differs, about {}:", one_line(&parting.function)));
            for (name, side) in ["a", "b"].iter().zip(&parting.sides) {
                match side {
                    Some(decision) => {
                        say(out, format_args!("  {name}  {:>9.2} ms  {}", decision.time.as_f64() / 1e3, decision.what));
                    }
                    None => say(out, format_args!("  {name}  {:>12}  nothing more", "")),
                }
            }
        }
    }
}

fn versions(difference: &RunDifference, out: &mut String) {
    for (name, only) in ["a", "b"].iter().zip(&difference.versions) {
        if !only.is_empty() {
            let named: Vec<String> = only.iter().take(NAMED).map(|name| one_line(name)).collect();
            let more = if only.len() > NAMED { format!(" and {} more", only.len() - NAMED) } else { String::new() };
            say(out, format_args!("versions of {name} alone: {}{more}", named.join(", ")));
        }
    }
    out.push('\n');
}

fn functions(difference: &RunDifference, top: Option<NonZeroUsize>, out: &mut String) {
    let mut table = Table::new(["function", "change", "own in a", "own in b", ""]).with_text_in(4);
    let all = &difference.functions;
    let most = top.map_or(all.len(), |top| top.get().min(all.len()));
    for change in &all[..most] {
        let matched = match change.matched {
            Match::Same => "",
            Match::Changed => "its body differs",
            Match::Renamed => "renamed",
            Match::Gone => "only in a",
            Match::New => "only in b",
        };
        let [a, b] = change.own.each_ref().map(shown);
        table.row([one_line(&change.function), grown(&change.own), a, b, matched.to_owned()]);
    }
    out.push_str(&table.render());
    left_out(all.len() - most, out);
    out.push('\n');
}

fn grown([a, b]: &[Spread; 2]) -> String {
    format!("{:+.1} ms", (b.median - a.median) / 1e3)
}

fn left_out(left: usize, out: &mut String) {
    if left > 0 {
        say(out, format_args!("and {left} more; --top 0 shows all"));
    }
}

/// Appends the table of lines; both sides' texts, if they differ.
fn lines(difference: &RunDifference, runs: [&Run; 2], top: Option<NonZeroUsize>, width: usize, out: &mut String) {
    let mut table = Table::new(["line", "change", "own in a", "own in b", "source"]).with_text_in(4);
    let all = &difference.lines;
    let most = top.map_or(all.len(), |top| top.get().min(all.len()));
    for change in &all[..most] {
        let [a, b] = change.own.each_ref().map(shown);
        let [of_a, of_b] = sources(change, runs);
        let room = width.saturating_sub(64).max(24);
        let cut = |text: &str| text.chars().take(room).collect::<String>();
        let place = |side: usize| change.places[side].as_ref().map(|(file, line)| format!("{}:{line}", one_line(file)));
        let (here, there) = (place(0).or_else(|| place(1)).unwrap_or_default(), place(1));
        table.row([here.clone(), grown(&change.own), a, b, cut(of_a.as_deref().or(of_b.as_deref()).unwrap_or(""))]);
        if let (Some(there), Some(of_b)) = (there.filter(|_| of_a.is_some() && of_a != of_b), &of_b) {
            table.row([format!("  in b {there}"), String::new(), String::new(), String::new(), cut(of_b)]);
        }
    }
    out.push_str(&table.render());
    left_out(all.len() - most, out);
}

fn sources(change: &LineChange, runs: [&Run; 2]) -> [Option<String>; 2] {
    [0, 1].map(|side| {
        let (file, line) = change.places[side].as_ref()?;
        Some(one_line(runs[side].line(file, *line)?.trim()))
    })
}
