//! Excerpts of source files with marks, for reports.
//!
//! In: marks (spans of one file, the most important one first) and the number of columns. Out: lines of source with
//! line numbers and carets, rendered by annotate-snippets. Invariant: the number of characters in a line of an excerpt
//! is at most a small multiple of the number of columns, because annotate-snippets reads every character it is given
//! and shows a long span whole.
//!
//! Of a long line only a window around its first mark is shown:
//! ```text
//!   the file   let a = [1, 2, 3, ... a megabyte ..., 7, x, 8, ... another ...]
//!   the excerpt                               ...2, 7, x, 8, 9...
//!                                                      ^ marks move along, and are cut where they leave the window
//! ```

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Renderer, Snippet, Title};
use holloway_lang::source::{FileId, SourceFile, SourceMap, Span};

use super::text::one_line;
use crate::report::style::{Color, Style};

/// One marked span.
pub(super) struct Mark {
    /// The span; all marks of an excerpt are in one file.
    pub(super) span: Span,
    /// Label that explains the mark.
    pub(super) label: Option<String>,
    /// Primary for the subject of the report, otherwise context.
    pub(super) kind: AnnotationKind,
}

/// The text of a report: its title, the marked source of every file, and `remarks`.
pub(super) fn render(
    title: Title<'static>,
    marks: Vec<Mark>,
    remarks: impl IntoIterator<Item = Element<'static>>,
    sources: &SourceMap,
    style: Style,
) -> String {
    let files = by_file(marks);
    let excerpts: Vec<(Excerpt<'_>, &[Mark])> = files
        .iter()
        .map(|marks| (Excerpt::of(sources.file(marks[0].span.file), marks, style.width), marks.as_slice()))
        .collect();
    let group: Group<'static> = title.elements(excerpts.iter().map(|(excerpt, marks)| excerpt.element(marks)));
    let mut text = renderer(style).render(&[group.elements(remarks)]);
    for (excerpt, marks) in &excerpts {
        excerpt.correct_place(marks, sources, &mut text);
    }
    text.push('\n');
    text
}

/// Marks grouped by file: the primary mark's file first, then by first appearance.
fn by_file(marks: Vec<Mark>) -> Vec<Vec<Mark>> {
    let mut files: Vec<(FileId, Vec<Mark>)> = Vec::new();
    for mark in marks {
        match files.iter_mut().find(|(file, _)| *file == mark.span.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((mark.span.file, vec![mark])),
        }
    }
    files.into_iter().map(|(_, marks)| marks).collect()
}

/// The renderer of excerpts in `style`.
fn renderer(style: Style) -> Renderer {
    let renderer = match style.color {
        Color::Plain => Renderer::plain(),
        Color::Ansi => Renderer::styled(),
    };
    renderer.term_width(columns(style.width)).decor_style(DecorStyle::Ascii)
}

/// The number of columns, with a lower bound that keeps an excerpt readable.
fn columns(width: usize) -> usize {
    width.max(40)
}

/// Replacement of a removed part of a line.
const ELLIPSIS: &str = "...";

/// Lines `first_line..` of a file, long ones truncated.
struct Excerpt<'a> {
    file: &'a SourceFile,
    first_line: u32,
    text: String,
    /// For each line: the range of the file that it shows, and the position of that range in `text`.
    lines: Vec<(Range<u32>, usize)>,
}

impl<'a> Excerpt<'a> {
    fn of(file: &'a SourceFile, marks: &[Mark], width: usize) -> Self {
        let end = file.text.len() as u32;
        let points: Vec<u32> =
            marks.iter().flat_map(|mark| [mark.span.start.min(end), mark.span.end.min(end)]).collect();
        let lines_of_points = || points.iter().map(|&point| file.line(point));
        let first_line = lines_of_points().min().unwrap_or(1);
        let last_line = lines_of_points().max().unwrap_or(1);
        let mut excerpt = Self { file, first_line, text: String::new(), lines: Vec::new() };
        for line in first_line..=last_line {
            excerpt.push_line(line, &points, columns(width));
        }
        excerpt
    }

