//! The defaults of the command line. In: nothing. Out: constants.

use holloway_measure::extent::Rounds;

/// Number of rows of a profile's text.
pub(super) const TOP: usize = 10;
/// Number of procedures in a summary of the lab.
pub(super) const SUMMARY_TOP: usize = 20;
/// Paths of a burst of `--sample` without a number: those whose cost `reproduce cost` measures.
pub(super) const SAMPLE_BURST: &str = "1000";
/// Number of columns if there is no terminal.
pub(super) const DEFAULT_WIDTH: usize = 100;

/// Rounds of the benchmark programs, which run long.
pub(super) const BENCH_ROUNDS: Rounds = Rounds::new(3).expect("not zero");
/// Rounds of programs beside C: the fewest whose ratios have an interval with a confidence of 95%, whatever their
/// distribution.
pub(super) const UNSEEN_ROUNDS: Rounds = Rounds::new(6).expect("not zero");
/// Rounds of empty programs, which take a millisecond.
pub(super) const STARTUP_ROUNDS: Rounds = Rounds::new(20).expect("not zero");

/// Turns in which decisions are left out of replays, one at a time: each takes as many runs as there are decisions, and one.
pub(super) const AUDIT_TURNS: u32 = 5;

/// Runs as a program is, and as many with another value of a setting, in turns: the fewest with a median that is not the
/// mean of two.
pub(super) const WHAT_IF_TURNS: u32 = 3;

/// Samples of the call stack in a second. Each takes some thirty microseconds, the system's part included: less than one per cent. The period, 4.386 ms, goes
/// through all phases of the ticks of the adaptive system, which come each millisecond or each fourth: with 251, whose period is 3.984 ms, a whole
/// stretch of samples fell on ticks or beside them, and ticks seemed to take 20% of a run.
pub(crate) const SAMPLES_A_SECOND: u32 = 228;

/// Rows of each scheme where several are compared: what is taken most tells how they differ.
pub(crate) const COMPARED_ROWS: usize = 4;
