//! The syntax tree as text: `dump --stage ast`.
//!
//! In: a [`Program`]. Out: S-expressions, one top-level element after the other, indented where they are long.
//! Invariant: with [`Spans::Hidden`] two trees print alike exactly when they differ in spans only, which is how the
//! formatter's tests compare them.

mod node;
mod pattern;
mod tree;
mod types;

use crate::ast::Program;
use crate::settings::ast_print::WIDTH;
use crate::source::{SourceFile, SourceMap, Span};
use node::Node;

/// Selects whether spans are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spans {
    /// After each node, as `@LINE:COL-LINE:COL`, or `@LINE:COL-COL` within a line.
    Shown,
    /// Not at all.
    Hidden,
}

/// Prints `program`.
pub fn print(map: &SourceMap, program: &Program, spans: Spans) -> String {
    let file = map.file(program.file);
    let mut printer = Printer { file, spans, out: String::new() };
    for element in &program.body {
        printer.print(&tree::top_level(element), 0);
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'a> {
    file: &'a SourceFile,
    spans: Spans,
    out: String,
}

impl Printer<'_> {
    fn print(&mut self, node: &Node, indent: usize) {
        if let Some(flat) = self.flat(node, WIDTH.saturating_sub(indent)) {
            self.out.push_str(&flat);
            return;
        }
        self.out.push('(');
        self.out.push_str(&self.label(node));
        for child in &node.children {
            self.out.push('\n');
            self.out.push_str(&" ".repeat(indent + 2));
            self.print(child, indent + 2);
        }
        self.out.push(')');
    }

    /// The node on one line, if it takes at most `room`.
    fn flat(&self, node: &Node, room: usize) -> Option<String> {
        let label = self.label(node);
        if !node.is_list {
            return Some(label);
        }
        let mut out = format!("({label}");
        for child in &node.children {
            out.push(' ');
            out.push_str(&self.flat(child, room.checked_sub(out.len())?)?);
        }
        out.push(')');
        (out.len() <= room).then_some(out)
    }

    fn label(&self, node: &Node) -> String {
        match (self.spans, node.span) {
            (Spans::Shown, Some(span)) => format!("{} {}", node.head, self.place(span)),
            _ => node.head.clone(),
        }
    }

    fn place(&self, span: Span) -> String {
        let (first, last) = (self.file.line_col(span.start), self.file.line_col(span.end));
        if first.0 == last.0 {
            format!("@{}:{}-{}", first.0, first.1, last.1)
        } else {
            format!("@{}:{}-{}:{}", first.0, first.1, last.0, last.1)
        }
    }
}
