//! The control-flow graph of a function in DOT, for Graphviz.

use std::fmt::Write as _;

use holloway_lang::ir::{Block, Cfg, Dominators, EdgeKind, FuncRef, Loops, Module};
use holloway_lang::source::SourceMap;

/// One `digraph`: a box for each block with its instructions, dashed edges for caught failures, bold ones for back
/// edges.
pub fn of_function(module: &Module, func: FuncRef, sources: &SourceMap) -> String {
    let body = module.function(func);
    let cfg = Cfg::compute(body);
    let loops = Loops::compute(&cfg, &Dominators::compute(&cfg));
    let mut out = format!("digraph {} {{\n", quoted(&body.name));
    out.push_str("    node [shape=box, fontname=monospace]\n");
    for block in body.blocks.keys() {
        writeln!(out, "    {block} [label=\"{}\"]", label(module, func, block, sources))
            .expect("strings take all text");
    }
    for block in body.blocks.keys() {
        for (to, kind) in cfg.succs(block) {
            let style = match kind {
                EdgeKind::Failure => " [style=dashed, label=catch]",
                EdgeKind::Normal if loops.is_back_edge(block, *to) => " [style=bold]",
                EdgeKind::Normal => "",
            };
            writeln!(out, "    {block} -> {to}{style}").expect("strings take all text");
        }
    }
    out.push_str("}\n");
    out
}

fn label(module: &Module, func: FuncRef, block: Block, sources: &SourceMap) -> String {
    let data = &module.function(func).blocks[block];
    let (line, _) = sources.line_col(data.span());
    let mut text = format!("{block} (line {line})\\l");
    for inst in &data.insts {
        text.push_str(&escaped(&inst.to_string()));
        text.push_str("\\l");
    }
    text.push_str(&escaped(&data.term.to_string()));
    text.push_str("\\l");
    text
}

/// A text as an identifier or a label.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", escaped(name))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
