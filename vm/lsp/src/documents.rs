//! The documents that are open in the editor.
//!
//! In: their texts, and changes of them. Out: the texts as they are now, by URI or by the file that they are. Invariants:
//! a change that makes no sense is made as far as it does; a document that is not open is left alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use holloway::internals::{Files, destination};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use super::lines::Lines;

/// An open document.
pub(crate) struct Document {
    /// Its name, as the editor writes it.
    pub(crate) uri: Uri,
    /// The key of its file, or its URI if it is none.
    pub(crate) key: String,
    /// Its text, without a byte-order mark.
    pub(crate) text: String,
    /// The editor's number of this state.
    pub(crate) version: i32,
    /// True if a byte-order mark is in front of the text.
    has_mark: bool,
}

/// The open documents; see the module.
#[derive(Default)]
pub(crate) struct Documents {
    by_uri: BTreeMap<String, Document>,
}

/// Characters that are written in another way in the path of a URI.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// The mark that some files begin with.
const MARK: char = '\u{feff}';

impl Documents {
    /// Opens a document, or replaces its text.
    pub(crate) fn open(&mut self, uri: &Uri, text: &str, version: i32) -> &Document {
        let key = key_of(uri);
        let mut document = Document { uri: uri.clone(), key, text: String::new(), version, has_mark: false };
        document.set(text);
        let entry = self.by_uri.entry(uri.as_str().to_owned());
        entry.insert_entry(document).into_mut()
    }

    /// Gives a file a text, whether or not it is open.
    pub(crate) fn set_file(&mut self, key: &str, text: &str) {
        let known = self.by_uri.values_mut().find(|document| document.key == key);
        match (known, uri_of(Path::new(key))) {
            (Some(document), _) => document.set(text),
            (None, Some(uri)) => _ = self.open(&uri, text, 0),
            (None, None) => {}
        }
    }

    /// Changes a document. Returns it if it is open.
    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        changes: &[TextDocumentContentChangeEvent],
        version: i32,
    ) -> Option<&Document> {
        let document = self.by_uri.get_mut(uri.as_str())?;
        document.version = version;
        changes.iter().for_each(|change| document.apply(change));
        Some(document)
    }

    /// Closes a document. Returns it if it was open.
    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.by_uri.remove(uri.as_str())
    }

    /// An open document.
    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.by_uri.get(uri.as_str())
    }

    /// The open document that is a file.
    pub(crate) fn of_file(&self, key: &str) -> Option<&Document> {
        self.by_uri.values().find(|document| document.key == key)
    }

    /// Every open document, in the order of URIs.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Document> {
        self.by_uri.values()
    }
}

impl Document {
    fn set(&mut self, text: &str) {
        self.has_mark = text.starts_with(MARK);
        self.text = text.strip_prefix(MARK).unwrap_or(text).to_owned();
    }

    fn apply(&mut self, change: &TextDocumentContentChangeEvent) {
        let Some(range) = change.range else { return self.set(&change.text) };
        let whole = if self.has_mark { format!("{MARK}{}", self.text) } else { std::mem::take(&mut self.text) };
        let lines = Lines::new(&whole);
        let (one, other) = (lines.offset(range.start), lines.offset(range.end));
        let mut changed = String::with_capacity(whole.len() + change.text.len());
        changed.push_str(&whole[..one.min(other)]);
        changed.push_str(&change.text);
        changed.push_str(&whole[one.max(other)..]);
        self.set(&changed);
    }
}

/// The key of the file that a URI names; the URI if it names none.
pub(crate) fn key_of(uri: &Uri) -> String {
    match path_of(uri) {
        // A file that is not there yet has a key, too.
        Some(path) => Files::key(&path).unwrap_or_else(|_| destination(&path).to_string_lossy().into_owned()),
        None => uri.as_str().to_owned(),
    }
}

/// The path of the file that a URI names.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    Some(PathBuf::from(OsString::from_vec(percent_decode_str(path).collect())))
}

/// The URI of a file.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.is_absolute().then(|| percent_encode(path.as_os_str().as_bytes(), IN_PATHS))?;
    format!("file://{text}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Some(Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    fn changed(text: &str, changes: &[TextDocumentContentChangeEvent]) -> String {
        let uri: Uri = "untitled:a".parse().unwrap();
        let mut documents = Documents::default();
        documents.open(&uri, text, 1);
        documents.change(&uri, changes, 2).expect("it is open").text.clone()
    }

    #[test]
    fn changes_are_made_one_after_another() {
        let changes = [change((0, 1), (0, 1), "x"), change((1, 0), (1, 2), ""), change((0, 0), (0, 2), "y")];
        assert_eq!(changed("ab\ncd\n", &changes), "yb\n\n");
        assert_eq!(changed("😀b", &[change((0, 2), (0, 3), "c")]), "😀c");
    }

    #[test]
    fn changes_that_make_no_sense_are_made_as_far_as_they_do() {
        assert_eq!(changed("ab", &[change((7, 7), (9, 9), "c")]), "abc");
        assert_eq!(changed("abc", &[change((0, 2), (0, 1), "x")]), "axc");
        let uri: Uri = "untitled:b".parse().unwrap();
        assert!(Documents::default().change(&uri, &[], 1).is_none());
        assert!(Documents::default().close(&uri).is_none());
    }

    #[test]
    fn a_mark_is_no_part_of_the_text() {
        assert_eq!(changed("\u{feff}ab", &[change((0, 1), (0, 2), "c")]), "cb");
    }

    #[test]
    fn paths_and_uris_lead_to_each_other() {
        let path = Path::new("/tmp/a b/ü.hw");
        let uri = uri_of(path).expect("it is absolute");
        assert_eq!(uri.as_str(), "file:///tmp/a%20b/%C3%BC.hw");
        assert_eq!(path_of(&uri).as_deref(), Some(path));
        assert_eq!(path_of(&"untitled:a".parse().unwrap()), None);
        assert_eq!(uri_of(Path::new("a.hw")), None);
    }
}
