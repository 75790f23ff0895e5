//! The source lines of a path.
//!
//! In: a function and some of its blocks. Out: their lines with numbers, in source order. If the other side of a branch
//! is on the same line, as in a short `if`, the part on the path is underlined.
//! Invariant: an excerpt has at most [`EXCERPT_LINES`] lines of source, none wider than the screen.

use crate::report::settings::EXCERPT_LINES;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use holloway_jit::graph_of::{block_of, node_of};
use holloway_lang::ir::{Block, FuncRef, Function};
use holloway_lang::source::{SourceFile, Span};
use holloway_profiler::graph::{EdgeKind, Graph, Node};
use holloway_profiler::path_id::{Path, PathEnd, PathStart};
use holloway_profiler::scheme::FunctionPlan;

use super::super::fit::cut_to;
use super::super::text::one_line;
use holloway::Engine;

/// Start and end of a path: `loop 14 -> loop 14`.
pub(in crate::report) fn course(engine: &Engine, func: FuncRef, plan: &FunctionPlan, path: &Path) -> String {
    let first = path.blocks.first().copied();
    let start = match (path.start, first) {
        (PathStart::Restart, Some(node)) => restart(engine, func, plan, node),
        (PathStart::Entry, _) | (_, None) => "entry".to_owned(),
    };
    let end = match (path.end, path.blocks.last()) {
        (PathEnd::Return, _) | (_, None) => "return".to_owned(),
        (PathEnd::Left, _) => "loop exit".to_owned(),
        (PathEnd::DeadEnd | PathEnd::Failure, Some(&last)) => {
            format!("failure {}", starts(engine, func, last).1)
        }
        (PathEnd::Cut, Some(&last)) => {
            let cut = plan.graph.successors(last).iter().filter(|&&edge| {
                plan.graph.edge(edge).kind == EdgeKind::Normal && plan.decoder.may_end(&plan.graph, edge)
            });
            let mut targets: Vec<String> =
                cut.map(|&edge| restart(engine, func, plan, plan.graph.edge(edge).to)).collect();
            targets.dedup();
            targets.join(" or ")
        }
    };
    format!("{start} -> {end}")
}

/// Description of a node at which paths start after a cut.
fn restart(engine: &Engine, func: FuncRef, plan: &FunctionPlan, node: Node) -> String {
    let into = |kind| plan.graph.predecessors(node).iter().any(move |&edge| plan.graph.edge(edge).kind == kind);
    let what = if plan.decoder.truncated().iter().any(|&edge| plan.graph.edge(edge).to == node) {
        "line"
    } else if into(EdgeKind::Failure) {
        "catch"
    } else {
        "loop"
    };
    format!("{what} {}", starts(engine, func, node).0)
}

/// The line between a context and the active suffix.
pub(super) const ACTIVE: &str = "  -- counted from here on --";

/// A function's source as it is shown.
#[derive(Clone, Copy)]
pub struct Excerpts<'a> {
    /// The engine that has the program.
    pub engine: &'a Engine,
    /// The function.
    pub func: FuncRef,
    /// Its graph, which paths are of.
    pub graph: &'a Graph,
    /// Of the screen.
    pub width: usize,
}

/// Appends the lines of each pass over the source: a path of several iterations passes blocks several times.
pub fn passes(of: Excerpts<'_>, blocks: &[Node], out: &mut String) {
    passes_until(of, blocks, None, out);
}

/// The same of a path whose last block ended in its middle, where an instruction with this span failed.
pub(in crate::report) fn passes_until(of: Excerpts<'_>, blocks: &[Node], failed: Option<Span>, out: &mut String) {
    let mut passes: Vec<&[Node]> = Vec::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let again = (1..rest.len()).find(|&at| rest[..at].contains(&rest[at])).unwrap_or(rest.len());
        let (pass, after) = rest.split_at(again);
        passes.push(pass);
        rest = after;
    }
    for (number, pass) in passes.iter().enumerate() {
        if passes.len() > 1 {
            writeln!(out, "       iteration {}", number + 1).expect("strings take all text");
        }
        let is_last = number + 1 == passes.len();
        lines_until(of, pass, failed.filter(|_| is_last), out);
    }
}

/// Appends the lines of `blocks` to `out`.
pub(super) fn lines(of: Excerpts<'_>, blocks: &[Node], out: &mut String) {
    lines_until(of, blocks, None, out);
}

