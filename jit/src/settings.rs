//! The thresholds of compilation, each with its reason: a module for each file that has some.
//!
//! In: nothing. Out: constants. Invariant: every number that trades size of code, time of compiling and quality of code
//! against each other stands here. Facts of the machine and of layouts stand where they hold. Sizes of code are in
//! instructions of the IR or of the SSA form.

/// Sizes of whole functions.
pub(crate) mod compile {
    /// Size of the largest function that is optimized: both our passes and what Cranelift does at `speed` take more than
    /// linear time. Functions that people write are far below, and generated ones beyond it mostly run once.
    pub(crate) const MOST_OPTIMIZED: usize = 5_000;
    /// The same in modules that another compiler has optimized, for which few passes run: the loop of an interpreter has some ten thousand
    /// instructions there.
    pub(crate) const MOST_OPTIMIZED_AGAIN: usize = 10 * MOST_OPTIMIZED;
    /// Size of the largest function that is compiled at all. Cranelift takes some 2 KB of memory for each instruction, and a
    /// function of this size takes seconds.
    pub const MOST_COMPILED: usize = 1 << 20;
}

/// Baseline code.
pub(crate) mod translate {
    /// The most instructions that end a CLIF block, such as checks and calls, between the assignment and the use of a value.
    /// No register lasts that long; but the allocator looks at every value that is live when it comes to a block, and
    /// the elements of a long list may be thousands.
    pub(crate) const LONGEST_VALUE: u32 = 16;
}

/// The place of code among cache lines.
pub(crate) mod placement {
    /// Lines of the longest loop that one line more or less matters to: of five lines one more is within what a loop's speed
    /// varies by anyway.
    pub(crate) const MOST_LINES: usize = 4;
    /// Bytes between the places that are tried, where constants allow it.
    pub(crate) const STEP: usize = 8;
    /// Bytes left free before a function whose deepest loop is long, or that has none. Of 0, 16, 32 and 48 these 16 were best or next to it for
    /// recursive programs (0.94 to 0.96 of the time with 0; AMD EPYC, 2026-11-22).
    pub(crate) const WITHOUT_LOOPS: usize = 16;
    /// Iterations that a loop is taken to make each time it is entered: only so that inner loops decide before outer ones.
    pub(crate) const ITERATIONS: f64 = 8.0;
}

/// Bodies that are entered at loops.
pub(crate) mod osr {
    /// Blocks that a version may have more than its body, if the body has fewer itself: a nest of eighteen loops has so many.
    pub(crate) const MOST_COPIED: usize = 512;
}

/// Loops whose latches fall through.
pub(crate) mod fall_through {
    /// Instructions of the largest header that is copied.
    pub(crate) const MOST_COPIED: usize = 16;
    /// Instructions of the largest loop: in larger ones a jump is a small part of an iteration.
    pub(crate) const MOST_INSTRUCTIONS: usize = 96;
    /// An arm is hardly ever taken whose share of the executions is known and less than this.
    pub(crate) const EITHER: f64 = 0.1;
}

/// Counts of baseline code.
pub(crate) mod observed {
    /// A block is rare that was executed at most once in so many times: what a mispredicted jump to cold code costs is
    /// then lost among the other executions.
    pub(crate) const RARE: u64 = 64;
    /// An indirect call has a usual target that it had in so much of its calls. Below, the test fails too often for what
    /// inlining saves.
    pub(crate) const USUAL: f64 = 0.6;
    /// Calls without which nothing is known of their targets: with fewer, chance decides about the share.
    pub(crate) const FEW: u64 = 16;
    /// A branch goes either way if its rarer way is taken at least this often, and its outcomes were not
    /// foreseen (`outcomes.rs`).
    pub(crate) const EITHER: f64 = 0.15;
    /// A branch that was executed less often is not judged: the share of its rarer way would be chance.
    pub(crate) const JUDGED: u64 = 64;
}

