//! The hottest entry of a profile, in a line.
//!
//! In: an engine after a run, and its profile. Out: the hottest edge, path, period of paths, context of calls or loop, with its share and its place.
//! Invariant: one line, however large the profile is.

use crate::report::settings::FOLLOWED;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::persistence::{Region, RegionPlace, Summary};
use holloway_profiler::scheme::{PathId, PathRow};

use super::edges;
use super::paths::{course, headline_across, headline_of_contexts, starts};
use super::text::share;
use holloway::internals::FunctionResults;
use holloway::{Counted, Engine, FunctionPaths, PathProfile};

/// The line.
pub fn hottest(engine: &Engine, counted: &Counted) -> String {
    let line = match counted {
        Counted::Edges(functions) => edges::headline(engine, functions),
        Counted::Paths(profile) => headline_across(engine, profile)
            .or_else(|| headline_of_contexts(engine, profile))
            .or_else(|| of_paths(engine, profile)),
    };
    line.unwrap_or_else(|| "nothing ran".to_owned())
}

fn of_paths(engine: &Engine, profile: &PathProfile) -> Option<String> {
    let found = profile.results();
    let total: u64 = found.iter().flat_map(|(_, results)| &results.paths).map(|row| row.count).sum();
    let rows =
        found.iter().flat_map(|(function, results)| results.paths.iter().map(move |row| (*function, results, row)));
    let Some((function, results, row)) = rows.max_by_key(|(.., row)| row.count) else {
        return of_regions(engine, &found);
    };
    let place = place(engine, function, row)?;
    match &results.sequences {
        Some(sequences) => Some(match (period(&sequences.k_ipf, row), row.count) {
            (Some((period, count)), first) => {
                format!("period {period} in {} of {place}", share(count, first))
            }
            (None, count) => format!("no period; {} of paths: {place}", share(count, total)),
        }),
        None => Some(format!("{} of paths: {place}", share(row.count, total))),
    }
}

/// Course, lines and function of a path.
fn place(engine: &Engine, function: &FunctionPaths, row: &PathRow) -> Option<String> {
    let plan = function.plan.as_ref().ok()?;
    let lines = row.path.blocks.iter().map(|&node| starts(engine, function.func, node));
    let (first, last) = lines.fold((u32::MAX, 0), |(first, last), (from, to)| (first.min(from), last.max(to)));
    let course = course(engine, function.func, plan, &row.path);
    Some(format!("{course}, lines {first}-{last}, {}", edges::name(engine, function.func)))
}

/// The period of the likeliest sequence from a path on, and the count of that sequence; `None` if it does not repeat.
fn period(forest: &PathForest, row: &PathRow) -> Option<(usize, u64)> {
    let PathId::Number(id) = row.id else { return None };
    let trie = forest.trie();
    let mut at = trie.find_root(id)?;
    let mut ids = vec![id];
    while let Some(next) = forest.likeliest_child(at)
        && trie.count(next) as f64 >= FOLLOWED * trie.count(at) as f64
    {
        ids.push(trie.label(next));
        at = next;
    }
    let repeats = |period: &usize| ids[*period..].iter().zip(&ids).all(|(a, b)| a == b);
    let period = (1..=ids.len() / 2).find(repeats)?;
    Some((period, trie.count(at)))
}

fn of_regions(engine: &Engine, found: &[FunctionResults<'_>]) -> Option<String> {
    let mut hottest: Option<(u64, &FunctionPaths, &Region, &Summary)> = None;
    for (function, results) in found {
        let Some(persistence) = &results.regions else { continue };
        for (register, region) in persistence.regions().iter().filter(|(_, region)| region.around.is_some()) {
            let executions = persistence.executions(register);
            if hottest.as_ref().is_none_or(|(most, ..)| executions > *most) {
                hottest = Some((executions, *function, region, persistence.summary(register)));
            }
        }
    }
    let (_, function, region, summary) = hottest?;
    let (RegionPlace::Block(head) | RegionPlace::Loop(head)) = region.head;
    let line = starts(engine, function.func, head).0;
    let persistent = share(summary.persistent_windows, summary.windows);
    Some(format!("{persistent} of windows persistent: loop {line}, {}", edges::name(engine, function.func)))
}
