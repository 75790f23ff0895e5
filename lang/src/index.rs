//! The names of a program: what each one means, and where it is used.
//!
//! In: made by the checker for programs that are read by people in an editor, also of programs with errors, as far as
//! they were understood. Out: answers to "what is this name" and "where else is it". Invariant: a definition is known by
//! the span of its name; both lists are in the order of spans.

use crate::source::{FileId, Span};

/// A definition, or a name that a body declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The span of the name in the definition.
    pub span: Span,
    /// Its kind.
    pub kind: SymbolKind,
    /// Its head, as a program would write it: `fn gcd(a: int, b: int) -> int`, `let x: int`, `Point.x: float`.
    pub head: String,
    /// The text of the `///` lines before it.
    pub doc: Option<String>,
}

/// The kinds of [`Symbol`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// `fn` at top level.
    Function,
    /// A struct.
    Struct,
    /// An enum.
    Enum,
    /// A variant of an enum.
    Variant,
    /// A field of a struct.
    Field,
    /// `const`, at top level or in a function.
    Constant,
    /// `let` or `var` at top level.
    Global,
    /// The name that an import gives to a file.
    Import,
    /// A variable of a function, a loop, a pattern or a `catch`.
    Variable,
    /// A parameter of a function or of a closure.
    Parameter,
    /// A name that stands for a type.
    TypeParameter,
}

/// The names of a program; see the module.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Index {
    symbols: Vec<Symbol>,
    /// Names, each with the definition that it means.
    uses: Vec<(Span, Span)>,
    /// Names of fields and variants whose meaning is not known: those in what was not checked.
    open: Vec<Span>,
}

/// The names that could stand at a place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scope {
    /// Variables of the functions around it.
    pub locals: Vec<Symbol>,
    /// The value before the dot.
    pub receiver: Option<Receiver>,
}

/// A value whose fields and functions could follow a dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receiver {
    /// Its type.
    pub ty: String,
    /// Its fields: name and type.
    pub fields: Vec<(String, String)>,
}

impl Index {
    /// Makes an index of definitions and uses in any order, and of names that stayed open.
    pub fn new(mut symbols: Vec<Symbol>, mut uses: Vec<(Span, Span)>, mut open: Vec<Span>) -> Self {
        symbols.sort_by_key(|symbol| symbol.span);
        symbols.dedup_by_key(|symbol| symbol.span);
        uses.sort_unstable();
        uses.dedup_by_key(|(used, _)| *used);
        open.sort_unstable();
        open.dedup();
        Self { symbols, uses, open }
    }

    /// Every definition.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Every use, with the definition that it means.
    pub fn uses(&self) -> &[(Span, Span)] {
        &self.uses
    }

    /// Names of fields and variants whose meaning is not known.
    pub fn open(&self) -> &[Span] {
        &self.open
    }

    /// The definition whose name has a span.
    pub fn symbol(&self, definition: Span) -> Option<&Symbol> {
        self.symbols.binary_search_by_key(&definition, |symbol| symbol.span).ok().map(|at| &self.symbols[at])
    }

    /// The name that stands at a place, or ends there, with its meaning.
    pub fn at(&self, file: FileId, offset: u32) -> Option<(Span, &Symbol)> {
        let covers = |span: Span| span.file == file && span.start <= offset && offset <= span.end;
        let until = |span: Span| (span.file, span.start) <= (file, offset);
        let last = self.uses.partition_point(|(used, _)| until(*used));
        // Where one name ends and another begins, the one that begins.
        let used = self.uses[last.saturating_sub(2)..last].iter().rev().find(|(used, _)| covers(*used));
        if let Some((used, definition)) = used {
            return self.symbol(*definition).map(|symbol| (*used, symbol));
        }
        let last = self.symbols.partition_point(|symbol| until(symbol.span));
        let found = self.symbols[last.saturating_sub(2)..last].iter().rev().find(|symbol| covers(symbol.span));
        found.map(|symbol| (symbol.span, symbol))
    }

    /// The uses of a definition, in order.
    pub fn uses_of(&self, definition: Span) -> impl Iterator<Item = Span> {
        self.uses.iter().filter(move |(_, of)| *of == definition).map(|(used, _)| *used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_from_its_start_to_its_end() {
        let file = FileId::from_u32(0);
        let span = |start, end| Span::new(file, start, end);
        let symbol = |name: &str, span| {
            let (name, head) = (name.to_owned(), String::new());
            Symbol { name, span, kind: SymbolKind::Variable, head, doc: None }
        };
        let symbols = vec![symbol("b", span(10, 11)), symbol("a", span(4, 6))];
        let index = Index::new(symbols, vec![(span(20, 22), span(4, 6)), (span(22, 23), span(10, 11))], vec![]);
        let at = |offset| index.at(file, offset).map(|(span, symbol)| (span.start, symbol.name.as_str()));
        assert_eq!([at(3), at(4), at(6), at(7)], [None, Some((4, "a")), Some((4, "a")), None]);
        assert_eq!(
            [at(20), at(21), at(22), at(23)],
            [20, 20, 22, 22].map(|start| Some((start, if start == 20 { "a" } else { "b" })))
        );
        assert_eq!([at(24), index.at(FileId::from_u32(1), 4).map(|(span, _)| (span.start, ""))], [None, None]);
        assert_eq!(index.uses_of(span(4, 6)).collect::<Vec<_>>(), [span(20, 22)]);
    }
}
