//! The last paths before a failure, as source.
//!
//! In: an engine whose program failed, what was kept of its activations, and the failure's call stack. Out: text, the innermost
//! activation first, in each the latest path last, with the lines that it ran through: of the last path none behind the failure.
//! Invariant: as in the module around.

use super::paths::{Excerpts, passes, passes_until};
use super::settings::FRAMES_AT_EACH_END;
use super::text::{function_name, grouped, plural};
use crate::trace::LastPaths;
use cranelift_entity::EntityRef;
use holloway::Engine;
use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::{FuncRef, FunctionKind};
use holloway_profiler::event::FunctionId;
use holloway_runtime::failure::FrameInfo;
use std::fmt::Write as _;

/// The last paths of the activations that a failure ended, for a screen of so many columns; empty if there are none.
pub fn text(engine: &Engine, last: &LastPaths, stack: &[FrameInfo], width: usize) -> String {
    let mut failed = last.failed();
    // Call stacks leave them out, too.
    failed.retain(|(function, _)| engine.module().function(func_of(*function)).kind != FunctionKind::Provided);
    if failed.is_empty() {
        return String::new();
    }
    let mut out = String::from("last paths, the latest at the end of each function:\n");
    let mut frames = stack.iter();
    for (function, paths) in failed.iter().take(FRAMES_AT_EACH_END) {
        let func = func_of(*function);
        writeln!(out, "  {}", function_name(engine.module(), func)).expect("strings take all text");
        let graph = graph_of(engine.module().function(func));
        let failed_at = frames.next().filter(|frame| frame.function == func).map(|frame| frame.at);
        let excerpts = Excerpts { engine, func, graph: &graph, width };
        for (nth, (blocks, times)) in paths.iter().enumerate() {
            let is_last = nth + 1 == paths.len();
            writeln!(out, "       {}", heading(*times, is_last)).expect("strings take all text");
            match is_last {
                true => passes_until(excerpts, blocks, failed_at, &mut out),
                false => passes(excerpts, blocks, &mut out),
            }
        }
    }
    if failed.len() > FRAMES_AT_EACH_END {
        let others = plural(failed.len() - FRAMES_AT_EACH_END, "activation");
        writeln!(out, "  and those of {others} around").expect("strings take all text");
    }
    out
}

fn func_of(function: FunctionId) -> FuncRef {
    FuncRef::new(function.as_u32() as usize)
}

fn heading(times: u64, is_last: bool) -> String {
    match (is_last, times) {
        (true, _) => "then, to the failure".to_owned(),
        (false, 1) => "once".to_owned(),
        (false, times) => format!("{} times", grouped(times as usize)),
    }
}
