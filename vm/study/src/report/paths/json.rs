//! The JSON of path profiles; `docs/profiling.md` describes it.
//!
//! In: a profile. Out: one object. Ids are decimal text, since they may exceed the numbers of some readers; blocks are
//! numbers.
//! Invariant: the same program and input give the same text from every tier.

use std::num::NonZeroUsize;

use holloway_jit::graph_of::block_of;
use holloway_profiler::counts::TableKind;
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::persistence::{Persistence, RegionPlace};
use holloway_profiler::scheme::{
    CallPlace, CrossRow, CrossVertex, Forest, FunctionPlan, PathRow, ProgramResults, Results, Sequences,
};
use holloway_profiler::supergraph::ProcedureId;
use serde_json::{Value, json};

use super::super::body_hash::body_hash;
use super::contexts;
use crate::report::Shown;
use holloway::internals::FunctionResults;
use holloway::{Engine, FunctionPaths, PathProfile, ProgramPaths};
use holloway_machine::profile::program::func_of;

/// The whole profile, with those of its paths or sequences that are shown.
pub fn json(engine: &Engine, profile: &PathProfile, program: &str, shown: Shown) -> String {
    let found = profile.results();
    let counts: Vec<Vec<u64>> = found.iter().map(|(_, results)| counts(results)).collect();
    let chosen = chosen(&counts, shown);
    let functions: Vec<Value> =
        found.iter().zip(&chosen).map(|(function, chosen)| function_json(engine, function, chosen)).collect();
    let k = profile.scheme.k();
    let mut object = json!({ "scheme": profile.scheme.name(), "k": k, "program": program, "functions": functions });
    let left_out = chosen.iter().flatten().filter(|chosen| !**chosen).count();
    if left_out > 0 {
        object["left_out"] = json!(left_out);
    }
    if let Some(present) = profile.programs.last() {
        across(engine, &profile.programs, present, shown, &mut object);
    }
    if profile.scheme.keeps_contexts() {
        let (shown, left_out) = contexts::json(engine, profile, shown);
        object["contexts"] = json!(shown);
        if left_out > 0 {
            object["left_out"] = json!(left_out);
        }
    }
    format!("{object}\n")
}

/// Paths of the whole program, by every numbering of it; what the present one says of the program.
fn across(engine: &Engine, programs: &[ProgramPaths], present: &ProgramPaths, shown: Shown, object: &mut Value) {
    let named = |function: ProcedureId, block: Node| {
        let name = &engine.module().function(func_of(function)).name;
        format!("{name}:{}", block_of(block).as_u32())
    };
    let names = |vertices: &[CrossVertex]| vertices.iter().map(|v| named(v.function, v.block)).collect::<Vec<_>>();
    let row = |row: &CrossRow| {
        let (context, blocks) = (names(&row.path.context), names(&row.path.active));
        json!({ "id": row.id.to_string(), "context": context, "blocks": blocks, "count": row.count })
    };
    let results: Vec<ProgramResults> = programs.iter().filter_map(ProgramPaths::results).collect();
    let rows: Vec<&CrossRow> = results.iter().flat_map(|results| &results.paths).collect();
    let chosen = chosen(&[rows.iter().map(|row| row.count).collect()], shown);
    let shown = rows.into_iter().zip(&chosen[0]).filter(|(_, chosen)| **chosen);
    object["paths"] = shown.map(|(found, _)| row(found)).collect();
    object["prefixes"] = results.iter().flat_map(|results| &results.prefixes).map(row).collect();
    let plan = match present.plan() {
        Ok(plan) => plan,
        Err(reason) => {
            object["not_profiled"] = json!(format!("the program as it is now is not profiled: {reason}"));
            return;
        }
    };
    object["num_paths"] = json!(plan.num_paths().to_string());
    let (recursive, further) = plan.cut_calls();
    let calls = |calls: Vec<CallPlace>| -> Vec<String> {
        calls.into_iter().map(|(function, call)| named(function, call.block)).collect()
    };
    object["recursive"] = json!(calls(recursive));
    object["cut"] = json!(calls(further));
    let left_out = plan.without_paths().iter().map(|function| &engine.module().function(func_of(*function)).name);
    object["without_paths"] = json!(left_out.collect::<Vec<_>>());
}

