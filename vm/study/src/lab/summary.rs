//! Results of the lab as a table: how many paths there are, how many were executed, and how often.
//!
//! In: a [`LabResult`]. Out: lines of text, the procedures with the most executed edges first, and their sums.
//! Invariant: the sums are those of all procedures, also of those that are not shown; a scheme's columns follow from the lists it fills.

use std::num::NonZeroUsize;

use holloway_profiler::lab::{AcrossResult, FunctionResult, LabResult, PathRow};

use crate::report::columns::{NOTHING, Table};

/// One column: its header, and its figure for a procedure.
type Column = (String, Box<dyn Fn(&FunctionResult) -> Option<u128>>);

/// The table with at most `top` procedures.
pub fn summary(result: &LabResult, top: Option<NonZeroUsize>) -> String {
    let mut functions: Vec<&FunctionResult> = result.functions.iter().collect();
    functions.sort_by_key(|function| std::cmp::Reverse(edge_executions(function)));
    let columns = columns(result);
    let k = result.scheme.k().map(|k| format!(", k = {k}")).unwrap_or_default();
    let mut text = format!("scheme {}{k}\n\n", result.scheme.name());
    if let Some(across) = &result.across {
        text += &of_program(across);
    }
    let header = std::iter::once("procedure".to_owned()).chain(columns.iter().map(|(name, _)| name.clone()));
    let mut table = Table::new(header);
    for function in functions.iter().take(top.map_or(usize::MAX, NonZeroUsize::get)) {
        table.row(std::iter::once(function.name.clone()).chain(columns.iter().map(|(_, of)| cell(of(function)))));
    }
    table.rule();
    let sum = |of: &dyn Fn(&FunctionResult) -> Option<u128>| {
        functions.iter().filter_map(|function| of(function)).try_fold(0_u128, u128::checked_add)
    };
    let label = format!("all {}", functions.len());
    table.row(std::iter::once(label).chain(columns.iter().map(|(_, of)| cell(sum(of)))));
    text += &table.render();
    let refused = functions.iter().filter_map(|f| Some((f, f.refused.as_ref()?)));
    for (nth, (function, reason)) in refused.enumerate() {
        let blank = if nth == 0 { "\n" } else { "" };
        text += &format!("{blank}not counted, {}: {reason}\n", function.name);
    }
    text
}

fn cell(figure: Option<u128>) -> String {
    figure.map_or(NOTHING.to_owned(), |figure| figure.to_string())
}

fn columns(result: &LabResult) -> Vec<Column> {
    let column = |name: &str, of: fn(&FunctionResult) -> Option<u128>| -> Column { (name.to_owned(), Box::new(of)) };
    let mut columns = vec![
        column("blocks", |f| Some(f.blocks.len() as u128)),
        column("edges", |f| Some(f.edges.len() as u128)),
        column("taken", |f| Some(f.edges.iter().filter(|(.., count)| *count > 0).count() as u128)),
    ];
    let functions = &result.functions;
    if functions.iter().any(|f| f.num_paths.is_some()) {
        columns.push(column("paths", |f| f.num_paths));
    }
    if functions.iter().any(|f| !f.paths.is_empty()) {
        columns.push(column("executed", |f| Some(f.paths.len() as u128)));
        columns.push(column("executions", |f| Some(executions(&f.paths))));
    }
    if let Some(k) = functions.iter().find_map(|f| f.forest.map(|forest| forest.k as usize)) {
        for length in 1..=k {
            let of = move |f: &FunctionResult| {
                Some(f.sequences.iter().filter(|(ids, _)| ids.len() == length).count() as u128)
            };
            columns.push((format!("of {length}"), Box::new(of)));
        }
        columns.push(column("k-SF nodes", |f| f.forest.map(|forest| forest.slab_nodes as u128)));
        columns.push(column("k-IPF nodes", |f| f.forest.map(|forest| forest.ipf_nodes as u128)));
    }
    if functions.iter().any(|f| !f.regions.is_empty()) {
        let windows = |f: &FunctionResult| f.regions.iter().map(|region| region.windows.len() as u128).sum();
        let persistent = |f: &FunctionResult| {
            let windows = f.regions.iter().flat_map(|region| &region.windows);
            windows.filter(|window| window.persistent).count() as u128
        };
        columns.push(column("regions", |f| Some(f.regions.len() as u128)));
        columns.push(("windows".to_owned(), Box::new(move |f| Some(windows(f)))));
        columns.push(("persistent".to_owned(), Box::new(move |f| Some(persistent(f)))));
    }
    if functions.iter().any(|f| !f.prefixes.is_empty()) {
        columns.push(column("prefixes", |f| Some(f.prefixes.len() as u128)));
    }
    columns
}

fn edge_executions(function: &FunctionResult) -> u64 {
    function.edges.iter().fold(0, |sum, (.., count)| sum.saturating_add(*count))
}

fn executions(rows: &[PathRow]) -> u128 {
    rows.iter().map(|row| u128::from(row.count)).sum()
}

/// The paths across procedures.
fn of_program(across: &AcrossResult) -> String {
    let crosses = |row: &&PathRow| {
        let procedure = |block: &str| block.split(':').next().unwrap_or(block).to_owned();
        let mut procedures = row.context.iter().chain(&row.blocks).map(|block| procedure(block));
        let first = procedures.next();
        procedures.any(|procedure| Some(&procedure) != first.as_ref())
    };
    let crossing: Vec<&PathRow> = across.paths.iter().filter(crosses).collect();
    let crossing_executions: u128 = crossing.iter().map(|row| u128::from(row.count)).sum();
    let mut table = Table::default();
    for (what, figure) in [
        ("paths", across.num_paths),
        ("bits of a number", u128::from(across.bits)),
        ("edges from Entry_global", across.entry_values.len() as u128),
        ("recursive call sites", across.recursive.len() as u128),
        ("further call sites cut", across.cut.len() as u128),
        ("executed paths", across.paths.len() as u128),
        ("executed paths across calls", crossing.len() as u128),
        ("executions", executions(&across.paths)),
        ("executions across calls", crossing_executions),
        ("prefixes", across.prefixes.len() as u128),
    ] {
        table.row([what.to_owned(), figure.to_string()]);
    }
    table.render() + "\n"
}
