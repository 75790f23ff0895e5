//! `trace replay` of a recording that was cut short.
//!
//! Such a recording lacks the last blocks of the activations that were live. The program is executed again along it, and what it lacks is told as it is
//! executed: so the blocks are the first ones of the run, in order, up to the last one that was recorded.

use super::analysis::{note, refused};
use crate::config::TraceConfig;
use crate::{Exit, refuse};
use holloway_lang::ir::{Block, FuncRef};
use holloway_profiler::wpp::{ReplayCheck, WholePath};
use holloway_study::report::text::one_line;
use holloway_study::report::trace::asked::{Direction, ReplayRange};
use holloway_study::trace::{self, RecordedPath, execution};
use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// Blocks that are kept to be told backward, unless `--events` wants so many.
const MOST_KEPT: u64 = 1 << 24;

/// Writes the events of a range.
pub(super) fn replay(config: &TraceConfig, path: &WholePath, range: ReplayRange) -> Result<Exit, Exit> {
    note(config, "the recording ends before its run did; blocks that it lacks are executed again");
    let mut out = BufWriter::new(io::stdout().lock());
    let names: Vec<String> = path.program.functions.iter().map(|function| one_line(&function.name)).collect();
    let mut write = |(func, block): (FuncRef, Block)| {
        let name = names.get(func.as_u32() as usize).map_or("", String::as_str);
        writeln!(out, "{name}:{}", block.as_u32())
    };
    let written = match range.direction {
        Direction::Forward => {
            let first = range.from.map_or(1, |from| from.get());
            let behind = range.events.map_or(u64::MAX, |events| first.saturating_add(events));
            let mut written = Ok(());
            execute(config, path, |nth, event| {
                if nth >= first && nth < behind {
                    written = write(event);
                }
                if written.is_err() || nth.saturating_add(1) >= behind {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            written
        }
        Direction::Backward => last(config, path, range)?.into_iter().rev().try_for_each(&mut write),
    };
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(refuse(&format_args!("cannot write to standard output: {error}"), Exit::Failure))
        }
        _ => Ok(Exit::Success),
    }
}

/// The last events before the one where the range begins, which is the last of all unless it says so.
fn last(config: &TraceConfig, path: &WholePath, range: ReplayRange) -> Result<VecDeque<(FuncRef, Block)>, Exit> {
    let (from, most) = (range.from.map_or(u64::MAX, |from| from.get()), range.events.unwrap_or(MOST_KEPT));
    let mut kept: VecDeque<(FuncRef, Block)> = VecDeque::new();
    let mut is_too_long = false;
    execute(config, path, |nth, event| {
        if kept.len() as u64 >= most {
            is_too_long = range.events.is_none();
            kept.pop_front();
        }
        kept.push_back(event);
        if is_too_long || nth >= from { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match is_too_long {
        true => Err(refused(config, &"it has too many blocks to tell them all backward; say with --events how many")),
        false => Ok(kept),
    }
}

/// Executes the program along the recording; each block comes with its number, from 1.
fn execute(
    config: &TraceConfig,
    path: &WholePath,
    mut tell: impl FnMut(u64, (FuncRef, Block)) -> ControlFlow<()>,
) -> Result<(), Exit> {
    let mut reloaded = trace::reload(&path.program).map_err(|error| refused(config, &error))?;
    let recorded = RecordedPath::Activations(ReplayCheck::new(path));
    let mut nth = 0;
    let tell = |func, block| {
        nth += 1;
        tell(nth, (func, block))
    };
    execution::tell_blocks(reloaded.run.rerun(), recorded, tell).map_err(|error| refused(config, &error))
}
