//! `lsp`: the language server as a child process.

use crate::command::{holloway, run_with_input};
use serde_json::{Value, json};
use std::path::Path;

/// Messages in their frames.
fn framed(messages: &[Value]) -> String {
    let frame = |message: &Value| {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    messages.iter().map(frame).collect()
}

fn request(id: i32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[test]
fn the_server_talks_in_frames_and_ends_as_it_is_told() {
    let item = json!({ "uri": "untitled:a", "languageId": "holloway", "version": 1, "text": "print(x)\n" });
    let opened = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": item } });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let hello = request(1, "initialize", json!({ "capabilities": {} }));
    let input = format!(
        "{}Content-Length: 5\r\n\r\n{{\"a\":Content-Length: 2\r\n\r\n{{}}{}",
        framed(&[hello.clone(), opened]),
        framed(&[request(2, "shutdown", Value::Null), exit.clone()])
    );
    let here = Path::new(".");
    let done = run_with_input(holloway(here, ["lsp", "--stdio"]), input.as_bytes());
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    for part in ["\"id\":1", "\"id\":2", "\"capabilities\"", "this is no JSON", "this is no message"] {
        assert!(done.out.contains(part), "{part} is not in {}", done.out);
    }
    let done = run_with_input(holloway(here, ["lsp"]), framed(&[hello, exit]).as_bytes());
    assert_eq!(done.status, 1, "an exit without shutdown");
    assert_eq!(run_with_input(holloway(here, ["lsp"]), b"nonsense\r\n").status, 1, "an editor that goes away");
}
