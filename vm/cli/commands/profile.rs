//! `profile`: one run, one profile.

use std::path::Path;

use crate::config::ProfileConfig;
use crate::overwriting::{refuse_overwriting, refuse_sources};
use crate::{Exit, cut_choice, k_choice, program, refuse, show};
use base::BaseRun;
use holloway::{Counted, Engine, TierChoice};
use holloway_profiler::scheme::Scheme;
use holloway_study::report::Shown;
use holloway_study::report::style::OutputFormat;
use holloway_study::report::{edges, paths};
use output::{output, written};

mod base;
mod compare;
mod output;
mod time;

pub use compare::compare;
pub use time::time;

/// Runs a program and prints, or saves, its profile. The exit status is the program's.
pub fn profile(config: &ProfileConfig) -> Exit {
    try_profile(config).unwrap_or_else(|exit| exit)
}

fn try_profile(config: &ProfileConfig) -> Result<Exit, Exit> {
    let name = program::name(&config.program.source);
    config.output.iter().try_for_each(|output| refuse_overwriting("-o", output, &[Path::new(&name)]))?;
    let mut settings = program::engine(&config.execution, &config.program.args, output(config.format))?;
    settings.tier = tier(config.scheme, settings.tier, settings.limits.fuel);
    let read = program::read(&config.program.source)?;
    let base = match config.loops.auto || config.scheme.takes_frequencies() {
        true => base::run(config, &read, &mut settings)?,
        false => BaseRun::default(),
    };
    let mut engine = program::start(settings, Engine::new)?;
    program::add(&mut engine, &config.program.source, &read, config.messages)?;
    let loops = k_choice::named(&engine, &config.loops.named).map_err(|message| refuse(&message, Exit::Usage))?;
    let mut scheme = config.scheme;
    scheme.settings.loops = loops.or(base.loops);
    if !config.cut.is_empty() {
        scheme.settings.cut =
            cut_choice::named(&engine, &config.cut).map_err(|message| refuse(&message, Exit::Usage))?;
    }
    config.output.iter().try_for_each(|output| refuse_sources("-o", output, engine.sources()))?;
    engine.executor_mut().profile_numbered_by(scheme, base.frequencies);
    program::stop_on_signals(&engine);
    let result = engine.run();
    // A failing program has a profile too: that of its execution until then.
    let exit = program::finish(&engine, result, config.messages);
    let found = engine.profile();
    if let Some(path) = &config.output {
        written(path, &json(&found, &engine, &name, Shown::hottest(None)))?;
    }
    let text = match config.format {
        OutputFormat::Json => json(&found, &engine, &name, config.shown),
        OutputFormat::Text => text(&found, &engine, config),
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

/// The tier that can collect the profile. Baseline code counts edges, and carries plans that all code does; code that counts fuel carries no path
/// probes.
fn tier(scheme: Scheme, asked: TierChoice, fuel: Option<u64>) -> TierChoice {
    match asked {
        _ if scheme.counts_edges() => asked,
        TierChoice::Interp => asked,
        _ if fuel.is_some() => TierChoice::Interp,
        TierChoice::Baseline if scheme.is_in_all_code() => TierChoice::Baseline,
        TierChoice::Auto | TierChoice::Baseline | TierChoice::Optimized => TierChoice::Optimized,
    }
}

fn json(found: &Counted, engine: &Engine, program: &str, shown: Shown) -> String {
    match found {
        Counted::Edges(_) => edges::json(engine, program, shown.top),
        Counted::Paths(profile) => paths::json(engine, profile, program, shown),
    }
}

fn text(found: &Counted, engine: &Engine, config: &ProfileConfig) -> String {
    match found {
        Counted::Edges(_) => edges::text(engine, config.shown.top),
        Counted::Paths(profile) => paths::text(engine, profile, config.shown, config.messages.style.width),
    }
}
