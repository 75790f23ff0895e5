//! From parsed arguments to a resolved command.
//!
//! In: [`Cli`] and the [`Environment`]. Out: a [`Command`] in which every choice is made, or a [`UsageError`].
//! Invariant: pure; the files that are named are not looked at.

mod explain;
mod export;
mod measure;
mod shared;
mod trace;

use super::settings::{COMPARED_ROWS, SAMPLES_A_SECOND, SUMMARY_TOP};
use shared::{execution, facts, is_stdin, messages, output_format, source, subject, top};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::args::{
    AdaptiveArgs, CheckArgs, Cli, CommandArgs, Deferred, DiffArgs, DumpArgs, ExplainCodeArgs, FormatArgs, LabArgs,
    LabCommand, LabImportArgs, LspArgs, ProfileArgs, Profiled, ReportArgs, RunArgs, StageName,
};
use super::command::Command;
use super::environment::Environment;
use super::scheme;
use super::usage::UsageError;
use crate::config::{
    AdaptiveConfig, CheckConfig, CompareConfig, Compilation, CompiledTier, DecidedBy, DiffConfig, DumpConfig,
    ExecutionConfig, ExplainCodeConfig, FixMode, FormatConfig, FormatInput, FormatMode, Inputs, LabConfig,
    LabImportConfig, LabOutput, LoopChoice, LspConfig, MergeConfig, OnFailure, PerfConfig, ProfileConfig, Program,
    ReplConfig, ReportConfig, RunConfig, Source, Stage, TimeConfig, Versions, WarningMode,
};
use holloway::TierChoice;
use holloway_lang::codes::Code;
use holloway_profiler::scheme::{Gap, Scheme, View};
use holloway_study::lab::SchemeChoice;
use holloway_study::report::{First, Shown};

/// Makes every choice that the command line leaves open.
pub(super) fn resolve(cli: Cli, environment: &Environment) -> Result<Command, UsageError> {
    match cli.command {
        None => run_or_repl(cli.run, environment),
        Some(CommandArgs::Run(Deferred(args))) => run(args, environment),
        Some(CommandArgs::Check(Deferred(args))) => check(args, environment),
        Some(CommandArgs::ExplainCode(Deferred(args))) => explain_code(&args),
        Some(CommandArgs::Format(Deferred(args))) => format(args, environment),
        Some(CommandArgs::Dump(Deferred(args))) => dump(args, environment),
        Some(CommandArgs::Profile(Deferred(args))) => profile(args, environment),
        Some(CommandArgs::Diff(Deferred(args))) => diff(args, environment),
        Some(CommandArgs::Merge(Deferred(args))) => {
            let output = Some(args.output).filter(|output| !is_stdin(output));
            Ok(Command::Merge(MergeConfig { profiles: args.profiles, output }))
        }
        Some(CommandArgs::Trace(Deferred(args))) => trace::trace(args, environment),
        Some(CommandArgs::Explain(Deferred(args))) => explain::explain(args, environment),
        Some(CommandArgs::Report(Deferred(args))) => Ok(report(args)),
        Some(CommandArgs::Lsp(Deferred(LspArgs { run, stdio: _ }))) => Ok(Command::Lsp(LspConfig { run })),
        Some(CommandArgs::Export(Deferred(args))) => export::export(args),
        Some(CommandArgs::Bench(Deferred(args))) => measure::bench(args, environment),
        Some(CommandArgs::Calibrate(Deferred(args))) => measure::calibrate(args, environment),
        Some(CommandArgs::Reproduce(Deferred(args))) => measure::reproduce(args, environment),
        Some(CommandArgs::Lab(Deferred(args))) => lab(args),
        Some(CommandArgs::Completions(Deferred(args))) => Ok(Command::Completions(args.shell)),
        Some(CommandArgs::Man) => Ok(Command::Man),
    }
}

