//! The source lines of a path.
//!
//! In: a function and blocks of it. Out: its lines with their numbers, in source order. Where a line also has code that is not on the
//! path, such as the other side of a short `if`, what is on it is underlined.
//! Invariant: an excerpt has at most [`MOST_LINES`] lines of source, none wider than the screen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cranelift_entity::EntityRef;
use holloway_jit::graph_of::block_of;
use holloway_lang::ir::{Block, FuncRef};
use holloway_lang::source::{SourceFile, Span};
use holloway_profiler::graph::{EdgeKind, Node};
use holloway_profiler::path_id::{Path, PathEnd, PathStart};

use super::super::edges::lines_of;
use super::super::text::one_line;
use crate::engine::Engine;
use crate::profile::FunctionPlan;

/// Lines of source in an excerpt.
const MOST_LINES: usize = 16;

/// Where a path starts and how it ends: `loop 14 -> loop 14`.
pub(super) fn course(engine: &Engine, func: FuncRef, plan: &FunctionPlan, path: &Path) -> String {
    let first = path.blocks.first().copied();
    let start = match (path.start, first) {
        (PathStart::Restart, Some(node)) => restart(engine, func, plan, node),
        (PathStart::Entry, _) | (_, None) => "entry".to_owned(),
    };
    let end = match (path.end, path.blocks.last()) {
        (PathEnd::Return, _) | (_, None) => "return".to_owned(),
        (PathEnd::DeadEnd | PathEnd::Failure, Some(&last)) => {
            format!("failure {}", lines_of(engine, func, block_of(last)).1)
        }
        (PathEnd::Cut, Some(&last)) => {
            let cut = plan
                .graph
                .successors(last)
                .iter()
                .filter(|&&edge| plan.graph.edge(edge).kind == EdgeKind::Normal && plan.is_cut(edge));
            let mut targets: Vec<String> =
                cut.map(|&edge| restart(engine, func, plan, plan.graph.edge(edge).to)).collect();
            targets.dedup();
            targets.join(" or ")
        }
    };
    format!("{start} -> {end}")
}

/// A node where paths start behind a cut.
fn restart(engine: &Engine, func: FuncRef, plan: &FunctionPlan, node: Node) -> String {
    let into = |kind| plan.graph.predecessors(node).iter().any(move |&edge| plan.graph.edge(edge).kind == kind);
    let what = if plan.truncated().iter().any(|&edge| plan.graph.edge(edge).to == node) {
        "line"
    } else if into(EdgeKind::Failure) {
        "catch"
    } else {
        "loop"
    };
    format!("{what} {}", lines_of(engine, func, block_of(node)).0)
}

/// The lines that `blocks` are on.
pub(super) fn lines(engine: &Engine, func: FuncRef, blocks: &[Node], width: usize, out: &mut String) {
    let body = engine.module().function(func);
    let file = engine.sources().file(body.span.file);
    let on_path: BTreeSet<usize> = blocks.iter().map(|node| node.index()).collect();
    // Of each line: what of it is on the path, and whether anything else is not.
    let mut shown: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    let mut others: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        let of = if on_path.contains(&block.index()) { &mut shown } else { &mut others };
        for span in spans(engine, func, block).filter(|span| span.file == data.term_span.file) {
            of.entry(file.line(span.start)).or_default().push(span);
        }
    }
    let gutter = shown.keys().last().map_or(0, |line| line.to_string().len()).max(6);
    let left_out = shown.len().saturating_sub(MOST_LINES);
    let mut before = None;
    for (&line, on) in shown.iter().take(MOST_LINES) {
        if before.is_some_and(|before| before + 1 < line) {
            writeln!(out, "{:>gutter$} :", "").expect("strings take all text");
        }
        before = Some(line);
        let room = width.max(40) - gutter - 3;
        let text: String = one_line(file.line_text(line)).chars().take(room).collect();
        writeln!(out, "{line:>gutter$} | {text}").expect("strings take all text");
        if let Some(off) = others.get(&line) {
            let marks = underline(file, line, on, off);
            let marks: String = marks.chars().take(text.chars().count()).collect();
            if marks.contains('^') {
                writeln!(out, "{:>gutter$} | {}", "", marks.trim_end()).expect("strings take all text");
            }
        }
    }
    if left_out > 0 {
        writeln!(out, "{:>gutter$} : {left_out} more lines", "").expect("strings take all text");
    }
}

/// The places of a block's instructions; jumps stand for nothing a person wrote.
fn spans(engine: &Engine, func: FuncRef, block: Block) -> impl Iterator<Item = Span> {
    let data = &engine.module().function(func).blocks[block];
    let term = match data.term {
        holloway_lang::ir::Terminator::Jump(_) => None,
        _ => Some(data.term_span),
    };
    data.spans.iter().copied().chain(term)
}

/// Marks below what is on the path: the spans on it without those off it, which may be nested in them.
fn underline(file: &SourceFile, line: u32, on: &[Span], off: &[Span]) -> String {
    let text = file.line_text(line);
    let start = file.line_start(line);
    let covers = |spans: &[Span], at: u32| {
        let around = spans.iter().filter(|span| span.start <= at && at < span.end);
        around.map(|span| span.end - span.start).min()
    };
    let marks = text.char_indices().map(|(offset, c)| {
        let at = start + offset as u32;
        match (covers(on, at), covers(off, at)) {
            (Some(_), None) if !c.is_control() => '^',
            (Some(inner), Some(outer)) if inner <= outer => '^',
            _ => ' ',
        }
    });
    marks.collect()
}
