//! `bench --wasm`: the modules of a folder, beside other engines on the same modules.
//!
//! In: a [`ModulesConfig`]. Out: [`Modules`]: for each module and each contestant the CPU time until its first instruction, the CPU
//! time and the elapsed time of all of it, and the peak memory of its process. The start of a process, of Python or of Node.js counts for
//! nobody. Invariant: contestants take turns; one whose output is not the known one, or else that of the first, has no times.
//!
//! Data flow: `crate::subject` (modules and sizes) -> `contestant` (command lines) -> rounds of child processes, ours of which carry a
//! [`ModuleJob`] out -> `results` -> `report` or `json`.

mod config;
mod contestant;
mod job;
pub mod json;
pub mod report;
mod results;
mod sample;

use std::env;
use std::path::Path;

use super::child::{Children, CommandLine, PeakMemory};
use super::embedded;
use super::progress;
use super::race::{Fault, Interrupted, Run, compared, first_line, run_once};
use super::results::BenchError;
use super::workspace::Workspace;
use crate::subject::{Code, Subject};
use contestant::Contestant;
use results::Measured;
use sample::Sample;

pub use config::ModulesConfig;
pub use job::{ModuleJob, ModuleRun, carry_out};
pub use results::Modules;

/// Measures the modules of the folder as `config` says.
pub fn measure_modules(
    config: &ModulesConfig,
    subjects: &[Subject],
    children: &Children,
) -> Result<Modules, BenchError> {
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    for script in Contestant::ALL.into_iter().filter_map(Contestant::script) {
        let bytes = embedded::file(&format!("wasm/peers/{script}")).expect("scripts of peers are embedded");
        workspace.write(script, bytes).map_err(BenchError::Workspace)?;
    }
    let (contestants, absent): (Vec<Contestant>, Vec<Contestant>) = Contestant::ALL
        .into_iter()
        .partition(|contestant| contestant.is_there(env::var_os("PATH").as_deref(), children));
    let runs = contestants.len() as u64 * u64::from(config.rounds.get());
    let bar = progress::bar(config.progress, subjects.len() as u64 * runs);
    let mut modules = Vec::new();
    for subject in subjects {
        let mut measured = Measured::new(subject);
        for round in 0..config.rounds.get() {
            let mut order = contestants.clone();
            if round % 2 == 1 {
                order.reverse();
            }
            for contestant in order {
                bar.set_message(format!("{}: {}", subject.name, contestant.name()));
                bar.inc(1);
                if measured.has_failed(contestant) {
                    continue;
                }
                let command = contestant.command(&config.executable, file(subject), subject.size, workspace.path());
                let sample =
                    run(&command, measured.output(), children).map_err(|Interrupted| BenchError::Interrupted)?;
                measured.add(contestant, sample);
            }
        }
        modules.push(measured);
    }
    bar.finish_and_clear();
    Ok(Modules { rounds: config.rounds, size: config.size, contestants, absent, modules })
}

fn file(subject: &Subject) -> &Path {
    match &subject.code {
        Code::Module(file) => file,
        Code::Embedded(_) => unreachable!("the modules of a folder are files"),
    }
}

/// One run, if its output is as expected, with that output.
fn run(
    command: &CommandLine,
    expected: Option<&str>,
    children: &Children,
) -> Result<Result<(Sample, String), Fault>, Interrupted> {
    Ok(run_once(command, children)?.and_then(|(Run { peak_memory, .. }, answer)| {
        let ModuleRun { output, ready, cpu, wall } =
            serde_json::from_str(&answer).map_err(|_| Fault::Unreadable(first_line(&answer)))?;
        let output = output.trim().to_owned();
        expected.map_or(Ok(()), |expected| compared(&output, expected))?;
        let (PeakMemory::Exactly(memory) | PeakMemory::AtMost(memory)) = peak_memory;
        Ok((Sample { ready, cpu, wall, memory: memory as f64 }, output))
    }))
}
