//! An editor that talks to the server.
//!
//! In: requests and notifications as JSON. Out: answers. Invariant: an answer belongs to the request before it; what the
//! server tells in between is kept.

use std::collections::HashMap;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use holloway_lsp::{Options, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// The time after which an answer is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor, and the server that it started.
pub(crate) struct Client {
    connection: Option<Connection>,
    server: Option<JoinHandle<u8>>,
    next: i32,
    /// The last diagnostics of each document.
    pub(crate) diagnostics: HashMap<String, Vec<Value>>,
}

impl Client {
    /// Starts a server, and says nothing yet.
    pub(crate) fn silent() -> Self {
        let (server, client) = Connection::memory();
        let server = std::thread::spawn(move || serve(&server, Options::default()));
        Self { connection: Some(client), server: Some(server), next: 0, diagnostics: HashMap::new() }
    }

    /// Starts a server for a folder.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let mut client = Self::silent();
        let folders = json!([{ "uri": uri(folder), "name": "test" }]);
        client.ask("initialize", json!({ "capabilities": {}, "workspaceFolders": folders }));
        client.tell("initialized", json!({}));
        client
    }

    /// Starts a server with a document of a name that is no file.
    pub(crate) fn with(text: &str) -> (Self, String) {
        let mut client = Self::silent();
        client.ask("initialize", json!({ "capabilities": {} }));
        let uri = "untitled:a.hw".to_owned();
        client.open(&uri, text);
        (client, uri)
    }

    pub(crate) fn send(&self, message: Message) {
        self.connection.as_ref().expect("it is open").sender.send(message).expect("the server listens");
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.to_owned(), params }));
    }

    /// Asks, and waits for the answer.
    pub(crate) fn response(&mut self, method: &str, params: Value) -> Response {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Message::Request(Request { id: id.clone(), method: method.to_owned(), params }));
        loop {
            match self.connection.as_ref().expect("it is open").receiver.recv_timeout(PATIENCE) {
                Ok(Message::Response(response)) => {
                    assert_eq!(response.id, id, "an answer to another question");
                    return response;
                }
                Ok(Message::Notification(told)) => self.take(told),
                other => panic!("no answer to {method}: {other:?}"),
            }
        }
    }

    /// Asks what has an answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert!(response.error.is_none(), "{method}: {:?}", response.error);
        response.result.unwrap_or_default()
    }

    /// Asks what is refused. Returns the code and the reason.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> (i32, String) {
        let error = self.response(method, params).error.expect("it is refused");
        (error.code, error.message)
    }

    fn take(&mut self, told: Notification) {
        assert_eq!(told.method, "textDocument/publishDiagnostics");
        let list = told.params["diagnostics"].as_array().expect("a list").clone();
        self.diagnostics.insert(told.params["uri"].as_str().expect("text").to_owned(), list);
    }

    /// Waits until the server tells of a document what is expected: it comes when the server has nothing else to do.
    pub(crate) fn until(&mut self, uri: &str, is_expected: impl Fn(&[String]) -> bool) {
        while !self.diagnostics.contains_key(uri) || !is_expected(&self.told(uri)) {
            match self.connection.as_ref().expect("it is open").receiver.recv_timeout(PATIENCE) {
                Ok(Message::Notification(told)) => self.take(told),
                other => panic!("no other diagnostics of {uri}: {other:?}, but {:?}", self.told(uri)),
            }
        }
    }

    /// The last diagnostics of a document: position, code and first line.
    pub(crate) fn told(&self, uri: &str) -> Vec<String> {
        let shown = |found: &Value| {
            let start = &found["range"]["start"];
            let message = found["message"].as_str().expect("text").lines().next().unwrap_or_default();
            format!("{}:{} {} {message}", start["line"], start["character"], found["code"].as_str().expect("a code"))
        };
        self.diagnostics.get(uri).into_iter().flatten().map(shown).collect()
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "holloway", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces the text of a document.
    pub(crate) fn replace(&mut self, uri: &str, text: &str) {
        let changes = json!([{ "text": text }]);
        let of = json!({ "uri": uri, "version": 2 });
        self.tell("textDocument/didChange", json!({ "textDocument": of, "contentChanges": changes }));
    }

    /// Ends the connection. Returns the status of the server.
    pub(crate) fn leave(&mut self) -> u8 {
        self.connection = None;
        self.server.take().expect("it runs").join().expect("the server does not panic")
    }

    /// Waits for the end of the server, which was told to exit.
    pub(crate) fn status(&mut self) -> u8 {
        self.server.take().expect("it runs").join().expect("the server does not panic")
    }
}

/// The URI of a file.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The text without `|`, and the position of it.
pub(crate) fn marked(text: &str) -> (String, Value) {
    let at = text.find('|').expect("a place is marked");
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let unit = text[start..at].encode_utf16().count();
    (text.replacen('|', "", 1), json!({ "line": line, "character": unit }))
}

/// The parameters of a question about a place.
pub(crate) fn at(uri: &str, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}
