//! `bench --warmup`: the time until a process reaches its steady speed.
//!
//! In: a [`WarmupConfig`]. Out: [`WarmupResults`]. Each contender runs for [`RUN`] a program that repeats the small
//! workload (`repeat`). This process records the time at which each unit's checksum arrives, and `series` finds the
//! steady speed and the time at which 90% of it was reached. Each round runs every contender once, in turn; the medians
//! of the rounds count. Invariants: the first unit's checksum is the known one, and each later one is what the first
//! contender printed; otherwise there is no time.

use crate::settings::RUN;
use std::env;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::child::{Children, Ended, Watched};
use super::contender::{HOLLOWAY, Peer, Recipe, RunOptions, holloway, installed, peer};
use super::progress;
use super::race::{Fault, Interrupted, build, first_line, not_run};
use super::statistics::{geometric_mean, median};
use super::suite::BenchProgram;
use super::workspace::Workspace;
use super::{BenchError, Progress, embedded};
use crate::extent::{Rounds, SizeName};
use holloway::TierChoice;
use holloway_study::report::style::OutputFormat;
use repeat::{Language, repeating};
pub use series::Warmup;

mod repeat;
pub mod report;
mod series;

/// The default programs: a dispatch loop, a hash table over bytes, loops over floats, over records, and with calls in
/// the innermost. Programs whose globals carry state from unit to unit cannot be repeated in all languages.
const USUAL: [&str; 5] = ["bytecodevm", "lzw", "matmul", "nbody", "spectralnorm"];
/// The peers that are compared, without C, which has nothing to warm up.
const PEERS: [Peer; 4] = [Peer::LuaJit, Peer::Node, Peer::Java, Peer::PyPy];

/// Options of `bench --warmup`.
#[derive(Clone, PartialEq, Debug)]
pub struct WarmupConfig {
    /// The programs; not empty.
    pub programs: Vec<BenchProgram>,
    /// Tier for Holloway's programs.
    pub tier: TierChoice,
    /// Passes that the optimizer skips.
    pub disabled_passes: Vec<String>,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// Duration of each run.
    pub run: Duration,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary for `run --tier T FILE SIZE`: this one.
    pub executable: PathBuf,
}

impl WarmupConfig {
    /// The usual duration of a run.
    pub const USUAL_RUN: Duration = RUN;

    /// The names of the default programs.
    pub fn usual_programs() -> Vec<String> {
        USUAL.map(str::to_owned).to_vec()
    }
}

