//! Resolved options of one command: every option has its value, every choice is made.
//!
//! In: made once by `cli::resolve` from the command line and the environment. Out: small structs for those who need
//! them; `cli::Command` says which command they belong to. Invariant: nothing here is optional only because the user
//! left it out; `None` means that the thing itself is absent (no limit, no output file).

mod cut_choice;
mod explain;
mod export;
mod lab;
mod loop_choice;
mod lsp;
mod report;
mod trace;

pub use cut_choice::{CallName, CutChoice};
pub use explain::{AuditConfig, Audited, ExplainConfig, Explained, Measure, ReportPart};
pub use export::{Export, ExportConfig, ExportForm};
pub use lab::{LabConfig, LabImportConfig, LabOutput};
pub use loop_choice::{LoopChoice, LoopName, LoopPlace};
pub use lsp::LspConfig;
pub use report::ReportConfig;
pub use trace::{HottestConfig, Question, RecordConfig, SliceApproach, SliceConfig, TraceConfig};

use clap::ValueEnum;
use holloway::wasm::WasmConfig;
use holloway::{FileAccess, TierChoice};
use holloway_aos::Parts;
use holloway_aos::strategies::STRATEGIES;
use holloway_lang::codes::Code;
use holloway_study::report::Shown;
use holloway_study::report::style::{MessageConfig, OutputFormat};
use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use holloway_profiler::scheme::Scheme;

/// The source of a program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input: `-`, or no argument at all when standard input is no terminal.
    Stdin,
    /// The text itself: `-e CODE`.
    Code(String),
    /// A benchmark program of the binary.
    Bench(String),
}

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its text.
    pub source: Source,
    /// The result of its `args()`.
    pub args: Vec<OsString>,
}

/// `run`: one program, start to end.
#[derive(Clone, PartialEq, Debug)]
pub struct RunConfig {
    /// The program to run.
    pub program: Program,
    /// The options of its execution.
    pub execution: ExecutionConfig,
    /// The parts of a failure's report.
    pub on_failure: OnFailure,
    /// The files written for Linux perf.
    pub perf: PerfConfig,
    /// The form of messages.
    pub messages: MessageConfig,
    /// An option of `run` that stands after the file, and so belongs to the program.
    pub for_the_program: Option<String>,
}

/// `holloway` on a terminal.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplConfig {
    /// The options of each input's execution; the time limit and the fuel are for one input.
    pub execution: ExecutionConfig,
    /// The files written for Linux perf.
    pub perf: PerfConfig,
    /// The form of messages.
    pub messages: MessageConfig,
    /// Path of the history file; `None` if there is no home folder.
    pub history: Option<PathBuf>,
    /// Path of the program that runs first, if it is there.
    pub startup: Option<PathBuf>,
    /// The program that runs before the first input.
    pub program: Option<Source>,
    /// The result of `args()`.
    pub args: Vec<OsString>,
    /// The source of inputs.
    pub inputs: Inputs,
}

/// The source of the REPL's inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// A person on a terminal.
    Terminal,
    /// Standard input, which is none: no prompts, and a status that tells of failures.
    Stream,
    /// A text that was read from it.
    Text(Vec<u8>),
}

/// `check`: diagnostics only.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckConfig {
    /// The programs, each checked on its own. Not empty.
    pub sources: Vec<Source>,
    /// The use of fixes.
    pub fixes: FixMode,
    /// The weight of warnings for the exit status.
    pub warnings: WarningMode,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// The use of fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixMode {
    /// They are shown.
    Show,
    /// They are carried out.
    Apply,
}

/// The weight of warnings for the exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningMode {
    /// None.
    Allow,
    /// That of errors.
    Deny,
}

/// `explain-code`: what errors and warnings mean.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainCodeConfig {
    /// The codes; empty for a list of all.
    pub codes: Vec<Code>,
}

/// `fmt`: the one formatting.
#[derive(Clone, PartialEq, Debug)]
pub struct FormatConfig {
    /// The files or the stream to format.
    pub input: FormatInput,
    /// The use of the result.
    pub mode: FormatMode,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// The input of `fmt`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatInput {
    /// Files, in place. Not empty.
    Files(Vec<PathBuf>),
    /// Standard input, to standard output.
    Stdin,
}

/// The use of the result of `fmt`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatMode {
    /// Files are rewritten, standard input is printed formatted.
    Write,
    /// Nothing is written; each unformatted file is named and the exit status is 1.
    Check,
}

/// `dump`: any stage as text.
#[derive(Clone, PartialEq, Debug)]
pub struct DumpConfig {
    /// The program.
    pub program: Program,
    /// The versions that are printed beside stages.
    pub versions: Versions,
    /// The stage that is printed.
    pub stage: Stage,
    /// The one function that is printed; `None` prints all.
    pub function: Option<String>,
    /// Profiling scheme of the optimized code; `None` means no probes.
    pub scheme: Option<Scheme>,
    /// Passes that the optimizer leaves out.
    pub disabled_passes: Vec<String>,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// Versions that `dump` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Versions {
    /// None: nothing runs.
    None,
    /// Every version that a run compiles.
    OfARun,
}

/// A stage of the pipeline from text to machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The tokens; never of one function alone.
    Tokens,
    /// The syntax tree.
    Ast,
    /// The intermediate representation.
    Ir,
    /// The optimizer's form after one of its passes.
    After(String),
    /// The control-flow graphs, as DOT.
    Cfg,
    /// Cranelift's input.
    Clif(CompiledTier),
    /// Machine code.
    Asm(CompiledTier),
}

