//! The choices that several commands make: of a program, its execution, messages and rows.
//!
//! In: parsed options. Out: parts of a resolved command. Invariant: pure, as all of resolving.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::args::{ColorChoice, ExecutionArgs, MessageArgs, SubjectArgs};
use crate::config::{AdaptiveConfig, Compilation, ExecutionConfig, Limits, Program, Source};
use crate::environment::Environment;
use crate::settings::{DEFAULT_WIDTH, TOP};
use crate::usage::UsageError;
use holloway::wasm::{SourceFiles, WasmConfig};
use holloway::{FileAccess, TierChoice};
use holloway_measure::bench;
use holloway_measure::bench::progress::Progress;
use holloway_measure::extent::SizeName;
use holloway_study::report::style::{Color, MessageConfig, OutputFormat, Style};
use serde::de::DeserializeOwned;

/// Number of rows shown, as asked for or as is usual.
pub(super) fn top(asked: Option<usize>, format: OutputFormat) -> Option<NonZeroUsize> {
    NonZeroUsize::new(asked.unwrap_or(match format {
        OutputFormat::Text => TOP,
        OutputFormat::Json => 0,
    }))
}

/// A program of a file, or of the binary at one of its sizes.
pub(super) fn subject(command: &'static str, args: SubjectArgs) -> Result<Program, UsageError> {
    let name = match (args.bench, args.file) {
        (Some(name), _) => name,
        (None, Some(_)) if args.size.is_some() => {
            return Err(UsageError::new(command, "--size goes with --bench; a program of yours takes its arguments"));
        }
        (None, Some(file)) => return Ok(Program { source: source(file), args: args.args }),
        (None, None) => unreachable!("the parser asks for a file"),
    };
    let programs = bench::select(&[name]).map_err(|error| UsageError::new(command, error.to_string()))?;
    let program = programs.into_iter().next().expect("one was named");
    let size = program.workload(args.size.unwrap_or(SizeName::Mid)).size;
    Ok(Program { source: Source::Bench(program.name.to_owned()), args: vec![size.to_string().into()] })
}

/// The path of this binary, which a command starts again.
pub(super) fn own_binary(command: &'static str, environment: &Environment) -> Result<PathBuf, UsageError> {
    let unknown = || UsageError::new(command, "the path of this binary is unknown; is /proc mounted?");
    environment.executable.clone().ok_or_else(unknown)
}

/// A job that a command gives itself.
pub(super) fn child<T: DeserializeOwned>(command: &'static str, job: &str) -> Result<T, UsageError> {
    serde_json::from_str(job)
        .map_err(|error| UsageError::new(command, format!("--child is for the command itself: {error}")))
}

/// The file of facts for the optimizer, without which the other tiers do.
pub(super) fn facts(
    command: &'static str,
    tier: TierChoice,
    file: Option<PathBuf>,
) -> Result<Option<PathBuf>, UsageError> {
    match (tier, &file) {
        (TierChoice::Interp | TierChoice::Baseline, Some(_)) => {
            let message =
                format!("--facts goes with --tier auto or optimized; nothing is optimized in {}", tier.name());
            Err(UsageError::new(command, message))
        }
        _ => Ok(file),
    }
}

pub(super) fn source(path: PathBuf) -> Source {
    if is_stdin(&path) { Source::Stdin } else { Source::File(path) }
}

pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub(super) fn execution(args: &ExecutionArgs) -> ExecutionConfig {
    ExecutionConfig {
        tier: args.tier,
        compilation: if args.sync_compile { Compilation::Synchronous } else { Compilation::Background },
        limits: Limits { heap: args.heap_limit, time: args.time_limit, fuel: args.fuel },
        files: if args.no_files { FileAccess::Refused } else { FileAccess::Allowed },
        disabled_passes: args.passes.disabled.clone(),
        facts: None,
        adaptive: AdaptiveConfig::default(),
        wasm: WasmConfig {
            directories: args.wasm.directories.clone(),
            environment: args.wasm.environment.clone(),
            sources: SourceFiles::Read,
            invoke: args.wasm.invoke.clone(),
        },
    }
}

pub(super) fn messages(args: &MessageArgs, environment: &Environment) -> MessageConfig {
    let colored = match args.color {
        ColorChoice::Auto => environment.stderr_is_terminal && !environment.no_color,
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    let color = if colored { Color::Ansi } else { Color::Plain };
    let style = Style { color, width: environment.width.unwrap_or(DEFAULT_WIDTH) };
    MessageConfig { format: args.message_format, style }
}

pub(super) fn output_format(json: bool) -> OutputFormat {
    if json { OutputFormat::Json } else { OutputFormat::Text }
}

/// A progress bar, where somebody sees it.
pub(super) fn progress(environment: &Environment) -> Progress {
    if environment.stderr_is_terminal { Progress::Bar } else { Progress::Silent }
}