/// Measured warm-up times.
#[derive(Clone, PartialEq, Debug)]
pub struct WarmupResults {
    /// Tier for Holloway's programs.
    pub tier: TierChoice,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// Duration of each run.
    pub run: Duration,
    /// The contenders, Holloway first.
    pub contenders: Vec<&'static str>,
    /// Peers that are not installed.
    pub absent: Vec<&'static str>,
    /// Each program with the results of each contender.
    pub programs: Vec<(&'static str, Vec<WarmupOutcome>)>,
}

/// The rounds of one contender on one program (at least one), or its fault.
pub type WarmupOutcome = Result<Vec<Warmup>, Fault>;

/// Measures the warm-up.
pub fn measure_warmup(config: &WarmupConfig, children: &Children) -> Result<WarmupResults, BenchError> {
    let (peers, absent) = installed(&PEERS, env::var_os("PATH").as_deref());
    let absent = absent.into_iter().map(Peer::name).collect();
    let contenders: Vec<&str> = std::iter::once(HOLLOWAY).chain(peers.iter().map(|peer| peer.name())).collect();
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    workspace.place_below("peers/lib/").map_err(BenchError::Workspace)?;
    let runs = config.programs.len() * contenders.len() * config.rounds.get() as usize;
    let bar = progress::bar(config.progress, runs as u64);
    let mut programs = Vec::new();
    for program in &config.programs {
        let recipes = recipes(program, &peers, config, &workspace).map_err(BenchError::Workspace)?;
        let measured = take_turns(program, &recipes, config, children, |at| {
            bar.set_message(format!("{}: {}", program.name, contenders[at]));
            bar.inc(1);
        });
        programs.push((program.name, measured.map_err(|Interrupted| BenchError::Interrupted)?));
    }
    bar.finish_and_clear();
    Ok(WarmupResults { tier: config.tier, rounds: config.rounds, run: config.run, contenders, absent, programs })
}

/// The recipe of each contender for the repeating `program`; its files are written to the workspace.
fn recipes(
    program: &BenchProgram,
    peers: &[Peer],
    config: &WarmupConfig,
    workspace: &Workspace,
) -> io::Result<Vec<Recipe>> {
    let workload = program.workload(SizeName::Small);
    let options = RunOptions { disabled_passes: &config.disabled_passes, ..RunOptions::of(config.tier) };
    let mut recipes = vec![holloway(&config.executable, options, program, workload, workspace)?];
    place_repeating(Language::Holloway, &format!("{}.hw", program.name), workspace)?;
    for each in peers {
        let file = format!("peers/programs/{}.{}", program.name, each.extension());
        place_repeating(Language::Of(*each), &file, workspace)?;
        recipes.push(peer(*each, "peers/programs", program.name, &[workload.size.to_string()], workspace)?);
    }
    Ok(recipes)
}

fn place_repeating(language: Language, path: &str, workspace: &Workspace) -> io::Result<()> {
    let text = std::str::from_utf8(embedded::file(path).expect("every program is there in every language"));
    let text = repeating(language, text.expect("programs are UTF-8"));
    workspace.write(path, text.as_bytes()).map(drop)
}

/// The results of each contender over all rounds.
fn take_turns(
    program: &BenchProgram,
    recipes: &[Recipe],
    config: &WarmupConfig,
    children: &Children,
    mut before_run: impl FnMut(usize),
) -> Result<Vec<WarmupOutcome>, Interrupted> {
    let mut checksums = vec![program.workload(SizeName::Small).checksum.to_string()];
    let mut outcomes: Vec<WarmupOutcome> = Vec::new();
    for recipe in recipes {
        outcomes.push(build(recipe, children)?.map(|()| Vec::new()));
    }
    for _ in 0..config.rounds.get() {
        for (at, (recipe, outcome)) in recipes.iter().zip(&mut outcomes).enumerate() {
            before_run(at);
            let Ok(rounds) = outcome else { continue };
            match watch(recipe, config.run, children, &mut checksums)? {
                Ok(warmup) => rounds.push(warmup),
                Err(fault) => *outcome = Err(fault),
            }
        }
    }
    Ok(outcomes)
}

/// One run. Compares the units' checksums with the known ones; further checksums of this run become known ones.
fn watch(
    recipe: &Recipe,
    run: Duration,
    children: &Children,
    checksums: &mut Vec<String>,
) -> Result<Result<Warmup, Fault>, Interrupted> {
    let Watched { lines, ended, stderr } = match children.watch(&recipe.run, run) {
        Ok(watched) => watched,
        Err(error) => return not_run(error, &recipe.run).map(Err),
    };
    if let Ended::ByItself(status) = ended {
        return Ok(Err(Fault::Died { status, said: first_line(&stderr) }));
    }
    if let Some((known, line)) = checksums.iter().zip(&lines).find(|(known, line)| **known != line.text) {
        return Ok(Err(Fault::WrongChecksum { expected: known.clone(), found: first_line(&line.text) }));
    }
    checksums.extend(lines.iter().skip(checksums.len()).map(|line| line.text.clone()));
    let completed: Vec<Duration> = lines.iter().map(|line| line.at).collect();
    Ok(series::warmup(&completed).ok_or(Fault::TooSlow { units: completed.len() }))
}

impl WarmupResults {
    /// The medians over a contender's rounds on the program with index `program`.
    pub fn medians(&self, program: usize, contender: usize) -> Option<Warmup> {
        let rounds = self.programs[program].1[contender].as_ref().ok()?;
        let of = |figure: fn(&Warmup) -> Duration| median(rounds.iter().map(figure));
        let units = rounds.iter().map(|warmup| warmup.units).min()?;
        Some(Warmup { until_warm: of(|warmup| warmup.until_warm)?, steady: of(|warmup| warmup.steady)?, units })
    }

    /// The geometric mean in seconds of a figure over the programs on which a contender was measured.
    pub fn mean(&self, contender: usize, figure: fn(Warmup) -> Duration) -> Option<f64> {
        let measured = (0..self.programs.len()).filter_map(|program| self.medians(program, contender));
        geometric_mean(measured.map(|warmup| figure(warmup).as_secs_f64()))
    }

    /// All faults, with program and contender.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, &'static str, &Fault)> {
        self.programs.iter().flat_map(|(program, outcomes)| {
            let faults = outcomes.iter().zip(&self.contenders);
            faults.filter_map(|(outcome, contender)| Some((*program, *contender, outcome.as_ref().err()?)))
        })
    }
}

#[cfg(test)]
mod tests;
