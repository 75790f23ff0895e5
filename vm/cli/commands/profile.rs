//! `profile`: one run, one profile.

use std::io::Write;
use std::num::NonZeroUsize;

use crate::cli::{Exit, program, refuse, show};
use crate::config::{OutputFormat, ProfileConfig, Scheme, TierChoice};
use crate::engine::{Engine, PathProfile};
use crate::report::{edges, paths};
use crate::runtime::Sink;

/// Runs a program and prints, or saves, its profile. The exit status is the program's.
pub fn profile(config: &ProfileConfig) -> Exit {
    try_profile(config).unwrap_or_else(|exit| exit)
}

fn try_profile(config: &ProfileConfig) -> Result<Exit, Exit> {
    let mut settings = program::engine(&config.execution, &config.program.args, output(config))?;
    settings.tier = tier(config.scheme, settings.tier, settings.limits.fuel);
    let mut engine = program::start(settings, Engine::new)?;
    match config.scheme {
        Scheme::Edge => engine.executor_mut().count_edges(),
        Scheme::Paths(scheme) => {
            let collects = engine.executor_mut().profile_paths(scheme);
            assert!(collects, "the tier was chosen to collect paths");
        }
    }
    program::load(&mut engine, &config.program.source, config.messages)?;
    program::stop_on_ctrl_c(&engine);
    let result = engine.run();
    // A failing program has a profile too: that of its execution until then.
    let exit = program::finish(&engine, result, config.messages);
    let found = match engine.path_profile() {
        Some(profile) => Found::Paths(profile),
        None => Found::Edges,
    };
    let name = source_name(config);
    if let Some(path) = &config.output {
        let json = found.json(&engine, &name, None);
        std::fs::write(path, json)
            .map_err(|error| refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure))?;
    }
    let text = match config.format {
        OutputFormat::Json => found.json(&engine, &name, config.top),
        OutputFormat::Text => found.text(&engine, config),
    };
    match show(&text) {
        Exit::Success => Ok(exit),
        other => Ok(other),
    }
}

/// The tier that can collect the profile. Baseline code counts edges only; code that counts fuel carries no path
/// probes.
fn tier(scheme: Scheme, asked: TierChoice, fuel: Option<u64>) -> TierChoice {
    match (scheme, asked) {
        (Scheme::Edge, _) | (_, TierChoice::Interp) => asked,
        (Scheme::Paths(_), _) if fuel.is_some() => TierChoice::Interp,
        (Scheme::Paths(_), _) => TierChoice::Optimized,
    }
}

/// The collected profile.
enum Found {
    /// The engine's edge counts.
    Edges,
    /// Paths.
    Paths(PathProfile),
}

impl Found {
    fn json(&self, engine: &Engine, program: &str, top: Option<NonZeroUsize>) -> String {
        match self {
            Found::Edges => edges::json(engine, program, top),
            Found::Paths(profile) => paths::json(engine, profile, program, top),
        }
    }

    fn text(&self, engine: &Engine, config: &ProfileConfig) -> String {
        match self {
            Found::Edges => edges::text(engine, config.top),
            Found::Paths(profile) => paths::text(engine, profile, config.top, config.messages.style.width),
        }
    }
}

/// With `--json`, standard output holds the profile alone; the program's output goes to standard error.
fn output(config: &ProfileConfig) -> Sink {
    match config.format {
        OutputFormat::Text => Sink::Stdout,
        OutputFormat::Json => Sink::Callback(Box::new(|bytes| {
            let _ = std::io::stderr().write_all(bytes);
        })),
    }
}

fn source_name(config: &ProfileConfig) -> String {
    match &config.program.source {
        crate::config::Source::File(path) => path.display().to_string(),
        crate::config::Source::Stdin => "<stdin>".into(),
        crate::config::Source::Code(_) => "<code>".into(),
    }
}
