//! The `holloway` binary: from arguments to an exit status.
//!
//! In: the process's arguments and [`Environment`]. Out: an [`Exit`]. The pipeline: [`parse`] (`args`, `resolve`) makes
//! a [`Command`]; [`dispatch`] hands it to its function in [`commands`]. Invariant: results go to standard output,
//! errors to standard error.

#![expect(unreachable_pub, reason = "modules are private; `pub` says what other modules may use")]

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use mimalloc::MiMalloc;

pub(crate) mod args;
mod command;
pub mod commands;
mod config;
pub(crate) mod ctrl_c;
mod cut_choice;
mod environment;
mod examples;
mod exit;
pub mod input;
mod k_choice;
pub(crate) mod overwriting;
mod perf;
pub mod program;
mod quantity;
pub(crate) mod recompilation;
pub(crate) mod recording;
mod repl;
mod resolve;
pub(crate) mod scheme;
mod settings;
mod usage;

pub use args::Cli;
use args::ProgramArgs;
pub use command::Command;
pub use environment::Environment;
pub use exit::{Exit, refuse, show};
pub use usage::UsageError;

/// Compilers allocate many small objects, on a thread of their own: with the system's allocator, compiling took 1.19 times the CPU time
/// (`holloway bench --compile --tier optimized`; glibc 2.36, AMD EPYC, 2026-11-23).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let exit = match parse(std::env::args_os(), &Environment::of_process()) {
        Ok(command) => dispatch(command),
        Err(ParseEnd::Shown(text)) => show(&text),
        Err(ParseEnd::Refused(error)) => refuse(&error, Exit::Usage),
    };
    exit.into()
}

/// Reasons for which there is no command to run.
#[derive(Debug)]
pub enum ParseEnd {
    /// Help or the version was asked for: this text.
    Shown(String),
    /// The command line is wrong.
    Refused(UsageError),
}

/// Parses the process's arguments, the first of which is the binary's own name.
pub fn parse(args: impl IntoIterator<Item = OsString>, environment: &Environment) -> Result<Command, ParseEnd> {
    let args: Vec<OsString> = args.into_iter().collect();
    match read(&args) {
        Ok(cli) => resolve::resolve(cli, environment).map_err(ParseEnd::Refused),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp => Err(ParseEnd::Shown(error.render().to_string())),
            ErrorKind::DisplayVersion => {
                let version = error.render().to_string();
                Err(ParseEnd::Shown(format!("{} ({})\n", version.trim_end(), holloway_jit::arch::host())))
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Err(ParseEnd::Refused(command_missing(&args))),
            _ => Err(ParseEnd::Refused(UsageError::of_clap(&error, command_name(&args).as_deref()))),
        },
    }
}

/// Reads the arguments. Those that can name no command are read without building any, so that a short program starts sooner; if they are
/// wrong, or ask for help, the whole definition tells.
fn read(args: &[OsString]) -> Result<Cli, clap::Error> {
    let names_no_command = |first: &[u8]| first.starts_with(b"-") || first.iter().any(|byte| b"./".contains(byte));
    if args.get(1).is_some_and(|first| names_no_command(first.as_bytes()))
        && let Ok(alone) = ProgramArgs::try_parse_from(args)
    {
        return Ok(Cli { command: None, run: alone.run });
    }
    Cli::try_parse_from(args)
}

/// The command that `args` name, such as `run` or `trace info`, whose help tells more than the main one.
fn command_name(args: &[OsString]) -> Option<String> {
    let mut at = <Cli as clap::CommandFactory>::command();
    let mut names = Vec::new();
    for arg in args.iter().skip(1) {
        at.build();
        let Some(next) = arg.to_str().and_then(|name| at.find_subcommand(name)).cloned() else { break };
        // Help about nothing is helped with the main one.
        if next.get_name() == "help" {
            break;
        }
        names.push(next.get_name().to_owned());
        at = next;
    }
    (!names.is_empty()).then(|| names.join(" "))
}

/// A command that has commands of its own, of which none is named.
fn command_missing(args: &[OsString]) -> UsageError {
    let name = command_name(args).unwrap_or_default();
    let mut cli = <Cli as clap::CommandFactory>::command();
    cli.build();
    let commands = cli.find_subcommand(&name).into_iter().flat_map(clap::Command::get_subcommands);
    let names: Vec<&str> = commands.map(clap::Command::get_name).collect();
    UsageError::new(&name, format!("name a command of {name}: {}", names.join(", ")))
}

/// Runs a command.
pub fn dispatch(command: Command) -> Exit {
    match command {
        Command::Bench(config) => commands::bench::bench(&config),
        Command::Startup(config) => commands::bench::startup(&config),
        Command::Warmup(config) => commands::bench::warmup(&config),
        Command::Policies(config) => commands::bench::policies(&config),
        Command::Ablation(config) => commands::bench::ablation(&config),
        Command::Unseen(config) => commands::bench::unseen(&config),
        Command::Modules(config) => commands::bench::modules(&config),
        Command::Compile(config) => commands::bench::compile(&config),
        Command::Why(config) => commands::bench::why(&config),
        Command::Profiled(config) => commands::bench::profiled(&config),
        Command::BenchChild(request) => commands::bench::child(&request),
        Command::Calibrate(config) => commands::calibrate::calibrate(&config),
        Command::Reproduce(config) => commands::reproduce::reproduce(&config),
        Command::ReproduceChild(request) => commands::reproduce::child(&request),
        Command::Lab(config) => commands::lab::lab(&config),
        Command::LabImport(config) => commands::lab_import::lab_import(&config),
        Command::Completions(shell) => commands::completions::completions(shell),
        Command::Man => commands::man::man(),
        Command::Run(config) => commands::run::run(&config),
        Command::Check(config) => commands::check::check(&config),
        Command::ExplainCode(config) => commands::explain_code::explain_code(&config),
        Command::Dump(config) => commands::dump::dump(&config),
        Command::Profile(config) => commands::profile::profile(&config),
        Command::Compare(config) => commands::profile::compare(&config),
        Command::Time(config) => commands::profile::time(&config),
        Command::Diff(config) => commands::diff::diff(&config),
        Command::Merge(config) => commands::merge::merge(&config),
        Command::Record(config) => commands::trace::record(&config),
        Command::Trace(config) => commands::trace::answer(&config),
        Command::Explain(config) => commands::explain::explain(&config),
        Command::Report(config) => commands::report::report(&config),
        Command::Lsp(config) => commands::lsp::lsp(&config),
        Command::Export(config) => commands::export::export(&config),
        Command::Format(config) => commands::fmt::fmt(&config),
        Command::Repl(config) => commands::repl::repl(&config),
        Command::Stream(config) => commands::stream::stream(&config),
    }
}