fn lines_until(of: Excerpts<'_>, blocks: &[Node], failed: Option<Span>, out: &mut String) {
    let Excerpts { engine, func, width, .. } = of;
    let file = engine.sources().file(engine.module().function(func).span.file);
    let Lines { shown, others } = lines_of(of, blocks, failed);
    let gutter = shown.keys().last().map_or(0, |line| line.to_string().len()).max(6);
    let left_out = shown.len().saturating_sub(EXCERPT_LINES);
    let mut before = None;
    for (&line, on) in shown.iter().take(EXCERPT_LINES) {
        if before.is_some_and(|before| before + 1 < line) {
            writeln!(out, "{:>gutter$} :", "").expect("strings take all text");
        }
        before = Some(line);
        let room = width.max(40) - gutter - 3;
        let whole = one_line(file.line_text(line));
        let text = cut_to(&whole, room);
        writeln!(out, "{line:>gutter$} | {text}").expect("strings take all text");
        if let Some(off) = others.get(&line) {
            let marks = underline(file, line, on, off);
            // Dots are not marked.
            let shown = if text == whole { room } else { room - 3 };
            let marks: String = marks.chars().take(shown).collect();
            if marks.contains('^') {
                writeln!(out, "{:>gutter$} | {}", "", marks.trim_end()).expect("strings take all text");
            }
        }
    }
    if left_out > 0 {
        writeln!(out, "{:>gutter$} : {left_out} more lines", "").expect("strings take all text");
    }
}

/// Spans by line.
struct Lines {
    /// On the path.
    shown: BTreeMap<u32, Vec<Span>>,
    /// Of the other sides of branches.
    others: BTreeMap<u32, Vec<Span>>,
}

/// The spans of blocks; with `failed`, those of the last one end where an instruction with that span failed, before its branch.
fn lines_of(of: Excerpts<'_>, blocks: &[Node], failed: Option<Span>) -> Lines {
    let Excerpts { engine, func, graph, .. } = of;
    let body = engine.module().function(func);
    let file = engine.sources().file(body.span.file);
    let cut = blocks.last().zip(failed).and_then(|(node, failed)| Some((*node, ran(body, block_of(*node), failed)?)));
    let on_path: BTreeSet<Node> = blocks.iter().copied().collect();
    let branched = blocks.iter().filter(|node| cut.is_none_or(|(last, _)| last != **node));
    let ways = branched.flat_map(|&node| graph.normal_successors(node));
    let not_taken: BTreeSet<Node> = ways.map(|edge| graph.edge(edge).to).collect();
    let mut lines = Lines { shown: BTreeMap::new(), others: BTreeMap::new() };
    for (block, data) in body.blocks.iter() {
        let of = match node_of(block) {
            node if on_path.contains(&node) => &mut lines.shown,
            node if not_taken.contains(&node) => &mut lines.others,
            _ => continue,
        };
        let ran = cut.filter(|(last, _)| *last == node_of(block)).map_or(usize::MAX, |(_, ran)| ran);
        for span in spans(engine, func, block).take(ran).filter(|span| span.file == data.term_span.file) {
            of.entry(file.line(span.start)).or_default().push(span);
        }
    }
    lines
}

/// The number of a block's instructions up to the first with this span that can fail; `None` if none can.
fn ran(body: &Function, block: Block, failed: Span) -> Option<usize> {
    let data = &body.blocks[block];
    let mut insts = data.insts.iter().zip(&data.spans);
    insts.position(|(inst, span)| *span == failed && inst.can_fail()).map(|before| before + 1)
}

/// The first and the last line on which an instruction of a block starts.
pub(in crate::report) fn starts(engine: &Engine, func: FuncRef, node: Node) -> (u32, u32) {
    let line = |span: Span| engine.sources().line_col(span).0;
    let lines = || spans(engine, func, block_of(node)).map(line);
    let only = line(engine.module().function(func).blocks[block_of(node)].term_span);
    (lines().min().unwrap_or(only), lines().max().unwrap_or(only))
}

/// The spans of a block's instructions; jumps correspond to no source text.
fn spans(engine: &Engine, func: FuncRef, block: Block) -> impl Iterator<Item = Span> {
    let data = &engine.module().function(func).blocks[block];
    let term = match data.term {
        holloway_lang::ir::Terminator::Jump(_) => None,
        _ => Some(data.term_span),
    };
    data.spans.iter().copied().chain(term)
}

/// Marks below the spans `on` the path, without the spans `off` it, which may be nested in them.
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
