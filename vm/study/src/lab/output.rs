//! Results of the lab as JSON: the shape of `profile --json`, with blocks in names, and the values of edges.
//!
//! In: a [`LabResult`]. Out: one object. Ids are decimal text. Other numbers are numbers, unless they need more than 64 bits: then
//! they are decimal text as well.
//! Invariant: nothing is computed here.

use holloway_profiler::lab::{
    AcrossResult, ContextRow, Function, FunctionResult, LabResult, LabScheme, LinearFunctions, PathRow, RegionRow,
    StaticPath, TraceRow, WindowRow,
};
use serde_json::{Value, json};

use super::input::ProcedureSource;

/// Parts of a path beside its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Plain,
    WithContext,
}

/// The whole result of the input with this name, whose procedures have these sources.
pub fn json(result: &LabResult, program: &str, sources: &[ProcedureSource]) -> String {
    let shape = match result.scheme {
        LabScheme::Registered(_) | LabScheme::Mixed(..) | LabScheme::Unrolled(..) | LabScheme::CallingContexts => {
            Shape::Plain
        }
        LabScheme::Context | LabScheme::Interprocedural { .. } => Shape::WithContext,
    };
    let functions: Vec<Value> =
        result.functions.iter().zip(sources).map(|(function, source)| function_json(function, shape, source)).collect();
    let (scheme, k) = (result.scheme.name(), result.scheme.k());
    let mut object = json!({ "scheme": scheme, "k": k, "program": program, "functions": functions });
    if result.scheme == LabScheme::CallingContexts {
        let context = |row: &ContextRow| {
            json!({
                "id": row.id, "parent": row.parent, "site": row.site, "function": row.procedure, "calls": row.calls,
                "recursive": row.recursive,
            })
        };
        object["contexts"] = result.contexts.iter().map(context).collect();
    }
    if let Some(across) = &result.across {
        across_json(&mut object, across, shape);
    }
    format!("{object}\n")
}

fn function_json(function: &FunctionResult, shape: Shape, source: &ProcedureSource) -> Value {
    let block = |block: &String| match source.lines.get(block) {
        Some(lines) => json!({ "id": block, "lines": lines }),
        None => json!({ "id": block }),
    };
    let blocks: Vec<Value> = function.blocks.iter().map(block).collect();
    let mut object = json!({ "name": function.name, "blocks": blocks, "edges": function.edges });
    if let Some(file) = &source.file {
        object["file"] = json!(file);
    }
    if let Some(reason) = &function.refused {
        object["refused"] = json!(reason.to_string());
        return object;
    }
    if let Some(linear) = &function.linear {
        linear_json(&mut object, linear);
        return object;
    }
    object["num_paths"] = json!(function.num_paths.map(|paths| paths.to_string()));
    object["values"] = match function.iteration_values.is_empty() {
        true => function.values.iter().map(|(from, to, val)| json!([from, to, number(*val)])).collect(),
        false => function.iteration_values.iter().map(|v| json!([v.from, v.to, v.values])).collect(),
    };
    if let Some(unrolled) = &function.unrolled {
        object["values"] = unrolled.values.iter().map(|v| json!([v.from, v.to, v.values])).collect();
        object["copies"] = json!(unrolled.copies);
        object["accumulators"] = json!(unrolled.most_accumulators);
    }
    if shape == Shape::WithContext {
        object["surrogates"] =
            function.surrogate_values.iter().map(|(header, val)| json!([header, header, number(*val)])).collect();
    }
    object["paths"] = rows(&function.paths, shape);
    object["prefixes"] = prefixes(&function.prefixes, shape);
    if let Some(list) = &function.path_list {
        object["path_list"] = listed(list, shape);
    }
    if let Some(forest) = &function.forest {
        object["forest"] = json!({ "k": forest.k, "nodes": forest.ipf_nodes, "slab_nodes": forest.slab_nodes });
        object["paths"] = function
            .sequences
            .iter()
            .map(|(ids, count)| json!({ "ids": ids.iter().map(u64::to_string).collect::<Vec<_>>(), "count": count }))
            .collect();
    }
    if !function.regions.is_empty() {
        object["regions"] = function.regions.iter().map(region).collect();
    }
    if !function.traces.is_empty() {
        object["traces"] = function.traces.iter().map(trace).collect();
    }
    object
}