/// Resolves a command line without a command: a program if there is one, else the REPL on a terminal, else standard
/// input.
fn run_or_repl(args: RunArgs, environment: &Environment) -> Result<Command, UsageError> {
    let mut execution = decided(execution(&args.execution), args.adaptive)?;
    execution.facts = facts("run", execution.tier, args.facts)?;
    let perf = PerfConfig { map: args.perf_map, jitdump: args.jitdump };
    let on_failure = if args.trace_paths { OnFailure::LastPaths } else { OnFailure::Message };
    let messages = messages(&args.messages, environment);
    let for_the_program = option_for_the_program(&args.program);
    let inputs = if environment.stdin_is_terminal { Inputs::Terminal } else { Inputs::Stream };
    let below = |home: &Option<PathBuf>, name: &str| home.as_ref().map(|home| home.join("holloway").join(name));
    let history = below(&environment.state_home, "history");
    // It is for people.
    let has_startup = inputs == Inputs::Terminal && !args.no_startup;
    let startup = below(&environment.config_home, "startup.hw").filter(|_| has_startup);
    let program = match program(args.code, args.program) {
        Some(program) if !args.interactive => program,
        program if args.interactive || environment.stdin_is_terminal => {
            if execution.facts.is_some() {
                return Err(UsageError::new("run", "--facts are about a program: name it, and leave -i out"));
            }
            if execution.adaptive.save.is_some() {
                return Err(UsageError::new("run", "--save keeps the run of a program: name it, and leave -i out"));
            }
            if on_failure == OnFailure::LastPaths {
                return Err(UsageError::new("run", "--trace-paths is about a program: name it, and leave -i out"));
            }
            if program.as_ref().is_some_and(|program| program.source == Source::Stdin) {
                return Err(UsageError::new("run", "-i reads inputs from standard input: name a file instead of -"));
            }
            let (program, args) = program.map(|program| (program.source, program.args)).unzip();
            let args = args.unwrap_or_default();
            return Ok(Command::Repl(ReplConfig {
                execution,
                perf,
                messages,
                history,
                startup,
                program,
                args,
                inputs,
            }));
        }
        _ => {
            let program = Program { source: Source::Stdin, args: Vec::new() };
            return Ok(Command::Stream(RunConfig { program, execution, on_failure, perf, messages, for_the_program }));
        }
    };
    Ok(Command::Run(RunConfig { program, execution, on_failure, perf, messages, for_the_program }))
}

fn run(args: RunArgs, environment: &Environment) -> Result<Command, UsageError> {
    if args.code.is_none() && args.program.is_empty() {
        return Err(UsageError::new("run", "missing: FILE; write - to run standard input"));
    }
    run_or_repl(args, environment)
}

fn check(args: CheckArgs, environment: &Environment) -> Result<Command, UsageError> {
    if args.fix && args.files.iter().any(|file| is_stdin(file)) {
        return Err(UsageError::new("check", "--fix rewrites files: standard input has none"));
    }
    let sources = args.files.into_iter().map(source).collect();
    let fixes = if args.fix { FixMode::Apply } else { FixMode::Show };
    let warnings = if args.deny_warnings { WarningMode::Deny } else { WarningMode::Allow };
    Ok(Command::Check(CheckConfig { sources, fixes, warnings, messages: messages(&args.messages, environment) }))
}

fn explain_code(args: &ExplainCodeArgs) -> Result<Command, UsageError> {
    let code = |text: &String| {
        let shown = holloway_study::report::text::one_line(text);
        let unknown = || UsageError::new("explain-code", format!("no code '{shown}'; without a code, all are listed"));
        Code::parse(text).ok_or_else(unknown)
    };
    let codes = args.codes.iter().map(code).collect::<Result<_, _>>()?;
    Ok(Command::ExplainCode(ExplainCodeConfig { codes }))
}

fn format(args: FormatArgs, environment: &Environment) -> Result<Command, UsageError> {
    let stdin = args.files.iter().any(|file| is_stdin(file));
    let input = match stdin {
        true if args.files.len() > 1 => {
            return Err(UsageError::new("fmt", "- stands alone: standard input has no file to rewrite"));
        }
        true => FormatInput::Stdin,
        false => FormatInput::Files(args.files),
    };
    let mode = if args.check { FormatMode::Check } else { FormatMode::Write };
    Ok(Command::Format(FormatConfig { input, mode, messages: messages(&args.messages, environment) }))
}

