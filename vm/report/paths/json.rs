//! The JSON of path profiles; `docs/profiling.md` describes it.
//!
//! In: a profile. Out: one object. Ids are decimal text, since they may exceed the numbers of some readers; blocks are
//! numbers.
//! Invariant: the same program and input give the same text from every tier.

use std::num::NonZeroUsize;

use holloway_jit::graph_of::block_of;
use holloway_profiler::counts::TableKind;
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::persistence::{Persistence, Place};
use serde_json::{Value, json};

use super::super::edges::lines_of;
use super::regions::places_of;
use super::rows::{PathRow, Rows, hottest};
use crate::engine::{Engine, FunctionPaths, PathProfile};
use crate::profile::{Collected, Forest, FunctionPlan, Joined};

/// The whole profile, with the `top` hottest of its paths or sequences.
pub fn json(engine: &Engine, profile: &PathProfile, program: &str, top: Option<NonZeroUsize>) -> String {
    let rows: Vec<Rows> = profile.functions.iter().map(Rows::of).collect();
    let sequences: Vec<Vec<(Vec<u64>, u64)>> =
        rows.iter().map(|rows| rows.forest.as_ref().map(|forest| forest.sequences()).unwrap_or_default()).collect();
    let counts: Vec<Vec<u64>> = rows
        .iter()
        .zip(&sequences)
        .map(|(rows, sequences)| match rows.forest {
            Some(_) => sequences.iter().map(|(_, count)| *count).collect(),
            None => rows.paths.iter().map(|row| row.count).collect(),
        })
        .collect();
    let chosen = hottest(&counts, top.map(NonZeroUsize::get));
    let functions: Vec<Value> = profile
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| function_json(engine, function, &rows[index], &sequences[index], &chosen[index]))
        .collect();
    let k = profile.scheme.k();
    let profile = json!({ "scheme": profile.scheme.name(), "k": k, "program": program, "functions": functions });
    format!("{profile}\n")
}

fn function_json(
    engine: &Engine,
    function: &FunctionPaths,
    rows: &Rows,
    sequences: &[(Vec<u64>, u64)],
    chosen: &[bool],
) -> Value {
    let body = engine.module().function(function.func);
    let blocks: Vec<Value> = body
        .blocks
        .keys()
        .map(|block| {
            let (first, last) = lines_of(engine, function.func, block);
            json!({ "id": block.as_u32(), "lines": [first, last] })
        })
        .collect();
    let mut object = json!({ "name": body.name, "blocks": blocks });
    let plan = match &function.plan {
        Ok(plan) => plan,
        Err(reason) => {
            object["not_profiled"] = json!(reason.to_string());
            return object;
        }
    };
    object["edges"] = edges(function, plan, rows);
    object["num_paths"] = json!(plan.num_paths().map(|paths| paths.to_string()));
    if !plan.truncated().is_empty() {
        object["truncated"] = plan.truncated().iter().map(|&edge| ends(plan, edge)).collect();
    }
    object["paths"] = match rows.forest {
        Some(_) => Value::Null,
        None => rows.paths.iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(row, _)| path(row)).collect(),
    };
    object["prefixes"] = rows.prefixes.iter().map(prefix).collect();
    match &function.collected {
        Collected::Bl(counts) => {
            object["table"] = json!(match counts.paths.kind() {
                TableKind::Array => "array",
                TableKind::Hash => "hash",
            });
        }
        Collected::KBl(joined) => sequences_json(&mut object, joined, rows, sequences, chosen),
        Collected::Tfp(persistence) => object["regions"] = regions(persistence, plan),
        Collected::Bala(_) => {}
        Collected::Nothing => object["paths"] = json!([]),
    }
    object
}

fn edges(function: &FunctionPaths, plan: &FunctionPlan, rows: &Rows) -> Value {
    let counts = rows.edges(function, plan);
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

fn path(row: &PathRow) -> Value {
    json!({ "id": row.id, "blocks": numbers(&row.path.blocks), "count": row.count })
}

fn prefix(row: &PathRow) -> Value {
    let block = row.path.blocks.last().map(|node| node.as_u32());
    json!({ "block": block, "id": row.id, "blocks": numbers(&row.path.blocks), "count": row.count })
}

fn sequences_json(object: &mut Value, joined: &Joined, rows: &Rows, sequences: &[(Vec<u64>, u64)], chosen: &[bool]) {
    let Some(forest) = &rows.forest else { return };
    let slabs = joined.forest.slabs();
    let sampled = match &joined.forest {
        Forest::Whole(_) => None,
        Forest::Sampled(sampled) => Some(sampled),
    };
    let sequence = |(ids, count): &(Vec<u64>, u64)| {
        let spelled: Vec<String> = ids.iter().map(u64::to_string).collect();
        let mut object = json!({ "ids": spelled, "count": count });
        if let Some(sampled) = sampled {
            let estimate = sampled.estimate(forest, ids);
            object["at_most"] = json!(estimate.at_most);
            object["estimate"] = json!(estimate.estimate);
            object["standard_error"] = json!(estimate.standard_error);
        }
        object
    };
    object["paths"] =
        sequences.iter().zip(chosen).filter(|(_, chosen)| **chosen).map(|(found, _)| sequence(found)).collect();
    object["path_list"] =
        rows.paths.iter().map(|row| json!({ "id": row.id, "blocks": numbers(&row.path.blocks) })).collect();
    object["forest"] = json!({
        "k": forest.k(),
        "nodes": forest.node_count(),
        "slab_nodes": slabs.node_count(),
        "bytes": slabs.bytes(),
        "lost": slabs.lost(),
        "pruned_nodes": slabs.pruned_nodes(),
    });
    if let Some(sampled) = sampled {
        object["sample"] =
            json!({ "paths": sampled.seen(), "recorded": sampled.recorded(), "bursts": sampled.bursts() });
    }
}

fn regions(persistence: &Persistence, plan: &FunctionPlan) -> Value {
    let regions = persistence.regions();
    let node = |place: &Place| match *place {
        Place::Block(node) | Place::Loop(node) => node.as_u32(),
    };
    let nodes = |places: &[Place]| places.iter().map(node).collect::<Vec<u32>>();
    let one = |(register, region): (_, &holloway_profiler::persistence::Region)| {
        let (overall, summary) = (persistence.overall(register), persistence.summary(register));
        let paths: Vec<Value> = summary
            .persistent_paths()
            .iter()
            .map(|(bits, executions)| json!({ "blocks": nodes(&places_of(region, bits)), "executions": executions }))
            .collect();
        let monitored: Vec<Value> = overall
            .edges
            .iter()
            .map(|&(edge, taken)| {
                let edge = plan.graph.edge(edge);
                json!([edge.from.as_u32(), edge.to.as_u32(), taken])
            })
            .collect();
        json!({
            "header": region.around.map(|id| regions.nest().get(id).header.as_u32()),
            "places": nodes(&region.places),
            "executions": overall.executions,
            "windows": summary.windows,
            "persistent_windows": summary.persistent_windows,
            "persistent_paths": paths,
            "untaken": nodes(&overall.untaken),
            "untaken_in_windows": summary.untaken,
            "segments": overall.segments.iter().map(|segment| nodes(segment)).collect::<Vec<_>>(),
            "monitored": monitored,
            "least": overall.least,
            "greatest": overall.greatest,
        })
    };
    regions.iter().map(one).collect()
}