/// Outcomes of branches.
pub(crate) mod outcomes {
    /// Outcomes that the prediction of the next goes by. Machines look at more; of the 64 that there are, a longer history would
    /// leave fewer to learn from.
    pub(crate) const HISTORY: u32 = 5;
    /// Outcomes that only teach, before any counts: two rounds of a period of eight.
    pub(crate) const LEARNED: u32 = 16;
    /// A branch is foreseen if such a predictor misses fewer than this part of its outcomes. Predictors of machines miss about half as many: of
    /// outcomes without a pattern each rarer one, where these miss the one after it as well. A miss costs some fifteen cycles, so one in eight
    /// costs as much as a choice that waits for the comparison.
    pub(crate) const MISSED: f64 = 0.25;
}

/// Branches that may be converted.
pub(crate) mod convertible {
    /// Branches on the ways of a branch that are looked through: inner ones are converted before the outer one. Chains of choices are seldom longer.
    pub(crate) const MOST_NESTED: usize = 4;
}

/// CLIF of optimized code.
pub(crate) mod clif {
    /// The most cases of a switch that are compared one after the other, as many as GCC compares.
    pub(crate) const MOST_COMPARED: usize = 4;
    /// A table has at most so many places for each case of a switch, as many as GCC's: one place is four bytes, and searching takes several branches.
    pub(crate) const SPARSEST: usize = 8;
    /// The most places of a table between cases: a function is as large as its instructions, whatever its tables, and may be inlined at many places.
    pub(crate) const MOST_BETWEEN: usize = 1 << 10;
    /// The most instructions of a loop that polls in its header by a test. In larger ones, a jump from the poll on a back edge is a small part of an iteration, and
    /// unrolled ones seldom go back: with 32 dispatch loops take 1.14 of the time, with 12 as long as without; short loops take 0.92 with both (AMD
    /// EPYC, 2026-11-25).
    pub(crate) const MOST_POLLED_IN_HEADER: usize = 12;
}

/// Reading the SSA form as text.
pub(crate) mod parse {
    /// Greater numbers of values and blocks are refused: each number below takes memory, and no function that is compiled has more.
    pub(crate) const MOST: usize = 1 << 20;
}

/// Functions that are optimized at their first call.
pub(crate) mod trivial {
    /// Short functions that call each other make a long chain from so many on. No benchmark program has one; a chain of 20,000 with a branch in each, called
    /// 30 times, takes 0.7 of the time (AMD EPYC, 2026-11-26).
    pub(crate) const LONG_CHAIN: u32 = 16;
}

/// Inlining. It is the one pass that makes functions grow much.
pub(crate) mod inline {
    /// A body of at most so many instructions is inlined wherever it is called: its call, with arguments and
    /// a frame, is code as well.
    pub(crate) const SMALL: usize = 24;
    /// A body of at most so many is inlined while the budget lasts.
    pub(crate) const MEDIUM: usize = 120;
    /// The same where the call is hot: what is saved there is worth twice the code.
    pub(crate) const LARGE: usize = 240;
    /// A call is hot that is executed at least so often: counts below are chance.
    pub(crate) const OFTEN: f64 = 64.0;
    /// A call is hot only if it is executed at least so many times as often as what is executed most: all others together
    /// matter little.
    pub(crate) const HOT_PART: f64 = 1.0 / 16.0;
    /// The most instructions of all levels of a function in itself: their number grows exponentially where it calls itself twice.
    pub(crate) const RECURSION: usize = 160;
    /// The most such levels: each saves less of the calls than the one before.
    pub(crate) const MAX_LEVELS: usize = 6;
    /// The most instructions that a function grows by, beside half of its own: small ones may grow many times, large ones by
    /// half, so that the time for passes over them stays in proportion.
    pub(crate) const GROWTH: usize = 600;
    /// The most instructions of all formed bodies: a small function may be called at many places, and its traces call others. Room for two
    /// long traces; plain bodies stand at the other calls.
    pub(crate) const FORMED: usize = 2 * super::forest::LARGEST;
    /// The depth to which inlined calls of different functions nest. The counts of callees that deep go with a request.
    pub const MAX_DEPTH: usize = 5;
}

