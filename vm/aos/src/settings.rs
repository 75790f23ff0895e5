//! The constants of the adaptive system, each with its reason.
//!
//! In: nothing. Out: [`Settings`], and constants. Invariant: every number that a decision depends on and that is not
//! measured stands here, and so does every other threshold of this crate.

use super::part::Parts;
use crate::micros::Micros;
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

/// Constants by which the controller decides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Measure of its times.
    pub clock: Clock,
    /// Parts that the run does without.
    pub without: Parts,
    /// Cost of a microsecond of compiling to the program: 1 where it waits, less where another core compiles.
    pub compile_weight: CompileWeight,
    /// The time a tick stands for.
    pub tick: Micros,
    /// A tick that comes late (the program was in a call of the runtime) stands for no more than so many ticks: the rest of the
    /// time went elsewhere.
    pub longest_tick: f64,
    /// Time after which an old sample counts half. Long against a profile and short against a phase that people notice.
    pub half_life: Micros,
    /// Only loops with this part of their function's time are profiled and specialized: less gains nothing that can be measured.
    pub loop_share: f64,
    /// The part of a loop's time that specializing is expected to save before anything is known of it; halved by each profile that
    /// finds nothing. At 0.06 interpreters wait for their traces so long that tapevm takes 1.09 of the time, at 0.10 programs without periods
    /// are profiled too soon (`holloway bench`, AMD EPYC, 2026-11-23).
    pub prior_gain: f64,
    /// The least part of the function's time that a profile must be expected to save.
    pub least_gain: f64,
    /// K of the first profile of a loop.
    pub k: u64,
    /// A profile's window is full after K times this many executions, alike or not, in all its parts: each has room for some runs of K.
    pub executions_per_k: u64,
    /// A profile is expected to take this time, and is abandoned after as long without a tick while what it is of runs elsewhere; doubles with
    /// K. Ticks are a millisecond, so less is none.
    pub profile_time: Micros,
    /// Number of times that a loop's K doubles. After one drop more it is left general for good: with the base of 1024
    /// that is a loop which stays the same for 16384 iterations and then changes before a version has paid.
    pub doublings: u32,
    /// Time for which a loop whose trace did not pay rests before the next profile; doubles each time.
    pub rest: Micros,
    /// The same of a loop whose profile found nothing: a hundred times what it took. With 400 ms eleven programs of half a second were
    /// profiled twice in vain, at some 10 ms of CPU time each (AMD EPYC, 2026-11-26).
    pub vain_rest: Micros,
    /// Compilations for profiles and what they find, and looking through these, may take this part of the run so far. At 0.05 md, where no profile
    /// finds anything, took 1.12 of the time (the same).
    pub overhead_share: f64,
    /// Time that they may take besides: the first profile cannot wait until a run has been long.
    pub first_overhead: Micros,
    /// After so long without a tick a function is as good as new: its inputs may have changed, and so its paths.
    pub forget: Micros,
    /// Guards are read at every n-th tick of a specialized version. Bad ones report by themselves.
    pub guard_ticks: u64,
    /// Iterations on a trace before its failures count: a rate over fewer is noise.
    pub guard_iterations: u64,
    /// Cost of a failing guard besides the iteration, as a part of a general one: a mispredicted branch, a cold exit, and the tests on the way
    /// back onto the trace. Small loops pay more: at 0.5 huffman was chosen traces for, and ran 1.1 times as long
    /// (`holloway bench --ablation huffman` without traces; AMD EPYC, 2026-11-22).
    pub guard_penalty: f64,
    /// Ticks on a specialized version before it is compared with general code: a version that guards drop at once is not worth the compilation.
    pub compare_ticks: u64,
    /// A version that measured no more gain than this is dropped: general code does not depend on what the program goes on doing.
    pub worst_gain: f64,
    /// Ticks between two summaries.
    pub summary_ticks: u64,
}

/// Measure of the controller's times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// Real time: what was measured corrects what was estimated.
    Real,
    /// A count of polls: measured times go into events, and no decision depends on them, so that two runs decide alike.
    Polls,
}

