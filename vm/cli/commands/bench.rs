//! `bench`: measures, prints, and fails loudly when a program does not print its checksum.

use std::fmt;

use crate::{Exit, ctrl_c, refuse, show};
use holloway_measure::bench::RunsConfig;
use holloway_measure::bench::ablation::measure_ablation;
use holloway_measure::bench::answer::Interrupted;
use holloway_measure::bench::policies::measure_policies;
use holloway_measure::bench::profiled::job::{carry_out, carry_out_base};
use holloway_measure::bench::profiled::{self, Outcome, ProfiledConfig};
use holloway_measure::bench::{
    self, BenchConfig, BenchError, Children, CompileConfig, ModulesConfig, Request, StartupConfig, UnseenConfig,
    UnseenError, WarmupConfig, WhyConfig, WhyError, json, measure, measure_compile, measure_modules, measure_startup,
    measure_unseen, measure_warmup, measure_why, report,
};
use holloway_measure::{FolderError, subject};
use holloway_study::report::style::OutputFormat;
use serde::Serialize;

/// Measures the benchmark programs.
pub fn bench(config: &BenchConfig) -> Exit {
    let results = match measure(config, &interruptible()) {
        Ok(results) => results,
        Err(error) => return not_measured(&error),
    };
    let text = match config.format {
        OutputFormat::Text => report::render(&results),
        OutputFormat::Json => pretty(&json::results(&results)),
    };
    finish(&text, &report::faults(&results))
}

/// Measures the start of processes.
pub fn startup(config: &StartupConfig) -> Exit {
    let results = match measure_startup(config, &interruptible()) {
        Ok(results) => results,
        Err(error) => return not_measured(&error),
    };
    let text = match config.format {
        OutputFormat::Text => report::render_startup(&results),
        OutputFormat::Json => pretty(&json::startup(&results)),
    };
    let faults: Vec<String> = results.faults().map(|(name, fault)| format!("{name} {fault}")).collect();
    finish(&text, &faults)
}

/// Measures the time until programs reach steady speed.
pub fn warmup(config: &WarmupConfig) -> Exit {
    let results = match measure_warmup(config, &interruptible()) {
        Ok(results) => results,
        Err(error) => return not_measured(&error),
    };
    let text = match config.format {
        OutputFormat::Text => bench::warmup::report::render(&results),
        OutputFormat::Json => pretty(&bench::warmup::report::json(&results)),
    };
    let fault = |(program, contender, fault)| format!("{program}: {contender} {fault}");
    finish(&text, &results.faults().map(fault).collect::<Vec<_>>())
}

/// Measures programs without each part of the adaptive system.
pub fn ablation(config: &RunsConfig) -> Exit {
    match measure_ablation(config, &interruptible()) {
        Ok(found) => told(config, || found.text(config), || found.json(config), &found.faults()),
        Err(error) => not_measured(&error),
    }
}

/// Measures programs under every strategy of the adaptive system.
pub fn policies(config: &RunsConfig) -> Exit {
    match measure_policies(config, &interruptible()) {
        Ok(found) => told(config, || found.text(config), || found.json(config), &found.faults()),
        Err(error) => not_measured(&error),
    }
}

/// Prints what was found, as text or as JSON.
fn told(
    config: &RunsConfig,
    text: impl FnOnce() -> String,
    json: impl FnOnce() -> serde_json::Value,
    faults: &[String],
) -> Exit {
    let shown = match config.format {
        OutputFormat::Text => text(),
        OutputFormat::Json => pretty(&json()),
    };
    finish(&shown, faults)
}

/// The status of a folder that has nothing to measure.
pub(super) fn of_folder(error: &FolderError) -> Exit {
    match error {
        FolderError::NotRead(..) | FolderError::Empty(..) => Exit::NoInput,
        FolderError::Unknown { .. } => Exit::Usage,
        FolderError::Malformed(..) => Exit::Failure,
    }
}

/// Measures the programs of a folder beside C.
pub fn unseen(config: &UnseenConfig) -> Exit {
    let found = match measure_unseen(config, &interruptible()) {
        Ok(found) => found,
        Err(error) => {
            let exit = match &error {
                UnseenError::Bench(error) => return not_measured(error),
                UnseenError::Folder(error) => of_folder(error),
                UnseenError::NoCompiler => Exit::Failure,
            };
            return refuse(&error, exit);
        }
    };
    let text = match config.format {
        OutputFormat::Text => bench::unseen::report::text(&found),
        OutputFormat::Json => pretty(&bench::unseen::json::json(&found)),
    };
    finish(&text, &found.faults())
}

