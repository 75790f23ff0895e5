//! One run of a module in a process of its own.
//!
//! In: a [`ModuleJob`], as JSON on the command line. Out: a [`ModuleRun`], as JSON on standard output; the scripts of other engines print the
//! same. Invariant: times count from before the module's bytes are read.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::settings::PATIENCE;
use holloway::{Adaptive, Config, Engine, TierChoice};
use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::{Calibration, Controller, Part, Session, Settings};
use holloway_runtime::{Limits, Sink, cpu_time};

/// A run to be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModuleJob {
    /// The module.
    pub(super) file: PathBuf,
    /// Its argument.
    pub(super) size: u64,
    /// The tier that executes it.
    pub(super) by: Own,
}

/// A way of this system to run a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Own {
    /// Optimized code for everything.
    Optimized,
    /// The adaptive system.
    Auto,
    /// The adaptive system without traces.
    AutoWithoutTraces,
}

/// A run of a module; times are in seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ModuleRun {
    /// Output of the program.
    pub output: String,
    /// CPU time until its first instruction could run.
    pub ready: f64,
    /// CPU time of all threads until its end.
    pub cpu: f64,
    /// Elapsed time until its end.
    pub wall: f64,
}

/// Runs a job. The error describes the module's fault.
pub fn carry_out(job: &ModuleJob) -> Result<ModuleRun, String> {
    let (tier, without) = match job.by {
        Own::Optimized => (TierChoice::Optimized, None),
        Own::Auto => (TierChoice::Auto, None),
        Own::AutoWithoutTraces => (TierChoice::Auto, Some(Part::Traces)),
    };
    let settings = Settings::background().without(without.into_iter().collect());
    let controller = Controller::new(settings, STRATEGIES[0], Calibration::embedded);
    let session = Session::new(PolicyOfRun::Controller(Box::new(controller)), Keep::Nothing);
    let name = job.file.display().to_string();
    let (cpu, wall) = (cpu_time::of_process(), Instant::now());
    let config = Config {
        tier,
        output: Sink::Captured(Vec::new()),
        args: vec![job.size.to_string().into_bytes()],
        limits: Limits { fuel: None, time: Some(PATIENCE) },
        adaptive: (tier == TierChoice::Auto).then_some(Adaptive(session)),
        ..Config::default()
    };
    let mut engine = Engine::new(config).map_err(|error| format!("no memory for a program: {error}"))?;
    let bytes = fs::read(&job.file).map_err(|error| format!("cannot read {name}: {error}"))?;
    engine.load(&name, bytes).map_err(|error| error.to_string())?;
    let ready = cpu_time::of_process() - cpu;
    let result = engine.run();
    let (cpu, wall) = (cpu_time::of_process() - cpu, wall.elapsed());
    match result {
        Ok(0) => {}
        Ok(status) => return Err(format!("it ended with status {status}")),
        Err(error) => return Err(format!("it failed: {error}")),
    }
    let output = String::from_utf8_lossy(&engine.take_output()).into_owned();
    Ok(ModuleRun { output, ready: ready.as_secs_f64(), cpu: cpu.as_secs_f64(), wall: wall.as_secs_f64() })
}
