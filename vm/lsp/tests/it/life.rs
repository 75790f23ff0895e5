//! The life of a server, and messages that are wrong in every way.

use crate::client::{Client, at};
use lsp_server::{Message, Response};
use serde_json::{Value, json};

#[test]
fn requests_come_between_initialize_and_shutdown() {
    let mut editor = Client::silent();
    assert_eq!(editor.refused("textDocument/hover", json!({})).0, -32002);
    assert_eq!(editor.refused("shutdown", Value::Null).0, -32002);
    editor.tell("textDocument/didOpen", json!({}));
    let abilities = editor.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(abilities["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(editor.refused("initialize", json!({ "capabilities": {} })).0, -32600);
    editor.ask("shutdown", Value::Null);
    assert_eq!(editor.refused("textDocument/hover", json!({})).0, -32600);
    assert_eq!(editor.refused("shutdown", Value::Null).0, -32600);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), 0);
}

#[test]
fn an_exit_without_shutdown_is_a_failure() {
    let mut editor = Client::silent();
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), 1);
    let mut editor = Client::silent();
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), 1);
    assert_eq!(Client::silent().leave(), 1, "an editor that goes away");
}

#[test]
fn wrong_messages_are_refused_or_left_alone() {
    let mut editor = Client::silent();
    editor.ask("initialize", json!(7));
    assert_eq!(editor.refused("textDocument/fly", json!({})).0, -32601);
    for params in [
        Value::Null,
        json!([]),
        json!({ "textDocument": 3 }),
        json!({ "textDocument": { "uri": "%%" }, "position": {} }),
    ] {
        assert_eq!(editor.refused("textDocument/hover", params.clone()).0, -32602);
        for method in ["didOpen", "didChange", "didClose", "didSave", "fly"] {
            editor.tell(&format!("textDocument/{method}"), params.clone());
        }
        editor.tell("workspace/didChangeWorkspaceFolders", params);
    }
    editor.tell("$/cancelRequest", json!({ "id": 1 }));
    editor.send(Message::Response(Response::new_ok(99.into(), Value::Null)));
    let nowhere = "file:///nowhere/at/all.hw";
    let start = json!({ "line": 0, "character": 0 });
    for method in ["hover", "definition", "documentHighlight", "completion"] {
        assert_eq!(editor.ask(&format!("textDocument/{method}"), at(nowhere, &start)), Value::Null, "{method}");
    }
    let of = json!({ "textDocument": { "uri": nowhere, "version": 2 }, "contentChanges": [{ "text": "" }] });
    editor.tell("textDocument/didChange", of);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": nowhere } }));
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
}

#[test]
fn places_that_are_not_there_have_no_answers() {
    let (mut editor, uri) = Client::with("let a = 1\r\nprint(a)\n");
    for (line, character) in [(0, 4_000_000_000_u32), (9, 9), (u32::MAX, u32::MAX), (1, 0)] {
        let place = at(&uri, &json!({ "line": line, "character": character }));
        for method in ["hover", "definition", "completion", "documentHighlight"] {
            editor.ask(&format!("textDocument/{method}"), place.clone());
        }
    }
    assert_eq!(editor.refused("textDocument/hover", at(&uri, &json!({ "line": -1, "character": 0 }))).0, -32602);
    let range = json!({ "start": { "line": 7, "character": 7 }, "end": { "line": 0, "character": 0 } });
    let of = json!({ "uri": uri, "version": 1 });
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": of, "contentChanges": [{ "range": range, "text": "\u{0}" }] }),
    );
    editor.until(&uri, |told| !told.is_empty());
}

/// Documents that programs never are.
#[test]
fn no_document_is_too_broken() {
    let deep = "(".repeat(100_000);
    let long = format!("let s = \"{}\"", "é".repeat(300_000));
    let many = "let x = 1\n".repeat(3_000);
    let texts = [
        "\u{feff}\u{0}\u{7f}",
        "'",
        "f\"{",
        "f\"{f\"{",
        "import \"",
        "import \"a.hw\"\nimport \"a.hw\" as",
        "/* /* */",
        "#!",
        "match",
        "enum E {",
        "struct S { x: S }\nlet s = S(x: S(",
        "fn f() -> f { f",
        "x.",
        "é😀.é",
        &deep,
        &long,
        &many,
    ];
    let (mut editor, uri) = Client::with("");
    for text in texts {
        editor.replace(&uri, text);
        let end = json!({ "line": text.matches('\n').count(), "character": text.len() });
        for method in ["hover", "definition", "completion", "documentHighlight"] {
            editor.ask(&format!("textDocument/{method}"), at(&uri, &end));
        }
        editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    }
    editor.replace(&uri, "print(1)\n");
    editor.until(&uri, <[String]>::is_empty);
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
}
