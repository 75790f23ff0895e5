//! Hints of recorded runs: which run is told of.

use crate::client::{Client, uri};
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_file_that_is_no_run_tells_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("a.hwrun"), "no run").unwrap();
    let document = uri(&path.join("a.hw"));
    let mut editor = Client::in_folder(&path);
    editor.open(&document, "print(1)\n");
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": document }, "range": whole });
    assert_eq!(editor.ask("textDocument/inlayHint", params.clone()), json!([]));
    fs::remove_file(path.join("a.hwrun")).unwrap();
    assert_eq!(editor.ask("textDocument/inlayHint", params), json!([]));
    let elsewhere = json!({ "textDocument": { "uri": "untitled:b" }, "range": whole });
    assert_eq!(editor.ask("textDocument/inlayHint", elsewhere), Value::Null);
}
