//! The places of a formed body, each of which has one block, and the tests that some of them end in.

use crate::trace::sequence::Point;
use holloway_lang::ir::{Block, Local, LoopId, Operand};

/// Role of a block in the formed body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum FormedPlace {
    /// A block as it was.
    Original(Block),
    /// A copy of a block of an inner loop, which was entered in its middle.
    Bridge(Block, LoopId),
    /// The entry of the trace, or a test on the way in.
    Entry(u32),
    Step(Point),
    /// The end of a block of the trace, in the general loop: of a switch, or behind a forced guard failure.
    Rest(Point),
    /// The end of a block of the trace, behind the test of a forced guard failure.
    Guard(Point),
    /// A test before the head of a trace's loop.
    Test {
        trace: u32,
        at: u32,
    },
}

/// Expectation of a spec: the value of a local.
#[derive(Clone, Copy)]
pub(super) struct Test(pub(super) Local, pub(super) Operand);