/// Expanded bodies.
pub(crate) mod expand {
    /// Instructions of the largest callee: as many as are inlined at a call of which nothing is known.
    pub(crate) const MOST_CALLEE: usize = super::inline::MEDIUM;
    /// Instructions that a function grows by: as many as a small function grows by where calls are inlined.
    pub(crate) const MOST_ADDED: usize = super::inline::GROWTH;
    /// The depth to which callees nest: deeper ones share what one iteration takes with more and more others.
    pub(crate) const MOST_NESTED: usize = 3;
}

/// Inlining of indirect calls behind a test of their target.
pub(crate) mod guarded {
    /// A miss is rare below this part of the calls: as seldom as a rare block.
    pub(crate) const RARE_MISS: f64 = 1.0 / crate::settings::observed::RARE as f64;
}

/// Early returns before calls.
pub(crate) mod early {
    /// The most instructions before such a call, and the most blocks they are in: calls that do not end early execute the test twice.
    pub(crate) const MOST: usize = 6;
}

/// Facts about the arrays of a program.
pub(crate) mod arrays {
    /// The most elements of a literal that is kept to be read while code is compiled: tables of bytes have 256, programs of interpreters some hundred.
    pub(crate) const LARGEST: usize = 4_096;
    /// The depth to which what is stored is followed to what it is made of, in a function: an expression has few more
    /// levels, and a variable some.
    pub(crate) const MAX_DEPTH: u32 = 16;
    /// Looks at everything that is stored, until ranges stay as they are: an end moves six times at most, and what
    /// depends on it as often once more.
    pub(crate) const MAX_ROUNDS: usize = 16;
    /// The most allocation sites of a place: places that get objects of many are hardly ever told apart.
    pub(crate) const MOST_SITES: usize = 8;
}

/// Constants that are known while the SSA form is built.
pub(crate) mod known {
    /// The depth to which constants are followed: source text seldom nests constant expressions deeper, and a binary
    /// operation follows two at each level.
    pub(crate) const MAX_DEPTH: u32 = 8;
}

/// Guesses of branches that go either way.
pub(crate) mod guess {
    /// The depth to which a value is followed to counters: a pattern of more operations is one that no predictor learns soon.
    pub(crate) const MAX_DEPTH: u32 = 3;
}

/// The graph of the SSA form.
pub(crate) mod cfg {
    /// The most targets of a block that are compared with each other; of more, as switches have, a set is made.
    pub(crate) const MOST_COMPARED: usize = 16;
}

/// Global value numbering.
pub(crate) mod gvn {
    /// The most blocks between a block and its dominator; beyond, all memory is new. To look at more, each time ways meet, takes quadratic time.
    pub(crate) const MOST_BETWEEN: usize = 200;
}

/// Values that branches tell about.
pub(crate) mod correlated_values {
    /// Walks of a function until assumptions on its counters fit each other. Each lets some fail; few functions need more than five.
    pub(crate) const MAX_ROUNDS: usize = 10;
    /// Walks from which on an assumption that fails is given up, where it would be weakened before.
    pub(crate) const PATIENCE: usize = 5;
    /// Parameters in a row that a range is passed on through, each iteration by one: hashes keep up to eight values so,
    /// and loops in them forward each once more.
    pub(crate) const MAX_CHAIN: usize = 16;
    /// The depth to which operands are looked into: conditions nest less, and each branch may look into two operands a level.
    pub(crate) const MAX_DEPTH: u32 = 6;
    /// Sums with constants that are followed to what they begin with: a loop in a trace makes one each round, and few make more rounds.
    pub(crate) const MOST_SUMS: usize = 32;
}

/// Dead code.
pub(crate) mod sweep {
    /// Arrays of more elements are allocated even if nobody sees them: programs notice when a huge one is refused.
    pub(crate) const MOST_DROPPED: i64 = 64;
}

/// Scalar replacement.
pub(crate) mod scalar_replace {
    /// Objects of more fields or elements stay objects: each field takes a register, of which there are about as many.
    pub(crate) const MAX_FIELDS: usize = 12;
    /// An object in a field of another is found after that one is replaced. Deeper nests of objects that never escape are rare.
    pub(crate) const MAX_ROUNDS: usize = 4;
}

