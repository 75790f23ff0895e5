//! The places of loops that something was decided about.
//!
//! In: a run. Out: [`KnownLoop`]s, and the innermost one around a line. Events name the line of a loop's header alone; its body is what is
//! indented further, as in every program that `holloway fmt` has formatted.
//! Invariant: of a program that is not indented, a loop is its header alone, rather than too much.

use crate::run::Run;
use crate::run::record::Frame;
use std::collections::BTreeSet;

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct KnownLoop {
    /// The function that it stands in, as an index into the run's functions.
    pub(super) function: u32,
    /// The line of its header.
    pub(super) line: u32,
    /// Its last line.
    pub(super) last: u32,
}

/// The loops that events name.
pub(super) fn known(run: &Run) -> Vec<KnownLoop> {
    let named: BTreeSet<(&str, &str, u32)> = run
        .events
        .iter()
        .filter_map(|event| {
            let subject = &event.subject;
            Some((subject.loop_function()?, subject.loop_file()?, subject.loop_line?))
        })
        .collect();
    let found = named.into_iter().filter_map(|(name, file, line)| {
        // Of several functions of a name, such as closures, the one that begins last before the loop.
        let functions = run.functions.iter().enumerate();
        let before = functions.filter(|(_, of)| of.name == name && of.file == file && of.line <= line);
        let function = before.max_by_key(|(_, of)| of.line)?.0 as u32;
        let source = run.sources.iter().rev().find(|source| source.file == file)?;
        Some(KnownLoop { function, line, last: last_line(&source.text, line)? })
    });
    found.collect()
}

/// The last line of the block that begins at a line.
fn last_line(text: &str, line: u32) -> Option<u32> {
    let indentation = |text: &str| text.len() - text.trim_start().len();
    let mut lines = (1..).zip(text.lines()).skip(line.checked_sub(1)? as usize);
    let header = indentation(lines.next()?.1);
    let mut last = line;
    for (number, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        match indentation(text) > header {
            true => last = number,
            // The brace that ends the block is a part of it.
            false if indentation(text) == header && text.trim_start().starts_with('}') => return Some(number),
            false => return Some(last),
        }
    }
    Some(last)
}

/// The innermost loop that the innermost frames of a stack are in: those of one activation, with what is inlined into it.
pub(super) fn around(loops: &[KnownLoop], frames: &[Frame]) -> Option<KnownLoop> {
    let outermost = frames.iter().position(|frame| !frame.inlined).unwrap_or(frames.len());
    let own = frames.iter().take(outermost + 1);
    own.into_iter().find_map(|frame| {
        let inside = loops
            .iter()
            .filter(|found| found.function == frame.function && (found.line..=found.last).contains(&frame.line));
        inside.max_by_key(|found| found.line).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_ends_where_its_indentation_does() {
        let text = "fn work() {\n    for a in b {\n        c()\n\n        while d {\n            e()\n        }\n    }\n    f()\n}\n";
        let last = |line| last_line(text, line);
        assert_eq!((last(2), last(5), last(9), last(1)), (Some(8), Some(7), Some(9), Some(10)));
        assert_eq!((last(0), last(11), last_line("for a in b {\nc()\n}", 1)), (None, None, Some(1)));
    }

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
        assert_eq!(
            line(&[at(2, 40, true), at(0, 6, false)]),
            Some(5),
            "what is inlined is in the loop around the call"
        );
        assert_eq!(line(&[at(2, 40, false), at(0, 6, false)]), None, "what is called is not");
        assert_eq!(line(&[at(1, 21, true), at(0, 6, false)]), Some(20));
    }
}
