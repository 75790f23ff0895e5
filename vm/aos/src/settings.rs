//! The constants by which the adaptive system decides, each once and with its reason; what follows from another is a
//! formula. Limits of what is shown, read or buffered stand beside the code that they bound. Figures were measured in
//! November 2026 (AMD EPYC), most on the 46 benchmark programs of then; a value without one was chosen.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use crate::micros::POLLS_A_MILLISECOND;
use crate::{Micros, Parts};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

/// Constants by which the controller decides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub clock: Clock,
    pub without: Parts,
    /// Cost of a microsecond of compiling to the program: 1 where it waits, less where another core compiles.
    pub compile_weight: CompileWeight,
    /// Time after which an old sample counts half, at least: long against a profile, short against a phase one notices.
    pub half_life: Micros,
    /// Only loops with this part of their function's time are profiled and specialized: less gains nothing that can be
    /// measured.
    pub loop_share: f64,
    /// K of the first profile of a loop.
    pub k: u64,
    /// Number of times that a loop's K doubles. After one drop more it is left general for good: that is a loop which
    /// stays the same for sixteen times K iterations and then changes before a version has paid.
    pub doublings: u32,
    /// Time for which a loop rests whose profile found nothing, or whose trace did not pay; doubles each time.
    pub rest: Micros,
    /// Part of the run so far that profiles and what they find may take, as more is lost where they find nothing; but
    /// for one that should save four times what it costs.
    pub overhead_share: f64,
    /// Guards are read at every n-th tick of a specialized version.
    pub guard_ticks: u64,
    /// Cost of a failing guard besides the iteration, as a part of a general one: a mispredicted branch, a cold exit, and
    /// the tests on the way back onto the trace. Small loops pay more than half an iteration.
    pub guard_penalty: f64,
}

/// Measure of the controller's times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Real time: what was measured corrects what was estimated.
    #[default]
    Real,
    /// A count of polls: measured times go into events, and no decision depends on them, so that two runs decide alike.
    Polls,
}

/// Time between ticks: short against what compilation takes to pay, and long against what a tick costs.
pub(crate) const TICK: Micros = Micros(1_000);
/// A tick that comes late stands for no more than so many, as the rest of the time went elsewhere. Ticks come as rarely
/// where nothing follows from them: one costs some ten microseconds.
pub(crate) const LONGEST_TICK: u64 = 4;
/// Ticks in a row without consequence until they come less often: longer than functions wait for their next decision.
pub(crate) const QUIET_TICKS: u32 = 50;
/// Ticks that tell more than chance: in a program of a hundred small functions most are hit now and then. So many must
/// fall on a function's prologue, and on old baseline code before another entry is tried.
pub(crate) const SURE_TICKS: u64 = 2;

/// A function that was called no more than this is entered where it runs, not by calls.
pub(crate) const FEW_CALLS: u64 = 2;
/// Calls of a function after which its versions can be left in mid-loop only where they may come to be out of date: it
/// became hot by calls, each of which takes a small part of the time in which a version is decided on and compiled.
pub(crate) const CALLED_AGAIN: u64 = 8;

/// The least part of a function's time that a specialization must be expected to save once the profile is read: less is
/// lost in what guards and copies cost. As much of a loop's time is expected to be saved before anything is known of it.
pub const LEAST_SAVING: f64 = 0.08;
/// The part of its time that a dispatch loop is expected to save until a profile of it finds nothing: a program for an interpreter has loops, and the paths
/// of such a loop repeat with them.
pub(crate) const DISPATCH_GAIN: f64 = 0.4;
/// The fewest values by which a loop that chooses among them is a dispatch loop.
pub(crate) const CHOICES: u32 = 7;
/// The part of the expected gain that a profile leaves which found nothing. The next comes when four times as much time is
/// at stake: it is for another phase, and of a program that has none the profiles come ever more rarely.
pub const FRUITLESS: f64 = 0.25;
/// The least part of a loop's time that a trace is taken to leave, which the best traces of dispatch loops do.
pub(crate) const LEAST_LEFT: f64 = 1.0 / 7.0;
/// Specs of a function that are tried: each takes the optimizer once.
pub(crate) const MOST_TRIED: usize = 3;

