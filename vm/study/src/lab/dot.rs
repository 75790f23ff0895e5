//! Results of the lab in DOT, for Graphviz: each procedure's graph with the values of its edges.
//!
//! In: a [`LabResult`]. Out: a `digraph` a procedure. An edge has its value and, in parentheses, its count; bold edges are on no path, such as back
//! edges; dashed ones are surrogates. Invariant: every edge of the procedure is drawn, whatever the scheme.

use std::fmt::Write as _;

use holloway_profiler::lab::{Function, FunctionResult, LabResult};

use crate::report::dot::quoted;

/// Every procedure, one after another.
pub fn dot(result: &LabResult) -> String {
    result.functions.iter().map(of_function).collect::<Vec<_>>().join("\n")
}

fn of_function(function: &FunctionResult) -> String {
    let mut out = format!("digraph {} {{\n    node [shape=box, fontname=monospace]\n", quoted(&function.name));
    let mut line = |text: String| writeln!(out, "    {text}").expect("strings take all text");
    for block in &function.blocks {
        line(format!("{} [label={}]", quoted(block), quoted(&block_label(function, block))));
    }
    let is_numbered = function.linear.is_some() || !function.values.is_empty() || !function.iteration_values.is_empty();
    for (from, to, count) in &function.edges {
        let arrow = format!("{} -> {}", quoted(from), quoted(to));
        match value(function, from, to) {
            Some(value) => line(format!("{arrow} [label={}]", quoted(&format!("{value} ({count})")))),
            None if is_numbered => line(format!("{arrow} [label=\"({count})\", style=bold]")),
            None => line(format!("{arrow} [label=\"({count})\"]")),
        }
    }
    for (from, to, value) in surrogates(function) {
        line(format!("{} -> {} [label={}, style=dashed]", quoted(from), quoted(to), quoted(&value)));
    }
    out + "}\n"
}

/// A block's name, and with interprocedural paths its number of continuations.
fn block_label(function: &FunctionResult, block: &str) -> String {
    let psi = function.linear.iter().flat_map(|linear| &linear.psi).find(|(name, _)| name == block);
    psi.map_or(block.to_owned(), |(_, psi)| format!("{block}: {}", linear_text(*psi)))
}

fn value(function: &FunctionResult, from: &str, to: &str) -> Option<String> {
    let is_it = |a: &str, b: &str| (a, b) == (from, to);
    if let Some(linear) = &function.linear {
        return linear.rho.iter().find(|(a, b, _)| is_it(a, b)).map(|(_, _, rho)| linear_text(*rho));
    }
    let pairs = function.iteration_values.iter().find(|values| is_it(&values.from, &values.to));
    let single = || function.values.iter().find(|(a, b, _)| is_it(a, b)).map(|(_, _, value)| value.to_string());
    match pairs {
        Some(values) => {
            let pairs: Vec<String> = values.values.iter().map(|(val, cval)| format!("{val},{cval}")).collect();
            Some(pairs.join(" ")).filter(|text| !text.is_empty())
        }
        None => single(),
    }
}

fn surrogates(function: &FunctionResult) -> Vec<(&str, &str, String)> {
    match &function.linear {
        Some(linear) => {
            linear.surrogates.iter().map(|(a, b, rho)| (a.as_str(), b.as_str(), linear_text(*rho))).collect()
        }
        None => {
            let own = function.surrogate_values.iter();
            own.map(|(header, value)| (header.as_str(), header.as_str(), value.to_string())).collect()
        }
    }
}

/// `lambda x. a * x + b`.
fn linear_text((a, b): Function) -> String {
    match (a, b) {
        (0, b) => b.to_string(),
        (1, 0) => "x".to_owned(),
        (a, 0) => format!("{a}x"),
        (1, b) => format!("x + {b}"),
        (a, b) => format!("{a}x + {b}"),
    }
}
