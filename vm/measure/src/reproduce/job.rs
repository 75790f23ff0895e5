//! One run of one program in its own process.
//!
//! In: a [`Request`], as JSON on the command line, with counts of a base run on standard input if the variant takes such. Out: an [`Answer`], such
//! counts, or a whole path's figures, as JSON on standard output.
//! Invariant: the time is the CPU time of all threads during the program's run without compilations, since the papers warm up first,
//! and without reading the profile back. If a job expects an output, there is no answer without it.

use crate::settings::PATIENCE;
use std::fs;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::across::AcrossFigures;
use super::forest::ForestFigures;
use super::hardware::{HardwareCounters, HardwareCounts};
use super::probes::ProbeFigures;
use super::regions::RegionFigures;
use super::variant::Variant;
use crate::base_run::{self, EdgeCounts};
use crate::bench::embedded;
use crate::subject::Code;
use holloway::internals::Executor;
use holloway::{Config, Engine, RunError};
use holloway::{FunctionPaths, PathProfile};
use holloway_aos::event::Kind;
use holloway_jit::opt::pipeline::Options;
use holloway_profiler::scheme::{Results, View};
use holloway_runtime::{Limits, Sink, cpu_time};

/// The task of a child process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// A run that is timed: an [`Answer`].
    Run(Job),
    /// A run before, whose counts number the paths of timed ones: [`EdgeCounts`].
    Base(Job),
    /// A run whose whole path is measured: [`WholePathFigures`](super::whole_path::WholePathFigures).
    WholePath(Job),
}

/// A run to be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The program.
    pub program: Code,
    /// Its argument.
    pub size: u64,
    /// Its expected output, if known.
    pub output: Option<String>,
    /// A part of the program's text and its replacement.
    pub replaced: Option<(String, String)>,
    /// Tier and scheme of the run.
    pub variant: Variant,
    /// Set if the figures of the profile are wanted.
    pub figures: bool,
}

/// Result of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// CPU time of the run without compilations.
    pub seconds: f64,
    /// CPU time of the whole run.
    pub whole_seconds: f64,
    /// Output of the program.
    pub printed: String,
    /// Number of versions with traces that the adaptive system compiled.
    pub specialized: u64,
    /// Figures of the profile.
    pub figures: Figures,
    /// Figures of the probes, if figures were wanted.
    pub probes: ProbeFigures,
    /// Hardware counters of the run, if figures were wanted.
    pub hardware: HardwareCounts,
}

/// Figures of a program's profile, summed over its functions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Figures {
    /// No profile, or no figures wanted.
    #[default]
    None,
    /// Figures of counted paths.
    Counts(CountFigures),
    /// Figures of counted sequences.
    Forest(ForestFigures),
    /// Figures of persistence.
    Regions(RegionFigures),
    /// Figures of paths with contexts, or across calls.
    Across(AcrossFigures),
}

/// Figures of paths counted one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CountFigures {
    /// Number of paths executed; with a hash table each is one operation.
    pub executed: u64,
    /// Number of distinct paths; with a hash table each is one entry.
    pub distinct: u64,
}

/// Runs a job. The error describes the program's fault.
pub fn carry_out(job: &Job) -> Result<Answer, String> {
    let mut engine = engine(job)?;
    load(&mut engine, job)?;
    if let Some(scheme) = job.variant.scheme() {
        base_run::count_by(scheme, &mut engine)?;
    }
    let counters = job.figures.then(HardwareCounters::start);
    let start = cpu_time::of_process();
    let result = engine.run();
    let whole = cpu_time::of_process() - start;
    let hardware = counters.map(HardwareCounters::stop).unwrap_or_default();
    let compiling = match (job.variant, engine.executor()) {
        // The adaptive system compiles while the program runs.
        (Variant::Auto, _) | (_, Executor::Interpreted(_)) => Duration::ZERO,
        (_, Executor::Compiled(machine)) => machine.code.stats.time,
    };
    let printed = checked_output(&mut engine, job, result)?;
    let specialized = specialized(&engine);
    let profile = job.figures.then(|| engine.path_profile()).flatten();
    let probes = profile.as_ref().map(ProbeFigures::of).unwrap_or_default();
    let figures = match (job.variant, &profile) {
        (Variant::KBl(_), Some(_)) => slab_figures(job)?,
        (variant, Some(profile)) => figures(variant, profile),
        (_, None) => Figures::None,
    };
    // A short program may end before its code is compiled.
    let seconds = whole.saturating_sub(compiling).max(Duration::from_nanos(1)).as_secs_f64();
    Ok(Answer { seconds, whole_seconds: whole.as_secs_f64(), printed, specialized, figures, probes, hardware })
}

