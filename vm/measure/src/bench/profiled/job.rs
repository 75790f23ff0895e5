//! One run of one program with a scheme or without, in a process of its own.
//!
//! In: a [`Request`](crate::bench::Request), as JSON on the command line, with counts of a base run on standard input if the scheme takes such. Out: an [`Answer`] or
//! such counts, as JSON on standard output.
//! Invariant: the time is that of the program's run less the compilations in it; reading the profile back is not part of it. A
//! program that does not print its checksum has no answer.

use crate::settings::PATIENCE;
use std::time::{Duration, Instant};

use holloway_jit::opt::pipeline::Options;
use holloway_profiler::counts::TableKind;
use holloway_profiler::scheme::{FrequencyCounting, Gap, NumberingOrder, Sampling, Scheme};
use serde::{Deserialize, Serialize};

use crate::base_run::{self, EdgeCounts};
use crate::bench::embedded;
use holloway::internals::Executor;
use holloway::{Config, Engine, RunError};
use holloway::{Counted, TierChoice};
use holloway_runtime::{Limits, Sink};
use holloway_study::report::headline;

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// An embedded program.
    pub program: String,
    /// Its argument.
    pub size: u64,
    /// The number that it must print.
    pub checksum: i64,
    /// The scheme; `None` runs optimized code without probes.
    pub scheme: Option<WrittenScheme>,
}

/// A scheme as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrittenScheme {
    name: String,
    k: u64,
    array: Option<bool>,
    forest_limit: Option<usize>,
    sample: Option<(u64, Option<u64>)>,
    smart: bool,
    frequencies: bool,
}

/// Result of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Time of the program's run less that of compilations in it.
    pub seconds: f64,
    /// The profile.
    pub profile: Option<ProfileFigures>,
}

/// Size of a profile, and its hottest entry.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProfileFigures {
    /// Counters, or nodes of forests.
    pub entries: u64,
    /// Bytes that hold them.
    pub bytes: u64,
    /// The hottest edge, path, period or loop, in a line.
    pub hottest: String,
}

impl WrittenScheme {
    /// The scheme as data.
    pub fn of(scheme: Scheme) -> WrittenScheme {
        let settings = scheme.settings;
        WrittenScheme {
            name: scheme.name().to_owned(),
            k: settings.k,
            array: settings.table.map(|table| table == TableKind::Array),
            forest_limit: settings.forest_limit,
            sample: settings.sample.map(|sample| match sample.gap {
                Gap::Ids(gap) => (sample.burst.get(), Some(gap.get())),
                Gap::Ticks => (sample.burst.get(), None),
            }),
            smart: settings.numbering == NumberingOrder::Smart,
            frequencies: settings.frequencies == FrequencyCounting::Exact,
        }
    }

    fn read(&self) -> Result<Scheme, String> {
        let mut scheme = Scheme::named(&self.name).ok_or_else(|| format!("there is no scheme '{}'", self.name))?;
        let settings = &mut scheme.settings;
        settings.k = self.k;
        settings.table = self.array.map(|array| if array { TableKind::Array } else { TableKind::Hash });
        settings.forest_limit = self.forest_limit;
        settings.sample = self.sample.and_then(|(burst, gap)| {
            let gap = gap.map_or(Some(Gap::Ticks), |gap| gap.try_into().ok().map(Gap::Ids))?;
            Some(Sampling { burst: burst.try_into().ok()?, gap })
        });
        settings.numbering = if self.smart { NumberingOrder::Smart } else { NumberingOrder::Source };
        settings.frequencies = if self.frequencies { FrequencyCounting::Exact } else { FrequencyCounting::Off };
        Ok(scheme)
    }
}

/// Times a run. Fails with the program's fault.
pub fn carry_out(job: &Job) -> Result<Answer, String> {
    let scheme = job.scheme.as_ref().map(WrittenScheme::read).transpose()?;
    let mut engine = engine(job, scheme)?;
    let start = Instant::now();
    let result = engine.run();
    let whole = start.elapsed();
    let compiling = match engine.executor() {
        Executor::Interpreted(_) => Duration::ZERO,
        Executor::Compiled(machine) => machine.code.stats.time,
    };
    check(job, &mut engine, result)?;
    // Short programs may be over before their code is.
    let seconds = whole.saturating_sub(compiling).max(Duration::from_nanos(1)).as_secs_f64();
    let profile = scheme.map(|_| {
        let counted = engine.profile();
        let (entries, bytes) = size(&counted);
        ProfileFigures { entries, bytes, hottest: headline::hottest(&engine, &counted) }
    });
    Ok(Answer { seconds, profile })
}

/// Makes a base run. Fails with the program's fault.
pub fn carry_out_base(job: &Job) -> Result<EdgeCounts, String> {
    let mut engine = engine(job, Some(base_run::scheme()))?;
    let result = engine.run();
    check(job, &mut engine, result)?;
    Ok(EdgeCounts::of(&mut engine))
}

/// Fails if the program did, or did not print its checksum.
fn check(job: &Job, engine: &mut Engine, result: Result<i32, RunError>) -> Result<(), String> {
    if let Err(error) = result {
        return Err(format!("it failed: {error}"));
    }
    let printed = String::from_utf8_lossy(&engine.take_output()).trim().to_owned();
    match printed == job.checksum.to_string() {
        true => Ok(()),
        false => Err(format!("WRONG CHECKSUM: expected {}, printed {printed}", job.checksum)),
    }
}

fn engine(job: &Job, scheme: Option<Scheme>) -> Result<Engine, String> {
    let tier = match scheme {
        Some(scheme) if scheme.counts_edges() => TierChoice::Baseline,
        Some(_) | None => TierChoice::Optimized,
    };
    let config = Config {
        tier,
        passes: Options::default(),
        output: Sink::Captured(Vec::new()),
        args: vec![job.size.to_string().into_bytes()],
        limits: Limits { fuel: None, time: Some(PATIENCE) },
        ..Config::default()
    };
    let mut engine = Engine::new(config).map_err(|error| format!("no memory for a program: {error}"))?;
    let file = format!("{}.hw", job.program);
    let bytes = embedded::file(&file).ok_or_else(|| format!("there is no benchmark program '{}'", job.program))?;
    engine.load(&file, bytes).map_err(|_| format!("{file} does not compile"))?;
    if let Some(scheme) = scheme {
        base_run::count_by(scheme, &mut engine)?;
    }
    Ok(engine)
}

/// Entries and bytes of a profile.
fn size(counted: &Counted) -> (u64, u64) {
    match counted {
        Counted::Edges(functions) => {
            let counters: u64 = functions.iter().map(|function| function.counters as u64).sum();
            (counters, 8 * counters)
        }
        Counted::Paths(profile) => {
            let sizes = profile.functions.iter().map(|function| function.collected.size());
            sizes.fold((0, 0), |sum, size| (sum.0 + size.entries, sum.1 + size.bytes))
        }
    }
}