/// Ticks that a function must have got at prologues before it is considered; one tick at a loop header is enough. One at a prologue is chance: in a program
/// of a hundred small functions most are hit now and then.
pub(crate) const PROLOGUE_TICKS: u64 = 2;
/// The least part of a function's time that a specialization must be expected to save once the profile is read. What
/// should save less was lost in what guards and copies cost: packets was specialized for 5.4%, and a quarter of its
/// iterations left the trace (AMD EPYC, 2026-11-26).
pub const LEAST_SAVING: f64 = 0.08;
/// Bounds on what is read from advice: nothing larger is made.
pub(crate) const MOST_ADVISED_BLOCKS: usize = 1 << 16;
/// The same of unrolling.
pub(crate) const MOST_ADVISED_UNROLLING: usize = 64;

/// Ids that sequences in a forest are joined of: a period is known when it was seen twice. Longer periods are searched for in the ids
/// themselves, which takes less time than longer sequences where these do not recur.
pub(crate) const SEQUENCE: u32 = 8;
/// Parts of a window, each of which begins with a tick: what a loop does at one moment may be over at the next, and a trace of it with it. Of four parts all
/// fell into the same half of query's scans in a fifth of the runs, which then took 2.5 times as long as others; of eight in none of 20 (AMD EPYC, 2026-11-27).
pub(crate) const PARTS: u64 = 8;
/// Ids of each part of a first window that are kept: half as many again as executions of its hottest loop fill it, for other loops have ids as well.
pub(crate) const KEPT_IDS: u64 = 3 << 9;
/// A longer window keeps more of them, up to so many times as many: what joins them on the compiler's thread takes up to some 5 ms then.
pub(crate) const MOST_KEPT: u64 = 4;
/// A profile that was looked at so often is over: a loop that did not fill its window in as many ticks runs too rarely.
pub(crate) const MOST_LOOKS: u64 = 4 + PARTS - 1;
/// Words in the buffer of profiled versions: some thousand paths, about as many as fill a window.
pub(crate) const BUFFER_WORDS: usize = 4096;

/// The share of iterations that a trace must be expected to cover, or it saves too little even if its iterations took a seventh of the time, as those of
/// the best traces of interpreters do: each other one costs a general iteration more, which is the penalty of a failing guard. Nothing is formed
/// then, as the optimizer would work for some 10 ms in vain.
pub(crate) const LEAST_COVERAGE: f64 = 0.6;
/// Specs of a function that are tried: each takes the optimizer once.
pub(crate) const MOST_TRIED: usize = 3;
/// Calls of a function after which its versions can be left in mid-loop only where they may come to be out of date: it became hot by calls, each of which
/// takes a small part of the time in which a version is decided on and compiled.
pub(crate) const CALLED_AGAIN: u64 = 8;

/// Nanoseconds of a call that could be inlined: its registers, its frame and its poll.
pub(crate) const MISS_NANOS: f64 = 5.0;
/// The part of the time that one call must take to count as made too often for its profile. A call that is made once in 64 iterations, as the optimizer has it
/// of a rare one, takes some 4% of the shortest iterations.
pub(crate) const LEAST_LOST: f64 = 0.05;

/// Calls from the host without ticks, unless one of them polls twice: a program that calls a few functions and ends
/// needs no timer.
pub(crate) const UNTICKED_CALLS: u32 = 16;
/// Time between ticks: short against what compilation takes to pay, and long against what a tick costs.
pub(crate) const TICK_PERIOD: Duration = Duration::from_millis(1);
/// The same once nothing has followed from ticks for a while: a tick costs some ten microseconds, a hundredth of the time.
/// A tick stands for no more than four milliseconds (`vm/aos/src/settings.rs`).
pub(crate) const QUIET_PERIOD: Duration = Duration::from_millis(4);
/// Ticks in a row from which nothing followed until they come less often: longer than functions wait for their next decision at first.
pub(crate) const QUIET_TICKS: u32 = 50;
/// Ticks between two bursts of paths, on average: a burst of a thousand and what it takes to begin and end it are some tens of microseconds.
pub(crate) const TICKS_A_BURST: u64 = 4;
/// Ticks after which a burst is over, however few paths it has: its function does not run any more.
pub(crate) const BURST_PATIENCE: u64 = 4;
/// Iterations of a specialized loop that one of the loop whose iterations are counted may take: fewer would make counting dearer, more would
/// make windows longer than a tick.
pub(crate) const LONGEST_ITERATION: u64 = 256;
/// The same for the loop right around the specialized one, where no other is counted: a window of 32 of them, at some nanoseconds an
/// iteration of the inner loop, is shorter than the longest turn.
pub(crate) const LONGEST_AROUND: u64 = 1 << 17;