/// Figures of the slab forests of one more run: code that counts by itself has none.
fn slab_figures(job: &Job) -> Result<Figures, String> {
    let mut engine = engine(job)?;
    load(&mut engine, job)?;
    if let Some(mut scheme) = job.variant.scheme() {
        scheme.settings.forest_limit = Some(usize::MAX);
        // Whatever the numbers of paths are, the forest has as many nodes.
        base_run::numbered_by(&EdgeCounts::default(), scheme, &mut engine)?;
    }
    let result = engine.run();
    checked_output(&mut engine, job, result)?;
    Ok(engine.path_profile().map(|profile| figures(job.variant, &profile)).unwrap_or_default())
}

/// Makes a base run. The error describes the program's fault.
pub fn carry_out_base(job: &Job) -> Result<EdgeCounts, String> {
    let mut engine = engine(job)?;
    load(&mut engine, job)?;
    base_run::count_by(base_run::scheme(), &mut engine)?;
    let result = engine.run();
    checked_output(&mut engine, job, result)?;
    Ok(EdgeCounts::of(&mut engine))
}

/// The program's output, if it ended well and printed its checksum.
pub(super) fn checked_output(engine: &mut Engine, job: &Job, result: Result<i32, RunError>) -> Result<String, String> {
    if let Err(error) = result {
        return Err(format!("it failed: {error}"));
    }
    let printed = String::from_utf8_lossy(&engine.take_output()).trim().to_owned();
    match &job.output {
        Some(expected) if printed != *expected => {
            Err(format!("WRONG CHECKSUM: expected {expected}, printed {printed}"))
        }
        _ => Ok(printed),
    }
}

fn specialized(engine: &Engine) -> u64 {
    let controller = engine.executor().adaptive().and_then(|session| session.controller());
    let records = controller.into_iter().flat_map(|controller| controller.records());
    records.filter(|(_, _, version)| version.kind == Kind::Specialized).count() as u64
}

pub(super) fn engine(job: &Job) -> Result<Engine, String> {
    let config = Config {
        tier: job.variant.tier(),
        passes: Options { disabled: job.variant.disabled_passes(), ..Options::default() },
        output: Sink::Captured(Vec::new()),
        args: vec![job.size.to_string().into_bytes()],
        limits: Limits { fuel: None, time: Some(PATIENCE) },
        ..Config::default()
    };
    Engine::new(config).map_err(|error| format!("no memory for a program: {error}"))
}

pub(super) fn load(engine: &mut Engine, job: &Job) -> Result<(), String> {
    let name = match &job.program {
        Code::Embedded(name) => name,
        Code::Module(path) => {
            let name = path.display().to_string();
            let bytes = fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
            return engine.load(&name, bytes).map_err(|error| error.to_string());
        }
    };
    let file = format!("{name}.hw");
    let bytes = embedded::file(&file).ok_or_else(|| format!("there is no benchmark program '{name}'"))?;
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if let Some((old, new)) = &job.replaced {
        if !text.contains(old) {
            return Err(format!("there is no '{old}' in {file}"));
        }
        text = text.replace(old, new);
    }
    engine.load(&file, text).map_err(|_| format!("{file} does not compile"))
}

fn figures(variant: Variant, profile: &PathProfile) -> Figures {
    if let Variant::Across(_) = variant {
        return Figures::Across(AcrossFigures::of(profile));
    }
    let results: Vec<Results> = profile.functions.iter().map(FunctionPaths::results).collect();
    let mut counts: Option<CountFigures> = None;
    let mut forests: Option<ForestFigures> = None;
    let mut regions = Vec::new();
    for (function, results) in profile.functions.iter().zip(&results) {
        let counts = counts.get_or_insert_default();
        counts.executed += results.paths.iter().map(|row| row.count).sum::<u64>();
        counts.distinct += results.paths.len() as u64;
        if let Some(found) = &results.sequences {
            found.forest.slabs().into_iter().for_each(|slabs| forests.get_or_insert_default().add(slabs));
        }
        if let (Some(persistence), Ok(plan)) = (&results.regions, &function.plan) {
            regions.push((&**persistence, &plan.graph));
        }
    }
    match profile.scheme.row().view {
        View::Sequences => forests.map_or(Figures::None, Figures::Forest),
        View::Regions if regions.is_empty() => Figures::None,
        View::Regions => Figures::Regions(RegionFigures::of(&regions)),
        View::Edges | View::Paths | View::Across | View::Contexts => counts.map_or(Figures::None, Figures::Counts),
    }
}
