//! Source lines and files from the metadata of LLVM IR.
//!
//! In: the metadata's lines. Out: the line of a location, and the file of a function. A location within an inlined call is that of the call, in the function
//! that it was inlined into. Invariant: a chain of locations is followed no further than it is long; what is missing or malformed is no line.

use hashbrown::HashMap;

use super::scan::{behind, metadata, name, number};

/// The metadata that lines and files need, by number.
#[derive(Debug, Default)]
pub(super) struct Debug<'t> {
    locations: HashMap<u32, Location>,
    files: HashMap<u32, &'t str>,
    /// The file of each subprogram.
    subprograms: HashMap<u32, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Location {
    line: u32,
    inlined_at: Option<u32>,
}

impl<'t> Debug<'t> {
    /// Reads a line such as `!12 = !DILocation(line: 3, column: 7, scope: !9)`.
    pub(super) fn read(&mut self, line: &'t str) {
        let Some((id, node)) = line.strip_prefix('!').and_then(|text| Some((number(text)?, text.split_once(" = ")?.1)))
        else {
            return;
        };
        let node = node.strip_prefix("distinct ").unwrap_or(node);
        if let Some(fields) = node.strip_prefix("!DILocation(") {
            let line = behind(fields, "line: ").next().and_then(number).unwrap_or(0);
            self.locations.insert(id, Location { line, inlined_at: metadata(fields, "inlinedAt: ") });
        } else if let Some(fields) = node.strip_prefix("!DISubprogram(") {
            self.subprograms.extend(metadata(fields, "file: ").map(|file| (id, file)));
        } else if let Some(fields) = node.strip_prefix("!DIFile(") {
            let file = behind(fields, "filename: ").next().and_then(name);
            self.files.extend(file.map(|(file, _)| (id, file)));
        }
    }

    /// The line of a location.
    pub(super) fn line(&self, location: u32) -> Option<u32> {
        let mut location = self.locations.get(&location)?;
        for _ in 0..self.locations.len() {
            match location.inlined_at {
                Some(outer) => location = self.locations.get(&outer)?,
                None => return Some(location.line).filter(|line| *line > 0),
            }
        }
        None
    }

    /// The file of a subprogram.
    pub(super) fn file(&self, subprogram: u32) -> Option<&'t str> {
        self.files.get(self.subprograms.get(&subprogram)?).copied()
    }
}
