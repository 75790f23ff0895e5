//! The command line as it is typed: what clap parses, before anything is decided.
//!
//! In: the process's arguments. Out: [`Cli`], which `resolve` turns into a `Command`; also the one definition
//! from which help, completions and the man page are made. Invariant: every option here does something; a feature
//! brings its options along when it comes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use self::choice::choice;
use super::examples;
use super::quantity;
use crate::config::{CompiledTier, StrategyName};
use holloway_profiler::scheme::Scheme;

mod choice;
mod deferred;
mod diff;
mod explain;
mod export;
mod lab;
mod lsp;
mod measure;
mod merge;
mod passes;
mod report;
mod scheme;
mod shared;
mod trace;
mod wasm;
mod without;

pub(super) use deferred::Deferred;
pub(super) use diff::DiffArgs;
pub(super) use explain::ExplainArgs;
pub(super) use export::ExportArgs;
pub(super) use lab::{LabArgs, LabCommand, LabImportArgs};
pub(super) use lsp::LspArgs;
pub(super) use measure::{BenchArgs, CalibrateArgs, ReproduceArgs};
pub(super) use merge::MergeArgs;
pub(super) use report::ReportArgs;
pub(crate) use scheme::{Profiled, SchemeOptions};
pub(super) use shared::{ColorChoice, ExecutionArgs, MessageArgs, SubjectArgs};
pub(super) use trace::{TraceArgs, TraceCommand, TraceQueryArgs, TraceRecordArgs};

use passes::{PassArgs, names_before_and_after_passes};
pub(super) use without::LeftOut;
use without::{SetArgs, WithoutArgs};

/// A virtual machine that profiles paths and compiles along them
///
/// Holloway runs programs of the language of the same name. It compiles every function at its first call, profiles the
/// paths that execution takes, and recompiles hot functions along them.
///
/// Without a FILE it starts the REPL on a terminal and otherwise runs standard input. Options after FILE belong to the
/// program. A file named like a command is run as `./NAME` or `run NAME`.
#[derive(Parser, Debug)]
#[command(
    name = "holloway",
    bin_name = "holloway",
    version,
    args_conflicts_with_subcommands = true,
    override_usage = "holloway [OPTIONS] [FILE [ARGS]...]\n       holloway [OPTIONS] -e CODE [ARGS]...\n       holloway COMMAND ...",
    subcommand_value_name = "COMMAND",
    after_help = examples::MAIN,
    after_long_help = examples::MAIN_LONG,
)]
pub struct Cli {
    /// The command, if the command line names one.
    #[command(subcommand)]
    pub command: Option<CommandArgs>,
    /// The options of running a program, which is the default command.
    #[command(flatten)]
    pub run: RunArgs,
}

