//! A whole conversation, as an editor would have it, and what each question is answered.

use crate::client::{Client, at, marked, uri};
use serde_json::{Value, json};
use std::fs;

const GEOMETRY: &str = "/// A point of the plane.\nstruct Point { x: float, y: float }\n\n/// Their distance, é😀.\nfn distance(a: Point, b: Point) -> float {\n    return sqrt((a.x - b.x) * (a.x - b.x))\n}\n";
const MAIN: &str = "import \"geometry.hw\" as geo\n\nlet start = geo.Point(x: 0.0, y: 0.0)\nlet s = \"é😀\"; print(s, geo.distance(start, start))\n";

#[test]
fn a_whole_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("geometry.hw"), GEOMETRY).unwrap();
    fs::write(path.join("main.hw"), MAIN).unwrap();
    let (main, geometry) = (uri(&path.join("main.hw")), uri(&path.join("geometry.hw")));
    let mut editor = Client::in_folder(&path);
    editor.open(&main, MAIN);
    editor.until(&main, <[String]>::is_empty);

    let distance = json!({ "line": 3, "character": 30 });
    let hover = editor.ask("textDocument/hover", at(&main, &distance));
    let shown = "```holloway\nfn distance(a: Point, b: Point) -> float\n```\nTheir distance, é😀.";
    assert_eq!(hover["contents"]["value"], shown);
    assert_eq!(hover["range"]["start"], json!({ "line": 3, "character": 28 }), "columns are units of UTF-16");
    let found = editor.ask("textDocument/definition", at(&main, &distance));
    assert_eq!((&found["uri"], &found["range"]["start"]), (&json!(geometry), &json!({ "line": 4, "character": 3 })));
    let found = editor.ask("textDocument/definition", at(&main, &json!({ "line": 0, "character": 10 })));
    assert_eq!(found["uri"], json!(geometry), "the path of an import leads to the file");

    // The file that is imported is opened and changed, and not saved.
    editor.open(&geometry, GEOMETRY);
    editor.replace(&geometry, &GEOMETRY.replace("distance", "far"));
    editor.until(&main, |told| told.len() == 1 && told[0].starts_with("3:28 E") && told[0].contains("distance"));
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": geometry } }));
    // What is on the disk counts again.
    editor.until(&main, <[String]>::is_empty);

    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), 0);
}

#[test]
fn errors_and_warnings_are_told_as_they_come_and_go() {
    let (mut editor, uri) = Client::with("let x: int = \"a\"\nfn f(a: int) { }\n");
    editor.until(&uri, |told| told.len() == 2);
    let first = &editor.diagnostics[&uri][0];
    assert_eq!((&first["severity"], &first["source"]), (&json!(1), &json!("holloway")));
    assert!(first["relatedInformation"][0]["message"].as_str().unwrap().contains("type"), "{first}");
    editor.replace(&uri, "print(1)\n");
    editor.until(&uri, <[String]>::is_empty);
    editor.replace(&uri, "fn f( {");
    editor.until(&uri, |told| !told.is_empty());
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    // A closed document has no messages.
    editor.until(&uri, <[String]>::is_empty);
}

#[test]
fn an_edit_changes_a_part() {
    let (mut editor, uri) = Client::with("let s = \"😀\"; print(t)\n");
    editor.until(&uri, |told| told.len() == 1);
    let range = json!({ "start": { "line": 0, "character": 20 }, "end": { "line": 0, "character": 21 } });
    let of = json!({ "uri": uri, "version": 2 });
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": of, "contentChanges": [{ "range": range, "text": "s" }] }),
    );
    editor.until(&uri, <[String]>::is_empty);
}