fn dump(args: DumpArgs, environment: &Environment) -> Result<Command, UsageError> {
    let tier = args.tier.unwrap_or(CompiledTier::Optimized);
    if args.after.is_some() && args.stage != StageName::Ir {
        return Err(UsageError::new("dump", "--after goes with --stage ir"));
    }
    let (stage, has_tier) = match args.stage {
        StageName::Tokens => (Stage::Tokens, false),
        StageName::Ast => (Stage::Ast, false),
        StageName::Ir => (args.after.map_or(Stage::Ir, Stage::After), false),
        StageName::Cfg => (Stage::Cfg, false),
        StageName::Clif => (Stage::Clif(tier), true),
        StageName::Asm => (Stage::Asm(tier), true),
    };
    if args.tier.is_some() && !has_tier {
        return Err(UsageError::new("dump", "--tier goes with --stage clif or --stage asm; other stages have no tier"));
    }
    if args.function.is_some() && stage == Stage::Tokens {
        return Err(UsageError::new("dump", "--fn does not go with --stage tokens; tokens belong to no function yet"));
    }
    let is_optimized = matches!(stage, Stage::After(_)) || has_tier && tier == CompiledTier::Optimized;
    if args.scheme.is_some() && !is_optimized {
        return Err(UsageError::new(
            "dump",
            "--scheme goes with optimized code: --stage ir --after PASS, or --stage clif or --stage asm with --tier optimized",
        ));
    }
    if args.scheme.is_some_and(|scheme| scheme.counts_edges()) {
        return Err(UsageError::new(
            "dump",
            "edges are counted in baseline code: write --stage clif or --stage asm with --tier baseline, and no --scheme",
        ));
    }
    if args.versions && !has_tier {
        return Err(UsageError::new("dump", "--versions goes with --stage clif or --stage asm"));
    }
    if let (false, Some(arg)) = (args.versions, args.args.first()) {
        let arg = holloway_study::report::text::one_line(&arg.to_string_lossy());
        let message = format!("unexpected argument '{arg}'; a program takes arguments with --versions, which runs it");
        return Err(UsageError::new("dump", message));
    }
    let messages = messages(&args.messages, environment);
    Ok(Command::Dump(DumpConfig {
        program: Program { source: source(args.file), args: args.args },
        versions: if args.versions { Versions::OfARun } else { Versions::None },
        stage,
        function: args.function,
        scheme: args.scheme,
        disabled_passes: args.passes.disabled,
        messages,
    }))
}

fn profile(args: ProfileArgs, environment: &Environment) -> Result<Command, UsageError> {
    let format = output_format(args.json);
    let scheme = match args.scheme {
        None => return compare(args, environment),
        Some(Profiled::Time) => return time_profile(args, environment),
        Some(_) if args.hz.is_some() => {
            return Err(UsageError::new("profile", "--hz goes with --scheme time, which samples; other schemes count"));
        }
        Some(Profiled::Counts(scheme)) => scheme,
    };
    let scheme = scheme::chosen(scheme, &args.options).map_err(|message| UsageError::new("profile", message))?;
    let is_compiled = args.execution.tier != TierChoice::Interp && args.execution.fuel.is_none();
    if !is_compiled && scheme.settings.sample.is_some_and(|sampling| sampling.gap == Gap::Ticks) {
        let message = "only compiled code takes bursts at ticks; with --tier interp or --fuel write --sample BURST/GAP";
        return Err(UsageError::new("profile", message));
    }
    let first = match (args.cold, scheme.row().view) {
        (false, _) => First::Hottest,
        (true, View::Paths | View::Sequences | View::Across | View::Contexts) => First::Coldest,
        (true, View::Edges | View::Regions) => {
            let message = format!("--cold shows paths, and --scheme {} counts none; use bl", scheme.name());
            return Err(UsageError::new("profile", message));
        }
    };
    let program = subject("profile", args.subject)?;
    let loops = LoopChoice { named: args.options.loops().collect(), auto: args.options.is_auto() };
    Ok(Command::Profile(ProfileConfig {
        scheme,
        loops,
        cut: args.options.cut_calls().to_vec(),
        program,
        execution: execution(&args.execution),
        output: args.output,
        format,
        shown: Shown { top: top(args.top, format), first },
        messages: messages(&args.messages, environment),
    }))
}