/// Of so many polls on back edges, one is looked into where polls are counted; it counts for all of them. No divisor of the polls
/// of a tick, or ticks might always fall on one poll of a loop.
pub(crate) const EDGE_POLLS: u32 = 997;
/// Frames that are walked for each tick, on average, to find versions that no frame is in: some twenty microseconds of a
/// millisecond. Calls can be a hundred thousand deep.
pub(crate) const FREED_FRAMES: usize = 64;

/// Executions of what `--stress` says runs often: well past the 64 that the optimizer asks for.
pub(crate) const OFTEN: u64 = 1000;

/// K of the first profile of a loop: long against a pattern of a few iterations, and some tens of microseconds of a loop. The 46 benchmark programs
/// take 0.996 of the time with 256, 0.993 with 512, 0.991 with 2048 and 1.014 with 4096 (`holloway run`, least of two in turn, AMD EPYC, 2026-11-27).
pub const FIRST_K: u64 = 1_024;

/// The part of its time that specializing a loop is expected to save whose iterations differ only by the trips of loops inside. Less than of others: most
/// such nests go over arrays, and one profile that finds nothing is enough. With as much as others md and spmv took 1.07 times as long for two
/// profiles each (AMD EPYC, 2026-11-23).
pub(crate) const TRIPS_GAIN: f64 = 0.05;

/// The part of its time that specializing a loop is expected to save whose inner loops come round the same few times: their tests, their polls and their
/// counters go, and what an iteration of the outer loop computes is in one piece. Loops of 3 to 16 trips took .24 to .92 of the time without
/// traces (`--without traces,splits`, least of two, AMD EPYC, 2026-11-23).
pub(crate) const UNROLLED_GAIN: f64 = 0.2;

/// The fewest values by which a loop that chooses among them is a dispatch loop: what an interpreter does for each of its instructions.
pub(crate) const CHOICES: u32 = 7;
/// The part of its time that specializing a dispatch loop is expected to save until a profile of it finds nothing: a program for an interpreter has loops, and
/// the paths of such a loop repeat with them. bytecodevm, tapevm and stackvm took 0.58, 0.33 and 0.27 of the time without traces
/// (`--without traces,splits`, least of two, AMD EPYC, 2026-11-26).
pub(crate) const DISPATCH_GAIN: f64 = 0.4;

/// A function that was called no more than this is entered where it runs, not by calls.
pub(crate) const FEW_CALLS: u64 = 2;
/// Ticks that an activation may stay in baseline code, which takes several times as long, before the next entry is tried.
pub(crate) const PATIENCE: u64 = 2;
/// The same of other old code: an iteration of an outer loop takes some milliseconds often, and a version for its inner loop as long to compile.
pub(crate) const PATIENCE_OF_OPTIMIZED: u64 = 8;
/// The least part of a loop's time that a trace is taken to leave: what it saved would else come from a division by next to nothing.
pub(crate) const LEAST_LEFT: f64 = 0.05;
/// Factor by which a profile must promise more than a version that measured no gain, for its loop to be specialized again. A loop whose paths
/// last for 20 to 128 iterations was specialized three times in a second for the same 16.5%, and lost 5 to 8% each time (AMD EPYC, 2026-11-23).
pub(crate) const VAIN_MARGIN: f64 = 1.25;
/// Number of guards that an event names, at most: those that fail most, on one line of text.
pub(crate) const WORST_GUARDS: usize = 4;
/// Number of functions that a summary names, at most: a table that is read at a glance.
pub(crate) const SUMMARY_FUNCTIONS: usize = 8;

