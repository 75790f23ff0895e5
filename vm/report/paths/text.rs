//! Text of a `bl` or `bala` profile, and the remarks at the end of every text.
//!
//! In: a profile. Out: the hottest paths, each with its count, its start and end, and its source lines.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use super::excerpt::{self, ACTIVE, Excerpts};
use crate::engine::{Engine, FunctionPaths, FunctionResults};
use holloway_profiler::scheme::{Forest, PathRow};

/// The hottest paths of the program.
pub(super) fn paths(engine: &Engine, rows: &[FunctionResults<'_>], top: Option<NonZeroUsize>, width: usize) -> String {
    let mut hottest: Vec<(&FunctionPaths, &PathRow)> =
        rows.iter().flat_map(|(function, rows)| rows.paths.iter().map(|row| (*function, row))).collect();
    // Equally hot paths are in program order, independent of their ids.
    hottest.sort_by(|(f, a), (g, b)| {
        b.count.cmp(&a.count).then_with(|| (f.func, &a.path.blocks).cmp(&(g.func, &b.path.blocks)))
    });
    let taken: u64 = hottest.iter().map(|(_, row)| row.count).sum();
    let shown = top.map_or(hottest.len(), |top| top.get().min(hottest.len()));

    let mut out = String::from("     count   share  path                      function\n");
    for (function, row) in &hottest[..shown] {
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
        let excerpts = Excerpts { engine, func: function.func, plan, width };
        if let Some(context) = row.context.as_ref().filter(|context| !context.is_empty()) {
            excerpt::passes(excerpts, context, &mut out);
            writeln!(out, "{ACTIVE}").expect("strings take all text");
        }
        excerpt::passes(excerpts, &row.path.blocks, &mut out);
        out.push('\n');
    }
    if hottest.len() > shown {
        writeln!(out, "and {} more; --top 0 shows all", hottest.len() - shown).expect("strings take all text");
    }
    let functions = rows.iter().filter(|(_, rows)| !rows.paths.is_empty()).count();
    writeln!(
        out,
        "{} paths taken, {} different, in {}",
        grouped(taken as usize),
        grouped(hottest.len()),
        plural(functions, "function")
    )
    .expect("strings take all text");
    out
}

/// Remarks on prefixes, truncated and lost paths, and functions that are not profiled.
pub(super) fn remarks(engine: &Engine, found: &[FunctionResults<'_>]) -> String {
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
        if let Some(sequences) = &results.sequences {
            let slabs = sequences.forest.slabs();
            if slabs.lost() > 0 {
                say(format!(
                    "{name}: counts are too low by at most {}: the forest's limit pruned {}",
                    grouped(slabs.lost() as usize),
                    plural(slabs.pruned_nodes() as usize, "node")
                ));
            }
            if let Forest::Sampled(sampled) = &sequences.forest
                && sampled.recorded() < sampled.seen()
            {
                say(format!(
                    "{name}: a sample of {} paths out of {}, in {}",
                    grouped(sampled.recorded() as usize),
                    grouped(sampled.seen() as usize),
                    plural(sampled.bursts() as usize, "burst")
                ));
            }
        }
    }
    out
}
