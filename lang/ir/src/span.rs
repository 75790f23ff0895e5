//! Spans, the only way in which the system speaks of places in source files.
//!
//! In: offsets. Out: ranges of a file. Invariant: a span's offsets are byte offsets into its file's text, at character
//! boundaries, with `start <= end`.

use cranelift_entity::entity_impl;

/// Names one file among the sources of a front end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A half-open range of bytes of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        debug_assert!(start <= end, "a span ends before it starts");
        Self { file, start, end }
    }

    /// The span from the start of `self` to the end of `other`, which must lie in the same file.
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file, "a span cannot cross files");
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the start of `self`.
    pub fn at_start(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The empty span at the end of `self`.
    pub fn at_end(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// Returns true if no byte lies in the span.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
