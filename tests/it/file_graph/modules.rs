//! The modules of a crate, from its files.
//!
//! In: the file of its root. Out: a [`Module`] for each module that is not for tests alone, the root first.

use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::buffer::{Cursor, TokenBuffer};
use syn::ext::IdentExt;
use syn::{Attribute, ImplItem, Item, ItemImpl, ItemMod, Type};

/// A module: a file, or a part of one.
#[derive(Default)]
pub(super) struct Module {
    /// The file that it stands in, by its path from the repository's root.
    pub(super) file: String,
    pub(super) parent: Option<usize>,
    /// Its modules by name.
    pub(super) children: BTreeMap<String, usize>,
    /// The names of the items that it defines, modules aside.
    pub(super) items: BTreeSet<String>,
    /// Macros among these that are exported: they are items of the root.
    pub(super) exported: Vec<String>,
    pub(super) uses: Vec<Use>,
    /// The paths in its code, those of imports aside; a bare name is a path, too.
    pub(super) mentions: BTreeSet<Vec<String>>,
    /// Types by their paths, and the functions and constants that it implements for them; those of traits aside.
    pub(super) impls: Vec<(Vec<String>, Vec<String>)>,
}

/// One name of an import, or one glob.
pub(super) struct Use {
    /// None for a glob.
    pub(super) name: Option<String>,
    pub(super) path: Vec<String>,
    pub(super) is_exported: bool,
}

/// The modules of the crate whose root is `file`, a path from `root`.
pub(super) fn read(root: &Path, file: &str) -> Vec<Module> {
    let mut modules = Vec::new();
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    read_file(root, file, folder, None, &mut modules);
    modules
}

/// Reads a file as a module, whose own modules are files of `folder`; gives its index.
fn read_file(root: &Path, file: &str, folder: &str, parent: Option<usize>, modules: &mut Vec<Module>) -> usize {
    let text = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let at = modules.len();
    modules.push(Module { file: file.to_owned(), parent, ..Module::default() });
    if file.ends_with(".rs") {
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        read_items(root, parsed.items, folder, at, modules);
    } else {
        // A grammar: its generated code is what it says, with the same imports.
        let tokens = TokenBuffer::new2(text.parse().unwrap_or_else(|error| panic!("{file}: {error}")));
        read_tokens(tokens.begin(), &mut modules[at]);
    }
    at
}

fn read_items(root: &Path, items: Vec<Item>, folder: &str, at: usize, modules: &mut Vec<Module>) {
    for item in items {
        match item {
            Item::Mod(item) if is_for_tests(&item.attrs) => {}
            Item::Mod(item) => read_module(root, item, folder, at, modules),
            Item::Macro(item) if item.mac.path.segments.last().is_some_and(|last| last.ident == "lalrpop_mod") => {
                let name = item.mac.tokens.to_string().split_whitespace().last().unwrap_or_default().to_owned();
                let source = folder.find("src").map_or("", |at| &folder[..at + "src".len()]);
                let child = read_file(root, &format!("{source}/{name}.lalrpop"), folder, Some(at), modules);
                modules[at].children.insert(name, child);
            }
            item => {
                match &item {
                    Item::Impl(item) => modules[at].impls.extend(implemented(item)),
                    Item::Macro(item) if item.attrs.iter().any(|of| of.path().is_ident("macro_export")) => {
                        modules[at].exported.extend(item.ident.as_ref().map(ToString::to_string));
                    }
                    _ => {}
                }
                modules[at].items.extend(name(&item));
                read_tokens(TokenBuffer::new2(item.into_token_stream()).begin(), &mut modules[at]);
            }
        }
    }
}

/// Reads a module of another one, in the same file or in one of `folder`.
fn read_module(root: &Path, item: ItemMod, folder: &str, parent: usize, modules: &mut Vec<Module>) {
    let name = item.ident.unraw().to_string();
    let below = format!("{folder}/{name}");
    let child = match item.content {
        Some((_, items)) => {
            let (child, file) = (modules.len(), modules[parent].file.clone());
            modules.push(Module { file, parent: Some(parent), ..Module::default() });
            read_items(root, items, &below, child, modules);
            child
        }
        None => {
            let files = [format!("{below}.rs"), format!("{below}/mod.rs")];
            let file = files.into_iter().find(|file| root.join(file).is_file());
            let file = file.unwrap_or_else(|| panic!("{below} has no file"));
            read_file(root, &file, &below, Some(parent), modules)
        }
    };
    modules[parent].children.insert(name, child);
}

/// The path of a type, and what is implemented for it, if that is of no trait.
fn implemented(item: &ItemImpl) -> Option<(Vec<String>, Vec<String>)> {
    let Type::Path(of) = &*item.self_ty else { return None };
    let of = of.path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
    let names = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(item) => Some(item.sig.ident.unraw().to_string()),
        ImplItem::Const(item) => Some(item.ident.unraw().to_string()),
        _ => None,
    });
    item.trait_.is_none().then(|| (of, names.collect()))
}

