//! Items and the file as a whole.

use super::cursor::Cursor;
use super::list::{Comma, braces, list};
use super::tree::{block, constant, stmt};
use super::types::{ty, type_params};
use crate::ast::{Enum, Fn, Import, Item, Program, Struct, TopLevel, Variant};
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
            TopLevel::Item(Item::Enum(item)) => enumeration(c, item),
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
    type_params(c, &item.type_params);
    list(c, K::OpenParen, K::CloseParen, &item.params, |c, param| {
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
    type_params(c, &item.type_params);
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

fn enumeration(c: &mut Cursor<'_>, item: &Enum) {
    // The word is a name like any other where the layout pass has not been.
    c.token(K::Name);
    c.spaced(K::Name);
    type_params(c, &item.type_params);
    c.space();
    let one_line = c.on_one_line(item.span.start, item.span.end);
    braces(c, one_line, &item.variants, |_| Comma::Always, variant);
}

fn variant(c: &mut Cursor<'_>, variant: &Variant) {
    c.token(K::Name);
    if !variant.payloads.is_empty() {
        list(c, K::OpenParen, K::CloseParen, &variant.payloads, ty);
    }
}

fn import(c: &mut Cursor<'_>, item: &Import) {
    c.token(K::Import);
    c.spaced(K::Str);
    if item.alias.is_some() {
        c.spaced(K::Name);
        c.spaced(K::Name);
    }
}
