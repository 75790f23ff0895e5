//! Where the loops stand that something was decided about.
//!
//! In: a run. Out: [`KnownLoop`]s, and the innermost one around a line. Events name the line of a loop's header alone; how far it reaches follows
//! from the nesting of machine code: up to the next line with less loops around it.
//! Invariant: a loop whose code was not kept is not known, rather than guessed.

use crate::run::Run;
use crate::run::record::Frame;
use std::collections::{BTreeMap, BTreeSet};

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct KnownLoop {
    /// The function that it stands in, as an index into the run's functions.
    pub(super) function: u32,
    /// The line of its header.
    pub(super) line: u32,
    /// Its last line with code.
    pub(super) last: u32,
}

/// The loops that events name.
pub(super) fn known(run: &Run) -> Vec<KnownLoop> {
    let depths = depths(run);
    let named: BTreeSet<(&str, &str, u32)> = run
        .events
        .iter()
        .filter_map(|event| {
            let subject = &event.subject;
            Some((subject.loop_function()?, subject.loop_file()?, subject.loop_line?))
        })
        .collect();
    let headers = named.into_iter().filter_map(|(name, file, line)| {
        let function = run.functions.iter().position(|function| {
            function.name == name && function.file == file && (function.line..=function.last_line).contains(&line)
        });
        Some((function? as u32, line))
    });
    let found = headers.filter_map(|(function, line)| {
        let lines = depths.get(&function)?;
        let depth = *lines.get(&line).filter(|depth| **depth > 0)?;
        let inside = lines.range(line..).take_while(|(_, other)| **other >= depth);
        Some(KnownLoop { function, line, last: inside.map(|(line, _)| *line).max()? })
    });
    found.collect()
}

/// The innermost loop that the innermost frames of a stack are in: those of one activation, with what is inlined into it.
pub(super) fn around(loops: &[KnownLoop], frames: &[Frame]) -> Option<KnownLoop> {
    let outermost = frames.iter().position(|frame| !frame.inlined).unwrap_or(frames.len());
    let own = frames.iter().take(outermost + 1);
    own.into_iter().find_map(|frame| {
        let inside = loops.iter().filter(|found| {
            found.function == frame.function && (found.line..=found.last).contains(&frame.line)
        });
        inside.max_by_key(|found| found.line).copied()
    })
}

/// How many loops are around each line, by the first version of its function: the least optimized one, as a rule.
fn depths(run: &Run) -> BTreeMap<u32, BTreeMap<u32, usize>> {
    let mut depths: BTreeMap<u32, BTreeMap<u32, usize>> = BTreeMap::new();
    for code in &run.code {
        let function = run.versions[code.version as usize].function;
        if depths.contains_key(&function) {
            continue;
        }
        let lines = depths.entry(function).or_default();
        for instruction in &code.instructions {
            if let Some((_, line)) = instruction.at.filter(|(of, _)| *of == function) {
                let depth = lines.entry(line).or_default();
                *depth = (*depth).max(instruction.depth);
            }
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_loop_is_that_of_the_innermost_frame_that_has_one() {
        let at = |function, line, inlined| Frame { function, line, version: 0, inlined };
        let loops = [
            KnownLoop { function: 0, line: 3, last: 9 },
            KnownLoop { function: 0, line: 5, last: 7 },
            KnownLoop { function: 1, line: 20, last: 22 },
        ];
        let line = |frames: &[Frame]| around(&loops, frames).map(|found| found.line);
        assert_eq!(line(&[at(0, 6, false)]), Some(5));
        assert_eq!(line(&[at(0, 8, false)]), Some(3));
        assert_eq!(line(&[at(0, 2, false)]), None);
        assert_eq!(line(&[at(2, 40, true), at(0, 6, false)]), Some(5), "what is inlined is in the loop around the call");
        assert_eq!(line(&[at(2, 40, false), at(0, 6, false)]), None, "what is called is not");
        assert_eq!(line(&[at(1, 21, true), at(0, 6, false)]), Some(20));
    }
}
