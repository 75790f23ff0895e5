//! Text of a `bl` or `bala` profile, and the remarks at the end of every text.
//!
//! In: a profile. Out: the paths that are shown, each with its count, its start and end, and its source lines.

use std::fmt::Write as _;

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use super::excerpt::{self, ACTIVE, Excerpts};
use crate::report::Shown;
use holloway::internals::FunctionResults;
use holloway::{Engine, FunctionPaths, PathProfile};
use holloway_profiler::scheme::{Forest, PathRow};

/// The paths of the program that are shown.
pub(super) fn paths(engine: &Engine, rows: &[FunctionResults<'_>], shown: Shown, width: usize) -> String {
    let mut all: Vec<(&FunctionPaths, &PathRow)> =
        rows.iter().flat_map(|(function, rows)| rows.paths.iter().map(|row| (*function, row))).collect();
    // Equally hot paths are in program order, independent of their ids.
    all.sort_by(|(f, a), (g, b)| {
        shown.order(a.count, b.count).then_with(|| (f.func, &a.path.blocks).cmp(&(g.func, &b.path.blocks)))
    });
    let taken: u64 = all.iter().map(|(_, row)| row.count).sum();
    let shown = shown.top.map_or(all.len(), |top| top.get().min(all.len()));

    let mut out = String::from("     count   share  path                      function\n");
    for (function, row) in &all[..shown] {
        let Ok(plan) = &function.plan else { continue };
        let course = excerpt::course(engine, function.func, plan, &row.path);
        writeln!(
            out,
            "{:>10}  {:>6}  {course:<24}  {}",
            grouped(row.count as usize),
            share(row.count, taken),
            name(engine, function.func)
        )
        .expect("strings take all text");
        let excerpts = Excerpts { engine, func: function.func, graph: &plan.graph, width };
        if let Some(context) = row.context.as_ref().filter(|context| !context.is_empty()) {
            excerpt::passes(excerpts, context, &mut out);
            writeln!(out, "{ACTIVE}").expect("strings take all text");
        }
        excerpt::passes(excerpts, &row.path.blocks, &mut out);
        out.push('\n');
    }
    if all.len() > shown {
        writeln!(out, "and {} more; --top 0 shows all", all.len() - shown).expect("strings take all text");
    }
    writeln!(out, "{} taken, {} different{}", plural(taken as usize, "path"), grouped(all.len()), possible(rows))
        .expect("strings take all text");
    out
}

/// In how many functions they were, and how many paths there could have been, where a numbering tells.
fn possible(rows: &[FunctionResults<'_>]) -> String {
    let ran: Vec<&FunctionPaths> =
        rows.iter().filter(|(_, rows)| !rows.paths.is_empty()).map(|(function, _)| *function).collect();
    let functions = plural(ran.len(), "function");
    let numbers = ran.iter().map(|function| function.plan.as_ref().ok().and_then(|plan| plan.num_paths()));
    match numbers.map(|paths| paths.map(u128::from)).sum::<Option<u128>>() {
        Some(paths) => {
            let paths = usize::try_from(paths).map_or_else(|_| paths.to_string(), grouped);
            format!(" of {paths} possible, in {functions}")
        }
        None => format!(", in {functions}"),
    }
}

/// Remarks on prefixes, truncated and lost paths, and functions that are not profiled.
pub(super) fn remarks(engine: &Engine, profile: &PathProfile, found: &[FunctionResults<'_>]) -> String {
    let is_mixed = !profile.scheme.settings.loops.is_empty();
    let mut out = String::new();
    let mut say = |line: String| writeln!(out, "{line}").expect("strings take all text");
    let prefixes: u64 = found.iter().flat_map(|(_, results)| &results.prefixes).map(|row| row.count).sum();
    if prefixes > 0 {
        say(format!("{} cut short by failures, counted apart", plural(prefixes as usize, "path")));
    }
    for (function, results) in found {
        let name = name(engine, function.func);
        match &function.plan {
            Err(reason) => say(format!("{name} is not profiled: {reason}")),
            Ok(plan) if !plan.decoder.truncated().is_empty() => say(format!(
                "{name} has more paths than ids; paths end at {} more",
                plural(plan.decoder.truncated().len(), "edge")
            )),
            Ok(_) => {}
        }
        if let Ok(plan) = function.plan.as_ref().map_err(drop)
            && is_mixed
            && !results.paths.is_empty()
        {
            plan.decoder.iterations().iter().flatten().for_each(|(header, k)| {
                let (line, _) = excerpt::starts(engine, function.func, *header);
                let function = &engine.module().function(function.func).name;
                say(format!("{function}:{line} has paths of up to {k} iterations"));
            });
        }
        if let Some(sequences) = &results.sequences {
            let lost = grouped(sequences.forest.lost() as usize);
            match sequences.forest.slabs() {
                _ if sequences.forest.lost() == 0 => {}
                Some(slabs) => say(format!(
                    "{name}: counts are too low by at most {lost}: the forest's limit pruned {}",
                    plural(slabs.pruned_nodes() as usize, "node")
                )),
                None => say(format!(
                    "{name}: counts of sequences are too low by at most {lost}: without a pattern there are too many to keep all"
                )),
            }
            if let Forest::Sampled(sampled) = &sequences.forest
                && !sequences.forest.is_exact()
                && sampled.bursts() > 0
            {
                let recorded = grouped(sampled.recorded() as usize);
                let bursts = plural(sampled.bursts() as usize, "burst");
                say(match sampled.out_of() {
                    Some(paths) => {
                        format!("{name}: a sample of {recorded} paths out of {}, in {bursts}", grouped(paths as usize))
                    }
                    None => format!("{name}: a sample of {recorded} paths, in {bursts} that ticks began"),
                });
            }
        }
    }
    out
}
