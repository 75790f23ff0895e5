//! Spans of a program as places of the protocol.
//!
//! In: spans, and the texts they are in. Out: ranges, locations, and edits by document. Invariant: a file of a program is
//! named by the URI that the editor gave it, if it is open.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use holloway_lang::source::{FileId, SourceMap, Span};
use lsp_types::{Location, Position, Range, TextEdit, Uri, WorkspaceEdit};

use super::documents::{Documents, uri_of};
use super::lines::Lines;

/// Makes places of the spans of one program.
pub(crate) struct Places<'p> {
    documents: &'p Documents,
    sources: &'p SourceMap,
    lines: HashMap<FileId, Lines<'p>>,
}

impl<'p> Places<'p> {
    /// The places of a program.
    pub(crate) fn new(documents: &'p Documents, sources: &'p SourceMap) -> Self {
        Self { documents, sources, lines: HashMap::new() }
    }

    /// The range of a span in its file.
    pub(crate) fn range(&mut self, span: Span) -> Range {
        let text = &self.sources.file(span.file).text;
        self.lines.entry(span.file).or_insert_with(|| Lines::new(text)).range(span.start, span.end)
    }

    /// The location of a span; none in what is no file and not open.
    pub(crate) fn location(&mut self, span: Span) -> Option<Location> {
        Some(Location { uri: self.uri(span.file)?, range: self.range(span) })
    }

    /// The URI of a file.
    pub(crate) fn uri(&self, file: FileId) -> Option<Uri> {
        let key = &self.sources.file(file).name;
        match self.documents.of_file(key) {
            Some(document) => Some(document.uri.clone()),
            None => uri_of(Path::new(key)),
        }
    }
}

/// The new texts of a document, by the range that each replaces.
type EditsOfDocument = BTreeMap<(Position, Position), String>;

/// Edits of several documents, each once.
#[derive(Default)]
pub(crate) struct Edits {
    by_uri: BTreeMap<String, (Uri, EditsOfDocument)>,
}

impl Edits {
    /// Adds an edit, unless there is one at its place.
    pub(crate) fn add(&mut self, location: Location, text: &str) {
        let Location { uri, range } = location;
        let (_, edits) = self.by_uri.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, BTreeMap::new()));
        edits.entry((range.start, range.end)).or_insert_with(|| text.to_owned());
    }

    /// The edits as the protocol has them.
    #[allow(clippy::mutable_key_type, reason = "the protocol's type has such keys")]
    pub(crate) fn finish(self) -> WorkspaceEdit {
        let edit = |((start, end), new_text)| TextEdit { range: Range::new(start, end), new_text };
        let of_uri = |(uri, edits): (Uri, EditsOfDocument)| (uri, edits.into_iter().map(edit).collect());
        let changes = self.by_uri.into_values().map(of_uri).collect();
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