/// The command line of a program that runs: [`Cli`] without the commands.
#[derive(Parser, Debug)]
#[command(name = "holloway", bin_name = "holloway", version)]
pub(super) struct ProgramArgs {
    /// The options.
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// One command and its options.
#[derive(Subcommand, Debug)]
pub enum CommandArgs {
    /// Run a program
    #[command(
        override_usage = "holloway run [OPTIONS] FILE [ARGS]...\n       holloway run [OPTIONS] -e CODE [ARGS]...",
        after_help = examples::RUN,
    )]
    Run(Deferred<RunArgs>),
    /// Parse and type-check programs without running them
    ///
    /// Errors come first, then warnings: names that are never used, code that is never reached, conditions that are always
    /// the same. Warnings do not change the exit status unless --deny-warnings is given.
    #[command(after_help = examples::CHECK)]
    Check(Deferred<CheckArgs>),
    /// Explain an error or a warning by its code, with a wrong and a right program
    #[command(name = "explain-code", after_help = examples::EXPLAIN_CODE)]
    ExplainCode(Deferred<ExplainCodeArgs>),
    /// Format programs
    ///
    /// There is one formatting and nothing to configure. Files are rewritten in place; `-` formats standard input to
    /// standard output.
    #[command(name = "fmt", after_help = examples::FMT)]
    Format(Deferred<FormatArgs>),
    /// Print a program at any stage between text and machine code
    #[command(after_help = examples::DUMP)]
    Dump(Deferred<DumpArgs>),
    /// Run a program and collect one profile
    ///
    /// The program runs as `run` would run it; its hot places are printed as source when it ends. Options may stand
    /// before or after FILE; the program's own options go after `--`.
    #[command(
        override_usage = "holloway profile FILE [ARGS]... --scheme SCHEME [OPTIONS]",
        after_help = examples::PROFILE,
    )]
    Profile(Deferred<ProfileArgs>),
    /// Compare two saved profiles: the paths whose frequency changed most
    ///
    /// Two runs of one program, say with an input that fails and one that does not, or today's and last week's. Frequencies are shares of all
    /// paths of the run, so a longer run does not differ for that. Paths that only one of the runs took are counted at the end.
    #[command(after_help = examples::DIFF)]
    Diff(Deferred<DiffArgs>),
    /// Add saved profiles of several runs of one program
    ///
    /// Each count of the result is the sum of theirs. Profiles of other programs, and of a program that changed in between, are refused.
    #[command(after_help = examples::MERGE)]
    Merge(Deferred<MergeArgs>),
    /// Record the whole path of a run, and ask about it
    ///
    /// `trace record` writes every block that a run executes to a file that is far smaller than that: the path of each call once for
    /// all calls that took it, as timestamps of its blocks (Zhang and Gupta 2001). The other commands read the file.
    #[command(after_help = examples::TRACE)]
    Trace(Deferred<TraceArgs>),
    /// Run a program, then show how its code was recompiled, and why
    ///
    /// One screen shows how the time went, which code each function ran as over time, what was found in each loop that was profiled,
    /// and what became of it. With --story the report lists samples and estimates, compilations and their costs, OSR
    /// entries, invalidated versions with the reasons, and the choices that were considered and rejected; with --why
    /// TARGET those about one thing. Without a FILE it runs a program that is
    /// built into this binary, whose loop changes phase. Options may stand before or after FILE; the program's own
    /// options go after `--`.
    #[command(override_usage = "holloway explain [OPTIONS] [FILE [ARGS]...]", after_help = examples::EXPLAIN)]
    Explain(Deferred<ExplainArgs>),
    /// Make a page of a recorded run: one HTML file to look at, and to send to others
    ///
    /// The page shows where time went and in which code, what was decided and on which figures, what that was expected to gain and
    /// what it gained, machine code beside the source, failing guards, compilations, and call stacks. It needs no network. A second run is shown
    /// beside the first one.
    #[command(after_help = examples::REPORT)]
    Report(Deferred<ReportArgs>),
    /// Give a recorded run to another tool: a profiler's viewer, a flame graph, tables
    ///
    /// RUN.hwrun is what `run --save` keeps. Each form tells of the same samples, whose weights are CPU time of the program's thread; docs/exports.md
    /// describes what each shows of versions and decisions, and which tool opens it.
    #[command(override_usage = "holloway export RUN.hwrun --to FORM [-o OUT]", after_help = examples::EXPORT)]
    Export(Deferred<ExportArgs>),
    /// Serve an editor: the language server, on standard input and output
    ///
    /// Editors start it. It tells errors and warnings as a program is typed, and answers questions: what a name means, where it is
    /// defined and used, which names fit here; it renames, formats and makes fixes. Hints at the ends of lines tell tiers, time and counts of the
    /// last recorded run. The folder `editors/` of the sources says how editors are told of it.
    #[command(after_help = examples::LSP)]
    Lsp(Deferred<LspArgs>),
    /// Measure the benchmark programs that are built into this binary
    ///
    /// Each program runs in a process of its own and must print its known checksum; a wrong one is an error. The time
    /// shown is the least wall time of all rounds, from starting the process to its end.
    #[command(after_help = examples::BENCH)]
    Bench(Deferred<BenchArgs>),
    /// Measure how fast each tier's code runs and compiles
    ///
    /// The benchmark programs run in both compiled tiers, in this process, and each of their functions is compiled in
    /// both. The table is what the adaptive system weighs costs and benefits with; the one in this binary is
    /// replaced by saving another over `vm/aos/src/calibration.json` and building again.
    #[command(after_help = examples::CALIBRATE)]
    Calibrate(Deferred<CalibrateArgs>),
    /// Measure the figures and tables of the papers, and show the papers' own beside them
    ///
    /// TABLE is `delia` (D'Elia and Demetrescu 2013: figures 8 to 14 and table 1), `tfp` (Nandy, Gao and Ferrante 2003:
    /// section 3.6, figures 4 and 6, tables 1 and 2, and the case of RNAfold), `twpp` (Zhang and Gupta 2001: tables 1 to 6 and figure 8),
    /// `roy` (Roy and Srikant 2009: tables 3 and 4), `melski` (paths of Melski and Reps 1998: numbers, cost, how many cross calls) or `cost`
    /// (what each profiling scheme costs); all of them if none is named.
    /// Times are means of all rounds, with the 95% confidence interval from two rounds on; D'Elia and Demetrescu average at least 7.
    /// Each run is a process of its own and must print its known checksum.
    #[command(after_help = examples::REPRODUCE)]
    Reproduce(Deferred<ReproduceArgs>),
    /// Evaluate a profiling scheme on graphs and traces from elsewhere
    ///
    /// INPUT is JSON: a scheme, the graphs of procedures with their calls, and traces of blocks. The result is JSON too: the value
    /// of each edge, every path with its number, and the counts of the traces. It has the schemes that programs are profiled with,
    /// and those of interprocedural paths. docs/lab.md describes both forms and walks through examples.
    #[command(after_help = examples::LAB)]
    Lab(Deferred<LabArgs>),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual page
    #[command(after_help = examples::MAN)]
    Man,
}

