//! `diff`: two saved profiles, and what changed.

use std::path::Path;

use crate::config::{DiffConfig, Source};
use crate::{Exit, input, refuse, show};
use holloway::{Config, Engine, TierChoice};
use holloway_measure::bench::embedded;
use holloway_study::diff::{self, Difference, SavedProfile, Sources};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::one_line;

/// Prints the difference.
pub fn diff(config: &DiffConfig) -> Exit {
    try_diff(config).unwrap_or_else(|exit| exit)
}

fn try_diff(config: &DiffConfig) -> Result<Exit, Exit> {
    let [a, b] = &config.sides;
    let (a, b) = (read(a)?, read(b)?);
    let found = Difference::between(&a, &b).map_err(|error| refuse(&error, Exit::DoesNotCompile))?;
    Ok(show(&match config.format {
        OutputFormat::Json => diff::json(&found, config.top),
        OutputFormat::Text => {
            let sources = Sources([&a, &b].map(|profile| (profile, program(&profile.program))));
            diff::text(&found, &sources, config.top, config.messages.style.width)
        }
    }))
}

/// An engine with a profile's program, if that is to be had: a file, or a program of this binary.
fn program(name: &str) -> Option<Engine> {
    let mut engine = Engine::new(Config { tier: TierChoice::Interp, ..Config::default() }).ok()?;
    let loaded = match embedded::file(name) {
        Some(text) if !Path::new(name).exists() => engine.load(name, text),
        _ => engine.load_file(name),
    };
    loaded.ok().map(|()| engine)
}

fn read(source: &Source) -> Result<SavedProfile, Exit> {
    let text = input::read_json(source).map_err(|error| refuse(&error, Exit::NoInput))?;
    SavedProfile::read(&text.bytes).map_err(|error| {
        let (name, error) = (one_line(&text.name), one_line(&error.to_string()));
        let reason = format_args!("{name} is no profile: {error}; save one with 'holloway profile ... -o {name}'");
        refuse(&reason, Exit::DoesNotCompile)
    })
}