/// Range tests.
pub(crate) mod range_tests {
    /// The most instructions ahead of the second branch, its comparison among them: they are executed even where the first leaves.
    pub(crate) const MAX_VAIN: usize = 2;
    /// The most values that differ where the branches leave in code that counts paths, and the additions on each way: the number of the path.
    pub(crate) const MAX_CHOSEN: usize = 1;
}

/// Jump threading.
pub(crate) mod jump_threading {
    /// Blocks with more instructions are not copied: what is saved is one branch.
    pub(crate) const MAX_COPIED: usize = 8;
    /// The most instructions that a function grows by.
    pub(crate) const MAX_GROWTH: usize = 200;
    /// The most empty blocks in a row that an edge is followed through: as deep as choices nest.
    pub(crate) const MAX_EMPTY: usize = 5;
    /// Looks at a function: each threads what the one before decided. Chains of conditions are seldom longer.
    pub(crate) const MAX_ROUNDS: usize = 4;
}

/// Dispatch replication.
pub(crate) mod dispatch_replication {
    /// A switch with fewer cases is foreseen as it is, or is a row of comparisons in the end.
    pub(crate) const LEAST_CASES: usize = 6;
    /// Fewer copies tell little apart.
    pub(crate) const LEAST_COPIES: usize = 4;
    /// The most instructions and targets of all copies in a function: some twenty-five cases.
    pub(crate) const MAX_GROWTH: usize = 900;
    /// The most blocks from where cases meet to the switch: a latch, a header and some checks.
    pub(crate) const MAX_ROUTE: usize = 6;
}

/// State threading.
pub(crate) mod state_threading {
    /// The most blocks from where a state is merged to where it is tested, and on to the last test: a header, a latch and a row of comparisons.
    pub(crate) const MAX_ROUTE: usize = 12;
    /// Parameters that a constant passes through on its way to the state: the latch's, and those of blocks where states meet.
    pub(crate) const MAX_FORWARDED: usize = 3;
    /// The most ways on which values come to a state: some states with some tens of edges each. Three switches one after the other, with a hundred cases
    /// each, would have a million.
    pub(crate) const MAX_SOURCES: usize = 2_000;
    /// The least branches that a state decides, of which a switch is worth all: one is foreseen as well as the jumps it would take.
    pub(crate) const LEAST_DECIDED: usize = 2;
    /// The most instructions and blocks of all copies in a function: thirty states with a test of the end, a load with its check and a poll.
    pub(crate) const MAX_GROWTH: usize = 500;
}

/// If-combining.
pub(crate) mod if_combine {
    /// The most instructions that are executed in vain: about what one mispredicted branch costs.
    pub(crate) const MAX_VAIN: usize = 16;
    /// The most conditions in a row after the first: the longer the row, the likelier it would have ended before.
    pub(crate) const MAX_ROW: usize = 3;
    /// The depth to which conditions are looked into. Few that people write nest deeper.
    pub(crate) const MAX_DEPTH: u32 = 4;
}

/// If-conversion.
pub(crate) mod if_conversion {
    /// The most instructions executed in vain for a branch that may well be foreseen: it costs next to nothing as it is.
    pub(crate) const FORESEEN_VAIN: usize = 2;
    /// The most selects made of such a branch. Each waits for the comparison.
    pub(crate) const FORESEEN_SELECTS: usize = 1;
    /// The most instructions executed in vain for a branch that goes either way: some fifteen cycles are lost each time that it is not
    /// foreseen.
    pub(crate) const EITHER_WAY_VAIN: usize = 6;
    /// The most selects made of such a branch, within the same fifteen cycles.
    pub(crate) const EITHER_WAY_SELECTS: usize = 3;
    /// The instructions more of a branch in code that counts paths: an addition on each way.
    pub(crate) const PATH_VAIN: usize = 2;
    /// The selects more, for the same.
    pub(crate) const PATH_SELECTS: usize = 1;
}

