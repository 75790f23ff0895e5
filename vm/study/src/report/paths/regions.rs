//! Text of a `tfp` profile: the five persistent flow properties of each loop and function body, and the frequency of each
//! path if paths were counted.
//!
//! In: a profile with persistence. Out: for each executed region, hottest first: its share of persistent windows, its
//! persistent paths, its most frequent paths, places never taken, segments always taken, monitored edges, and the least and greatest number of
//! consecutive executions along one path.

use crate::report::settings::{REGION_EDGES, REGION_PATHS};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;

use holloway_jit::graph_of::block_of;
use holloway_lang::ir::Terminator;
use holloway_profiler::graph::Node;
use holloway_profiler::persistence::{Overall, Persistence, Region, RegionPlace};
use holloway_profiler::plan::BitRegister;

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use super::excerpt::starts;
use holloway::internals::FunctionResults;
use holloway::{Engine, FunctionPaths};

/// The hottest regions of the program.
pub(super) fn regions(engine: &Engine, found: &[FunctionResults<'_>], k: u64, top: Option<NonZeroUsize>) -> String {
    let mut all: Vec<(&FunctionPaths, &Persistence, BitRegister, Overall)> = Vec::new();
    for (function, results) in found {
        if let Some(persistence) = &results.regions {
            for (register, _) in persistence.regions().iter() {
                all.push((function, persistence, register, persistence.overall(register)));
            }
        }
    }
    all.retain(|(.., overall)| overall.executions > 0);
    all.sort_by_key(|(.., overall)| std::cmp::Reverse(overall.executions));
    let shown = top.map_or(all.len(), |top| top.get().min(all.len()));
    let mut out = String::new();
    for (function, persistence, register, overall) in &all[..shown] {
        one_region(engine, function, persistence, *register, overall, &mut out);
    }
    if all.len() > shown {
        writeln!(out, "and {} more; --top 0 shows all", all.len() - shown).expect("strings take all text");
    }
    let executions: u64 = all.iter().map(|(.., overall)| overall.executions).sum();
    writeln!(out, "{} in {}, in windows of {k}", plural(executions as usize, "execution"), plural(all.len(), "region"))
        .expect("strings take all text");
    out
}

fn one_region(
    engine: &Engine,
    function: &FunctionPaths,
    persistence: &Persistence,
    register: BitRegister,
    overall: &Overall,
    out: &mut String,
) {
    let region = persistence.regions().get(register);
    let summary = persistence.summary(register);
    let labels = labels(engine, function, region);
    let spell =
        |places: &[RegionPlace]| places.iter().filter_map(|place| labels.get(place).cloned()).collect::<Vec<_>>();
    let windows = match summary.windows {
        0 => "no whole window".to_owned(),
        windows => {
            let persistent = grouped(summary.persistent_windows as usize);
            format!("{persistent} of {} persistent", plural(windows as usize, "window"))
        }
    };
    writeln!(
        out,
        "{} of {}: {}, {windows}",
        match region.around {
            None => "the body".to_owned(),
            Some(_) => format!("loop {}", starts(engine, function.func, node(&region.head)).0),
        },
        name(engine, function.func),
        plural(overall.executions as usize, "execution"),
    )
    .expect("strings take all text");
    let mut say = |what: &str, text: String| {
        writeln!(out, "  {what:<13}  {text}").expect("strings take all text");
    };
    let mut list = |what: &str, mut paths: Vec<(Vec<u64>, u64)>, columns: &dyn Fn(u64) -> String| {
        paths.sort_by_key(|(_, executions)| std::cmp::Reverse(*executions));
        for (bits, executions) in paths.iter().take(REGION_PATHS) {
            say(what, format!("{}  {}", columns(*executions), joined(spell(&region.path(bits)))));
        }
        if paths.len() > REGION_PATHS {
            say("", format!("and {} more paths", paths.len() - REGION_PATHS));
        }
    };
    let percent = |executions: u64| format!("{:>6}", share(executions, overall.executions));
    list("persistent", summary.persistent_paths(), &percent);
    if let Some(frequencies) = persistence.frequencies(register) {
        let counted = |executions: u64| format!("{}  {:>9}", percent(executions), grouped(executions as usize));
        list("taken", frequencies.paths(), &counted);
    }
    let untaken = spell(&overall.untaken);
    if !untaken.is_empty() {
        say("never taken", untaken.join(", "));
    }
    for segment in overall.segments.iter().map(|segment| spell(segment)).filter(|segment| segment.len() > 1) {
        say("always taken", joined(segment));
    }
    if !overall.edges.is_empty() {
        let taken = overall.edges.iter().filter(|(_, taken)| *taken).count();
        say("edges", format!("{taken} of {} taken", plural(overall.edges.len(), "monitored edge")));
        let Ok(plan) = &function.plan else { return };
        let never = overall.edges.iter().filter(|(_, taken)| !taken);
        for &(edge, _) in never.take(REGION_EDGES) {
            let edge = plan.graph.edge(edge);
            let end =
                |node| labels.get(&RegionPlace::Block(node)).or_else(|| labels.get(&RegionPlace::Loop(node))).cloned();
            let (from, to) = (end(edge.from), end(edge.to));
            if let (Some(from), Some(to)) = (from, to) {
                say("", format!("never {from} -> {to}"));
            }
        }
    }
    let row = |length: u64| format!("{} in a row", grouped(length as usize));
    say(
        "one path",
        match overall.least == overall.greatest {
            true => row(overall.least),
            false => format!("{} to {}", grouped(overall.least as usize), row(overall.greatest)),
        },
    );
    out.push('\n');
}

fn node(place: &RegionPlace) -> Node {
    match *place {
        RegionPlace::Block(node) | RegionPlace::Loop(node) => node,
    }
}

/// Line numbers of each place with source text, with columns if several places share a line.
fn labels(engine: &Engine, function: &FunctionPaths, region: &Region) -> BTreeMap<RegionPlace, String> {
    let stands_for_something = |place: &&RegionPlace| match place {
        RegionPlace::Loop(_) => true,
        RegionPlace::Block(node) => {
            let data = &engine.module().function(function.func).blocks[block_of(*node)];
            !data.insts.is_empty() || !matches!(data.term, Terminator::Jump(_))
        }
    };
    let places = || std::iter::once(&region.head).chain(&region.places).filter(stands_for_something);
    let lines = |place: &RegionPlace| starts(engine, function.func, node(place));
    let shared = |line: (u32, u32)| places().filter(|other| lines(other) == line).count() > 1;
    let label = |place: &RegionPlace| match (place, lines(place)) {
        (RegionPlace::Loop(_), (first, _)) => format!("loop {first}"),
        (RegionPlace::Block(node), (first, last)) if first == last && shared((first, last)) => {
            let span = engine.module().function(function.func).blocks[block_of(*node)].span();
            let (line, column) = engine.sources().line_col(span);
            format!("{line}:{column}")
        }
        (RegionPlace::Block(_), (first, last)) if first == last => format!("{first}"),
        (RegionPlace::Block(_), (first, last)) => format!("{first}-{last}"),
    };
    places().map(|place| (*place, label(place))).collect()
}

/// Places in order; consecutive places on one line are listed once.
fn joined(mut places: Vec<String>) -> String {
    places.dedup();
    places.join(" -> ")
}
