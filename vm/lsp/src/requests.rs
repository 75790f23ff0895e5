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

use super::state::State;
use super::{actions, completion, formatting, hover, inlay, navigation, outline, rename};

/// The abilities of the server, as `initialize` tells them.
pub(crate) fn abilities() -> Value {
    json!({
        "serverInfo": { "name": "holloway", "version": env!("CARGO_PKG_VERSION") },
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
pub(crate) fn answer(state: &mut State, request: Request) -> Response {
    let Request { id, method, params } = request;
    let result = match method.as_str() {
        HoverRequest::METHOD => told(state, params, |state, params| Ok(hover::hover(state, params))),
        GotoDefinition::METHOD => told(state, params, |state, params| Ok(navigation::definition(state, params))),
        References::METHOD => told(state, params, |state, params| Ok(navigation::references(state, params))),
        DocumentHighlightRequest::METHOD => {
            told(state, params, |state, params| Ok(navigation::highlights(state, params)))
        }
        DocumentSymbolRequest::METHOD => told(state, params, |state, params| Ok(outline::outline(state, params))),
        Formatting::METHOD => told(state, params, |state, params| Ok(formatting::format_document(state, &params))),
        Completion::METHOD => told(state, params, |state, params| Ok(completion::complete(state, params))),
        InlayHintRequest::METHOD => told(state, params, |state, params| Ok(inlay::hints(state, params))),
        CodeActionRequest::METHOD => told(state, params, |state, params| Ok(actions::actions(state, params))),
        PrepareRenameRequest::METHOD => told(state, params, |state, params| rename::prepare(state, &params)),
        Rename::METHOD => told(state, params, |state, params| rename::rename(state, &params)),
        _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
    };
    match result {
        Ok(answer) => Response::new_ok(id, answer),
        Err((code, reason)) => Response::new_err(id, code as i32, reason),
    }
}

/// Reads parameters, and makes the answer a value. A refusal of a function is one that the user is to read.
fn told<P: DeserializeOwned, A: Serialize>(
    state: &mut State,
    params: Value,
    answer: impl FnOnce(&mut State, P) -> Result<A, String>,
) -> Result<Value, (ErrorCode, String)> {
    let params = serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
    let answer = answer(state, params).map_err(|reason| (ErrorCode::RequestFailed, reason))?;
    Ok(serde_json::to_value(answer).expect("answers are JSON"))
}
