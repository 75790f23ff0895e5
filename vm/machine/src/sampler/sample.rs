//! Samples, as whoever wants them gets them.
//!
//! In: made by the sampler. Out: plain data. Invariant: weights add up to the time of the last sample.

use std::time::Duration;

/// Frames of one sample that are kept: so many from the innermost one on.
pub const MOST_INNER: usize = 96;
/// And so many up to the outermost one.
pub(super) const MOST_OUTER: usize = 32;

/// The work of the program's thread at a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Doing {
    /// It ran compiled code: the innermost address is that of the instruction.
    Code,
    /// It ran an operation of the runtime, a function of the host or the compiler for compiled code: the innermost address is the one it
    /// returns to.
    Call,
    /// It did something outside of all frames.
    Outside,
}

/// One sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// CPU time of the thread since the sampler began.
    pub at: Duration,
    /// That since the sample before.
    pub weight: Duration,
    /// The work of the thread.
    pub doing: Doing,
    /// Addresses in compiled code, innermost first; but for the first where code ran, return addresses.
    pub frames: Vec<usize>,
    /// The number of frames that are left out between the innermost and the outermost ones.
    pub left_out: usize,
}

/// The sums of a run that was sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// CPU time of the thread from the beginning to the end.
    pub cpu: Duration,
    /// That of it before and in the last sample.
    pub sampled: Duration,
    /// Samples that there was no room for; the next one has their time.
    pub lost: u64,
}
