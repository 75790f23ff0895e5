//! The source files that debug information names.
//!
//! In: rows with lines. Out: the text of each file, and the spans of lines. Invariant: a file that cannot be read, or is another one than the code was compiled
//! from, has as many lines as the code says. All texts together, with the offsets of their lines, take no more than [`MOST_IN_ALL`].

use super::dwarf::{LinePlace, LineRow, SourcePath};
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_ir::{FileId, Span};
use std::rc::Rc;

/// The longest text that is read.
const MOST_BYTES: usize = 1 << 20;
/// The last line that is shown: one behind it is taken for it.
const MOST_LINES: u32 = 1 << 20;
/// Bytes of all texts, and of the offsets of their lines. Code of files beyond has the line of its function, or the one before.
const MOST_IN_ALL: usize = 64 << 20;
/// The files that have texts of their own. The same holds of code of further ones.
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
        let mut room = MOST_IN_ALL;
        for (path, last) in last_lines(rows) {
            let text = read(&path.full).filter(|text| text.len() <= MOST_BYTES && !text.starts_with('\u{feff}'));
            let text = text.filter(|text| text.lines().count() >= last as usize);
            let size = |bytes: usize, lines: usize| bytes + 4 * (lines + 1);
            let needed = match &text {
                Some(text) => size(text.len(), text.bytes().filter(|byte| *byte == b'\n').count()),
                None => size(last as usize, last as usize),
            };
            let Some(left) = room.checked_sub(needed) else { continue };
            room = left;
            let text = text.unwrap_or_else(|| "\n".repeat(last as usize));
            let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
            files.lines.push(std::iter::once(0).chain(ends).collect());
            files.ids.insert(Rc::clone(&path), files.texts.len());
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

/// Each file that rows name, with the last line that they name in it.
fn last_lines(rows: &[LineRow]) -> Vec<(Rc<SourcePath>, u32)> {
    let mut numbers: HashMap<Rc<SourcePath>, usize> = HashMap::new();
    let mut last: Vec<(Rc<SourcePath>, u32)> = Vec::new();
    for LinePlace { file, line } in rows.iter().filter_map(|row| row.place.as_ref()) {
        let number = match numbers.get(file) {
            Some(number) => *number,
            None if last.len() == MOST_FILES => continue,
            None => {
                numbers.insert(Rc::clone(file), last.len());
                last.push((Rc::clone(file), 0));
                last.len() - 1
            }
        };
        last[number].1 = last[number].1.max((*line).min(MOST_LINES));
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: String, line: u32) -> LineRow {
        let file = Rc::new(SourcePath { full: name.clone(), name });
        LineRow { address: 1, place: Some(LinePlace { file, line }) }
    }

    #[test]
    fn texts_are_bounded_all_together() {
        let rows: Vec<LineRow> =
            (0..100).map(|at| row(format!("{at}.c"), u32::MAX)).chain([row("a.c".into(), 2)]).collect();
        let files = Files::new(&rows, &mut |_| None);
        let bytes = |text: &SourceText| text.text.len();
        assert!(files.texts.iter().map(bytes).sum::<usize>() <= MOST_IN_ALL / 5);
        let has_span = |row: &LineRow| files.span(row.place.as_ref().expect("it has a place")).is_some();
        let found: Vec<bool> = rows.iter().map(has_span).collect();
        assert_eq!([found[0], found[99], found[100]], [true, false, true], "a small file has room, still");
    }
}
