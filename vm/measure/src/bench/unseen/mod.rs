//! `bench --unseen`: programs of a folder, which nobody tuned for, beside the same programs in C.
//!
//! In: an [`UnseenConfig`]. Out: [`Unseen`]: the CPU time of whole processes of `gcc -O2`, of optimized code, of the
//! adaptive system, and of it without what path profiles lead to; their ratios with intervals; and what versions were
//! expected and measured to gain. Invariants: a program that cannot be measured is told and leaves the others as they
//! are; a contestant whose output differs has no time.
//!
//! Data flow: `folder` (files) -> `sizing` (arguments) -> `judge` (one program: C is built, all outputs
//! are compared, rounds are run) -> `results` -> `report` or `json`.

mod config;
mod contestant;
mod error;
mod folder;
pub mod json;
mod judge;
pub mod report;
mod results;
mod sizing;

use std::env;

use super::child::Children;
use super::contender::c_compiler;
use super::progress;
use super::results::BenchError;
use super::workspace::Workspace;
use folder::Folder;
use judge::Judge;
use results::Skipped;

pub use config::{GivenSize, UnseenConfig};
pub use error::UnseenError;
pub use results::Unseen;

/// Measures as `config` says.
pub fn measure_unseen(config: &UnseenConfig, children: &Children) -> Result<Unseen, UnseenError> {
    let folder = Folder::read(config)?;
    let compiler = c_compiler(env::var_os("PATH").as_deref()).ok_or(UnseenError::NoCompiler)?;
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    let steps = judge::steps(config.rounds);
    let bar = progress::bar(config.progress, folder.programs.len() as u64 * steps);
    let judge = Judge { config, folder: &folder, compiler, workspace: &workspace, children, bar: &bar };
    let (mut programs, mut skipped) = (Vec::new(), Vec::new());
    for (at, program) in folder.programs.iter().enumerate() {
        bar.set_position(at as u64 * steps);
        match judge.measure(program)? {
            Ok(measured) => programs.push(measured),
            Err(why) => skipped.push(Skipped { name: program.name.clone(), why }),
        }
    }
    bar.finish_and_clear();
    Ok(Unseen {
        folder: config.folder.clone(),
        compiler,
        rounds: config.rounds,
        programs,
        skipped,
        alone: folder.alone,
    })
}
