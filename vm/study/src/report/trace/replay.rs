//! The whole path, block by block.
//!
//! In: a path, and the events that are wanted. Out: a line an event, `FUNCTION:BLOCK`. Invariant: events count from 1.

use crate::report::text::one_line;
use crate::report::trace::asked::{Direction, ReplayRange};
use holloway_profiler::wpp::{BlockEvent, Replay, WholePath};
use std::io::{self, Write};

/// Writes the events of a range.
pub fn replay(path: &WholePath, range: ReplayRange, out: &mut impl Write) -> io::Result<()> {
    let names: Vec<String> = path.program.functions.iter().map(|function| one_line(&function.name)).collect();
    let from = range.from.map(|from| from.get());
    let mut cursor = match (range.direction, from) {
        (Direction::Forward, None) => Replay::new(path),
        (Direction::Forward, Some(from)) => Replay::at(path, from - 1),
        (Direction::Backward, None) => Replay::at_end(path),
        (Direction::Backward, Some(from)) => Replay::at(path, from),
    };
    for _ in 0..range.events.unwrap_or(u64::MAX) {
        let event = match range.direction {
            Direction::Forward => cursor.forward(),
            Direction::Backward => cursor.previous(),
        };
        let Some(BlockEvent { function, block, .. }) = event else { break };
        let name = names.get(function.as_u32() as usize).map_or("", String::as_str);
        writeln!(out, "{name}:{}", block.as_u32())?;
    }
    out.flush()
}