    fn push_line(&mut self, line: u32, points: &[u32], width: usize) {
        let start = self.file.line_start(line);
        let text = self.file.line_text(line);
        let window = if text.len() <= 4 * width { 0..text.len() } else { self.window(line, text, points, width) };
        if window.start > 0 {
            self.text.push_str(ELLIPSIS);
        }
        self.lines.push((start + window.start as u32..start + window.end as u32, self.text.len()));
        self.text.push_str(&text[window.clone()]);
        if window.end < text.len() {
            self.text.push_str(ELLIPSIS);
        }
        // annotate-snippets has no line after the last newline; a blank creates one, so that a mark can be at the end
        // of the file.
        self.text.push_str(if text.is_empty() && line == self.file.line_count() { " " } else { "\n" });
    }

    /// The byte range of a long line that is shown: from shortly before its first mark, as much as fits beside the
    /// gutter.
    fn window(&self, line: u32, text: &str, points: &[u32], width: usize) -> Range<usize> {
        const GUTTER: usize = 16;
        let start = self.file.line_start(line);
        let marked = points.iter().find(|&&point| self.file.line(point) == line);
        let marked = marked.map_or(0, |&point| (point - start) as usize);
        let shown = width - GUTTER;
        let from = marked.saturating_sub(shown / 3).min(text.len() - shown);
        text.floor_char_boundary(from)..text.floor_char_boundary(from + shown)
    }

    fn element(&self, marks: &[Mark]) -> Element<'static> {
        let annotation =
            |mark: &Mark| -> Annotation<'static> { mark.kind.span(self.range(mark.span)).label(mark.label.clone()) };
        Snippet::source(self.text.clone())
            .path(one_line(&self.file.name))
            .line_start(self.first_line as usize)
            .annotations(marks.iter().map(annotation))
            .into()
    }

    /// Replaces columns of the excerpt, which annotate-snippets prints, by columns of the file, if a line was
    /// truncated.
    fn correct_place(&self, marks: &[Mark], sources: &SourceMap, text: &mut String) {
        let name = one_line(&self.file.name);
        let place = |line: u32, column: u32| format!("{name}:{line}:{column}");
        let mut places: Vec<(String, String)> = marks
            .iter()
            .filter_map(|mark| {
                let (line, column) = sources.line_col(mark.span);
                Some((place(line, self.shown_column(mark.span)?), place(line, column)))
            })
            .collect();
        // Longest first, since `a:1:3` also occurs in `a:1:31`.
        places.sort_by_key(|(shown, _)| std::cmp::Reverse(shown.len()));
        if let Some((shown, real)) = places.iter().find(|(shown, _)| text.contains(shown.as_str())) {
            *text = text.replacen(shown.as_str(), real, 1);
        }
    }

    /// The column of the start of `span` in the excerpt, if it differs from the column in the file.
    fn shown_column(&self, span: Span) -> Option<u32> {
        let line = self.file.line(span.start);
        let (shown, at) = &self.lines[(line - self.first_line) as usize];
        let is_cut = shown.start > self.file.line_start(line);
        is_cut.then(|| (ELLIPSIS.len() + self.text[*at..self.offset(span.start)].chars().count() + 1) as u32)
    }

    /// The range of `span` in the excerpt, clipped to the shown part.
    fn range(&self, span: Span) -> Range<usize> {
        let start = self.offset(span.start);
        start..self.offset(span.end).max(start)
    }

    fn offset(&self, offset: u32) -> usize {
        let offset = offset.min(self.file.text.len() as u32);
        let (shown, at) = &self.lines[(self.file.line(offset) - self.first_line) as usize];
        at + (offset.clamp(shown.start, shown.end) - shown.start) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_short_whatever_the_line() {
        let mut sources = SourceMap::new();
        let file =
            sources.add("a.hw", format!("{}\n{}x{}\n", "a".repeat(1 << 20), "b".repeat(1 << 20), "c".repeat(1 << 20)));
        let text_len = |start, end| {
            let mark = Mark { span: Span::new(file, start, end), label: None, kind: AnnotationKind::Primary };
            Excerpt::of(sources.file(file), &[mark], 80).text.len()
        };
        assert!(text_len(0, 1 << 20) < 100);
        assert!(text_len(10, 3 << 20) < 200);
    }
}
