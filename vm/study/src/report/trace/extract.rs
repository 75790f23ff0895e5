//! The path traces of one function.
//!
//! In: unique traces with the activations of each. Out: a line or an object for each. Invariant: text shows a long trace by its ends.

use crate::report::settings::BLOCKS_AT_EACH_END;
use crate::report::text::{grouped, one_line, plural};
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::ExtractedTrace;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

/// The first `top` traces as JSON.
pub fn json(function: &str, traces: &[ExtractedTrace], top: Option<NonZeroUsize>) -> String {
    let trace = |trace: &ExtractedTrace| {
        let blocks: Vec<u32> = trace.blocks.iter().map(|block| block.as_u32()).collect();
        json!({ "blocks": blocks, "calls": trace.calls })
    };
    let shown: Vec<Value> = traces[..shown(traces, top)].iter().map(trace).collect();
    format!("{}\n", json!({ "function": function, "traces": shown }))
}

/// The first `top` traces as text.
pub fn text(function: &str, traces: &[ExtractedTrace], top: Option<NonZeroUsize>) -> String {
    let calls: u64 = traces.iter().map(|trace| trace.calls).sum();
    let (calls, different) = (plural(calls as usize, "call"), plural(traces.len(), "unique trace"));
    let mut out = format!("{}: {calls}, {different}\n", one_line(function));
    out.push_str("       calls     blocks  trace\n");
    let shown = shown(traces, top);
    for trace in &traces[..shown] {
        let (calls, blocks) = (grouped(trace.calls as usize), grouped(trace.blocks.len()));
        writeln!(out, "{calls:>12} {blocks:>10}  {}", line(&trace.blocks)).expect("strings take all text");
    }
    if traces.len() > shown {
        let more = grouped(traces.len() - shown);
        writeln!(out, "and {more} more; --top 0 shows all").expect("strings take all text");
    }
    out
}

fn shown(traces: &[ExtractedTrace], top: Option<NonZeroUsize>) -> usize {
    top.map_or(traces.len(), |top| top.get().min(traces.len()))
}

/// Blocks with points between them, as the paper writes traces.
fn line(blocks: &[Node]) -> String {
    let joined = |blocks: &[Node]| blocks.iter().map(|block| block.as_u32().to_string()).collect::<Vec<_>>().join(".");
    match blocks.len() > 2 * BLOCKS_AT_EACH_END + 1 {
        true => format!(
            "{}...{}",
            joined(&blocks[..BLOCKS_AT_EACH_END]),
            joined(&blocks[blocks.len() - BLOCKS_AT_EACH_END..])
        ),
        false => joined(blocks),
    }
}
