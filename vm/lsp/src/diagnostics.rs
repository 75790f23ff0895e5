//! Errors and warnings of open documents.
//!
//! In: the analyses of all open documents. Out: messages for the editor, by document. Invariants: an open document shows
//! what is wrong with it as a program of its own; a file that is not open shows what is wrong with it in the programs
//! that import it; a document whose last message goes is told so once.

use std::collections::{BTreeMap, BTreeSet};

use holloway_lang::diagnostic::{Diagnostic as Found, DiagnosticKind, Warning};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString,
    PublishDiagnosticsParams, Uri,
};

use super::convert::Places;
use super::programs::Programs;

/// The documents for which something was published.
#[derive(Default)]
pub(crate) struct Published {
    uris: BTreeSet<String>,
}

impl Published {
    /// The messages of all open documents and what they import, as the editor is to show them now.
    pub(crate) fn refresh(&mut self, programs: &mut Programs) -> Vec<PublishDiagnosticsParams> {
        let open: Vec<Uri> = programs.documents.all().map(|document| document.uri.clone()).collect();
        let mut all: BTreeMap<String, (Uri, Vec<Diagnostic>)> = BTreeMap::new();
        for uri in &open {
            let entry = (uri.clone(), Vec::new());
            all.entry(uri.as_str().to_owned()).or_insert(entry);
            let Some(program) = programs.of(uri) else { continue };
            let mut places = Places::new(&programs.documents, program.sources());
            for found in &program.diagnostics {
                let Some(location) = places.location(found.span) else { continue };
                let is_own = location.uri == *uri;
                if !is_own && programs.documents.get(&location.uri).is_some() {
                    continue;
                }
                let told = told(found, &mut places);
                let (_, list) = all.entry(location.uri.as_str().to_owned()).or_insert((location.uri, Vec::new()));
                if !list.contains(&told) {
                    list.push(told);
                }
            }
        }
        for uri in std::mem::take(&mut self.uris) {
            if let (false, Ok(gone)) = (all.contains_key(&uri), uri.parse::<Uri>()) {
                all.insert(uri, (gone, Vec::new()));
            }
        }
        self.uris = all.iter().filter(|(_, (_, list))| !list.is_empty()).map(|(uri, _)| uri.clone()).collect();
        let version = |uri: &Uri| programs.documents.get(uri).map(|document| document.version);
        all.into_values()
            .map(|(uri, list)| PublishDiagnosticsParams { version: version(&uri), uri, diagnostics: list })
            .collect()
    }
}

/// A message in the form of the protocol.
pub(crate) fn told(found: &Found, places: &mut Places<'_>) -> Diagnostic {
    let severity = if found.is_error() { DiagnosticSeverity::ERROR } else { DiagnosticSeverity::WARNING };
    let mut message = found.message();
    let further = found.help.iter().map(|help| ("help", help)).chain(found.notes.iter().map(|note| ("note", note)));
    for (word, text) in further {
        message.push_str(&format!("\n{word}: {text}"));
    }
    let related = found.labels.iter().filter_map(|(span, text)| {
        Some(DiagnosticRelatedInformation { location: places.location(*span)?, message: text.clone() })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: places.range(found.span),
        severity: Some(severity),
        code: Some(NumberOrString::String(found.kind.code().to_string())),
        code_description: None,
        source: Some("holloway".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: is_of_no_use(&found.kind).then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// Returns true if an editor may show what a message is about in a fainter colour.
fn is_of_no_use(kind: &DiagnosticKind) -> bool {
    use Warning::{Unreachable, UnreachedArm, UnusedFunction, UnusedImport, UnusedParam, UnusedType, UnusedVariable};
    let DiagnosticKind::Warning(warning) = kind else { return false };
    matches!(
        warning,
        UnusedVariable { .. }
            | UnusedParam(_)
            | UnusedFunction(_)
            | UnusedImport(_)
            | UnusedType { .. }
            | Unreachable
            | UnreachedArm
    )
}
