//! Text of a profile of paths across calls.
//!
//! In: the paths of a program. Out: those that are shown. Each is a list of stretches, one for each activation that it passes, with its source
//! lines: `>` where a call is entered, `<` where one is left. The context prefix comes first, and a line tells where the active suffix
//! begins, which the count is of.
//! Invariant: paths that failures cut short, and calls and functions that paths do not cross, are named.

use std::fmt::Write as _;

use holloway_profiler::number::interprocedural::{Arrival, InterEnd};
use holloway_profiler::scheme::{CallPlace, CrossPath, CrossRow, CrossVertex, ProgramPlan};
use holloway_profiler::supergraph::ProcedureId;

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use super::excerpt::{self, ACTIVE, Excerpts};
use crate::report::Shown;
use holloway::{Engine, FunctionPaths, PathProfile};
use holloway_machine::profile::program::func_of;

/// The paths of the program that are shown.
pub(super) fn across(engine: &Engine, profile: &PathProfile, shown: Shown, width: usize) -> String {
    let results: Vec<_> = profile.programs.iter().filter_map(|program| program.results()).collect();
    let mut all: Vec<&CrossRow> = results.iter().flat_map(|results| &results.paths).collect();
    all.sort_by(|a, b| shown.order(a.count, b.count).then(a.id.cmp(&b.id)));
    let taken: u64 = all.iter().map(|row| row.count).sum();
    let shown = shown.top.map_or(all.len(), |top| top.get().min(all.len()));
    let mut out = String::from("     count   share  path\n");
    for row in &all[..shown] {
        let (count, share) = (grouped(row.count as usize), share(row.count, taken));
        say(&mut out, format_args!("{count:>10}  {share:>6}  {}", course(engine, &row.path)));
        stretches(engine, profile, &row.path, width, &mut out);
        out.push('\n');
    }
    if all.len() > shown {
        say(&mut out, format_args!("and {} more; --top 0 shows all", all.len() - shown));
    }
    say(&mut out, format_args!("{} taken, {} different", plural(taken as usize, "path"), grouped(all.len())));
    let prefixes: u64 = results.iter().flat_map(|results| &results.prefixes).map(|row| row.count).sum();
    if prefixes > 0 {
        let prefixes = plural(prefixes as usize, "path");
        say(&mut out, format_args!("{prefixes} cut short by failures, counted apart"));
    }
    match profile.programs.last().map(|program| program.plan()) {
        None => {}
        Some(Ok(plan)) => remarks(engine, plan, &mut out),
        Some(Err(reason)) => say(&mut out, format_args!("the program as it is now is not profiled: {reason}")),
    }
    out
}

/// The path with the highest count, in a line; `None` if none was taken.
pub(in crate::report) fn headline(engine: &Engine, profile: &PathProfile) -> Option<String> {
    let results: Vec<_> = profile.programs.iter().filter_map(|program| program.results()).collect();
    let rows = || results.iter().flat_map(|results| &results.paths);
    let hottest = rows().max_by_key(|row| row.count)?;
    let taken = rows().map(|row| row.count).sum();
    Some(format!("{} of paths: {}", share(hottest.count, taken), course(engine, &hottest.path)))
}

/// The number of paths, and what they do not cross.
fn remarks(engine: &Engine, plan: &ProgramPlan, out: &mut String) {
    say(out, format_args!("the program has {} paths", grouped(plan.num_paths() as usize)));
    let (recursive, further) = plan.cut_calls();
    let places = |calls: Vec<CallPlace>| {
        let mut places: Vec<String> =
            calls.into_iter().map(|(function, call)| place(engine, function, call.block)).collect();
        places.dedup();
        places.join(", ")
    };
    if !recursive.is_empty() {
        say(out, format_args!("paths wait at recursive calls: {}", places(recursive)));
    }
    if !further.is_empty() {
        say(out, format_args!("paths wait at calls that are cut: {}", places(further)));
    }
    for function in plan.without_paths() {
        let name = name(engine, func_of(*function));
        say(out, format_args!("{name} is not profiled: it has too many paths of its own"));
    }
}

fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("strings take all text");
}

/// Start and end of the active suffix.
fn course(engine: &Engine, path: &CrossPath) -> String {
    let (Some(first), Some(last)) = (path.active.first(), path.active.last()) else { return String::new() };
    let end = match path.end {
        InterEnd::Return => " return",
        InterEnd::Cut | InterEnd::CutAfterCall(_) | InterEnd::DeadEnd | InterEnd::Failure => "",
    };
    let [first, last] = [first, last].map(|vertex| place(engine, vertex.function, vertex.block));
    format!("{first} -> {last}{end}")
}

/// A place as `function:line`.
fn place(engine: &Engine, function: ProcedureId, block: holloway_profiler::graph::Node) -> String {
    let func = func_of(function);
    format!("{}:{}", name(engine, func), excerpt::starts(engine, func, block).0)
}

/// The source lines of a path, activation by activation.
fn stretches(engine: &Engine, profile: &PathProfile, path: &CrossPath, width: usize, out: &mut String) {
    let mut depth = 0;
    for (part, has_line) in [(&path.context, false), (&path.active, !path.context.is_empty())] {
        if has_line {
            say(out, format_args!("{ACTIVE}"));
        }
        for stretch in part.chunk_by(|_, next| !is_crossing(next.arrival)) {
            let mark = match stretch[0].arrival {
                Arrival::Call => {
                    depth += 1;
                    "> "
                }
                Arrival::Return(_) => {
                    depth = usize::saturating_sub(depth, 1);
                    "< "
                }
                Arrival::Start | Arrival::Edge | Arrival::Surrogate => "",
            };
            lines(engine, &profile.functions, stretch, (depth, mark, width), out);
        }
    }
}

fn is_crossing(arrival: Arrival) -> bool {
    matches!(arrival, Arrival::Call | Arrival::Return(_))
}

fn lines(
    engine: &Engine,
    functions: &[FunctionPaths],
    stretch: &[CrossVertex],
    (depth, mark, width): (usize, &str, usize),
    out: &mut String,
) {
    let func = func_of(stretch[0].function);
    say(out, format_args!("  {:indent$}{mark}{}", "", name(engine, func), indent = 2 * depth));
    let function = functions.iter().find(|function| function.func == func);
    if let Some(Ok(plan)) = function.map(|function| &function.plan) {
        let blocks: Vec<_> = stretch.iter().map(|vertex| vertex.block).collect();
        excerpt::passes(Excerpts { engine, func, graph: &plan.graph, width }, &blocks, out);
    }
}
