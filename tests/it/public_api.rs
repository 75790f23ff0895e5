//! The library's public API, listed from the sources: whoever changes it sees so in a snapshot.
//!
//! In: `vm/engine/src/lib.rs`, and the files of the crates that it exports from. Out: every exported type with its public fields, variants and
//! methods. Invariants: the library exports names, not modules, but for `events` and what is hidden; what is not safe to call is an
//! `unsafe fn`; none of the command's crates is built for it.

use quote::ToTokens;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::{Fields, ImplItem, Item, Type, UseTree, Visibility};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn parse(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// True of what is there for tests or for the crates above.
fn is_hidden(attributes: &[syn::Attribute]) -> bool {
    let words = attributes.iter().map(|attribute| attribute.to_token_stream().to_string());
    words.into_iter().any(|words| words.contains("test") || words.contains("hidden"))
}

/// Names that a `use` exports, each with the module of the library that it comes from.
fn exported(tree: &UseTree, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            exported(&step.tree, path, found);
            path.pop();
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), path.clone())),
        UseTree::Rename(name) => found.push((name.rename.to_string(), path.clone())),
        UseTree::Glob(_) => found.push(("*".to_owned(), path.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|item| exported(item, path, found)),
    }
}

/// The Rust files that the library's own modules, and those of the runtime, are in.
fn files(module: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = match module.split("::").next() {
        Some("holloway_runtime") => vec![root().join("vm/runtime/src")],
        Some(other) if other.starts_with("holloway_") => Vec::new(),
        _ => vec![root().join("vm/engine/src")],
    };
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn text(tokens: impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let tight = [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        (" , ", ", "),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" :", ":"),
    ];
    tight.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

fn fields(fields: &Fields) -> Vec<String> {
    let named = fields.iter().filter(|field| is_public(&field.vis));
    named
        .map(|field| {
            format!("{}: {}", field.ident.as_ref().map_or("0".to_owned(), ToString::to_string), text(&field.ty))
        })
        .collect()
}

/// Lines about the exported items of some files.
fn describe(names: &[String], paths: &[PathBuf]) -> BTreeMap<String, Vec<String>> {
    let mut about: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_named = |ident: &syn::Ident| names.iter().any(|name| ident == name || name == "*");
    for item in paths.iter().flat_map(|path| parse(path).items) {
        match item {
            Item::Struct(item) if is_public(&item.vis) && is_named(&item.ident) => {
                about.entry(format!("struct {}", item.ident)).or_default().extend(fields(&item.fields));
            }
            Item::Enum(item) if is_public(&item.vis) && is_named(&item.ident) => {
                let variants = item.variants.iter().map(|variant| variant.ident.to_string());
                about.entry(format!("enum {}", item.ident)).or_default().extend(variants);
            }
            Item::Impl(item) if item.trait_.is_none() && !is_hidden(&item.attrs) => {
                let Type::Path(of) = &*item.self_ty else { continue };
                let ident = &of.path.segments.last().expect("a path has a segment").ident;
                if !is_named(ident) {
                    continue;
                }
                for method in item.items {
                    if let ImplItem::Fn(method) = method
                        && is_public(&method.vis)
                        && !is_hidden(&method.attrs)
                    {
                        about.entry(format!("impl {ident}")).or_default().push(text(&method.sig));
                    }
                }
            }
            _ => {}
        }
    }
    about
}

#[test]
fn the_public_api_is_this() {
    let mut found = Vec::new();
    let mut lines = Vec::new();
    for item in parse(&root().join("vm/engine/src/lib.rs")).items {
        match item {
            Item::Use(item) if is_public(&item.vis) => exported(&item.tree, &mut Vec::new(), &mut found),
            Item::Mod(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                lines.push(format!("mod {}", item.ident))
            }
            Item::Fn(item) if is_public(&item.vis) => lines.push(text(&item.sig)),
            _ => {}
        }
    }
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, path) in found {
        let module = path.first().cloned().unwrap_or_default();
        modules.entry(module).or_default().push(name);
    }
    for (module, mut names) in modules {
        names.sort();
        lines.push(format!("\n{module}: {}", names.join(", ")));
        for (item, details) in describe(&names, &files(&module)) {
            lines.push(format!("  {item}"));
            lines.extend(details.into_iter().map(|detail| format!("    {detail}")));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// The crates of the command line, the REPL and progress bars.
const COMMAND: &[&str] = &["clap", "clap_complete", "clap_mangen", "ctrlc", "indicatif", "rustyline", "terminal_size"];

#[test]
fn the_library_alone_needs_none_of_the_commands_crates() {
    let args = ["tree", "--offline", "--package", "holloway", "--edges", "normal", "--prefix", "none"];
    let output = Command::new(env!("CARGO")).args(args).current_dir(root()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("UTF-8");
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"holloway-jit"), "{tree}");
    let found: Vec<&&str> = COMMAND.iter().filter(|name| names.contains(*name)).collect();
    assert!(found.is_empty(), "{found:?}");
}
