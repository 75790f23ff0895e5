//! Limits of a run: depth of calls, fuel, time.
//!
//! In: the limits of one run. Out: polls that end the run when a limit is exceeded.
//! Invariants: one unit of fuel is spent at each function's entry and at each entry of a loop header through a back
//! edge, in every tier; N units allow exactly N of these. Exhaustion is reported at [`first_span`] of the
//! function's entry, with its frame on the stack, or of the loop's header. Tiers poll flags at these places and
//! nowhere else.

use holloway_ir::{Block, Function, Span};
use std::time::Duration;

/// Greatest number of active functions, in every tier. A call beyond it fails with a stack overflow at the call.
pub const MAX_FRAMES: usize = 100_000;

/// Greatest number of words of the interpreter's frames: half a gigabyte. Only functions with very many locals, calling
/// each other very deep, get there before [`MAX_FRAMES`]; it is a stack overflow too.
pub const MAX_REGISTERS: usize = 1 << 26;

/// Limits of one run; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Units of fuel.
    pub fuel: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

/// The span at which exhausted fuel or time is reported when a block notices it: that of its first instruction.
pub fn first_span(func: &Function, block: Block) -> Span {
    let data = &func.blocks[block];
    data.spans.first().copied().unwrap_or(data.term_span)
}
