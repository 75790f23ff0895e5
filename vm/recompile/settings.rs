//! The constants of the executor, each with its reason. Those of the policy are in `vm/adaptive/settings.rs`.
//!
//! In: nothing. Out: constants. Invariant: no other file of this folder has a threshold of its own.

use std::time::Duration;

/// Ids that sequences in a forest are joined of: a period is known when it was seen twice. Longer periods are searched for in the ids
/// themselves, which takes less time than longer sequences where these do not recur.
pub(super) const SEQUENCE: u32 = 8;
/// Parts of a window, each of which begins with a tick: what a loop does at one moment may be over at the next, and a trace of it with it. Of four parts all
/// fell into the same half of query's scans in a fifth of the runs, which then took 2.5 times as long as others; of eight in none of 20 (AMD EPYC, 2026-11-27).
pub(super) const PARTS: u64 = 8;
/// Ids of each part of a first window that are kept: half as many again as executions of its hottest loop fill it, for other loops have ids as well.
pub(super) const KEPT_IDS: u64 = 3 << 9;
/// A longer window keeps more of them, up to so many times as many: what joins them on the compiler's thread takes up to some 5 ms then.
pub(super) const MOST_KEPT: u64 = 4;
/// A profile that was looked at so often is over: a loop that did not fill its window in as many ticks runs too rarely.
pub(super) const MOST_LOOKS: u64 = 4 + PARTS - 1;
/// Words in the buffer of profiled versions: some thousand paths, about as many as fill a window.
pub(super) const BUFFER_WORDS: usize = 4096;

/// The share of iterations that a trace must be expected to cover, or it saves too little even if its iterations took a seventh of the time, as those of
/// the best traces of interpreters do: each other one costs a general iteration more, which is the penalty of a failing guard. Nothing is formed
/// then, as the optimizer would work for some 10 ms in vain.
pub(super) const LEAST_COVERAGE: f64 = 0.6;
/// A loop of which traces cover so much is not tried as a tree of its frequent paths: they are straighter.
pub(super) const KNOWN_COVERAGE: f64 = 0.9;
/// The part of its time that a loop of frequent paths must be expected to save. Its paths part where branches are hard to foresee, which takes as long as
/// before: huffman should have saved 4%, and took 1.08 of the time (`holloway explain --measure 5`, AMD EPYC, 2026-11-23); mixer 18%, and took
/// 1.11; runlength 52%, and saved 10% (`holloway bench --ablation`, the same, 2026-11-26).
pub(super) const LEAST_OF_FREQUENT: f64 = 0.25;
/// Specs of a function that are tried: each takes the optimizer once.
pub(super) const MOST_TRIED: usize = 3;
/// The part of a split's estimate that counts beside traces of the same loop: it is made on the IR, and theirs on optimized code. Of a machine
/// that should have saved 39% by traces and 40% split, the split saved 15% and traces 55% (AMD EPYC, 2026-11-23).
pub(super) const SPLIT_TRUST: f64 = 0.8;

/// Calls of a function after which its versions cannot be left in mid-loop: it became hot by calls, each of which takes a small part of the time in
/// which a version is decided on and compiled.
pub(super) const CALLED_AGAIN: u64 = 8;

/// Calls from the host without ticks, unless one of them polls twice: a program that calls a few functions and ends
/// needs no timer.
pub(super) const UNTICKED_CALLS: u32 = 16;
/// Time between ticks: short against what compilation takes to pay, and long against what a tick costs.
pub(super) const TICK_PERIOD: Duration = Duration::from_millis(1);
/// The same once nothing has followed from ticks for a while: a tick costs some ten microseconds, a hundredth of the time.
/// A tick stands for no more than four milliseconds (`vm/adaptive/settings.rs`).
pub(super) const QUIET_PERIOD: Duration = Duration::from_millis(4);
/// Ticks in a row from which nothing followed until they come less often: longer than functions wait for their next decision at first.
pub(super) const QUIET_TICKS: u32 = 50;
/// Ticks between two bursts of paths, on average: a burst of a thousand and what it takes to begin and end it are some tens of microseconds.
pub(super) const TICKS_A_BURST: u64 = 4;
/// Ticks after which a burst is over, however few paths it has: its function does not run any more.
pub(super) const BURST_PATIENCE: u64 = 4;
/// Iterations of a specialized loop that one of the loop whose iterations are counted may take: fewer would make counting dearer, more would
/// make windows longer than a tick.
pub(super) const LONGEST_ITERATION: u64 = 256;
/// The same for the loop right around the specialized one, where no other is counted: a window of 32 of them, at some nanoseconds an
/// iteration of the inner loop, is shorter than the longest turn.
pub(super) const LONGEST_AROUND: u64 = 1 << 17;

/// Of so many polls on back edges, one is looked into where polls are counted; it counts for all of them. No divisor of the polls
/// of a tick, or ticks might always fall on one poll of a loop.
pub(super) const EDGE_POLLS: u32 = 997;
/// Frames that are walked for each tick, on average, to find versions that no frame is in: some twenty microseconds of a
/// millisecond. Calls can be a hundred thousand deep.
pub(super) const FREED_FRAMES: usize = 64;

/// Executions of what `--stress` says runs often: well past the 64 that the optimizer asks for.
pub(super) const OFTEN: u64 = 1000;
