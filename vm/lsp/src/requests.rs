//! The questions that the server answers, each with the function that does.
//!
//! In: a request. Out: its answer, or the reason why there is none. Invariant: what the server says that it can do is what
//! is listed here.

use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, Formatting, GotoDefinition,
    HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename, Request as _,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::server::{Server, name};
use super::{actions, completion, formatting, hover, inlay, navigation, outline, rename};

/// The abilities of the server, as `initialize` tells them.
pub(crate) fn abilities() -> Value {
    json!({
        "serverInfo": name(),
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "documentFormattingProvider": true,
            "inlayHintProvider": true,
            "renameProvider": { "prepareProvider": true },
            "completionProvider": { "triggerCharacters": [".", "\"", "/"] },
            "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        },
    })
}

/// Answers a request.
pub(crate) fn answer(server: &mut Server, request: Request) -> Response {
    let Request { id, method, params } = request;
    let result = match method.as_str() {
        HoverRequest::METHOD => told(server, params, |server, params| Ok(hover::hover(server, params))),
        GotoDefinition::METHOD => told(server, params, |server, params| Ok(navigation::definition(server, params))),
        References::METHOD => told(server, params, |server, params| Ok(navigation::references(server, params))),
        DocumentHighlightRequest::METHOD => {
            told(server, params, |server, params| Ok(navigation::highlights(server, params)))
        }
        DocumentSymbolRequest::METHOD => told(server, params, |server, params| Ok(outline::outline(server, params))),
        Formatting::METHOD => told(server, params, |server, params| Ok(formatting::format_document(server, &params))),
        Completion::METHOD => told(server, params, |server, params| Ok(completion::complete(server, params))),
        InlayHintRequest::METHOD => told(server, params, |server, params| Ok(inlay::hints(server, params))),
        CodeActionRequest::METHOD => told(server, params, |server, params| Ok(actions::actions(server, params))),
        PrepareRenameRequest::METHOD => told(server, params, |server, params| rename::prepare(server, &params)),
        Rename::METHOD => told(server, params, |server, params| rename::rename(server, &params)),
        _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
    };
    match result {
        Ok(answer) => Response::new_ok(id, answer),
        Err((code, reason)) => Response::new_err(id, code as i32, reason),
    }
}

/// Reads parameters, and makes the answer a value. A refusal of a function is one that the user is to read.
fn told<P: DeserializeOwned, A: Serialize>(
    server: &mut Server,
    params: Value,
    answer: impl FnOnce(&mut Server, P) -> Result<A, String>,
) -> Result<Value, (ErrorCode, String)> {
    let params = serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
    let answer = answer(server, params).map_err(|reason| (ErrorCode::RequestFailed, reason))?;
    Ok(serde_json::to_value(answer).expect("answers are JSON"))
}
