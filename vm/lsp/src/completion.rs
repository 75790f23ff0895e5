//! Completion: the names that could stand at the cursor.
//!
//! In: a document and a position. Out: names with their heads. What a name behind a dot may be is found by analysing the
//! document with a name there. Invariant: nothing is offered in strings and comments, but files where an import names one.

use std::collections::HashSet;
use std::path::Path;

use holloway_lang::cursor::{Surroundings, named_arguments, receiver, surroundings, word_before};
use holloway_lang::index::{Symbol, SymbolKind};
use holloway_lang::receivers::functions;
use holloway_lang::session::{Analysis, Definition, Session};
use holloway_lang::source::FileId;
use holloway_lang::token::{Token, TokenKind, lex};
use holloway_lang::words;
use lsp_types::{CompletionItem, CompletionItemKind, CompletionParams, Documentation};

use super::documents::Document;
use super::hover::trimmed;
use super::lines::Lines;
use super::programs::analyse_with;
use super::state::State;

/// A name that stands where nothing is written yet.
const STAND_IN: &str = "x";

/// Answers a request for completions.
pub(crate) fn complete(state: &mut State, params: CompletionParams) -> Option<Vec<CompletionItem>> {
    let at = params.text_document_position;
    let document = state.programs.documents.get(&at.text_document.uri)?;
    let offset = Lines::new(&document.text).offset(at.position);
    let before = &document.text[..offset];
    let lexed = lex(FileId::from_u32(0), before);
    match surroundings(before, &lexed) {
        Surroundings::Code => {}
        Surroundings::ImportPath => return Some(files(document, before)),
        Surroundings::Prose => return Some(Vec::new()),
    }
    let (word, tokens) = word_before(before, &lexed.tokens);
    // Behind the point of a number, or in one, no name begins.
    if tokens
        .last()
        .is_some_and(|last| last.end as usize == offset && matches!(last.kind, TokenKind::Int | TokenKind::Float))
    {
        return Some(Vec::new());
    }
    let start = offset - word.len();
    let text = format!("{before}{}{}", if word.is_empty() { STAND_IN } else { "" }, &document.text[offset..]);
    let program = analyse_with(&state.programs.documents, document, &text, start as u32)?;
    let mut items = match tokens.last().map(|last| last.kind) {
        Some(TokenKind::Dot) => after_dot(&program, before, tokens),
        _ => {
            let mut items = arguments(&program, before, tokens);
            items.extend(in_scope(&program, &document.text, offset));
            items
        }
    };
    let mut seen = HashSet::new();
    items.retain(|item| item.label.starts_with(word) && seen.insert(item.label.clone()));
    Some(items)
}

/// The names that may follow the dot that the tokens end with.
fn after_dot(program: &Analysis, before: &str, tokens: &[Token]) -> Vec<CompletionItem> {
    let session = &program.session;
    if let Some(receiver) = &program.scope.receiver {
        let field = |(name, ty): &(String, String)| item(name, CompletionItemKind::FIELD, Some(ty.clone()), None);
        let fields = receiver.fields.iter().map(field);
        let definitions = session.definitions();
        let heads: Vec<_> = definitions.iter().map(|found| (found.name.clone(), found.head.clone())).collect();
        let callable = functions(&heads, &receiver.ty);
        let callable = callable.iter().map(|name| match definitions.iter().find(|found| found.name == *name) {
            Some(found) => defined(found),
            None => built_in(name),
        });
        return fields.chain(callable).collect();
    }
    let operand = receiver(tokens);
    let path: Vec<&str> = operand
        .iter()
        .filter(|token| token.kind == TokenKind::Name)
        .map(|token| &before[token.start as usize..token.end as usize])
        .collect();
    session.members(&path).iter().map(|name| member(program, &path, name)).collect()
}

/// A variant, or a definition of an imported file.
fn member(program: &Analysis, path: &[&str], name: &str) -> CompletionItem {
    let qualified: Vec<&str> = path.iter().copied().chain([name]).collect();
    match program.session.definition_of(&qualified) {
        Some(found) => defined(&found),
        None => {
            let of = program.index.symbols().iter();
            let of = of.filter(|symbol| symbol.kind == SymbolKind::Variant && symbol.name == name);
            let head = of.map(|symbol| symbol.head.clone()).next();
            item(name, CompletionItemKind::ENUM_MEMBER, head, None)
        }
    }
}

