//! From the arguments of `bench`, `calibrate` and `reproduce` to resolved commands.
//!
//! In: arguments. Out: a [`Command`] for the kind of measurement that is asked for. Invariant: as in the module around.

use super::shared::{child, facts, output_format, own_binary, progress};
use crate::args::{BenchArgs, CalibrateArgs, ReproduceArgs, SchemeOptions};
use crate::command::Command;
use crate::environment::Environment;
use crate::scheme;
use crate::settings::{BENCH_ROUNDS, STARTUP_ROUNDS, UNSEEN_ROUNDS};
use crate::usage::UsageError;
use holloway::TierChoice;
use holloway_measure::bench::calibrate::CalibrateConfig;
use holloway_measure::bench::profiled::ProfiledConfig;
use holloway_measure::bench::{
    self, BenchConfig, CompileConfig, ModulesConfig, PeerChoice, RunsConfig, StartupConfig, UnseenConfig, WarmupConfig,
    WhyConfig,
};
use holloway_measure::extent::Rounds;
use holloway_measure::reproduce::{self, Programs, ReproduceConfig};

pub(super) fn bench(args: BenchArgs, environment: &Environment) -> Result<Command, UsageError> {
    if let Some(job) = &args.child {
        return child("bench", job).map(Command::BenchChild);
    }
    let executable = own_binary("bench", environment)?;
    let rounds = args.rounds.and_then(Rounds::new);
    let format = output_format(args.json);
    let progress = progress(environment);
    if args.startup {
        let rounds = rounds.unwrap_or(STARTUP_ROUNDS);
        return Ok(Command::Startup(StartupConfig { tier: args.tier, rounds, format, progress, executable }));
    }
    if args.timings && !args.compile {
        return Err(UsageError::new("bench", "--timings goes with --compile, of all programs"));
    }
    if args.compile {
        let rounds = rounds.unwrap_or(STARTUP_ROUNDS);
        let (tier, disabled_passes, timings) = (args.tier, args.passes.disabled, args.timings);
        return Ok(Command::Compile(CompileConfig { tier, disabled_passes, timings, rounds, format, progress }));
    }
    if let Some(folder) = args.unseen {
        without_scheme(&args.options)?;
        let (names, sizes, size) = (args.names, args.sizes, args.size);
        let rounds = rounds.unwrap_or(UNSEEN_ROUNDS);
        let config = UnseenConfig { folder, names, sizes, size, rounds, format, progress, executable };
        return Ok(Command::Unseen(config));
    }
    if let Some(folder) = args.wasm {
        without_scheme(&args.options)?;
        let (names, size, rounds) = (args.names, args.size, rounds.unwrap_or(BENCH_ROUNDS));
        return Ok(Command::Modules(ModulesConfig { folder, names, size, rounds, format, progress, executable }));
    }
    if let Some(name) = args.why {
        let programs = bench::select(&[name]).map_err(|error| UsageError::new("bench", error.to_string()))?;
        let (size, tier, disabled_passes) = (args.size, args.tier, args.passes.disabled);
        if tier == TierChoice::Interp {
            return Err(UsageError::new("bench", "--why looks at machine code, and --tier interp makes none"));
        }
        return Ok(Command::Why(WhyConfig { program: programs[0], size, tier, disabled_passes, format, executable }));
    }
    let names = if args.warmup && args.names.is_empty() { WarmupConfig::usual_programs() } else { args.names };
    let programs = bench::select(&names).map_err(|error| UsageError::new("bench", error.to_string()))?;
    let rounds = rounds.unwrap_or(BENCH_ROUNDS);
    if args.policies {
        let size = args.size;
        return Ok(Command::Policies(RunsConfig { programs, size, rounds, format, progress, executable }));
    }
    if args.ablation {
        let size = args.size;
        return Ok(Command::Ablation(RunsConfig { programs, size, rounds, format, progress, executable }));
    }
    if let Some(scheme) = args.scheme {
        if args.options.names_places() {
            let message = "bench runs many programs; options that name loops or calls of one go with profile, and so does --k auto";
            return Err(UsageError::new("bench", message));
        }
        let scheme = scheme::chosen(scheme, &args.options).map_err(|message| UsageError::new("bench", message))?;
        let size = args.size;
        return Ok(Command::Profiled(ProfiledConfig { programs, size, scheme, rounds, format, progress, executable }));
    }
    without_scheme(&args.options)?;
    if args.warmup {
        let (tier, disabled_passes, run) = (args.tier, args.passes.disabled, WarmupConfig::USUAL_RUN);
        let config = WarmupConfig { programs, tier, disabled_passes, rounds, run, format, progress, executable };
        return Ok(Command::Warmup(config));
    }
    if !args.without.parts.is_empty() && args.tier != TierChoice::Auto {
        return Err(UsageError::new("bench", "--without goes with --tier auto; other tiers have no adaptive system"));
    }
    // The program runs in a folder of its own.
    let file = args.facts.map(|file| std::path::absolute(&file).unwrap_or(file));
    let facts = facts("bench", args.tier, file)?;
    if facts.is_some() && programs.len() != 1 {
        return Err(UsageError::new("bench", "--facts are about one program: name that one"));
    }
    Ok(Command::Bench(BenchConfig {
        programs,
        size: args.size,
        tier: args.tier,
        without: args.without.parts.into_iter().collect(),
        disabled_passes: args.passes.disabled,
        facts,
        peers: if args.peers { PeerChoice::Installed } else { PeerChoice::None },
        rounds,
        format,
        progress,
        executable,
    }))
}

/// Refuses options of a scheme where there is none.
fn without_scheme(options: &SchemeOptions) -> Result<(), UsageError> {
    match options.first_written() {
        Some(option) => Err(UsageError::new("bench", format!("{option} goes with --scheme"))),
        None => Ok(()),
    }
}

pub(super) fn calibrate(args: CalibrateArgs, environment: &Environment) -> Result<Command, UsageError> {
    let programs = bench::select(&args.names).map_err(|error| UsageError::new("calibrate", error.to_string()))?;
    Ok(Command::Calibrate(CalibrateConfig {
        programs,
        rounds: Rounds::new(args.rounds).expect("the parser takes 1 or more"),
        progress: progress(environment),
        output: args.output,
        format: output_format(args.json),
    }))
}

pub(super) fn reproduce(args: ReproduceArgs, environment: &Environment) -> Result<Command, UsageError> {
    if let Some(job) = &args.child {
        return child("reproduce", job).map(Command::ReproduceChild);
    }
    let tables = reproduce::select(&args.tables).map_err(|error| UsageError::new("reproduce", error.to_string()))?;
    let size = args.size;
    let programs = match args.wasm {
        Some(folder) => Programs::Modules { folder, names: args.only },
        None => reproduce::select_programs(&tables, &args.only, size)
            .map_err(|error| UsageError::new("reproduce", error.to_string()))?,
    };
    Ok(Command::Reproduce(ReproduceConfig {
        tables,
        programs,
        size,
        rounds: Rounds::new(args.rounds).expect("the parser takes 1 or more"),
        format: output_format(args.json),
        progress: progress(environment),
        executable: own_binary("reproduce", environment)?,
        plot: args.plot,
    }))
}