/// The counts of what is listed under `paths`, in order.
fn counts(results: &Results) -> Vec<u64> {
    match &results.sequences {
        Some(found) => found.k_ipf.sequences().iter().map(|(_, count)| *count).collect(),
        None => results.paths.iter().map(|row| row.count).collect(),
    }
}

fn function_json(engine: &Engine, (function, results): &FunctionResults<'_>, chosen: &[bool]) -> Value {
    let body = engine.module().function(function.func);
    let blocks: Vec<Value> = body
        .blocks
        .keys()
        .map(|block| {
            let (first, last) = engine.lines_of(function.func, block);
            json!({ "id": block.as_u32(), "lines": [first, last] })
        })
        .collect();
    let hash = body_hash(engine.module(), body);
    let mut object = json!({ "name": body.name, "hash": hash, "blocks": blocks });
    let plan = match &function.plan {
        Ok(plan) => plan,
        Err(reason) => {
            object["not_profiled"] = json!(reason.to_string());
            return object;
        }
    };
    object["edges"] = edges(function, plan, results);
    if results.is_of_program {
        return object;
    }
    object["num_paths"] = json!(plan.num_paths().map(|paths| paths.to_string()));
    if let Some(loops) = plan.decoder.iterations() {
        object["loops"] = loops.iter().map(|(header, k)| json!([block_of(*header).as_u32(), k])).collect();
    }
    let truncated = plan.decoder.truncated();
    if !truncated.is_empty() {
        object["truncated"] = truncated.iter().map(|&edge| ends(plan, edge)).collect();
    }
    let rows = results.paths.iter().zip(chosen).filter(|(_, chosen)| **chosen);
    object["paths"] = rows.map(|(row, _)| path(row)).collect();
    object["prefixes"] = results.prefixes.iter().map(prefix).collect();
    if let Some(kind) = results.table {
        object["table"] = json!(match kind {
            TableKind::Array => "array",
            TableKind::Hash => "hash",
        });
    }
    if let Some(found) = &results.sequences {
        sequences_json(&mut object, found, results, chosen);
    }
    if let Some(persistence) = &results.regions {
        object["regions"] = regions(persistence, plan);
    }
    object
}

fn edges(function: &FunctionPaths, plan: &FunctionPlan, results: &Results) -> Value {
    let counts = function.edge_counts(plan, results);
    let between = plan.graph.edges().zip(counts).filter(|((id, _), _)| !plan.graph.is_return(*id));
    between.map(|((_, edge), count)| json!([edge.from.as_u32(), edge.to.as_u32(), count])).collect()
}

fn ends(plan: &FunctionPlan, edge: EdgeId) -> Value {
    let edge = plan.graph.edge(edge);
    json!([edge.from.as_u32(), edge.to.as_u32()])
}

fn numbers(blocks: &[Node]) -> Value {
    blocks.iter().map(|&node| block_of(node).as_u32()).collect()
}

fn id(row: &PathRow) -> String {
    row.id.text(|node| node.as_u32().to_string())
}

fn path(row: &PathRow) -> Value {
    with_context(row, json!({ "id": id(row), "blocks": numbers(&row.path.blocks), "count": row.count }))
}

fn with_context(row: &PathRow, mut object: Value) -> Value {
    if let Some(context) = &row.context {
        object["context"] = numbers(context);
    }
    object
}

fn prefix(row: &PathRow) -> Value {
    let block = row.path.blocks.last().map(|node| node.as_u32());
    let object = json!({ "block": block, "id": id(row), "blocks": numbers(&row.path.blocks), "count": row.count });
    with_context(row, object)
}

