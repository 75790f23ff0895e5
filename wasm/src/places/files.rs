//! The source files that debug information names.
//!
//! In: rows with lines. Out: the text of each file, and the spans of lines. Invariant: a file that cannot be read, or is another one than the code was compiled
//! from, has as many lines as the code says.

use super::dwarf::{LinePlace, LineRow, SourcePath};
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_ir::{FileId, Span};
use std::rc::Rc;

/// The longest text that is read.
const MOST_BYTES: usize = 1 << 20;
/// The last line that is shown: one behind it is taken for it.
const MOST_LINES: u32 = 1 << 20;
/// The files that have texts of their own. Code of further ones has the line of its function.
const MOST_FILES: usize = 1 << 12;

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name by which users know it.
    pub name: String,
    /// Its text; as many empty lines as code comes from, if it cannot be read.
    pub text: String,
}

/// The files, by their paths.
pub(super) struct Files {
    ids: HashMap<Rc<SourcePath>, usize>,
    pub(super) texts: Vec<SourceText>,
    /// Offsets of the lines of each file, and of the end of its text.
    lines: Vec<Vec<u32>>,
}

impl Files {
    /// Reads the files that rows name.
    pub(super) fn new(rows: &[LineRow], read: &mut dyn FnMut(&str) -> Option<String>) -> Files {
        let mut files = Files { ids: HashMap::new(), texts: Vec::new(), lines: Vec::new() };
        let mut last: Vec<u32> = Vec::new();
        for LinePlace { file, line } in rows.iter().filter_map(|row| row.place.as_ref()) {
            let next = files.ids.len();
            if next == MOST_FILES && !files.ids.contains_key(file) {
                continue;
            }
            let id = *files.ids.entry(Rc::clone(file)).or_insert(next);
            last.resize(last.len().max(id + 1), 0);
            last[id] = last[id].max((*line).min(MOST_LINES));
        }
        let mut paths: Vec<_> = files.ids.iter().map(|(path, id)| (*id, Rc::clone(path))).collect();
        paths.sort_unstable_by_key(|(id, _)| *id);
        for (id, path) in paths {
            let text = read(&path.full).filter(|text| text.len() <= MOST_BYTES && !text.starts_with('\u{feff}'));
            let text = text.filter(|text| text.lines().count() >= last[id] as usize);
            let text = text.unwrap_or_else(|| "\n".repeat(last[id] as usize));
            let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
            files.lines.push(std::iter::once(0).chain(ends).collect());
            files.texts.push(SourceText { name: path.name.clone(), text });
        }
        files
    }

    /// The span of a line; none of line 0, which stands for code of no line.
    pub(super) fn span(&self, place: &LinePlace) -> Option<Span> {
        let id = *self.ids.get(&place.file)?;
        let line = place.line.min(MOST_LINES).checked_sub(1)? as usize;
        let text = &self.texts[id].text;
        let start = self.lines[id][line] as usize;
        let end = self.lines[id].get(line + 1).map_or(text.len(), |next| *next as usize);
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        let indent = content.len() - content.trim_start().len();
        Some(Span::new(FileId::new(id + 1), (start + indent) as u32, (start + content.len()) as u32))
    }
}
