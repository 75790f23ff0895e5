//! What the user asked for, resolved: every option has its value, every choice is made.
//!
//! In: made once by `cli::resolve` from the command line and the environment. Out: small structs for those who
//! need them; `cli::Command` says which command they belong to. Invariant: nothing here is optional only because the
//! user left it out; an `Option` means that the thing itself may be absent (no limit, no output file).

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use holloway_profiler::scheme::Scheme;

/// Where a program's text comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input: `-`, or no argument at all where standard input is no terminal.
    Stdin,
    /// The text itself: `-e CODE`.
    Code(String),
    /// A benchmark program of the binary.
    Bench(String),
}

/// A program and what it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its text.
    pub source: Source,
    /// What its `args()` gives.
    pub args: Vec<OsString>,
}

/// `run`: one program, start to end.
#[derive(Clone, PartialEq, Debug)]
pub struct RunConfig {
    /// What runs.
    pub program: Program,
    /// How it runs.
    pub execution: ExecutionConfig,
    /// What Linux perf is told.
    pub perf: PerfConfig,
    /// How messages look.
    pub messages: MessageConfig,
}

/// `holloway` on a terminal.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplConfig {
    /// How each input runs; the time limit and the fuel are for one input.
    pub execution: ExecutionConfig,
    /// What Linux perf is told.
    pub perf: PerfConfig,
    /// How messages look.
    pub messages: MessageConfig,
    /// Where the history is kept across sessions; `None` where there is no home to keep it in.
    pub history: Option<PathBuf>,
}

/// `check`: diagnostics only.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckConfig {
    /// The programs, each checked on its own. Not empty.
    pub sources: Vec<Source>,
    /// How messages look.
    pub messages: MessageConfig,
}

/// `fmt`: the one formatting.
#[derive(Clone, PartialEq, Debug)]
pub struct FormatConfig {
    /// What is formatted.
    pub input: FormatInput,
    /// What is done with the result.
    pub mode: FormatMode,
    /// How messages look.
    pub messages: MessageConfig,
}

/// What `fmt` formats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatInput {
    /// Files, in place. Not empty.
    Files(Vec<PathBuf>),
    /// Standard input, to standard output.
    Stdin,
}

/// What `fmt` does with the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatMode {
    /// Files are rewritten, standard input is printed formatted.
    Write,
    /// Nothing is written; what is not yet formatted is named and the exit status is 1.
    Check,
}

/// `dump`: any stage as text.
#[derive(Clone, PartialEq, Debug)]
pub struct DumpConfig {
    /// The program.
    pub source: Source,
    /// What is shown of it.
    pub stage: Stage,
    /// The one function that is shown; `None` shows all.
    pub function: Option<String>,
    /// What optimized code collects.
    pub scheme: Option<Scheme>,
    /// Passes that the optimizer leaves out.
    pub disabled_passes: Vec<String>,
    /// How messages look.
    pub messages: MessageConfig,
}

/// A stage of the road from text to machine code.
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
    /// What runs.
    pub program: Program,
    /// How it runs.
    pub execution: ExecutionConfig,
    /// What is counted.
    pub scheme: Scheme,
    /// Where the profile is saved, if it is.
    pub output: Option<PathBuf>,
    /// What is printed.
    pub format: OutputFormat,
    /// How many entries are shown; `None` shows all.
    pub top: Option<NonZeroUsize>,
    /// How messages look.
    pub messages: MessageConfig,
}

/// `explain`: one run, and its story.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainConfig {
    /// What runs.
    pub explained: Explained,
    /// How it runs.
    pub execution: ExecutionConfig,
    /// What is printed.
    pub format: OutputFormat,
    /// How messages and the story look.
    pub messages: MessageConfig,
}

/// What `explain` explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explained {
    /// The program that stands in the binary, whose loop changes phase.
    Demonstration,
    /// Another.
    Program(Program),
}

/// How a program runs.
#[derive(Clone, PartialEq, Debug)]
pub struct ExecutionConfig {
    /// What executes it.
    pub tier: TierChoice,
    /// Where compilation happens.
    pub compilation: Compilation,
    /// What it may use up.
    pub limits: Limits,
    /// Passes that the optimizer leaves out.
    pub disabled_passes: Vec<String>,
    /// Who decides what is compiled again, and what is kept of it; only `TierChoice::Auto` has such decisions.
    pub adaptive: AdaptiveConfig,
}

/// Decisions of the adaptive system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AdaptiveConfig {
    /// Who makes them.
    pub decided_by: DecidedBy,
    /// Where every event is written as it happens.
    pub events: Option<PathBuf>,
    /// Where what was done is saved for doing it again.
    pub advice: Option<PathBuf>,
}

/// Who decides what is compiled again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DecidedBy {
    /// Costs and benefits.
    #[default]
    Controller,
    /// The advice in a file.
    Advice(PathBuf),
    /// Chance, from a seed.
    Chance(u64),
}

impl ExecutionConfig {
    /// The interpreter without limits: for commands that only load a program.
    pub fn interpreted() -> Self {
        Self {
            tier: TierChoice::Interp,
            compilation: Compilation::Synchronous,
            limits: Limits::default(),
            disabled_passes: Vec::new(),
            adaptive: AdaptiveConfig::default(),
        }
    }
}

/// Where compilation happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compilation {
    /// On its own thread, by timer ticks.
    Background,
    /// On the running thread, by counters: two runs decide alike.
    Synchronous,
}

/// What a program may use up; `None` sets no limit beyond the machine's own.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Bytes on its heap.
    pub heap: Option<NonZeroU64>,
    /// Time from start to end.
    pub time: Option<Duration>,
    /// Steps: loop iterations and calls.
    pub fuel: Option<u64>,
}

/// What Linux perf is told about compiled code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerfConfig {
    /// `/tmp/perf-PID.map` is written.
    pub map: bool,
    /// `jit-PID.dump` is written.
    pub jitdump: bool,
}

/// How messages to the user look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageConfig {
    /// Their shape.
    pub format: MessageFormat,
    /// Their colours and width.
    pub style: Style,
}

/// Colours and width of text for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether escape sequences are used.
    pub color: Color,
    /// How many columns there are.
    pub width: usize,
}

/// Whether escape sequences are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// Text alone.
    Plain,
    /// ANSI colours.
    Ansi,
}

/// For a person or for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// Text.
    Text,
    /// JSON.
    Json,
}

/// What executes a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum TierChoice {
    #[default]
    /// what pays: baseline code at first, compiled again where it runs for long
    Auto,
    /// the reference interpreter for everything
    Interp,
    /// baseline code for everything
    Baseline,
    /// optimized code for everything
    Optimized,
}

impl TierChoice {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Interp => "interp",
            Self::Baseline => "baseline",
            Self::Optimized => "optimized",
        }
    }
}

/// A tier that has machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CompiledTier {
    /// cheap code for the first call
    Baseline,
    /// the pass pipeline and Cranelift at full speed
    Optimized,
}

/// The shape of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MessageFormat {
    /// `FILE:LINE:COL: error: message`, one line each
    Short,
    /// with the source, for people
    Human,
    /// one JSON object a line
    Json,
}

/// One of the three sizes of each benchmark program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SizeName {
    /// some milliseconds, for tests
    Small,
    /// some hundredths of a second
    Mid,
    /// long enough to measure
    Default,
}

impl SizeName {
    /// The name on the command line and in `expected.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Mid => "mid",
            Self::Default => "default",
        }
    }
}

/// How often something is measured.
pub type Rounds = NonZeroU32;
