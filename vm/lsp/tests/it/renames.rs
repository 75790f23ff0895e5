//! Renames: the edits, and what is refused.

use crate::client::{Client, at, marked, uri};
use serde_json::{Value, json};
use std::fs;

/// The text with the name at `|` renamed, or the reason why it is not.
fn renamed(text: &str, new: &str) -> Result<String, String> {
    let (text, position) = marked(text);
    let (mut editor, uri) = Client::with(&text);
    let mut params = at(&uri, &position);
    params["newName"] = json!(new);
    let response = editor.response("textDocument/rename", params);
    match response.error {
        Some(error) => Err(error.message),
        None => Ok(edited(&text, &response.result.unwrap_or_default()["changes"][&uri])),
    }
}

fn edited(text: &str, edits: &Value) -> String {
    let offset = |place: &Value| {
        let line =
            text.split_inclusive('\n').take(place["line"].as_u64().unwrap() as usize).map(str::len).sum::<usize>();
        let units = place["character"].as_u64().unwrap() as usize;
        let mut count = 0;
        let before = text[line..].chars().take_while(|c| {
            count += c.len_utf16();
            count <= units
        });
        line + before.map(char::len_utf8).sum::<usize>()
    };
    let mut out = text.to_owned();
    for edit in edits.as_array().into_iter().flatten().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        out.replace_range(range, edit["newText"].as_str().unwrap());
    }
    out
}

fn becomes(text: &str, new: &str, expected: &str) {
    assert_eq!(renamed(text, new).as_deref(), Ok(expected), "{text}");
}

#[test]
fn every_use_is_renamed() {
    becomes(
        "fn f(a: int) -> int { return a + |a }\nprint(f(1))",
        "bc",
        "fn f(bc: int) -> int { return bc + bc }\nprint(f(1))",
    );
    becomes(
        "fn |f() { }\nf()\n{ let f = 1; print(\"😀\", f) }",
        "go",
        "fn go() { }\ngo()\n{ let f = 1; print(\"😀\", f) }",
    );
    becomes(
        "struct P { |x: int }\nlet p = P(x: 1)\nprint(p.x)",
        "y",
        "struct P { y: int }\nlet p = P(y: 1)\nprint(p.y)",
    );
    becomes(
        "enum E { |A, B }\nlet e = E.A\nmatch e { A => print(1), _ => print(2) }",
        "C",
        "enum E { C, B }\nlet e = E.C\nmatch e { C => print(1), _ => print(2) }",
    );
    becomes("fn id[|T](x: T) -> T { return x }\nprint(id(1))", "U", "fn id[U](x: U) -> U { return x }\nprint(id(1))");
    becomes("let n = 1\nprint(f\"😀 {|n}\")", "m", "let m = 1\nprint(f\"😀 {m}\")");
}

#[test]
fn what_is_no_name_is_refused() {
    let refused = |new: &str| renamed("let |a = 1\nprint(a)", new).expect_err(new);
    assert_eq!(refused("while"), "`while` is a keyword");
    assert_eq!(refused("_"), "`_` binds nothing");
    for new in ["", "1a", "a b", "a.b", "a-b", "\"a\"", "a\n", " a"] {
        assert!(refused(new).contains("is no name"), "{new}");
    }
}

#[test]
fn what_would_mean_something_else_is_refused() {
    let clash = "there is another `b`";
    let refused = |text: &str| renamed(text, "b").expect_err(text);
    assert!(refused("let |a = 1\nlet b = 2\nprint(a, b)").contains("`b` does not fit"));
    assert!(refused("fn f(|a: int) { let b = 2; print(a, b) }\nf(1)").contains(clash));
    assert!(refused("fn f(a: int) { let |c = 2; print(a, c, b) }\nlet b = 1\nf(b)").contains(clash));
    assert!(refused("let |a = 1\nfn f(b: int) { print(a, b) }\nf(2)").contains(clash));
    assert!(refused("struct P { |a: int, b: int }\nlet p = P(a: 1, b: 2)\nprint(p.a, p.b)").contains("`b`"));
}

#[test]
fn what_is_not_known_is_refused() {
    let open = "struct P { |x: int }\nfn f[T](t: T) { print(t.x) }\nlet p = P(x: 1)\nprint(p.x)";
    assert!(renamed(open, "y").expect_err("it is open").contains("never called"));
    assert!(renamed("fn |main() { }", "other").expect_err("it runs").contains("`main`"));
    assert!(renamed("pri|nt(1)", "other").expect_err("it is built in").contains("built-ins"));
    let (mut editor, uri) = Client::with("print(1)");
    assert!(
        editor
            .refused("textDocument/prepareRename", at(&uri, &json!({ "line": 0, "character": 1 })))
            .1
            .contains("built-ins")
    );
    let (mut editor, uri) = Client::with("let abc = 1");
    let found = editor.ask("textDocument/prepareRename", at(&uri, &json!({ "line": 0, "character": 5 })));
    assert_eq!((&found["placeholder"], &found["range"]["end"]["character"]), (&json!("abc"), &json!(7)));
}

#[test]
fn names_are_renamed_in_all_files_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let (library, main) =
        ("fn area(a: int) -> int { return a }\n", "import \"library.hw\"\nprint(area(1))\nlet free = 1\n");
    fs::write(path.join("library.hw"), library).unwrap();
    fs::write(path.join("main.hw"), main).unwrap();
    let (library_uri, main_uri) = (uri(&path.join("library.hw")), uri(&path.join("main.hw")));
    let mut editor = Client::in_folder(&path);
    editor.open(&library_uri, library);
    let mut params = at(&library_uri, &json!({ "line": 0, "character": 3 }));
    params["newName"] = json!("size");
    let changes = editor.ask("textDocument/rename", params.clone())["changes"].clone();
    assert_eq!(edited(main, &changes[&main_uri]), main.replace("area", "size"));
    assert_eq!(edited(library, &changes[&library_uri]), library.replace("area", "size"));
    params["newName"] = json!("free");
    assert!(editor.refused("textDocument/rename", params).1.contains("`free`"));
}