/// Loop rotation.
pub(crate) mod rotate {
    /// Headers with more instructions are not worth copying: rotation saves one jump an iteration.
    pub(crate) const MAX_HEADER: usize = 24;
}

/// Loop-invariant code motion.
pub(crate) mod licm {
    /// The least share of the iterations that execute what moves ahead of the loop although others do not: of a loop
    /// that is entered for four.
    pub(crate) const LEAST_SHARE: f64 = 0.25;
}

/// Registers for values that are kept all through a loop.
pub(crate) mod registers {
    /// Those for floats: 16, less four for what an iteration computes.
    pub(crate) const FLOATS: usize = 12;
    /// Those for all else: 14, as one is the stack's and one the frame's, less four.
    pub(crate) const OTHERS: usize = 10;
}

/// Store-to-load forwarding.
pub(crate) mod store_to_load {
    /// The least share of the iterations that read what some do not, as for what moves ahead of a loop.
    pub(crate) const LEAST_SHARE: f64 = super::licm::LEAST_SHARE;
    /// The most parameters of a loop that gets more: each takes a register.
    pub(crate) const MOST_PARAMS: usize = 10;
}

/// Store sinking.
pub(crate) mod store_sinking {
    /// The least share of the iterations that store to a place: a store and a load are made each time the loop is
    /// entered.
    pub(crate) const LEAST_SHARE: f64 = super::licm::LEAST_SHARE;
    /// The most places of a loop: each takes a register.
    pub(crate) const MOST_PLACES: usize = 8;
    /// The most parameters of such a loop. Those that were forwarded are among them.
    pub(crate) const MOST_PARAMS: usize = 12;
}

/// Congruent parameters.
pub(crate) mod congruent_params {
    /// The most rounds in which arguments tell parameters apart: as many as parameters are passed on in a row, several
    /// times around a loop.
    pub(crate) const MAX_ROUNDS: usize = 64;
}

/// Loop versioning.
pub(crate) mod loop_versioning {
    /// Loops with more instructions are not copied: what their checks cost is little beside the rest of an iteration.
    pub(crate) const MAX_SIZE: usize = 400;
    /// Words that are tested ahead of a loop at most: as many as hashes carry.
    pub(crate) const MAX_WORDS: usize = 8;
    /// Operations of an index at most: each is executed twice ahead of the loop.
    pub(crate) const MAX_STEPS: usize = 5;
}

/// Redundant loads.
pub(crate) mod redundant_loads {
    /// Conditions that are tested ahead of a loop at most: it may be entered for a few iterations only.
    pub(crate) const MAX_TESTS: usize = 4;
    /// The depth to which an index's computation is followed. An index is rarely made of more than a product and three sums.
    pub(crate) const MAX_DEPTH: usize = 6;
}

/// Unroll-and-jam.
pub(crate) mod unroll_and_jam {
    /// Outer iterations at once: four additions are under way in the time that one takes.
    pub(crate) const COPIES: usize = 4;
    /// Bodies with more instructions are left alone: they have enough to do while a sum is added to.
    pub(crate) const MAX_BODY: usize = 24;
    /// The most instructions of a body that are executed for each of the outer iterations: their values wait in registers.
    pub(crate) const MAX_DIFFERENT: usize = 8;
    /// The most tests that what is loaded is not what is stored to.
    pub(crate) const MAX_TESTS: usize = 4;
}

/// Unrolling.
pub(crate) mod unroll {
    /// The most instructions that the copies of a body have together: beyond, tests and jumps are a small part of what runs.
    pub(crate) const MAX_SIZE: usize = 128;
    /// The most copies in a run: with eight, seven tests of eight are gone.
    pub(crate) const MAX_COPIES: usize = 8;
    /// The most loads that the copies have together if they store nothing. Cranelift computes when it must, so all that was
    /// loaded waits in registers until then.
    pub(crate) const MAX_LOADS: usize = 12;
    /// Loops with more blocks are not unrolled: their branches cost more than their tests.
    pub(crate) const MAX_BLOCKS: usize = 4;
    /// The most copies where nobody knows how many iterations there are: those left over run one by one, and
    /// there are more of them with more copies.
    pub(crate) const MAX_COPIES_UNKNOWN: usize = 4;
    /// Functions with more instructions stay as they are: the passes and Cranelift behind would take long over what is added.
    pub(crate) const MAX_FUNCTION: usize = 3000;
}

