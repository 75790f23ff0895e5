//! Elements between brackets or braces.
//!
//! In: the elements, and how to lay one out. Out: them on one line, or one a line. Invariant: commas stand between elements as they are
//! to stand, whatever the source has.

use super::cursor::Cursor;
use super::doc::Line;
use crate::token::TokenKind as K;

/// Elements between brackets: on one line if they fit, otherwise one a line with a comma after the last.
pub(super) fn list<T>(
    c: &mut Cursor<'_>,
    open: K,
    close: K,
    elements: &[T],
    mut element: impl FnMut(&mut Cursor<'_>, &T),
) {
    brackets(c, open, close, elements.is_empty(), |c| {
        for (i, each) in elements.iter().enumerate() {
            element(c, each);
            c.skip_comma();
            if i + 1 < elements.len() {
                c.doc.text(",");
                c.line(Line::Space);
            } else {
                c.doc.if_broken(",");
            }
        }
    });
}

/// Brackets around what `inside` lays out, which stands between the lines of a group.
pub(super) fn brackets<'a>(
    c: &mut Cursor<'a>,
    open: K,
    close: K,
    is_empty: bool,
    inside: impl FnOnce(&mut Cursor<'a>),
) {
    c.doc.open();
    c.token(open);
    if !is_empty || c.has_comment() {
        c.doc.indent();
        c.line(Line::Soft);
        inside(c);
        c.finish_list();
        c.doc.dedent();
        if c.doc.ends_line() {
            c.end_line_if_needed();
        } else {
            c.line(Line::Soft);
        }
    }
    c.token(close);
    c.doc.close();
}

/// Selects if an element between braces is followed by a comma when each has a line of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comma {
    Always,
    /// Its own closing brace is enough.
    Never,
}

/// Elements between braces, on one line or one a line.
pub(super) fn braces<T>(
    c: &mut Cursor<'_>,
    one_line: bool,
    elements: &[T],
    comma: impl std::ops::Fn(&T) -> Comma,
    mut element: impl FnMut(&mut Cursor<'_>, &T),
) {
    c.doc.open();
    c.token(K::OpenBrace);
    if elements.is_empty() && !c.has_comment() {
        c.space();
    } else {
        c.doc.indent();
        c.line(if one_line { Line::Space } else { Line::Hard });
        for (i, each) in elements.iter().enumerate() {
            element(c, each);
            c.skip_comma();
            let is_last = i + 1 == elements.len();
            match (comma(each), is_last) {
                (Comma::Always, false) => c.doc.text(","),
                (Comma::Always, true) => c.doc.if_broken(","),
                (Comma::Never, false) => c.doc.if_flat(","),
                (Comma::Never, true) => {}
            }
            match (is_last, one_line) {
                (true, _) => {}
                (false, true) => c.line(Line::Space),
                (false, false) => c.separate(),
            }
        }
        c.finish_list();
        c.doc.dedent();
        c.before_closing_brace(one_line);
    }
    c.token(K::CloseBrace);
    c.doc.close();
}