/// `run`, and the command line without a command.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Run CODE instead of a file
    #[arg(short = 'e', long = "eval", value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<String>,
    /// Go on interactively when the program has ended, with its definitions; without a FILE, read inputs even from a pipe
    #[arg(short = 'i', long = "interactive")]
    pub interactive: bool,
    /// Start the REPL without the start-up file, holloway/startup.hw in $XDG_CONFIG_HOME or ~/.config
    #[arg(long)]
    pub no_startup: bool,
    /// The options of its execution.
    #[command(flatten)]
    pub execution: ExecutionArgs,
    /// The options of recompilation.
    #[command(flatten)]
    pub adaptive: AdaptiveArgs,
    /// Tell the optimizer which loads a recorded run found to be redundant: a file of trace query --hottest -o
    #[arg(long, value_name = "FACTS")]
    pub facts: Option<PathBuf>,
    /// If the program fails, show the last paths of each function that was active, as source
    #[arg(long, conflicts_with_all = ["events", "advice", "replay", "stress"])]
    pub trace_paths: bool,
    /// Write /tmp/perf-PID.map, so that `perf report` names compiled functions
    #[arg(long, help_heading = "Options for Linux perf")]
    pub perf_map: bool,
    /// Write jit-PID.dump for `perf inject --jit`: names, machine code and lines
    #[arg(long, help_heading = "Options for Linux perf")]
    pub jitdump: bool,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
    /// The program (`-` is standard input) and, after it, its own arguments and options
    // One list instead of FILE and ARGS: only so does clap leave known options after FILE to the program.
    #[arg(value_name = "FILE", trailing_var_arg = true)]
    pub program: Vec<OsString>,
}

/// The options of recompilation, which `--tier auto` does.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options for recompilation")]
pub struct AdaptiveArgs {
    /// Write every decision and its figures as they happen, in Chrome's trace-event format
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Save what was compiled how and when, for --replay
    #[arg(long, value_name = "OUT", conflicts_with_all = ["replay", "stress"])]
    pub advice: Option<PathBuf>,
    /// Save the run, for explain, report, export, diff and profile --scheme time: decisions, versions, samples, machine code
    #[arg(long, value_name = "RUN.hwrun")]
    pub save: Option<PathBuf>,
    /// Compile what the advice in IN says and nothing else; implies --sync-compile
    #[arg(long, value_name = "IN", conflicts_with = "stress")]
    pub replay: Option<PathBuf>,
    /// Decide by a seeded random schedule, to test that all versions of code agree; implies --sync-compile
    #[arg(long, value_name = "SEED", value_parser = quantity::count, allow_negative_numbers = true)]
    pub stress: Option<u64>,
    /// The strategy that decides which function is compiled how
    #[arg(long, value_parser = choice::<StrategyName>(), default_value = "cost-benefit", value_name = "STRATEGY", conflicts_with_all = ["replay", "stress"])]
    pub policy: StrategyName,
    /// The parts that are left out.
    #[command(flatten)]
    pub without: WithoutArgs,
    /// The settings that are changed.
    #[command(flatten)]
    pub set: SetArgs,
}