/// Order of blocks.
pub(crate) mod layout {
    /// From this part of its executions on a branch goes one way mostly. Nearer to a half either order is as good.
    pub(crate) const MOSTLY: f64 = 0.6;
}

/// Choice of traces. Sizes follow from that of the largest trace.
pub(crate) mod choose {
    use super::forest::LARGEST;

    /// Traces are repeated while their loops have at most so many IR instructions together.
    pub(crate) const UNROLLED_SIZE: usize = LARGEST / 4;
    /// The most that a trace is repeated, however small: as for unrolling.
    pub(crate) const MOST_REPEATED: usize = crate::settings::unroll::MAX_COPIES;
}

/// Traces from forests.
pub(crate) mod forest {
    /// The least part of a loop's paths that the runs of a cycle must have. Its code costs compile time, however little it runs.
    pub(crate) const LEAST_PART: f64 = 0.05;
    /// The part of a loop's iterations that a cycle of paths has nearly all with: no longer cycles are searched for then, as those that are
    /// left would have too little.
    pub(crate) const NEARLY_ALL: f64 = 1.0 - LEAST_PART;
    /// The least mean length of runs, in paths: what enters a trace and leaves it again costs about an iteration.
    pub(crate) const LEAST_RUN: f64 = 8.0;
    /// The least mean length of runs, in rounds: the first is in front of the trace's loop, and gains less.
    pub(crate) const LEAST_ROUNDS: f64 = 3.0;
    /// The most traces of a loop: each takes two copies at least.
    pub(crate) const MOST_TRACES: usize = 4;
    /// The most IR instructions of a loop's traces together: some seventy operations of an interpreter, which take the optimizer some 10 ms. It takes
    /// more than linear time, and a second for half as many again.
    pub(crate) const LARGEST: usize = 800;
    /// The longest period that is searched for, in paths: a trace of more would be too large.
    pub(crate) const LONGEST_PERIOD: usize = LARGEST;
}

/// Ways through loops.
pub(crate) mod through {
    /// The most iterations of a way through a loop: what goes round more often is found by what it repeats.
    pub(crate) const LONGEST: usize = 64;
}

/// Costs of instructions: rough figures for x86-64, which are facts of machines and no thresholds. Whatever is not named takes one micro-operation
/// and one cycle.
pub(crate) mod estimate {
    /// Micro-operations that are executed in a cycle, where enough are ready: fewer than processors can at best.
    pub(crate) const WIDTH: f64 = 4.0;
    /// Micro-operations among which a processor finds those that are ready: ways through a loop that are no longer overlap, where nothing that one of them
    /// computes is late for the next. Reorder buffers have 224 to 512 entries.
    pub(crate) const WINDOW: f64 = 224.0;
    /// Rounds until each carried value is as late as the slowest recurrence that it depends on makes it.
    pub(crate) const SETTLED: usize = 8;
    /// Choosing one of many ways: a test of the range, a load, an indirect jump.
    pub(crate) const SWITCH: f64 = 5.0;
    /// Division of integers.
    pub(crate) const INT_DIV: f64 = 20.0;
    /// Multiplication of integers.
    pub(crate) const INT_MUL: f64 = 3.0;
    /// Division of floats.
    pub(crate) const FLOAT_DIV: f64 = 13.0;
    /// Other arithmetic on floats.
    pub(crate) const FLOAT_ARITHMETIC: f64 = 4.0;
    /// A load from the heap, which hits the nearest cache.
    pub(crate) const LOAD: f64 = 4.0;
    /// A load from the frame or the context, which was mostly just stored.
    pub(crate) const LOAD_NEAR: f64 = 2.0;
    /// A call, without what the callee does.
    pub(crate) const CALL: f64 = 10.0;
    /// An allocation without a collection.
    pub(crate) const ALLOCATION: f64 = 15.0;
}