fn trace(trace: &TraceRow) -> Value {
    let timestamps = |of: &[(String, Vec<i64>)]| -> Value {
        Value::Object(of.iter().map(|(block, words)| (block.clone(), json!(words))).collect())
    };
    json!({
        "calls": trace.calls,
        "blocks": trace.blocks,
        "dictionary": trace.dictionary,
        "trace": trace.trace,
        "timestamps": timestamps(&trace.timestamps),
        "of_blocks": timestamps(&trace.of_blocks),
    })
}

fn linear_json(object: &mut Value, linear: &LinearFunctions) {
    let edges = |list: &[(String, String, Function)]| -> Value {
        list.iter().map(|(from, to, rho)| json!([from, to, pair(*rho)])).collect()
    };
    object["values"] = edges(&linear.rho);
    object["surrogates"] = edges(&linear.surrogates);
    object["vertices"] = linear.psi.iter().map(|(block, psi)| json!([block, pair(*psi)])).collect();
    object["max_enters"] = number(linear.max_enters);
    if let Some(paths) = linear.unbalanced_paths_from_exit {
        object["unbalanced_paths_from_exit"] = number(paths);
    }
}

fn across_json(object: &mut Value, across: &AcrossResult, shape: Shape) {
    object["num_paths"] = json!(across.num_paths.to_string());
    object["bits"] = json!(across.bits);
    object["recursive"] = json!(across.recursive);
    object["cut"] = json!(across.cut);
    object["entries"] = across.entry_values.iter().map(|(vertex, value)| json!([vertex, number(*value)])).collect();
    let returns = across.return_values.iter();
    let value = |v: &holloway_profiler::lab::ReturnValue| json!({ "exit": v.exit, "call": v.call, "return_site": v.return_site, "value": number(v.value) });
    object["returns"] = returns.map(value).collect();
    object["paths"] = rows(&across.paths, shape);
    object["prefixes"] = prefixes(&across.prefixes, shape);
    if let Some(list) = &across.path_list {
        object["path_list"] = listed(list, shape);
    }
}

fn number(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

fn pair((a, b): Function) -> Value {
    json!([number(a), number(b)])
}

fn rows(rows: &[PathRow], shape: Shape) -> Value {
    rows.iter().map(|found| row(found, shape)).collect()
}

fn prefixes(rows: &[PathRow], shape: Shape) -> Value {
    let prefix = |found: &PathRow| {
        let mut object = row(found, shape);
        object["block"] = json!(found.blocks.last());
        object
    };
    rows.iter().map(prefix).collect()
}

fn row(row: &PathRow, shape: Shape) -> Value {
    let mut object = json!({ "id": row.id, "blocks": row.blocks, "count": row.count });
    if shape == Shape::WithContext {
        with_context(&mut object, &row.context, &row.surrogates, &row.returns_to);
    }
    object
}

fn listed(list: &[StaticPath], shape: Shape) -> Value {
    let path = |path: &StaticPath| {
        let mut object = json!({ "id": path.id.to_string(), "blocks": path.blocks });
        if shape == Shape::WithContext {
            with_context(&mut object, &path.context, &path.surrogates, &path.returns_to);
        }
        object
    };
    list.iter().map(path).collect()
}

fn with_context(object: &mut Value, context: &[String], surrogates: &[usize], returns_to: &[String]) {
    object["context"] = json!(context);
    object["surrogates"] = json!(surrogates);
    if !returns_to.is_empty() {
        object["returns_to"] = json!(returns_to);
    }
}

fn region(region: &RegionRow) -> Value {
    json!({
        "header": region.header,
        "places": region.places,
        "windows": region.windows.iter().map(window).collect::<Vec<_>>(),
        "rest": region.rest.as_ref().map(window),
    })
}

fn window(window: &WindowRow) -> Value {
    json!({
        "executions": window.executions,
        "persistent": window.persistent,
        "and": window.and,
        "or": window.or,
        "path": window.path,
        "untaken": window.untaken,
        "segments": window.segments,
        "monitored": window.edges,
        "least": window.least,
        "greatest": window.greatest,
    })
}