fn compare(args: ProfileArgs, environment: &Environment) -> Result<Command, UsageError> {
    let refuse = |message: String| Err(UsageError::new("profile", message));
    let shown: Vec<View> = args.compare.iter().map(|scheme| scheme.row().view).collect();
    if let Some(at) = shown.iter().position(|view| !matches!(view, View::Paths | View::Sequences | View::Regions)) {
        let name = args.compare[at].name();
        return refuse(format!(
            "--compare shows the ways through a loop, and --scheme {name} tells none; use bl, k-bl, k-iter or tfp"
        ));
    }
    if let Some((option, _)) = args.options.written().next() {
        return refuse(format!(
            "{option} goes with one scheme; --compare takes --k alone, for all schemes that have one"
        ));
    }
    if args.hz.is_some() {
        return refuse("--hz goes with --scheme time, which samples; other schemes count".to_owned());
    }
    let with_k = |scheme: Scheme| match args.options.each_k() {
        Some(k) if scheme.k().is_some() => {
            scheme.with_k(u64::from(k)).map_err(|error| UsageError::new("profile", error.to_string()))
        }
        _ => Ok(scheme),
    };
    let schemes = args.compare.iter().copied().map(with_k).collect::<Result<Vec<_>, _>>()?;
    let program = subject("profile", args.subject)?;
    if program.source == Source::Stdin {
        return refuse(
            "--compare runs the program once for each scheme; name a file instead of standard input".to_owned(),
        );
    }
    Ok(Command::Compare(CompareConfig {
        program,
        execution: execution(&args.execution),
        schemes,
        place: args.of_loop.expect("--compare requires it"),
        top: args.top.map_or(COMPARED_ROWS, |top| if top == 0 { usize::MAX } else { top }),
        format: output_format(args.json),
        messages: messages(&args.messages, environment),
    }))
}

fn time_profile(args: ProfileArgs, environment: &Environment) -> Result<Command, UsageError> {
    let refuse = |message: String| Err(UsageError::new("profile", message));
    if let Some(option) = args.options.first_written() {
        return refuse(format!("{option} goes with schemes that count, not with time"));
    }
    if args.cold {
        return refuse("--cold shows paths, and --scheme time counts none; use bl".to_owned());
    }
    if args.execution.tier == TierChoice::Interp
        || args.execution.fuel.is_some() && args.execution.tier == TierChoice::Auto
    {
        let option = if args.execution.fuel.is_some() { "--fuel" } else { "--tier interp" };
        return refuse(format!("--scheme time samples compiled code as it runs without limits; leave {option} out"));
    }
    let format = output_format(args.json);
    Ok(Command::Time(TimeConfig {
        program: subject("profile", args.subject)?,
        execution: execution(&args.execution),
        hz: args.hz.unwrap_or(SAMPLES_A_SECOND),
        output: args.output,
        format,
        top: top(args.top, format),
        messages: messages(&args.messages, environment),
    }))
}

fn diff(args: DiffArgs, environment: &Environment) -> Result<Command, UsageError> {
    let side = |one: Option<PathBuf>, runs: Vec<PathBuf>| one.into_iter().chain(runs).collect::<Vec<_>>();
    let sides = [side(args.a, args.runs_of_a), side(args.b, args.runs_of_b)];
    if sides.iter().all(|side| side.iter().any(|file| is_stdin(file))) {
        return Err(UsageError::new("diff", "standard input is one profile; save the other to a file"));
    }
    let format = output_format(args.json);
    Ok(Command::Diff(DiffConfig {
        sides: sides.map(|side| side.into_iter().map(source).collect()),
        fail_above: args.fail_above,
        format,
        top: top(args.top, format),
        messages: messages(&args.messages, environment),
    }))
}

fn report(args: ReportArgs) -> Command {
    let mut runs = args.runs.into_iter();
    let run = runs.next().expect("the parser asks for one");
    let output = Some(args.output).filter(|output| !is_stdin(output));
    Command::Report(ReportConfig { run, other: runs.next(), output })
}

