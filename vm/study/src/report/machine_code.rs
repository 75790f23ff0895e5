//! Machine code beside the source that it comes from.
//!
//! In: code with its listing. Out: text: where the place in the program changes its line, that line; then the instructions, each with its offset, a bar for
//! each loop around it, and what it is to the program.

use super::text::{cut, function_name, one_line};
use holloway::Engine;
use holloway_jit::{Compiled, Listed};
use holloway_lang::ir::FuncRef;
use std::fmt::Write as _;

/// The columns of an instruction before its note.
const WIDTH: usize = 48;

/// The code of `func` as text; `None` if it was compiled without a listing.
pub fn text(engine: &Engine, func: FuncRef, compiled: &Compiled) -> Option<String> {
    let listing = compiled.assembly.as_ref()?;
    let mut out = String::new();
    let mut shown = String::new();
    for listed in &listing.instructions {
        if let Some(site) = listed.site {
            let line = line(engine, func, compiled, site);
            if line != shown {
                out.push_str(&line);
                shown = line;
            }
        }
        out.push_str(&instruction(listed));
    }
    for (offset, word) in &listing.constants {
        writeln!(out, "  {offset:04x}  .quad {word:#018x}").expect("strings take all text");
    }
    Some(out)
}

fn instruction(Listed { offset, depth, text, note, .. }: &Listed) -> String {
    line_of((*offset, *depth), text, note.as_ref())
}

/// The line of an instruction: its offset in hexadecimal digits, as the targets of jumps have it, and the loops around it.
pub(crate) fn line_of((offset, depth): (u32, usize), text: &str, note: Option<&String>) -> String {
    let text = format!("  {offset:04x}  {}{text}", "| ".repeat(depth));
    match note {
        Some(note) => format!("{text:WIDTH$}; {}\n", one_line(&cut(note))),
        None => format!("{text}\n"),
    }
}

/// The line of a site, and where the function it is in was inlined.
fn line(engine: &Engine, func: FuncRef, compiled: &Compiled, site: u32) -> String {
    let site = compiled.sites[site as usize];
    let number = |span| engine.sources().line_col(span).0;
    let name = |func| one_line(&function_name(engine.module(), func));
    let mut line = format!("{:>6} | {}", number(site.span), one_line(&cut(engine.sources().line_text(site.span))));
    if site.func != func || site.inlined_at.is_some() {
        write!(line, "    ; {}", name(site.func)).expect("strings take all text");
    }
    let mut around = site.inlined_at;
    while let Some(call) = around {
        let call = compiled.sites[call as usize];
        write!(line, ", called in line {} of {}", number(call.span), name(call.func)).expect("strings take all text");
        around = call.inlined_at;
    }
    line.push('\n');
    line
}