fn sequences_json(object: &mut Value, found: &Sequences, results: &Results, chosen: &[bool]) {
    let forest = &found.k_ipf;
    let sampled = match &found.forest {
        Forest::Whole(_) | Forest::Steps(_) | Forest::First(_) => None,
        Forest::Sampled(sampled) => Some(sampled),
    };
    let is_of_the_run = sampled.is_some_and(|sampled| sampled.out_of().is_some());
    let estimator = sampled.map(|sampled| sampled.estimator(forest));
    let sequence = |(ids, count): &(Vec<u64>, u64)| {
        let spelled: Vec<String> = ids.iter().map(u64::to_string).collect();
        let mut object = json!({ "ids": spelled, "count": count });
        if let Some(sampled) = &estimator {
            let estimate = sampled.estimate(ids);
            if is_of_the_run {
                object["at_most"] = json!(estimate.at_most);
                object["estimate"] = json!(estimate.estimate);
            }
            object["standard_error"] = json!(estimate.standard_error);
        }
        object
    };
    object["paths"] = forest
        .sequences()
        .iter()
        .zip(chosen)
        .filter(|(_, chosen)| **chosen)
        .map(|(found, _)| sequence(found))
        .collect();
    object["path_list"] =
        results.paths.iter().map(|row| json!({ "id": id(row), "blocks": numbers(&row.path.blocks) })).collect();
    object["forest"] = json!({
        "k": forest.k(),
        "nodes": forest.node_count(),
        "lost": found.forest.lost(),
    });
    if let Some(slabs) = found.forest.bounded() {
        let of_slabs = [("slab_nodes", slabs.node_count()), ("bytes", slabs.bytes())];
        of_slabs.into_iter().for_each(|(key, value)| object["forest"][key] = json!(value));
        object["forest"]["pruned_nodes"] = json!(slabs.pruned_nodes());
    }
    if let Some(sampled) = sampled {
        object["sample"] =
            json!({ "paths": sampled.out_of(), "recorded": sampled.recorded(), "bursts": sampled.bursts() });
    }
}

fn regions(persistence: &Persistence, plan: &FunctionPlan) -> Value {
    let regions = persistence.regions();
    let node = |place: &RegionPlace| match *place {
        RegionPlace::Block(node) | RegionPlace::Loop(node) => node.as_u32(),
    };
    let nodes = |places: &[RegionPlace]| places.iter().map(node).collect::<Vec<u32>>();
    let one = |(register, region): (_, &holloway_profiler::persistence::Region)| {
        let (overall, summary) = (persistence.overall(register), persistence.summary(register));
        let paths = |of: Vec<(Vec<u64>, u64)>| -> Vec<Value> {
            let path = |(bits, executions): &(Vec<u64>, u64)| json!({ "blocks": nodes(&region.path(bits)), "executions": executions });
            of.iter().map(path).collect()
        };
        let monitored: Vec<Value> = overall
            .edges
            .iter()
            .map(|&(edge, taken)| {
                let edge = plan.graph.edge(edge);
                json!([edge.from.as_u32(), edge.to.as_u32(), taken])
            })
            .collect();
        let mut object = json!({
            "header": region.around.map(|id| regions.nest().get(id).header.as_u32()),
            "places": nodes(&region.places),
            "executions": overall.executions,
            "windows": summary.windows,
            "persistent_windows": summary.persistent_windows,
            "persistent_paths": paths(summary.persistent_paths()),
            "untaken": nodes(&overall.untaken),
            "untaken_in_windows": summary.untaken,
            "segments": overall.segments.iter().map(|segment| nodes(segment)).collect::<Vec<_>>(),
            "monitored": monitored,
            "least": overall.least,
            "greatest": overall.greatest,
        });
        if let Some(frequencies) = persistence.frequencies(register) {
            object["paths"] = json!(paths(frequencies.paths()));
        }
        object
    };
    regions.iter().map(one).collect()
}

/// Which rows of which function are shown: a flag for each.
fn chosen(counts: &[Vec<u64>], shown: Shown) -> Vec<Vec<bool>> {
    let mut all: Vec<(u64, usize, usize)> = Vec::new();
    for (function, rows) in counts.iter().enumerate() {
        all.extend(rows.iter().enumerate().map(|(row, &count)| (count, function, row)));
    }
    all.sort_by(|a, b| shown.order(a.0, b.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    all.truncate(shown.top.map_or(usize::MAX, NonZeroUsize::get));
    let mut chosen: Vec<Vec<bool>> = counts.iter().map(|rows| vec![false; rows.len()]).collect();
    for (_, function, row) in all {
        chosen[function][row] = true;
    }
    chosen
}
