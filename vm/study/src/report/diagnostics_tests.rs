//! Text of diagnostics, on ordinary programs and on hostile ones.

use holloway_lang::diagnostic::SyntaxError;
use holloway_lang::source::FileId;

use super::*;
use crate::report::style::Color;

fn config(format: MessageFormat) -> MessageConfig {
    MessageConfig { format, style: Style { color: Color::Plain, width: 80 } }
}

fn rendered(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    render(diagnostic, sources, config(MessageFormat::Human))
}

/// The span of the first `part` in `file`.
fn span_of(sources: &SourceMap, file: FileId, part: &str) -> Span {
    let start = sources.file(file).text.find(part).expect("the part is there") as u32;
    Span::new(file, start, start + part.len() as u32)
}

fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::error(SyntaxError::UnclosedBracket('{'), span)
}

#[test]
fn labels_help_and_notes() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.hw", "fn f() {\n\tlet x = (1 +\n}\n");
    let diagnostic =
        Diagnostic::error(SyntaxError::MismatchedBracket { found: '}', expected: ')' }, span_of(&sources, file, "}"))
            .with_label(span_of(&sources, file, "(1").at_start(), "opened here")
            .with_help("close it with `)`")
            .with_note("a note\nof two lines");
    insta::assert_snapshot!(rendered(&diagnostic, &sources), @r#"
    error: expected `)`, found `}`
     --> a.hw:3:1
      |
    2 |     let x = (1 +
      |             - opened here
    3 | }
      | ^
      |
      = help: close it with `)`
      = note: a note
              of two lines
    "#);
}

#[test]
fn labels_in_other_files() {
    let mut sources = SourceMap::new();
    let a = sources.add("a.hw", "import \"b.hw\"\nfn f() {}\n");
    let b = sources.add("lib/b.hw", "// twice\nfn f() {}\n");
    let diagnostic = unclosed(span_of(&sources, a, "fn f")).with_label(span_of(&sources, b, "fn f"), "the other one");
    insta::assert_snapshot!(rendered(&diagnostic, &sources), @r#"
    error: `{` is never closed
     --> a.hw:2:1
      |
    2 | fn f() {}
      | ^^^^
      |
     ::: lib/b.hw:2:1
      |
    2 | fn f() {}
      | ---- the other one
    "#);
}

#[test]
fn spans_over_several_lines() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.hw", "let a = [\n    1,\n    2,\n    3,\n    4,\n    5,\n]\n");
    let diagnostic = unclosed(span_of(&sources, file, "[\n    1,\n    2,\n    3,\n    4,\n    5,\n]"));
    insta::assert_snapshot!(rendered(&diagnostic, &sources), @r#"
    error: `{` is never closed
     --> a.hw:1:9
      |
    1 |   let a = [
      |  _________^
    2 | |     1,
    3 | |     2,
    4 | |     3,
    5 | |     4,
    6 | |     5,
    7 | | ]
      | |_^
    "#);
}

#[test]
fn the_end_of_the_file() {
    let at_end = |text: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("a.hw", text);
        let report = rendered(&unclosed(Span::new(file, text.len() as u32, text.len() as u32)), &sources);
        report.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n"
    };
    insta::assert_snapshot!(["fn f() {", "fn f() {\n", "fn f() {\n\n\n", ""].map(at_end).join("\n"), @r#"
    error: `{` is never closed
     --> a.hw:1:9
      |
    1 | fn f() {
      |         ^

    error: `{` is never closed
     --> a.hw:2:1
      |
    2 |
      | ^

    error: `{` is never closed
     --> a.hw:4:1
      |
    4 |
      | ^

    error: `{` is never closed
     --> a.hw:1:1
      |
    1 |
      | ^
    "#);
}

#[test]
fn wide_characters_and_carriage_returns() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.hw", "let s = \"日本語\"; \x1b[2J x\r\nlet y = 1\r\n");
    insta::assert_snapshot!(rendered(&unclosed(span_of(&sources, file, "x")), &sources), @r#"
    error: `{` is never closed
     --> a.hw:1:21
      |
    1 | let s = "日本語"; ␛[2J x
      |                        ^
    "#);
}

#[test]
fn a_line_of_ten_megabytes_is_cut() {
    let half = "[1, 2, 3], ".repeat(500_000);
    let text = format!("let a = [{half} oops {half}]\nlet b = 2\n");
    let mut sources = SourceMap::new();
    let file = sources.add("long.hw", &text);
    let oops = span_of(&sources, file, "oops");
    let whole = Span::new(file, 8, text.find('\n').unwrap() as u32);
    let far = Span::new(file, 0, 3);
    let one = rendered(&unclosed(oops).with_label(far, "far away").with_label(whole, "all of it"), &sources);
    let all = rendered(&unclosed(whole), &sources);
    let several = rendered(&unclosed(Span::new(file, oops.start, text.len() as u32)), &sources);
    for report in [&one, &all, &several] {
        assert!(report.lines().all(|line| line.chars().count() <= 80), "{report}");
        assert!(report.lines().count() < 16, "{report}");
    }
    assert!(one.contains("long.hw:1:5500011"), "{one}");
    let (source, caret) = (line_with(&one, "oops"), line_with(&one, "^^^^"));
    assert_eq!(source.find("oops"), caret.find("^^^^"), "{one}");
}

fn line_with<'a>(text: &'a str, part: &str) -> &'a str {
    text.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part} in {text}"))
}

