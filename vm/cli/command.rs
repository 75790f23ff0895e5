//! The command of one invocation.

use crate::config::{
    CheckConfig, CompareConfig, DiffConfig, DumpConfig, ExplainCodeConfig, ExplainConfig, ExportConfig, FormatConfig,
    LabConfig, LabImportConfig, LspConfig, MergeConfig, ProfileConfig, RecordConfig, ReplConfig, ReportConfig,
    RunConfig, TimeConfig, TraceConfig,
};
use holloway_measure::bench::RunsConfig;
use holloway_measure::bench::calibrate::CalibrateConfig;
use holloway_measure::bench::profiled::ProfiledConfig;
use holloway_measure::bench::{
    self, BenchConfig, CompileConfig, ModulesConfig, StartupConfig, UnseenConfig, WarmupConfig, WhyConfig,
};
use holloway_measure::reproduce::ReproduceConfig;
use holloway_measure::reproduce::job::Request;

/// One invocation of `holloway`.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `holloway` on a terminal, or with `-i`.
    Repl(ReplConfig),
    /// `holloway` with a file or a pipe as its standard input: a program, or inputs of the REPL.
    Stream(RunConfig),
    /// `holloway FILE`, `run FILE`, `-e CODE`, or standard input.
    Run(RunConfig),
    /// `check FILE...`
    Check(CheckConfig),
    /// `explain-code [CODE...]`
    ExplainCode(ExplainCodeConfig),
    /// `fmt FILE...`
    Format(FormatConfig),
    /// `dump --stage ... FILE`
    Dump(DumpConfig),
    /// `profile FILE --scheme ...`
    Profile(ProfileConfig),
    /// `profile FILE --scheme time`
    Time(TimeConfig),
    /// `profile FILE --compare ... --loop ...`
    Compare(CompareConfig),
    /// `diff A B`
    Diff(DiffConfig),
    /// `merge PROFILE... -o OUT`
    Merge(MergeConfig),
    /// `trace record FILE`
    Record(RecordConfig),
    /// `trace info RUN.twpp` and the other questions
    Trace(TraceConfig),
    /// `explain [FILE]`
    Explain(ExplainConfig),
    /// `report RUN.hwrun`
    Report(ReportConfig),
    /// `lsp`
    Lsp(LspConfig),
    /// `export RUN.hwrun --to FORM`
    Export(ExportConfig),
    /// `bench [NAME...]`
    Bench(BenchConfig),
    /// `bench --startup`
    Startup(StartupConfig),
    /// `bench --warmup`
    Warmup(WarmupConfig),
    /// `bench --policies [NAME...]`
    Policies(RunsConfig),
    /// `bench --ablation [NAME...]`
    Ablation(RunsConfig),
    /// `bench --unseen DIR [NAME...]`
    Unseen(UnseenConfig),
    /// `bench --wasm DIR [NAME...]`
    Modules(ModulesConfig),
    /// `bench --compile`
    Compile(CompileConfig),
    /// `bench --why NAME`
    Why(WhyConfig),
    /// `bench --scheme S [NAME...]`
    Profiled(ProfiledConfig),
    /// One run of `bench --scheme`, in a child process that it starts.
    BenchChild(bench::Request),
    /// `calibrate [NAME...]`
    Calibrate(CalibrateConfig),
    /// `reproduce [TABLE...]`
    Reproduce(ReproduceConfig),
    /// One job of `reproduce`, in a child process that it starts.
    ReproduceChild(Request),
    /// `lab INPUT`
    Lab(LabConfig),
    /// `lab import --llvm PROG.ll TRACE`
    LabImport(LabImportConfig),
    /// `completions SHELL`
    Completions(clap_complete::Shell),
    /// `man`
    Man,
}