/// K of the first profile of a loop: long against a pattern of a few iterations, and some tens of microseconds of a loop.
/// Programs take 0.996 of the time with 256, 0.993 with 512, 0.991 with 2048 and 1.014 with 4096 (2026-11-27).
pub const FIRST_K: u64 = 1_024;
/// Parts of a window, each of which begins with a tick and has room for K executions: what a loop does at one moment may
/// be over at the next, and a trace of it with it. With four parts all fall into the same phase too often.
pub(crate) const PARTS: u64 = 8;
/// A longer window keeps more ids, up to so many times as many: joining them takes some 5 ms then.
pub(crate) const MOST_KEPT: u64 = 4;
/// Ids that sequences in a forest are joined of. Longer periods are searched for in the ids, which takes less time.
pub(crate) const SEQUENCE: u32 = 8;

/// Nanoseconds of a call that could be inlined: its registers, its frame and its poll.
pub(crate) const MISS_NANOS: f64 = 5.0;
/// The part of the time that one call must take to count as made too often for its profile. A call that is made once in
/// 64 iterations, as the optimizer has it of a rare one, takes some 4% of the shortest iterations.
pub(crate) const LEAST_LOST: f64 = 0.05;

/// Pairs of windows, one of specialized and one of general code, that a measured gain is from at most. Fewer are enough
/// where they agree, five if all do; a program that does other work from one window to the next needs more.
pub(crate) const MOST_PAIRS: usize = 25;
/// Least iterations of a window, of which one may be of the other version: code is left at the poll after a tick.
pub(crate) const LEAST_PROGRESS: u64 = 32;
/// Ticks after which a turn without a window ends the comparison: the activation comes by no place where it could move.
pub(crate) const LONGEST_TURN: u64 = 32;
/// Iterations of a specialized loop that one of the loop whose iterations are counted may take: fewer would make counting
/// dearer, more would make windows longer than a tick.
pub(crate) const LONGEST_ITERATION: u64 = 256;
/// The same for the loop right around it, if no other is counted: a window of the longest turn, at 8 ns an iteration.
pub(crate) const LONGEST_AROUND: u64 = LONGEST_TURN * TICK.0 * 1_000 / LEAST_PROGRESS / 8;

/// No compilation counts as less than an eighth of what the table has for it, or more than eight times that: one that the
/// system interrupted must not forbid all others.
pub(crate) const MOST_CORRECTED: f64 = 8.0;
/// Microseconds of compilations that the calibrated table counts for: after a few functions the run tells more.
pub(crate) const TABLE_MICROS: f64 = 5_000.0;

/// Cost to the program of compiling on another core, as a part of the time it takes there: three tenths, as somebody else
/// may want that core, and the code comes later. Of the CPU time with a fifth, modules with large functions (six) take
/// 0.96 in runs of some 0.9 s, and 0.92 in runs of 0.2 s; with half, programs whose paths gain much (twelve modules) take
/// 1.04, and 76 programs of the language the same with either (2026-11-30).
const BESIDE: f64 = 0.3;

/// Cost of compiling to the program.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompileWeight {
    /// By the number of cores. The system is asked at the first decision: it looks into files, and a short program decides nothing.
    ByCores,
    /// This one.
    #[serde(untagged)]
    Fixed(f64),
}

impl CompileWeight {
    /// The cost of a microsecond, in microseconds.
    pub fn get(self) -> f64 {
        static BY_CORES: LazyLock<f64> = LazyLock::new(|| match available_parallelism() {
            Ok(cores) if cores.get() > 1 => BESIDE,
            Ok(_) | Err(_) => 1.0,
        });
        match self {
            CompileWeight::Fixed(weight) => weight,
            CompileWeight::ByCores => *BY_CORES,
        }
    }
}

