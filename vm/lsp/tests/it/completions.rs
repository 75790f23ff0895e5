//! Completions: which names are offered where.

use crate::client::{Client, at, marked, uri};
use serde_json::json;
use std::fs;

/// The labels that are offered at `|`, those of the language aside unless they begin as what is written.
fn offered(text: &str) -> Vec<String> {
    let (text, position) = marked(text);
    let (mut editor, uri) = Client::with(&text);
    labels(&mut editor, &uri, &position)
}

fn labels(editor: &mut Client, uri: &str, position: &serde_json::Value) -> Vec<String> {
    let items = editor.ask("textDocument/completion", at(uri, position));
    items.as_array().expect("a list").iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn names_in_scope() {
    let found = offered("const LIMIT = 3\nfn lower(left: int) { let last = 1; l|\n}\nfn other(lost: int) { }");
    for name in ["left", "last", "lower", "let", "loop", "len", "list"] {
        assert!(found.iter().any(|label| label == name), "{name} is not in {found:?}");
    }
    assert!(
        found.iter().all(|label| label.starts_with('l')) && !found.iter().any(|label| label == "lost"),
        "{found:?}"
    );
    let all = offered("fn f(aa: int) { |\n}");
    assert!(["aa", "f", "print", "while"].iter().all(|name| all.iter().any(|label| label == name)), "{all:?}");
}

#[test]
fn fields_and_functions_behind_a_dot() {
    let program = "struct P { xen: int, yon: str }\nfn norm(p: P) -> int { return p.xen }\n";
    let found = offered(&format!("{program}fn f(ps: list[P]) {{ for p in ps {{ p.|\n }} }}"));
    assert_eq!(found[..3], ["xen", "yon", "norm"], "{found:?}");
    assert_eq!(offered(&format!("{program}let p = P(xen: 1, yon: \"\")\nprint(p.y|)")), ["yon"]);
    assert_eq!(offered("let x = \"a\".up|"), ["upper"]);
    assert!(offered("let x = list(1, 2)\nx.|").contains(&"push".to_owned()));
    assert!(offered("let x = 1.|").contains(&"abs".to_owned()));
    assert_eq!(offered("let x = 12|"), [""; 0]);
}

#[test]
fn variants_and_arguments() {
    assert_eq!(offered("enum Side { Left, Right(int) }\nlet s = Side.|"), ["Left", "Right"]);
    let found = offered("struct P { xen: int, yon: str }\nlet p = P(xen: 1, |)");
    assert_eq!(found[0], "yon: ", "{found:?}");
    let found = offered("enum Side { Left, Right(int) }\nfn f(s: Side) { match s { Ri| => print(1) } }");
    assert!(found.contains(&"Right".to_owned()), "{found:?}");
}

#[test]
fn nothing_in_strings_and_comments() {
    assert_eq!(offered("print(\"le|\")"), [""; 0]);
    assert_eq!(offered("// le|"), [""; 0]);
}

#[test]
fn broken_programs_offer_what_is_written() {
    let found = offered("fn f(apple: int) {\n  let = ((\n  ap|");
    assert!(found.contains(&"apple".to_owned()), "{found:?}");
}

#[test]
fn names_and_files_of_imports() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("geometry.hw"), "fn area(a: int) -> int { return a }\nstruct Size { w: int }\n").unwrap();
    let mut editor = Client::in_folder(&path);
    let main = uri(&path.join("main.hw"));
    let (text, position) = marked("import \"geometry.hw\" as geo\nprint(geo.|)\n");
    editor.open(&main, &text);
    let mut found = labels(&mut editor, &main, &position);
    found.sort();
    assert_eq!(found, ["Size", "area"]);
    let (text, position) = marked("import \"geo|\"\n");
    editor.replace(&main, &text);
    assert_eq!(labels(&mut editor, &main, &position), ["geometry.hw"]);
    let item = &editor.ask("textDocument/completion", at(&main, &json!({ "line": 1, "character": 0 })))[0];
    assert!(item["kind"].is_number() && item["detail"].is_string(), "{item}");
}