/// `profile`: one run, one profile.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileConfig {
    /// The program to run.
    pub program: Program,
    /// The options of its execution.
    pub execution: ExecutionConfig,
    /// The profiling scheme.
    pub scheme: Scheme,
    /// The loops that have a k of their own.
    pub loops: LoopChoice,
    /// The calls that are named to be cut.
    pub cut: Vec<CallName>,
    /// Path of the file in which the profile is saved, if any.
    pub output: Option<PathBuf>,
    /// The form of the output.
    pub format: OutputFormat,
    /// The rows that are shown.
    pub shown: Shown,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// `profile --scheme time`: where the time of a run goes.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeConfig {
    /// The program to run, or the file of a run.
    pub program: Program,
    /// The options of its execution.
    pub execution: ExecutionConfig,
    /// Samples a second.
    pub hz: u32,
    /// Path of the file in which the profile is saved, if any.
    pub output: Option<PathBuf>,
    /// The form of the output.
    pub format: OutputFormat,
    /// Rows of each table; `None` shows all.
    pub top: Option<NonZeroUsize>,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// `profile --compare`: several schemes on one loop.
#[derive(Clone, PartialEq, Debug)]
pub struct CompareConfig {
    /// The program to run.
    pub program: Program,
    /// The options of its executions.
    pub execution: ExecutionConfig,
    /// The schemes, not none.
    pub schemes: Vec<Scheme>,
    /// The loop: a file or a function, and a line.
    pub place: (String, u32),
    /// Rows of each scheme.
    pub top: usize,
    /// The form of the output.
    pub format: OutputFormat,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// `merge`: saved profiles, added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeConfig {
    /// The profiles, two at least.
    pub profiles: Vec<PathBuf>,
    /// The file for the sum; `None` is standard output.
    pub output: Option<PathBuf>,
}

/// `diff`: two saved profiles, or recorded runs, and what changed.
#[derive(Clone, PartialEq, Debug)]
pub struct DiffConfig {
    /// Both sides: a profile, as JSON, or runs. None is empty.
    pub sides: [Vec<Source>; 2],
    /// The part by which the second side may take longer, if that decides the exit status.
    pub fail_above: Option<f64>,
    /// The form of the output.
    pub format: OutputFormat,
    /// Number of changes shown; `None` shows all.
    pub top: Option<NonZeroUsize>,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// The options of a program's execution.
#[derive(Clone, PartialEq, Debug)]
pub struct ExecutionConfig {
    /// The tier that executes it.
    pub tier: TierChoice,
    /// The thread on which compilation happens.
    pub compilation: Compilation,
    /// The resources it may use.
    pub limits: Limits,
    /// Says if it may read and write files.
    pub files: FileAccess,
    /// Passes that the optimizer skips.
    pub disabled_passes: Vec<String>,
    /// Path of a file with facts of a recorded run that the optimizer is told, if any.
    pub facts: Option<PathBuf>,
    /// The source of recompilation decisions, and the files they are saved to; only `TierChoice::Auto` has such
    /// decisions.
    pub adaptive: AdaptiveConfig,
    /// The directories and the environment that a module of WebAssembly may use, and the export that is called.
    pub wasm: WasmConfig,
}

/// Decisions of the adaptive system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AdaptiveConfig {
    /// The source of decisions.
    pub decided_by: DecidedBy,
    /// Path of the file to which every event is written as it happens.
    pub events: Option<PathBuf>,
    /// Parts of the adaptive system that the run does without.
    pub without: Parts,
    /// Settings that have other values, as `NAME=VALUE`.
    pub set: Vec<String>,
    /// Path of the advice file, which saves the decisions for a replay.
    pub advice: Option<PathBuf>,
    /// Path of the file in which the run is kept.
    pub save: Option<PathBuf>,
}

/// The source of recompilation decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// A strategy.
    Strategy(StrategyName),
    /// The advice in a file.
    Advice(PathBuf),
    /// A random schedule, from a seed.
    Chance(u64),
}

/// The name of one of [`STRATEGIES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrategyName(pub &'static str);

impl Default for DecidedBy {
    fn default() -> DecidedBy {
        DecidedBy::Strategy(StrategyName(STRATEGIES[0].name))
    }
}

impl ExecutionConfig {
    /// The interpreter without limits: for commands that only load a program.
    pub fn interpreted() -> Self {
        Self {
            tier: TierChoice::Interp,
            compilation: Compilation::Synchronous,
            limits: Limits::default(),
            files: FileAccess::Allowed,
            disabled_passes: Vec::new(),
            facts: None,
            adaptive: AdaptiveConfig::default(),
            wasm: WasmConfig::default(),
        }
    }
}

/// The thread on which compilation happens, and its trigger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compilation {
    /// On its own thread, by timer ticks.
    Background,
    /// On the running thread, by counters: two runs decide alike.
    Synchronous,
}

/// Resource limits of a program; `None` sets no limit beyond the machine's own.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Bytes on its heap.
    pub heap: Option<NonZeroU64>,
    /// Time from start to end.
    pub time: Option<Duration>,
    /// Number of loop iterations and calls.
    pub fuel: Option<u64>,
}

/// The parts of the report of a run-time failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    /// The message and the call stack.
    Message,
    /// The last paths of each active function, too.
    LastPaths,
}

/// The files written for Linux perf about compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerfConfig {
    /// `/tmp/perf-PID.map` is written.
    pub map: bool,
    /// `jit-PID.dump` is written.
    pub jitdump: bool,
}

/// A tier that has machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CompiledTier {
    /// cheap code for the first call
    Baseline,
    /// the pass pipeline and Cranelift at full speed
    Optimized,
}