impl Clock {
    /// Microseconds of this clock as people read them.
    pub fn show(self, micros: f64) -> String {
        match self {
            Clock::Real => format!("{:.2} {}", self.scale(micros), self.unit()),
            Clock::Polls => format!("{:.0} {}", self.scale(micros), self.unit()),
        }
    }

    /// The same with a digit less for what is long.
    pub fn brief(self, micros: f64) -> String {
        match self {
            Clock::Real if micros.abs() >= 10_000.0 => format!("{:.1} ms", micros / 1e3),
            Clock::Real | Clock::Polls => self.show(micros),
        }
    }

    /// Unit of what [`Clock::scale`] gives.
    pub fn unit(self) -> &'static str {
        match self {
            Clock::Real => "ms",
            Clock::Polls => "polls",
        }
    }

    /// Microseconds of this clock as a number of units.
    pub fn scale(self, micros: f64) -> f64 {
        match self {
            Clock::Real => micros / 1e3,
            Clock::Polls => micros / 1e3 * POLLS_A_MILLISECOND as f64,
        }
    }
}

impl Settings {
    /// For compiling on a thread of its own.
    pub fn background() -> Self {
        Self { clock: Clock::Real, compile_weight: CompileWeight::ByCores, ..Self::COMMON }
    }

    /// The same on any machine as on one with two cores.
    pub fn on_two_cores() -> Self {
        Self { compile_weight: CompileWeight::Fixed(BESIDE), ..Self::background() }
    }

    /// For compiling on the program's thread, decided by counters.
    pub fn synchronous() -> Self {
        Self { clock: Clock::Polls, ..Self::COMMON }
    }

    /// The same decisions without some parts.
    pub fn without(self, without: Parts) -> Self {
        Self { without, ..self }
    }

    /// A profile takes this time, a tick a part, and is abandoned after as long without one; doubles with K.
    pub fn profile_time(&self) -> Micros {
        Micros(PARTS * TICK.0)
    }

    /// A window is full after so many executions, alike or not, in all its parts.
    pub fn executions(&self, k: u64) -> u64 {
        k * PARTS
    }

    /// After so long without a tick a function is as good as new: its inputs may have changed, and so its paths.
    pub fn forget(&self) -> Micros {
        Micros(4 * self.half_life.0)
    }

    /// Time that profiles may take besides their part of the run, as the first cannot wait: that of three.
    pub fn first_overhead(&self) -> Micros {
        Micros(3 * self.profile_time().0)
    }

    /// Iterations on a trace before its failures count, half of the window that it was found in.
    pub fn guard_iterations(&self) -> u64 {
        self.k / 2
    }

    /// Ticks on a specialized version before it is compared, in which its guards were read twice.
    pub fn compare_ticks(&self) -> u64 {
        2 * self.guard_ticks
    }

    /// Looks at a first profile, one a tick, after which it is over: its loop runs too rarely.
    pub(crate) fn most_looks() -> u64 {
        PARTS + LONGEST_TICK - 1
    }

    /// The share of iterations that a trace must be expected to cover: with less even one that leaves next to nothing of
    /// its iterations' time saves too little. Nothing is formed then, as the optimizer would work in vain.
    pub(crate) fn least_coverage(guard_penalty: f64) -> f64 {
        (guard_penalty + LEAST_SAVING) / (1.0 + guard_penalty - LEAST_LEFT)
    }

    const COMMON: Self = Self {
        clock: Clock::Real,
        without: Parts::NONE,
        compile_weight: CompileWeight::Fixed(1.0),
        half_life: Micros(500_000),
        loop_share: 0.15,
        k: FIRST_K,
        doublings: 4,
        rest: Micros(50_000),
        overhead_share: 0.02,
        guard_ticks: 4,
        guard_penalty: 1.0,
    };
}

/// Periods of the timer: between ticks, and between those from which nothing follows.
pub(crate) fn tick_periods() -> (Duration, Duration) {
    let tick = Duration::from_micros(TICK.0);
    (tick, tick * LONGEST_TICK as u32)
}

impl Default for Settings {
    fn default() -> Self {
        Self::background()
    }
}
