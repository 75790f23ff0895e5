//! The outline of a document: its definitions.
//!
//! In: a document, however broken. Out: its functions, types, constants and globals, with fields and variants in them.
//! Invariant: a definition's range holds the range of its name, as the protocol asks.

use holloway_lang::ast::{Item, Name, StmtKind, TopLevel};
use holloway_lang::parse::parse;
use holloway_lang::source::{SourceMap, Span};
use lsp_types::{DocumentSymbol, DocumentSymbolParams, SymbolKind};

use super::lines::Lines;
use super::state::State;

/// Answers a request for the symbols of a document.
pub(crate) fn outline(state: &mut State, params: DocumentSymbolParams) -> Option<Vec<DocumentSymbol>> {
    let document = state.programs.documents.get(&params.text_document.uri)?;
    let mut sources = SourceMap::new();
    let file = sources.add_bytes(document.key.clone(), document.text.as_bytes()).ok()?;
    let (program, _) = parse(&sources, file);
    let lines = Lines::new(&sources.file(file).text);
    Some(program.body.iter().flat_map(|part| symbols(part, &lines)).collect())
}

fn symbols(part: &TopLevel, lines: &Lines<'_>) -> Vec<DocumentSymbol> {
    let leaf = |name: &Name, kind, whole, detail| symbol(name, kind, whole, detail, Vec::new(), lines);
    match part {
        TopLevel::Item(Item::Fn(item)) => vec![leaf(&item.name, SymbolKind::FUNCTION, item.span, None)],
        TopLevel::Item(Item::Const(item)) => vec![leaf(&item.name, SymbolKind::CONSTANT, item.name.span, None)],
        TopLevel::Item(Item::Import(item)) => {
            let alias = item.alias.iter().filter(|alias| !alias.is_wildcard());
            alias.map(|alias| leaf(alias, SymbolKind::MODULE, alias.span, Some(item.path.clone()))).collect()
        }
        TopLevel::Item(Item::Struct(item)) => {
            let fields = item.fields.iter();
            let fields = fields.map(|field| leaf(&field.name, SymbolKind::FIELD, field.span, Some(field.ty.written())));
            vec![symbol(&item.name, SymbolKind::STRUCT, item.span, None, fields.collect(), lines)]
        }
        TopLevel::Item(Item::Enum(item)) => {
            let variants = item.variants.iter();
            let variants = variants.map(|variant| leaf(&variant.name, SymbolKind::ENUM_MEMBER, variant.span, None));
            vec![symbol(&item.name, SymbolKind::ENUM, item.span, None, variants.collect(), lines)]
        }
        TopLevel::Stmt(stmt) => match &stmt.kind {
            StmtKind::Let(item) => {
                let names = item.binder.names().into_iter().filter(|name| !name.is_wildcard());
                names.map(|name| leaf(name, SymbolKind::VARIABLE, name.span, None)).collect()
            }
            _ => Vec::new(),
        },
    }
}

#[expect(deprecated, reason = "the protocol's type has a field that is")]
fn symbol(
    name: &Name,
    kind: SymbolKind,
    whole: Span,
    detail: Option<String>,
    children: Vec<DocumentSymbol>,
    lines: &Lines<'_>,
) -> DocumentSymbol {
    let whole = whole.to(name.span);
    DocumentSymbol {
        name: name.text.to_string(),
        detail,
        kind,
        tags: None,
        deprecated: None,
        range: lines.range(whole.start, whole.end),
        selection_range: lines.range(name.span.start, name.span.end),
        children: Some(children),
    }
}
