//! `diff`: two saved profiles or recorded runs, and what changed.

use std::path::Path;

use crate::config::{DiffConfig, Source};
use crate::{Exit, input, recording, refuse, show};
use holloway::{Config, Engine, TierChoice};
use holloway_measure::bench::embedded;
use holloway_study::diff::runs::RunDifference;
use holloway_study::diff::{self, Difference, SavedProfile, Sources};
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::{one_line, percent};
use holloway_study::run::{self, Run};

/// Prints the difference.
pub fn diff(config: &DiffConfig) -> Exit {
    try_diff(config).unwrap_or_else(|exit| exit)
}

fn try_diff(config: &DiffConfig) -> Result<Exit, Exit> {
    match config.sides.iter().flatten().map(is_run).collect::<Vec<_>>()[..] {
        [false, false] => profiles(config),
        ref all if all.iter().all(|is_run| *is_run) => runs(config),
        _ => {
            let reason =
                "a recorded run is compared with runs, and a profile with one other profile; `run --save` keeps runs";
            Err(refuse(&reason, Exit::Usage))
        }
    }
}

fn is_run(source: &Source) -> bool {
    matches!(source, Source::File(path) if run::is_run(path))
}

fn profiles(config: &DiffConfig) -> Result<Exit, Exit> {
    if config.fail_above.is_some() {
        return Err(refuse(
            &"--fail-above is about the times of runs that --save kept; profiles have none",
            Exit::Usage,
        ));
    }
    let [a, b] = &config.sides;
    let (a, b) = (read(&a[0])?, read(&b[0])?);
    let found = Difference::between(&a, &b).map_err(|error| refuse(&error, Exit::DoesNotCompile))?;
    Ok(show(&match config.format {
        OutputFormat::Json => diff::json(&found, config.top),
        OutputFormat::Text => {
            let sources = Sources([&a, &b].map(|profile| (profile, program(&profile.program))));
            diff::text(&found, &sources, config.top, config.messages.style.width)
        }
    }))
}

fn runs(config: &DiffConfig) -> Result<Exit, Exit> {
    let side = |side: &Vec<Source>| side.iter().map(read_run).collect::<Result<Vec<Run>, Exit>>();
    let (a, b) = (side(&config.sides[0])?, side(&config.sides[1])?);
    let mut found = RunDifference::between([&a, &b]);
    let slowdown = found.slowdown();
    if let (OutputFormat::Json, Some(top)) = (config.format, config.top) {
        found.functions.truncate(top.get());
        found.lines.truncate(top.get());
    }
    let shown = show(&match config.format {
        OutputFormat::Json => format!("{}\n", serde_json::json!(found)),
        OutputFormat::Text => diff::runs::text(&found, [&a[0], &b[0]], config.top, config.messages.style.width),
    });
    match (config.fail_above, slowdown) {
        (Some(_), None) => Err(refuse(&"--fail-above: no CPU time is known of runs without samples", Exit::Usage)),
        (Some(most), Some((slowdown, true))) if slowdown > most => {
            let (took, most) = (percent(slowdown), percent(most));
            Err(refuse(&format_args!("b takes {took} longer than a; {most} are allowed"), Exit::Failure))
        }
        _ => Ok(shown),
    }
}

fn read_run(source: &Source) -> Result<Run, Exit> {
    let Source::File(path) = source else { unreachable!("only files are runs") };
    recording::read_run(path)
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
