//! The report of a program that failed at run time: message, source line with a caret, call stack.
//!
//! In: a [`Failure`], plain data made from the runtime's own failure. Out: text that ends in a newline.
//! Invariant: a stack of any height takes a screenful; the number of omitted frames is shown.
//!
//! The JSON object has `severity` (`"failure"`), `message`, the place as in diagnostics, `help`, `stack` (each `function`,
//! `file`, `line`, `column`; innermost first) and `stack_omitted`, the number of frames omitted in its middle.

use crate::report::settings::{FRAMES_AT_EACH_END, WIDEST_NAME};
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Level};
use holloway_lang::source::{SourceMap, Span};
use serde_json::{Value, json};

use super::diagnostics::place;
use super::excerpt::{self, Mark};
use super::text::{grouped, lines, one_line};
use crate::report::style::{MessageConfig, MessageFormat, Style};

/// A failure of a running program.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The message.
    pub message: String,
    /// The place of failure.
    pub span: Span,
    /// The way out, if there is one.
    pub help: Option<String>,
    /// The call stack, innermost first: the first frame is the function that failed.
    pub frames: Vec<Frame>,
}

/// One activation on the call stack.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The function's name, or a name for top-level statements.
    pub function: String,
    /// The call that it waits for, or the place of failure.
    pub span: Span,
}

/// The report.
pub fn render(failure: &Failure, sources: &SourceMap, config: MessageConfig) -> String {
    match config.format {
        MessageFormat::Human => human(failure, sources, config.style),
        MessageFormat::Short => {
            format!("{}: error: {}\n", one_line(&sources.place(failure.span)), one_line(&failure.message))
        }
        MessageFormat::Json => format!("{}\n", as_json(failure, sources)),
    }
}

fn human(failure: &Failure, sources: &SourceMap, style: Style) -> String {
    let mark = Mark { span: failure.span, label: None, kind: AnnotationKind::Primary };
    let title = Level::ERROR.primary_title(lines(&failure.message));
    let help = failure.help.iter().map(|text| Level::HELP.message(lines(text)).into());
    let excerpt = excerpt::render(title, vec![mark], help, sources, style);
    format!("{excerpt}{}", stack(&failure.frames, sources))
}

/// The call stack, one line a frame, places aligned.
fn stack(frames: &[Frame], sources: &SourceMap) -> String {
    let shown = Shown::of(frames);
    let name = |frame: &Frame| one_line(&frame.function);
    let widths = shown.frames().map(|frame| name(frame).chars().count());
    let width = widths.max().unwrap_or(0).min(WIDEST_NAME);
    let line_of = |frame: &Frame| {
        let file = sources.file(frame.span.file);
        format!("  {:width$}  {}:{}\n", name(frame), one_line(&file.name), file.line(frame.span.start))
    };
    let mut text: String = shown.inner.iter().map(line_of).collect();
    if shown.omitted > 0 {
        writeln!(text, "  ... {} more frames ...", grouped(shown.omitted)).expect("writing to a string");
    }
    text.extend(shown.outer.iter().map(line_of));
    if text.is_empty() { text } else { format!("call stack:\n{text}") }
}

/// The frames that are shown.
struct Shown<'a> {
    inner: &'a [Frame],
    omitted: usize,
    outer: &'a [Frame],
}

impl<'a> Shown<'a> {
    /// All frames, unless omitting some shortens the report by more than the line that says so.
    fn of(frames: &'a [Frame]) -> Self {
        if frames.len() <= 2 * FRAMES_AT_EACH_END + 1 {
            return Self { inner: frames, omitted: 0, outer: &[] };
        }
        let (inner, rest) = frames.split_at(FRAMES_AT_EACH_END);
        let (middle, outer) = rest.split_at(rest.len() - FRAMES_AT_EACH_END);
        Self { inner, omitted: middle.len(), outer }
    }

    fn frames(&self) -> impl Iterator<Item = &'a Frame> {
        self.inner.iter().chain(self.outer)
    }
}

fn as_json(failure: &Failure, sources: &SourceMap) -> Value {
    let shown = Shown::of(&failure.frames);
    let stack: Vec<Value> = shown
        .frames()
        .map(|frame| {
            let (line, column) = sources.line_col(frame.span);
            let file = &sources.file(frame.span.file).name;
            json!({ "function": frame.function, "file": file, "line": line, "column": column })
        })
        .collect();
    let mut object = place(failure.span, sources);
    object["severity"] = json!("failure");
    object["message"] = json!(failure.message);
    object["help"] = json!(failure.help);
    object["stack"] = json!(stack);
    object["stack_omitted"] = json!(shown.omitted);
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::style::Color;

    fn config(format: MessageFormat) -> MessageConfig {
        MessageConfig { format, style: Style { color: Color::Plain, width: 80 } }
    }

    fn failure(sources: &mut SourceMap, depth: usize) -> Failure {
        let file = sources.add("deep.hw", "fn down(n: int) -> int {\n    return 1 / n\n}\nprint(down(0))\n");
        let span = Span::new(file, 36, 41);
        let mut frames = vec![Frame { function: "down".to_owned(), span }; depth];
        frames.push(Frame { function: "(top level)".to_owned(), span: Span::new(file, 50, 57) });
        Failure { message: "division by zero".to_owned(), span, help: None, frames }
    }

    #[test]
    fn a_failure_shows_its_line_and_its_callers() {
        let mut sources = SourceMap::new();
        let failure = failure(&mut sources, 1);
        insta::assert_snapshot!(render(&failure, &sources, config(MessageFormat::Human)), @r#"
        error: division by zero
         --> deep.hw:2:12
          |
        2 |     return 1 / n
          |            ^^^^^
        call stack:
          down         deep.hw:2
          (top level)  deep.hw:4
        "#);
        assert_eq!(render(&failure, &sources, config(MessageFormat::Short)), "deep.hw:2:12: error: division by zero\n");
    }

    #[test]
    fn a_tall_stack_is_cut_in_the_middle() {
        let mut sources = SourceMap::new();
        let tall = failure(&mut sources, 49_999);
        let text = render(&tall, &sources, config(MessageFormat::Human));
        assert_eq!(text.lines().filter(|line| line.starts_with("  down ")).count(), 19);
        assert!(text.contains("\n  ... 49,980 more frames ...\n"));
        assert!(text.ends_with("  (top level)  deep.hw:4\n"));
        let object: Value = serde_json::from_str(&render(&tall, &sources, config(MessageFormat::Json))).unwrap();
        assert_eq!((&object["stack_omitted"], object["stack"].as_array().unwrap().len()), (&json!(49_980), 20));
        assert_eq!(
            (&object["severity"], &object["line"], &object["column"]),
            (&json!("failure"), &json!(2), &json!(12))
        );
    }

    #[test]
    fn one_frame_too_many_is_shown_rather_than_counted() {
        let mut sources = SourceMap::new();
        let text =
            |depth, sources: &mut SourceMap| render(&failure(sources, depth), sources, config(MessageFormat::Human));
        assert!(!text(20, &mut sources).contains("more frames"));
        assert!(text(21, &mut sources).contains("... 2 more frames ..."));
    }
}
