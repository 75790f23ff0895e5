//! `calibrate`: the speed of each tier's code and of each tier's compiler, measured on the embedded programs.
//!
//! In: the programs and a number of rounds. Out: a [`Calibration`] for the controller's cost model, and its origin.
//! Speeds: each program runs at size `mid` in this process in both tiers, in turn; a program's speed is the ratio of
//! the least times, and the tier's the geometric mean. Compilations during a run are subtracted, so that a speed is of
//! code alone.
//! Rates: every function is compiled in both tiers; a line fitted to time over size gives the time per instruction and
//! the fixed time of a compilation. Invariant: a program that does not print its checksum is an error, not a figure.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use holloway_jit::Tier;
use holloway_lang::ir::FuncRef;

use super::statistics::{geometric_mean, least};
use super::{BenchProgram, Progress, embedded, progress};
use crate::extent::{Rounds, SizeName};
use crate::provenance::{date, machine};
use holloway::TierChoice;
use holloway::internals::Executor;
use holloway::{Config, Engine};
use holloway_aos::calibration::{Calibration, Origin, Provenance, TierFigures};
use holloway_runtime::Sink;
use holloway_study::report::style::OutputFormat;

/// Options of `calibrate`.
#[derive(Clone, PartialEq, Debug)]
pub struct CalibrateConfig {
    /// The programs; not empty.
    pub programs: Vec<BenchProgram>,
    /// Number of times that each is run and compiled.
    pub rounds: Rounds,
    /// Progress display.
    pub progress: Progress,
    /// The file that the table is saved to, if any.
    pub output: Option<PathBuf>,
    /// Format of the output.
    pub format: OutputFormat,
}

/// Results of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct CalibrateResults {
    /// The table.
    pub calibration: Calibration,
    /// Speed of optimized code relative to baseline code, by program.
    pub speedups: Vec<(&'static str, f64)>,
}

/// Compile time and size of one function.
#[derive(Clone, Copy, Debug)]
struct Sample {
    instructions: f64,
    micros: f64,
}

/// Measures speeds and compile times. The error names a program and its fault.
pub fn calibrate(config: &CalibrateConfig) -> Result<CalibrateResults, String> {
    let bar = progress::bar(config.progress, 2 * config.programs.len() as u64);
    let mut speedups = Vec::new();
    for program in &config.programs {
        bar.set_message(program.name);
        speedups.push((program.name, speedup(program, config.rounds)?));
        bar.inc(1);
    }
    let mut samples = [Vec::new(), Vec::new()];
    for program in &config.programs {
        let engine = engine(program, TierChoice::Baseline, 0)?;
        samples[0].extend(compile_all(&engine, Tier::Baseline, config.rounds));
        samples[1].extend(compile_all(&engine, Tier::Optimized, config.rounds));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let speed = geometric_mean(speedups.iter().map(|(_, speedup)| *speedup)).expect("there are programs");
    let [baseline, optimized] = samples;
    let calibration =
        Calibration::of(provenance(&config.programs), figures(1.0, &baseline), figures(speed, &optimized));
    Ok(CalibrateResults { calibration, speedups })
}

/// Time of baseline code divided by that of optimized code.
fn speedup(program: &BenchProgram, rounds: Rounds) -> Result<f64, String> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds.get() {
        times[0].push(run(program, TierChoice::Baseline)?);
        times[1].push(run(program, TierChoice::Optimized)?);
    }
    let [baseline, optimized] = times.map(|times| least(times).expect("there is a round").as_secs_f64());
    Ok(baseline / optimized.max(1e-9))
}

/// The time of one run without its compilations.
fn run(program: &BenchProgram, tier: TierChoice) -> Result<Duration, String> {
    let workload = program.workload(SizeName::Mid);
    let mut engine = engine(program, tier, workload.size)?;
    let start = Instant::now();
    let result = engine.run();
    let time = start.elapsed();
    let compiling = match engine.executor() {
        Executor::Compiled(machine) => machine.code.stats.time,
        Executor::Interpreted(_) => unreachable!("the engine compiles"),
    };
    let printed = String::from_utf8_lossy(&engine.take_output()).trim().to_owned();
    if result.is_err() || printed != workload.checksum.to_string() {
        return Err(format!("{} printed {printed:?} instead of {}", program.name, workload.checksum));
    }
    Ok(time.saturating_sub(compiling))
}

fn engine(program: &BenchProgram, tier: TierChoice, size: u64) -> Result<Engine, String> {
    let args = vec![size.to_string().into_bytes()];
    let config = Config { tier, output: Sink::Captured(Vec::new()), args, ..Config::default() };
    let mut engine = Engine::new(config).map_err(|error| format!("no memory for a program: {error}"))?;
    let file = format!("{}.hw", program.name);
    engine.load(&file, embedded::file(&file).expect("the program is embedded")).expect("embedded programs compile");
    Ok(engine)
}

