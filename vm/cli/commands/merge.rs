//! `merge`: profiles of several runs, added.

use std::path::Path;

use crate::config::{MergeConfig, Source};
use crate::overwriting::refuse_overwriting;
use crate::{Exit, input, refuse, show};
use holloway_study::merge::merged;
use holloway_study::report::text::one_line;
use serde_json::Value;

/// Writes the sum of profiles.
pub fn merge(config: &MergeConfig) -> Exit {
    try_merge(config).unwrap_or_else(|exit| exit)
}

fn try_merge(config: &MergeConfig) -> Result<Exit, Exit> {
    let mut sum: Option<Value> = None;
    for path in &config.profiles {
        let next = read(path)?;
        sum = Some(match sum {
            None => next,
            Some(sum) => merged(&sum, &next).map_err(|reason| {
                let reason = one_line(&reason.to_string());
                refuse(&format_args!("{}: {reason}", path.display()), Exit::DoesNotCompile)
            })?,
        });
    }
    let text = format!("{}\n", sum.expect("there are two at least"));
    match &config.output {
        None => Ok(show(&text)),
        Some(path) => {
            let read: Vec<&Path> = config.profiles.iter().map(AsRef::as_ref).collect();
            refuse_overwriting("-o", path, &read)?;
            std::fs::write(path, text)
                .map_err(|error| refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure))?;
            Ok(Exit::Success)
        }
    }
}

fn read(path: &Path) -> Result<Value, Exit> {
    let text = input::read_json(&Source::File(path.to_owned())).map_err(|error| refuse(&error, Exit::NoInput))?;
    serde_json::from_slice(&text.bytes).map_err(|error| {
        let (name, error) = (one_line(&text.name), one_line(&error.to_string()));
        let reason = format_args!("{name} is no profile: {error}; save one with 'holloway profile ... -o {name}'");
        refuse(&reason, Exit::DoesNotCompile)
    })
}
