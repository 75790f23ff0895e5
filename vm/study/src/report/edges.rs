//! The edge profile as text and as JSON.
//!
//! In: an engine after a run. Out: the hottest edges as source lines, or the JSON of `profile --json`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

use holloway_lang::ir::{Block, FuncRef, FunctionKind};
use serde_json::{Value, json};

use super::block_names::BlockNames;
use super::body_hash::body_hash;
use super::text::{grouped, one_line, share};
use crate::report::text::function_name;
use holloway::{Engine, FunctionEdges};

/// One edge of the program.
struct Row<'a> {
    function: &'a FunctionEdges,
    from: Block,
    to: Block,
    count: u64,
}

/// Text of a profile's hottest edges.
pub struct Hottest {
    /// The table, one line an edge, below its heading.
    pub table: String,
    /// Number of taken edges that the table omits.
    pub left_out: usize,
    /// Sum of the counts of all edges of the table, with those that it omits.
    pub taken: u64,
}

/// A table of the hottest edges, with the number of counters.
pub fn text(engine: &Engine, top: Option<NonZeroUsize>) -> String {
    let profile = engine.edge_profile();
    let Hottest { table: mut out, left_out, taken } = hottest(engine, &profile, top);
    let (edges, counters) = profile.iter().fold((0, 0), |(e, c), f| (e + f.edges.len(), c + f.counters));
    if left_out > 0 {
        writeln!(out, "and {left_out} more; --top 0 shows all").expect("strings take all text");
    }
    writeln!(out, "{} edges taken; {counters} counters for {edges} edges", grouped(taken as usize))
        .expect("strings take all text");
    out
}

/// The hottest edges of some functions of a program.
pub fn hottest(engine: &Engine, profile: &[FunctionEdges], top: Option<NonZeroUsize>) -> Hottest {
    let Shown { rows, names } = shown(engine, profile);
    let taken: u64 = rows.iter().map(|row| row.count).sum();
    let most = top.map_or(rows.len(), |top| top.get().min(rows.len()));
    let places: Vec<String> = rows[..most].iter().map(|row| names[&row.function.func].edge(row.from, row.to)).collect();
    let width = places.iter().map(String::len).max().unwrap_or(0).max(15);
    let mut table = format!("     count   share  {:<width$}  function\n", "lines");
    for (row, places) in rows.iter().zip(&places) {
        let (count, part) = (grouped(row.count as usize), share(row.count, taken));
        let name = name(engine, row.function.func);
        writeln!(table, "{count:>10}  {part:>6}  {places:<width$}  {name}").expect("strings take all text");
    }
    Hottest { table, left_out: rows.len() - most, taken }
}

/// The hottest edge, in a line; `None` if none was taken.
pub(super) fn headline(engine: &Engine, profile: &[FunctionEdges]) -> Option<String> {
    let Shown { rows, names } = shown(engine, profile);
    let total: u64 = rows.iter().map(|row| row.count).sum();
    let row = rows.first()?;
    let func = row.function.func;
    let places = names[&func].edge(row.from, row.to);
    Some(format!("{} of edges: {places}, {}", share(row.count, total), name(engine, func)))
}

/// The edges of tables, hottest first, and the names of their functions' blocks.
struct Shown<'a> {
    rows: Vec<Row<'a>>,
    names: HashMap<FuncRef, BlockNames<'a>>,
}

/// The edges that were taken and lead from source to source; an empty block between them makes no second row.
fn shown<'a>(engine: &'a Engine, profile: &'a [FunctionEdges]) -> Shown<'a> {
    let mut rows = taken(profile);
    let mut names = HashMap::new();
    rows.retain(|row| {
        let func = row.function.func;
        names.entry(func).or_insert_with(|| BlockNames::new(engine, func)).is_shown(row.from)
    });
    Shown { rows, names }
}

/// The edges that were taken, hottest first.
fn taken(profile: &[FunctionEdges]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = profile.iter().flat_map(rows_of).filter(|row| row.count > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

fn rows_of(function: &FunctionEdges) -> impl Iterator<Item = Row<'_>> {
    function.edges.iter().map(move |(from, to, count)| Row { function, from: *from, to: *to, count: *count })
}

/// Name of the function; top-level statements are named with their file, since several files may have some.
pub(super) fn name(engine: &Engine, func: FuncRef) -> String {
    let body = engine.module().function(func);
    let name = function_name(engine.module(), func);
    match body.kind {
        FunctionKind::Declared | FunctionKind::Provided => name,
        FunctionKind::TopLevel => format!("{name}, {}", one_line(&engine.sources().file(body.span.file).name)),
    }
}

/// The JSON of `profile --json`: all functions with their blocks, and all edges or only the hottest ones taken.
pub fn json(engine: &Engine, program: &str, top: Option<NonZeroUsize>) -> String {
    let mut profile = engine.edge_profile();
    let left_out = top.map_or(0, |top| taken(&profile).len().saturating_sub(top.get()));
    if let Some(top) = top {
        keep_hottest(&mut profile, top);
    }
    let functions: Vec<Value> = profile.iter().map(|function| function_json(engine, function)).collect();
    let mut object = json!({ "scheme": "edge", "k": null, "program": program, "functions": functions });
    if left_out > 0 {
        object["left_out"] = json!(left_out);
    }
    format!("{object}\n")
}

/// Keeps the edges with the highest counts.
fn keep_hottest(profile: &mut [FunctionEdges], top: NonZeroUsize) {
    let rows = taken(profile);
    let shown: HashSet<_> = rows.iter().take(top.get()).map(|row| (row.function.func, row.from, row.to)).collect();
    for function in profile {
        let func = function.func;
        function.edges.retain(|(from, to, _)| shown.contains(&(func, *from, *to)));
    }
}

fn function_json(engine: &Engine, function: &FunctionEdges) -> Value {
    let body = engine.module().function(function.func);
    let blocks: Vec<Value> = body
        .blocks
        .keys()
        .zip(&function.blocks)
        .map(|(block, count)| {
            let (first, last) = engine.lines_of(function.func, block);
            json!({ "id": block.as_u32(), "lines": [first, last], "count": count })
        })
        .collect();
    let edges: Vec<Value> =
        function.edges.iter().map(|(from, to, count)| json!([from.as_u32(), to.as_u32(), count])).collect();
    json!({
        "name": body.name,
        "hash": body_hash(engine.module(), body),
        "calls": function.calls,
        "counters": function.counters,
        "blocks": blocks,
        "edges": edges,
    })
}
