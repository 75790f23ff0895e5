//! The places in source files that code comes from.
//!
//! In: debug information, and the offsets of functions. Out: source files, and the span of each offset: a whole line. Invariants: every offset has a
//! span. File 0 is made of the functions themselves, one a line, for those without debug information.

pub(crate) mod dwarf;
mod files;

use crate::names::Names;
use crate::sections::Sections;
use cranelift_entity::EntityRef;
use dwarf::LineRow;
use files::Files;
pub use files::SourceText;
use holloway_ir::{FileId, Span};
use std::fmt::Write;
use std::ops::Range;

/// The files of a module, in the order of their ids, and the spans of its code.
pub(crate) struct Places {
    pub(crate) files: Vec<SourceText>,
    /// The line of each function in file 0.
    functions: Vec<Span>,
    /// Lines by the address at which they begin; none where there is no line any more.
    rows: Vec<(u64, Option<Span>)>,
    /// The offset of address 0.
    code: u64,
}

/// The spans of one function, asked for in order of offsets.
pub(crate) struct FunctionPlaces<'a> {
    rows: std::slice::Iter<'a, (u64, Option<Span>)>,
    present: Span,
    code: u64,
}

impl Places {
    /// The places of a module of that name. Source files are read with `read`.
    pub(crate) fn new(
        name: &str,
        sections: &Sections<'_>,
        names: &Names,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Places {
        let (text, functions) = listing(sections, names);
        let rows = dwarf::rows(&sections.debug, sections.bodies.len());
        let files = Files::new(&rows, read);
        let rows =
            rows.iter().map(|LineRow { address, place }| (*address, place.as_ref().and_then(|at| files.span(at))));
        let rows = rows.collect();
        let listing = SourceText { name: name.to_owned(), text };
        Places { files: std::iter::once(listing).chain(files.texts).collect(), functions, rows, code: sections.code }
    }

    /// The places of a function whose code is at these offsets.
    pub(crate) fn function(&self, index: u32, code: Range<u64>) -> FunctionPlaces<'_> {
        let range = code.start.saturating_sub(self.code)..code.end.saturating_sub(self.code);
        let after = |limit| self.rows.partition_point(|(address, _)| *address < limit);
        let rows = &self.rows[after(range.start)..after(range.end)];
        let first = rows.iter().find_map(|(_, span)| *span);
        let present = first.unwrap_or(self.functions[index as usize]);
        FunctionPlaces { rows: rows.iter(), present, code: self.code }
    }

    /// The line of a function without code of its own.
    pub(crate) fn of_import(&self, index: u32) -> Span {
        self.functions[index as usize]
    }

    /// The place of what is done before any function is called.
    pub(crate) fn of_module(&self) -> Span {
        Span::new(FileId::new(0), 0, 0)
    }
}

impl FunctionPlaces<'_> {
    /// The span of the function itself, before any offset was asked for.
    pub(crate) fn present(&self) -> Span {
        self.present
    }

    /// The span of the code at an offset.
    pub(crate) fn at(&mut self, offset: u64) -> Span {
        let address = offset.saturating_sub(self.code);
        while let Some((_, span)) = self.rows.as_slice().first().filter(|(from, _)| *from <= address) {
            self.present = span.unwrap_or(self.present);
            self.rows.next();
        }
        self.present
    }
}

/// A line for each function, and its span.
fn listing(sections: &Sections<'_>, names: &Names) -> (String, Vec<Span>) {
    let mut text = String::new();
    let mut spans = Vec::new();
    let imported = sections.imported_functions.len();
    for (index, name) in names.functions.iter().enumerate() {
        let start = text.len();
        // A name may have any character.
        write!(text, "func {}", name.escape_debug()).expect("a string takes all");
        match index.checked_sub(imported) {
            Some(at) => write!(text, " ;; at {:#x}", sections.bodies[at].range().start),
            None => write!(text, " ;; imported"),
        }
        .expect("a string takes all");
        spans.push(Span::new(FileId::new(0), start as u32, text.len() as u32));
        text.push('\n');
    }
    (text, spans)
}