/// Fields that are still to be given, where a struct is made.
fn arguments(program: &Analysis, before: &str, tokens: &[Token]) -> Vec<CompletionItem> {
    let fields = named_arguments(before, tokens, &program.session);
    fields.iter().map(|field| item(field, CompletionItemKind::FIELD, None, None)).collect()
}

/// The names that are seen from the cursor.
fn in_scope(program: &Analysis, text: &str, offset: usize) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = program.scope.locals.iter().map(local).collect();
    if items.is_empty() {
        items.extend(written(text, offset));
    }
    items.extend(program.session.definitions().iter().map(defined));
    let variants = program.index.symbols().iter().filter(|symbol| symbol.kind == SymbolKind::Variant);
    items.extend(
        variants.map(|symbol| item(&symbol.name, CompletionItemKind::ENUM_MEMBER, Some(symbol.head.clone()), None)),
    );
    items.extend(Session::builtins().iter().map(|name| built_in(name)));
    items.extend(words::KEYWORDS.iter().map(|(word, forms, about)| {
        item(word, CompletionItemKind::KEYWORD, Some((*forms).to_owned()), Some((*about).to_owned()))
    }));
    items
}

/// Every other name in a text, where its scopes are not known: it is too broken.
fn written(text: &str, offset: usize) -> impl Iterator<Item = CompletionItem> {
    let tokens = lex(FileId::from_u32(0), text).tokens;
    let names = tokens.into_iter().filter(move |token| token.kind == TokenKind::Name && token.end as usize != offset);
    names.map(|token| item(&text[token.start as usize..token.end as usize], CompletionItemKind::TEXT, None, None))
}

fn local(symbol: &Symbol) -> CompletionItem {
    let kind = match symbol.kind {
        SymbolKind::Constant => CompletionItemKind::CONSTANT,
        _ => CompletionItemKind::VARIABLE,
    };
    item(&symbol.name, kind, Some(symbol.head.clone()), None)
}

fn defined(found: &Definition) -> CompletionItem {
    let kind = match found.head.split(' ').next() {
        Some("fn") => CompletionItemKind::FUNCTION,
        Some("struct") => CompletionItemKind::STRUCT,
        Some("enum") => CompletionItemKind::ENUM,
        Some("const") => CompletionItemKind::CONSTANT,
        Some("import") => CompletionItemKind::MODULE,
        _ => CompletionItemKind::VARIABLE,
    };
    item(&found.name, kind, Some(found.head.clone()), found.doc.as_deref().map(trimmed))
}

fn built_in(name: &str) -> CompletionItem {
    let row = words::find(name);
    let forms = row.map(|(_, forms, _)| (*forms).to_owned());
    item(name, CompletionItemKind::FUNCTION, forms, row.map(|(.., about)| (*about).to_owned()))
}

/// The programs beside a document, for the path of an import.
fn files(document: &Document, before: &str) -> Vec<CompletionItem> {
    let typed = &before[before.rfind('"').map_or(0, |quote| quote + 1)..];
    let folder = typed.rfind('/').map_or("", |slash| &typed[..slash]);
    let Some(here) = Path::new(&document.key).parent() else { return Vec::new() };
    let mut items = Vec::new();
    for entry in std::fs::read_dir(here.join(folder)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !name.starts_with('.') {
            items.push(item(&name, CompletionItemKind::FOLDER, None, None));
        } else if name.ends_with(".hw") && entry.path() != Path::new(&document.key) {
            items.push(item(&name, CompletionItemKind::FILE, None, None));
        }
    }
    items.sort_by(|one, other| one.label.cmp(&other.label));
    items
}

fn item(label: &str, kind: CompletionItemKind, detail: Option<String>, about: Option<String>) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail,
        documentation: about.map(Documentation::String),
        ..CompletionItem::default()
    }
}