#[test]
fn hover_tells_types_and_words() {
    let hover = |text: &str| {
        let (text, position) = marked(text);
        let (mut editor, uri) = Client::with(&text);
        editor.ask("textDocument/hover", at(&uri, &position))["contents"]["value"].as_str().map(str::to_owned)
    };
    let code = |text: &str| Some(format!("```holloway\n{text}\n```"));
    assert_eq!(hover("fn f(xs: list[int]) { for |x in xs { print(x) } }"), code("for x: int"));
    assert_eq!(hover("let ys = [1.5].map(fn(|y) => y + 1.0)"), code("y: float"));
    assert_eq!(hover("enum E { A, B(int) }\nprint(E.|B(1))"), code("E.B(int)"));
    assert!(hover("print(s|qrt(2.0))").unwrap().contains("sqrt(x: float) -> float"));
    assert!(hover("wh|ile true { }").unwrap().contains("repeats"));
    assert_eq!(hover("print(1)| // "), None);
    assert_eq!(hover("\n\n|"), None);
}

#[test]
fn references_are_those_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("geometry.hw"), GEOMETRY).unwrap();
    fs::write(path.join("main.hw"), MAIN).unwrap();
    let geometry = uri(&path.join("geometry.hw"));
    let mut editor = Client::in_folder(&path);
    editor.open(&geometry, GEOMETRY);
    let mut places = |line: u32, character: u32, declaration: bool| {
        let mut params = at(&geometry, &json!({ "line": line, "character": character }));
        params["context"] = json!({ "includeDeclaration": declaration });
        let found = editor.ask("textDocument/references", params);
        let shown = |place: &Value| {
            let uri = place["uri"].as_str().unwrap();
            let start = &place["range"]["start"];
            format!("{}:{}:{}", uri.rsplit('/').next().unwrap(), start["line"], start["character"])
        };
        found.as_array().unwrap().iter().map(shown).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(places(4, 3, true), "geometry.hw:4:3 main.hw:3:28");
    assert_eq!(places(4, 3, false), "main.hw:3:28");
    let fields = "geometry.hw:1:15 geometry.hw:5:19 geometry.hw:5:25 geometry.hw:5:33 geometry.hw:5:39 main.hw:2:22";
    assert_eq!(places(1, 15, true), fields);
    assert_eq!(places(1, 8, false), "geometry.hw:4:15 geometry.hw:4:25 main.hw:2:16");
}

#[test]
fn documents_are_formatted_and_outlined() {
    let (mut editor, uri) = Client::with("struct P{x:int}\nfn f( a:int )->int{return a}\nlet (b,c)=(1,2)\n");
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let of = json!({ "uri": uri });
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": of, "options": options }));
    assert!(edits[0]["newText"].as_str().unwrap().contains("fn f(a: int) -> int {"), "{edits}");
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": of }));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["P", "f", "b", "c"]);
    assert_eq!(symbols[0]["children"][0]["name"], "x");
    editor.replace(&uri, "fn f( {");
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": of, "options": options }));
    assert_eq!(edits, Value::Null, "what does not parse stays as it is");
}

#[test]
fn fixes_are_those_of_check() {
    let (mut editor, uri) = Client::with("fn f() { var a = 1; print(a) }\nf()\n");
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", params.clone());
    let kinds: Vec<&Value> = actions.as_array().unwrap().iter().map(|action| &action["kind"]).collect();
    assert_eq!(kinds, ["quickfix", "source.fixAll"]);
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!((&edit["newText"], &edit["range"]["start"]["character"]), (&json!("let"), &json!(9)));
    let mut only = params;
    only["context"]["only"] = json!(["source"]);
    assert_eq!(editor.ask("textDocument/codeAction", only).as_array().unwrap().len(), 1);
}

#[test]
fn highlights_are_those_of_the_document() {
    let (mut editor, uri) = Client::with("let a = 1\nprint(a, a)\n");
    let found = editor.ask("textDocument/documentHighlight", at(&uri, &json!({ "line": 1, "character": 6 })));
    let starts: Vec<&Value> =
        found.as_array().unwrap().iter().map(|found| &found["range"]["start"]["character"]).collect();
    assert_eq!(starts, [&json!(4), &json!(6), &json!(9)]);
}
