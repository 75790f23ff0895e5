//! Places in a text as the protocol counts them: lines, and units of UTF-16 in them.
//!
//! In: a text. Out: offsets for positions and positions for offsets. Invariants: a line ends at a newline, at a carriage
//! return, or at both together; a position behind the end of a line is that end; every offset that comes out is a
//! boundary of characters; the time of a question does not depend on the length of a line.

use lsp_types::{Position, Range};

/// Bytes between two places whose count of units is kept.
const CHUNK: usize = 1024;

/// The lines of a text.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// Units of UTF-16 before each [`CHUNK`] bytes; empty for ASCII.
    units: Vec<u32>,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text.
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = |&(at, byte): &(usize, &u8)| *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let after = bytes.iter().enumerate().filter(ends).map(|(at, _)| at as u32 + 1);
        let starts = std::iter::once(0).chain(after).collect();
        let mut units = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for chunk in bytes.chunks(CHUNK) {
                units.push(before);
                before += count(chunk);
            }
            units.push(before);
        }
        Self { text, starts, units }
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let start = self.starts[line] as usize;
        Position::new(line as u32, self.units_before(offset) - self.units_before(start))
    }

    /// The positions of a half-open range of offsets.
    pub(crate) fn range(&self, start: u32, end: u32) -> Range {
        Range::new(self.position(start), self.position(end))
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let (start, end) = (start as usize, self.end_of_line(position.line as usize));
        let wanted = self.units_before(start).saturating_add(position.character);
        if self.units.is_empty() {
            return end.min(wanted as usize);
        }
        let chunk = self.units.partition_point(|&units| units <= wanted).saturating_sub(1);
        // What a chunk begins with may be the rest of a character.
        let mut at = self.text.floor_char_boundary((chunk * CHUNK).min(self.text.len())).max(start);
        let mut units = self.units_before(at);
        for c in self.text[at..end.max(at)].chars() {
            if units >= wanted {
                break;
            }
            units += c.len_utf16() as u32;
            if units > wanted {
                break;
            }
            at += c.len_utf8();
        }
        at.min(end)
    }

    /// The offset at which a line ends, without what ends it.
    fn end_of_line(&self, line: usize) -> usize {
        let Some(&next) = self.starts.get(line + 1) else { return self.text.len() };
        let line = &self.text[self.starts[line] as usize..next as usize];
        next as usize - (line.len() - line.trim_end_matches(['\n', '\r']).len())
    }

    /// Units of UTF-16 before an offset.
    fn units_before(&self, offset: usize) -> u32 {
        match self.units.get(offset / CHUNK) {
            None => offset as u32,
            Some(before) => before + count(&self.text.as_bytes()[offset - offset % CHUNK..offset]),
        }
    }
}

/// Units of UTF-16 of the characters that start in some bytes.
fn count(bytes: &[u8]) -> u32 {
    let units = |&byte: &u8| match byte {
        0x80..=0xbf => 0,
        0xf0.. => 2,
        _ => 1,
    };
    bytes.iter().map(units).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf_16() {
        let text = "aé€😀b\r\nx\ry\n";
        let lines = Lines::new(text);
        let at = |offset: usize| lines.position(offset as u32);
        let b = text.find('b').unwrap();
        assert_eq!([at(0), at(1), at(3), at(6), at(b)], [0, 1, 2, 3, 5].map(|unit| Position::new(0, unit)));
        assert_eq!(at(text.find('x').unwrap()), Position::new(1, 0));
        assert_eq!(at(text.find('y').unwrap()), Position::new(2, 0));
        assert_eq!(at(text.len()), Position::new(3, 0));
        assert_eq!(at(7), at(6), "the middle of a character is its start");
        assert_eq!(at(1000), Position::new(3, 0));
    }

    #[test]
    fn positions_lead_back() {
        let text = "aé€😀b\r\nx\ry\n";
        let lines = Lines::new(text);
        let offset = |line, unit| lines.offset(Position::new(line, unit));
        for (at, _) in text.char_indices().filter(|(_, c)| !"\r\n".contains(*c)) {
            assert_eq!(lines.offset(lines.position(at as u32)), at);
        }
        assert_eq!(offset(0, 4), 6, "the middle of a pair is its start");
        assert_eq!([offset(0, 99), offset(1, 99)], [text.find('\r').unwrap(), text.find('x').unwrap() + 1]);
        assert_eq!([offset(3, 0), offset(9, 9), offset(u32::MAX, u32::MAX)], [text.len(); 3]);
    }

    #[test]
    fn long_lines_are_counted_alike() {
        let line = "aé€😀".repeat(700);
        let text = format!("{line}\n{line}");
        let lines = Lines::new(&text);
        for (at, _) in text.char_indices().step_by(7) {
            let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let unit = text[start..at].encode_utf16().count() as u32;
            assert_eq!(lines.position(at as u32), Position::new(u32::from(start > 0), unit), "{at}");
            assert_eq!(lines.offset(lines.position(at as u32)), at);
        }
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let lines = Lines::new("");
        assert_eq!((lines.position(5), lines.offset(Position::new(2, 2))), (Position::new(0, 0), 0));
    }
}