/// Pairs of windows, one of specialized and one of general code, that a measured gain is from. The second of nine and the last but one bound
/// the median with a confidence of 96%.
pub(crate) const PAIRS: usize = 9;
/// Pairs that are enough if each of them shows more than [`CLEAR_GAIN`]: turns of code that takes three times as long are dear.
pub(crate) const CLEAR_PAIRS: usize = 5;
/// The part of time saved, or lost, that is far beyond what windows of a millisecond vary by.
pub(crate) const CLEAR_GAIN: f64 = 0.1;
/// Iterations that a window has at least: the counter is read between two of them.
pub(crate) const LEAST_PROGRESS: u64 = 32;
/// Of so many iterations in a window one may be of the other version: a turn begins with a tick, and code is left at its next poll.
pub(crate) const LEAST_SHARE: u64 = 32;
/// Ticks after which a turn without a window ends the comparison: the activation that runs comes by no place where it could move.
pub(crate) const LONGEST_TURN: u64 = 32;
/// Ticks that a comparison waits for its general version: longer than any compilation, and shorter than other functions should wait.
pub(crate) const LONGEST_WAIT: u64 = 2_000;

/// Weight of a new measurement against those before it.
pub(crate) const NEWEST: f64 = 0.5;
/// Corrections stay within these: one compilation that the system interrupted must not forbid all others.
pub(crate) const CORRECTIONS: (f64, f64) = (0.25, 8.0);
/// Factor by which probes slow optimized code down, until a profiled tier can be measured: the bound that path
/// profiling has to keep.
pub(crate) const PROBED_SPEED: f64 = 1.0 / 1.15;
/// Probes are more code to compile.
pub(crate) const PROBED_COMPILE: f64 = 1.3;
/// Traces are copies of the loop, a few iterations long.
pub(crate) const TRACED_COMPILE: f64 = 1.8;

/// With `--stress`, the fewest executions that make a window: traces should be found within what a test runs.
pub(crate) const STRESS_K: u64 = 4;
/// Most that all compilations of a run with `--stress` may cost, in instructions times loops: optimizing a nest takes more
/// than its size says, and a nest of two hundred loops some seconds each time.
pub(crate) const STRESS_WORK: u64 = 1 << 19;
/// Polls within which a tick comes at first with `--stress`: a run of a few hundred polls then takes dozens of decisions.
pub(crate) const STRESS_PAUSE: usize = 16;
/// Ticks after which they come half as often, so that a long run takes hundreds of decisions and not millions.
pub(crate) const STRESS_TICKS: u32 = 6;
/// Number of times that their rate is halved, at most: the pause is then some sixteen million polls.
pub(crate) const STRESS_PACES: u32 = 20;

/// Polls that stand for a millisecond where polls are counted: as many as a loop of ten nanoseconds an iteration makes.
pub const POLLS_A_MILLISECOND: u64 = 10_000;

/// Cost to the program of compiling on another core, as a part of the time it takes there: a fifth and not nothing, for caches
/// and memory are shared, and the code comes later. Half kept a function of a hundred instructions, which takes 5.6 ms to
/// optimize, in baseline code for 4 ms instead of 2 before it was even asked for.
const BESIDE: f64 = 0.2;

/// Cost of compiling to the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CompileWeight {
    /// This one.
    Fixed(f64),
    /// By the number of cores. The system is asked at the first decision: it looks into files, and a short program decides nothing.
    ByCores,
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

    const COMMON: Self = Self {
        clock: Clock::Real,
        without: Parts::NONE,
        compile_weight: CompileWeight::Fixed(1.0),
        tick: Micros(1_000),
        longest_tick: 4.0,
        half_life: Micros(500_000),
        loop_share: 0.15,
        prior_gain: 0.08,
        least_gain: 0.03,
        k: FIRST_K,
        executions_per_k: 8,
        profile_time: Micros(8_000),
        doublings: 4,
        rest: Micros(200_000),
        vain_rest: Micros(1_000_000),
        overhead_share: 0.02,
        first_overhead: Micros(25_000),
        forget: Micros(2_000_000),
        guard_ticks: 4,
        guard_iterations: 512,
        guard_penalty: 1.0,
        compare_ticks: 8,
        worst_gain: 0.0,
        summary_ticks: 250,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::background()
    }
}
