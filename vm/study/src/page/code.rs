//! Machine code and source text, of what is hottest first.
//!
//! In: a run, and what of it is kept. Out: [`CodeOf`] and sources. Invariant: a version has its whole code or none; a file has its whole
//! text or none.

use super::kept::Kept;
use super::limits::{MOST_CODE, MOST_SOURCE};
use crate::run::Run;
use crate::run::record::{Code, Instruction, Source};
use serde::Serialize;
use std::collections::HashMap;

/// The code of a version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CodeOf {
    /// The version.
    pub version: u32,
    /// Instructions: offset, text, loops around it; and if it is known the function, its line, and a note.
    pub instructions: Vec<Row>,
}

/// An instruction: offset, text, loops around it, function, line, note.
type Row = (u32, String, usize, Option<u32>, Option<u32>, Option<String>);

/// The code of the hottest versions for which there is room, and how many others had some.
pub(super) fn of(run: &Run, kept: &Kept) -> (Vec<CodeOf>, usize) {
    let by_version: HashMap<u32, &Code> = run.code.iter().map(|code| (code.version, code)).collect();
    let mut found = Vec::new();
    let mut room = MOST_CODE;
    for (at, version) in kept.versions.iter().enumerate() {
        let Some(code) = by_version.get(version) else { continue };
        let size = code.instructions.iter().map(size).sum::<usize>();
        if let Some(left) = room.checked_sub(size) {
            room = left;
            let instructions = code.instructions.iter().map(|instruction| row(instruction, kept)).collect();
            found.push(CodeOf { version: at as u32, instructions });
        }
    }
    let left_out = run.code.len() - found.len();
    (found, left_out)
}

/// Bytes of an instruction as JSON, at most: escapes are rare, but in notes.
fn size(instruction: &Instruction) -> usize {
    const FIGURES: usize = 36;
    FIGURES + instruction.text.len() + instruction.note.as_ref().map_or(0, |note| 2 * note.len())
}

fn row(instruction: &Instruction, kept: &Kept) -> Row {
    let at = instruction.at.and_then(|(function, line)| Some((kept.function(function)?, line)));
    let (function, line) = at.unzip();
    (instruction.offset, instruction.text.clone(), instruction.depth, function, line, instruction.note.clone())
}

/// The files with the hottest functions for which there is room, and how many others there are.
pub(super) fn sources(run: &Run, kept: &Kept) -> (Vec<Source>, usize) {
    let rank = |source: &Source| {
        let is_in = |function: &u32| run.functions[*function as usize].file == source.file;
        kept.functions.iter().position(is_in).unwrap_or(usize::MAX)
    };
    // If a file was loaded several times, its current text.
    let mut latest: Vec<&Source> = Vec::new();
    for source in run.sources.iter().rev() {
        if latest.iter().all(|known| known.file != source.file) {
            latest.push(source);
        }
    }
    latest.sort_by_key(|source| rank(source));
    let mut room = MOST_SOURCE;
    let (all, mut found) = (latest.len(), Vec::new());
    for source in latest {
        if let Some(left) = room.checked_sub(source.text.len()) {
            room = left;
            found.push(source.clone());
        }
    }
    let left_out = all - found.len();
    (found, left_out)
}