/// The name that an item defines.
fn name(item: &Item) -> Option<String> {
    match item {
        Item::Const(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Fn(item) => Some(item.sig.ident.to_string()),
        Item::Macro(item) => item.ident.as_ref().map(ToString::to_string),
        Item::Static(item) => Some(item.ident.to_string()),
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        Item::TraitAlias(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        Item::Union(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string() == "# [cfg (test)]")
}

/// Collects imports and paths, at any depth.
fn read_tokens(mut at: Cursor, module: &mut Module) {
    // Behind a single dot stands a member, behind a quote a lifetime, and behind two colons the rest of a path.
    let mut before = ' ';
    let mut is_exported = false;
    while !at.eof() {
        let (was_before, was_exported) = (std::mem::replace(&mut before, ' '), std::mem::take(&mut is_exported));
        if let Some(next) = after_test_code(at) {
            at = next;
        } else if let Some((inside, _, _, next)) = at.any_group() {
            read_tokens(inside, module);
            // `pub(crate)` is a word and a group.
            (is_exported, at) = (was_exported, next);
        } else if let Some((word, next)) = at.ident() {
            if word == "use" {
                at = read_use(next, &mut Vec::new(), was_exported, &mut module.uses);
            } else if word == "pub" {
                (is_exported, at) = (true, next);
            } else if ".'".contains(was_before) {
                at = next;
            } else {
                let (path, next) = read_path(at);
                let is_label = path.len() == 1 && next.punct().is_some_and(|(punct, _)| punct.as_char() == ':');
                if was_before != ':' && !is_label {
                    module.mentions.insert(path);
                }
                at = next;
            }
        } else if let Some((punct, next)) = at.punct() {
            let second = next.punct().filter(|(second, _)| second.as_char() == punct.as_char());
            (before, at) = match (punct.as_char(), second) {
                ('.', Some((_, next))) => (' ', next),
                (':', Some((_, next))) => (':', next),
                (':', None) => (' ', next),
                (char, _) => (char, next),
            };
        } else {
            at = at.token_tree().map_or(at, |(_, next)| next);
        }
    }
}

/// Behind `#[cfg(test)]` and what it stands at, which ends with braces, a semicolon or a comma.
fn after_test_code(at: Cursor) -> Option<Cursor> {
    let (punct, next) = at.punct()?;
    let (tree, mut next) = next.token_tree()?;
    if punct.as_char() != '#' || tree.to_string() != "[cfg (test)]" {
        return None;
    }
    while let Some((tree, rest)) = next.token_tree() {
        next = rest;
        let text = tree.to_string();
        if text.starts_with('{') || text == ";" || text == "," {
            break;
        }
    }
    Some(next)
}

/// Words between double colons, and what is behind them.
fn read_path(at: Cursor) -> (Vec<String>, Cursor) {
    let (first, mut at) = at.ident().expect("a path begins with a word");
    let mut path = vec![first.unraw().to_string()];
    while let Some((word, next)) = after_colons(at).and_then(Cursor::ident) {
        path.push(word.unraw().to_string());
        at = next;
    }
    (path, at)
}

fn after_colons(at: Cursor) -> Option<Cursor> {
    let (first, next) = at.punct()?;
    let (second, next) = next.punct()?;
    (first.as_char() == ':' && second.as_char() == ':').then_some(next)
}

/// Reads a tree of an import; gives what is behind it.
fn read_use<'a>(mut at: Cursor<'a>, path: &mut Vec<String>, is_exported: bool, uses: &mut Vec<Use>) -> Cursor<'a> {
    let depth = path.len();
    if let Some(next) = after_colons(at) {
        at = next;
    }
    while let Some((word, next)) = at.ident() {
        path.push(word.unraw().to_string());
        at = next;
        match after_colons(at) {
            Some(next) => at = next,
            None => break,
        }
    }
    if let Some((mut inside, _, _, next)) = at.any_group() {
        while !inside.eof() {
            inside = read_use(inside, path, is_exported, uses);
            inside = inside.punct().map_or(inside, |(_, next)| next);
        }
        at = next;
    } else if let Some((punct, next)) = at.punct()
        && punct.as_char() == '*'
    {
        uses.push(Use { name: None, path: path.clone(), is_exported });
        at = next;
    } else {
        let mut name = path.last().cloned();
        if name.as_deref() == Some("self") {
            path.pop();
            name = path.last().cloned();
        }
        if let Some((word, next)) = at.ident()
            && word == "as"
        {
            // `as _` brings in no name.
            let (renamed, next) = next.token_tree().expect("a name behind `as`");
            (name, at) = (Some(renamed.to_string()), next);
        }
        uses.push(Use { name, path: path.clone(), is_exported });
    }
    path.truncate(depth);
    at
}
