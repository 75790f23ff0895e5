//! The life of a server: from `initialize` to `exit`, one message after another.
//!
//! In: messages, in any order. Out: answers, diagnostics, and the exit status. Invariants: every request is answered once;
//! a request before `initialize` or after `shutdown` is refused; diagnostics are made when nothing else is waiting, so a
//! fast typist waits for none of them; the status is 0 only if `shutdown` came before `exit`.

use std::collections::VecDeque;
use std::path::PathBuf;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Exit, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Initialize, Request as _, Shutdown};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::diagnostics::Published;
use super::documents::path_of;
use super::programs::Programs;
use super::recorded::Runs;
use super::requests;
use super::state::State;

/// Options of the server.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The recorded run that hints tell of; else the newest one beside each file.
    pub run: Option<PathBuf>,
}

/// A server.
struct Server {
    state: State,
    published: Published,
    /// True if diagnostics may have changed.
    is_stale: bool,
}

/// The phases of a server's life.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Running,
    ShutDown,
}

/// Serves an editor until it says `exit` or goes away. Returns the exit status.
pub fn serve(connection: &Connection, options: Options) -> u8 {
    let state = State { programs: Programs::default(), runs: Runs::new(options.run) };
    let mut server = Server { state, published: Published::default(), is_stale: false };
    let mut phase = Phase::Before;
    let mut waiting = VecDeque::new();
    loop {
        waiting.extend(connection.receiver.try_iter());
        let message = match waiting.pop_front() {
            Some(message) => message,
            None => {
                server.publish(connection);
                let Ok(message) = connection.receiver.recv() else { break };
                message
            }
        };
        match message {
            Message::Request(request) => {
                let response = server.answer(request, &mut phase);
                if connection.sender.send(Message::Response(response)).is_err() {
                    break;
                }
            }
            Message::Notification(told) if told.method == Exit::METHOD => break,
            Message::Notification(told) if phase == Phase::Running => server.take(told),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    u8::from(phase != Phase::ShutDown)
}

impl Server {
    fn answer(&mut self, request: Request, phase: &mut Phase) -> Response {
        let is_first = request.method == Initialize::METHOD;
        match (*phase, request.method.as_str()) {
            (Phase::Before, Initialize::METHOD) => {
                let params: InitializeParams = serde_json::from_value(request.params).unwrap_or_default();
                *phase = Phase::Running;
                self.initialize(&params);
                Response::new_ok(request.id, requests::abilities())
            }
            (Phase::Before, _) => {
                refused(request, ErrorCode::ServerNotInitialized, "the first request is `initialize`")
            }
            (Phase::Running, Shutdown::METHOD) => {
                *phase = Phase::ShutDown;
                Response::new_ok(request.id, Value::Null)
            }
            (Phase::Running, _) if !is_first => requests::answer(&mut self.state, request),
            (Phase::Running, _) => refused(request, ErrorCode::InvalidRequest, "`initialize` came before"),
            (Phase::ShutDown, _) => refused(request, ErrorCode::InvalidRequest, "`shutdown` came before"),
        }
    }

    fn initialize(&mut self, params: &InitializeParams) {
        let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        self.state.programs.folders = folders.filter_map(path_of).collect();
        #[expect(deprecated, reason = "editors of former years name one folder")]
        if let (true, Some(root)) = (self.state.programs.folders.is_empty(), &params.root_uri) {
            self.state.programs.folders.extend(path_of(root));
        }
        let run = params.initialization_options.as_ref().and_then(|options| options.get("run")?.as_str());
        if let Some(run) = run.filter(|run| !run.is_empty()) {
            let folder = self.state.programs.folders.first().cloned().unwrap_or_default();
            self.state.runs.choose(folder.join(run));
        }
    }

    /// Takes what an editor tells. What does not fit its form tells nothing.
    fn take(&mut self, told: Notification) {
        match told.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(DidOpenTextDocumentParams { text_document: item }) = read(told.params) else { return };
                let key = self.state.programs.documents.open(&item.uri, &item.text, item.version).key.clone();
                self.state.programs.forget();
                self.changed(&key);
            }
            DidChangeTextDocument::METHOD => {
                let Some(DidChangeTextDocumentParams { text_document: of, content_changes }) = read(told.params) else {
                    return;
                };
                let changed = self.state.programs.documents.change(&of.uri, &content_changes, of.version);
                if let Some(key) = changed.map(|document| document.key.clone()) {
                    self.changed(&key);
                }
            }
            DidCloseTextDocument::METHOD => {
                let Some(DidCloseTextDocumentParams { text_document: of }) = read(told.params) else { return };
                if let Some(document) = self.state.programs.documents.close(&of.uri) {
                    self.changed(&document.key);
                }
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.state.programs.forget();
                self.is_stale = true;
            }
            DidChangeWorkspaceFolders::METHOD => {
                let Some(DidChangeWorkspaceFoldersParams { event }) = read(told.params) else { return };
                let gone: Vec<PathBuf> = event.removed.iter().filter_map(|folder| path_of(&folder.uri)).collect();
                self.state.programs.folders.retain(|folder| !gone.contains(folder));
                self.state.programs.folders.extend(event.added.iter().filter_map(|folder| path_of(&folder.uri)));
            }
            _ => {}
        }
    }

    fn changed(&mut self, key: &str) {
        self.state.programs.changed(key);
        self.is_stale = true;
    }

    /// Tells the editor what is wrong now.
    fn publish(&mut self, connection: &Connection) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        for params in self.published.refresh(&mut self.state.programs) {
            let told = Notification::new(PublishDiagnostics::METHOD.to_owned(), params);
            if connection.sender.send(Message::Notification(told)).is_err() {
                return;
            }
        }
    }
}

/// The parameters of a message, if they have their form.
fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

fn refused(request: Request, code: ErrorCode, reason: &str) -> Response {
    Response::new_err(request.id, code as i32, reason.to_owned())
}