/// Measures the modules of a folder beside other engines.
pub fn modules(config: &ModulesConfig) -> Exit {
    let modules = match subject::modules(&config.folder, &config.names, config.size) {
        Ok(modules) => modules,
        Err(error) => return refuse(&error, of_folder(&error)),
    };
    let found = match measure_modules(config, &modules, &interruptible()) {
        Ok(found) => found,
        Err(error) => return not_measured(&error),
    };
    let text = match config.format {
        OutputFormat::Text => bench::modules::report::text(&found),
        OutputFormat::Json => pretty(&bench::modules::json::json(&found)),
    };
    finish(&text, &found.faults())
}

/// Measures programs with a profiling scheme and without.
pub fn profiled(config: &ProfiledConfig) -> Exit {
    let outcomes = match profiled::measure(config, &interruptible()) {
        Ok(outcomes) => outcomes,
        Err(Interrupted) => return not_measured(&BenchError::Interrupted),
    };
    let text = match config.format {
        OutputFormat::Text => profiled::text(config, &outcomes),
        OutputFormat::Json => pretty(&profiled::json(config, &outcomes)),
    };
    let fault = |(program, outcome): &Outcome| Some(format!("{}: {}", program.name, outcome.as_ref().err()?));
    finish(&text, &outcomes.iter().filter_map(fault).collect::<Vec<_>>())
}

/// Carries one run out and prints the answer for the parent process.
pub fn child(request: &Request) -> Exit {
    match request {
        Request::Run(job) => answered(carry_out(job)),
        Request::Base(job) => answered(carry_out_base(job)),
        Request::Module(job) => answered(bench::modules::carry_out(job)),
    }
}

/// Prints the answer of a child process.
pub(super) fn answered<T: Serialize>(answer: Result<T, String>) -> Exit {
    match answer {
        Ok(answer) => show(&serde_json::to_string(&answer).expect("an answer is plain data")),
        Err(error) => refuse(&error, Exit::Failure),
    }
}

/// Measures the compile speed of a tier.
pub fn compile(config: &CompileConfig) -> Exit {
    let results = measure_compile(config);
    match config.format {
        OutputFormat::Text if config.timings => show(&format!("{}{}", results.text(), results.timings_text())),
        OutputFormat::Text => show(&results.text()),
        OutputFormat::Json => show(&pretty(&results.json())),
    }
}

/// Shows the hottest loops of a program beside those of its C peer.
pub fn why(config: &WhyConfig) -> Exit {
    match measure_why(config, &interruptible()) {
        Ok(found) => match config.format {
            OutputFormat::Text => show(&found.text(config)),
            OutputFormat::Json => show(&pretty(&found.json(config))),
        },
        Err(WhyError::Interrupted) => not_measured(&BenchError::Interrupted),
        Err(error) => refuse(&error, Exit::Failure),
    }
}

/// Children that Ctrl-C ends. The folder with their files is then removed by its owner on the way out.
pub(super) fn interruptible() -> Children {
    let children = Children::default();
    let interrupter = children.clone();
    if let Err(error) = ctrl_c::on_press(move || interrupter.interrupt()) {
        // Measuring works without; Ctrl-C then leaves the temporary folder behind.
        refuse(&format_args!("Ctrl-C will not clean up: {error}"), Exit::Failure);
    }
    children
}

fn not_measured(error: &BenchError) -> Exit {
    match error {
        BenchError::Interrupted => refuse(&"interrupted", Exit::Interrupted),
        BenchError::Workspace(error) => {
            refuse(&format_args!("cannot write the benchmark programs to a temporary folder: {error}"), Exit::Failure)
        }
    }
}

pub(super) fn finish(text: &str, faults: &[impl fmt::Display]) -> Exit {
    let shown = show(text);
    match faults {
        [] => shown,
        faults => faults.iter().map(|fault| refuse(fault, Exit::Failure)).last().unwrap_or(shown),
    }
}

pub(super) fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}