fn lab(args: LabArgs) -> Result<Command, UsageError> {
    let input = match (args.command, args.input) {
        (Some(LabCommand::Import(args)), _) => {
            let LabImportArgs { llvm, trace, output } = args;
            return Ok(Command::LabImport(LabImportConfig { program: llvm, trace, output }));
        }
        (None, Some(input)) => input,
        (None, None) => unreachable!("the parser asks for an input"),
    };
    let (k, base, bits) = (args.k.map(u64::from), args.base.map(Into::into), args.bits);
    let scheme = args.scheme.map(|name| SchemeChoice { name, k, base, bits });
    if args.top.is_some() && !args.summary {
        return Err(UsageError::new("lab", "--top goes with --summary"));
    }
    let output = match (args.summary, args.dot) {
        (true, _) => LabOutput::Summary { top: NonZeroUsize::new(args.top.unwrap_or(SUMMARY_TOP)) },
        (false, true) => LabOutput::Dot,
        (false, false) => LabOutput::Json,
    };
    Ok(Command::Lab(LabConfig { source: source(input), scheme, output }))
}

/// The program that `-e` or the first argument names; the rest are its arguments.
fn program(code: Option<String>, mut args: Vec<OsString>) -> Option<Program> {
    let source = match code {
        Some(code) => Source::Code(code),
        None if args.is_empty() => return None,
        None => source(args.remove(0).into()),
    };
    Some(Program { source, args })
}

/// An option of `run` among the program's arguments, where it has no effect on `run`; none behind `--`.
fn option_for_the_program(args: &[OsString]) -> Option<String> {
    let command = <RunArgs as clap::Args>::augment_args(clap::Command::new("run"));
    let is_own = |name: &str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
    let before = args.iter().skip(1).take_while(|arg| *arg != "--").filter_map(|arg| arg.to_str());
    let names = before.filter_map(|arg| arg.strip_prefix("--")).map(|arg| arg.split('=').next().unwrap_or(arg));
    names.into_iter().find(|name| is_own(name)).map(|name| format!("--{name}"))
}

/// The same execution with the options of recompilation.
fn decided(execution: ExecutionConfig, args: AdaptiveArgs) -> Result<ExecutionConfig, UsageError> {
    let AdaptiveArgs { events, advice, save, replay, stress, policy, without, set } = args;
    let asked = [
        ("--events", events.is_some()),
        ("--advice", advice.is_some()),
        ("--replay", replay.is_some()),
        ("--stress", stress.is_some()),
        ("--without", !without.parts.is_empty()),
        ("--set", !set.set.is_empty()),
    ];
    if let Some((option, _)) = asked.iter().find(|(_, asked)| *asked)
        && execution.tier != TierChoice::Auto
    {
        let tier = execution.tier.name();
        return Err(UsageError::new("run", format!("{option} goes with --tier auto; nothing is decided in {tier}")));
    }
    if save.is_some() && execution.tier == TierChoice::Interp {
        return Err(UsageError::new("run", "--save keeps runs of compiled code; leave --tier interp out"));
    }
    let decided_by = match (replay, stress) {
        (Some(path), _) => DecidedBy::Advice(path),
        (None, Some(seed)) => DecidedBy::Chance(seed),
        (None, None) => DecidedBy::Strategy(policy),
    };
    let changes_strategy = !without.parts.is_empty() || !set.set.is_empty();
    if changes_strategy && !matches!(decided_by, DecidedBy::Strategy(_)) {
        let message = "--without and --set change how a strategy chooses; --replay and --stress choose by themselves";
        return Err(UsageError::new("run", message));
    }
    let compilation = match decided_by {
        DecidedBy::Strategy(_) => execution.compilation,
        DecidedBy::Advice(_) | DecidedBy::Chance(_) => Compilation::Synchronous,
    };
    let adaptive =
        AdaptiveConfig { decided_by, events, without: without.parts.into_iter().collect(), set: set.set, advice, save };
    Ok(ExecutionConfig { compilation, adaptive, ..execution })
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
