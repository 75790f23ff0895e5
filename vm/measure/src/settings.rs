//! The constants of the measurements. In: nothing. Out: constants.

use std::time::Duration;

/// A run that takes longer is given up.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);

/// The CPU time that a C program of `bench --unseen` should take with a size that is found: long beside the start of a
/// process and the first compilations.
pub(super) const TARGET: Duration = Duration::from_millis(500);
/// A size with which it takes less is doubled, so that the double takes about as long as that.
pub(super) const LEAST_TAKEN: Duration = Duration::from_millis(350);
/// A size with which it takes more is too large: more than twice the least, so that a program whose time is
/// proportional to its size needs no bisection.
pub(super) const MOST_TAKEN: Duration = Duration::from_millis(750);
/// A run that is to find a size is ended after this time.
pub(super) const TRIAL_LIMIT: Duration = Duration::from_secs(5);
/// No larger size is tried: a program that is still fast does not depend on it.
pub(super) const MOST_SIZE: u64 = 1 << 40;
/// A program that fails with all sizes up to this one has none.
pub(super) const MOST_FAILING_SIZE: u64 = 1 << 10;
/// Most bisections of a size; ten leave a thousandth of the interval.
pub(super) const MOST_BISECTIONS: usize = 10;
/// The part of the time that a program saves by path-driven versions if it is told of as one that gains.
pub(super) const TOLD_GAIN: f64 = 0.1;

/// Time between two updates of a progress bar.
pub(super) const TICK: Duration = Duration::from_secs(1);

/// Samples a second of CPU time that `bench --why` takes.
pub(super) const SAMPLES_A_SECOND: u32 = 4000;
/// Loops with less of a run's samples are not shown by `bench --why`.
pub(super) const LEAST_HOT: f64 = 0.03;
/// Most loops that it shows of a run.
pub(super) const MOST_HOT: usize = 6;

/// Duration of each run of `bench --warmup`.
pub(super) const RUN: Duration = Duration::from_secs(3);
/// The fraction of the steady speed that counts as warm.
pub(super) const WARM: f64 = 0.9;
/// Number of units whose median is taken, the first one included.
pub(super) const TOGETHER: usize = 5;
/// Fewest units of a series that has a meaningful last quarter.
pub(super) const LEAST_UNITS: usize = 12;

/// Most loops of a program that are included.
pub(super) const MOST_REGIONS: usize = 10;
/// Least executions of an included loop, relative to the most executed one. Chosen, not measured.
pub(super) const LEAST_SHARE: f64 = 0.01;
/// Most nodes of a slab forest whose k-IPF is built, which may be up to k times as large.
pub(super) const MOST_JOINED: usize = 1 << 20;

/// The least part of a loop's iterations that a path or a sequence of paths has if the loop is told of as one whose paths repeat.
pub(super) const LEAST_REPEATING: f64 = 0.5;