/// The least compile time of each function.
fn compile_all(engine: &Engine, tier: Tier, rounds: Rounds) -> Vec<Sample> {
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("the engine compiles") };
    let time = |func: FuncRef| {
        let start = Instant::now();
        machine.code.trial(func, tier).expect("functions of the programs are small");
        start.elapsed()
    };
    let sample = |(func, size): (FuncRef, usize)| {
        let times = (0..rounds.get()).map(|_| time(func));
        let least = least(times).expect("there is a round");
        Sample { instructions: size as f64, micros: least.as_secs_f64() * 1e6 }
    };
    engine.module().funcs.iter().map(|(func, decl)| (func, decl.body.size())).map(sample).collect()
}

/// The figures of a tier, from its speed and its compilations.
fn figures(speed: f64, samples: &[Sample]) -> TierFigures {
    let (function_us, per_instruction) = line(samples);
    // More digits than were measured would be noise in a file that is read and compared.
    let short = |x: f64| (x * 100.0).round() / 100.0;
    let instructions_per_ms = short(1_000.0 / per_instruction);
    TierFigures { speed: short(speed), instructions_per_ms, function_us: short(function_us), origin: Origin::Measured }
}

/// The least-squares line through the samples: microseconds at 0 instructions, and per instruction. If it is negative
/// at 0, the line through 0 is used.
fn line(samples: &[Sample]) -> (f64, f64) {
    let mean = |value: fn(&Sample) -> f64| samples.iter().map(value).sum::<f64>() / samples.len() as f64;
    let (x, y) = (mean(|sample| sample.instructions), mean(|sample| sample.micros));
    let covariance: f64 = samples.iter().map(|sample| (sample.instructions - x) * (sample.micros - y)).sum();
    let variance: f64 = samples.iter().map(|sample| (sample.instructions - x).powi(2)).sum();
    let slope = covariance / variance;
    let start = y - slope * x;
    if slope.is_finite() && slope > 0.0 && start >= 0.0 { (start, slope) } else { (0.0, y / x) }
}

fn provenance(programs: &[BenchProgram]) -> Provenance {
    Provenance {
        command: "holloway calibrate".to_owned(),
        date: date(),
        host: Some(holloway_jit::arch::host()),
        machine: machine(),
        programs: programs.iter().map(|program| program.name.to_owned()).collect(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

impl CalibrateResults {
    /// The table as text.
    pub fn text(&self) -> String {
        let Provenance { date, machine, programs, version, .. } = &self.calibration.provenance;
        let mut text =
            format!("{:<12}  {:>6}  {:>16}  {:>14}  origin\n", "tier", "speed", "instructions/ms", "us a function");
        let tiers = [
            ("baseline", &self.calibration.baseline),
            ("optimized", &self.calibration.optimized),
            ("profiled", &self.calibration.profiled),
            ("specialized", &self.calibration.specialized),
        ];
        for (name, tier) in tiers {
            let origin = match tier.origin {
                Origin::Measured => "measured",
                Origin::Derived => "from optimized",
            };
            let (speed, rate, each) = (tier.speed, tier.instructions_per_ms, tier.function_us);
            writeln!(text, "{name:<12}  {speed:>6.2}  {rate:>16.0}  {each:>14.1}  {origin}")
                .expect("strings take all text");
        }
        let fastest = self.speedups.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are programs");
        let slowest = self.speedups.iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are programs");
        writeln!(
            text,
            "\nHolloway {version}, {date}, {machine}; {} programs: optimized code is {:.2} to {:.2} times as fast ({}, {})",
            programs.len(),
            slowest.1,
            fastest.1,
            slowest.0,
            fastest.0
        )
        .expect("strings take all text");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::select;

    #[test]
    fn a_line_is_found() {
        let sample = |instructions: f64, micros: f64| Sample { instructions, micros };
        let (start, slope) = line(&[sample(10.0, 25.0), sample(20.0, 45.0), sample(40.0, 85.0)]);
        assert!((start - 5.0).abs() < 1e-9 && (slope - 2.0).abs() < 1e-9, "{start} {slope}");
        assert_eq!(line(&[sample(10.0, 10.0), sample(20.0, 40.0)]), (0.0, 50.0 / 30.0));
        assert_eq!(line(&[sample(10.0, 30.0)]), (0.0, 3.0));
    }

    #[test]
    fn a_program_calibrates() {
        let programs = select(&["crc".to_owned()]).unwrap();
        let rounds = Rounds::new(1).unwrap();
        let (progress, format) = (Progress::Silent, OutputFormat::Text);
        let results = calibrate(&CalibrateConfig { programs, rounds, progress, output: None, format }).unwrap();
        assert_eq!(Calibration::parse(&results.calibration.to_json()), Ok(results.calibration.clone()));
        assert!(results.text().contains("1 programs"), "{}", results.text());
    }
}
