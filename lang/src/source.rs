//! Source files and positions in them.
//!
//! In: file names and their bytes. Out: a [`SourceMap`] that owns the texts, and gives [`Span`]s their lines and columns.
//! Invariant: a text is shorter than `u32::MAX` bytes and carries no byte-order mark.

use crate::settings::source::CHUNK;
pub use crate::settings::source::MOST_BYTES;
use std::sync::Arc;

use cranelift_entity::PrimaryMap;

use crate::diagnostic::{Diagnostic, SourceError};
pub use holloway_ir::{FileId, Span};

/// One file: its name as the user knows it, its text and the starts of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as given, or a name such as `<stdin>`.
    pub name: String,
    /// The text, without a byte-order mark.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// Bytes before each [`CHUNK`] of the text that do not start a character; empty for ASCII. They keep columns cheap
    /// even in a large text of a single line.
    continued: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: Arc<str>) -> Self {
        let after_newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        let mut continued = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for chunk in text.as_bytes().chunks(CHUNK) {
                continued.push(before);
                before += continuations(chunk);
            }
            continued.push(before);
        }
        Self { name, text, line_starts, continued }
    }

    /// Number of characters that start before `offset`.
    fn chars_before(&self, offset: usize) -> u32 {
        match self.continued.get(offset / CHUNK) {
            None => offset as u32,
            Some(before) => {
                let chunk = offset - offset % CHUNK;
                offset as u32 - before - continuations(&self.text.as_bytes()[chunk..offset])
            }
        }
    }

    /// Number of lines; a text that ends in a newline has an empty last line.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The 1-based line that holds the byte at `offset`.
    pub fn line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32
    }

    /// The offset at which the 1-based `line` starts.
    pub fn line_start(&self, line: u32) -> u32 {
        self.line_starts[line as usize - 1]
    }

    /// The 1-based line and column of `offset`; columns count characters.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.line_start(line) as usize;
        let end = self.text.floor_char_boundary((offset as usize).max(start));
        (line, self.chars_before(end) - self.chars_before(start) + 1)
    }

    /// The text of the 1-based `line`, without its line ending.
    pub fn line_text(&self, line: u32) -> &str {
        let start = self.line_start(line) as usize;
        let end = self.line_starts.get(line as usize).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// Counts the bytes of UTF-8 that continue a character.
fn continuations(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xc0 == 0x80).count() as u32
}

/// All the files of one compilation or one REPL session.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: PrimaryMap<FileId, SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text that is already in memory, without a leading byte-order mark.
    ///
    /// # Panics
    /// If the text does not fit in 32-bit offsets: texts of unknown size go through [`SourceMap::add_bytes`].
    pub fn add(&mut self, name: impl Into<String>, text: impl AsRef<str>) -> FileId {
        let text = text.as_ref();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        assert!(fits(text.len()), "a text of {} bytes was not checked for its size", text.len());
        self.files.push(SourceFile::new(name.into(), Arc::from(text)))
    }

    /// Adds the bytes of a file. Bytes that are not UTF-8, and more of them than [`MOST_BYTES`], are refused with a
    /// diagnostic whose span lies in a file of this map, so that it renders like any other.
    #[allow(clippy::result_large_err, reason = "once a file")]
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: &[u8]) -> Result<FileId, Diagnostic> {
        let name = name.into();
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        if bytes.len() > MOST_BYTES {
            let file = self.add(name, "");
            let kind = SourceError::TooLarge { limit: MOST_BYTES as u64 };
            return Err(Diagnostic::error(kind, Span::new(file, 0, 0)));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(self.add(name, text)),
            Err(error) => {
                // The valid prefix keeps its offsets; what follows is shown as replacement characters.
                let offset = error.valid_up_to() as u32;
                let shown = error.valid_up_to() + error.error_len().unwrap_or(bytes.len() - error.valid_up_to());
                let byte = bytes[error.valid_up_to()];
                let file = self.add(name, String::from_utf8_lossy(&bytes[..shown]));
                let kind = SourceError::NotUtf8 { offset, byte };
                Err(Diagnostic::error(kind, Span::new(file, offset, offset)))
            }
        }
    }

    /// The file named by `id`.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// Every file, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }

    /// The 1-based line and column (in characters) at which `span` starts.
    pub fn line_col(&self, span: Span) -> (u32, u32) {
        self.file(span.file).line_col(span.start)
    }

    /// The line on which `span` starts, without its line ending.
    pub fn line_text(&self, span: Span) -> &str {
        let file = self.file(span.file);
        file.line_text(file.line(span.start))
    }

    /// The text that `span` covers.
    pub fn snippet(&self, span: Span) -> &str {
        &self.file(span.file).text[span.start as usize..span.end as usize]
    }

    /// `FILE:LINE:COL` of the start of `span`.
    pub fn place(&self, span: Span) -> String {
        let (line, col) = self.line_col(span);
        format!("{}:{line}:{col}", self.file(span.file).name)
    }
}

/// Returns true if a text of `len` bytes can be addressed by spans, whose end is exclusive.
fn fits(len: usize) -> bool {
    len < u32::MAX as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters() {
        let mut map = SourceMap::new();
        let file = map.add("a.hw", "\u{feff}é = 1\r\nb\n");
        let at = |start| map.line_col(Span::new(file, start, start));
        assert_eq!((at(0), at(2), at(3)), ((1, 1), (1, 2), (1, 3)));
        assert_eq!((at(8), at(9), at(10)), ((2, 1), (2, 2), (3, 1)));
        assert_eq!(map.line_text(Span::new(file, 0, 0)), "é = 1");
        assert_eq!(map.file(file).line_count(), 3);
        assert_eq!(map.place(Span::new(file, 8, 9)), "a.hw:2:1");
    }

    #[test]
    fn columns_of_long_lines_are_counted_in_characters() {
        let mut map = SourceMap::new();
        let line = "aé€😀".repeat(700);
        let file = map.add("a.hw", format!("{line}\n{line}"));
        let text = Arc::clone(&map.file(file).text);
        for offset in (0..=text.len()).step_by(7).chain([1023, 1024, 1025, text.len()]) {
            let end = text.floor_char_boundary(offset);
            let start = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
            let expected = (1 + u32::from(start > 0), text[start..end].chars().count() as u32 + 1);
            assert_eq!(map.file(file).line_col(offset as u32), expected, "{offset}");
        }
    }

    #[test]
    fn bad_bytes_are_refused_with_their_offset() {
        let mut map = SourceMap::new();
        let error = map.add_bytes("a.hw", b"let\n x\xff = 1").unwrap_err();
        assert_eq!(error.kind.to_string(), "the file is not UTF-8: byte 0xFF at offset 6");
        assert_eq!(map.line_col(error.span), (2, 3));
        let cut = map.add_bytes("b.hw", b"\xe2\x82").unwrap_err();
        assert_eq!(cut.kind.to_string(), "the file is not UTF-8: byte 0xE2 at offset 0");
    }
}
