//! The constants of the machine, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: no other file of this folder has a threshold of its own.

use std::time::Duration;

/// Size of the largest function that is compiled on the program's thread at its first call, in instructions of the IR:
/// some 30 ms.
pub(super) const LONG_COMPILATION: usize = 5_000;
/// Time between looks whether a program is to stop that waits for its compilation.
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Address space of the program stack: 100,000 frames of up to 10 KiB.
pub(super) const STACK_SIZE: usize = 1 << 30;
/// Bytes below the stack that fault when touched, should anything get past the floor that polls keep.
pub(super) const GUARD: usize = 64 << 10;
/// Stack that runtime calls may use below the last compiled frame.
pub(super) const RESERVE: usize = 512 << 10;
/// Address space of code; all of it is within reach of a 32-bit displacement.
pub(super) const CODE_SIZE: usize = 1 << 30;
/// The same where the system gives no more, twice: enough for programs that people write.
pub(super) const LEAST_CODE_SIZE: usize = 64 << 20;

/// The most functions whose counts go with one compilation: a bound for what making the request costs the running thread.
pub(super) const MOST_OBSERVED: usize = 64;

/// Usual targets that an indirect call has in turn, until it has none: what it calls changes too often then to be inlined.
pub(super) const MOST_TARGETS: u32 = 4;

/// Looks at the outcomes of a branch that are evaluated. Each sees 64, at a cost of some hundred instructions.
pub(super) const MOST_LOOKS: u32 = 16;
/// Functions whose branches are looked at in one tick, beside the running one: looking at all of 20,000 took a sixth of a run of 2 s (AMD EPYC, 2026-11-26).
pub(super) const MOST_LOOKED_AT: usize = 128;

/// Frames that are looked at for one that waits: a bound for what a tick costs. One further out is found when it is nearer.
pub(super) const OSR_FRAMES: usize = 64;
/// Polls for which a frame that waits at several headers is asked at each header: it may be in an inner loop that has none of them.
pub(super) const OSR_POLLS: u32 = 64;
/// Barriers between two ticks because other frames came by the header: each costs about as much as a hundred iterations, and a loop may
/// make any number of calls.
pub(super) const MOST_MISDIRECTED: u32 = 16;
/// The most ticks without a barrier, as a power of two, after requests that their frame did not come to: while the word is set,
/// back edges of other frames are slower.
pub(super) const LONGEST_PAUSE: u32 = 6;

/// Polls in place beyond which further code polls by tests: each is written to by another thread twice a tick, at up to a tenth of a
/// microsecond.
pub const MOST_POLLS_IN_PLACE: usize = 500;

/// Of so many polls on back edges, one is looked into where polls are counted; it counts for all of them. No divisor of
/// the polls of a tick, or ticks might always fall on one poll of a loop.
pub const EDGE_POLLS: u32 = 997;