#[test]
fn long_lines_are_cut_between_characters() {
    for shift in 0..4 {
        let text = format!("{}{}?{}", "a".repeat(shift), "日".repeat(1000), "本".repeat(1000));
        let mut sources = SourceMap::new();
        let file = sources.add("a.hw", &text);
        let report = rendered(&unclosed(span_of(&sources, file, "?")), &sources);
        assert!(line_with(&report, "?").contains("日?本"), "{report}");
    }
}

#[test]
fn a_span_of_a_whole_large_file_is_folded() {
    let text = "print(1)\n".repeat(100_000);
    let mut sources = SourceMap::new();
    let file = sources.add("a.hw", &text);
    let report = rendered(&unclosed(Span::new(file, 0, text.len() as u32)), &sources);
    assert!(report.lines().count() < 16, "{report}");
}

#[test]
fn short_is_one_line_each() {
    let mut sources = SourceMap::new();
    let file = sources.add("a\x1b.hw", "fn f() {\n  x");
    let error = unclosed(span_of(&sources, file, "x"));
    let warning = Diagnostic::warning(SyntaxError::ChainedComparison, span_of(&sources, file, "{"));
    let text = render_all(&[error, warning], &sources, config(MessageFormat::Short));
    insta::assert_snapshot!(text, @r#"
    a\u{1b}.hw:2:3: error: `{` is never closed [E0202]
    a\u{1b}.hw:1:8: warning: comparisons cannot be chained [E0206]
    "#);
}

#[test]
fn json_is_one_object_a_line() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.hw", "é {\nx");
    let brace = span_of(&sources, file, "{\nx");
    let diagnostic = unclosed(brace).with_label(brace.at_start(), "here").with_help("close it");
    let text = render_all(&[diagnostic.clone(), diagnostic], &sources, config(MessageFormat::Json));
    assert_eq!(text.lines().count(), 2);
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            value,
            json!({
                "severity": "error", "code": "E0202", "fix": null, "message": "`{` is never closed", "file": "a.hw",
                "line": 1, "column": 3, "end_line": 2, "end_column": 2, "start": 3, "end": 6,
                "labels": [{ "file": "a.hw", "line": 1, "column": 3, "end_line": 1, "end_column": 3,
                             "start": 3, "end": 3, "text": "here" }],
                "help": "close it", "notes": [],
            })
        );
    }
}

#[test]
fn color_is_a_choice() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.hw", "fn f() {");
    let error = unclosed(span_of(&sources, file, "{"));
    let colored = MessageConfig { style: Style { color: Color::Ansi, width: 80 }, ..config(MessageFormat::Human) };
    assert!(render(&error, &sources, colored).contains("\x1b["));
    assert!(!rendered(&error, &sources).contains('\x1b'));
}