/// `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The programs; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Carry out the fixes of warnings that have one, and rewrite the files; no fix changes what a program does
    #[arg(long)]
    pub fix: bool,
    /// Exit with status 65 if there are warnings, as for errors
    #[arg(long)]
    pub deny_warnings: bool,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// `explain-code`.
#[derive(Args, Debug)]
pub struct ExplainCodeArgs {
    /// The codes, such as E0301 or W0001; without one, all are listed
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,
}

/// `fmt`.
#[derive(Args, Debug)]
pub struct FormatArgs {
    /// The files to rewrite; `-` alone formats standard input to standard output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write nothing; name the files that are not formatted and exit with status 1
    #[arg(long)]
    pub check: bool,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// `dump`.
#[derive(Args, Debug)]
pub struct DumpArgs {
    /// The program; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The stage to print
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stage: StageName,
    /// Print the function NAME only
    #[arg(long = "fn", value_name = "NAME")]
    pub function: Option<String>,
    /// Whose code clif and asm show; optimized unless said otherwise
    #[arg(long, value_enum, value_name = "TIER")]
    pub tier: Option<CompiledTier>,
    /// With --stage ir: print what the optimizer has made of it after this pass; `build` is before all of them
    #[arg(long, value_name = "PASS", value_parser = names_before_and_after_passes(), hide_possible_values = true)]
    pub after: Option<String>,
    /// Run the program with ARGS, then show every version that was compiled of its functions, profiled and specialized ones too
    #[arg(long, conflicts_with_all = ["tier", "after", "scheme"])]
    pub versions: bool,
    /// With --versions: the program's arguments
    #[arg(value_name = "ARGS")]
    pub args: Vec<OsString>,
    /// With --after, clif or asm: the code as `profile` with this scheme would run it
    #[arg(long, value_parser = scheme::scheme(), value_name = "SCHEME")]
    pub scheme: Option<Scheme>,
    /// The passes to skip.
    #[command(flatten)]
    pub passes: PassArgs,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// A stage, before it is known at which tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StageName {
    /// tokens, one a line
    Tokens,
    /// the syntax tree
    Ast,
    /// the intermediate representation
    Ir,
    /// control-flow graphs, as DOT
    Cfg,
    /// what Cranelift is given
    Clif,
    /// machine code
    Asm,
}

/// `profile`.
#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// The program.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The profiling scheme; with time, FILE may also be a run that --save kept
    #[arg(long, value_parser = scheme::profiled(), value_name = "SCHEME", required_unless_present = "compare")]
    pub scheme: Option<Profiled>,
    /// Profile one loop by several schemes, as in bl,k-bl,tfp, and show what each tells of it
    #[arg(long, value_parser = scheme::scheme(), value_name = "SCHEMES", value_delimiter = ',', requires = "of_loop", conflicts_with_all = ["scheme", "output", "cold"])]
    pub compare: Vec<Scheme>,
    /// The loop that --compare is about: FILE:LINE or FUNCTION:LINE
    #[arg(long = "loop", value_name = "PLACE:LINE", value_parser = scheme::place, requires = "compare")]
    pub of_loop: Option<(String, u32)>,
    /// time: samples a second [default: 228]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), allow_negative_numbers = true)]
    pub hz: Option<u32>,
    /// Its options.
    #[command(flatten)]
    pub options: SchemeOptions,
    /// Save the profile
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Show the N hottest; 0 shows all [default: 10; with --json: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub top: Option<usize>,
    /// Show the coldest paths first: those that were taken, but hardly ever
    #[arg(long)]
    pub cold: bool,
    /// The options of its execution.
    #[command(flatten)]
    pub execution: ExecutionArgs,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}
