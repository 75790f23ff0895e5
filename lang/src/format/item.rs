//! Items and the file as a whole.

use super::cursor::Cursor;
use super::doc::Line;
use super::expr::{self, expr, ty};
use super::stmt::{block, stmt};
use crate::ast::{Const, Fn, Import, Item, Program, Struct, TopLevel};
use crate::token::TokenKind as K;

/// Lays out a file.
pub(super) fn program(c: &mut Cursor<'_>, program: &Program) {
    for (i, element) in program.body.iter().enumerate() {
        if i > 0 {
            c.separate();
        }
        match element {
            TopLevel::Item(Item::Fn(item)) => function(c, item),
            TopLevel::Item(Item::Struct(item)) => structure(c, item),
            TopLevel::Item(Item::Const(item)) => constant(c, item),
            TopLevel::Item(Item::Import(item)) => import(c, item),
            TopLevel::Stmt(statement) => stmt(c, statement),
        }
    }
    c.finish_file();
}

fn function(c: &mut Cursor<'_>, item: &Fn) {
    c.token(K::Fn);
    c.spaced(K::Name);
    expr::list(c, K::OpenParen, K::CloseParen, &item.params, |c, param| {
        c.token(K::Name);
        c.token(K::Colon);
        c.space();
        ty(c, &param.ty);
    });
    if let Some(result) = &item.result {
        c.spaced(K::Arrow);
        c.space();
        ty(c, result);
    }
    c.space();
    block(c, &item.body);
}

fn structure(c: &mut Cursor<'_>, item: &Struct) {
    c.token(K::Struct);
    c.spaced(K::Name);
    c.space();
    let one_line = c.on_one_line(item.span.start, item.span.end);
    braces(
        c,
        one_line,
        &item.fields,
        |_| Comma::Always,
        |c, field| {
            c.token(K::Name);
            c.token(K::Colon);
            c.space();
            ty(c, &field.ty);
        },
    );
}

pub(super) fn constant(c: &mut Cursor<'_>, item: &Const) {
    c.token(K::Const);
    c.spaced(K::Name);
    annotation(c, item.ty.as_ref());
    c.spaced(K::Eq);
    c.space();
    expr(c, &item.value);
}

pub(super) fn annotation(c: &mut Cursor<'_>, annotation: Option<&crate::ast::TypeExpr>) {
    if let Some(annotation) = annotation {
        c.token(K::Colon);
        c.space();
        ty(c, annotation);
    }
}

fn import(c: &mut Cursor<'_>, _: &Import) {
    c.token(K::Import);
    c.spaced(K::Str);
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
