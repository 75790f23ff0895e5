//! The text of a definition, as it stands in its file or input.
//!
//! In: the span of a name, or of a whole definition. Out: the definition, with the comment before it. Invariant: a
//! definition is taken with its whole lines, unless something else stands on them.

use std::ops::Range;

use holloway_lang::parse::parse;
use holloway_lang::source::{SourceMap, Span};

/// The text of the definition of a name, with its comment.
pub(super) fn definition(sources: &SourceMap, name: Span) -> String {
    let span = definition_around(sources, name);
    with_comment(&sources.file(span.file).text, span.start as usize..span.end as usize)
}

/// The item or statement that holds the span of a definition's name.
fn definition_around(sources: &SourceMap, name: Span) -> Span {
    let (program, _) = parse(sources, name.file);
    let mut spans = program.body.iter().map(|part| part.span());
    spans.find(|span| span.start <= name.start && name.end <= span.end).unwrap_or(name)
}

/// A part of a text, with the `///` lines before it.
pub(super) fn with_comment(text: &str, part: Range<usize>) -> String {
    let (before, own) = (&text[..part.start], &text[part.clone()]);
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    if !before[line..].trim().is_empty() {
        return own.to_owned();
    }
    let mut start = line;
    for earlier in before[..line].split_inclusive('\n').rev().take_while(|line| line.trim_start().starts_with("///")) {
        start -= earlier.len();
    }
    let indent = before.len() - line;
    let shown = &text[start..part.end];
    // A definition in a file may stand in from the margin.
    let unindented =
        |line: &str| line.get(..indent).filter(|blanks| blanks.trim().is_empty()).map(|_| line[indent..].to_owned());
    shown.lines().map(|line| unindented(line).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway::{Config, Engine};

    #[test]
    fn definitions_come_with_their_comments() {
        let mut engine = Engine::interactive(Config::default()).unwrap();
        let text = "let a = 1; let b = [\n  2,\n]\n/// One.\n/// Two.\nfn f() {\n    g()\n}\n// no doc\nfn g() { }\nstruct S { x: int }";
        engine.load("a", text).unwrap();
        let shown = |name: &str| definition(engine.sources(), engine.definition(name).unwrap().span);
        assert_eq!(shown("a"), "let a = 1");
        assert_eq!(shown("b"), "let b = [\n  2,\n]");
        assert_eq!(shown("f"), "/// One.\n/// Two.\nfn f() {\n    g()\n}");
        assert_eq!(shown("g"), "fn g() { }");
        assert_eq!(shown("S"), "struct S { x: int }");
    }
}
